package scene

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"unicode/utf8"

	"pillbox/internal/keytable"
	"pillbox/internal/text"
	"pillbox/internal/tomltext"
	"pillbox/shade"
)

// Validate returns an error if s cannot be rendered. The error begins with the key that the value would
// have in a scene file. The reasons are:
//
//   - Objects does not have one entry for each solid, or a solid fails its own Validate;
//   - a color of a surface, a light, the background, the outline, the fog or the ambient light has a channel outside 0..1,
//     the weight of a mirror is outside 0..1, the share of a ghost is not between 0 and 1, a ghost is a mirror, or the
//     size of a checker is out of range;
//   - bounces, samples, the distance of occlusion, or a light's position, radius, angle, cone or intensity, are out of
//     range, samples is neither 0 nor a power of two, or a light's direction is not of unit length;
//   - the width of the outline is out of range;
//   - the depths or the strength of the fog are out of range, or it ends before it begins;
//   - there are too many sections, a section's point, normal or hatch is out of range, or its Solids do not exist;
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
		s.validateSettings, s.validateFog, s.validateSections, s.validateLights, s.validateMaterials, s.validateSolids, s.validateOverlaps, s.validateAnnotations,
	}
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (s *Scene) validateSettings() error {
	return cmp.Or(backgroundForm().Check("image.background", &s.Image.Background), shadingKeys().Check("shading.", &s.Shading),
		occlusionKeys().Check(occlusionPath+".", &s.Shading.Occlusion), // also if it is not enabled

		checkOptional("outline.", outlineKeys(), s.Outline), s.checkColormap())
}

func (s *Scene) validateLights() error {
	keys := lightKeys()
	for i := range s.Lights {
		l := &s.Lights[i]
		if err := cmp.Or(l.checkEdge(), keys.Check("", l)); err != nil {
			return fmt.Errorf("light[%d].%w", i, err)
		}
	}
	return nil
}

func (l *Light) checkEdge() error {
	if l.IsSpot() && !(0 <= l.Cone.Edge && l.Cone.Edge <= l.Cone.Angle/2) && cones().Contain(l.Cone.Angle.Degrees()) {
		return fmt.Errorf("edge: must lie between 0 and half of cone, %v, got %v", l.Cone.Angle.Degrees()/2, l.Cone.Edge.Degrees())
	}
	return nil
}

// validatePicture returns an error if the scene's size, antialiasing or camera is invalid.
func (s *Scene) validatePicture() error {
	if err := imageKeys().Check("image.", &s.Image); err != nil {
		return err
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

func (s *Scene) validateMaterials() error {
	keys := materialKeys()
	for i := range s.Materials {
		if err := checkMaterial(keys, &s.Materials[i].Material); err != nil {
			return fmt.Errorf("material %q: %w", s.Materials[i].Name, err)
		}
	}
	isWrong := func(m shade.Material) bool { return checkMaterial(keys, &m) != nil }
	if !slices.ContainsFunc(s.Objects.materials, isWrong) {
		return nil
	}
	for i := range s.Objects.Len() {
		if err := checkMaterial(keys, s.Objects.Material(i)); err != nil {
			return fmt.Errorf("%s: %w", s.Key(i), err)
		}
	}
	return nil
}

func checkMaterial(keys keytable.Keys[shade.Material], m *shade.Material) error {
	if m.Ghost != nil && m.Mirror > 0 {
		return fmt.Errorf("ghost: %s", ghostMirror)
	}
	return keys.Check("", m)
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

// checkOptional is [keytable.Keys.Check] for a table that may be nil.
func checkOptional[T any](path string, keys keytable.Keys[T], x *T) error {
	if x == nil {
		return nil
	}
	return keys.Check(path, x)
}
