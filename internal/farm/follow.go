//go:build !js && !plan9

package farm

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// followRecord ends the job when its record is canceled, or deleted by [Purge], and updates j.paused. It returns when the
// job ends.
func (j *Job) followRecord() {
	j.farm.watch(j.ctx, func(e keyValue) {
		var r jobRecord
		switch err := unmarshal(e.value, &r); {
		case e.deleted, err == nil && r.Canceled:
			j.stop(ErrCanceled)
		case err == nil:
			j.paused.Store(r.Paused)
		}
	}, jobKey(j.ID))
}

// follow calls take for every message of a stream until the job ends. If no message arrives for j.patience, it reads the
// stream again from the start, so take must accept messages that it has handled before. The returned channel is closed
// when take has handled all messages that existed at the start.
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
			msg, err := messages.Next(jetstream.NextMaxWait(j.patience()))
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
			// The server does not answer, or no message has arrived: a message can be lost when one server of a cluster
			// fails. So read the stream again.
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

// messages starts to read a stream. Reading ends when the server has lost data or the job ends.
func (j *Job) messages(stream string, config jetstream.OrderedConsumerConfig) (jetstream.Consumer, jetstream.MessagesContext, error) {
	consumer, err := j.farm.js.OrderedConsumer(j.ctx, stream, config)
	if err != nil {
		return nil, nil, err
	}
	messages, err := consumer.Messages()
	if err != nil {
		return nil, nil, err
	}
	context.AfterFunc(j.currentEpoch(), messages.Stop)
	return consumer, messages, nil
}

// readAll calls take for every message that a stream contains. Programs can delete messages meanwhile.
func (f *Farm) readAll(ctx context.Context, stream string, config jetstream.OrderedConsumerConfig, take func(jetstream.Msg, *jetstream.MsgMetadata)) error {
	consumer, err := f.js.OrderedConsumer(ctx, stream, config)
	if err != nil {
		return err
	}
	left := consumer.CachedInfo().NumPending
	if left == 0 {
		return nil
	}
	messages, err := consumer.Messages()
	if err != nil {
		return err
	}
	defer messages.Stop()
	for empty := false; left > 0; {
		msg, err := messages.Next(jetstream.NextMaxWait(time.Second))
		if errors.Is(err, nats.ErrTimeout) && !empty { // the messages that were left may be deleted
			info, err := consumer.Info(ctx)
			if err != nil {
				return err
			}
			empty = info.NumPending == 0 // but some can have arrived since the timeout
			continue
		}
		if errors.Is(err, nats.ErrTimeout) {
			return nil
		}
		if err != nil {
			return err
		}
		meta, err := msg.Metadata()
		if err != nil {
			return err
		}
		take(msg, meta)
		left, empty = meta.NumPending, false
	}
	return nil
}
