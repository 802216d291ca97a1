package regress

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/text"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes"
)

// changes collects what differs between two tables of a scene file.
type changes struct {
	actions []Action
	keys    []Change
}

func (c *changes) add(a Action, key, from, to string) {
	c.keys = append(c.keys, Change{key, from, to})
	if !slices.Contains(c.actions, a) {
		c.actions = append(c.actions, a)
	}
}

func (c *changes) number(a Action, key string, from, to float64) {
	if from != to {
		c.add(a, key, format(from), format(to))
	}
}

func (c *changes) integer(key string, from, to int) {
	c.number(ActionChanged, key, float64(from), float64(to))
}

func (c *changes) vector(a Action, key string, from, to geom.Vec3) {
	c.number(a, key+"[0]", from.X, to.X)
	c.number(a, key+"[1]", from.Y, to.Y)
	c.number(a, key+"[2]", from.Z, to.Z)
}

func (c *changes) color(a Action, key string, from, to shade.Color) {
	if from == to {
		return
	}
	f, t := sRGB(from), sRGB(to)
	if f == t {
		// Less than a step of 8 bits.
		f, t = linear(from), linear(to)
	}
	c.add(a, key, f, t)
}

// ambient compares ambient light.
func (c *changes) ambient(from, to shade.Gradient) {
	switch {
	case from == to:
	case from.IsEven() && to.IsEven():
		c.light("ambient", from.Top, to.Top)
	case from.IsEven() || to.IsEven():
		c.add(ActionChanged, "ambient", describeLight(from), describeLight(to))
	default:
		c.light("ambient.top", from.Top, to.Top)
		c.light("ambient.bottom", from.Bottom, to.Bottom)
	}
}

// light writes gray light as the number that scene files take for it.
func (c *changes) light(key string, from, to shade.Color) {
	if isGray(from) && isGray(to) {
		c.number(ActionChanged, key, from.R, to.R)
		return
	}
	c.color(ActionChanged, key, from, to)
}

func isGray(c shade.Color) bool { return c == shade.Gray(c.R) }

func describeLight(g shade.Gradient) string {
	text := func(c shade.Color) string {
		if isGray(c) {
			return format(c.R)
		}
		return sRGB(c)
	}
	if g.IsEven() {
		return text(g.Top)
	}
	return text(g.Top) + " over " + text(g.Bottom)
}

func (c *changes) text(a Action, key, from, to string) {
	if from != to {
		c.add(a, key, from, to)
	}
}

// rotation says only by how much it changed: a scene does not keep which of the ways to
// write a rotation its file has chosen.
func (c *changes) rotation(from, to geom.Mat3) {
	if from != to {
		// Six digits are what the matrices hold of a small angle, and alike on every machine.
		c.add(ActionTurned, "rotation", "", fmt.Sprintf("by %.6g°", angleBetween(from, to)))
	}
}

// angleBetween returns the angle in degrees of the rotation that leads from a to b. The
// Frobenius norm of their difference is 2 sqrt(2) times the sine of half of it, which stays
// accurate for small angles, unlike the trace.
func angleBetween(a, b geom.Mat3) float64 {
	norm := math.Sqrt(a.X.Sub(b.X).Norm2() + a.Y.Sub(b.Y).Norm2() + a.Z.Sub(b.Z).Norm2())
	return 2 * math.Asin(min(1, norm/(2*math.Sqrt2))) * (180 / math.Pi)
}

// format writes a number the way a scene file would.
func format(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func sRGB(c shade.Color) string {
	return fmt.Sprintf("#%02x%02x%02x", shade.Encode8(c.R), shade.Encode8(c.G), shade.Encode8(c.B))
}

func linear(c shade.Color) string {
	return fmt.Sprintf("linear [%s, %s, %s]", format(c.R), format(c.G), format(c.B))
}

// compareSolids returns what differs between two solids.
func compareSolids(a, b *solid) *changes {
	c := new(changes)
	if a.kind != b.kind {
		c.add(ActionReshaped, "kind", a.kind.String(), b.kind.String())
	} else {
		c.shape(a.shape, b.shape)
	}
	c.color(ActionRecolored, "color", a.material.Albedo, b.material.Albedo)
	c.number(ActionRefinished, "mirror", a.material.Mirror, b.material.Mirror)
	c.checker(a.material.Checker, b.material.Checker)
	c.text(ActionRenamed, "name", strconv.Quote(a.name), strconv.Quote(b.name))
	return c
}

// checker compares two checkers, each nil if there is none.
func (c *changes) checker(a, b *shade.Checker) {
	switch {
	case a == nil && b == nil:
	case a == nil || b == nil:
		c.add(ActionRefinished, "checker", describeChecker(a), describeChecker(b))
	default:
		c.color(ActionRecolored, "checker.color", a.Albedo, b.Albedo)
		c.number(ActionRefinished, "checker.size", a.Size, b.Size)
	}
}

func describeChecker(c *shade.Checker) string {
	if c == nil {
		return "none"
	}
	return sRGB(c.Albedo) + " of size " + format(c.Size)
}

// shape compares two shapes of one kind.
func (c *changes) shape(a, b any) {
	switch a := a.(type) {
	case shapes.Sphere:
		b := b.(shapes.Sphere)
		c.vector(ActionMoved, "center", a.Center, b.Center)
		c.number(ActionResized, "radius", a.Radius, b.Radius)
	case shapes.Capsule:
		b := b.(shapes.Capsule)
		c.vector(ActionMoved, "a", a.A, b.A)
		c.vector(ActionMoved, "b", a.B, b.B)
		c.number(ActionResized, "radius", a.Radius, b.Radius)
	case shapes.Box:
		b := b.(shapes.Box)
		c.vector(ActionMoved, "center", a.Center, b.Center)
		c.vector(ActionResized, "half_extents", a.HalfExtents, b.HalfExtents)
		c.rotation(a.Rotation, b.Rotation)
	}
}

// compareLights returns what differs between two lights of one kind.
func compareLights(a, b *scene.Light) *changes {
	c := new(changes)
	c.text(ActionChanged, "attach", attachment(a), attachment(b))
	if a.Directional {
		c.vector(ActionTurned, "direction", a.Direction, b.Direction)
	} else {
		c.vector(ActionMoved, "position", a.Position, b.Position)
	}
	c.color(ActionRecolored, "color", a.Color, b.Color)
	c.number(ActionChanged, "intensity", a.Intensity, b.Intensity)
	c.text(ActionRenamed, "name", strconv.Quote(a.Name), strconv.Quote(b.Name))
	return c
}

func attachment(l *scene.Light) string {
	if l.Attached {
		return "camera"
	}
	return "none"
}

// compareCameras returns what differs between two cameras, each nil if the scene has none.
func compareCameras(a, b *camera.Camera) *changes {
	c := new(changes)
	switch {
	case a == nil && b == nil:
	case a == nil:
		c.actions = []Action{ActionAdded}
	case b == nil:
		c.actions = []Action{ActionRemoved}
	default:
		c.text(ActionChanged, "projection", a.Projection.String(), b.Projection.String())
		c.vector(ActionMoved, "position", a.Position, b.Position)
		c.vector(ActionTurned, "look_at", a.LookAt, b.LookAt)
		c.vector(ActionTurned, "up", a.Up, b.Up)
		c.number(ActionChanged, "fov", a.FOV.Degrees(), b.FOV.Degrees())
		c.number(ActionChanged, "view_height", a.ViewHeight, b.ViewHeight)
	}
	return c
}

func compareBackgrounds(a, b *scene.Background) *changes {
	c := new(changes)
	if a.Transparent != b.Transparent {
		c.text(ActionChanged, "background", describe(a), describe(b))
		return c
	}
	if a.Transparent {
		return c
	}
	c.color(ActionChanged, "top", a.Top, b.Top)
	c.color(ActionChanged, "bottom", a.Bottom, b.Bottom)
	return c
}

func describe(b *scene.Background) string {
	switch {
	case b.Transparent:
		return "transparent"
	case b.Top == b.Bottom:
		return sRGB(b.Top)
	}
	return sRGB(b.Top) + " over " + sRGB(b.Bottom)
}

// String returns the change as people write it: a[1] -1 to -0.9.
func (c Change) String() string {
	if c.From == "" {
		return c.Key + " " + c.To
	}
	return c.Key + " " + c.From + " to " + c.To
}

// String returns the cause and its changes: capsule "arm" moved (a[1] -1 to -0.9). A long
// list of changes is cut short.
func (c Cause) String() string {
	words := c.Label + " " + joined(c.Actions) + c.changes()
	if c.Solids > 0 {
		words += ": " + text.Count(c.Solids, "solid") + " " + joined(c.SolidActions)
	}
	return words
}

func joined(actions []Action) string {
	names := make([]string, len(actions))
	for i, a := range actions {
		names[i] = string(a)
	}
	return text.Series(names, "and")
}

// changes lists the changes, in parentheses.
func (c *Cause) changes() string {
	if len(c.Changes) == 0 {
		return ""
	}
	keys := make([]string, 0, len(c.Changes))
	for _, k := range c.Changes {
		// The ambient light's only key is ambient.
		keys = append(keys, strings.TrimPrefix(k.String(), c.Label+" "))
	}
	return " (" + shorten(keys, ", ", "more") + ")"
}
