// Package animate renders the frames of a scene that moves and writes them as films: GIF, APNG, and
// raw video for programs that compress it.
//
// A [Film] selects frames of a scene: frame i shows the scene at the time i / FPS. [Film.Render] yields
// their pictures in order. It renders small frames several at a time, and large frames one after
// another on all processors; the pictures do not depend on this. A [Writer] receives one picture after
// another and keeps at most two in memory, so memory does not grow with the number of frames.
//
// Conventions: times are in seconds. Pictures have straight alpha; a film without transparency shows
// transparent pixels on black. A writer's output depends only on its settings and the pictures, and is
// the same on every machine.
package animate

import (
	"errors"
	"fmt"
	"image"
	"math"

	"pillbox"
	"pillbox/camera"
	"pillbox/geom"
	"pillbox/scene"
)

// Film is a range of frames of a scene.
type Film struct {
	Scene *scene.Scene
	FPS   float64 // frames a second
	First int     // number of the first frame
	End   int     // number of the frame after the last

	// If Turn is not zero, the camera circles once in Turn seconds around its up vector through a point,
	// counterclockwise as seen from the tip of the vector: see [scene.Scene.Turntable].
	Turn float64

	// Options control how every frame is rendered. Progress and Rows are ignored.
	Options pillbox.Options
}

// Len returns the number of frames.
func (f *Film) Len() int { return f.End - f.First }

// Time returns the time in seconds that the i-th frame of the film shows; i counts from 0 at frame
// First.
func (f *Film) Time(i int) float64 { return float64(f.First+i) / f.FPS }

// Size returns the size of the pictures.
func (f *Film) Size() (image.Point, error) { return f.Options.SizeOf(f.Scene) }

// Validate returns an error if Scene is nil, or if the film has no frame or more than [scene.MaxFrames]. It
// also returns an error if First, FPS, Turn or the size of the pictures is out of range.
func (f *Film) Validate() error {
	switch {
	case f.Scene == nil:
		return errors.New("want a scene, got nil")
	case !(f.FPS > 0) || math.IsInf(f.FPS, 0):
		return fmt.Errorf("frames a second must be positive and finite, got %v", f.FPS)
	case f.First < 0 || f.Len() < 1 || f.Len() > scene.MaxFrames:
		return fmt.Errorf("want 1 to %d frames, got those from %d to %d", scene.MaxFrames, f.First, f.End)
	case !(f.Turn >= 0) || math.IsInf(f.Turn, 0):
		return fmt.Errorf("a turn must take a positive and finite time, got %v", f.Turn)
	}
	_, err := f.Size()
	return err
}

// At returns the scene as the i-th frame shows it; i counts from 0 at frame First. It returns an error if
// [scene.Scene.At] or, when Turn is set, [Film.Size] returns one.
func (f *Film) At(i int) (*scene.Scene, error) {
	s, err := f.Scene.At(f.Time(i))
	if err != nil || f.Turn == 0 {
		return s, err
	}
	size, err := f.Options.SizeOf(s)
	if err != nil {
		return nil, err
	}
	turned := *s
	c, pivot, err := s.Turntable(size.X, size.Y)
	if err != nil {
		return nil, err
	}
	circle(&c, pivot, turnsAt(f.Time(i), f.Turn))
	turned.Camera = &c
	return &turned, nil
}

// turnsAt returns the fraction of a turn, from 0 up to 1, by which the camera has circled after the given
// time. The parameter turn is the time of one turn, in seconds. Whole turns do not count, so that the angle
// keeps its precision in long films.
func turnsAt(seconds, turn float64) float64 {
	n := seconds / turn
	return n - math.Floor(n)
}

// circle turns a camera around its up vector through a point, by a number of turns.
func circle(c *camera.Camera, pivot geom.Vec3, turns float64) {
	if m, ok := geom.RotationAxis(c.Up, geom.Angle(360*turns)); ok {
		c.Position = pivot.Add(m.MulVec(c.Position.Sub(pivot)))
		c.LookAt = pivot.Add(m.MulVec(c.LookAt.Sub(pivot)))
	}
}
