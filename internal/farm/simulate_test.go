//go:build !js && !plan9

package farm

import (
	"context"
	"image"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"pillbox"
)

// answerAtOnce takes all units of a job from the queue, and stores the same pixel as the result of each. The units
// must have one pixel. This is much cheaper than a [Worker], so tests can simulate jobs long enough to show whether
// memory grows. The function stop ends it.
func answerAtOnce(t testing.TB, j *Job, f *Farm) (stop func()) {
	t.Helper()
	consumer, err := f.tasks.Consumer(t.Context(), consumerName(j.ID))
	if err != nil {
		t.Fatal(err)
	}
	data := encode(&pillbox.Film{Image: image.NewNRGBA(image.Rect(0, 0, 1, 1))})
	ctx, cancel := context.WithCancel(context.Background())
	var working sync.WaitGroup
	working.Go(func() {
		const batch = 500
		for ctx.Err() == nil {
			units, err := consumer.Fetch(batch, jetstream.FetchMaxWait(time.Second))
			if err != nil {
				pause(ctx, 100*time.Millisecond)
				continue
			}
			for msg := range units.Messages() {
				if _, err := f.js.PublishMsgAsync(f.resultMessage(j.group, keyOf(msg.Subject()), "simulated", data), jetstream.WithStallWait(time.Minute)); err != nil {
					t.Error(err)
				}
				if err := msg.Ack(); err != nil {
					t.Error(err)
				}
			}
		}
	})
	stop = sync.OnceFunc(func() { cancel(); working.Wait() })
	t.Cleanup(stop)
	return stop
}
