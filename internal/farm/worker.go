//go:build !js && !plan9

package farm

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"pillbox/internal/parallel"
	"pillbox/internal/text"
)

// order is a message in the queue: a worker that takes it renders the unit.
type order struct {
	task
	Group string `json:"group"`
	Audit string `json:"audit,omitempty"` // for an audit: the worker that rendered the stored result, so another worker must render the unit; otherwise ""

	Tried  []string `json:"tried,omitempty"`  // workers that have tried the unit in this round; another worker must render it
	Second bool     `json:"second,omitempty"` // the order is for a second worker, because the first one is slow
}

// news is a message about a unit. A worker sends it for two reasons: to report its attempt at the unit, or to report
// the hash of pixels that it rendered for comparison. The coordinator sends it to clear the list of workers that have
// tried the unit, and for each line of a job's log.
type news struct {
	Worker string `json:"worker"`
	Sum    string `json:"sum,omitempty"`
	Error  string `json:"error,omitempty"`
	Final  bool   `json:"final,omitempty"` // the unit is no longer in the queue

	Tried []string `json:"tried,omitempty"` // workers that have tried the unit in this round
	Back  bool     `json:"back,omitempty"`  // the worker has handed the unit back
}

const (
	// maxErrors is the number of errors of workers that the coordinator keeps for a unit. It is also the number of
	// results of a unit that may be lost before the unit fails.
	maxErrors = 10

	// maxUnitTime is the longest time that a worker renders a unit before it gives up. It is the limit for the first
	// unit of a job; for later units, see [Worker.limit].
	maxUnitTime = time.Hour

	auditMark    = "audit-" // prefix of the key, in the queue, for an audit
	workerHeader = "Pillbox-Worker"
	sumHeader    = "Pillbox-Pixels"

	rendererHeader = "Pillbox-Renderer"
)

// Worker renders units of a farm's jobs. Its fields must not change while Run is running.
type Worker struct {
	Farm  *Farm
	Name  string            // of the machine; part of the worker's name
	Slots int               // number of units rendered at the same time, each by one goroutine; 0 means GOMAXPROCS
	Cache Cache             // for files of scenes
	Log   func(text string) // called with a line about each problem; may be nil

	damage func(key string, result []byte) ([]byte, error) // for tests: changes a result before it is sent

	id     string
	leave  context.CancelCauseFunc // makes Run return
	last   context.Context         // for the last messages, see farewell
	scenes *sceneCache
	queue  *queue
	acks   sync.WaitGroup // running calls of confirm

	mu      sync.Mutex
	running map[string]running // by the keys of the units
	units   int                // number of units that it has finished, failed at or handed back
	pixels  int
	busy    time.Duration
	slowest map[string]time.Duration // longest time that a unit took, by job
	started time.Time
}

// Run renders units until ctx ends, the farm excludes the worker, the farm gets another identity or the connection is
// closed. It hands unfinished units back to the queue. It returns the reason, or the error that has kept it from starting.
func (w *Worker) Run(ctx context.Context) error {
	if err := checkProbe(ctx); err != nil {
		return err
	}
	w.Slots = parallel.Workers(w.Slots)
	host := nameOf(w.Name)
	w.id = host[:min(len(host), maxName/2)] + "-" + strings.ToLower(rand.Text()[:8])
	w.scenes = newSceneCache(w.load, w.Slots)
	w.slowest = make(map[string]time.Duration)
	w.running, w.started = make(map[string]running), time.Now()
	ping, err := w.Farm.nc.Subscribe(pingSubject, func(m *nats.Msg) { _ = m.Respond(marshal(w.state())) })
	if err != nil {
		return err
	}
	defer ping.Unsubscribe()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(w.Farm.alive, func() { cancel(context.Cause(w.Farm.alive)) })()
	w.leave = cancel
	last, done := w.Farm.farewell(ctx, farewellTime)
	defer done()
	w.last = last
	if w.queue, err = newQueue(ctx, w.Farm); err != nil {
		return err
	}
	var wg sync.WaitGroup
	wg.Go(func() { w.Farm.watch(ctx, w.obey, bannedKey(w.id), versionKey) })
	wg.Go(func() { w.watchServer(ctx) })
	for range w.Slots {
		wg.Go(func() { w.slot(ctx) })
	}
	<-ctx.Done()
	wg.Wait()
	w.acks.Wait()
	_ = w.flush(last)
	return context.Cause(ctx)
}

// flush waits until the server has received the messages that hand units back, at most farewellTime.
func (w *Worker) flush(last context.Context) error {
	limited, cancel := context.WithTimeout(last, farewellTime) // FlushWithContext refuses a context without a deadline
	defer cancel()
	return w.Farm.nc.FlushWithContext(limited)
}

// obey ends the worker if an entry of the jobs bucket excludes it, or contains another identity of the farm.
func (w *Worker) obey(e keyValue) {
	switch {
	case e.deleted:
	case e.key != versionKey:
		w.leave(fmt.Errorf("the farm excludes this worker: %s", text.Escape(string(e.value))))
	default:
		if err := w.Farm.compareIdentity(e.value); err != nil {
			w.leave(err)
		}
	}
}

// watchServer checks, until ctx ends, that the server still has the list of jobs. If the server has lost it, the worker
// creates an empty one, which the coordinators fill again.
func (w *Worker) watchServer(ctx context.Context) {
	var trouble reminder
	say := func(text string) { w.log("%s", text) }
	born := w.Farm.born["KV_"+jobsBucket]
	for ; ctx.Err() == nil; pause(ctx, min(checkTime, w.Farm.lease)) {
		if !w.Farm.nc.IsConnected() {
			continue // see watchConnection
		}
		now, err := w.jobsBorn(ctx)
		var other *otherIdentity
		switch {
		case ctx.Err() != nil:
		case errors.As(err, &other):
			w.leave(err)
		case err != nil:
			trouble.remind(say, "the server cannot serve the farm: %s; trying again", escape(err))
		case !now.Equal(born):
			w.log("the server has lost the list of jobs; reading the new one")
			born = now
			w.queue.renew()
		default:
			trouble.over(say, "the server serves the farm again")
		}
	}
}

// jobsBorn returns when the jobs bucket was created. If it does not exist, jobsBorn first creates the missing streams of
// the farm.
func (w *Worker) jobsBorn(ctx context.Context) (time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	if born, err := w.Farm.jobsBorn(ctx); err == nil {
		return born, nil
	}
	born, err := w.Farm.renew(ctx)
	return born["KV_"+jobsBucket], err
}

// jobsBorn returns when the jobs bucket was created.
func (f *Farm) jobsBorn(ctx context.Context) (time.Time, error) {
	status, err := f.jobs.Status(ctx)
	if err != nil {
		return time.Time{}, err
	}
	return status.(*jetstream.KeyValueBucketStatus).StreamInfo().Created, nil
}

const maxName = 100 // bytes

// nameOf returns the name of a worker from any text, cut to maxName bytes. A hyphen replaces each character that is not
// an ASCII letter, an ASCII digit or an underscore. The name for "" is "nameless".
func nameOf(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_') {
			return r
		}
		return '-'
	}, s[:min(len(s), maxName)])
	return cmp.Or(s, "nameless")
}

// slot renders one unit after another until ctx ends.
func (w *Worker) slot(ctx context.Context) {
	for {
		msg, done, err := w.queue.next(ctx)
		if err != nil {
			return
		}
		w.take(ctx, msg)
		done()
	}
}

// pause waits for the given time, or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// take renders the unit of a message, and removes it from the queue when its result is stored. If it cannot render the
// unit, it hands the unit back, or removes an invalid message.
func (w *Worker) take(ctx context.Context, msg jetstream.Msg) {
	meta, err := msg.Metadata()
	job, name, ok := subjectParts(msg.Subject())
	if err != nil || !ok {
		_ = msg.Term()
		return
	}
	o, err := readOrder(msg.Data(), name, w.Farm.maxUnit(), w.Farm.renderer)
	again := meta.NumDelivered
	delay := min(w.Farm.lease/4, time.Duration(again)*time.Second)
	key := unitOf(name)
	var other *otherRenderer
	switch {
	case errors.As(err, &other) && w.Farm.checkIdentity(ctx) != nil:
		_ = msg.NakWithDelay(delay) // the farm has another identity now, so this worker is about to end
		return
	case err != nil:
		_ = w.report(ctx, job, key, news{Error: err.Error(), Final: true, Back: true, Tried: []string{w.id}})
		_ = msg.Term()
		return
	case o.Audit == w.id:
		_ = msg.NakWithDelay(delay)
		return
	case o.Audit == "" && (again > 1 || o.Second) && w.Farm.has(ctx, o.Group, key):
		_ = msg.Ack()
		return
	case o.Second && slices.Contains(o.Tried, w.id):
		_ = msg.NakWithDelay(delay)
		return
	}
	tried := o.Tried
	if o.Audit == "" && !o.Second && again > 1 {
		tried = w.Farm.tried(ctx, job, key, o)
	}
	if slices.Contains(tried, w.id) || len(tried) >= maxTries {
		_ = w.report(ctx, job, key, news{Tried: tried, Back: true})
		_ = msg.NakWithDelay(delay)
		return
	}
	if again > 1 && !o.Second {
		_ = w.report(ctx, job, key, news{Tried: with(tried, w.id)}) // in advance, in case the unit crashes this worker
	}
	stop := w.renewLease(msg, job, key)
	err = w.render(ctx, o, job, key)
	stop(sizeOf(o.Region))
	switch {
	case err == nil:
		w.acks.Go(func() { w.confirm(msg, key) }) // in the background, so that the slot can take the next unit
	case ctx.Err() != nil:
		w.handBack(msg, job, key, tried, again > 1 && !o.Second)
	case isOutage(err) || o.Second:
		w.log("unit %.12s...: %v", key, err)
		_ = msg.NakWithDelay(delay)
	default:
		_ = w.report(ctx, job, key, news{Error: err.Error(), Tried: with(tried, w.id), Back: true})
		_ = msg.NakWithDelay(delay)
	}
}

// handBack returns a unit to the queue because this worker ends. Ending does not count as a failed attempt. If
// announced is true, the worker has already reported its attempt, and handBack withdraws the report.
func (w *Worker) handBack(msg jetstream.Msg, job, key string, tried []string, announced bool) {
	if announced {
		_ = w.report(w.last, job, key, news{Tried: tried, Back: true})
	}
	_ = msg.Nak()
}

// confirm removes a unit from the queue after its result was stored. It does so even if the worker ends.
func (w *Worker) confirm(msg jetstream.Msg, key string) {
	if err := msg.DoubleAck(w.last); err != nil && !errors.Is(err, nats.ErrNoResponders) && !errors.Is(err, errLostLease) { // no responders: the job is done or canceled
		w.log("unit %.12s...: its result is stored, but the queue does not know: %v", key, err)
	}
}

// subjectParts returns the job and the name of a unit from its subject in the queue. The name is the key, which may have a
// prefix.
func subjectParts(subject string) (job, name string, ok bool) {
	parts := strings.Split(subject, ".")
	if len(parts) != 4 {
		return "", "", false
	}
	return parts[2], parts[3], isID(parts[2]) && isHash(unitOf(parts[3]))
}

// readOrder reads and checks an order. The data can contain any bytes, and the order must be for the unit with the given
// name.
func readOrder(data []byte, name string, maxUnit int, renderer string) (*order, error) {
	o := new(order)
	if len(data) > maxTask {
		return nil, errors.New("the task is too long")
	}
	if err := unmarshal(data, o); err != nil {
		return nil, err
	}
	if err := o.validate(); err != nil {
		return nil, err
	}
	want := o.key()
	switch {
	case o.Audit != "":
		want = auditMark + want
	case o.Second:
		want = secondMark + want
	}
	switch {
	case o.Format != Format:
		return nil, fmt.Errorf("the task has format %d, and this worker format %d", o.Format, Format)
	case o.Renderer != renderer:
		return nil, &otherRenderer{what: "the task", its: o.Renderer, own: renderer}
	case !isHash(o.Scene) || !isID(o.Group) || sizeOf(o.Region) > maxUnit:
		return nil, errors.New("the task is none")
	case name != want:
		return nil, errors.New("the task has the name of another")
	}
	return o, nil
}

// render renders a unit and stores its result. For an audit, or if the server has a result already, it reports the hash
// of the pixels instead.
func (w *Worker) render(ctx context.Context, o *order, job, key string) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("the renderer panics: %v", v) // the worker goes on with other units
		}
	}()
	limit := w.limit(job)
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	began := time.Now()
	film, err := w.scenes.render(limited, o.task, 1)
	if limited.Err() != nil && ctx.Err() == nil {
		return fmt.Errorf("not rendered after %v, much longer than other units take", limit)
	}
	if err != nil {
		return err
	}
	w.took(job, time.Since(began))
	data := encode(film)
	if w.damage != nil {
		if data, err = w.damage(key, data); err != nil {
			return err
		}
	}
	if o.Audit != "" {
		return w.report(ctx, job, key, news{Sum: sumOf(data)})
	}
	msg := w.Farm.resultMessage(o.Group, key, w.id, data)
	msg.Header.Set(secondsHeader, strconv.FormatFloat(time.Since(began).Seconds(), 'g', 4, 64))
	first, err := w.store(ctx, msg)
	if err == nil && !first {
		return w.report(ctx, job, key, news{Sum: sumOf(data)}) // the coordinator compares it if it doubts the first one
	}
	return err
}

// store stores a result. It returns false if the server already has a result of the unit. If the server does not answer,
// store tries again for about 20 seconds or longer.
func (w *Worker) store(ctx context.Context, msg *nats.Msg) (first bool, err error) {
	const attempts = 12
	for i := range attempts {
		try, cancel := context.WithTimeout(ctx, max(time.Second, min(w.Farm.lease, 5*time.Second)))
		_, err = w.Farm.js.PublishMsg(try, msg, jetstream.WithRetryAttempts(0))
		cancel()
		if err == nil || isAlreadyThere(err) {
			return err == nil, nil
		}
		if ctx.Err() != nil {
			return false, err
		}
		w.log("a result cannot be stored yet: %v", err)
		pause(ctx, min(time.Duration(i+1)*250*time.Millisecond, 5*time.Second))
	}
	return false, fmt.Errorf("the result cannot be stored: %w", err)
}

// resultMessage returns the message with which a result is stored.
func (f *Farm) resultMessage(group, key, worker string, data []byte) *nats.Msg {
	msg := nats.NewMsg(resultSubject(group, key))
	msg.Header.Set(workerHeader, worker)
	msg.Header.Set(sumHeader, sumOf(data))
	msg.Header.Set(rendererHeader, f.renderer)
	msg.Data = data
	return msg
}

func resultSubject(group, key string) string { return "pillbox.result." + group + "." + key }

// has reports whether the server has a result of a unit. It returns false if the server does not answer.
func (f *Farm) has(ctx context.Context, group, key string) bool {
	_, err := f.results.GetLastMsgForSubject(ctx, resultSubject(group, key))
	return err == nil
}

// report sends news about a unit to the coordinator. It also logs the error in n, if there is one.
func (w *Worker) report(ctx context.Context, job, key string, n news) error {
	if n.Error != "" {
		w.log("unit %.12s...: %s", key, n.Error)
	}
	return w.Farm.tell(ctx, job, key, newNews(w.id, n))
}

// cut returns the longest beginning of s that has at most n bytes and ends with a whole character.
func cut(s string, n int) string {
	for n = min(n, len(s)); n < len(s) && n > 0 && !utf8.RuneStart(s[n]); n-- {
	}
	return s[:n]
}

// newNews returns n with the worker's name. It cuts the error, so that the message is not too long.
func newNews(worker string, n news) news {
	n.Worker, n.Error = worker, cut(n.Error, maxNews/8) // JSON may take six bytes for one
	return n
}

func (w *Worker) log(format string, args ...any) {
	if w.Log != nil {
		w.Log(fmt.Sprintf(format, args...))
	}
}
