//go:build !js && !plan9

package farm

import (
	"context"
	"errors"
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

// consumerName returns the name of the consumer that delivers the units of a job. Each job has its own consumer, so that
// workers can choose between jobs.
func consumerName(id string) string { return "job-" + id }

// makeConsumer creates the consumer of a job's units if it does not exist.
func (f *Farm) makeConsumer(ctx context.Context, id string) (jetstream.Consumer, error) {
	// The number of deliveries is not limited: beyond a limit, the server would keep the unit in the queue and never deliver it.
	// Instead, the coordinator counts how many workers failed at a unit (see decide).
	return f.tasks.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{Durable: consumerName(id), FilterSubject: taskSubject(id, ">"),
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: f.lease, MaxDeliver: -1, MaxAckPending: 1 << 16})
}

// close removes the units of a job from the queue and deletes its consumer.
func (f *Farm) close(ctx context.Context, id string) error {
	err := f.tasks.DeleteConsumer(ctx, consumerName(id))
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		err = nil
	}
	return errors.Join(f.tasks.Purge(ctx, jetstream.WithPurgeSubject(taskSubject(id, ">"))), err)
}

// wake makes idle workers look for units.
func (f *Farm) wake() error { return f.nc.Publish(wakeSubject, nil) }

// queue takes units from the jobs of the farm for one worker. The methods next, renew and wake may be called concurrently.
type queue struct {
	farm    *Farm
	woken   chan struct{}
	renewed atomic.Bool   // refresh must read the list of jobs again
	turn    chan struct{} // held by the slot that looks for a unit; guards the following fields

	shares    shares
	paused    map[string]bool
	consumers map[string]jetstream.Consumer
	watch     jetstream.KeyWatcher
	watched   time.Time // when watch began
	ends      chan ended
}

// ended reports that a unit of a job is finished.
type ended struct {
	job            string
	estimate, took time.Duration
}

const (
	quickLook = 10 * time.Millisecond // pause between the first looks for a unit, and after a wake
	slowLook  = time.Second           // longest pause: units that were handed back cause no wake
	rewatch   = 30 * time.Second      // time after which the list of jobs is read again
)

// newQueue returns the queue of a worker with the given number of slots. It receives wakes until ctx ends.
func newQueue(ctx context.Context, f *Farm, slots int) (*queue, error) {
	q := &queue{farm: f, woken: make(chan struct{}, 1), turn: make(chan struct{}, 1), ends: make(chan ended, slots)}
	wakes, err := f.nc.Subscribe(wakeSubject, func(*nats.Msg) { q.wake() })
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { _ = wakes.Unsubscribe() })
	return q, nil
}

func (q *queue) wake() {
	select {
	case q.woken <- struct{}{}:
	default: // a wake is already pending
	}
}

// renew makes the queue read the list of jobs again.
func (q *queue) renew() {
	q.renewed.Store(true)
	q.wake()
}

// next waits for a unit. The caller must call done when the unit is finished. If ctx ends, next returns its error.
func (q *queue) next(ctx context.Context) (msg jetstream.Msg, done func(), err error) {
	select {
	case q.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	defer func() { <-q.turn }()
	for wait := quickLook; ; wait = min(2*wait, slowLook) {
		if msg, done := q.look(ctx); msg != nil {
			return msg, done, nil
		}
		timer := time.NewTimer(wait)
		select {
		case <-q.woken:
			wait = quickLook
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
	}
}

// look returns a unit of the job that has used the least time, among the jobs that have units, or nil if no job has one.
func (q *queue) look(ctx context.Context) (jetstream.Msg, func()) {
	if err := q.refresh(ctx); err != nil {
		return nil, nil
	}
	empty := make(map[string]bool)
	for ctx.Err() == nil {
		id, ok := q.shares.next(func(id string) bool { return q.paused[id] || empty[id] })
		if !ok {
			break
		}
		msg, err := q.fetch(ctx, id)
		if err != nil {
			delete(q.consumers, id) // the job has ended, or the server does not answer
		}
		if msg == nil {
			empty[id] = true
			continue
		}
		estimate, began := q.shares.begin(id), time.Now()
		return msg, func() { q.ends <- ended{id, estimate, time.Since(began)} }
	}
	return nil, nil
}

// fetch returns a unit of a job, nil if the job has none in the queue.
func (q *queue) fetch(ctx context.Context, id string) (jetstream.Msg, error) {
	consumer := q.consumers[id]
	if consumer == nil {
		var err error
		if consumer, err = q.farm.tasks.Consumer(ctx, consumerName(id)); err != nil {
			return nil, err
		}
		q.consumers[id] = consumer
	}
	batch, err := consumer.FetchNoWait(1)
	if err != nil {
		return nil, err
	}
	msg := <-batch.Messages()
	return msg, batch.Error()
}

// refresh updates the list of jobs and the times that they have used.
func (q *queue) refresh(ctx context.Context) error {
	if renewed := q.renewed.Swap(false); renewed || q.watch == nil || time.Since(q.watched) > rewatch {
		q.close()
		var err error
		if q.watch, err = q.farm.jobs.Watch(ctx, jobKey("*")); err != nil {
			q.watch = nil
			return err
		}
		q.watched, q.paused, q.consumers = time.Now(), make(map[string]bool), make(map[string]jetstream.Consumer)
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
		case e := <-q.ends:
			q.shares.end(e.job, e.estimate, e.took)
		case entry, ok := <-q.watch.Updates():
			if !ok {
				q.watch = nil
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
		case entry, ok := <-q.watch.Updates():
			if !ok || entry == nil {
				return nil
			}
			q.take(entry)
		case <-ctx.Done(): // the server does not answer
			q.close()
			return ctx.Err()
		}
	}
}

// close stops watching the list of jobs. It must not be called while a slot looks for a unit.
func (q *queue) close() {
	if q.watch != nil {
		_ = q.watch.Stop()
		q.watch = nil
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
