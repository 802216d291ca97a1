package follow

import (
	"math"

	"pillbox/geom"
	"pillbox/shade"
)

// FogSample is the fog before the end of a camera ray.
type FogSample struct {
	Depth float64     // of the end of the ray; infinite at the background
	Share float64     // of the fog in the color
	Clear shade.Color // the color without the fog
}

// Fogged returns the color c of a camera ray that hits a solid at p, with the scene's fog in front.
func (s *Prepared) Fogged(c shade.Color, p geom.Vec3) shade.Color {
	if s.Fog == nil {
		return c
	}
	return s.Fog.Over(c, s.View.Depth(p))
}

// Backdrop returns the color of a camera ray that hits nothing: the [Prepared.Background], with fog in front if the
// scene's fog includes the background.
func (s *Prepared) Backdrop(dir geom.Vec3) (c shade.Color, seen bool) {
	c, seen = s.Background(dir)
	if seen && s.fogsBackground() {
		c = s.Fog.Over(c, math.Inf(1))
	}
	return c, seen
}

func (s *Prepared) fogsBackground() bool { return s.Fog != nil && s.Scene.Fog.Background }

// addFog adds the fog to the color at the end of a path that starts at the camera.
func (s *Prepared) addFog(p *Path) {
	if s.Fog == nil || !p.Seen || p.Depth > 0 {
		return
	}
	depth := math.Inf(1)
	if p.IsSolid() {
		depth = s.View.Depth(p.Hit.Point)
	} else if !s.fogsBackground() {
		return
	}
	p.Fog = &FogSample{Depth: depth, Share: s.Fog.Share(depth), Clear: p.Color}
	p.Color = s.Fog.Over(p.Color, depth)
}
