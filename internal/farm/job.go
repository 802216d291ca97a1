//go:build !js && !plan9

package farm

import (
	"cmp"
	"context"
	crand "crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"pillbox"
	"pillbox/internal/parallel"
	"pillbox/scene"
)

// JobOptions configure a job.
type JobOptions struct {
	Name  string            // of the scene, for listings and logs
	Audit float64           // fraction of the units, chosen at random, that a second worker renders, too, to compare the pixels
	Cell  image.Point       // size of a unit; zero: as in an earlier job with the same scene, size and antialiasing, or else chosen by a measurement
	Log   func(text string) // called with a line about each unusual event; may be nil

	Priority int    // MinPriority to MaxPriority; 0 means DefaultPriority
	Output   Output // description of the pictures, for [Job.WriteShard]
	Detached bool   // the farm keeps the job and its results after it is done, until [Job.Forget]

	window  int           // for tests: replaces maxWindow; 0: no change
	silence time.Duration // for tests: replaces usualSilence; 0: no change; negative: the job never reports what it waits for

	slowTime time.Duration // for tests: replaces usualSlowTime; 0: no change
}

// Job coordinates the rendering of a plan on a farm. Close must be called. If the job is not done then, workers go on with
// the units in the queue, and opening the same job again continues it. Safe for concurrent use.
type Job struct {
	ID string

	farm   *Farm
	plan   Plan
	output Output
	group  string // identifies results of the same scene, size, antialiasing and renderer; part of their subjects, and so shared by jobs
	opt    JobOptions
	born   map[string]time.Time // like Farm.born, updated by check; only watchHealth and the functions that it calls use it
	source *Source              // nil if the job was attached to
	worlds *worlds              // for the units that the coordinator renders itself
	share  float64              // of the units of a submitted job: those that the coordinator audits
	keep   bool                 // as JobOptions.Detached
	stop   context.CancelCauseFunc
	ctx    context.Context
	paused atomic.Bool
	tasks  sync.WaitGroup

	mu      sync.Mutex
	changed chan struct{} // closed and replaced when one of the following fields changes
	byKey   map[string]*work
	shots   [][]*work // the units of each shot in the window; shots may share units
	fed     int       // number of units of the shots before next
	window
	open  int             // number of units in byKey that are neither done nor failed
	moved time.Time       // time of the last change or sweep
	bad   map[string]bool // workers that have reported wrong pixels
	blame
	progress time.Time // time of the last change
	began    time.Time
	slowest  float64         // longest time that a finished unit took, in seconds
	epoch    context.Context // ends when the server has lost data, or when the job ends
	endEpoch context.CancelFunc

	nudged chan struct{} // see nudge
}

// work is a unit with its state in the job.
type work struct {
	Unit
	key   string
	shots int  // number of shots in the window that contain it
	audit bool // its result must be compared with that of another worker
	state state
	stored
	attempts
	own     []byte    // result rendered by the coordinator, if the stored one was wrong
	second  bool      // it was given to a second worker
	fetched bool      // its result was read from the server and is part of a picture
	asked   time.Time // when a comparison was ordered; zero: not yet
	errors  []string  // why results of it were lost
}

// stored describes a result on the server.
type stored struct {
	worker string // that has rendered it, according to the message
	sum    string // hash of its pixels
	seq    uint64 // its sequence number in the stream of results
}

type state int

const (
	waiting state = iota // it has no result
	doubted              // it has a result that must be compared
	done
	failed
)

// ErrCanceled is the error for a job that was canceled.
var ErrCanceled = errors.New("the job was canceled")

// isID reports whether s has the form of the identifier of a job or a group: the first half of a hash.
func isID(s string) bool { return isHex(s, sha256.Size) }

func idOf(v any) string { return hashOf(marshal(v))[:sha256.Size] }

// Open starts or continues a job that renders shots of the scene sc, whose files are src. All shots must have the same
// size. Units whose results are on the server are not rendered again, even if another job rendered them; an audit may still
// compare them. If ctx ends after the farm has recorded the job, Open returns the job without an error, so that the caller
// can close or cancel it.
func (f *Farm) Open(ctx context.Context, src *Source, sc *scene.Scene, shots []Shot, opt JobOptions) (*Job, error) {
	if len(shots) == 0 {
		return nil, errors.New("want shots, got none")
	}
	if opt.Audit > 0 { // the coordinator decides which worker is wrong, so its own pixels must be right
		if err := checkProbe(ctx); err != nil {
			return nil, err
		}
	}
	share := opt.Audit
	if opt.Detached {
		opt.Audit = 0 // see [Farm.Coordinate]
	}
	plan := storedPlan{Plan{Renderer: f.renderer, Scene: src.Hash(), Shots: shots}, opt.Output}
	j := f.newJob(plan, opt, func(context.Context, string) (*scene.Scene, error) { return sc, nil })
	j.source, j.share = src, share
	var err error
	if j.plan.Cell, err = j.cell(ctx); err != nil {
		return nil, err
	}
	if err := j.cut(); err != nil {
		return nil, err
	}
	if err := f.putSource(ctx, src); err != nil {
		return nil, err
	}
	whole := context.WithoutCancel(ctx)
	if err := j.enlist(whole); err != nil {
		return nil, err
	}
	return j, j.begin(ctx)
}

// Attach continues a submitted job, which is specified as in [Farm.Find]. It uses opt.Audit and opt.Log and ignores other
// options. The error is [ErrCanceled] if the job was canceled. Attach refuses other jobs, because the command that renders
// them fetches their results.
func (f *Farm) Attach(ctx context.Context, job string, opt JobOptions) (*Job, error) {
	id, err := f.Find(ctx, job)
	if err != nil {
		return nil, err
	}
	record, err := f.record(ctx, id)
	if err != nil {
		return nil, err
	}
	if record.Canceled {
		return nil, fmt.Errorf("job %s: %w", id, ErrCanceled)
	}
	if !record.Detached {
		return nil, fmt.Errorf("job %s was not submitted: its results go to the command that renders it", id)
	}
	plan, err := f.plan(ctx, id, record)
	if err != nil {
		return nil, err
	}
	opt.Name = record.Name
	j := f.newJob(plan, opt, func(ctx context.Context, hash string) (*scene.Scene, error) { return loadScene(ctx, hash, f.get) })
	j.keep = true
	j.paused.Store(record.Paused)
	j.first = max(0, min(record.Finished, len(j.plan.Shots)))
	if err := j.cut(); err != nil {
		return nil, err
	}
	return j, j.begin(ctx)
}

// newJob returns a job for a plan. The job has no units before cut is called.
func (f *Farm) newJob(p storedPlan, opt JobOptions, load func(context.Context, string) (*scene.Scene, error)) *Job {
	j := &Job{farm: f, plan: p.Plan, output: p.Output, opt: opt, keep: opt.Detached, worlds: newWorlds(load, 1),
		changed: make(chan struct{}), byKey: make(map[string]*work), bad: make(map[string]bool), moved: time.Now(), progress: time.Now(), began: time.Now(), born: f.born,
		blame: newBlame(), nudged: make(chan struct{}, 1)}
	j.group = f.groupOf(&j.plan)
	return j
}

// groupOf returns the identifier under which the results of a plan are stored.
func (f *Farm) groupOf(p *Plan) string {
	return idOf([]any{Format, f.renderer, p.Scene, p.Shots[0].Size, p.Shots[0].Antialias})
}

// enlist stores the plan and the record of the job on the farm. A job that was submitted before stays detached.
func (j *Job) enlist(ctx context.Context) error {
	if err := j.farm.prune(ctx); err != nil {
		return err
	}
	hash, err := j.farm.putPlan(ctx, storedPlan{j.plan, j.output})
	if err != nil {
		return err
	}
	r := jobRecord{Name: j.opt.Name, Units: j.plan.count(), Fed: j.fed, Started: time.Now(), Plan: hash, Detached: j.keep,
		Priority: cmp.Or(j.opt.Priority, DefaultPriority), Audit: j.share}
	if before, err := j.farm.record(ctx, j.ID); err == nil && before.Detached && !before.Canceled {
		r.Detached, r.Started, j.keep = true, before.Started, true
	}
	_, err = j.farm.jobs.Put(ctx, jobKey(j.ID), marshal(r))
	return err
}

// begin starts to coordinate the job. If this fails, begin closes the job and returns the error; if ctx has ended, it
// returns nil instead.
func (j *Job) begin(ctx context.Context) error {
	j.ctx, j.stop = context.WithCancelCause(context.WithoutCancel(ctx))
	context.AfterFunc(j.farm.alive, func() { j.stop(context.Cause(j.farm.alive)) })
	j.epoch, j.endEpoch = context.WithCancel(j.ctx)
	if err := j.start(ctx); err != nil && ctx.Err() == nil {
		j.Close()
		return err
	}
	return nil
}

// start subscribes to the news and results of the job's units, and puts units without a result into the queue.
func (j *Job) start(ctx context.Context) error {
	if _, err := j.farm.makeConsumer(ctx, j.ID); err != nil {
		return err
	}
	watch, err := j.watchRecord(j.epoch)
	if err != nil {
		return err
	}
	j.tasks.Go(func() { j.followRecord(watch) })
	news := jetstream.OrderedConsumerConfig{FilterSubjects: []string{"pillbox.news." + j.ID + ".*"}, DeliverPolicy: jetstream.DeliverNewPolicy}
	if _, err := j.follow(newsStream, news, j.news); err != nil {
		return err
	}
	results := jetstream.OrderedConsumerConfig{FilterSubjects: []string{resultSubject(j.group, "*")}, HeadersOnly: true}
	ready, err := j.follow(resultsStream, results, j.result)
	if err != nil {
		return err
	}
	select {
	case <-ready:
	case <-time.After(j.farm.lease): // proceed without all results: a unit may be rendered twice, to identical pixels
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	j.tasks.Go(j.drive)
	j.tasks.Go(j.watchHealth)
	if !j.window.whole {
		j.tasks.Go(j.feed)
	}
	if !j.window.whole && j.keep {
		j.tasks.Go(j.retire)
	}
	return j.sweep(ctx)
}

// watchRecord starts to watch the record of the job.
func (j *Job) watchRecord(ctx context.Context) (jetstream.KeyWatcher, error) {
	return j.farm.jobs.Watch(ctx, jobKey(j.ID), jetstream.UpdatesOnly())
}

// followRecord ends the job when its record is canceled or deleted, and updates j.paused.
func (j *Job) followRecord(watch jetstream.KeyWatcher) {
	for {
		epoch := j.currentEpoch()
		for epoch.Err() == nil && watch != nil {
			select {
			case entry := <-watch.Updates():
				var r jobRecord
				switch {
				case entry == nil:
				case entry.Operation() == jetstream.KeyValueDelete: // by Purge
					j.stop(ErrCanceled)
				case unmarshal(entry.Value(), &r) == nil && r.Canceled:
					j.stop(ErrCanceled)
				default:
					j.paused.Store(r.Paused)
				}
			case <-epoch.Done():
			}
		}
		if watch != nil {
			_ = watch.Stop()
		}
		if j.ctx.Err() != nil {
			return
		}
		var err error
		if watch, err = j.watchRecord(j.currentEpoch()); err != nil {
			watch = nil
			pause(j.ctx, 250*time.Millisecond)
		}
	}
}

// follow calls take for every message of a stream until the job ends. If no message arrives for j.patience, it reads the
// stream again from the start, so take must accept messages that it has seen. The returned channel is closed when take has
// seen all existing messages.
func (j *Job) follow(stream string, config jetstream.OrderedConsumerConfig, take func(msg jetstream.Msg, seq uint64)) (<-chan struct{}, error) {
	consumer, messages, err := j.messages(stream, config)
	if err != nil {
		return nil, err
	}
	ready := make(chan struct{})
	caughtUp := sync.OnceFunc(func() { close(ready) })
	if consumer.CachedInfo().NumPending == 0 {
		caughtUp()
	}
	j.tasks.Go(func() {
		for {
			var meta *jetstream.MsgMetadata
			wait, cancel := context.WithTimeout(j.currentEpoch(), j.patience())
			msg, err := messages.Next(jetstream.NextContext(wait))
			cancel()
			if err == nil {
				meta, err = msg.Metadata()
			}
			if err == nil {
				take(msg, meta.Sequence.Stream)
				if meta.NumPending == 0 {
					caughtUp()
				}
				continue
			}
			// The server does not answer, or no message has arrived: a message can be lost when one server of a cluster
			// fails. So read the stream again.
			messages.Stop()
			for _, messages, err = j.messages(stream, config); err != nil; _, messages, err = j.messages(stream, config) {
				if pause(j.ctx, 250*time.Millisecond); j.ctx.Err() != nil {
					return
				}
			}
		}
	})
	return ready, nil
}

// messages starts to read a stream. Reading ends with the job.
func (j *Job) messages(stream string, config jetstream.OrderedConsumerConfig) (jetstream.Consumer, jetstream.MessagesContext, error) {
	consumer, err := j.farm.js.OrderedConsumer(j.ctx, stream, config)
	if err != nil {
		return nil, nil, err
	}
	messages, err := consumer.Messages()
	if err != nil {
		return nil, nil, err
	}
	context.AfterFunc(j.ctx, messages.Stop)
	return consumer, messages, nil
}

// patience is the time without news after which the job checks for lost messages and units.
func (j *Job) patience() time.Duration { return 3 * j.farm.lease }

// sweep puts all units without a result into the queue. The server refuses those that are in the queue already.
func (j *Job) sweep(ctx context.Context) error {
	j.mu.Lock()
	missing := slices.DeleteFunc(slices.Concat(j.shots...), func(w *work) bool { return w.state != waiting })
	j.mu.Unlock()
	for _, w := range missing {
		if err := j.enqueue(w, ""); err != nil {
			return err
		}
	}
	select {
	case <-j.farm.js.PublishAsyncComplete():
	case <-time.After(min(10*time.Second, 5*j.farm.lease)): // the next sweep repeats this
	case <-ctx.Done():
	}
	j.tell(j.farm.wake())
	return context.Cause(ctx)
}

// enqueue puts a unit into the queue. If audit is the name of a worker, another worker renders the unit to compare the
// pixels.
func (j *Job) enqueue(w *work, audit string) error {
	name := w.key
	if audit != "" {
		name = auditMark + name
	}
	j.mu.Lock()
	o := order{task: j.plan.task(w.Unit), Group: j.group, Audit: audit, Tried: w.tried}
	j.mu.Unlock()
	_, err := j.farm.js.PublishAsync(taskSubject(j.ID, name), marshal(o), jetstream.WithStallWait(30*time.Second))
	return err
}

// drive runs until the job ends: it calls sweep after a reconnection and when nothing has changed for j.patience, and it
// calls review and audit.
func (j *Job) drive() {
	connections := j.farm.nc.Stats().Reconnects
	tick := time.NewTicker(max(j.farm.lease/10, 50*time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-j.ctx.Done():
			return
		case <-tick.C:
		case <-j.nudged:
		}
		n := j.farm.nc.Stats().Reconnects
		j.mu.Lock()
		stuck := j.open > 0 && !j.paused.Load() && time.Since(j.moved) > j.patience()
		sweep := stuck || n != connections
		if connections = n; sweep {
			j.moved = time.Now()
		}
		var doubts []*work
		for _, w := range j.byKey {
			if w.state == doubted {
				doubts = append(doubts, w)
			}
		}
		j.mu.Unlock()
		if sweep {
			j.tell(j.sweep(j.ctx))
		}
		j.tell(j.review())
		for _, w := range doubts {
			j.tell(j.audit(w))
		}
	}
}

// result handles a message of the stream of results, of which only the headers were read.
func (j *Job) result(msg jetstream.Msg, seq uint64) {
	j.noteResult(keyOf(msg.Subject()), msg.Headers(), seq)
}

// noteResult handles the result of a unit that the server has stored with the given headers.
func (j *Job) noteResult(key string, h nats.Header, seq uint64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	w := j.byKey[key]
	if w == nil {
		j.remember(key, stored{nameOf(h.Get(workerHeader)), h.Get(sumHeader), seq})
		return
	}
	if w.own != nil || w.seq == seq && w.state != waiting && w.state != failed {
		return
	}
	if w.state == waiting || w.state == doubted { // the result that was doubted has been deleted
		j.open--
	}
	w.state, w.stored = done, stored{nameOf(h.Get(workerHeader)), h.Get(sumHeader), seq}
	if !isHash(w.sum) {
		w.sum = "" // no pixels have this hash
	}
	j.finished(w)
	j.timed(h.Get(secondsHeader))
	if w.audit || j.bad[w.worker] {
		j.doubt(w)
	}
	j.touch()
}

// doubt marks the result of a unit for comparison. The caller holds the lock.
func (j *Job) doubt(w *work) {
	w.state, w.asked = doubted, time.Time{}
	j.open++
}

// trust marks a unit as done with a right result. The caller holds the lock.
func (j *Job) trust(w *work) {
	if w.state == waiting || w.state == doubted {
		j.open--
	}
	w.state = done
	j.finished(w)
	j.touch()
}

// touch records that the state of the job has changed and wakes the goroutines that wait for that. The caller holds the
// lock.
func (j *Job) touch() {
	j.moved, j.progress = time.Now(), time.Now()
	close(j.changed)
	j.changed = make(chan struct{})
}

// keyOf returns the last element of a subject or of a key of the jobs bucket.
func keyOf(subject string) string { return subject[strings.LastIndexByte(subject, '.')+1:] }

// news handles a worker's message about a unit.
func (j *Job) news(msg jetstream.Msg, _ uint64) {
	var n news
	if len(msg.Data()) > maxNews || unmarshal(msg.Data(), &n) != nil {
		return
	}
	n.Worker = nameOf(n.Worker)
	j.mu.Lock()
	w := j.byKey[keyOf(msg.Subject())]
	if w == nil || w.state == done {
		j.mu.Unlock()
		return
	}
	if n.Sum != "" {
		unseen := w.state == waiting // and there is a result nevertheless, so it was dropped from seen
		j.mu.Unlock()
		if unseen {
			j.readResult(j.ctx, w.key)
		}
		j.tell(j.compare(w, n.Worker, n.Sum))
		return
	}
	defer j.mu.Unlock()
	j.heard(w, n)
}

// Wait waits until every unit is done or failed, and compared if it is audited. If the job was not submitted and has more
// units than fit into the window, Wait waits only for those in the window; [Job.Picture] removes units from it.
func (j *Job) Wait(ctx context.Context) error { return j.until(ctx, j.isSettled) }

// until waits until is returns true. It calls is with the lock held.
func (j *Job) until(ctx context.Context, is func() bool) error {
	for {
		j.mu.Lock()
		ok, changed := is(), j.changed
		j.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-j.ctx.Done():
			return context.Cause(j.ctx)
		}
	}
}

// fetchesAtOnce is the number of results that are fetched from, or deleted on, the server at the same time.
const fetchesAtOnce = 16

// Picture waits for the units of a shot and returns its film. It uses opt.Progress and opt.Rows and ignores other options.
// If some units cannot be rendered, Picture waits for all others, and the error lists the failed units with the reasons. If
// ctx ends, Picture returns the incomplete film with the error. In a job with an audit, Picture first waits until all units
// are audited.
func (j *Job) Picture(ctx context.Context, shot int, opt pillbox.Options) (*pillbox.Film, error) {
	c := newCanvas(&j.plan.Shots[shot], opt)
	if j.opt.Audit > 0 {
		if err := j.Wait(ctx); err != nil {
			return c.film, err
		}
	}
	var mu sync.Mutex
	units := j.units(shot)
	defer j.leave(shot)
	err := parallel.Each(ctx, fetchesAtOnce, len(units), func(ctx context.Context, i int) error {
		film, err := j.fetch(ctx, units[i])
		if film == nil || err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		c.put(film)
		return nil
	})
	if err == nil && c.final < c.film.Region.Dy() {
		if err = j.Wait(ctx); err == nil {
			return nil, j.Failures()
		}
	}
	if err == nil {
		j.release(ctx, shot)
	}
	return c.film, err
}

// fetch waits for a unit and returns its film, or nil if the unit has failed.
func (j *Job) fetch(ctx context.Context, w *work) (*pillbox.Film, error) {
	const misses = 20 // because one server of a cluster may lag behind the others
	for i := 0; ; i++ {
		var now work
		if err := j.until(ctx, func() bool { now = *w; return now.state == done || now.state == failed }); err != nil {
			return nil, err
		}
		if now.state == failed {
			return nil, nil
		}
		if now.own != nil {
			return decode(now.own, w.Rect)
		}
		msg, err := j.farm.results.GetMsg(ctx, now.seq)
		if errors.Is(err, jetstream.ErrMsgNotFound) && i >= misses {
			j.lose(w, now.seq, "its result is gone", "")
			continue
		}
		if err == nil && msg.Subject != resultSubject(j.group, w.key) { // the server has lost its store and numbers messages from 1 again
			j.lose(w, now.seq, "its result is gone", "")
			continue
		}
		if err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			if j.ctx.Err() != nil {
				return nil, context.Cause(j.ctx)
			}
			pause(ctx, 250*time.Millisecond) // the server does not answer
			continue
		}
		film, err := decode(msg.Data, w.Rect)
		if its := msg.Header.Get(rendererHeader); err == nil && its != j.farm.renderer {
			err = &otherRenderer{what: "the result", its: its, own: j.farm.renderer}
		}
		if err == nil && sumOf(msg.Data) != now.sum {
			err = errors.New("other pixels than were announced")
		}
		if err == nil {
			j.mu.Lock()
			w.fetched = true
			j.mu.Unlock()
			return film, nil
		}
		j.log("unit %.12s... of worker %s: %v; it is rendered again", w.key, now.worker, err)
		if err := j.discard(ctx, now.seq); err != nil {
			return nil, err
		}
		j.lose(w, now.seq, err.Error(), now.worker)
	}
}

// discard deletes the result with the given number.
func (j *Job) discard(ctx context.Context, seq uint64) error {
	if err := j.farm.results.DeleteMsg(ctx, seq); !errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) {
		return err
	}
	return nil // it does not exist any more
}

// lose handles the loss of result number seq of a unit: unless the coordinator has rendered the unit itself or another
// result has arrived, the unit goes back into the queue, or fails if too many results were lost. If worker is not "", it
// has delivered a damaged result, and another worker gets the unit.
func (j *Job) lose(w *work, seq uint64, why, worker string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if w.own != nil || w.seq != seq || w.state != done && w.state != doubted {
		return
	}
	if w.state == done {
		j.open++
	}
	w.state = waiting
	switch {
	case worker != "" && worker != coordinator:
		w.tried = with(w.tried, worker)
		w.back = map[string]bool{worker: true}
		j.failedAt(w, worker, why)
	default:
		w.errors = append(w.errors, why)
	}
	if w.gone = true; len(w.errors) > maxErrors {
		w.state = failed
		j.open--
	}
	j.nudge()
	j.touch()
}

// Failures returns an error that lists units that cannot be rendered, with the reasons, or nil if no unit has failed.
func (j *Job) Failures() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	const most = 10
	var all []error
	for _, w := range j.byKey {
		if w.state == failed {
			all = append(all, fmt.Errorf("picture %d, pixels %d,%d,%d,%d cannot be rendered: %s", w.Shot,
				w.Rect.Min.X, w.Rect.Min.Y, w.Rect.Max.X, w.Rect.Max.Y, w.reasons()))
		}
	}
	slices.SortFunc(all, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	if len(all) > most {
		all = append(all[:most], fmt.Errorf("and %d more", len(all)-most))
	}
	return errors.Join(all...)
}

// Close ends the coordination of the job. If every unit is done or failed and the job is not detached, the farm removes its
// record and its queue; the results remain.
func (j *Job) Close() {
	j.stop(context.Canceled)
	j.tasks.Wait()
	j.mu.Lock()
	over := j.open == 0 && j.next == len(j.shots)
	j.mu.Unlock()
	if over && !j.keep {
		ctx, cancel := j.farm.farewell(j.ctx)
		defer cancel()
		// If this fails, the farm lists the job until it is opened and closed again.
		_ = errors.Join(j.farm.jobs.Purge(ctx, jobKey(j.ID)), j.farm.close(ctx, j.ID)) // the queue can still contain orders for audits
	}
}

// log logs a line for the user, and adds it to the log of the job on the farm.
func (j *Job) log(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if j.opt.Log != nil {
		j.opt.Log(text)
	}
	_ = j.farm.nc.Publish(logSubject(j.ID, strings.ToLower(crand.Text())), marshal(newNews(coordinator, news{Error: text})))
}

// tell logs err unless it is nil or the job has ended.
func (j *Job) tell(err error) {
	if err != nil && j.ctx.Err() == nil {
		j.log("%v", err)
	}
}

// cell returns the size of units: that of the options; or that of an earlier job with the same scene, picture size and
// antialiasing, so that both have the same units; or a size found by a measurement.
func (j *Job) cell(ctx context.Context) (image.Point, error) {
	own := j.opt.Cell
	most := j.farm.maxUnit()
	if own != (image.Point{}) {
		if own.X < 1 || own.Y < 1 || own.X*own.Y > most {
			return own, fmt.Errorf("units of %d x %d pixels, which a message of the server cannot hold", own.X, own.Y)
		}
		return own, nil
	}
	name := "cell." + j.group
	entry, err := j.farm.jobs.Get(ctx, name)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		if own, err = j.measure(ctx, most); err != nil {
			return own, err
		}
		if _, err = j.farm.jobs.Create(ctx, name, marshal(own)); err == nil {
			return own, nil
		}
		entry, err = j.farm.jobs.Get(ctx, name) // another program was faster
	}
	if err == nil {
		err = unmarshal(entry.Value(), &own)
	}
	if err == nil && (own.X < 1 || own.Y < 1 || own.X > scene.MaxSide || own.Y > scene.MaxSide || own.X*own.Y > most) {
		err = fmt.Errorf("the farm has units of %d x %d pixels for this picture, which cannot be", own.X, own.Y)
	}
	return own, err
}

// measure renders small samples and returns a size of units that take about unitTime each. If the plan would then have
// fewer than many units, they are smaller, but take at least the time least. A unit has at most most pixels.
func (j *Job) measure(ctx context.Context, most int) (image.Point, error) {
	const (
		unitTime = 2 * time.Second
		least    = 200 * time.Millisecond // distributing a unit costs a few milliseconds
		many     = 64
		side     = 16 // of a sample, in pixels
		tries    = 4
	)
	shot := j.plan.Shots[0]
	size := shot.Region.Size()
	t := j.plan.task(Unit{0, shot.Region})
	if _, err := j.worlds.prepared(ctx, t); err != nil {
		return size, err
	}
	began, pixels := time.Now(), 0
	for i := range tries * tries {
		at := image.Pt(i%tries, i/tries)
		corner := shot.Region.Min.Add(image.Pt(size.X*at.X/tries, size.Y*at.Y/tries))
		t.Region = image.Rectangle{corner, corner.Add(image.Pt(side, side))}.Intersect(shot.Region)
		if _, err := j.worlds.render(ctx, t, 1); err != nil {
			return size, err
		}
		pixels += sizeOf(t.Region)
	}
	rate := float64(pixels) / time.Since(began).Seconds()
	n := min(rate*unitTime.Seconds(), max(rate*least.Seconds(), float64(j.plan.pixels())/many), float64(most))
	return cellOf(shot.Size, int(n)), nil
}

// cellOf returns the size of a unit with about n pixels for pictures of a size: the whole picture, full rows, or a square.
func cellOf(size image.Point, n int) image.Point {
	const edge = 16 // sides of units are multiples of it where possible
	switch {
	case n >= size.X*size.Y:
		return size
	case n >= edge*size.X:
		return image.Pt(size.X, n/size.X/edge*edge)
	}
	side := edge
	for (side+edge)*(side+edge) <= n {
		side += edge
	}
	return image.Pt(min(side, size.X), min(side, max(1, n/min(side, size.X))))
}
