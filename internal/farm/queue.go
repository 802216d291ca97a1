//go:build !js && !plan9

package farm

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Priorities of jobs. Jobs get the time of workers in proportion to them.
const (
	MinPriority     = 1
	DefaultPriority = 10
	MaxPriority     = 100
)

// wakeSubject is the subject on which coordinators announce new units.
const wakeSubject = "pillbox.wake"

// wake makes idle workers look for units.
func (f *Farm) wake() error { return f.nc.Publish(wakeSubject, nil) }

// queue takes units from the queues of the jobs for one worker, so that jobs get fair shares of its time. The methods
// next, renew and wake may be called concurrently.
type queue struct {
	farm    *Farm
	renewed atomic.Bool // refresh must read the list of jobs again

	mu        sync.Mutex    // protects the following
	woken     chan struct{} // closed and replaced by wake
	shares    shares
	paused    map[string]bool
	idle      map[string]idle // jobs that had no unit when a slot last looked
	consumers map[string]jetstream.Consumer
	updates   <-chan jetstream.KeyValueEntry // of the records of jobs; nil: not watched
	unwatch   context.CancelFunc
	watched   time.Time // when updates was opened
}

// idle records when to look again for units of a job that had none.
type idle struct {
	wait  time.Duration // doubles each time the job has no unit
	until time.Time
}

const (
	quickLook = 10 * time.Millisecond // the first wait for a unit of a job that has none
	slowLook  = time.Second           // the longest wait, after which units that were handed back are found
	rewatch   = 30 * time.Second      // time after which the list of jobs is read again
)

// newQueue returns the queue of a worker. It receives wakes until ctx ends.
func newQueue(ctx context.Context, f *Farm) (*queue, error) {
	q := &queue{farm: f, woken: make(chan struct{}), unwatch: func() {}}
	wakes, err := f.nc.Subscribe(wakeSubject, func(*nats.Msg) { q.wake() })
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { _ = wakes.Unsubscribe() })
	return q, nil
}

// wake makes all waiting slots look for units of all jobs. A slot is a goroutine that renders one unit at a time.
func (q *queue) wake() {
	q.mu.Lock()
	defer q.mu.Unlock()
	clear(q.idle)
	close(q.woken)
	q.woken = make(chan struct{})
}

// renew makes the queue read the list of jobs again.
func (q *queue) renew() {
	q.renewed.Store(true)
	q.wake()
}

// next waits for a unit. The caller must call done when the unit is finished. If ctx ends, next returns its error.
func (q *queue) next(ctx context.Context) (msg jetstream.Msg, done func(), err error) {
	for ctx.Err() == nil {
		c := q.choose(ctx)
		if c.consumer != nil {
			if msg := q.fetch(c); msg != nil {
				began := time.Now()
				return msg, func() { q.finish(c, time.Since(began)) }, nil
			}
			continue
		}
		timer := time.NewTimer(c.wait)
		select {
		case <-c.woken:
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
	}
	return nil, nil, ctx.Err()
}

// choice is the job from which a slot takes its next unit. If consumer is nil, no job is known to have a unit. Then the
// slot waits until the channel woken is closed or the time wait is over.
type choice struct {
	job      string
	consumer jetstream.Consumer
	estimate time.Duration // the time that the job was charged for the unit

	wait  time.Duration
	woken <-chan struct{}
}

// choose returns the job that has used the least time for its weight, among the jobs that may have units.
func (q *queue) choose(ctx context.Context) choice {
	q.mu.Lock()
	defer q.mu.Unlock()
	c := choice{wait: slowLook, woken: q.woken}
	if err := q.refresh(ctx); err != nil {
		return c
	}
	now := time.Now()
	for ctx.Err() == nil {
		id, ok := q.shares.next(func(id string) bool {
			left := q.idle[id].until.Sub(now)
			if left > 0 && !q.paused[id] {
				c.wait = min(c.wait, left)
			}
			return left > 0 || q.paused[id]
		})
		if !ok {
			break
		}
		if q.consumers[id] == nil {
			consumer, err := q.farm.tasks.Consumer(ctx, consumerName(id))
			if err != nil { // the job has ended, or the server is away
				q.isIdle(id)
				continue
			}
			q.consumers[id] = consumer
		}
		c.job, c.consumer, c.estimate = id, q.consumers[id], q.shares.begin(id)
		break
	}
	return c
}

// isIdle notes that a job has no units at the moment. The caller holds the lock.
func (q *queue) isIdle(id string) {
	wait := min(max(2*q.idle[id].wait, quickLook), slowLook)
	q.idle[id] = idle{wait, time.Now().Add(wait)}
}

// fetch returns a unit of the chosen job, or nil if the job has none or the server does not answer. Several slots may
// call it at the same time.
func (q *queue) fetch(c choice) jetstream.Msg {
	var msg jetstream.Msg
	batch, err := c.consumer.FetchNoWait(1)
	if err == nil {
		msg, err = <-batch.Messages(), batch.Error()
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if err != nil {
		delete(q.consumers, c.job) // the job has ended, or the server is away
	}
	if msg == nil {
		q.shares.cancel(c.job, c.estimate)
		q.isIdle(c.job)
	} else {
		delete(q.idle, c.job)
	}
	return msg
}

// finish corrects the charge of a job for a unit when its duration is known.
func (q *queue) finish(c choice, took time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shares.end(c.job, c.estimate, took)
}

// refresh updates the queue's list of jobs. It usually applies the changes of the jobs' records since its last call.
// In some cases it reads all records instead: in the first call, after renew, if the watch for changes has closed,
// and at intervals of rewatch. The caller holds the lock.
func (q *queue) refresh(ctx context.Context) error {
	if renewed := q.renewed.Swap(false); renewed || q.updates == nil || time.Since(q.watched) > rewatch {
		q.unwatch()
		var watching context.Context
		watching, q.unwatch = context.WithCancel(ctx)
		var err error
		if q.updates, err = q.farm.watch(watching, []string{jobKey("*")}); err != nil {
			return err
		}
		q.watched, q.paused, q.consumers = time.Now(), make(map[string]bool), make(map[string]jetstream.Consumer)
		q.idle = make(map[string]idle)
		before := q.shares
		q.shares = shares{now: before.now}
		if err := q.takeAll(ctx); err != nil {
			return err
		}
		for id, s := range q.shares.jobs {
			if old := before.jobs[id]; old != nil {
				s.used, s.mean = old.used, old.mean
			}
		}
	}
	for {
		select {
		case entry, ok := <-q.updates:
			if !ok {
				q.updates = nil
				return errors.New("the list of jobs is closed")
			}
			if entry != nil {
				q.take(entry)
			}
		default:
			return nil
		}
	}
}

// takeAll reads the records of all existing jobs.
func (q *queue) takeAll(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	for {
		select {
		case entry, ok := <-q.updates:
			if !ok || entry == nil {
				return nil
			}
			q.take(entry)
		case <-ctx.Done(): // the server is away
			q.updates = nil
			return ctx.Err()
		}
	}
}

// take adds, updates or removes a job according to its record.
func (q *queue) take(entry jetstream.KeyValueEntry) {
	id := keyOf(entry.Key())
	var r jobRecord
	if entry.Operation() != jetstream.KeyValuePut || !isID(id) || unmarshal(entry.Value(), &r) != nil || r.Canceled {
		q.shares.remove(id)
		delete(q.consumers, id)
		return
	}
	q.shares.set(id, r.weight())
	q.paused[id] = r.Paused
}

// weight returns the weight of the job in shares: its priority, limited to the valid range.
func (r *jobRecord) weight() float64 {
	return float64(min(max(r.Priority, MinPriority), MaxPriority))
}
