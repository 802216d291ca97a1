package play

import (
	"pillbox/explain"
	"pillbox/internal/accel"
	"pillbox/internal/follow"
)

// Bounds of an explanation. Walks are recorded in full before anything can be told of them.
const (
	maxPaths = 20_000    // rays
	maxSteps = 2_000_000 // visits of nodes and solids, as estimated from the center of the pixel
	maxTold  = 100_000   // size of the explanation: a visit counts as one, and
	derived  = 50        // the derivation of a solid's roots takes as long as so many looks
)

// counter counts the steps of a walk.
type counter int

func (c *counter) Node(accel.NodeStep)   { *c++ }
func (c *counter) Solid(accel.SolidStep) { *c++ }

// limitPaths returns an error if an explanation would be too large to be made.
func (p *picture) limitPaths(r *explainRequest) error {
	s := p.moment.scene
	rays := (s.Shading.Bounces + 1) * (1 + len(s.Lights))
	if r.Pixel != nil {
		rays *= p.antialias * p.antialias
	}
	if rays > maxPaths {
		return refused("that takes up to %d rays, and %d at most are explained; take fewer lights or samples", rays, maxPaths)
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
	prepared.Intersect(prepared.CameraRay(middle.Ray(0, 0)), &steps)
	if n := int(steps) * rays; n > maxSteps {
		return refused("that takes about %d steps through the tree, and %d at most are explained; take fewer solids, lights or samples", n, maxSteps)
	}
	return nil
}

// limitTold returns an error if an explanation would be too long.
func (q *question) limitTold() error {
	n := pathLength(q.path)
	if x, ok := q.explanation.(*explain.Segment); ok {
		for _, t := range x.Solids {
			n++
			if t.Touches {
				n += derived
			}
		}
	}
	if n > maxTold {
		return refused("that would be too long: so many solids lie on the way")
	}
	return nil
}

// pathLength returns how much is reported of a path, its lights and its mirrors.
func pathLength(p *follow.Path) int {
	n := 0
	for ; p != nil; p = p.Mirror {
		n += walkLength(&p.Walk)
		for i := range p.Lights {
			n += walkLength(p.Lights[i].Walk)
		}
	}
	return n
}

func walkLength(w *follow.Walk) int {
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
