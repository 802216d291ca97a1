//go:build !js && !plan9

package farm

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"pillbox/internal/text"
)

// order is the message in the queue for a unit.
type order struct {
	task
	Group string `json:"group"`
	Audit string `json:"audit,omitempty"` // the worker whose result is to be compared: another one renders it

	Tried  []string `json:"tried,omitempty"`  // workers that have failed at it: others render it
	Second bool     `json:"second,omitempty"` // another worker still has it
}

// news is what a worker says of a unit: what went wrong, or the hash of its pixels if that is an audit.
type news struct {
	Worker string `json:"worker"`
	Sum    string `json:"sum,omitempty"`
	Error  string `json:"error,omitempty"`
	Final  bool   `json:"final,omitempty"` // the unit is not in the queue any more

	Tried []string `json:"tried,omitempty"` // all workers that have tried it, except for those that handed it back
	Back  bool     `json:"back,omitempty"`  // the worker does not have it now
}

const (
	// maxErrors is how many errors of a unit are kept, and how often its result may vanish.
	maxErrors = 10

	// maxUnitTime is how long a unit may take. They are cut to take seconds.
	maxUnitTime = time.Hour

	auditMark    = "audit-" // before the key of a unit that is rendered for comparison
	workerHeader = "Pillbox-Worker"
	sumHeader    = "Pillbox-Pixels"

	rendererHeader = "Pillbox-Renderer"
)

// Worker renders units. Its fields must not change while it works.
type Worker struct {
	Farm  *Farm
	Name  string            // of the machine, for people
	Slots int               // units at once, each on a goroutine; zero means GOMAXPROCS
	Cache Cache             // of files of scenes
	Log   func(text string) // gets a line about what goes wrong, if not nil

	damage func(key string, result []byte) ([]byte, error) // for tests: what becomes of a result before it is sent

	id     string
	leave  context.CancelCauseFunc // ends Run
	worlds *worlds
	queue  *queue
	acks   sync.WaitGroup // that are on their way

	mu      sync.Mutex
	running map[string]running // by the keys of the units
	units   int                // done
	pixels  int
	busy    time.Duration
	started time.Time
}

// Run works until ctx ends, and returns its error, or what keeps this machine from taking part. Units that
// are under way then go back to the queue.
func (w *Worker) Run(ctx context.Context) error {
	if err := checkProbe(ctx); err != nil {
		return err
	}
	w.Slots = cmp.Or(w.Slots, runtime.GOMAXPROCS(0))
	host := nameOf(w.Name)
	w.id = host[:min(len(host), maxName/2)] + "-" + strings.ToLower(rand.Text()[:8])
	w.worlds = newWorlds(w.load, w.Slots)
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
	orders, err := w.Farm.jobs.WatchFiltered(ctx, []string{bannedKey(w.id), versionKey})
	if err != nil {
		return err
	}
	defer orders.Stop()
	if w.queue, err = newQueue(ctx, w.Farm, w.Slots); err != nil {
		return err
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for entry := range orders.Updates() {
			w.obey(entry)
		}
	})
	wg.Go(func() { w.watchServer(ctx) })
	for range w.Slots {
		wg.Go(func() { w.slot(ctx) })
	}
	<-ctx.Done()
	orders.Stop()
	wg.Wait()
	w.queue.close()
	w.acks.Wait()
	_ = w.Farm.nc.FlushTimeout(5 * time.Second) // what was handed back
	return context.Cause(ctx)
}

// obey ends the worker if the farm excludes it, or has another renderer now. The entry may be nil.
func (w *Worker) obey(entry jetstream.KeyValueEntry) {
	switch {
	case entry == nil || entry.Operation() != jetstream.KeyValuePut:
	case entry.Key() != versionKey:
		w.leave(fmt.Errorf("the farm excludes this worker: %s", text.Escape(string(entry.Value()))))
	default:
		if err := w.Farm.compareIdentity(entry.Value()); err != nil {
			w.leave(err)
		}
	}
}

// watchServer looks from time to time whether the server still has the farm, until ctx ends. What it has lost, it does not
// report.
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
			if entry, err := w.Farm.jobs.Get(ctx, versionKey); err == nil {
				w.obey(entry)
			}
		default:
			trouble.over(say, "the server serves the farm again")
		}
	}
}

// jobsBorn returns when the jobs bucket was made. If there is none, it sets up what the server lacks of the farm.
func (w *Worker) jobsBorn(ctx context.Context) (time.Time, error) {
	short, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if status, err := w.Farm.jobs.Status(short); err == nil {
		if bucket, ok := status.(*jetstream.KeyValueBucketStatus); ok {
			return bucket.StreamInfo().Created, nil
		}
	}
	born, err := w.Farm.renew(ctx)
	return born["KV_"+jobsBucket], err
}

const maxName = 100 // bytes

// nameOf returns the name of a worker, which may be anything, with what may not be in one replaced.
func nameOf(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_') {
			return r
		}
		return '-'
	}, s[:min(len(s), maxName)])
	return cmp.Or(s, "nameless")
}

// slot renders one unit after the other.
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

// pause waits, at most until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// take renders the unit of a message, and takes it from the queue when its result is stored.
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
		_ = msg.NakWithDelay(delay) // the farm has another renderer now, and this worker ends
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
		_ = w.report(ctx, job, key, news{Tried: with(tried, w.id)}) // in case that it takes this worker down
	}
	stop := w.renewLease(msg, job, key)
	err = w.render(ctx, o, job, key)
	stop(sizeOf(o.Region))
	switch {
	case err == nil:
		w.acks.Go(func() { w.confirm(ctx, msg, key) }) // the next unit need not wait for that
	case ctx.Err() != nil:
		w.handBack(ctx, msg, job, key, tried, again > 1 && !o.Second)
	case isOutage(err) || o.Second:
		w.log("unit %.12s...: %v", key, err)
		_ = msg.NakWithDelay(delay)
	default:
		_ = w.report(ctx, job, key, news{Error: err.Error(), Tried: with(tried, w.id), Back: true})
		_ = msg.NakWithDelay(delay)
	}
}

// handBack gives a unit to another worker, because this one ends. That is no try.
func (w *Worker) handBack(ctx context.Context, msg jetstream.Msg, job, key string, tried []string, announced bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if announced {
		_ = w.report(ctx, job, key, news{Tried: tried, Back: true})
	}
	_ = msg.Nak()
}

// confirm takes a unit from the queue whose result is stored, also when the worker is about to end.
func (w *Worker) confirm(ctx context.Context, msg jetstream.Msg, key string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := msg.DoubleAck(ctx); err != nil && !errors.Is(err, nats.ErrNoResponders) { // else the job is done or canceled
		w.log("unit %.12s...: its result is stored, but the queue does not know: %v", key, err)
	}
}

// subjectParts returns the job of a task's subject, and the key, or what an audit has there.
func subjectParts(subject string) (job, name string, ok bool) {
	parts := strings.Split(subject, ".")
	if len(parts) != 4 {
		return "", "", false
	}
	return parts[2], parts[3], isID(parts[2]) && isHash(unitOf(parts[3]))
}

// readOrder returns what a message orders, which may be anything, and must be what its name says.
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

// renewLease renews the lease of a unit, so that no other worker gets it, until the returned function is called.
func (w *Worker) renewLease(msg jetstream.Msg, job, key string) (stop func(pixels int)) {
	began := time.Now()
	w.mu.Lock()
	w.running[key] = running{job, began}
	w.mu.Unlock()
	done := make(chan struct{})
	var beat sync.WaitGroup
	beat.Go(func() {
		tick := time.NewTicker(w.Farm.lease / 3)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = msg.InProgress()
			case <-done:
				return
			}
		}
	})
	return func(pixels int) {
		close(done)
		beat.Wait()
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.running, key)
		w.units++
		w.pixels += pixels
		w.busy += time.Since(began)
	}
}

// render renders a unit and stores its result: of an audit, it tells the hash alone.
func (w *Worker) render(ctx context.Context, o *order, job, key string) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("the renderer panics: %v", v) // other units need not suffer
		}
	}()
	limited, cancel := context.WithTimeout(ctx, maxUnitTime)
	defer cancel()
	began := time.Now()
	film, err := w.worlds.render(limited, o.task, 1)
	if err != nil {
		return err
	}
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
		return w.report(ctx, job, key, news{Sum: sumOf(data)}) // it is compared with the first if that is audited
	}
	return err
}

// store stores a result and returns true, unless there is one already. It tries for a while if the server cannot be reached.
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

// resultMessage returns the message that a result is stored as.
func (f *Farm) resultMessage(group, key, worker string, data []byte) *nats.Msg {
	msg := nats.NewMsg(resultSubject(group, key))
	msg.Header.Set(workerHeader, worker)
	msg.Header.Set(sumHeader, sumOf(data))
	msg.Header.Set(rendererHeader, f.renderer)
	msg.Data = data
	return msg
}

func resultSubject(group, key string) string { return "pillbox.result." + group + "." + key }

// has reports whether there is a result.
func (f *Farm) has(ctx context.Context, group, key string) bool {
	_, err := f.results.GetLastMsgForSubject(ctx, resultSubject(group, key))
	return err == nil
}

// report tells the coordinator what it should know of a unit. If an error is lost, the unit comes again.
func (w *Worker) report(ctx context.Context, job, key string, n news) error {
	if n.Error != "" {
		w.log("unit %.12s...: %s", key, n.Error)
	}
	return w.Farm.tell(ctx, job, key, newNews(w.id, n))
}

// newNews returns n of a worker, short enough for a message.
func newNews(worker string, n news) news {
	n.Worker, n.Error = worker, n.Error[:min(len(n.Error), maxNews/8)] // JSON may take six bytes for one
	return n
}

func (w *Worker) log(format string, args ...any) {
	if w.Log != nil {
		w.Log(fmt.Sprintf(format, args...))
	}
}
