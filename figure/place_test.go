package figure_test

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pillbox/internal/fixture/effort"
	"pillbox/internal/geom2"
	"pillbox/internal/ink"
	"pillbox/internal/typeface"
	"pillbox/problem"
	"pillbox/scene"
)

// area is a box in a picture.
type area struct{ min, max ink.Point }

// areaOf returns the box of a text of usual letters: as wide as the text, and as high as its highest and lowest letters.
func areaOf(t *ink.Text) area {
	face := typeface.Styled(t.Bold, t.Italic)
	em := t.Size / float64(face.UnitsPerEm())
	up, down := 0, 0
	for _, r := range t.Text {
		letter, _ := face.Index(r)
		least, most := face.Bounds(letter)
		up, down = min(up, least.Y), max(down, most.Y)
	}
	return area{t.At.Add(ink.Point{Y: em * float64(up)}), t.At.Add(ink.Point{X: em * float64(face.Width(t.Text)), Y: em * float64(down)})}
}

func (a area) overlaps(b area) bool {
	return a.min.X < b.max.X && b.min.X < a.max.X && a.min.Y < b.max.Y && b.min.Y < a.max.Y
}

// grown returns the area with a margin on all sides.
func (a area) grown(by float64) area {
	d := ink.Point{X: by, Y: by}
	return area{a.min.Sub(d), a.max.Add(d)}
}

// isStruck reports whether a point of a mark lies in the box.
func (a area) isStruck(m ink.Mark) bool {
	return slices.ContainsFunc(polygonsOf(m), func(p []ink.Point) bool {
		p = geom2.Clip(p, func(q ink.Point) float64 { return a.min.X - q.X })
		p = geom2.Clip(p, func(q ink.Point) float64 { return q.X - a.max.X })
		p = geom2.Clip(p, func(q ink.Point) float64 { return a.min.Y - q.Y })
		p = geom2.Clip(p, func(q ink.Point) float64 { return q.Y - a.max.Y })
		return len(p) > 0
	})
}

// polygonsOf returns convex polygons that cover a line with its heads, or an area. Joints and round ends are squares.
func polygonsOf(m ink.Mark) (all [][]ink.Point) {
	switch m := m.(type) {
	case *ink.Line:
		half := m.Width / 2
		for i, p := range m.Points {
			if m.Round || 0 < i && i < len(m.Points)-1 {
				inner := half / math.Sqrt2 // a square inside the disc
				all = append(all, geom2.Rect(p.X-inner, p.Y-inner, p.X+inner, p.Y+inner).Corners())
			}
			if i > 0 && p != m.Points[i-1] {
				q := m.Points[i-1]
				side := p.Sub(q).Scale(half / p.Sub(q).Norm()).Right()
				all = append(all, []ink.Point{p.Add(side), q.Add(side), q.Sub(side), p.Sub(side)})
			}
		}
		return append(all, m.Heads...)
	case *ink.Fill:
		return [][]ink.Point{m.Points}
	}
	return nil
}

// annotatedScene returns a scene with n random annotations of each kind.
func annotatedScene(rng *rand.Rand, n int) string {
	var b strings.Builder
	c := randomPinhole(rng)
	b.WriteString(c.toml())
	b.WriteString("axes = { length = 2, size = 12 }\ntitle = { text = \"title\", size = 14 }\n")
	corner := func() string { return []string{"top-left", "top-right", "bottom-left", "bottom-right"}[rng.IntN(4)] }
	fmt.Fprintf(&b, "legend = { texts = [\"steel\"], materials = [\"m\"], size = 11, corner = %q }\n", corner())
	fmt.Fprintf(&b, "colormap = { label = \"range\", range = [0, 10], length = 60, size = 11, corner = %q }\n", corner())
	fmt.Fprintf(&b, "scale_bar = { length = 1, unit = \"cm\", size = 11, corner = %q%s }\n", corner(), map[bool]string{false: ", depth = 8"}[c.parallel])
	b.WriteString("material.m = { color = \"red\" }\nsphere = [{ name = \"ball\", center = [0, 0, 0], radius = 0.7, value = 3 }, { center = [1, 0, 0], radius = 0.5, material = \"m\" }]\n")
	hidden := []string{"draw", "dash", "hide"}
	list := func(table string, entry func(i int) string) {
		var all []string
		for i := range n {
			all = append(all, "{ "+entry(i)+" }")
		}
		fmt.Fprintf(&b, "%s = [%s]\n", table, strings.Join(all, ", "))
	}
	list("label", func(i int) string {
		return fmt.Sprintf("text = \"label %d\", at = %s, offset = [%d, %d], leader = %v, size = 11, hidden = %q", i, toml(vector(rng, 4)), rng.IntN(60)-30, rng.IntN(60)-30, rng.IntN(2) == 0, hidden[rng.IntN(3)])
	})
	list("dimension", func(i int) string {
		return fmt.Sprintf("text = \"dimension %d\", from = %s, to = %s, offset = %s, size = 10, hidden = %q", i, toml(vector(rng, 4)), toml(vector(rng, 4)), toml(vector(rng, 1)), hidden[rng.IntN(3)])
	})
	list("line", func(int) string {
		return fmt.Sprintf("from = %s, to = %s, width = %v, heads = \"end\"", toml(vector(rng, 5)), toml(vector(rng, 5)), 1+2*rng.Float64())
	})
	list("angle", func(i int) string {
		return fmt.Sprintf("text = \"angle %d\", at = %s, from = %s, to = %s, radius = 0.6, size = 11", i, toml(vector(rng, 3)), toml(vector(rng, 4)), toml(vector(rng, 4)))
	})
	list("marker", func(int) string {
		return fmt.Sprintf("at = %s, size = 8, shape = %q", toml(vector(rng, 4)), []string{"dot", "circle", "cross", "square"}[rng.IntN(4)])
	})
	return b.String()
}

// tables are the annotations to which the texts of [annotatedScene] belong that do not name them.
var tables = map[string]string{
	"x": "axes 0", "y": "axes 1", "z": "axes 2", "title": "title 0", "steel": "legend 0", "1 cm": "scale_bar 0",
	"range": "colormap 0", "0": "colormap 0", "2": "colormap 0", "4": "colormap 0", "5": "colormap 0", "6": "colormap 0", "8": "colormap 0", "10": "colormap 0",
}

// TestTextsAvoidLines checks that each text keeps its clearance from lines, arrowheads and other texts, unless a warning says
// otherwise, and that the arrangement is always the same.
func TestTextsAvoidLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(48, 20))
	texts, flawed := 0, 0
	for n := range effort.Of(40, 300, 10000) {
		text := annotatedScene(rng, 1+n%5)
		f := arrange(t, decode(t, "%s", text), image.Point{})
		again := arrange(t, decode(t, "%s", text), image.Point{})
		if !reflect.DeepEqual(f.Marks(), again.Marks()) || !reflect.DeepEqual(f.Flaws(), again.Flaws()) {
			t.Fatalf("%d: two arrangements differ", n)
		}
		flaws := make(map[string]bool)
		leaders := false // whether a flaw may be that of a leader
		for _, x := range f.Flaws() {
			flaws[fmt.Sprintf("%s %d", x.Table, x.Index)] = true
			leaders = leaders || x.Table == "label"
		}
		isFlawed := func(s string) bool { return flaws[s] || flaws[tables[s]] }
		flawed += len(f.Flaws())
		var placed []*ink.Text
		for _, m := range f.Marks() {
			if x, ok := m.(*ink.Text); ok {
				placed = append(placed, x)
			}
		}
		texts += len(placed)
		for i, x := range placed {
			if isFlawed(x.Text) {
				continue
			}
			room := areaOf(x).grown(scene.TextRoom * x.Size)
			for _, m := range f.Marks() {
				if !leaders && room.isStruck(m) {
					t.Fatalf("%d: %+v is too near to %q in %v, which has no warning\n%s", n, m, x.Text, room, text)
				}
			}
			for j, y := range placed {
				if i != j && room.overlaps(areaOf(y)) && !isFlawed(y.Text) {
					t.Fatalf("%d: %q is too near to %q without a warning\n%s", n, x.Text, y.Text, text)
				}
			}
		}
	}
	if texts < 10*flawed {
		t.Errorf("%d of %d texts have warnings, want at most a tenth", flawed, texts)
	}
}

// TestAxesTextsAvoidArrows checks that long names of axes do not overlap their arrows.
func TestAxesTextsAvoidArrows(t *testing.T) {
	f := arrange(t, decode(t, `image = { width = 400, height = 300 }
		camera = { position = [0.6, 0.4, 9], look_at = [0, 0, 0], fov = 40 }
		axes = { length = 2, texts = ["horizontal", "vertical", "toward the eye"] }`), image.Point{})
	if len(f.Flaws()) > 0 {
		t.Errorf("flaws %v", f.Flaws())
	}
	for _, m := range f.Marks() {
		if x, ok := m.(*ink.Text); ok {
			for _, line := range f.Marks() {
				if areaOf(x).isStruck(line) {
					t.Errorf("%+v strikes %q", line, x.Text)
				}
			}
		}
	}
}

// TestTextsOnAreasStay checks that a text inside of a large marker stays there.
func TestTextsOnAreasStay(t *testing.T) {
	for _, shape := range []string{"dot", "square", "circle"} {
		f := arrange(t, decode(t, `image = { width = 400, height = 300 }
			camera = { position = [0, 0, 9], look_at = [0, 0, 0] }
			marker = [{ at = [0, 0, 0], size = 60, shape = %q }]
			label = [{ text = "1", at = [0, 0, 0] }]`, shape), image.Point{})
		if x := f.Labels()[0]; x.ShiftX != 0 || x.ShiftY != 0 || len(f.Flaws()) > 0 {
			t.Errorf("%s: %+v, flaws %v", shape, x, f.Flaws())
		}
	}
}

// TestNoRoomIsAWarning checks the positions and the messages of warnings about texts without a free place.
func TestNoRoomIsAWarning(t *testing.T) {
	const text = `[image]
width = 60
height = 40
[camera]
position = [0, 0, 9]
look_at = [0, 0, 0]
[[label]]
text = "one"
at = [0, 0, 0]
[[label]]
text = "two\nlines"
at = [0, 0, 0]
[[part.a.sphere]]
center = [0, 0, 0]
radius = 0.1
[[part.a.label]]
text = "copy"
at = [0, 0, 0]
[[place]]
part = "a"
count = 3
`
	s := decode(t, "%s", text)
	f := arrange(t, s, image.Point{})
	var got []string
	for _, e := range s.AnnotationWarnings([]byte(text), f.Flaws()) {
		if e.Severity != problem.SeverityWarning || e.Code != problem.CodeNoRoom {
			t.Errorf("%+v", e)
		}
		message, _, _ := strings.Cut(e.Error(), " because")
		got = append(got, message)
	}
	want := []string{
		"test.toml:10:1: warning: label[1]: the text overlaps another text or the edge of the picture,",
		"test.toml:16:1: warning: part.a.label[0]: in 3 copies: the text overlaps another text or the edge of the picture,",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("warnings\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
