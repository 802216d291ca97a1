package course

import (
	"fmt"
	"strconv"
	"strings"

	"pillbox/geom"
	"pillbox/shapes"
)

// numberText writes a number so that it reads back to the same bits.
func numberText(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// list writes numbers with commas between them.
func list(xs ...float64) string {
	texts := make([]string, len(xs))
	for i, x := range xs {
		texts[i] = numberText(x)
	}
	return strings.Join(texts, ",")
}

func vecText(v geom.Vec3) string { return list(v.X, v.Y, v.Z) }

func rayText(r geom.Ray) string { return vecText(r.Origin) + "," + vecText(r.Dir) }

// tomlVec writes a vector as a scene has it.
func tomlVec(v geom.Vec3) string { return "[" + strings.ReplaceAll(vecText(v), ",", ", ") + "]" }

// toml writes a solid as a table of a scene.
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

// label returns how a scene of one solid calls it.
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

// deriveLine derives a ray and a solid.
func deriveLine(q *lineQuestion) Derivation {
	return Derivation{
		Args:  []string{"explain", "-", "--ray=" + rayText(q.ray), "--solid", label(q.shape), "--section", "tests,hit,line"},
		Stdin: toml(q.shape),
	}
}

// Command returns the derivation as a command for a POSIX shell.
func (d Derivation) Command() string {
	var b strings.Builder
	b.WriteString("render")
	for _, a := range d.Args {
		b.WriteString(" " + quoteShell(a))
	}
	if d.Stdin != "" {
		b.WriteString(" <<'END'\n" + d.Stdin + "END")
	}
	return b.String()
}

// quoteShell returns a word as a POSIX shell reads it.
func quoteShell(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_=,./+:", r)
	}
	if s != "" && strings.TrimFunc(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
