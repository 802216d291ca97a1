package course

import (
	"fmt"
	"strconv"
	"strings"

	"pillbox/geom"
	"pillbox/internal/text"
	"pillbox/shapes"
)

// numberText formats a number so that parsing it gives the same bits.
func numberText(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// list formats numbers separated by commas.
func list(xs ...float64) string {
	texts := make([]string, len(xs))
	for i, x := range xs {
		texts[i] = numberText(x)
	}
	return strings.Join(texts, ",")
}

func vecText(v geom.Vec3) string { return list(v.X, v.Y, v.Z) }

func rayText(r geom.Ray) string { return vecText(r.Origin) + "," + vecText(r.Dir) }

// tomlVec formats a vector as TOML.
func tomlVec(v geom.Vec3) string { return "[" + strings.ReplaceAll(vecText(v), ",", ", ") + "]" }

// toml formats a solid as a table of a scene.
func toml(s shapes.Shape) string {
	switch s := s.(type) {
	case *shapes.Sphere:
		return fmt.Sprintf("[[sphere]]\ncenter = %s\nradius = %s\n", tomlVec(s.Center), numberText(s.Radius))
	case *shapes.Capsule:
		return fmt.Sprintf("[[capsule]]\na = %s\nb = %s\nradius = %s\n", tomlVec(s.A), tomlVec(s.B), numberText(s.Radius))
	case *shapes.Cylinder:
		return fmt.Sprintf("[[cylinder]]\na = %s\nb = %s\nradius = %s\n", tomlVec(s.A), tomlVec(s.B), numberText(s.Radius))
	case *shapes.Box:
		m := s.Rotation
		return fmt.Sprintf("[[box]]\ncenter = %s\nhalf_extents = %s\naxes = [%s, %s, %s]\n",
			tomlVec(s.Center), tomlVec(s.HalfExtents), tomlVec(m.X), tomlVec(m.Y), tomlVec(m.Z))
	}
	panic("course: a solid of an unknown kind")
}

// label returns the name that messages use for the only solid of a scene.
func label(s shapes.Shape) string {
	switch s.(type) {
	case *shapes.Sphere:
		return "sphere[0]"
	case *shapes.Capsule:
		return "capsule[0]"
	case *shapes.Box:
		return "box[0]"
	case *shapes.Cylinder:
		return "cylinder[0]"
	}
	panic("course: a solid of an unknown kind")
}

// deriveLine returns the derivation of a question about a ray and a solid.
func deriveLine(q *lineQuestion) Derivation {
	return Derivation{
		Args:  []string{"explain", "-", "--ray=" + rayText(q.ray), "--solid", label(q.shape), "--section", "tests,hit,line"},
		Stdin: toml(q.shape),
	}
}

// Command formats the derivation as a command for a POSIX shell.
func (d Derivation) Command() string {
	var b strings.Builder
	b.WriteString("render")
	for _, a := range d.Args {
		b.WriteString(" " + text.ShellQuoted(a))
	}
	if d.Stdin != "" {
		b.WriteString(" <<'END'\n" + d.Stdin + "END")
	}
	return b.String()
}
