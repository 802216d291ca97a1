//go:build !js && !plan9

package farm

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"pillbox/scene"
)

// order is the message that a unit is in the queue as.
type order struct {
	task
	Not   string `json:"not,omitempty"` // the worker that must not render it
	Audit bool   `json:"audit,omitempty"`
	Group string `json:"group"`
}

// report is the message about a unit that went wrong.
type report struct {
	Worker string `json:"worker"`
	Error  string `json:"error"`
	Final  bool   `json:"final,omitempty"` // nobody tries again
}

const (
	// maxDeliveries is how often a unit is tried before it is taken for one that kills workers.
	maxDeliveries = 5

	// maxUnitTime is how long a unit may take. They are cut to take seconds.
	maxUnitTime = time.Hour

	auditMark    = "audit-" // before the key of a unit that is rendered for comparison
	workerHeader = "Pillbox-Worker"
	sumHeader    = "Pillbox-Pixels"
)

// Worker renders units. Its fields must not change while it works.
type Worker struct {
	Farm  *Farm
	Name  string            // of the machine, for people
	Slots int               // units at once, each on a goroutine; zero means GOMAXPROCS
	Cache string            // folder for files of scenes; "" for none
	Log   func(text string) // gets a line about what goes wrong, if not nil

	damage func(key string, result []byte) ([]byte, error) // for tests: what becomes of a result before it is sent

	id     string
	worlds *worlds
	acks   sync.WaitGroup // that are on their way

	mu      sync.Mutex
	running map[string]string // jobs, by the keys of the units
	units   int               // done
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
	w.id = w.Name + "-" + strings.ToLower(rand.Text()[:8])
	w.worlds = newWorlds(w.load, w.Slots)
	w.running, w.started = make(map[string]string), time.Now()
	ping, err := w.Farm.nc.Subscribe(pingSubject, func(m *nats.Msg) { _ = m.Respond(marshal(w.state())) })
	if err != nil {
		return err
	}
	defer ping.Unsubscribe()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	banned, err := w.Farm.jobs.Watch(ctx, "banned."+w.id)
	if err != nil {
		return err
	}
	defer banned.Stop()
	var wg sync.WaitGroup
	wg.Go(func() {
		for entry := range banned.Updates() {
			if entry != nil {
				cancel(fmt.Errorf("this worker's pixels were wrong: %s", entry.Value()))
			}
		}
	})
	for range w.Slots {
		wg.Go(func() { w.slot(ctx) })
	}
	<-ctx.Done()
	banned.Stop()
	wg.Wait()
	w.acks.Wait()
	return context.Cause(ctx)
}

// slot renders one unit after the other.
func (w *Worker) slot(ctx context.Context) {
	for ctx.Err() == nil {
		msg, err := w.next(ctx)
		switch {
		case err == nil && ctx.Err() != nil:
			_ = msg.Nak()
		case err == nil:
			w.take(ctx, msg)
		case !errors.Is(err, nats.ErrTimeout) && !errors.Is(err, jetstream.ErrNoMessages):
			pause(ctx, time.Second)
		}
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
	o, err := readOrder(msg.Data(), name, w.Farm.maxUnit())
	if err != nil {
		w.report(ctx, job, name, err, final)
		_ = msg.Term()
		return
	}
	key := o.key()
	switch {
	case o.Not == w.id:
		_ = msg.NakWithDelay(time.Second)
		return
	case meta.NumDelivered > maxDeliveries && !o.Audit:
		w.report(ctx, job, key, fmt.Errorf("given up after %d times", maxDeliveries), final)
		_ = msg.Term()
		return
	case meta.NumDelivered > 1 && !o.Audit && w.Farm.has(ctx, o.Group, key):
		_ = msg.Ack()
		return
	}
	stop := w.hold(msg, job, key)
	err = w.render(ctx, o, job, key)
	stop(o)
	switch {
	case err == nil:
		w.acks.Go(func() { w.confirm(ctx, msg, key) }) // the next unit need not wait for that
	case ctx.Err() != nil:
		_ = msg.Nak()
	default:
		w.report(ctx, job, key, err, "")
		_ = msg.NakWithDelay(min(w.Farm.lease/4, time.Duration(meta.NumDelivered)*time.Second))
	}
}

// confirm takes a unit from the queue whose result is stored, also when the worker is about to end.
func (w *Worker) confirm(ctx context.Context, msg jetstream.Msg, key string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := msg.DoubleAck(ctx); err != nil {
		w.log("unit %.12s...: its result is stored, but the queue does not know: %v", key, err)
	}
}

// subjectParts returns the job of a task's subject, and the key, or what an audit has there.
func subjectParts(subject string) (job, name string, ok bool) {
	parts := strings.Split(subject, ".")
	if len(parts) != 4 {
		return "", "", false
	}
	return parts[2], parts[3], isID(parts[2]) && isHash(strings.TrimPrefix(parts[3], auditMark))
}

// readOrder returns what a message orders, which may be anything, and must be what its name says.
func readOrder(data []byte, name string, maxUnit int) (*order, error) {
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
	if o.Audit {
		want = auditMark + want
	}
	switch {
	case o.Format != Format:
		return nil, fmt.Errorf("the task has format %d, and this worker format %d", o.Format, Format)
	case !isHash(o.Scene) || !isID(o.Group) || sizeOf(o.Region) > maxUnit:
		return nil, errors.New("the task is none")
	case o.Time != nil && (math.IsNaN(*o.Time) || math.IsInf(*o.Time, 0)):
		return nil, fmt.Errorf("the time %v", *o.Time)
	case name != want:
		return nil, errors.New("the task has the name of another")
	}
	return o, nil
}

// hold keeps a unit for this worker until the function that it returns is called.
func (w *Worker) hold(msg jetstream.Msg, job, key string) func(*order) {
	began := time.Now()
	w.mu.Lock()
	w.running[key] = job
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
	return func(o *order) {
		close(done)
		beat.Wait()
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.running, key)
		w.units++
		w.pixels += sizeOf(o.Region)
		w.busy += time.Since(began)
	}
}

// render renders a unit and stores its result: that of an audit is the hash alone.
func (w *Worker) render(ctx context.Context, o *order, job, key string) error {
	limited, cancel := context.WithTimeout(ctx, maxUnitTime)
	defer cancel()
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
	msg := nats.NewMsg(resultSubject(o.Group, key))
	msg.Header.Set(workerHeader, w.id)
	msg.Header.Set(sumHeader, fmt.Sprintf("%x", data[raysBytes:headBytes]))
	if msg.Data = data; o.Audit {
		msg.Subject, msg.Data = resultSubject(job, key), nil
	}
	return w.store(ctx, msg)
}

// store stores a result, unless there is one already, and tries for a while if the server cannot be reached.
func (w *Worker) store(ctx context.Context, msg *nats.Msg) error {
	const attempts = 12
	var err error
	for i := range attempts {
		try, cancel := context.WithTimeout(ctx, max(time.Second, min(w.Farm.lease, 5*time.Second)))
		_, err = w.Farm.js.PublishMsg(try, msg, jetstream.WithExpectLastSequencePerSubject(0), jetstream.WithRetryAttempts(0))
		cancel()
		if err == nil || isAlreadyThere(err) {
			return nil
		}
		if ctx.Err() != nil {
			return err
		}
		w.log("a result cannot be stored yet: %v", err)
		pause(ctx, min(time.Duration(i+1)*250*time.Millisecond, 5*time.Second))
	}
	return fmt.Errorf("the result cannot be stored: %w", err)
}

func resultSubject(group, key string) string { return "pillbox.result." + group + "." + key }

// has reports whether there is a result.
func (f *Farm) has(ctx context.Context, group, key string) bool {
	_, err := f.results.GetLastMsgForSubject(ctx, resultSubject(group, key))
	return err == nil
}

// final says that a unit is given up.
const final = "final"

// report tells the coordinator what went wrong with a unit.
func (w *Worker) report(ctx context.Context, job, key string, err error, how string) {
	w.log("unit %.12s...: %v", key, err)
	text := err.Error()
	r := report{Worker: w.id, Error: text[:min(len(text), maxReport/4)], Final: how == final}
	_, _ = w.Farm.js.Publish(ctx, "pillbox.report."+job+"."+key, marshal(r)) // if it is lost, the unit comes again
}

func (w *Worker) log(format string, args ...any) {
	if w.Log != nil {
		w.Log(fmt.Sprintf(format, args...))
	}
}

// load returns a scene by its source's hash, from the cache or the server.
func (w *Worker) load(ctx context.Context, hash string) (*scene.Scene, error) {
	data, err := w.file(ctx, hash)
	if err != nil {
		return nil, err
	}
	m, err := readManifest(data)
	if err != nil {
		return nil, err
	}
	files := make(map[string][]byte)
	size := int64(0)
	for _, hash := range m.hashes() {
		if files[hash], err = w.file(ctx, hash); err != nil {
			return nil, err
		}
		if size += int64(len(files[hash])); size > maxSource {
			return nil, fmt.Errorf("the scene's files have more than %d bytes", int64(maxSource))
		}
	}
	src := Source{Data: files[m.Scene], Files: make(map[string][]byte)}
	for name, hash := range m.Files {
		src.Files[name] = files[hash]
	}
	return src.Scene("scene")
}

// maxSource is how many bytes the files of a scene may have together.
const maxSource = 4 << 30

// file returns a file by its hash.
func (w *Worker) file(ctx context.Context, hash string) ([]byte, error) {
	if w.Cache == "" {
		return w.Farm.get(ctx, hash)
	}
	name := filepath.Join(w.Cache, hash) // a hash is fit for that, see isHash
	if data, err := os.ReadFile(name); err == nil && hashOf(data) == hash {
		return data, nil
	}
	data, err := w.Farm.get(ctx, hash)
	if err != nil {
		return nil, err
	}
	w.keep(name, data)
	return data, nil
}

// keep writes a file of the cache, whole or not at all. What cannot be written is not kept.
func (w *Worker) keep(name string, data []byte) {
	temp, err := os.CreateTemp(w.Cache, "tmp-")
	if err != nil {
		w.log("the cache cannot be written: %v", err)
		return
	}
	_, err = temp.Write(data)
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), name)
	}
	if err != nil {
		os.Remove(temp.Name())
		w.log("the cache cannot be written: %v", err)
	}
}

// next waits a while for a unit.
func (w *Worker) next(ctx context.Context) (jetstream.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	return w.Farm.workers.Next(jetstream.FetchContext(ctx))
}
