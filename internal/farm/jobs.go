//go:build !js && !plan9

package farm

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"pillbox/internal/text"
)

// jobRecord is the state of a job as the farm stores it.
type jobRecord struct {
	Name     string    `json:"name"`
	Units    int       `json:"units"`
	Fed      int       `json:"fed"` // number of units that were put into the queue or had a result already
	Started  time.Time `json:"started"`
	Plan     string    `json:"plan"`               // hash of the stored file with the [storedPlan]
	Detached bool      `json:"detached,omitempty"` // the farm keeps the job and its results until [Job.Forget]
	Canceled bool      `json:"canceled,omitempty"`
	Paused   bool      `json:"paused,omitempty"` // workers take no units of the job
	Priority int       `json:"priority"`

	// These fields of a submitted job are for the coordinator:
	Audit    float64 `json:"audit,omitempty"`    // share of the units that is audited
	Finished int     `json:"finished,omitempty"` // number of shots, from the first, whose units are all rendered and audited
	Over     bool    `json:"over,omitempty"`     // all units are rendered and audited, or cannot be rendered
	Failure  string  `json:"failure,omitempty"`  // if the job is over: why some cannot be rendered; "": all are rendered
	Failed   int     `json:"failed,omitempty"`   // if the job is over: number of units that cannot be rendered
}

// storedPlan is the plan of a job with its output, as the farm stores them.
type storedPlan struct {
	Plan   Plan   `json:"plan"`
	Output Output `json:"output"`
}

// errLost is the error for a submitted job that cannot continue. The command that submitted it has ended, so no program
// can store its data again.
var errLost = errors.New("the server has lost the scene or the record of the job: submit the job again")

// maxPlan is the largest size of a stored plan. It is enough for several hundred thousand shots with cameras.
const maxPlan = 1 << 28 // bytes

// jobKey returns the key of a job's record.
func jobKey(id string) string { return "job." + id }

// taskSubject returns the subject, in the queue, of the unit with the given name in a job; the name ">" matches all units.
func taskSubject(id, name string) string { return "pillbox.task." + id + "." + name }

// putPlan stores the plan of a job and returns its hash.
func (f *Farm) putPlan(ctx context.Context, p storedPlan) (string, error) {
	data := marshal(p)
	if len(data) > maxPlan {
		return "", fmt.Errorf("a film of %d pictures, whose list of %d bytes a farm does not store: render it in parts", len(p.Plan.Shots), len(data))
	}
	return hashOf(data), f.put(ctx, data)
}

// plan returns the plan of a job after checking it; the stored file can contain any bytes.
func (f *Farm) plan(ctx context.Context, id string, r jobRecord) (storedPlan, error) {
	var p storedPlan
	data, err := f.get(ctx, r.Plan)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return p, fmt.Errorf("job %s: %w", id, errLost)
	}
	if err != nil {
		return p, fmt.Errorf("the plan of job %s: %w", id, err)
	}
	if err := unmarshal(data, &p); err != nil {
		return p, fmt.Errorf("the plan of job %s: %w", id, err)
	}
	if err := p.Plan.validate(); err != nil {
		return p, fmt.Errorf("the plan of job %s has %w", id, err)
	}
	if p.Plan.Renderer != f.renderer {
		return p, &otherRenderer{what: "job " + id, its: p.Plan.Renderer, own: f.renderer}
	}
	if !isHash(p.Plan.Scene) || len(p.Plan.Shots) == 0 || idOf(p.Plan) != id {
		return p, fmt.Errorf("the plan of job %s is that of another", id)
	}
	return p, nil
}

// record returns the record of a job.
func (f *Farm) record(ctx context.Context, id string) (jobRecord, error) {
	var r jobRecord
	entry, err := f.jobs.Get(ctx, jobKey(id))
	if err == nil {
		err = unmarshal(entry.Value(), &r)
	}
	return r, err
}

// records returns the records of all jobs by their identifiers. It skips a record that cannot be read, and calls damaged,
// unless that is nil, with the reason.
func (f *Farm) records(ctx context.Context, damaged func(id string, err error)) (map[string]jobRecord, error) {
	all := make(map[string]jobRecord)
	_, err := f.entries(ctx, jobKey("*"), 0, func(e keyValue) {
		id := strings.TrimPrefix(e.key, jobKey(""))
		delete(all, id) // an older revision, if the job was changed meanwhile
		if e.deleted {
			return
		}
		var r jobRecord
		if err := unmarshal(e.value, &r); err == nil {
			all[id] = r
		} else if damaged != nil {
			damaged(id, fmt.Errorf("the record of the job cannot be read: %w", err))
		}
	})
	return all, err
}

// Find returns the identifier of a job. The argument is the identifier, at least four digits of its beginning, or the job's
// name, with or without its folder. If several jobs match, canceled jobs are ignored, unless all of them are canceled.
// If no job matches, the error suggests a job with a similar name or identifier, if there is one.
func (f *Farm) Find(ctx context.Context, job string) (string, error) {
	all, err := f.records(ctx, nil)
	if err != nil {
		return "", err
	}
	if _, ok := all[job]; ok {
		return job, nil
	}
	const enough = 4
	var found, active []string
	for id, r := range all {
		if r.Name == job || path.Base(r.Name) == job || len(job) >= enough && strings.HasPrefix(id, job) {
			found = append(found, id)
			if !r.Canceled {
				active = append(active, id)
			}
		}
	}
	if len(active) > 0 {
		found = active
	}
	slices.Sort(found)
	switch len(found) {
	case 0:
		if near := text.ClosestWord(job, jobWords(all, len(job))); near != "" {
			return "", fmt.Errorf("there is no job %q%s", job, text.DidYouMean(near, "%q"))
		}
		return "", fmt.Errorf("there is no job %q; 'renderfarm list URL' shows the jobs", job)
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("there are %d jobs %q; name one by the beginning of its identifier: %s", len(found), job, strings.Join(found, ", "))
}

// jobWords returns the words by which Find finds the jobs: their names, with and without folders, and the first n digits of
// their identifiers.
func jobWords(all map[string]jobRecord, n int) []string {
	var words []string
	for id, r := range all {
		words = append(words, r.Name, path.Base(r.Name), id[:min(n, len(id))])
	}
	slices.Sort(words) // the order of a map is random
	return words
}

// Output returns the description of the pictures of a job.
func (f *Farm) Output(ctx context.Context, job string) (Output, error) {
	id, err := f.Find(ctx, job)
	if err != nil {
		return Output{}, err
	}
	r, err := f.record(ctx, id)
	if err != nil {
		return Output{}, err
	}
	p, err := f.plan(ctx, id, r)
	return p.Output, err
}

// Cancel removes the units of a job from the queue. The server keeps existing results, and [Farm.Resubmit] continues the
// job.
func (f *Farm) Cancel(ctx context.Context, job string) error {
	id, err := f.Find(ctx, job)
	if err != nil {
		return err
	}
	if err := f.update(ctx, id, func(r *jobRecord) { r.Canceled = true }); err != nil { // notifies all waiters
		return err
	}
	return f.stopLeasing(ctx, id)
}

// Resubmit continues a canceled job, or one with units that could not be rendered: it puts units without a result into
// the queue. From then on the farm keeps the job until [Job.Forget]. For any other job, Resubmit returns an error.
func (f *Farm) Resubmit(ctx context.Context, job string) error {
	id, err := f.Find(ctx, job)
	if err != nil {
		return err
	}
	if state, err := f.state(ctx, id); err != nil {
		return err
	} else if state != stateCanceled && state != stateFailed {
		return fmt.Errorf("job %s is %s; only a job that was canceled or has failed can be submitted again", id, state)
	}
	// The job becomes detached, because possibly no command is waiting for it.
	if err := f.update(ctx, id, func(r *jobRecord) {
		r.Canceled, r.Paused, r.Detached, r.Over, r.Failure, r.Failed = false, false, true, false, "", 0
	}); err != nil {
		return err
	}
	j, err := f.Attach(ctx, id, JobOptions{})
	if err != nil {
		return err
	}
	j.Close()
	return nil
}

// Wait waits until all units of a job are rendered. The error lists the units that cannot be rendered, or is
// [ErrCanceled]. While Wait waits for a submitted job without an audit, it does the work of a coordinator. If the job was
// not submitted, Wait waits until the command that renders it has ended the job.
func (f *Farm) Wait(ctx context.Context, job string, opt JobOptions) error {
	id, err := f.Find(ctx, job)
	if err != nil {
		return err
	}
	r, err := f.record(ctx, id)
	if err != nil {
		return err
	}
	switch {
	case r.Canceled:
		return fmt.Errorf("job %s: %w; 'renderfarm resubmit' continues it", id, ErrCanceled)
	case r.Over:
		return r.failure()
	case !r.Detached || r.Audit > 0: // only the coordinator audits
		return f.waitForEnd(ctx, id, r.Detached, opt.Log)
	}
	j, err := f.Attach(ctx, id, opt)
	if err != nil {
		return err
	}
	defer j.Close()
	if err := j.Wait(ctx); err != nil {
		return err
	}
	return j.Failures()
}

// Pause stops workers from taking units of a job until [Farm.Resume]. They finish the units that they have. It returns an
// error if the job has ended.
func (f *Farm) Pause(ctx context.Context, job string) error { return f.setPaused(ctx, job, true) }

// Resume continues a job that was paused. It returns an error if the job has ended.
func (f *Farm) Resume(ctx context.Context, job string) error { return f.setPaused(ctx, job, false) }

func (f *Farm) setPaused(ctx context.Context, job string, paused bool) error {
	id, err := f.Find(ctx, job)
	if err != nil {
		return err
	}
	state, err := f.state(ctx, id)
	switch {
	case err != nil:
		return err
	case state == stateCanceled:
		return fmt.Errorf("job %s: %w; 'renderfarm resubmit' continues it", id, ErrCanceled)
	case state == stateDone:
		return fmt.Errorf("job %s is done: workers take no more units of it", id)
	case state == stateFailed:
		return fmt.Errorf("job %s has failed; 'renderfarm resubmit' tries its units again", id)
	}
	err = f.update(ctx, id, func(r *jobRecord) { r.Paused = paused })
	return errors.Join(err, f.wake())
}

// state returns the state of a job, see [JobStatus].
func (f *Farm) state(ctx context.Context, id string) (string, error) {
	r, err := f.record(ctx, id)
	if err != nil {
		return "", err
	}
	s, err := f.jobStatus(ctx, id, r, nil)
	return s.State, err
}

// update changes the record of a job. If another program changes the record at the same time, update reads it again and
// repeats the change.
func (f *Farm) update(ctx context.Context, id string, change func(*jobRecord)) error {
	for {
		entry, err := f.jobs.Get(ctx, jobKey(id))
		if err != nil {
			return err
		}
		var r jobRecord
		if err := unmarshal(entry.Value(), &r); err != nil {
			return err
		}
		change(&r)
		if _, err = f.jobs.Update(ctx, jobKey(id), marshal(r), entry.Revision()); !errors.Is(err, jetstream.ErrKeyExists) {
			return err
		}
	}
}

// prune removes the records of canceled jobs that were started more than keepResults ago.
func (f *Farm) prune(ctx context.Context) error {
	all, err := f.records(ctx, nil)
	for id, r := range all {
		if r.Canceled && time.Since(r.Started) > keepResults {
			err = errors.Join(err, f.jobs.Purge(ctx, jobKey(id)))
		}
	}
	return err
}

// Event is one entry of a job's log.
type Event struct {
	Time   time.Time `json:"time"`
	Worker string    `json:"worker"`         // its author, or "coordinator"
	Unit   string    `json:"unit,omitempty"` // key of the unit; "": the event concerns the whole job
	Text   string    `json:"text"`
}

// coordinator is the name that messages and results of the coordinator have in place of the name of a worker.
const coordinator = "coordinator"

// logSubject returns the subject of a line of a job's log. The server keeps at most maxErrors messages per subject, so
// every line has a random subject. Workers may not publish to it, so they cannot push lines out.
func logSubject(id, line string) string { return "pillbox.log." + id + "." + line }

// Log returns the errors and unusual events of a job in the order in which they were reported. The server keeps them for
// 24 hours, but only the last ten messages of each worker about each unit.
func (f *Farm) Log(ctx context.Context, job string) ([]Event, error) {
	id, err := f.Find(ctx, job)
	if err != nil {
		return nil, err
	}
	var all []Event
	note := func(msg *jetstream.RawStreamMsg) {
		var n news
		if len(msg.Data) > maxNews || unmarshal(msg.Data, &n) != nil || n.Error == "" {
			return
		}
		e := Event{Time: msg.Time, Worker: nameOf(n.Worker), Text: n.Error}
		if key := unitOfNews(msg.Subject); isHash(key) {
			e.Unit = key
		}
		all = append(all, e)
	}
	for _, pattern := range []string{newsOfJob(id), logSubject(id, "*")} {
		if _, err := f.scan(ctx, newsStream, pattern, 0, note); err != nil {
			return all, err
		}
	}
	slices.SortStableFunc(all, func(a, b Event) int { return a.Time.Compare(b.Time) })
	return all, nil
}
