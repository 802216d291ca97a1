package play

import (
	"pillbox/explain"
	"pillbox/internal/accel"
	"pillbox/internal/follow"
	"pillbox/scene"
)

// Limits of an explanation. maxPaths is checked before rays are traced, and maxLength afterwards. [explain.MaxSteps] holds, too.
const (
	maxPaths  = 20_000  // rays
	maxLength = 100_000 // length of the explanation, in visits of nodes and solids
	derived   = 50      // length of the derivation of a solid's roots, in the same unit
)

// limitPaths returns an error if computing an explanation would take too long.
func (p *picture) limitPaths(r *explainRequest) error {
	s := p.moment.scene
	rays := (s.Shading.Bounces + 1) * raysAtPoint(s)
	if r.Pixel != nil {
		if _, err := p.pixel(r.Pixel[0], r.Pixel[1]); err != nil {
			return err
		}
		rays *= p.antialias * p.antialias
	}
	if rays > maxPaths {
		return refused("the explanation takes up to %d rays, want at most %d; use fewer lights or samples", rays, maxPaths)
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
