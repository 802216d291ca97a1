package explain

import (
	"image"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pillbox"
	"pillbox/geom"
	"pillbox/internal/explain/formula"
	"pillbox/internal/fixture/effort"
	"pillbox/scene"
	"pillbox/shapes"
)

// sectionScene has sections of all sorts. It has solids of each kind, cut and whole, removed solids and mirrors.
func sectionScene(t *testing.T, light string) *scene.Scene {
	t.Helper()
	s, err := scene.Decode("sections.toml", []byte(`
[image]
width = 36
height = 24
antialias = 2
[camera]
position = [4, 2, 7]
look_at = [0, 0, 0]
[shading.occlusion]
[[light]]
position = [4, 6, 5]
radius = 0.5
[[light]]
name = "sun"
direction = [0.3, -1, -0.4]
intensity = 0.4
[[section]]
name = "lid"
point = [0, 0, 0.4]
normal = [0.2, 0.1, 1]
hatch = true
hatch_color = "red"
except = ["floor", "whole"]
`+light+`
[[section]]
point = [-0.5, 0, 0]
normal = [1, 0, 0]
color = "#4080c0"
on = ["ball", "rod"]
[[section]]
point = [0, -0.2, 0]
normal = [0, -1, 0.1]
on = "brick"
[material.glossy]
color = "#c0c0c0"
mirror = 0.5
[[sphere]]
name = "ball"
center = [-1, 0, 0]
radius = 1.3
[[sphere]]
name = "whole"
center = [2.6, 0.2, 0.5]
radius = 0.6
[[sphere]]
name = "gone"
center = [0, 1, 4]
radius = 0.7
[[capsule]]
name = "rod"
a = [-2, 1.2, 0.3]
b = [2, 1.2, 0.3]
radius = 0.4
material = "glossy"
[[box]]
name = "brick"
center = [1.2, 0, 0]
half_extents = [0.6, 0.7, 0.9]
[[box]]
name = "floor"
center = [0, -1.5, 0]
half_extents = [5, 0.1, 5]
material = "glossy"
[[cylinder]]
a = [-2.4, -1.3, 0.4]
b = [-2.4, 1, 0.4]
radius = 0.4
`))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestPixelsWithSectionsEqualRender(t *testing.T) {
	for _, light := range []string{"", `light = "whole"`} {
		checkPixels(t, sectionScene(t, light), pillbox.Options{})
	}
}

var faceSentence = regexp.MustCompile(`^The ray (enters|leaves) the kept side at (\S+); (.*) spans (\S+) to (\S+), so the hit is on the cut face of (section "lid"|section \d)\.$`)

// TestStatementsAboutSections checks for the pixels of a scene that every equation of the explanations follows from the
// numbers above it, that the normal is that of the hit, and that what is said of cut faces agrees with the hit.
func TestStatementsAboutSections(t *testing.T) {
	schema := compile(t)
	faces := map[string]int{}
	for _, light := range []string{"", `light = "whole"`} {
		p, err := pillbox.Prepare(sectionScene(t, light), pillbox.Picture{Antialias: 1})
		if err != nil {
			t.Fatal(err)
		}
		tracer := New(p)
		for y := 0; y < 24; y += effort.Of(5, 1, 1) {
			for x := y % 4; x < 36; x += 4 {
				pixel, err := tracer.Pixel(image.Pt(x, y))
				if err != nil {
					t.Fatal(err)
				}
				pixel = pixel.WithSolid(int32((x + y) % p.Scene().Objects.Len()))
				replay(t, pixel.Document(Verbose), floatsOf)
				pixel.Document(Brief)
				if _, err := validate(t, schema, pixel, Verbose); err != nil {
					t.Fatal(err)
				}
				if hit := pixel.Samples[0].Hit; hit != nil {
					checkFace(t, tracer, pixel.Samples[0].Path, faces)
				}
			}
		}
	}
	for _, name := range []string{`section "lid"`, "section 1", ""} {
		if faces[name] < 3 {
			t.Errorf("only %d hits on %q", faces[name], name)
		}
	}
}

func checkFace(t *testing.T, tracer *Tracer, path *Path, faces map[string]int) {
	t.Helper()
	q := path.traced()
	said := ""
	for _, s := range tracer.surfaceSteps(q) {
		if m := faceSentence.FindStringSubmatch(s.Note); m != nil {
			said = m[6]
			near, _ := strconv.ParseFloat(m[4], 64)
			far, _ := strconv.ParseFloat(m[5], 64)
			at, _ := strconv.ParseFloat(m[2], 64)
			if m[3] != tracer.label(path.Hit.Object) || !(near <= at && at <= far) || (m[1] == "leaves") != path.Hit.Inside {
				t.Fatalf("%q does not agree with %+v", s.Note, *path.Hit)
			}
		}
		if s.Symbol == "n" && floatsOf(s.Value) != formula.Vector(path.Hit.Normal) {
			t.Fatalf("the stated normal %v is not that of %+v", s.Value, *path.Hit)
		}
	}
	faces[said]++
	want := ""
	if path.Hit.Face > 0 {
		want = []string{`section "lid"`, "section 1", "section 2"}[path.Hit.Face-1]
		section := &tracer.prepared.Scene.Sections[path.Hit.Face-1]
		if path.Hit.Normal != section.Normal {
			t.Fatalf("the normal of %+v is not that of %s", *path.Hit, want)
		}
	}
	if said != want {
		t.Fatalf("the explanation names %q, the hit is on %q", said, want)
	}
}

func TestSegmentsAndLinesThroughCutSolids(t *testing.T) {
	p, err := pillbox.Prepare(sectionScene(t, ""), pillbox.Picture{})
	if err != nil {
		t.Fatal(err)
	}
	tracer := New(p)
	x := tracer.Segment(geom.Segment{A: geom.Vec3{X: -1, Y: 0, Z: 2}, B: geom.Vec3{X: -1, Y: 0, Z: 1}}) // in the part of the ball that is gone
	replay(t, x.Document(Verbose), floatsOf)
	if x.Solids[0].Touches {
		t.Error("the segment touches what is taken away")
	}
	if text := written(t, x.Document(Verbose), TextStyle{}); !strings.Contains(text, "sections take the whole solid away") || !strings.Contains(text, "touches nothing of what is left") {
		t.Error(text)
	}
	for object := range p.Scene().Objects.Len() {
		for _, dir := range []geom.Vec3{{Z: -1}, {Z: 1}, {X: 1}, {X: -1}, {Y: 1}} {
			center := p.Scene().Solid(object).Bounds().Center()
			ray, err := tracer.Ray(center.AddScaled(-9, dir), dir)
			if err != nil {
				t.Fatal(err)
			}
			ray = ray.WithSolid(int32(object))
			replay(t, ray.Document(Usual), floatsOf)
			left := tracer.prepared.World.Shape(int32(object))
			want := 0
			if left != nil {
				if span, ok := left.Span(ray.Path.Ray); ok {
					want = 2
					if ray.Line.Near != span.Near || ray.Line.Far != span.Far {
						t.Errorf("object %d along %v: %+v, want %+v", object, dir, *ray.Line, span)
					}
				}
			}
			if ray.Line.Crossings != want {
				t.Errorf("object %d along %v: %d crossings, want %d", object, dir, ray.Line.Crossings, want)
			}
		}
	}
	if _, isCut := tracer.prepared.World.Shape(0).(*shapes.Cut); !isCut || tracer.prepared.World.Shape(2) != nil {
		t.Error("the scene has lost its point")
	}
}
