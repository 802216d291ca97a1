package scene

import (
	"fmt"
	"math"
	"path"
	"slices"
	"unicode/utf8"

	"pillbox/geom"
	"pillbox/internal/text"
	"pillbox/internal/tomltext"
	"pillbox/shade"
)

// Validate returns an error if s cannot be rendered. The error begins with the key that the value would
// have in a scene file. The reasons are:
//
//   - Objects does not have one entry for each solid, or a solid fails its own Validate;
//   - a color of a surface, a light, the background, the outline or the ambient light has a channel outside 0..1,
//     the weight of a mirror is outside 0..1, or the size of a checker is out of range;
//   - bounces, samples, the distance of occlusion, or a light's position, radius, angle, cone or intensity, are out of
//     range, samples is neither 0 nor a power of two, or a light's direction is not of unit length;
//   - the width of the outline is out of range;
//   - AllowedOverlaps has too many entries or invalid patterns;
//   - an annotation has a value that scene files do not allow.
//
// NaN is always out of range. Validate does not check the size of the picture, antialiasing and the
// camera, because options of the renderer can replace them; the renderer checks these. Scenes that this
// package decodes are always valid.
func (s *Scene) Validate() error {
	if n := s.Number(kindCount, 0); s.Objects.Len() != n {
		return fmt.Errorf("a scene of %d solids must have as many objects, got %d", n, s.Objects.Len())
	}
	checks := [...]func() error{
		s.Image.Background.validate, s.Shading.validate, s.validateOutline, s.validateLights, s.validateMaterials, s.validateSolids, s.validateOverlaps, s.validateAnnotations,
	}
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (b *Background) validate() error {
	if b.Transparent {
		return nil
	}
	return checkGradient("image.background", b.Gradient)
}

func (s *Shading) validate() error {
	if n := float64(s.Bounces); !bounces().contain(n) {
		return fmt.Errorf("shading.bounces: %s, got %d", bounces().requirement(n), s.Bounces)
	}
	if n := float64(s.Samples); s.Samples != 0 && !samples().contain(n) {
		return fmt.Errorf("shading.samples: %s, got %d", samples().requirement(n), s.Samples)
	}
	if s.Samples&(s.Samples-1) != 0 {
		return fmt.Errorf("shading.samples: %s, got %d", notPowerOfTwo(s.Samples), s.Samples)
	}
	if d := s.Occlusion.Distance; d != 0 && !sizes().contain(d) {
		return fmt.Errorf("shading.occlusion.distance: %s, got %v", sizes().requirement(d), d)
	}
	return checkGradient("shading.ambient", s.Ambient)
}

func (s *Scene) validateLights() error {
	for i := range s.Lights {
		if err := validateLight(&s.Lights[i].Light); err != nil {
			return fmt.Errorf("light[%d].%w", i, err)
		}
	}
	return nil
}

// validatePicture returns an error if the scene's size, antialiasing or camera is invalid.
func (s *Scene) validatePicture() error {
	for _, c := range []struct {
		key   string
		value int
		limit limits
	}{{"width", s.Image.Width, sides()}, {"height", s.Image.Height, sides()}, {"antialias", s.Image.Antialias, antialiases()}} {
		if x := float64(c.value); !c.limit.contain(x) {
			return fmt.Errorf("image.%s: %s, got %d", c.key, c.limit.requirement(x), c.value)
		}
	}
	if n := s.Image.Width * s.Image.Height; n > MaxPixels {
		return fmt.Errorf("image: a picture has at most %d pixels, got %d", MaxPixels, n)
	}
	if _, err := s.View(s.Image.Width, s.Image.Height); err != nil {
		return fmt.Errorf("camera: %w", err)
	}
	return nil
}

// validateNames returns an error if a name is too long for scene files, if two of the solids and lights have the same
// name, or if two materials do. Names of solids in nested placements can be too long, because they consist of several
// names.
func (s *Scene) validateNames() error {
	holders := make(map[string]string)
	claim := func(name, place string) error {
		if len(name) > MaxName && utf8.RuneCountInString(name) > MaxName {
			return fmt.Errorf("%s.name: "+tooLong+", got %d in %q: shorten the name, or those of the placements that it consists of",
				place, MaxName, utf8.RuneCountInString(name), text.ShortenMiddle(name))
		}
		if first, duplicate := holders[name]; duplicate {
			return fmt.Errorf("%s.name: "+notUnique+", got %q", place, first, name)
		}
		if name != "" {
			holders[name] = place
		}
		return nil
	}
	for number := range s.Objects.Len() {
		if err := claim(s.Objects.Name(number), s.Key(number)); err != nil {
			return err
		}
	}
	for i := range s.Lights {
		if err := claim(s.Lights[i].Name, fmt.Sprintf("light[%d]", i)); err != nil {
			return err
		}
	}
	clear(holders)
	for _, m := range s.Materials {
		if err := claim(m.Name, "material."+tomltext.QuoteKey(text.ShortenMiddle(m.Name))); err != nil {
			return err
		}
	}
	return nil
}

// maxLengthError is the largest difference from 1 of the length of a light's direction: a few thousand
// rounding errors, but much less than one step of an 8-bit color.
const maxLengthError = 0x1p-40

func validateLight(l *shade.Light) error {
	switch {
	case !l.Directional && !geom.IsCoordinate(l.Position):
		return fmt.Errorf("position: coordinates must be finite and at most %g in magnitude, got %v", geom.MaxCoordinate, l.Position)
	case (l.Directional || l.IsSpot()) && !(math.Abs(l.Direction.Norm()-1) <= maxLengthError): // also for NaN
		return fmt.Errorf("direction: must have length 1, got %v", l.Direction)
	case l.IsSpot() && !cones().contain(l.Cone.Angle.Degrees()):
		return fmt.Errorf("cone: %s, got %v", cones().requirement(l.Cone.Angle.Degrees()), l.Cone.Angle.Degrees())
	case l.IsSpot() && !(0 <= l.Cone.Edge && l.Cone.Edge <= l.Cone.Angle/2):
		return fmt.Errorf("edge: must lie between 0 and half of cone, %v, got %v", l.Cone.Angle.Degrees()/2, l.Cone.Edge.Degrees())
	case !l.Directional && !lightRadii().contain(l.Radius):
		return fmt.Errorf("radius: %s, got %v", lightRadii().requirement(l.Radius), l.Radius)
	case l.Directional && !lightAngles().contain(l.Angle.Degrees()):
		return fmt.Errorf("angle: %s, got %v", lightAngles().requirement(l.Angle.Degrees()), l.Angle.Degrees())
	case !intensities().contain(l.Intensity):
		return fmt.Errorf("intensity: %s, got %v", intensities().requirement(l.Intensity), l.Intensity)
	}
	return checkColor("color", l.Color)
}

func (s *Scene) validateMaterials() error {
	for i := range s.Materials {
		if err := validateMaterial(&s.Materials[i].Material); err != nil {
			return fmt.Errorf("material %q: %w", s.Materials[i].Name, err)
		}
	}
	isWrong := func(m shade.Material) bool { return validateMaterial(&m) != nil }
	if !slices.ContainsFunc(s.Objects.materials, isWrong) {
		return nil
	}
	for i := range s.Objects.Len() {
		if err := validateMaterial(s.Objects.Material(i)); err != nil {
			return fmt.Errorf("%s: %w", s.Key(i), err)
		}
	}
	return nil
}

func validateMaterial(m *shade.Material) error {
	if !fractions().contain(m.Mirror) {
		return fmt.Errorf("mirror: %s, got %v", fractions().requirement(m.Mirror), m.Mirror)
	}
	if c := m.Checker; c != nil {
		if !sizes().contain(c.Size) {
			return fmt.Errorf("checker.size: %s, got %v", sizes().requirement(c.Size), c.Size)
		}
		if err := checkColor("checker.color", c.Albedo); err != nil {
			return err
		}
	}
	return checkColor("color", m.Albedo)
}

func checkGradient(key string, g shade.Gradient) error {
	if err := checkColor(key+".top", g.Top); err != nil {
		return err
	}
	return checkColor(key+".bottom", g.Bottom)
}

// checkColor returns an error if a channel of c is outside 0 to 1.
func checkColor(key string, c shade.Color) error {
	for i, v := range [3]float64{c.R, c.G, c.B} {
		if !fractions().contain(v) {
			return fmt.Errorf("%s: %s %s, got %v", key, [3]string{"red", "green", "blue"}[i], fractions().requirement(v), v)
		}
	}
	return nil
}

func (s *Scene) validateSolids() error {
	for _, row := range kindTable() {
		if err := row.validate(s); err != nil {
			return err
		}
	}
	return nil
}

func (s *Scene) validateOverlaps() error {
	if n := len(s.AllowedOverlaps); n > MaxAllowedOverlaps {
		return fmt.Errorf("overlaps.allow: must have at most %d pairs, got %d", MaxAllowedOverlaps, n)
	}
	for i, pair := range s.AllowedOverlaps {
		for k, pattern := range pair {
			if _, err := path.Match(pattern, ""); err != nil {
				return fmt.Errorf("overlaps.allow[%d][%d]: %w, got %q", i, k, err, pattern)
			}
		}
	}
	return nil
}
