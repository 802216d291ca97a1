//go:build !js && !plan9

package farm

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// The command that submits a job does not wait for it. So a farm has a coordinator for submitted jobs: a program that
// puts their units into the queue window by window, orders audits and gives slow units to second workers. Any number of
// programs can offer to coordinate. One of them leads. It renews its term by changing a key of the jobs bucket; if the
// key stays the same for a whole term, another program takes the lead. Each program measures terms with its own clock,
// so the clocks of machines may differ. If two programs lead for a moment, some work is done twice, without harm: the
// server refuses a second copy of a unit or a result.

// leadKey is the key of the jobs bucket that the leading coordinator changes.
const leadKey = "coordinator"

// maxTerm is the longest time for which a silent coordinator keeps the lead. The time is shorter if the lease is
// shorter.
const maxTerm = 30 * time.Second

// lookTime is the longest time between two searches for submitted jobs.
const lookTime = 2 * time.Second

// lead is the value of leadKey.
type lead struct {
	Holder string `json:"holder"`
	Beat   int    `json:"beat"` // changes with each renewal
}

// coordination is the work of one program that offers to coordinate. Only Coordinate's goroutine uses its fields.
type coordination struct {
	farm *Farm
	log  func(text string)
	opt  JobOptions // of each job, except for Audit and Log, which carry sets
	name string
	beat int

	trouble reminder

	own     uint64    // revision of leadKey that this program wrote; 0: it does not lead
	renewed time.Time // when this program last renewed its term
	observed
	jobs    map[string]*carried // jobs that this program carries out, by identifier
	running sync.WaitGroup      // the goroutines of these jobs
}

// carried is a job that the coordinator carries out.
type carried struct {
	stop context.CancelFunc
	over chan struct{} // closed when the job has ended
}

// observed is a revision of leadKey, and the time at which this program first read it.
type observed struct {
	revision uint64
	since    time.Time
}

// see notes the current revision of leadKey. It returns how long ago this program first read this revision.
func (o *observed) see(revision uint64) time.Duration {
	if o.revision != revision || o.since.IsZero() {
		o.revision, o.since = revision, time.Now()
	}
	return time.Since(o.since)
}

// term returns how long a silent coordinator keeps the lead.
func (f *Farm) term() time.Duration { return min(f.lease, maxTerm) }

// Coordinate carries out submitted jobs until ctx or the connection ends. If several programs call it for the same
// farm, one of them works at a time. Coordinate returns the reason why it ended, or the error that kept it from
// starting. name identifies this program to people. log is called with messages about jobs, unless it is nil.
func (f *Farm) Coordinate(ctx context.Context, name string, log func(text string)) error {
	return f.coordinate(ctx, name, JobOptions{Log: log, silence: -1}) // silence: the commands that wait for the jobs report that there are no workers
}

func (f *Farm) coordinate(ctx context.Context, name string, opt JobOptions) error {
	if err := checkProbe(ctx); err != nil { // in an audit, the coordinator decides which worker is wrong
		return err
	}
	c := &coordination{farm: f, opt: opt, name: nameOf(name) + "-" + rand.Text()[:8], log: opt.Log, jobs: make(map[string]*carried)}
	if c.log == nil {
		c.log = func(string) {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(f.alive, func() { cancel(context.Cause(f.alive)) })()
	for ; ctx.Err() == nil; pause(ctx, min(f.term()/3, lookTime)) {
		if !c.elect(ctx) {
			c.stopAll()
			continue
		}
		if err := c.adopt(ctx); err != nil && ctx.Err() == nil && !isOutage(err) {
			c.trouble.remind(c.log, "submitted jobs: %v", err)
		}
	}
	c.stopAll()
	c.resign(ctx)
	return context.Cause(ctx)
}

// elect renews the term of this program, or begins one if no other program leads. It reports whether this program leads.
func (c *coordination) elect(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, c.farm.term()/3)
	defer cancel()
	c.beat++
	value := marshal(lead{c.name, c.beat})
	entry, err := c.farm.jobs.Get(ctx, leadKey)
	revision := c.own
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		revision, err = c.farm.jobs.Create(ctx, leadKey, value)
	case err != nil:
	case entry.Revision() == c.own || c.see(entry.Revision()) > c.farm.term():
		revision, err = c.farm.jobs.Update(ctx, leadKey, value, entry.Revision())
	default:
		c.own = 0
		return false
	}
	switch {
	case err == nil:
		c.own, c.renewed = revision, time.Now()
	case errors.Is(err, jetstream.ErrKeyExists) || time.Since(c.renewed) > c.farm.term(): // another program was faster, or may lead now
		c.own = 0
	}
	return c.own != 0
}

// resign lets another program take the lead at once.
func (c *coordination) resign(ctx context.Context) {
	if c.own != 0 {
		ctx, cancel := c.farm.farewell(ctx, farewellTime)
		defer cancel()
		_ = c.farm.jobs.Delete(ctx, leadKey, jetstream.LastRevision(c.own)) // if this fails, the term ends by itself
	}
}

// adopt begins to carry out the submitted jobs that are neither over nor canceled.
func (c *coordination) adopt(ctx context.Context) error {
	for id, job := range c.jobs {
		select {
		case <-job.over:
			delete(c.jobs, id)
		default:
		}
	}
	records, err := c.farm.records(ctx, func(id string, err error) { c.trouble.remind(c.log, "job %s: %v", escape(errors.New(id)), err) })
	if err != nil {
		return err
	}
	for id, r := range records {
		if !r.Detached || r.Canceled || r.Over || c.jobs[id] != nil {
			continue
		}
		ctx, stop := context.WithCancel(ctx)
		job := &carried{stop, make(chan struct{})}
		c.jobs[id] = job
		c.running.Go(func() {
			defer close(job.over)
			defer stop()
			if err := c.carry(ctx, id, r); err != nil && ctx.Err() == nil && !errors.Is(err, ErrCanceled) && !isOutage(err) {
				c.trouble.remind(c.log, "job %s: %v", id, err)
			}
		})
	}
	return nil
}

// carry carries out a job until all its units are done or failed, and then records that the job is over.
func (c *coordination) carry(ctx context.Context, id string, r jobRecord) error {
	opt := c.opt
	opt.Audit = r.Audit
	opt.Log = func(text string) { c.log(fmt.Sprintf("job %.8s...: %s", id, text)) }
	failed, failures, err := c.finish(ctx, id, opt)
	if errors.Is(err, errLost) {
		failures, err = err, nil
	}
	if err != nil {
		return err
	}
	failure := ""
	if failures != nil {
		failure = cut(failures.Error(), maxNews)
	}
	return c.farm.update(ctx, id, func(r *jobRecord) { r.Over, r.Failure, r.Failed = true, failure, failed })
}

// finish carries out a job until all its units are done or failed, and returns the number of failed units and their
// failures.
func (c *coordination) finish(ctx context.Context, id string, opt JobOptions) (failed int, failures, err error) {
	j, err := c.farm.Attach(ctx, id, opt)
	if err != nil {
		return 0, nil, err
	}
	defer j.Close()
	if err := j.Wait(ctx); err != nil {
		return 0, nil, err
	}
	return j.failedUnits(), j.Failures(), nil
}

// stopAll stops all jobs of this program and waits until their goroutines have ended.
func (c *coordination) stopAll() {
	for _, job := range c.jobs {
		job.stop()
	}
	c.running.Wait()
	clear(c.jobs)
}

// waitForEnd waits until another program ends a job. A submitted job is ended by the coordinator. The record of any
// other job is deleted by the command that renders it. waitForEnd logs when the server is in trouble or no program
// coordinates.
func (f *Farm) waitForEnd(ctx context.Context, id string, detached bool, log func(text string)) error {
	if log == nil {
		log = func(string) {}
	}
	var leader observed
	var trouble reminder
	for ; ctx.Err() == nil; pause(ctx, min(f.term()/3, time.Second)) {
		r, kept, err := f.look(ctx, id)
		switch {
		case ctx.Err() != nil || err != nil && !f.nc.IsConnected(): // see watchConnection
		case err != nil:
			trouble.remind(log, "the server cannot serve the farm: %s; trying again", escape(err))
		case r == nil && detached:
			return fmt.Errorf("job %s is not there any more: submit it again", id)
		case r == nil && kept:
			return nil
		case r == nil:
			trouble.remind(log, "the server has lost its data; waiting for the command of the job, which puts the job back")
		case r.Canceled:
			return ErrCanceled
		case r.Over:
			return r.failure()
		case detached && f.leaderSilence(ctx, &leader) > 2*f.term():
			trouble.remind(log, "no program coordinates submitted jobs; start one with 'renderfarm coordinate URL'")
		default:
			trouble.over(log, "the job goes on")
		}
	}
	return context.Cause(ctx)
}

// look reads the record of a job. If the server does not have the record, r is nil, and kept reports whether the
// server still has the list of jobs to which this program connected. If not, the server has lost its data.
func (f *Farm) look(ctx context.Context, id string) (r *jobRecord, kept bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	found, err := f.record(ctx, id)
	if err == nil {
		return &found, true, nil
	}
	if !errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, false, err
	}
	born, err := f.jobsBorn(ctx)
	return nil, born.Equal(f.born["KV_"+jobsBucket]), err
}

// leaderSilence returns for how long this program has seen no coordinator begin or renew a term.
func (f *Farm) leaderSilence(ctx context.Context, leader *observed) time.Duration {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	revision := uint64(0) // no program leads
	if entry, err := f.jobs.Get(ctx, leadKey); err == nil {
		revision = entry.Revision()
	}
	return leader.see(revision)
}

// failure returns an error with the reasons why some units of the job cannot be rendered, or nil if all are rendered.
// The job must be over.
func (r *jobRecord) failure() error {
	if r.Failure == "" {
		return nil
	}
	var all []error
	for line := range strings.Lines(r.Failure) {
		all = append(all, errors.New(strings.TrimSuffix(line, "\n")))
	}
	return errors.Join(all...)
}
