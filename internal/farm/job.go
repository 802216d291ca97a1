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

// Job coordinates the rendering of a plan on a farm. Close must be called. If Close is called before the job is done,
// workers go on with the units in the queue, and opening the same job again continues it. Safe for concurrent use.
type Job struct {
	ID string

	farm   *Farm
	plan   Plan
	output Output
	group  string // identifies results of the same scene, size, antialiasing and renderer; part of their subjects, and so shared by jobs
	opt    JobOptions
	born   map[string]time.Time // like Farm.born, updated by check; only watchHealth and the functions that it calls use it
	source *Source              // nil if Attach returned the job
	scenes *sceneCache          // for the units that the coordinator renders itself
	share  float64              // JobOptions.Audit as given to Open, for the record of the job
	keep   bool                 // the job is detached, see JobOptions
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

// Attach continues a submitted job; job is an argument as for [Farm.Find]. It uses opt.Audit and opt.Log and ignores
// other options. If the job was canceled, the error is [ErrCanceled]. If the job was not submitted, Attach returns an
// error, too: a command is still rendering this job and takes its results.
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
		return nil, fmt.Errorf("job %s: %w; 'renderfarm resubmit' continues it", id, ErrCanceled)
	}
	if !record.Detached {
		return nil, fmt.Errorf("job %s was not submitted: its results go to the command that renders it", id)
	}
	born, err := f.renew(ctx) // a coordinator can have been connected when the server lost its data
	if err != nil {
		return nil, err
	}
	plan, err := f.plan(ctx, id, record)
	if err != nil {
		return nil, err
	}
	opt.Name = record.Name
	j := f.newJob(plan, opt, func(ctx context.Context, hash string) (*scene.Scene, error) { return loadScene(ctx, hash, f.get) })
	j.keep = true
	j.born = born
	j.paused.Store(record.Paused)
	j.first = max(0, min(record.Finished, len(j.plan.Shots)))
	if err := j.cut(); err != nil {
		return nil, err
	}
	return j, j.begin(ctx)
}

// newJob returns a job for a plan. The job has no units before cut is called.
func (f *Farm) newJob(p storedPlan, opt JobOptions, load func(context.Context, string) (*scene.Scene, error)) *Job {
	j := &Job{farm: f, plan: p.Plan, output: p.Output, opt: opt, keep: opt.Detached, scenes: newSceneCache(load, 1),
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

// begin starts to coordinate the job. If that fails, begin closes the job and returns the error. If it fails because
// ctx has ended, begin returns nil and does not close the job.
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
	if err := j.farm.startLeasing(ctx, j.ID); err != nil {
		return err
	}
	j.tasks.Go(j.followRecord)
	news := jetstream.OrderedConsumerConfig{FilterSubjects: []string{newsOfJob(j.ID)}, DeliverPolicy: jetstream.DeliverNewPolicy}
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

// patience is the time without news after which the job checks for lost messages and units.
func (j *Job) patience() time.Duration { return 3 * j.farm.lease }

// sweep puts all units without a result into the queue. The server refuses those that are in the queue already.
func (j *Job) sweep(ctx context.Context) error {
	j.mu.Lock()
	missing := slices.DeleteFunc(slices.Concat(j.shots...), func(w *work) bool { return !w.state.waits() })
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

// enqueue puts a unit into the queue. If audit is not "", it is the name of the worker that rendered the stored result,
// and another worker must render the unit for comparison.
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

// drive calls review and audit until the job ends. It calls sweep after a reconnection, and when nothing has changed for
// j.patience.
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
			if w.state == doubted || w.state == compared {
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

// result handles a message of the stream of results, which is read without the data of its messages.
func (j *Job) result(msg jetstream.Msg, seq uint64) {
	j.noteResult(keyOf(msg.Subject()), msg.Headers(), seq)
}

// noteResult handles the result of a unit that the server has stored with the given headers.
func (j *Job) noteResult(key string, h nats.Header, seq uint64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	s := stored{nameOf(h.Get(workerHeader)), h.Get(sumHeader), seq}
	if !isHash(s.sum) {
		s.sum = "" // no pixels have this hash
	}
	w := j.byKey[key]
	if w == nil {
		j.remember(key, s)
		return
	}
	if w.state.hasResult() && w.seq == seq {
		return // it was read before
	}
	w.stored = s
	if !j.apply(w, j.arrival(w, s)) {
		return // the coordinator has rendered the unit itself
	}
	j.finished(w)
	j.timed(h.Get(secondsHeader))
	j.touch()
}

// arrival returns the event that a stored result of a unit causes: unproven if the result must be compared, otherwise
// arrived. The caller holds the lock.
func (j *Job) arrival(w *work, s stored) event {
	if w.audit || j.bad[s.worker] {
		return unproven
	}
	return arrived
}

// touch records that the state of the job has changed and wakes the goroutines that wait for a change. The caller holds
// the lock.
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
	w := j.byKey[unitOfNews(msg.Subject())]
	if w == nil || !w.state.isOpen() {
		j.mu.Unlock()
		return
	}
	if n.Sum != "" {
		unseen := w.state.waits() // the server has a result, but it was dropped from seen
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

// Close ends the coordination of the job. If every unit is done or failed and the job is not detached, Close removes the
// job's record and its queue from the farm; the results remain.
func (j *Job) Close() {
	j.stop(context.Canceled)
	j.tasks.Wait()
	j.mu.Lock()
	over := j.open == 0 && j.next == len(j.shots)
	j.mu.Unlock()
	if over && !j.keep {
		ctx, cancel := j.farm.farewell(j.ctx, answerLimit)
		defer cancel()
		// If this fails, the farm lists the job until it is opened and closed again.
		_ = errors.Join(j.farm.jobs.Purge(ctx, jobKey(j.ID)), j.farm.stopLeasing(ctx, j.ID)) // the queue can still contain orders for audits
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
