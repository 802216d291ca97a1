package follow

import (
	"sync"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes"
)

// Ghosts are the ghosts of a scene. They are not in its [World], because they neither block light nor end a ray.
type Ghosts struct {
	GhostWorld
	hulls []int32 // for each object, the number of its hull; 0 for an object that is no ghost

	all func() *accel.BVH // the tree over all solids, built when it is first needed
}

// GhostWorld answers queries about the rays that meet ghosts. It is an [accel.BVH] or an [accel.BruteForce].
type GhostWorld interface {
	NearestIfAny(p *geom.Packet, hits []accel.Hit) int
	TraverseNearest(r geom.Ray, p accel.Probe) accel.Hit
	Layers(r geom.Ray, tMax float64, hulls []int32, hits []accel.Hit) []accel.Hit
	Shape(object int32) shapes.Shape
}

// opaque returns the solids of a scene that end rays: all but the ghosts, as sections cut them. If lit is set, they are those
// that block light.
func opaque(s *scene.Scene, lit bool) accel.Source {
	given := sourceOf(s, lit)
	if s.Objects.HasGhosts() {
		given.Omit = func(number int32) bool { return s.Objects.IsGhost(int(number)) }
	}
	return given
}

// ghosts returns the ghosts of a scene, as sections cut them.
func ghosts(s *scene.Scene) accel.Source {
	given := sourceOf(s, false)
	given.Omit = func(number int32) bool { return !s.Objects.IsGhost(int(number)) }
	return given
}

// newGhosts returns the ghosts of a scene, or nil if it has none.
func newGhosts(s *scene.Scene) *Ghosts {
	hulls := hullsOf(s)
	if hulls == nil {
		return nil
	}
	return &Ghosts{accel.New(ghosts(s)), hulls, sync.OnceValue(func() *accel.BVH { return accel.New(sourceOf(s, false)) })}
}

// Tree returns the bounding-volume hierarchy over all solids of the scene, including ghosts, as sections cut them. The world of s must be an
// [accel.BVH].
func (s *Prepared) Tree() *accel.BVH {
	if s.Ghosts != nil {
		return s.Ghosts.all()
	}
	return s.World.(*accel.BVH)
}

// hullsOf returns the number of the hull of each object, or nil if there are no ghosts.
func hullsOf(s *scene.Scene) (hulls []int32) {
	if !s.Objects.HasGhosts() {
		return nil
	}
	known := make(map[shade.Surface]int32)
	for i := range s.Objects.Len() {
		if !s.Objects.IsGhost(i) {
			continue
		}
		if hulls == nil {
			hulls = make([]int32, s.Objects.Len())
		}
		look := s.Objects.Material(i).Surface()
		if known[look] == 0 {
			known[look] = int32(len(known)) + 1
		}
		hulls[i] = known[look]
	}
	return hulls
}

// Hull returns the number of the hull of an object, or 0 if it is no ghost.
func (g *Ghosts) Hull(object int32) int32 { return g.hulls[object] }

// Before appends the points before the distance reach at which a ray enters the hulls of ghosts, the nearest first, at most
// [accel.MaxLayers].
func (g *Ghosts) Before(r geom.Ray, reach float64, hits []accel.Hit) []accel.Hit {
	return g.Layers(r, reach, g.hulls, hits)
}
