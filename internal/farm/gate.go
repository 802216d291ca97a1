//go:build !js && !plan9

package farm

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A worker ends its unit in the queue with a message whose subject consists of numbers: whoever may end one unit can guess the
// subjects of all others. So the server of a farm with roles takes the units for its workers. This is the gate. It gives each
// worker a subject that contains a seal, which nobody can guess, and lets it acknowledge only the unit that it has now.

// The subjects of the gate.
const (
	gateSubject = "pillbox.gate"  // the gate replies to requests on it
	takeSubject = "pillbox.take." // and the name of a consumer: the reply is a unit, or a message without headers
	ackSubject  = "pillbox.ack."  // a seal, and what follows ackPrefix in the subject of the server
	ackPrefix   = "$JS.ACK." + tasksStream + "."

	unitHeader = "Pillbox-Unit" // the subject of the unit
	ackHeader  = "Pillbox-Ack"  // where to acknowledge it
)

// maxGated is the number of requests that the gate works on at the same time.
const maxGated = 64

// gate takes units for workers, and passes on their acknowledgements.
type gatekeeper struct {
	farm   *Farm
	secret []byte
	turns  chan struct{}

	held heldUnits
}

// OpenGate lets workers that may not use the queue themselves take units until the connection is closed. The next gate, of a server
// that was started again, does not know who has which unit, so it gives out again those that have not been ended: their leases
// end, and whoever gets such a unit finds its result, if there is one.
func (f *Farm) OpenGate() error {
	g := &gatekeeper{farm: f, secret: []byte(newID() + newID()), turns: make(chan struct{}, maxGated)}
	for subject, answer := range map[string]func(*nats.Msg){gateSubject: g.greet, takeSubject + "*": g.take, ackSubject + ">": g.acknowledge} {
		_, err := f.nc.Subscribe(subject, func(m *nats.Msg) {
			g.turns <- struct{}{}
			go func() {
				defer func() { <-g.turns }()
				answer(m)
			}()
		})
		if err != nil {
			return err
		}
	}
	return f.nc.FlushTimeout(answerLimit)
}

func (g *gatekeeper) greet(m *nats.Msg) { _ = m.Respond(nil) }

// take answers the request for a unit.
func (g *gatekeeper) take(m *nats.Msg) {
	consumer := strings.TrimPrefix(m.Subject, takeSubject)
	got, err := g.farm.nc.Request("$JS.API.CONSUMER.MSG.NEXT."+tasksStream+"."+consumer, []byte(`{"batch":1,"no_wait":true}`), answerLimit)
	switch {
	case errors.Is(err, nats.ErrNoResponders): // the job has ended
		_ = m.RespondMsg(&nats.Msg{Header: nats.Header{"Status": {"404"}}})
	case err != nil: // the worker asks again
	case !strings.HasPrefix(got.Reply, ackPrefix): // no unit
		_ = m.Respond(nil)
	default:
		g.held.hold(got.Reply, time.Now(), 2*g.farm.lease)
		header := nats.Header{unitHeader: {got.Subject}, ackHeader: {ackSubject + g.seal(got.Reply) + "." + got.Reply[len(ackPrefix):]}}
		_ = m.RespondMsg(&nats.Msg{Header: header, Data: got.Data})
	}
}

// acknowledge passes on the acknowledgement of a unit, if it is that of the last worker that the unit was given to, and that worker
// has not given it back.
func (g *gatekeeper) acknowledge(m *nats.Msg) {
	seal, rest, _ := strings.Cut(strings.TrimPrefix(m.Subject, ackSubject), ".")
	subject := ackPrefix + rest
	renews := bytes.Equal(m.Data, ackProgress)
	switch {
	case !hmac.Equal([]byte(seal), []byte(g.seal(subject))) || !isAck(m.Data, g.farm.lease),
		renews && !g.held.renew(subject, time.Now(), 2*g.farm.lease),
		!renews && !g.held.release(subject):
		refuse(m)
	case renews:
		_ = g.forward(m, subject)
	case g.forward(m, subject) == nil:
		g.held.forget(subject)
	default:
		g.held.restore(subject)
	}
}

// refuse replies to the acknowledgement of a worker that has lost its lease.
func refuse(m *nats.Msg) { _ = m.RespondMsg(&nats.Msg{Header: nats.Header{"Status": {"410"}}}) }

// forward passes the acknowledgement m on to a subject of the server. If the worker waits for a reply, forward waits for that of
// the server, and replies. It returns an error if the server may not have received the acknowledgement.
func (g *gatekeeper) forward(m *nats.Msg, subject string) error {
	if m.Reply == "" {
		return g.farm.nc.Publish(subject, m.Data)
	}
	if _, err := g.farm.nc.Request(subject, m.Data, answerLimit); err != nil && !errors.Is(err, nats.ErrNoResponders) {
		return err
	}
	_ = m.Respond(nil)
	return nil
}

// seal returns what makes the subject of an acknowledgement impossible to guess.
func (g *gatekeeper) seal(subject string) string {
	mac := hmac.New(sha256.New, g.secret)
	mac.Write([]byte(subject))
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// unitID returns the parts of an acknowledgement's subject that are the same for all deliveries of a unit.
func unitID(subject string) string {
	const consumer, number = 0, 2 // CONSUMER.DELIVERIES.NUMBER.…
	parts := strings.Split(strings.TrimPrefix(subject, ackPrefix), ".")
	if len(parts) <= number {
		return subject
	}
	return parts[consumer] + "." + parts[number]
}

// heldUnits are the units that workers have. Those whose lease ended long ago are forgotten, such as those of jobs that have ended:
// from time to time, the recent units become the old ones, and the former old ones are forgotten. So no call goes through all.
//
// The messages of workers are handled concurrently, in any order. So each method checks who has a unit and changes it under one lock.
type heldUnits struct {
	mu          sync.Mutex
	recent, old map[string]string // the subjects that acknowledge the last deliveries, by unitID
	released    map[string]string // the same, for units that nobody has and whose last acknowledgement is being forwarded
	turned      time.Time         // when the recent units became the old ones
}

// hold notes at the time now that a worker has got the unit that it acknowledges on a subject. The units that are not renewed for
// the duration keep, or up to twice as long, are forgotten.
func (h *heldUnits) hold(subject string, now time.Time, keep time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.released, unitID(subject)) // its former worker cannot get it back
	h.note(subject, now, keep)
}

// renew is like hold, for a worker that has the unit already. It returns false if the worker no longer has it.
func (h *heldUnits) renew(subject string, now time.Time, keep time.Duration) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.has(subject) {
		return false
	}
	h.note(subject, now, keep)
	return true
}

// release takes a unit from its worker, which ends it or gives it back. It returns false if the worker no longer has it. Call forget
// or restore afterwards.
func (h *heldUnits) release(subject string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.has(subject) {
		return false
	}
	id := unitID(subject)
	delete(h.recent, id)
	delete(h.old, id)
	if h.released == nil {
		h.released = make(map[string]string)
	}
	h.released[id] = subject
	return true
}

// restore gives a released unit back to its worker, unless another worker has got it since.
func (h *heldUnits) restore(subject string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if id := unitID(subject); h.released[id] == subject {
		delete(h.released, id)
		h.recent[id] = subject
	}
}

// forget forgets a released unit.
func (h *heldUnits) forget(subject string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if id := unitID(subject); h.released[id] == subject {
		delete(h.released, id)
	}
}

// note notes who has a unit. The caller holds the lock.
func (h *heldUnits) note(subject string, now time.Time, keep time.Duration) {
	if h.recent == nil || now.Sub(h.turned) > keep {
		if h.old = h.recent; now.Sub(h.turned) > 2*keep {
			h.old = nil
		}
		h.recent, h.turned = make(map[string]string), now
	}
	h.recent[unitID(subject)] = subject
}

// has reports whether the last delivery of a unit is the one that is acknowledged on a subject, and has not been released. The
// caller holds the lock.
func (h *heldUnits) has(subject string) bool {
	id := unitID(subject)
	last, ok := h.recent[id]
	if !ok {
		last, ok = h.old[id]
	}
	return ok && last == subject
}

// The acknowledgements of a unit, in JetStream's words.
var (
	ackDone     = []byte("+ACK")
	ackBack     = []byte("-NAK") // and, in JSON, when to give it out again
	ackProgress = []byte("+WPI")
	ackRefused  = []byte("+TERM")
)

// isAck reports whether data is an acknowledgement. A worker may not keep a unit from the others for longer than a lease.
func isAck(data []byte, lease time.Duration) bool {
	if delay, ok := bytes.CutPrefix(data, ackBack); ok {
		var back struct{ Delay time.Duration }
		return len(delay) == 0 || json.Unmarshal(delay, &back) == nil && back.Delay >= 0 && back.Delay <= lease
	}
	return bytes.Equal(data, ackDone) || bytes.Equal(data, ackProgress) || bytes.Equal(data, ackRefused)
}

// hasGate reports whether the server has a gate.
func (f *Farm) hasGate() (bool, error) {
	_, err := f.nc.Request(gateSubject, nil, answerLimit)
	if errors.Is(err, nats.ErrNoResponders) {
		return false, nil
	}
	return err == nil, err
}

// takeThroughGate returns a unit of the consumer with the given name, or nil if it has none.
func (f *Farm) takeThroughGate(consumer string) (jetstream.Msg, error) {
	m, err := f.nc.Request(takeSubject+consumer, nil, answerLimit)
	switch {
	case err != nil:
		return nil, err
	case m.Header.Get("Status") != "":
		return nil, jetstream.ErrConsumerNotFound
	case m.Header.Get(ackHeader) == "":
		return nil, nil
	}
	return &gatedUnit{f.nc, m}, nil
}

// gatedUnit is a unit that came through the gate. It implements [jetstream.Msg].
type gatedUnit struct {
	nc *nats.Conn
	m  *nats.Msg
}

func (u *gatedUnit) Data() []byte         { return u.m.Data }
func (u *gatedUnit) Headers() nats.Header { return u.m.Header }
func (u *gatedUnit) Subject() string      { return u.m.Header.Get(unitHeader) }
func (u *gatedUnit) Reply() string        { return u.m.Header.Get(ackHeader) }

// Metadata implements [jetstream.Msg]. It knows only the number of deliveries.
func (u *gatedUnit) Metadata() (*jetstream.MsgMetadata, error) {
	parts := strings.Split(strings.TrimPrefix(u.Reply(), ackSubject), ".") // SEAL.CONSUMER.DELIVERIES.…
	if len(parts) < 3 {
		return nil, jetstream.ErrNotJSMessage
	}
	n, err := strconv.ParseUint(parts[2], 10, 64)
	return &jetstream.MsgMetadata{Stream: tasksStream, Consumer: parts[1], NumDelivered: n}, err
}

func (u *gatedUnit) acknowledge(data []byte) error { return u.nc.Publish(u.Reply(), data) }

func (u *gatedUnit) Ack() error                             { return u.acknowledge(ackDone) }
func (u *gatedUnit) Nak() error                             { return u.acknowledge(ackBack) }
func (u *gatedUnit) NakWithDelay(delay time.Duration) error { return u.acknowledge(backIn(delay)) }
func (u *gatedUnit) InProgress() error                      { return u.acknowledge(ackProgress) }
func (u *gatedUnit) Term() error                            { return u.acknowledge(ackRefused) }
func (u *gatedUnit) TermWithReason(string) error            { return u.Term() }

// DoubleAck implements [jetstream.Msg].
func (u *gatedUnit) DoubleAck(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	m, err := u.nc.RequestWithContext(ctx, u.Reply(), ackDone)
	if err == nil && m.Header.Get("Status") != "" {
		err = errLostLease
	}
	return err
}

// errLostLease is the error for the acknowledgement of a unit that was given to another worker.
var errLostLease = errors.New("the lease has ended")

// backIn returns the acknowledgement that hands a unit back, to be given out again after a delay.
func backIn(delay time.Duration) []byte {
	return fmt.Appendf(nil, "%s {\"delay\": %d}", ackBack, delay.Nanoseconds())
}
