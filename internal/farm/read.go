//go:build !js && !plan9

package farm

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Whatever a worker or a viewer reads, it requests message by message. It creates no consumer: a consumer sends messages
// to any subject that its creator names, so whoever may create one may do everything. See [Role].

// scan calls take with the messages of a stream whose subjects match a pattern, in their order, from the sequence number
// first on. It returns the number that follows the last message.
func (f *Farm) scan(ctx context.Context, stream, pattern string, first uint64, take func(*jetstream.RawStreamMsg)) (next uint64, err error) {
	for next = first; ; {
		msg, err := f.streams[stream].GetMsg(ctx, max(next, 1), jetstream.WithGetMsgSubject(pattern))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return next, nil
		}
		if err != nil {
			return next, err
		}
		take(msg)
		next = msg.Sequence + 1
	}
}

// keyValue is a value of the jobs bucket, or the mark that it was deleted.
type keyValue struct {
	key     string
	value   []byte
	deleted bool
}

// keyPrefix is what the subjects of the jobs bucket begin with. The key follows.
const keyPrefix = "$KV." + jobsBucket + "."

func keyValueOf(msg *jetstream.RawStreamMsg) keyValue {
	return keyValue{key: msg.Subject[len(keyPrefix):], value: msg.Data, deleted: msg.Header.Get("KV-Operation") != ""}
}

// entries calls take with the entries of the jobs bucket whose keys match a pattern, in the order of their last changes,
// from the revision first on. It returns the revision that follows the last one.
func (f *Farm) entries(ctx context.Context, pattern string, first uint64, take func(keyValue)) (next uint64, err error) {
	return f.scan(ctx, "KV_"+jobsBucket, keyPrefix+pattern, first, func(msg *jetstream.RawStreamMsg) { take(keyValueOf(msg)) })
}

// watchTime is the time between two looks at an entry that is watched.
const watchTime = 250 * time.Millisecond

// watch calls take, until ctx ends, with the current entries of some keys: at first and then every watchTime.
func (f *Farm) watch(ctx context.Context, take func(keyValue), keys ...string) {
	for ; ctx.Err() == nil; pause(ctx, watchTime) {
		for _, key := range keys {
			if msg, err := f.streams["KV_"+jobsBucket].GetLastMsgForSubject(ctx, keyPrefix+key); err == nil {
				take(keyValueOf(msg))
			}
		}
	}
}

// chunks returns the contents of a stored file. The error for more bytes than its recorded size comes before they are read.
func (f *Farm) chunks(ctx context.Context, info *jetstream.ObjectInfo) ([]byte, error) {
	var data bytes.Buffer
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	_, err := f.scan(ctx, "OBJ_"+filesBucket, "$O."+filesBucket+".C."+info.NUID, 0, func(msg *jetstream.RawStreamMsg) {
		if data.Write(msg.Data); uint64(data.Len()) > info.Size {
			cancel(fmt.Errorf("file %.12s... has more than its recorded %d bytes", info.Name, info.Size))
		}
	})
	return data.Bytes(), cmp.Or(context.Cause(ctx), err)
}
