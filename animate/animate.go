// Package animate renders the frames of a scene that moves and writes them as films: GIF, APNG, and
// raw video for programs that compress it.
//
// A [Film] says which frames there are: frame i shows its scene at the time i / FPS. [Film.Render]
// yields their pictures in order. It renders several frames at once where they are small and one
// after the other on all processors where they are large; no picture depends on that. A writer takes
// one picture after the other and holds one or two, so the memory of a film does not grow with its
// frames.
//
// Conventions: times are in seconds. Pictures have straight alpha; a film without transparency shows
// what is transparent on black. What a writer writes is a function of the pictures, their size and the
// frames a second alone, the same on every machine.
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

// Film is some frames of a scene.
type Film struct {
	Scene *scene.Scene
	FPS   float64 // frames a second
	First int     // frame
	End   int     // the frame behind the last

	// Turn, if not zero, is how many seconds the camera takes to circle once about the point that it
	// looks at, counter-clockwise seen from where its up vector points. A scene without a camera
	// is circled as it is framed.
	Turn float64

	// Options control how every frame is rendered. Progress and Rows are ignored.
	Options pillbox.Options
}

// Len returns the number of frames.
func (f *Film) Len() int { return f.End - f.First }

// Time returns the seconds that the i-th frame of the film shows.
func (f *Film) Time(i int) float64 { return float64(f.First+i) / f.FPS }

// Size returns the size of the pictures.
func (f *Film) Size() (image.Point, error) { return f.Options.SizeOf(f.Scene) }

// Validate returns an error if there are no frames, or not as many as a scene may have, or if a number
// is out of range.
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

// At returns the scene of the i-th frame. The error is that of [scene.Scene.At].
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
	c := s.CameraFor(size.X, size.Y)
	circle(&c, turnsAt(f.Time(i), f.Turn))
	turned.Camera = &c
	return &turned, nil
}

// turnsAt returns the share of a turn, 0 to 1, that is done after some seconds. Whole turns are left
// out, so that the last digits of an angle are there however long a film is.
func turnsAt(seconds, turn float64) float64 {
	n := seconds / turn
	return n - math.Floor(n)
}

// circle moves a camera about the point that it looks at.
func circle(c *camera.Camera, turns float64) {
	if m, ok := geom.RotationAxis(c.Up, geom.Angle(360*turns)); ok {
		c.Position = c.LookAt.Add(m.MulVec(c.Position.Sub(c.LookAt)))
	}
}
