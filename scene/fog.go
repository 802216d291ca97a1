package scene

import (
	"fmt"

	"pillbox/camera"
	"pillbox/internal/keytable"
	"pillbox/internal/tomltext"
	"pillbox/problem"
	"pillbox/shade"
)

// Fog mixes a color into the samples of a picture by their depth: the distance from the camera along the viewing
// direction, which [camera.View.Depth] returns. It is mixed in linear light, after lighting. The lines of an outline are
// in the fog, too. What a mirror shows is not: only the mirror itself is, at its own depth.
type Fog struct {
	Near, Far  FogDepth    // where the fog begins, and where it reaches its strength
	Color      shade.Color // linear light
	Strength   float64     // the share of the color at Far and beyond, 0..1
	Background bool        // whether rays that hit nothing see fog of the full strength before the background
}

// FogDepth is a depth of a fog.
type FogDepth struct {
	Auto  bool    // the depth of the nearest or the farthest point of the solids: see [Scene.Depths]
	Depth float64 // ignored if Auto is set
}

// For returns the fog in a view of s.
func (f *Fog) For(s *Scene, v *camera.View) shade.Fog {
	near, far := f.Near.Depth, f.Far.Depth
	if f.Near.Auto || f.Far.Auto {
		first, last := s.Depths(v)
		if f.Near.Auto {
			near = first
		}
		if f.Far.Auto {
			far = last
		}
	}
	return shade.Fog{Near: near, Far: far, Color: f.Color, Strength: f.Strength}
}

// Depths returns the smallest and the largest depth in a view of all points of the solids. A depth behind the camera
// counts as 0. Without solids, both are 0.
func (s *Scene) Depths(v *camera.View) (near, far float64) {
	origin, forward := v.Position(), v.Axes().Z.Neg()
	if s.Objects.Len() == 0 {
		return 0, 0
	}
	all := s.extent(nil, origin, forward)
	return max(0, all.low), max(0, all.high)
}

// checkDepths returns an error if the fog ends before it begins.
func (f *Fog) checkDepths() error {
	if !f.Near.Auto && !f.Far.Auto && !(f.Near.Depth < f.Far.Depth) {
		return fmt.Errorf("far: must be greater than near, %v, got %v", f.Near.Depth, f.Far.Depth)
	}
	return nil
}

// validateFog returns an error if s has a fog with a value that scene files do not allow.
func (s *Scene) validateFog() error {
	if s.Fog == nil {
		return nil
	}
	if err := s.Fog.checkDepths(); err != nil {
		return fmt.Errorf("fog.%w", err)
	}
	return fogKeys().Check("fog.", s.Fog)
}

// fog reads the table [fog].
func (l *loader) fog(v any) {
	t := l.Table("fog")
	f, _, ok := readOnce(t, v, fogKeys)
	if !ok {
		return
	}
	if t.Valid() && f.checkDepths() != nil {
		t.Wrong("far", problem.CodeNotAscending, "must be greater than near, %v", f.Near.Depth).Got("%v", f.Far.Depth)
	}
	l.scene.Fog = f
}

// unusedFog warns about a fog that does not affect the picture.
func (l *loader) unusedFog() {
	s := l.scene
	f := s.Fog
	if f == nil || l.failed() || s.Moves() {
		return
	}
	t := l.Table("fog")
	if f.Background && s.Image.Background.Transparent {
		t.Warn("background", problem.CodeUnusedKey, "has no effect: the background is transparent")
	}
	if f.Strength == 0 {
		t.Warn("strength", problem.CodeUnusedKey, "with strength 0, the fog has no effect")
		return
	}
	v, err := s.View(s.Image.Width, s.Image.Height)
	if err != nil || l.incomplete || s.Objects.Len() == 0 {
		return
	}
	first, last := s.Depths(v)
	switch {
	case !f.Near.Auto && !f.Background && !(f.Near.Depth < last):
		t.Warn("near", problem.CodeUnusedKey, "the fog has no effect: it begins at the depth %v, and the solids end at %.6g", f.Near.Depth, last)
	case !f.Far.Auto && f.Strength == 1 && f.Far.Depth < first:
		t.Warn("far", problem.CodeNoSolids, "the fog hides all solids: it reaches its full strength at the depth %v, and the solids begin at %.6g", f.Far.Depth, first)
	}
}

// autoDepth is the value of the keys near and far of [fog] for the depths of the solids.
const autoDepth = "auto"

// depthForm is a form for a FogDepth.
func depthForm() keytable.Form {
	return keytable.FormFor(readFogDepth,
		func(key string, d FogDepth) error {
			if d.Auto {
				return nil
			}
			return keytable.CheckNumber(key, d.Depth, depths())
		},
		func(_ *keytable.Writer, d FogDepth) string {
			if d.Auto {
				return tomltext.Quote(autoDepth)
			}
			return tomltext.Number(d.Depth)
		},
	).Is("Union[float, str]", keytable.MixDepths, func() *keytable.Schema { return keytable.AnyOf(keytable.NumberIn(depths()), keytable.OneOf(autoDepth)) }).Within(depths())
}

// readFogDepth reads a depth: a number or "auto".
func readFogDepth(t keytable.Table, key string, v any) FogDepth {
	if v == autoDepth {
		return FogDepth{Auto: true}
	}
	if d, ok := v.(FogDepth); ok { // from a track
		return d
	}
	if _, ok := keytable.Number(v); ok {
		return FogDepth{Depth: t.Number(key, v, depths())}
	}
	t.WrongType(key, v, `must be a depth or "auto"`)
	return FogDepth{}
}
