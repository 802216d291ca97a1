//go:build !js && !plan9

package farm

import (
	"context"
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
	renewed atomic.Bool  // refresh must read the list of jobs again
	way     atomic.Int32 // how units are taken

	mu        sync.Mutex    // protects the following
	woken     chan struct{} // closed and replaced by wake
	shares    shares
	paused    map[string]bool
	idle      map[string]idle // jobs that had no unit when a slot last looked
	consumers map[string]jetstream.Consumer
	revision  uint64    // of the jobs bucket, up to which the records of jobs are known
	read      time.Time // when all records were read
	looked    time.Time // when changes were read; zero: read them now
}

// idle records when to look again for units of a job that had none.
type idle struct {
	wait  time.Duration // doubles each time the job has no unit
	until time.Time
}

const (
	quickLook = 10 * time.Millisecond // the first wait for a unit of a job that has none
	slowLook  = time.Second           // the longest wait, after which units that were handed back are found
	reread    = 30 * time.Second      // time after which the whole list of jobs is read again
)

// newQueue returns the queue of a worker. It receives wakes until ctx ends.
func newQueue(ctx context.Context, f *Farm) (*queue, error) {
	q := &queue{farm: f, woken: make(chan struct{})}
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
	q.looked = time.Time{}
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
	msg, err := q.receive(c)
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

// The ways to take a unit. A server that has a gate will have one after it was restarted, too.
const (
	unknownWay int32 = iota
	direct
	gated
)

// receive asks the server for a unit of the chosen job. It returns nil if the job has none.
func (q *queue) receive(c choice) (msg jetstream.Msg, err error) {
	if q.way.Load() == unknownWay {
		has, err := q.farm.hasGate()
		if err != nil {
			return nil, err
		}
		if q.way.Store(direct); has {
			q.way.Store(gated)
		}
	}
	if q.way.Load() == gated {
		return q.farm.takeThroughGate(consumerName(c.job))
	}
	batch, err := c.consumer.FetchNoWait(1)
	if err == nil {
		msg, err = <-batch.Messages(), batch.Error()
	}
	if err != nil {
		q.way.CompareAndSwap(direct, unknownWay) // the gate of a server that starts may not be open yet
	}
	return msg, err
}

// finish corrects the charge of a job for a unit when its duration is known.
func (q *queue) finish(c choice, took time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shares.end(c.job, c.estimate, took)
}

// refresh updates the queue's list of jobs. It reads the records that have changed since its last call, after a wake or
// every watchTime. At first, after renew, and every reread it reads all records. The caller holds the lock.
func (q *queue) refresh(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if renewed := q.renewed.Swap(false); renewed || time.Since(q.read) > reread {
		return q.takeAll(ctx)
	}
	if time.Since(q.looked) < watchTime {
		return nil
	}
	var err error
	if q.revision, err = q.farm.entries(ctx, jobKey("*"), q.revision, q.take); err == nil {
		q.looked = time.Now()
	}
	return err
}

// takeAll reads the records of all jobs. A job that the queue knew keeps its shares. The caller holds the lock.
func (q *queue) takeAll(ctx context.Context) (err error) {
	q.read, q.paused, q.consumers, q.idle = time.Time{}, make(map[string]bool), make(map[string]jetstream.Consumer), make(map[string]idle)
	before := q.shares
	q.shares = shares{now: before.now}
	q.revision, err = q.farm.entries(ctx, jobKey("*"), 0, q.take)
	for id, s := range q.shares.jobs {
		if old := before.jobs[id]; old != nil {
			s.used, s.mean = old.used, old.mean
		}
	}
	if err != nil {
		q.shares = before
		return err
	}
	q.read, q.looked = time.Now(), time.Now()
	return nil
}

// take adds, updates or removes a job according to its record.
func (q *queue) take(e keyValue) {
	id := keyOf(e.key)
	var r jobRecord
	if e.deleted || !isID(id) || unmarshal(e.value, &r) != nil || r.Canceled {
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
