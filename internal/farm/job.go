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

	"github.com/nats-io/nats.go/jetstream"

	"pillbox"
	"pillbox/internal/parallel"
	"pillbox/scene"
)

// JobOptions say how a job is done.
type JobOptions struct {
	Name  string            // of the scene, for people
	Audit float64           // the share of the units that is rendered twice, on different workers, and compared
	Cell  image.Point       // the size of units; zero: by a measurement, and that of an earlier job like this
	Log   func(text string) // gets a line about what happens that is not usual, if not nil

	Priority int    // MinPriority to MaxPriority; 0 means DefaultPriority
	Output   Output // what the shots make, for [Job.WriteShard]
	Detached bool   // the farm keeps the job and its results when it is done, until [Job.Forget]

	window  int           // for tests: as maxWindow; 0 means that
	silence time.Duration // for tests: as usualSilence; 0 means that

	slowTime time.Duration // for tests: as usualSlowTime; 0 means that
}

// Job is a plan that is being carried out by a farm. Close must be called: it lets go of the job, which
// workers go on with, and the same job opened again finds what they did. Safe for concurrent use.
type Job struct {
	ID string

	farm   *Farm
	plan   Plan
	output Output
	group  string // what results are kept under: those of other plans for the same scene and size, too
	opt    JobOptions
	born   map[string]time.Time // as in Farm, since the last restore; for watchHealth alone
	source *Source              // nil if only the farm has it
	worlds *worlds              // for what the coordinator renders itself
	keep   bool                 // the farm keeps it when it is done
	stop   context.CancelCauseFunc
	ctx    context.Context
	paused atomic.Bool
	tasks  sync.WaitGroup

	mu      sync.Mutex
	changed chan struct{} // closed and replaced when one of the following changes
	byKey   map[string]*work
	shots   [][]*work // the units of each shot in the window; several shots may have the same
	fed     int       // units of the shots before next
	window
	open  int             // works that are neither done nor failed
	moved time.Time       // when something changed last
	bad   map[string]bool // workers whose pixels were wrong
	blame
	progress time.Time // when a unit was finished or something else happened to one last
	began    time.Time
	slowest  float64         // seconds that a finished unit took
	epoch    context.Context // ends when the server has lost something, and with the job
	endEpoch context.CancelFunc

	nudged chan struct{} // by nudge
}

// work is a unit and what has become of it.
type work struct {
	Unit
	key   string
	shots int  // in the window that have it
	audit bool // its result is to be compared with another worker's
	state state
	stored
	attempts
	own     []byte    // the result that was rendered here, if another was wrong; the unit is done then
	second  bool      // a second worker may have it
	fetched bool      // its result is in a picture
	asked   time.Time // when a comparison was asked for; zero: not yet
	errors  []string  // what was wrong with its results
}

// stored is a result on the server.
type stored struct {
	worker string // that has rendered it, or says so
	sum    string // of its pixels
	seq    uint64 // in the stream of results
}

type state int

const (
	waiting state = iota // for a result
	doubted              // it has a result that is to be compared
	done
	failed
)

// ErrCanceled says that someone has canceled the job.
var ErrCanceled = errors.New("the job was canceled")

// isID reports whether s is the identifier of a job or a group: half a hash.
func isID(s string) bool { return isHex(s, sha256.Size) }

func idOf(v any) string { return hashOf(marshal(v))[:sha256.Size] }

// Open begins a job, or goes on with it: shots of the scene sc that src is, which must all have the same
// size. Units that were rendered before, for whomever, are not rendered again. If ctx ends when the farm knows
// the job already, the job is returned, for the caller to decide what becomes of it.
func (f *Farm) Open(ctx context.Context, src *Source, sc *scene.Scene, shots []Shot, opt JobOptions) (*Job, error) {
	if len(shots) == 0 {
		return nil, errors.New("want shots, got none")
	}
	if opt.Audit > 0 { // then what is rendered here decides who is in error
		if err := checkProbe(ctx); err != nil {
			return nil, err
		}
	}
	plan := storedPlan{Plan{Renderer: f.renderer, Scene: src.Hash(), Shots: shots}, opt.Output}
	j := f.newJob(plan, opt, func(context.Context, string) (*scene.Scene, error) { return sc, nil })
	j.source = src
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

// Attach goes on with a job that the farm knows, named as in [Farm.Find]. Of the options Audit and Log count. The error is
// [ErrCanceled] if the job was canceled. Only a job that was submitted can be attached to: the results of others are the
// command's that renders them.
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
	if err := j.cut(); err != nil {
		return nil, err
	}
	return j, j.begin(ctx)
}

// newJob returns a job that is not cut into units yet, if its plan does not say how.
func (f *Farm) newJob(p storedPlan, opt JobOptions, load func(context.Context, string) (*scene.Scene, error)) *Job {
	j := &Job{farm: f, plan: p.Plan, output: p.Output, opt: opt, keep: opt.Detached, worlds: newWorlds(load, 1),
		changed: make(chan struct{}), byKey: make(map[string]*work), bad: make(map[string]bool), moved: time.Now(), progress: time.Now(), began: time.Now(), born: f.born,
		blame: newBlame(), nudged: make(chan struct{}, 1)}
	j.group = f.groupOf(&j.plan)
	return j
}

// groupOf returns what the results of a plan are kept under.
func (f *Farm) groupOf(p *Plan) string {
	return idOf([]any{Format, f.renderer, p.Scene, p.Shots[0].Size, p.Shots[0].Antialias})
}

// enlist has the farm list the job. A job that was submitted before is kept as before.
func (j *Job) enlist(ctx context.Context) error {
	if err := j.farm.prune(ctx); err != nil {
		return err
	}
	hash, err := j.farm.putPlan(ctx, storedPlan{j.plan, j.output})
	if err != nil {
		return err
	}
	r := jobRecord{Name: j.opt.Name, Units: j.plan.count(), Fed: j.fed, Started: time.Now(), Plan: hash, Detached: j.keep,
		Priority: cmp.Or(j.opt.Priority, DefaultPriority)}
	if before, err := j.farm.record(ctx, j.ID); err == nil && before.Detached && !before.Canceled {
		r.Detached, r.Started, j.keep = true, before.Started, true
	}
	_, err = j.farm.jobs.Put(ctx, jobKey(j.ID), marshal(r))
	return err
}

// begin starts to coordinate the job. If it fails, the job is closed, unless ctx has ended.
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

// start follows what becomes of units, and puts those into the queue that have no result.
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
	case <-time.After(j.farm.lease): // a unit may be rendered twice; the results are identical
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	j.tasks.Go(j.drive)
	j.tasks.Go(j.watchHealth)
	if !j.window.whole {
		j.tasks.Go(j.feed)
	}
	return j.sweep(ctx)
}

// watchRecord begins to watch the record of the job.
func (j *Job) watchRecord(ctx context.Context) (jetstream.KeyWatcher, error) {
	return j.farm.jobs.Watch(ctx, jobKey(j.ID), jetstream.UpdatesOnly())
}

// followRecord ends the job when its record says that it is canceled.
func (j *Job) followRecord(watch jetstream.KeyWatcher) {
	for {
		epoch := j.currentEpoch()
		for epoch.Err() == nil && watch != nil {
			select {
			case entry := <-watch.Updates():
				var r jobRecord
				switch {
				case entry == nil:
				case entry.Operation() == jetstream.KeyValueDelete: // the farm was purged
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

// follow calls take for every message of a stream, and again when nothing has come for long. The channel is
// closed when take has seen all that there was.
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
			// The server is away, or nothing comes: perhaps something was missed when a server of several went down.
			// What was seen before does no harm.
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

// messages begins to read a stream, until the job ends.
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

// patience is how long nothing may happen before something is done about it.
func (j *Job) patience() time.Duration { return 3 * j.farm.lease }

// sweep puts all units into the queue that have no result. Those that are in there already are refused.
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
	case <-time.After(min(10*time.Second, 5*j.farm.lease)): // the next sweep does it
	case <-ctx.Done():
	}
	j.tell(j.farm.wake())
	return context.Cause(ctx)
}

// enqueue puts a unit into the queue, or if a worker is given, one that compares its result.
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

// drive looks for lost units when there has been no progress for several leases or the connection was
// interrupted, and starts audits.
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

// result takes the headers of a result.
func (j *Job) result(msg jetstream.Msg, seq uint64) {
	h := msg.Headers()
	j.mu.Lock()
	defer j.mu.Unlock()
	key := keyOf(msg.Subject())
	w := j.byKey[key]
	if w == nil {
		j.remember(key, stored{nameOf(h.Get(workerHeader)), h.Get(sumHeader), seq})
		return
	}
	if w.own != nil || w.seq == seq && w.state != waiting && w.state != failed {
		return
	}
	if w.state == waiting || w.state == doubted { // in doubt was a result that has been deleted since
		j.open--
	}
	w.state, w.stored = done, stored{nameOf(h.Get(workerHeader)), h.Get(sumHeader), seq}
	if !isHash(w.sum) {
		w.sum = "" // nothing has that
	}
	j.finished(w)
	j.timed(h.Get(secondsHeader))
	if w.audit || j.bad[w.worker] {
		j.doubt(w)
	}
	j.touch()
}

// doubt says that a result that is there is to be compared. The caller holds the lock.
func (j *Job) doubt(w *work) {
	w.state, w.asked = doubted, time.Time{}
	j.open++
}

// trust says that a unit is done, and its result is right. The caller holds the lock.
func (j *Job) trust(w *work) {
	if w.state == waiting || w.state == doubted {
		j.open--
	}
	w.state = done
	j.finished(w)
	j.touch()
}

// touch wakes all goroutines that wait for a change. The caller holds the lock.
func (j *Job) touch() {
	j.moved, j.progress = time.Now(), time.Now()
	close(j.changed)
	j.changed = make(chan struct{})
}

// keyOf returns the last part of a subject.
func keyOf(subject string) string { return subject[strings.LastIndexByte(subject, '.')+1:] }

// news takes what a worker says of a unit.
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
		j.mu.Unlock()
		j.tell(j.compare(w, n.Worker, n.Sum))
		return
	}
	defer j.mu.Unlock()
	j.heard(w, n)
}

// Wait waits until every unit is done or failed, and audited if it should be. If the job has more units than fit on the
// server, it waits for those that [Job.Picture] makes no room for.
func (j *Job) Wait(ctx context.Context) error { return j.until(ctx, j.isSettled) }

// until waits until is returns true, which is called under the lock.
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

// fetchesAtOnce is how many results are on their way from the server at once.
const fetchesAtOnce = 16

// Picture returns the film of a shot when its units are done. Of the options Progress and Rows count. If
// some cannot be rendered, all others are waited for, and the error says which and why. If ctx ends, it
// returns what is there together with the error. With an audit, nothing comes before all is audited.
func (j *Job) Picture(ctx context.Context, shot int, opt pillbox.Options) (*pillbox.Film, error) {
	c := newCanvas(&j.plan.Shots[shot], opt)
	if j.opt.Audit > 0 {
		if err := j.Wait(ctx); err != nil {
			return c.film, err
		}
	}
	var mu sync.Mutex
	units := j.units(shot)
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

// fetch waits for a unit and returns its film, or nil if it has failed.
func (j *Job) fetch(ctx context.Context, w *work) (*pillbox.Film, error) {
	const misses = 20 // of several servers, one may be behind
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
		if err == nil && msg.Subject != resultSubject(j.group, w.key) { // the server has lost its store and begun to count anew
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
			pause(ctx, 250*time.Millisecond) // the server is away
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

// discard deletes a result.
func (j *Job) discard(ctx context.Context, seq uint64) error {
	if err := j.farm.results.DeleteMsg(ctx, seq); !errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) {
		return err
	}
	return nil // it was deleted before
}

// lose puts a unit into the queue whose result of a number is not there any more, unless it was rendered here. If that is
// the fault of a worker, another one gets it.
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

// Failures returns an error that names the units that cannot be rendered, with what workers said, nil if there are none.
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

// Close lets go of the job. If all is done, the farm forgets it, except for its results, unless it is detached.
func (j *Job) Close() {
	j.stop(context.Canceled)
	j.tasks.Wait()
	j.mu.Lock()
	over := j.open == 0 && j.next == len(j.shots)
	j.mu.Unlock()
	if over && !j.keep {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		// If this fails, it is listed until it is opened again.
		_ = errors.Join(j.farm.jobs.Purge(ctx, jobKey(j.ID)), j.farm.close(ctx, j.ID)) // of audits that are not needed
	}
}

// log reports something to the user and adds it to the job's log.
func (j *Job) log(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if j.opt.Log != nil {
		j.opt.Log(text)
	}
	_ = j.farm.nc.Publish(logSubject(j.ID, strings.ToLower(crand.Text())), marshal(newNews(coordinator, news{Error: text})))
}

// tell logs an error, if it is one and the job has not ended.
func (j *Job) tell(err error) {
	if err != nil && j.ctx.Err() == nil {
		j.log("%v", err)
	}
}

// cell returns how to cut shots into units: as large as some seconds suggest, and as an earlier job for
// this scene and size had it, so that they have the same units.
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
		entry, err = j.farm.jobs.Get(ctx, name) // someone was faster
	}
	if err == nil {
		err = unmarshal(entry.Value(), &own)
	}
	if err == nil && (own.X < 1 || own.Y < 1 || own.X > scene.MaxSide || own.Y > scene.MaxSide || own.X*own.Y > most) {
		err = fmt.Errorf("the farm has units of %d x %d pixels for this picture, which cannot be", own.X, own.Y)
	}
	return own, err
}

// measure returns the size of cells that take about unitTime each, and less if there would be few.
func (j *Job) measure(ctx context.Context, most int) (image.Point, error) {
	const (
		unitTime = 2 * time.Second
		least    = 200 * time.Millisecond // a unit costs a few milliseconds to hand about
		many     = 64
		side     = 16 // of the squares that are tried, across the picture
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

// cellOf returns a cell of at most n pixels for pictures of a size: all of it, some rows, or a square.
func cellOf(size image.Point, n int) image.Point {
	const edge = 16 // packets of rays are square
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
