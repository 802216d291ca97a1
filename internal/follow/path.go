package follow

import (
	"slices"

	"pillbox/internal/accel"
	"pillbox/internal/sampler"
	"pillbox/shade"
)

// Path is a ray, its interaction, and everything that contributes to its color.
type Path struct {
	// Interaction is where the ray ends. If it ends at the background, the only other fields that are
	// set are Traversal, Color and Seen.
	Interaction
	Traversal Traversal // the traversal of the tree, if traversals are recorded

	Material   shade.Material
	Albedo     shade.Color   // that of the material or, on every other square of a checkered face, that of the checker
	Occlusion  *Occlusion    // what hides ambient light; nil if the scene has no ambient occlusion
	Lights     []LightSample // one for each light of the prepared scene
	Irradiance shade.Color   // the sum of the light that arrives: ambient light and that of all lights
	Matte      shade.Color   // the light that the matte surface reflects: Albedo times Irradiance

	// Mirror is the path of the mirror ray; nil if the material has no mirror or the limit of bounces
	// is reached.
	Mirror *Path

	// Fog is the fog before the end of the ray; nil for a mirror ray, and if the scene has no fog there.
	Fog *FogSample

	// Ghosts are the points before the end of the ray at which it enters hulls of ghosts, the nearest first. Each is a path
	// that ends there, without other ghosts.
	Ghosts []*Path
	Behind shade.Color // the color at the end of the ray, without the ghosts before it; not clamped

	Color shade.Color // not clamped; multiplied by Alpha
	Alpha float64     // 1, or the opacity of the ghosts if the ray ends at a transparent background
	Seen  bool        // false if the ray ends at a transparent background
}

// Recorder records every step of the traversals while rays are followed, which makes it several times as slow. nil records
// where each ray ends and the colors. A recorder is for one goroutine.
type Recorder struct{ left int }

// Record returns a recorder for at most the given number of steps. The beginning of each traversal counts as a step, too.
func Record(steps int) *Recorder { return &Recorder{steps} }

// IsFull reports whether there were more steps. Then a path lacks steps, lights and mirrors, and its colors are wrong.
func (r *Recorder) IsFull() bool { return r != nil && r.left < 0 }

// begin returns an empty traversal; nil if none is recorded.
func (r *Recorder) begin() *Traversal {
	if r == nil {
		return nil
	}
	r.left--
	return &Traversal{recorder: r}
}

// probe returns the probe that records a traversal; nil for nil.
func (w *Traversal) probe() accel.Probe {
	if w == nil {
		return nil
	}
	return w
}

// finished returns a traversal that was recorded; an empty one for nil.
func (w *Traversal) finished() Traversal {
	if w == nil {
		return Traversal{}
	}
	return Traversal{Steps: w.Steps}
}

// Traversal is a traversal of the tree, step by step. The zero value records any number of steps.
type Traversal struct {
	Steps    []TraversalStep
	recorder *Recorder // bounds the steps; nil: nothing does
}

// TraversalStep is a visit of a node or, if Solid is not nil, the test of a solid.
type TraversalStep struct {
	Node  *accel.NodeStep
	Solid *accel.SolidStep
}

// Node implements [accel.Probe].
func (w *Traversal) Node(s accel.NodeStep) { w.addStep(TraversalStep{Node: &s}) }

// Solid implements [accel.Probe].
func (w *Traversal) Solid(s accel.SolidStep) { w.addStep(TraversalStep{Solid: &s}) }

// addStep appends a step unless the recorder is full.
func (w *Traversal) addStep(s TraversalStep) {
	if w.recorder != nil {
		w.recorder.left--
	}
	if !w.recorder.IsFull() {
		w.Steps = append(w.Steps, s)
	}
}

// Tally counts the steps of a traversal by their outcome. The root counts as entered: it contains all solids, so it is
// not tested.
type Tally struct {
	Nodes   int // all of them
	Entered int
	Missed  int
	Farther int // skipped because they are farther than a hit
	Beyond  int // skipped because they are farther than the light
	Solids  int // that are tested
}

// Tally counts the steps.
func (w *Traversal) Tally() Tally {
	var n Tally
	found := false
	for _, s := range w.Steps {
		if s.Solid != nil {
			n.Solids++
			found = found || s.Solid.Outcome == accel.Accepted
			continue
		}
		n.Nodes++
		switch {
		case s.Node.Outcome == accel.Entered:
			n.Entered++
		case s.Node.Outcome == accel.Missed:
			n.Missed++
		case found:
			n.Farther++
		default:
			n.Beyond++
		}
	}
	return n
}

// Follow traces a ray of [Prepared.CameraRay] or [Prepared.ViewerRay] to its closest hit, and casts shadow rays from
// there to the lights. If the hit is on a mirror, it also follows the reflected ray, up to the scene's limit of
// bounces. The fog of the scene lies in front of what the ray hits, but not of what mirrors show. The argument at is the position
// in the picture at which the ray starts: see [PositionOf]. It determines which points of lights and which directions of ambient
// occlusion are sampled. Follow ends early when the recorder is full.
func (s *Prepared) Follow(d accel.SecondaryRay, at sampler.Position, record *Recorder) *Path {
	w := record.begin()
	p := &Path{Interaction: s.Intersect(d, at, w.probe()), Traversal: w.finished()}
	s.shade(p, record)
	return p
}

// shade computes the color of p and of its mirror paths.
func (s *Prepared) shade(p *Path, record *Recorder) {
	if record.IsFull() {
		return
	}
	switch {
	case p.IsSolid():
		s.shadeSolid(p, record)
	case p.Light > 0:
		p.Color, p.Seen = s.Glow(p.Light-1, p.Ray.Dir), true
	default:
		p.Color, p.Seen = s.Background(p.Ray.Dir)
	}
	s.addFog(p)
	p.Behind = p.Color
	if p.Seen {
		p.Alpha = 1
	}
	if s.Ghosts != nil {
		s.addGhosts(p, record)
	}
}

// addGhosts adds the ghosts before the end of p to its color, from back to front.
func (s *Prepared) addGhosts(p *Path, record *Recorder) {
	for _, hit := range s.Ghosts.Before(p.Ray, p.Hit.T, nil) {
		g := &Path{Interaction: s.InteractionOf(p.SecondaryRay, p.At, hit)}
		g.Depth = p.Depth
		s.shadeSolid(g, record)
		s.addFog(g)
		g.Behind, g.Alpha = g.Color, 1
		p.Ghosts = append(p.Ghosts, g)
	}
	for _, g := range slices.Backward(p.Ghosts) {
		p.Color = g.Material.Ghost.Veil(p.Color, g.Color)
		if p.Alpha < 1 {
			p.Alpha = g.Material.Ghost.VeilAlpha(p.Alpha)
		}
	}
}

// shadeSolid computes the color of the surface at the end of p, and that of its mirror paths.
func (s *Prepared) shadeSolid(p *Path, record *Recorder) {
	p.Seen = true
	p.Material = *s.material(&p.Interaction)
	p.Albedo = s.Albedo(&p.Hit)
	p.Irradiance, p.Occlusion = s.ambient(&p.Interaction)
	for i := range s.Lights {
		if record.IsFull() {
			return
		}
		a := s.SampleLight(&p.Interaction, i, record)
		if a.Visibility.Arrives() {
			p.Irradiance = p.Irradiance.Add(a.Irradiance)
		}
		p.Lights = append(p.Lights, a)
	}
	p.Matte = shade.Lambert(p.Albedo, p.Irradiance)
	p.Color = p.Matte
	if s.Mirrors(&p.Interaction) {
		w := record.begin()
		p.Mirror = &Path{Interaction: s.Reflect(&p.Interaction, w.probe()), Traversal: w.finished()}
		s.shade(p.Mirror, record)
		p.Color = p.Matte.Mix(p.Mirror.Color, p.Material.Mirror)
	}
}
