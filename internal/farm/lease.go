//go:build !js && !plan9

package farm

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A worker that takes a unit has a lease on the unit: for the time [Access.Lease], the server gives the unit to no
// other worker. The worker renews the lease while it renders. If the worker dies or loses its connection, the lease
// expires, and the server delivers the unit to another worker. JetStream calls the lease AckWait.

// consumerName returns the name of the JetStream consumer through which workers take the units of a job. Each job has
// its own, so that workers can choose between jobs.
func consumerName(id string) string { return "job-" + id }

// startLeasing lets workers take the units of a job, each with a lease of f.lease. It has no effect if they can already.
func (f *Farm) startLeasing(ctx context.Context, id string) error {
	// The number of deliveries is not limited: beyond a limit, the server would keep the unit in the queue and never
	// deliver it. Instead, the coordinator counts how many workers failed at a unit (see decide).
	_, err := f.tasks.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{Durable: consumerName(id), FilterSubject: taskSubject(id, ">"),
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: f.lease, MaxDeliver: -1, MaxAckPending: 1 << 16})
	return err
}

// stopLeasing removes the units of a job from the queue. Workers can take no more of them until startLeasing.
func (f *Farm) stopLeasing(ctx context.Context, id string) error {
	err := f.tasks.DeleteConsumer(ctx, consumerName(id))
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		err = nil
	}
	return errors.Join(f.tasks.Purge(ctx, jetstream.WithPurgeSubject(taskSubject(id, ">"))), err)
}

// renewLease renews the lease of a unit until stop is called, so that the server does not deliver the unit to another
// worker. The function stop also adds the unit and its number of pixels to the worker's statistics.
func (w *Worker) renewLease(msg jetstream.Msg, job, key string) (stop func(pixels int)) {
	began := time.Now()
	var beat *time.Timer
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running[key] = running{job, began}
	beat = time.AfterFunc(w.Farm.lease/3, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if _, ok := w.running[key]; ok {
			_ = msg.InProgress()
			beat.Reset(w.Farm.lease / 3)
		}
	})
	return func(pixels int) {
		beat.Stop()
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.running, key)
		w.units++
		w.pixels += pixels
		w.busy += time.Since(began)
	}
}
