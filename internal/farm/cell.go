//go:build !js && !plan9

package farm

import (
	"context"
	"errors"
	"fmt"
	"image"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"pillbox/scene"
)

// cell returns the size of units. It is the size in the options, if there is one. Otherwise it is the size in an
// earlier job with the same scene, picture size and antialiasing, so that both jobs have the same units. If there was
// no such job, cell measures how long units take.
func (j *Job) cell(ctx context.Context) (image.Point, error) {
	own := j.opt.Cell
	most := j.farm.maxUnit()
	if own != (image.Point{}) {
		if own.X < 1 || own.Y < 1 || own.X*own.Y > most {
			return own, fmt.Errorf("units of %d x %d pixels, which a message of the server cannot hold", own.X, own.Y)
		}
		return own, nil
	}
	name := "cell." + j.group
	entry, err := j.farm.jobs.Get(ctx, name)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		if own, err = j.measure(ctx, most); err != nil {
			return own, err
		}
		if _, err = j.farm.jobs.Create(ctx, name, marshal(own)); err == nil {
			return own, nil
		}
		entry, err = j.farm.jobs.Get(ctx, name) // another program was faster
	}
	if err == nil {
		err = unmarshal(entry.Value(), &own)
	}
	if err == nil && (own.X < 1 || own.Y < 1 || own.X > scene.MaxSide || own.Y > scene.MaxSide || own.X*own.Y > most) {
		err = fmt.Errorf("the farm has units of %d x %d pixels for this picture, which cannot be", own.X, own.Y)
	}
	return own, err
}

// measure renders small samples of the first shot and returns a size of units. A unit should take about unitTime. If
// the job then had fewer units than the constant many, the units are smaller, but each still takes about the time
// least or longer. A unit has at most most pixels.
func (j *Job) measure(ctx context.Context, most int) (image.Point, error) {
	const (
		unitTime = 2 * time.Second
		least    = 200 * time.Millisecond // distributing a unit costs a few milliseconds
		many     = 64
		side     = 16 // of a sample, in pixels
		tries    = 4
	)
	shot := j.plan.Shots[0]
	size := shot.Region.Size()
	t := j.plan.task(Unit{0, shot.Region})
	if _, err := j.scenes.prepared(ctx, t); err != nil {
		return size, err
	}
	began, pixels := time.Now(), 0
	for i := range tries * tries {
		at := image.Pt(i%tries, i/tries)
		corner := shot.Region.Min.Add(image.Pt(size.X*at.X/tries, size.Y*at.Y/tries))
		t.Region = image.Rectangle{corner, corner.Add(image.Pt(side, side))}.Intersect(shot.Region)
		if _, err := j.scenes.render(ctx, t, 1); err != nil {
			return size, err
		}
		pixels += sizeOf(t.Region)
	}
	rate := float64(pixels) / time.Since(began).Seconds()
	n := min(rate*unitTime.Seconds(), max(rate*least.Seconds(), float64(j.plan.pixels())/many), float64(most))
	return cellOf(shot.Size, int(n)), nil
}

// cellOf returns the size of a unit with about n pixels in a picture of the given size. The unit is the whole picture,
// full rows or a square, in this order of preference. If n is less than edge x edge, the unit is edge pixels wide, or as
// wide as the picture if that is narrower.
func cellOf(size image.Point, n int) image.Point {
	const edge = 16 // sides of units are multiples of it where possible
	switch {
	case n >= size.X*size.Y:
		return size
	case n >= edge*size.X:
		return image.Pt(size.X, n/size.X/edge*edge)
	}
	side := edge
	for (side+edge)*(side+edge) <= n {
		side += edge
	}
	return image.Pt(min(side, size.X), min(side, max(1, n/min(side, size.X))))
}
