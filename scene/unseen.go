package scene

import (
	"fmt"
	"math"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/keytable"
	"pillbox/problem"
)

// sight tells what a view shows.
type sight struct {
	*camera.View
	width, height float64
}

// flaw returns why the picture does not show a point, or "" if it does.
func (s *sight) flaw(p geom.Vec3) string {
	x, y, depth := s.Project(p)
	switch {
	case !(depth > 0):
		return "behind the camera"
	case !(x >= 0 && x <= s.width && y >= 0 && y <= s.height):
		return "outside the picture"
	}
	return ""
}

// lineFlaw returns what the picture does not show of a line between two points, or "" if it shows the whole line.
func (s *sight) lineFlaw(from, to geom.Vec3) string {
	first, last := s.flaw(from), s.flaw(to)
	switch {
	case from == to:
		return "has no effect: its ends are the same point"
	case first != "" && last != "" && s.misses(from, to):
		return "has no effect: the line is " + first
	case first != "" && last != "":
		return fmt.Sprintf("is cut: from is %s, to is %s", first, last)
	case first != "":
		return "is cut: from is " + first
	case last != "":
		return "is cut: to is " + last
	}
	return ""
}

// misses reports whether no point of a line lies in the picture. Its ends do not.
func (s *sight) misses(from, to geom.Vec3) bool {
	const steps = 256
	for i := range steps {
		if s.flaw(from.AddScaled((float64(i)+0.5)/steps, to.Sub(from))) == "" {
			return false
		}
	}
	return true
}

// unseen warns about annotations that the picture does not show, or not entirely.
func (l *loader) unseen() {
	s := l.scene
	a := &s.Annotations
	if a.IsEmpty() || l.failed() || l.incomplete || s.Moves() {
		return
	}
	view, err := s.View(s.Image.Width, s.Image.Height)
	if err != nil {
		return // the error is reported elsewhere
	}
	in := &sight{view, float64(s.Image.Width), float64(s.Image.Height)}
	if x := a.Title; x != nil {
		if flaw := in.textFlaw(&x.Lettering, x.Text, true); flaw != "" {
			l.Table("title").Warn("text", problem.CodeUnusedKey, "%s", flaw)
		}
	}
	warnEach(s.noteTables.labels, a.Labels, func(x *Label) string {
		if flaw := in.flaw(x.At); flaw != "" {
			return "has no effect: its point is " + flaw
		}
		return in.textFlaw(&x.Lettering, x.Text, false)
	})
	warnEach(s.noteTables.dimensions, a.Dimensions, func(x *Dimension) string { return in.dimensionFlaw(s, x) })
	warnEach(s.noteTables.lines, a.Lines, func(x *Line) string { return in.lineFlaw(x.From.At, x.To.At) })
	warnEach(s.noteTables.angles, a.Angles, in.angleFlaw)
	warnEach(s.noteTables.markers, a.Markers, func(x *Marker) string {
		if flaw := in.flaw(x.At.At); flaw != "" {
			return "has no effect: its point is " + flaw
		}
		return ""
	})
}

// warnEach warns about annotations of one kind for which the function flaw returns a text. Copies of an annotation in a
// part share a table, which gets one warning: that of the first copy with a flaw.
func warnEach[T any](tables []keytable.Table, list []T, flaw func(*T) string) {
	type tally struct {
		flaw          string
		flawed, total int
	}
	if len(tables) != len(list) {
		return
	}
	tallies := make(map[keytable.Table]*tally)
	var order []keytable.Table
	for i := range list {
		t := tallies[tables[i]]
		if t == nil {
			t = new(tally)
			tallies[tables[i]], order = t, append(order, tables[i])
		}
		t.total++
		if found := flaw(&list[i]); found != "" {
			if t.flawed++; t.flaw == "" {
				t.flaw = found
			}
		}
	}
	for _, at := range order {
		switch t := tallies[at]; {
		case t.flawed == 0:
		case t.total == 1:
			at.Warn("", problem.CodeUnusedKey, "%s", t.flaw)
		default:
			at.Warn("", problem.CodeUnusedKey, "in %d of %d copies: %s", t.flawed, t.total, t.flaw)
		}
	}
}

// textFlaw returns that a text is wider or higher than the picture, or "".
func (s *sight) textFlaw(l *Lettering, caption string, bold bool) string {
	w, h := l.box(caption, bold, 1)
	switch {
	case w > s.width:
		return fmt.Sprintf("is cut: the text is %.0f pixels wide, and the picture %.0f; use a smaller size, or \\n to begin a new line", math.Ceil(w), s.width)
	case h > s.height:
		return fmt.Sprintf("is cut: the text is %.0f pixels high, and the picture %.0f; use a smaller size", math.Ceil(h), s.height)
	}
	return ""
}

func (s *sight) dimensionFlaw(scene *Scene, d *Dimension) string {
	if d.Across != "" {
		if flaw := s.flaw(scene.Solid(d.Solid).Bounds().Center().Add(d.Offset)); flaw == "behind the camera" {
			return "has no effect: its solid is " + flaw
		}
		return ""
	}
	from, to := d.From.Add(d.Offset), d.To.Add(d.Offset)
	flaw := s.lineFlaw(from, to)
	x, y, first := s.Project(from)
	u, v, last := s.Project(to)
	if first > 0 && last > 0 {
		if away := math.Sqrt(float64((u-x)*(u-x)) + float64((v-y)*(v-y))); from != to && !(away > 1) {
			return "has no effect: the picture shows its line from the end, as a point"
		}
		// The number is beside the middle of the line in the picture.
		if at := [2]float64{(x + u) / 2, (y + v) / 2}; flaw != "" && !(at[0] >= 0 && at[0] <= s.width && at[1] >= 0 && at[1] <= s.height) {
			return "has no number: the middle of its line is outside the picture"
		}
	}
	return flaw
}

func (s *sight) angleFlaw(a *Angle) string {
	from, to, ok := a.Legs()
	switch {
	case !ok:
		return "has no effect: at is the same point as from or to"
	case from == to:
		return "has no effect: the angle is 0"
	}
	for _, p := range []geom.Vec3{a.At.At, a.At.At.AddScaled(a.Arc(), from), a.At.At.AddScaled(a.Arc(), to)} {
		if flaw := s.flaw(p); flaw != "" {
			return "is cut, or not drawn at all: a part of it is " + flaw
		}
	}
	return ""
}
