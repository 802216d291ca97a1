package play

import (
	"pillbox/explain"
	"pillbox/internal/accel"
	"pillbox/internal/follow"
	"pillbox/scene"
)

// Limits of an explanation. maxPaths and maxSteps are checked before traversals are recorded, because only a complete
// recording can be summarized. maxLength is checked afterwards.
const (
	maxPaths  = 20_000    // rays
	maxSteps  = 2_000_000 // visits of nodes and solids, estimated from the ray through the pixel's center
	maxLength = 100_000   // length of the explanation, in visits of nodes and solids
	derived   = 50        // length of the derivation of a solid's roots, in the same unit
)

// counter counts the steps of a traversal.
type counter int

func (c *counter) Node(accel.NodeStep)   { *c++ }
func (c *counter) Solid(accel.SolidStep) { *c++ }

// limitPaths returns an error if computing an explanation would take too long.
func (p *picture) limitPaths(r *explainRequest) error {
	s := p.moment.scene
	rays := (s.Shading.Bounces + 1) * raysAtPoint(s)
	if r.Pixel != nil {
		rays *= p.antialias * p.antialias
	}
	if rays > maxPaths {
		return refused("the explanation takes up to %d rays, want at most %d; use fewer lights or samples", rays, maxPaths)
	}
	if r.Pixel == nil {
		return nil
	}
	at, err := p.pixel(r.Pixel[0], r.Pixel[1])
	if err != nil {
		return err
	}
	prepared, err := p.trace()
	if err != nil {
		return err
	}
	middle := prepared.PixelRays(at, 1)
	var steps counter
	prepared.Intersect(prepared.CameraRay(middle.SampleRay(0, 0)), follow.PositionOf(&middle, 0), &steps)
	if n := int(steps) * rays; n > maxSteps {
		return refused("the explanation takes about %d steps through the tree, want at most %d; use fewer solids, lights or samples", n, maxSteps)
	}
	return nil
}

// raysAtPoint returns the largest number of rays of a path for one of its ends: the ray that leads there, and those to
// the lights and into the sky. Each sample of a light with a size or of the sky is a ray.
func raysAtPoint(s *scene.Scene) int {
	samples := s.Shading.SampleCount()
	n := 1
	for i := range s.Lights {
		if s.Lights[i].HasSize() {
			n += samples
		} else {
			n++
		}
	}
	if s.Shading.Occlusion.Enabled {
		n += samples
	}
	return n
}

// limitLength returns an error if an explanation would be too long.
func (q *question) limitLength() error {
	n := pathLength(q.path)
	if x, ok := q.explanation.(*explain.Segment); ok {
		for _, t := range x.Solids {
			n++
			if t.Touches {
				n += derived
			}
		}
	}
	if n > maxLength {
		return refused("the explanation is too long: the ray passes too many solids")
	}
	return nil
}

// pathLength returns the length of the explanation of a path, including its lights and mirrors.
func pathLength(p *follow.Path) int {
	n := 0
	for ; p != nil; p = p.Mirror {
		n += traversalLength(&p.Traversal)
		for i := range p.Lights {
			n += traversalLength(p.Lights[i].Traversal)
		}
	}
	return n
}

func traversalLength(w *follow.Traversal) int {
	if w == nil {
		return 0
	}
	n := len(w.Steps)
	for _, s := range w.Steps {
		if s.Solid != nil && s.Solid.Outcome != accel.Missed {
			n += derived
		}
	}
	return n
}
