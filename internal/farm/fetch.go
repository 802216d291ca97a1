//go:build !js && !plan9

package farm

import (
	"context"
	"fmt"
	"io"

	"github.com/nats-io/nats.go/jetstream"

	"pillbox/animate"
	"pillbox/internal/parallel"
	"pillbox/scene"
)

// Output returns the description of the pictures of the job.
func (j *Job) Output() Output { return j.output }

// Detached reports whether the farm keeps the job when it is done, until [Job.Forget].
func (j *Job) Detached() bool { return j.keep }

// WriteShard waits for all units and writes them as the file of a single shard, which contains the whole plan.
// [Assemble] can read this file. WriteShard returns an error if [JobOptions.Output] does not match the job's shots. If
// some units cannot be rendered, the error lists them with the reasons. progress is called with the number of pixels
// written and the number of all pixels, unless it is nil.
func (j *Job) WriteShard(ctx context.Context, w io.Writer, progress func(done, all int)) error {
	s := &Shard{Format: Format, Plan: j.plan, Count: 1, Output: j.output}
	if err := s.validate(); err != nil { // see [JobOptions.Output]
		return fmt.Errorf("job %s was not submitted to be fetched: repeat the command that started it", j.ID)
	}
	if err := j.Wait(ctx); err != nil {
		return err
	}
	if err := j.Failures(); err != nil {
		return err
	}
	base, err := j.scenes.load(ctx, j.plan.Scene)
	if err != nil {
		return err
	}
	f := &shardWriter{w: w, shard: s, all: j.plan.pixels(), progress: progress}
	f.write([]byte(shardMagic))
	first := 0
	for i := range j.plan.Shots {
		note, err := j.note(base, i)
		if err != nil {
			return err
		}
		if err := j.writeShot(ctx, f, i, first, note); err != nil {
			return err
		}
		first += j.plan.countOf(i)
	}
	return f.finish()
}

// writeShot writes the units of a shot. first is the number of its first unit in the plan.
func (j *Job) writeShot(ctx context.Context, f *shardWriter, shot, first int, note string) error {
	units := j.units(shot)
	defer j.leave(shot)
	err := parallel.Each(ctx, fetchesAtOnce, len(units), func(ctx context.Context, k int) error {
		film, err := j.fetch(ctx, units[k])
		if err != nil {
			return err
		}
		if film == nil {
			return j.Failures()
		}
		return f.add(first+k, encode(film), note, sizeOf(units[k].Rect))
	})
	if err == nil {
		j.release(ctx, shot)
	}
	return err
}

// note returns the digest that identifies a frame of a film (see [animate.Digest]), or "" for other shots.
func (j *Job) note(base *scene.Scene, shot int) (string, error) {
	if shot >= j.output.Frames {
		return "", nil
	}
	s := &j.plan.Shots[shot]
	at, err := s.scene(base)
	if err != nil {
		return "", err
	}
	return animate.Digest(at, s.Size, s.Antialias), nil
}

// Forget deletes the queue, the results and the record of the job from the farm. Call it after the results were fetched,
// and then call Close. Another job with the same units has to render them again.
func (j *Job) Forget(ctx context.Context) error {
	// First the queue: a worker that gets a unit a second time renders it again if its result is gone.
	if err := j.farm.stopLeasing(ctx, j.ID); err != nil {
		return err
	}
	j.mu.Lock()
	var all []uint64
	for _, w := range j.byKey {
		if w.seq > 0 && (w.state.hasResult() || w.state == replaced) {
			all = append(all, w.seq)
		}
	}
	for _, key := range j.fetched {
		all = append(all, j.seen[key].seq)
	}
	var unknown []string
	if j.keep && !j.window.whole {
		var more []uint64
		more, unknown = j.outside()
		all = append(all, more...)
	}
	j.mu.Unlock()
	err := parallel.Each(ctx, fetchesAtOnce, len(unknown), func(ctx context.Context, i int) error {
		return j.farm.results.Purge(ctx, jetstream.WithPurgeSubject(resultSubject(j.group, unknown[i])))
	})
	if err != nil {
		return err
	}
	if err := j.discardAll(ctx, all); err != nil {
		return err
	}
	return j.farm.jobs.Purge(ctx, jobKey(j.ID))
}

// outside finds the results of units that are not in the window, and removes them from j.seen. The list all contains
// the sequence numbers of these results. The list unknown contains the keys of units that may have a result on the
// server although j.seen contains none. It is empty if j.seen is complete. The caller holds the lock.
func (j *Job) outside() (all []uint64, unknown []string) {
	for _, u := range j.plan.Units() {
		t := j.plan.task(u)
		key := t.key()
		s, ok := j.seen[key]
		switch {
		case j.byKey[key] != nil:
		case ok:
			all = append(all, s.seq)
			delete(j.seen, key) // several shots may have the unit
		case j.dropped:
			unknown = append(unknown, key)
		}
	}
	return all, unknown
}
