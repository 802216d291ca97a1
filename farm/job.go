//go:build !js && !plan9

package farm

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"pillbox"
	"pillbox/scene"
)

// JobOptions say how a job is done.
type JobOptions struct {
	Name  string            // of the scene, for people
	Audit float64           // the share of the units that is rendered twice, on different workers, and compared
	Cell  image.Point       // the size of units; zero: by a measurement, and that of an earlier job like this
	Log   func(text string) // gets a line about what happens that is not usual, if not nil
}

// Job is a plan that is being carried out by a farm. Close must be called: it lets go of the job, which
// workers go on with, and the same job opened again finds what they did. Safe for concurrent use.
type Job struct {
	ID string

	farm   *Farm
	plan   Plan
	group  string // what results are kept under: those of other plans for the same scene and size, too
	opt    JobOptions
	worlds *worlds // for what the coordinator renders itself
	stop   context.CancelCauseFunc
	ctx    context.Context
	tasks  sync.WaitGroup

	mu      sync.Mutex
	changed chan struct{} // closed and replaced when one of the following changes
	byKey   map[string]*work
	order   []*work         // the units of the plan; one may stand there twice
	shots   [][]int         // which of them each shot has
	open    int             // works that are neither done nor failed
	moved   time.Time       // when something changed last
	bad     map[string]bool // workers whose pixels were wrong
}

// work is a unit and what has become of it.
type work struct {
	Unit
	key    string
	state  state
	worker string    // whose result it is; "" if that was not looked at
	sum    string    // of its pixels
	audit  bool      // its result is to be compared with another worker's
	asked  time.Time // when that was asked for; zero: not yet
	lost   bool      // a result of it was discarded
	errors []string
}

type state int

const (
	waiting state = iota // for a result
	doubted              // it has a result that is to be compared
	done
	failed
)

// jobRecord is what status shows of a job.
type jobRecord struct {
	Name     string    `json:"name"`
	Group    string    `json:"group"`
	Units    int       `json:"units"`
	Pixels   int       `json:"pixels"`
	Started  time.Time `json:"started"`
	Canceled bool      `json:"canceled,omitempty"`
}

// ErrCanceled says that somebody has canceled the job.
var ErrCanceled = errors.New("the job was canceled")

// isID reports whether s is the identifier of a job or a group: half a hash.
func isID(s string) bool { return regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(s) }

func idOf(v any) string { return hashOf(marshal(v))[:32] }

// Open begins a job, or goes on with it: shots of the scene sc that src is, which must all have the same
// size. Units that were rendered before, for whomever, are not rendered again.
func (f *Farm) Open(ctx context.Context, src *Source, sc *scene.Scene, shots []Shot, opt JobOptions) (*Job, error) {
	if len(shots) == 0 {
		return nil, errors.New("want shots, got none")
	}
	j := &Job{farm: f, opt: opt, changed: make(chan struct{}), byKey: make(map[string]*work), bad: make(map[string]bool), moved: time.Now()}
	j.worlds = newWorlds(func(context.Context, string) (*scene.Scene, error) { return sc, nil }, 1)
	j.plan = Plan{Scene: src.Hash(), Shots: shots}
	j.group = idOf([]any{Format, j.plan.Scene, shots[0].Size, shots[0].Antialias})
	var err error
	if j.plan.Cell, err = j.cell(ctx); err != nil {
		return nil, err
	}
	j.ID = idOf(j.plan)
	j.shots = make([][]int, len(shots))
	for n, u := range j.plan.Units() {
		t := j.plan.task(u)
		key := t.key()
		if j.byKey[key] == nil {
			j.byKey[key] = &work{Unit: u, key: key, audit: rand.Float64() < opt.Audit}
		}
		j.order, j.shots[u.Shot] = append(j.order, j.byKey[key]), append(j.shots[u.Shot], n)
	}
	j.open = len(j.byKey)
	if err := f.putSource(ctx, src); err != nil {
		return nil, err
	}
	return j, j.start(ctx)
}

// start watches what becomes of units and puts them into the queue.
func (j *Job) start(ctx context.Context) error {
	f := j.farm
	j.ctx, j.stop = context.WithCancelCause(context.WithoutCancel(ctx))
	// What is left of an earlier try does not count.
	if err := errors.Join(f.reports.Purge(ctx, jetstream.WithPurgeSubject("pillbox.report."+j.ID+".>")),
		f.results.Purge(ctx, jetstream.WithPurgeSubject("pillbox.result."+j.ID+".>"))); err != nil {
		return err
	}
	record := jobRecord{Name: j.opt.Name, Group: j.group, Units: len(j.byKey), Pixels: j.plan.pixels(), Started: time.Now()}
	if _, err := f.jobs.Put(ctx, "job."+j.ID, marshal(record)); err != nil {
		return err
	}
	watch, err := f.jobs.Watch(j.ctx, "job."+j.ID, jetstream.UpdatesOnly())
	if err != nil {
		return err
	}
	j.tasks.Go(func() {
		defer watch.Stop()
		for {
			select {
			case entry := <-watch.Updates():
				var r jobRecord
				if entry != nil && unmarshal(entry.Value(), &r) == nil && r.Canceled {
					j.stop(ErrCanceled)
				}
			case <-j.ctx.Done():
				return
			}
		}
	})
	if err := j.follow(resultsStream, []string{resultSubject(j.group, "*"), resultSubject(j.ID, "*")}, j.result); err != nil {
		return err
	}
	if err := j.follow(reportsStream, []string{"pillbox.report." + j.ID + ".*"}, j.report); err != nil {
		return err
	}
	if err := j.sweep(ctx); err != nil {
		return err
	}
	j.tasks.Go(j.drive)
	return nil
}

// follow calls take with the headers of every message that comes, in order, and none is left out.
func (j *Job) follow(stream string, subjects []string, take func(jetstream.Msg)) error {
	cons, err := j.farm.js.OrderedConsumer(j.ctx, stream, jetstream.OrderedConsumerConfig{FilterSubjects: subjects,
		DeliverPolicy: jetstream.DeliverNewPolicy, HeadersOnly: stream == resultsStream})
	if err != nil {
		return err
	}
	messages, err := cons.Messages()
	if err != nil {
		return err
	}
	j.tasks.Go(func() {
		<-j.ctx.Done()
		messages.Stop()
	})
	j.tasks.Go(func() {
		for j.ctx.Err() == nil {
			msg, err := messages.Next()
			if errors.Is(err, jetstream.ErrMsgIteratorClosed) {
				return
			}
			if err == nil {
				take(msg)
			} else {
				pause(j.ctx, 100*time.Millisecond)
			}
		}
	})
	return nil
}

// sweep looks for results that nobody told of, and puts units into the queue that have none. Those that
// are in there already are refused.
func (j *Job) sweep(ctx context.Context) error {
	info, err := j.farm.results.Info(ctx, jetstream.WithSubjectFilter(resultSubject(j.group, "*")))
	if err != nil {
		return err
	}
	var missing []*work
	j.mu.Lock()
	for _, w := range j.order {
		if _, there := info.State.Subjects[resultSubject(j.group, w.key)]; there && w.state == waiting {
			j.settle(w)
		}
		if w.state == waiting && !slices.Contains(missing[max(0, len(missing)-1):], w) {
			missing = append(missing, w)
		}
	}
	j.mu.Unlock()
	var last jetstream.PubAckFuture
	for _, w := range missing {
		if last, err = j.enqueue(w, order{}); err != nil {
			return err
		}
	}
	if last != nil {
		select {
		case <-j.farm.js.PublishAsyncComplete():
		case <-time.After(10 * time.Second): // the next sweep will see
		case <-ctx.Done():
		}
	}
	return context.Cause(ctx)
}

// enqueue puts a unit into the queue; what o says beyond the unit itself goes with it.
func (j *Job) enqueue(w *work, o order) (jetstream.PubAckFuture, error) {
	o.task, o.Group = j.plan.task(w.Unit), j.group
	name := w.key
	if o.Audit {
		name = auditMark + name
	}
	return j.farm.js.PublishAsync("pillbox.task."+j.ID+"."+name, marshal(o), jetstream.WithStallWait(30*time.Second))
}

// drive sweeps when nothing has moved for some leases, or the connection was away, and sees to audits.
func (j *Job) drive() {
	const leases = 3
	tick := time.NewTicker(max(j.farm.lease/10, 50*time.Millisecond))
	defer tick.Stop()
	for {
		sweep := false
		select {
		case <-j.ctx.Done():
			return
		case <-j.farm.again:
			sweep = true
		case <-tick.C:
		}
		j.mu.Lock()
		if sweep = j.open > 0 && (sweep || time.Since(j.moved) > leases*j.farm.lease); sweep {
			j.moved = time.Now()
		}
		var audits []*work
		for _, w := range j.byKey {
			if w.state == doubted && (w.asked.IsZero() || time.Since(w.asked) > leases*j.farm.lease || j.bad[w.worker]) {
				audits = append(audits, w)
			}
		}
		j.mu.Unlock()
		if sweep {
			if err := j.sweep(j.ctx); err != nil {
				j.log("%v", err)
			}
		}
		for _, w := range audits {
			if err := j.ask(w); err != nil {
				j.log("%v", err)
			}
		}
	}
}

// settle notes that a unit has a result. The caller holds the lock.
func (j *Job) settle(w *work) {
	if w.state != waiting && w.state != failed {
		return
	}
	if w.state == waiting {
		j.open--
	}
	w.state = done
	if w.audit || j.bad[w.worker] {
		w.state = doubted
		j.open++
	}
	j.touch()
}

// touch wakes those who wait for a change. The caller holds the lock.
func (j *Job) touch() {
	j.moved = time.Now()
	close(j.changed)
	j.changed = make(chan struct{})
}

// result takes the headers of a result.
func (j *Job) result(msg jetstream.Msg) {
	_, group, key := cut(msg.Subject())
	worker, sum := msg.Headers().Get(workerHeader), msg.Headers().Get(sumHeader)
	j.mu.Lock()
	w := j.byKey[key]
	if w == nil {
		j.mu.Unlock()
		return
	}
	if group == j.group {
		if w.state == waiting || w.state == failed {
			w.worker, w.sum = worker, sum
			j.settle(w)
		}
		j.mu.Unlock()
		return
	}
	j.mu.Unlock()
	j.compare(w, worker, sum)
}

// cut returns the last three parts of a subject.
func cut(subject string) (kind, group, key string) {
	parts := strings.Split(subject, ".")
	if len(parts) != 4 {
		return "", "", ""
	}
	return parts[1], parts[2], parts[3]
}

// report takes a report about a unit.
func (j *Job) report(msg jetstream.Msg) {
	_, _, key := cut(msg.Subject())
	var r report
	if len(msg.Data()) > maxReport || unmarshal(msg.Data(), &r) != nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	w := j.byKey[key]
	if w == nil || w.state == done || len(w.errors) > 2*maxDeliveries {
		return
	}
	w.errors = append(w.errors, fmt.Sprintf("worker %s: %s", r.Worker, r.Error))
	if r.Final && w.state == waiting {
		w.state = failed
		j.open--
	}
	j.touch()
}

// Wait waits until every unit is done or failed, and audited if it should be.
func (j *Job) Wait(ctx context.Context) error {
	return j.until(ctx, func() bool { return j.open == 0 })
}

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

// Picture returns the film of a shot when its units are done. Of the options Progress and Rows count. If
// some cannot be rendered, all others are waited for, and the error says which and why. If ctx ends, it
// returns what is there together with the error. With an audit, nothing comes before all is audited.
func (j *Job) Picture(ctx context.Context, shot int, opt pillbox.Options) (*pillbox.Film, error) {
	const atOnce = 16
	c := newCanvas(&j.plan.Shots[shot], opt)
	if j.opt.Audit > 0 {
		if err := j.Wait(ctx); err != nil {
			return c.film, err
		}
	}
	var mu sync.Mutex
	err := inParallel(ctx, atOnce, j.shots[shot], func(ctx context.Context, n int) error {
		w := j.order[n]
		film, err := j.fetch(ctx, w)
		if film == nil || err != nil {
			return err
		}
		film.Region = w.Rect
		mu.Lock()
		defer mu.Unlock()
		c.put(film)
		return nil
	})
	if err == nil && c.final < c.film.Region.Dy() {
		if err = j.Wait(ctx); err == nil {
			return nil, j.failures()
		}
	}
	return c.film, err
}

// fetch waits for a unit and returns its film, or nil if it has failed.
func (j *Job) fetch(ctx context.Context, w *work) (*pillbox.Film, error) {
	for {
		var now state
		var sum string
		if err := j.until(ctx, func() bool { now, sum = w.state, w.sum; return now == done || now == failed }); err != nil {
			return nil, err
		}
		if now == failed {
			return nil, nil
		}
		msg, err := j.farm.results.GetLastMsgForSubject(ctx, resultSubject(j.group, w.key))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			j.lose(w, "its result is gone")
			continue
		}
		if err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			j.log("%v", err) // the server is away
			pause(ctx, 250*time.Millisecond)
			continue
		}
		film, err := decode(msg.Data, w.Rect)
		if err == nil && sum != "" && sum != hex.EncodeToString(msg.Data[raysBytes:headBytes]) {
			err = errors.New("other pixels than were announced")
		}
		if err == nil {
			return film, nil
		}
		j.log("unit %.12s... of worker %s: %v; it is rendered again", w.key, msg.Header.Get(workerHeader), err)
		if err := j.farm.results.DeleteMsg(ctx, msg.Sequence); err != nil && !errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil, err
		}
		j.lose(w, err.Error())
	}
}

// lose puts a unit into the queue whose result is not there any more.
func (j *Job) lose(w *work, why string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if w.state == done || w.state == doubted {
		if w.state == done {
			j.open++
		}
		w.state, w.asked = waiting, time.Time{}
		w.errors = append(w.errors, why)
		if len(w.errors) > 2*maxDeliveries {
			w.state = failed
			j.open--
		} else if _, err := j.enqueue(w, order{Not: w.worker}); err != nil {
			j.moved = time.Time{} // the next sweep does
		}
		w.worker, w.sum = "", ""
	}
}

// failures returns an error that names the units that cannot be rendered, with what workers said.
func (j *Job) failures() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	const most = 10
	var all []error
	for _, w := range j.byKey {
		if w.state == failed {
			all = append(all, fmt.Errorf("picture %d, pixels %d,%d,%d,%d cannot be rendered: %s", w.Shot,
				w.Rect.Min.X, w.Rect.Min.Y, w.Rect.Max.X, w.Rect.Max.Y, strings.Join(w.errors, "; ")))
		}
	}
	slices.SortFunc(all, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	if len(all) > most {
		all = append(all[:most], fmt.Errorf("and %d more", len(all)-most))
	}
	return errors.Join(all...)
}

// Cancel takes the units of the job out of the queue. Results that are there are kept.
func (f *Farm) Cancel(ctx context.Context, id string) error {
	entry, err := f.jobs.Get(ctx, "job."+id)
	if !isID(id) || errors.Is(err, jetstream.ErrKeyNotFound) {
		return fmt.Errorf("there is no job %q", id)
	}
	var r jobRecord
	if err == nil {
		err = unmarshal(entry.Value(), &r)
	}
	if err != nil {
		return err
	}
	r.Canceled = true
	if _, err := f.jobs.Put(ctx, "job."+id, marshal(r)); err != nil {
		return err
	}
	if err := f.tasks.Purge(ctx, jetstream.WithPurgeSubject("pillbox.task."+id+".>")); err != nil {
		return err
	}
	return f.jobs.Purge(ctx, "job."+id)
}

// Close lets go of the job. If all is done, the farm forgets it, but for its results.
func (j *Job) Close() {
	j.stop(context.Canceled)
	j.tasks.Wait()
	j.mu.Lock()
	over := j.open == 0
	j.mu.Unlock()
	if over {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = j.farm.jobs.Purge(ctx, "job."+j.ID) // else it is listed until it is opened again
	}
}

func (j *Job) log(format string, args ...any) {
	if j.opt.Log != nil {
		j.opt.Log(fmt.Sprintf(format, args...))
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
		entry, err = j.farm.jobs.Get(ctx, name) // somebody was faster
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
