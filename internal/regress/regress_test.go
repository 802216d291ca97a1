package regress_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pillbox"
	"pillbox/camera"
	"pillbox/geom"
	"pillbox/golden"
	"pillbox/internal/regress"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes"
)

// tray is a scene of 20 solids: an arm above a floor, a mirror that shows it, and seventeen
// others that have nothing to do with it.
func tray() string {
	var b strings.Builder
	b.WriteString(`
[image]
width = 160
height = 120
background = "#203040"

[camera]
position = [0, 4, 10]
look_at = [0, 1, 0]

[shading]
ambient = 0.2

[[light]]
direction = [-0.3, -1, -0.4]
intensity = 0.8

[material.chrome]
mirror = 0.9

[[sphere]]
name = "mirror"
center = [-3, 1, 0]
radius = 1
material = "chrome"

[[capsule]]
name = "arm"
a = [-1, 1, 0]
b = [1, 1.5, 0]
radius = 0.3
color = "#c04040"

[[box]]
name = "floor"
center = [0, -0.5, 0]
half_extents = [6, 0.5, 6]
`)
	for i := range 17 {
		fmt.Fprintf(&b, "\n[[sphere]]\nname = \"ball %d\"\ncenter = [%g, 0.2, %g]\nradius = 0.2\n", i, 3+0.4*float64(i%3), 1-0.5*float64(i/3))
	}
	return b.String()
}

// pills is a scene without names or anything that casts a shadow on something else.
const pills = `
[image]
width = 64
height = 48
[camera]
position = [0, 0, 10]
look_at = [0, 0, 0]
[[light]]
direction = [0, 0, -1]
[[sphere]]
center = [-2, 0, 0]
radius = 0.8
[[sphere]]
center = [0, 0, 0]
radius = 0.8
[[sphere]]
center = [2, 0, 0]
radius = 0.8
`

func decode(t *testing.T, file string) *scene.Scene {
	t.Helper()
	s, err := scene.Decode("test.toml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// edit replaces text that must be there.
func edit(t *testing.T, file string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(file, pairs[i]) {
			t.Fatalf("%q is not in the scene", pairs[i])
		}
		file = strings.Replace(file, pairs[i], pairs[i+1], 1)
	}
	return file
}

// renderWhole is for [regress.Comparison.Render].
func renderWhole(ctx context.Context, s *scene.Scene) (*image.NRGBA, error) {
	film, err := pillbox.Render(ctx, s, pillbox.Options{})
	if err != nil {
		return nil, err
	}
	return film.Image, nil
}

func render(t *testing.T, s *scene.Scene) *image.NRGBA {
	t.Helper()
	film, err := pillbox.Render(context.Background(), s, pillbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return film.Image
}

func compare(t *testing.T, want, got image.Image, tol golden.Tolerance) regress.Comparison {
	t.Helper()
	diff, err := golden.Compare(got, want, tol)
	if err != nil {
		t.Fatal(err)
	}
	return regress.Comparison{Want: want, Got: got, Diff: diff, Render: renderWhole}
}

// explain renders and compares two scenes and checks what holds for every report.
func explain(t *testing.T, accepted, present *scene.Scene) regress.Report {
	t.Helper()
	return explainPictures(t, accepted, present, compare(t, render(t, accepted), render(t, present), golden.Tolerance{}))
}

func explainPictures(t *testing.T, accepted, present *scene.Scene, c regress.Comparison) regress.Report {
	t.Helper()
	r, err := regress.Explain(context.Background(), accepted, present, c)
	if err != nil {
		t.Fatal(err)
	}
	if r.Pixels != c.Diff.Changed {
		t.Errorf("%d pixels are explained, want %d", r.Pixels, c.Diff.Changed)
	}
	checkCounts(t, &r, c.Diff.Clusters)
	return r
}

func checkCounts(t *testing.T, r *regress.Report, clusters []golden.Cluster) {
	t.Helper()
	byCause, total := make([]int, len(r.Causes)), 0
	for _, e := range r.Effects {
		byCause[e.Cause] += e.Pixels
		total += e.Pixels
	}
	if total != r.Pixels {
		t.Errorf("the effects count %d pixels, want %d", total, r.Pixels)
	}
	for i, c := range r.Causes {
		if c.Pixels != byCause[i] {
			t.Errorf("%v has %d pixels, want those of its effects, %d", c, c.Pixels, byCause[i])
		}
	}
	if len(r.Clusters) != len(clusters) {
		t.Fatalf("%d clusters, want %d", len(r.Clusters), len(clusters))
	}
	for i, c := range r.Clusters {
		n := 0
		for _, e := range c.Effects {
			n += e.Pixels
		}
		if c.Pixels != clusters[i].Pixels || n != c.Pixels {
			t.Errorf("cluster %d has %d pixels, its effects %d, want %d", i, c.Pixels, n, clusters[i].Pixels)
		}
	}
}

// causes returns the texts of the causes that changed pixels.
func causes(r regress.Report) []string {
	var all []string
	for _, c := range r.Causes {
		if c.Pixels > 0 {
			all = append(all, c.String())
		}
	}
	return all
}

// touched returns the effects without their counts.
func touched(r regress.Report) []string {
	var all []string
	for _, e := range r.Effects {
		all = append(all, strings.TrimSpace(string(e.Kind)+" "+e.On))
	}
	slices.Sort(all)
	return all
}

// TestExplainMovedCapsule is what the package is for.
func TestExplainMovedCapsule(t *testing.T) {
	accepted := decode(t, tray())
	if accepted.Objects.Len() != 20 {
		t.Fatalf("the scene has %d solids, want 20", accepted.Objects.Len())
	}
	r := explain(t, accepted, decode(t, edit(t, tray(), "a = [-1, 1, 0]", "a = [-1, 1.01, 0]")))
	if got, want := causes(r), []string{`capsule "arm" moved (a[1] 1 to 1.01)`}; !slices.Equal(got, want) || len(r.Causes) != 1 {
		t.Errorf("causes %q, want %q", got, want)
	}
	want := []string{
		`mirrored sphere "mirror"`, `silhouette capsule "arm"`,
		`uncovered box "floor"`, `unshadowed box "floor"`,
	}
	if got := touched(r); !slices.Equal(got, want) {
		t.Errorf("effects %q, want %q", got, want)
	}
	if r.ShadingOnly {
		t.Error("a move is called shading only")
	}
	prefix := fmt.Sprintf(`%d pixels changed. Cause: capsule "arm" moved (a[1] 1 to 1.01). `, r.Pixels)
	if !strings.HasPrefix(r.String(), prefix) || !strings.Contains(r.String(), ` of box "floor" uncovered`) {
		t.Errorf("%q does not begin with %q and tell of the floor", r, prefix)
	}
}

// TestExplainEdits changes the tray in all the ways that are not about one solid's place.
func TestExplainEdits(t *testing.T) {
	cases := []struct {
		name    string
		edits   []string
		cause   string
		effects []string
		shading bool
	}{
		{
			name:    "color",
			edits:   []string{"#c04040", "#40c040"},
			cause:   `capsule "arm" recolored (color #c04040 to #40c040)`,
			effects: []string{`mirrored sphere "mirror"`, `silhouette capsule "arm"`},
			shading: true,
		}, {
			name:    "mirror",
			edits:   []string{"mirror = 0.9", "mirror = 0.5"},
			cause:   `sphere "mirror" refinished (mirror 0.9 to 0.5)`,
			effects: []string{`silhouette sphere "mirror"`},
			shading: true,
		}, {
			name:    "light direction",
			edits:   []string{"direction = [-0.3, -1, -0.4]\nintensity", "direction = [0, -1, 0]\nintensity"},
			cause:   `light[0] turned (`,
			shading: true,
		}, {
			name:    "light intensity",
			edits:   []string{"intensity = 0.8", "intensity = 0.7"},
			cause:   `light[0] changed (intensity 0.8 to 0.7)`,
			shading: true,
		}, {
			name:    "ambient",
			edits:   []string{"ambient = 0.2", "ambient = 0.3"},
			cause:   `ambient changed (0.2 to 0.3)`,
			shading: true,
		}, {
			name:    "ambient color",
			edits:   []string{"ambient = 0.2", `ambient = "#7c7c00"`},
			cause:   `ambient changed (#7c7c7c to #7c7c00)`,
			shading: true,
		}, {
			name:    "hemispheres",
			edits:   []string{"ambient = 0.2", `ambient = { top = 0.3, bottom = "#203040" }`},
			cause:   `ambient changed (0.2 to 0.3 over #203040)`,
			shading: true,
		}, {
			name:    "checker",
			edits:   []string{"mirror = 0.9", "mirror = 0.9\n[material.floor]\nchecker = { color = \"#402010\", size = 0.5 }", "half_extents = [6, 0.5, 6]", "half_extents = [6, 0.5, 6]\nmaterial = \"floor\""},
			cause:   `box "floor" refinished (checker none to #402010 of size 0.5)`,
			effects: []string{`mirrored sphere "mirror"`, `silhouette box "floor"`},
			shading: true,
		}, {
			name:    "shadows",
			edits:   []string{"ambient = 0.2", "ambient = 0.2\nshadows = false"},
			cause:   `shadows changed (true to false)`,
			shading: true,
		}, {
			name:    "bounces",
			edits:   []string{"ambient = 0.2", "ambient = 0.2\nbounces = 0"},
			cause:   `bounces changed (4 to 0)`,
			effects: []string{`mirrored sphere "mirror"`},
			shading: true,
		}, {
			name:    "background",
			edits:   []string{`background = "#203040"`, `background = "#203041"`},
			cause:   `background changed (top #203040 to #203041, bottom #203040 to #203041)`,
			effects: []string{`background the background`, `mirrored sphere "mirror"`},
			shading: true,
		}, {
			name:    "transparent",
			edits:   []string{`background = "#203040"`, `background = "transparent"`},
			cause:   `background changed (#203040 to transparent)`,
			effects: []string{`background the background`, `mirrored sphere "mirror"`},
			shading: true,
		}, {
			name:    "antialias",
			edits:   []string{"height = 120", "height = 120\nantialias = 2"},
			cause:   `antialias changed (1 to 2)`,
			effects: []string{`antialias`},
		}, {
			name:    "camera",
			edits:   []string{"position = [0, 4, 10]", "position = [0, 4, 10.5]"},
			cause:   `camera moved (position[2] 10 to 10.5)`,
			effects: []string{`view`},
		}, {
			name:    "orthographic",
			edits:   []string{"position = [0, 4, 10]", "position = [0, 4, 10]\nprojection = \"orthographic\""},
			cause:   `camera changed (projection perspective to orthographic)`,
			effects: []string{`view`},
		}, {
			name:    "no camera",
			edits:   []string{"[camera]\nposition = [0, 4, 10]\nlook_at = [0, 1, 0]", ""},
			cause:   `camera removed`,
			effects: []string{`view`},
		}, {
			name:    "removed",
			edits:   []string{"\n[[sphere]]\nname = \"ball 8\"\ncenter = [3.8, 0.2, 0]\nradius = 0.2\n", ""},
			cause:   `sphere "ball 8" removed`,
			effects: nil,
		}, {
			name:    "reshaped",
			edits:   []string{"[[capsule]]\nname = \"arm\"\na = [-1, 1, 0]\nb = [1, 1.5, 0]", "[[sphere]]\nname = \"arm\"\ncenter = [0, 1.25, 0]"},
			cause:   `sphere "arm" reshaped (kind capsule to sphere)`,
			effects: nil,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := explain(t, decode(t, tray()), decode(t, edit(t, tray(), c.edits...)))
			if got := causes(r); len(got) != 1 || len(r.Causes) != 1 || !strings.HasPrefix(got[0], c.cause) {
				t.Errorf("causes %q, want %q", got, c.cause)
			}
			if got := touched(r); c.effects != nil && !slices.Equal(got, c.effects) {
				t.Errorf("effects %q, want %q", got, c.effects)
			}
			if r.ShadingOnly != c.shading || strings.Contains(r.Text, "shading only") != c.shading {
				t.Errorf("shading only = %v in %q, want %v", r.ShadingOnly, r, c.shading)
			}
		})
	}
}

// TestExplainShadingOnlyMeansAllSolids: one that moved out of sight did move.
func TestExplainShadingOnlyMeansAllSolids(t *testing.T) {
	behind := tray() + "[[sphere]]\ncenter = [0, 4, 30]\nradius = 1\n"
	r := explain(t, decode(t, behind), decode(t, edit(t, behind, "#c04040", "#40c040", "[0, 4, 30]", "[0, 4, 31]")))
	if got := causes(r); len(got) != 1 || !strings.HasPrefix(got[0], `capsule "arm" recolored`) {
		t.Errorf("causes %q, want the color alone", got)
	}
	if r.ShadingOnly || strings.Contains(r.Text, "shading only") {
		t.Errorf("%q is called shading only", r)
	}
}

func TestExplainInsertionInFront(t *testing.T) {
	present := edit(t, pills, "[[sphere]]", "[[sphere]]\ncenter = [0, 2, 0]\nradius = 0.5\n[[sphere]]")
	r := explain(t, decode(t, pills), decode(t, present))
	if got := causes(r); !slices.Equal(got, []string{"sphere[0] added"}) || len(r.Causes) != 1 {
		t.Errorf("causes %q, want the added sphere alone", got)
	}
	if got := touched(r); !slices.Equal(got, []string{"silhouette sphere[0]"}) || r.ShadingOnly {
		t.Errorf("effects %q, shading only %v, want its silhouette alone, false", got, r.ShadingOnly)
	}

	r = explain(t, decode(t, present), decode(t, pills))
	if got := causes(r); !slices.Equal(got, []string{"accepted sphere[0] removed"}) || len(r.Causes) != 1 {
		t.Errorf("causes %q, want the removed sphere alone", got)
	}
	if got := touched(r); !slices.Equal(got, []string{"uncovered the background"}) {
		t.Errorf("effects %q, want the background alone", got)
	}
}

// TestExplainMatching changes unnamed solids, which only likeness can tell apart.
func TestExplainMatching(t *testing.T) {
	first := "[[sphere]]\ncenter = [-2, 0, 0]\nradius = 0.8\n"
	second := "[[sphere]]\ncenter = [0, 0, 0]\nradius = 0.8\n"
	for _, c := range []struct {
		name   string
		edits  []string
		causes []string
	}{
		{"moved far", []string{first, "[[sphere]]\ncenter = [-2, 2, 0]\nradius = 0.8\n"},
			[]string{"sphere[0] moved (center[1] 0 to 2)"}},
		{"moved and resized", []string{second, "[[sphere]]\ncenter = [0, 0.25, 0]\nradius = 0.75\n"},
			[]string{"sphere[1] moved and resized (center[1] 0 to 0.25, radius 0.8 to 0.75)"}},
		{"first gone, second moved", []string{first, "", second, "[[sphere]]\ncenter = [0, 0.5, 0]\nradius = 0.8\n"},
			[]string{"accepted sphere[0] removed", "sphere[0] moved (center[1] 0 to 0.5)"}},
		{"first gone, second recolored", []string{first, "", second, second + "color = \"red\"\n"},
			[]string{"accepted sphere[0] removed", "sphere[0] recolored (color #cccccc to #ff0000)"}},
		{"one gone, another come", []string{first, "", second, second + "[[sphere]]\ncenter = [0, 3, 0]\nradius = 0.5\n"},
			[]string{"accepted sphere[0] removed", "sphere[1] added"}},
		{"box for sphere", []string{second, "[[box]]\ncenter = [0, 0, 0]\nhalf_extents = [1, 1, 1]\n"},
			[]string{"accepted sphere[1] removed", "box[0] added"}},
		{"renamed", []string{first, first + "name = \"left\"\n"},
			[]string{`sphere "left" renamed (name "" to "left")`}},
		{"swapped", []string{first, "", second, second + first},
			[]string{"the order of solids changed"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := explain(t, decode(t, pills), decode(t, edit(t, pills, c.edits...)))
			var got []string
			for _, cause := range r.Causes {
				got = append(got, cause.String())
			}
			slices.Sort(got)
			if !slices.Equal(got, c.causes) {
				t.Errorf("causes %q, want %q", got, c.causes)
			}
		})
	}
}

// TestExplainMatchingPrefersFewerDifferences: the sphere that shrank is nearer, by its bounds,
// to another that is gone, but that had another color and another place.
func TestExplainMatchingPrefersFewerDifferences(t *testing.T) {
	blue := "[[sphere]]\ncenter = [0.3, 0, 0]\nradius = 0.5\ncolor = \"blue\"\n"
	small := edit(t, pills, "center = [0, 0, 0]\nradius = 0.8", "center = [0, 0, 0]\nradius = 0.5")
	r := explain(t, decode(t, pills+blue), decode(t, small))
	var got []string
	for _, c := range r.Causes {
		got = append(got, c.String())
	}
	slices.Sort(got)
	if want := []string{"accepted sphere[3] removed", "sphere[1] resized (radius 0.8 to 0.5)"}; !slices.Equal(got, want) {
		t.Errorf("causes %q, want %q", got, want)
	}
}

// TestExplainMatchingMovedAndRecolored: unnamed solids that went elsewhere in another color are the
// same, each the nearest to where it was.
func TestExplainMatchingMovedAndRecolored(t *testing.T) {
	present := edit(t, pills, "center = [-2, 0, 0]\nradius = 0.8", "center = [-2, 3, 0]\nradius = 0.8\ncolor = \"red\"",
		"center = [2, 0, 0]\nradius = 0.8", "center = [2, 3, 0]\nradius = 0.8\ncolor = \"blue\"")
	r := explain(t, decode(t, pills), decode(t, present))
	for _, want := range []string{
		"sphere[0] moved and recolored (center[1] 0 to 3, color #cccccc to #ff0000)",
		"sphere[2] moved and recolored (center[1] 0 to 3, color #cccccc to #0000ff)",
	} {
		if !slices.Contains(causes(r), want) {
			t.Errorf("causes %q, want %q", causes(r), want)
		}
	}
	if len(r.Causes) != 2 {
		t.Errorf("causes %q, want two", causes(r))
	}
}

func TestExplainRenamed(t *testing.T) {
	r := explain(t, decode(t, tray()), decode(t, edit(t, tray(), `name = "arm"`, `name = "leg"`)))
	const want = `no pixel changed. Without effect: capsule "leg" renamed (name "arm" to "leg")`
	if r.Text != want || len(r.Effects) != 0 || r.ShadingOnly {
		t.Errorf("%q, want %q", r, want)
	}
}

// TestExplainTwoNames: a solid of another name and shape is another solid, however near.
func TestExplainTwoNames(t *testing.T) {
	r := explain(t, decode(t, tray()), decode(t, edit(t, tray(), "name = \"arm\"\na = [-1, 1, 0]\nb = [1, 1.5, 0]", "name = \"leg\"\na = [-1, 1.2, 0]\nb = [1, 1.7, 0]")))
	want := []string{`capsule "arm" removed`, `capsule "leg" added`}
	got := causes(r)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("causes %q, want %q", got, want)
	}
}

// TestExplainColorsAlike: colors that look the same in 8 bits are told in full.
func TestExplainColorsAlike(t *testing.T) {
	r := explain(t, decode(t, tray()), decode(t, edit(t, tray(), `color = "#c04040"`, "color = [0.753, 0.251, 0.251]")))
	const want = `capsule "arm" recolored (color linear [0.527115`
	if len(r.Causes) != 1 || !strings.HasPrefix(r.Causes[0].String(), want) {
		t.Errorf("causes %v, want %s...", r.Causes, want)
	}
}

// TestExplainManyUnnamed changes more unnamed solids at once than are weighed against each
// other: they are taken in file order.
func TestExplainManyUnnamed(t *testing.T) {
	var a, b strings.Builder
	head := "[image]\nwidth = 8\nheight = 6\n[camera]\nposition = [0, 0, 50]\nlook_at = [0, 0, 0]\n"
	for i := range 300 {
		fmt.Fprintf(&a, "[[sphere]]\ncenter = [%d, 0, 0]\nradius = 0.25\n", i)
		fmt.Fprintf(&b, "[[sphere]]\ncenter = [%d, 1, 0]\nradius = 0.3\n", i)
	}
	r := explain(t, decode(t, head+a.String()), decode(t, head+b.String()))
	if len(r.Causes) != 300 {
		t.Fatalf("%d causes, want 300", len(r.Causes))
	}
	for _, c := range r.Causes {
		if c.Accepted != c.Present {
			t.Errorf("%v: solid %d has become %d, want the same", c, c.Accepted, c.Present)
		}
	}
	if len(r.Text) > 2000 {
		t.Errorf("the text has %d characters, want a sentence or two", len(r.Text))
	}
}

func TestExplainTurnedBox(t *testing.T) {
	file := pills + "[[box]]\ncenter = [0, -2, 0]\nhalf_extents = [1, 0.5, 0.5]\n"
	r := explain(t, decode(t, file), decode(t, file+"rotate = [0, 0, 7.5]\n"))
	if got, want := causes(r), []string{"box[0] turned (rotation by 7.5°)"}; !slices.Equal(got, want) {
		t.Errorf("causes %q, want %q", got, want)
	}
}

func TestExplainRenderer(t *testing.T) {
	s := decode(t, tray())
	want := render(t, s)
	got := image.NewNRGBA(want.Rect)
	copy(got.Pix, want.Pix)
	for x := range 10 {
		got.SetNRGBA(75+x, 110, color.NRGBA{1, 2, 3, 255}) // on the floor
		got.SetNRGBA(2+x, 3, color.NRGBA{1, 2, 3, 255})    // on the background
	}
	r := explainPictures(t, s, s, compare(t, want, got, golden.Tolerance{}))
	const text = `20 pixels changed. Cause: the renderer changed. 10 on box "floor", 10 on the background`
	if r.Text != text || len(r.Causes) != 1 || r.Causes[0].Subject != regress.SubjectRenderer {
		t.Errorf("%q, want %q", r, text)
	}
	const cluster = `10 pixels changed. Cause: the renderer changed. 10 on the background`
	if len(r.Clusters) != 2 || r.Clusters[0].Text != cluster {
		t.Errorf("clusters %+v, want two, the first %q", r.Clusters, cluster)
	}
	if r.Clusters[0].Bounds != [4]int{2, 3, 12, 4} {
		t.Errorf("bounds %v, want 2, 3, 12, 4", r.Clusters[0].Bounds)
	}
}

// TestExplainRendererBesideCause: what the scene does not explain is not put down to it.
func TestExplainRendererBesideCause(t *testing.T) {
	accepted, present := decode(t, tray()), decode(t, edit(t, tray(), "#c04040", "#40c040"))
	got := render(t, present)
	got.SetNRGBA(2, 3, color.NRGBA{1, 2, 3, 255})
	r := explainPictures(t, accepted, present, compare(t, render(t, accepted), got, golden.Tolerance{}))
	if got := causes(r); len(got) != 2 || got[1] != "the renderer changed" || r.Causes[1].Pixels != 1 || r.ShadingOnly {
		t.Errorf("causes %q, want the color and the renderer with one pixel", got)
	}
}

func TestExplainAntialiasMode(t *testing.T) {
	full := edit(t, tray(), "height = 120", "height = 120\nantialias = 3")
	r := explain(t, decode(t, full), decode(t, edit(t, full, "antialias = 3", "antialias = 3\nantialias_mode = \"adaptive\"")))
	const want = ` changed. Cause: antialias changed (antialias_mode full to adaptive). `
	if !strings.Contains(r.Text, want) || len(r.Causes) != 1 || r.ShadingOnly {
		t.Errorf("%q and causes %q, want %q alone", r, r.Causes, want)
	}

	// Of one sample the mode explains nothing.
	accepted := decode(t, tray())
	present := decode(t, edit(t, tray(), "height = 120", "height = 120\nantialias_mode = \"adaptive\""))
	got := render(t, present)
	got.SetNRGBA(2, 3, color.NRGBA{1, 2, 3, 255})
	r = explainPictures(t, accepted, present, compare(t, render(t, accepted), got, golden.Tolerance{}))
	if got := causes(r); !slices.Equal(got, []string{"the renderer changed"}) {
		t.Errorf("causes %q, want the renderer", got)
	}
}

// TestExplainAdaptiveNeighbors: no ray of some pixels differs, but that of a neighbor, which
// is why adaptive antialiasing gives them other samples.
func TestExplainAdaptiveNeighbors(t *testing.T) {
	const moon = `
[image]
width = 100
height = 75
antialias = 4
antialias_mode = "adaptive"
[camera]
position = [0, 0, 10]
look_at = [0, 0, 0]
[[light]]
direction = [0, 0, -1]
[[sphere]]
name = "moon"
center = [0, 0, 3]
radius = 0.4
`
	var wires strings.Builder // too thin for most rays through centers
	for i := range 40 {
		fmt.Fprintf(&wires, "[[capsule]]\na = [%g, -2, 0]\nb = [%[1]g, 2, 0]\nradius = 0.01\n", 0.13*float64(i-20))
	}
	file := moon + wires.String()
	r := explain(t, decode(t, file), decode(t, edit(t, file, "center = [0, 0, 3]", "center = [0.2, 0, 3]")))
	if got, want := causes(r), []string{`sphere "moon" moved (center[0] 0 to 0.2)`}; !slices.Equal(got, want) {
		t.Errorf("causes %q, want %q", got, want)
	}
	if got := touched(r); !slices.Contains(got, "antialias") || !strings.Contains(r.Text, "smoothed differently") {
		t.Errorf("effects %q of %q, want some pixels smoothed differently", got, r)
	}
}

// TestExplainAdaptiveBlackSurface: light counts where adaptive antialiasing decides, even on a
// perfect mirror, which does not show it.
func TestExplainAdaptiveBlackSurface(t *testing.T) {
	file := edit(t, tray(), "mirror = 0.9", "mirror = 1", "height = 120", "height = 120\nantialias = 3\nantialias_mode = \"adaptive\"")
	file = file[:strings.Index(file, "[[capsule]]")] + "[[box]]\ncenter = [0, 0, 100]\nhalf_extents = [200, 200, 1]\ncolor = \"black\"\n"
	file = edit(t, file, `background = "#203040"`, `background = { top = "white", bottom = "black" }`)
	r := explain(t, decode(t, file), decode(t, edit(t, file, "direction = [-0.3,", "direction = [0.3,")))
	if got := causes(r); len(got) != 1 || !strings.HasPrefix(got[0], "light[0] turned") {
		t.Errorf("causes %q, want the light", got)
	}
	if got := touched(r); !slices.Equal(got, []string{"antialias"}) {
		t.Errorf("effects %q, want other samples alone", got)
	}
}

// TestExplainToleranceAndMasks: pixels that do not count are not explained.
func TestExplainToleranceAndMasks(t *testing.T) {
	accepted, present := decode(t, tray()), decode(t, edit(t, tray(), "a = [-1, 1, 0]", "a = [-1, 1.1, 0]"))
	want, got := render(t, accepted), render(t, present)
	all := compare(t, want, got, golden.Tolerance{})
	some := compare(t, want, got, golden.Tolerance{MaxChannel: 20, Masks: []image.Rectangle{image.Rect(0, 0, 80, 120)}})
	if some.Diff.Changed == 0 || some.Diff.Changed >= all.Diff.Changed {
		t.Fatalf("%d of %d pixels are left, want fewer and some", some.Diff.Changed, all.Diff.Changed)
	}
	explainPictures(t, accepted, present, some) // checks the counts
}

// TestExplainPictureModel: a PNG comes back as another type of image, with other bounds.
func TestExplainPictureModel(t *testing.T) {
	accepted, present := decode(t, tray()), decode(t, edit(t, tray(), "a = [-1, 1, 0]", "a = [-1, 1.1, 0]"))
	want, got := render(t, accepted), render(t, present)
	moved := image.NewRGBA(want.Rect.Add(image.Pt(7, 9)))
	for y := range want.Rect.Dy() {
		for x := range want.Rect.Dx() {
			moved.Set(x+7, y+9, want.At(x, y))
		}
	}
	r1 := explainPictures(t, accepted, present, compare(t, want, got, golden.Tolerance{}))
	r2 := explainPictures(t, accepted, present, compare(t, moved, got, golden.Tolerance{}))
	if !reflect.DeepEqual(r1, r2) {
		t.Errorf("%v, want %v", r2, r1)
	}
}

// TestExplainGradientFollowsUp: the camera's up vector turns the background and nothing else.
func TestExplainGradientFollowsUp(t *testing.T) {
	file := edit(t, tray(), `background = "#203040"`, `background = { top = "black", bottom = "white" }`)
	r := explain(t, decode(t, file), decode(t, edit(t, file, "look_at = [0, 1, 0]", "look_at = [0, 1, 0]\nup = [0, 1, -1]")))
	if got := causes(r); len(got) != 1 || !strings.HasPrefix(got[0], "camera turned (up[2] 0 to -1") {
		t.Errorf("causes %q, want the camera", got)
	}
}

// TestExplainFramedView: without a camera the view follows the solids.
func TestExplainFramedView(t *testing.T) {
	file := edit(t, pills, "[camera]\nposition = [0, 0, 10]\nlook_at = [0, 0, 0]\n", "")
	r := explain(t, decode(t, file), decode(t, edit(t, file, "[2, 0, 0]", "[4, 0, 0]")))
	if got := causes(r); !slices.Equal(got, []string{"the view that frames all solids changed"}) {
		t.Errorf("causes %q, want the framing", got)
	}
	if want := fmt.Sprintf("Also: sphere[2] moved (center[0] 2 to 4), %d by itself", r.Pixels); !strings.Contains(r.Text, want) {
		t.Errorf("%q does not tell what moved, want %q", r, want)
	}
}

// TestExplainHemispheresFollowUp: the camera's up vector turns hemispheres of ambient light, too.
func TestExplainHemispheresFollowUp(t *testing.T) {
	file := edit(t, tray(), "ambient = 0.2", "ambient = { top = 0.4, bottom = 0.1 }")
	r := explain(t, decode(t, file), decode(t, edit(t, file, "look_at = [0, 1, 0]", "look_at = [0, 1, 0]\nup = [0, 1, -1]")))
	if got := causes(r); len(got) != 1 || !strings.HasPrefix(got[0], "camera turned (up[2] 0 to -1") {
		t.Errorf("causes %q, want the camera", got)
	}
}

// TestExplainHemisphereOfNobody: light from below alone changes nothing that faces up.
func TestExplainHemisphereOfNobody(t *testing.T) {
	file := `
[image]
width = 40
height = 30
[camera]
position = [0, 9, 0.1]
look_at = [0, 0, 0]
[shading]
ambient = { top = 0.4, bottom = 0.1 }
[[light]]
direction = [0, -1, 0]
[[box]]
center = [0, 0, 0]
half_extents = [9, 1, 9]
`
	present := edit(t, file, "bottom = 0.1 }", "bottom = 0.2 }")
	if r := explain(t, decode(t, file), decode(t, present)); r.Pixels != 0 || len(r.Causes) != 1 || r.Causes[0].String() != "ambient changed (ambient.bottom 0.1 to 0.2)" {
		t.Errorf("%d pixels, causes %v", r.Pixels, r.Causes)
	}
}

// TestExplainCheckers: what happens to a checker is told of boxes alone.
func TestExplainCheckers(t *testing.T) {
	file := edit(t, tray(), "mirror = 0.9", "mirror = 0.9\nchecker = { color = \"red\", size = 1 }", "half_extents = [6, 0.5, 6]", "half_extents = [6, 0.5, 6]\nmaterial = \"chrome\"")
	for change, want := range map[string]string{
		`{ color = "lime", size = 1 }`:  `box "floor" recolored (checker.color #ff0000 to #00ff00)`,
		`{ color = "red", size = 0.5 }`: `box "floor" refinished (checker.size 1 to 0.5)`,
	} {
		r := explain(t, decode(t, file), decode(t, edit(t, file, `{ color = "red", size = 1 }`, change)))
		if got := causes(r); len(r.Causes) != 1 || !slices.Equal(got, []string{want}) {
			t.Errorf("causes %q, want %q", got, want)
		}
	}
}

func TestExplainLights(t *testing.T) {
	point := edit(t, tray(), "direction = [-0.3, -1, -0.4]", "position = [3, 9, 4]")
	second := "\n[[light]]\nposition = [-5, 5, 5]\nintensity = 0.2\n"
	dark := edit(t, tray(), "[[light]]\ndirection = [-0.3, -1, -0.4]\nintensity = 0.8", "")
	for _, c := range []struct {
		name, accepted, present string
		causes                  []string
	}{
		{"moved", point, edit(t, point, "position = [3, 9, 4]", "position = [3, 9, 4.5]"),
			[]string{"light[0] moved (position[2] 4 to 4.5)"}},
		{"added", point, point + second, []string{"light[1] added"}},
		{"added in front", point, edit(t, point, "[[light]]", second+"\n[[light]]"), []string{"light[0] added"}},
		{"removed", point + second, point, []string{"accepted light[1] removed"}},
		{"first one", dark, point, []string{"light[0] added", "the light at the camera removed"}},
		{"last one", point, dark, []string{"accepted light[0] removed", "the light at the camera added"}},
		{"implied", dark, edit(t, dark, "ambient = 0.2", "ambient = 0.3"), []string{"ambient changed (0.2 to 0.3)"}},
		{"named", edit(t, point, "[[light]]", "[[light]]\nname = \"sun\""), edit(t, point, "[[light]]", second+"\n[[light]]\nname = \"sun\"\ncolor = \"#ffffc0\""),
			[]string{"light \"sun\" recolored (color #ffffff to #ffffc0)", "light[0] added"}},
		{"attached", point, edit(t, point, "[[light]]", "[[light]]\nattach = \"camera\""), []string{"light[0] changed (attach none to camera)"}},
		{"removed by name", edit(t, point+second, "[[light]]", "[[light]]\nname = \"sun\""), edit(t, dark+second, "[0, 1, 0]", "[0, 1, 0]"), []string{"light \"sun\" removed"}},
		{"other kind", point, tray(), []string{"accepted light[0] removed", "light[0] added"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := explain(t, decode(t, c.accepted), decode(t, c.present))
			var got []string
			for _, cause := range r.Causes {
				got = append(got, cause.String())
			}
			slices.Sort(got)
			if !slices.Equal(got, c.causes) || !r.ShadingOnly {
				t.Errorf("causes %q, shading only %v, want %q, true", got, r.ShadingOnly, c.causes)
			}
		})
	}
}

// TestExplainLightLeavesRoom: seen from inside, the room itself hides a light outside.
func TestExplainLightLeavesRoom(t *testing.T) {
	room := pills + "[[box]]\nname = \"room\"\ncenter = [0, 0, 0]\nhalf_extents = [12, 12, 12]\n"
	lit := edit(t, room, "direction = [0, 0, -1]", "position = [0, 5, 5]")
	r := explain(t, decode(t, lit), decode(t, edit(t, lit, "[0, 5, 5]", "[0, 15, 5]")))
	if got := causes(r); !slices.Equal(got, []string{"light[0] moved (position[1] 5 to 15)"}) {
		t.Errorf("causes %q, want the light", got)
	}
	if got := touched(r); !slices.Contains(got, `lighting box "room"`) {
		t.Errorf("effects %q, want the light on the room among them", got)
	}

	hidden := edit(t, lit, "[0, 5, 5]", "[0, 15, 5]\nintensity = 1")
	r = explain(t, decode(t, hidden), decode(t, edit(t, hidden, "intensity = 1", "intensity = 2")+"[shading]\nambient = 0.2\n"))
	if got := causes(r); !slices.Equal(got, []string{"ambient changed (0.1 to 0.2)"}) {
		t.Errorf("causes %q, want the ambient light alone: the other does not come in", got)
	}
}

// TestExplainBlackMirror: a black surface shows its surroundings, never light on itself.
func TestExplainBlackMirror(t *testing.T) {
	file := edit(t, tray(), "mirror = 0.9", "mirror = 0.9\ncolor = \"black\"")
	r := explain(t, decode(t, file), decode(t, edit(t, file, "intensity = 0.8", "intensity = 0.7")))
	got := touched(r)
	if !slices.Contains(got, `mirrored sphere "mirror"`) || slices.Contains(got, `lighting sphere "mirror"`) {
		t.Errorf("effects %q, want light in the mirror and none on it", got)
	}
}

// TestExplainCoincidingSurfaces: two solids share a face, and the first in the file is seen.
func TestExplainCoincidingSurfaces(t *testing.T) {
	red := "[[box]]\ncenter = [0, 0, 0]\nhalf_extents = [1, 1, 1]\ncolor = \"red\"\n"
	blue := "[[box]]\ncenter = [0, 0, 0.5]\nhalf_extents = [0.5, 0.5, 0.5]\ncolor = \"blue\"\n"
	file := edit(t, pills, "[[sphere]]\ncenter = [0, 0, 0]\nradius = 0.8\n", "")
	r := explain(t, decode(t, file+red+blue), decode(t, file+blue+red))
	if got := causes(r); !slices.Equal(got, []string{"the order of solids changed"}) {
		t.Errorf("causes %q, want the order", got)
	}
	if got := touched(r); !slices.Equal(got, []string{"in_front box[0]"}) {
		t.Errorf("effects %q, want the box in front", got)
	}
}

func TestExplainSizes(t *testing.T) {
	r := explain(t, decode(t, tray()), decode(t, edit(t, tray(), "width = 160", "width = 80")))
	const want = "the size changed from 160 x 120 to 80 x 120 pixels. Cause: image changed (width 160 to 80)"
	if r.Text != want {
		t.Errorf("%q, want %q", r, want)
	}
}

func TestExplainEqualScenes(t *testing.T) {
	s := decode(t, tray())
	r := explain(t, s, s)
	if r.Text != "no pixel changed" || len(r.Causes) != 0 {
		t.Errorf("%q and causes %q, want none", r, r.Causes)
	}
}

func TestExplainErrors(t *testing.T) {
	s := decode(t, pills)
	c := compare(t, render(t, s), render(t, s), golden.Tolerance{})
	ctx := context.Background()
	if _, err := regress.Explain(ctx, nil, s, c); err == nil {
		t.Error("no scene is accepted")
	}
	var none context.Context
	if _, err := regress.Explain(none, s, s, c); err == nil {
		t.Error("no context is accepted")
	}
	if _, err := regress.Explain(ctx, s, s, regress.Comparison{Diff: c.Diff}); err == nil {
		t.Error("no picture is accepted")
	}
	if _, err := regress.Explain(ctx, s, s, regress.Comparison{Want: c.Want, Got: image.NewNRGBA(image.Rect(0, 0, 1, 1)), Diff: c.Diff}); err == nil {
		t.Error("another picture than was compared is accepted")
	}
	degenerate := *s
	blind := *s.Camera
	blind.LookAt, degenerate.Camera = blind.Position, &blind
	if _, err := regress.Explain(ctx, s, &degenerate, c); err == nil || !strings.HasPrefix(err.Error(), "present scene: ") {
		t.Errorf("error %v, want one about the present scene", err)
	}

	if _, err := regress.Explain(ctx, &degenerate, s, c); err == nil || !strings.HasPrefix(err.Error(), "accepted scene: ") {
		t.Errorf("error %v, want one about the accepted scene", err)
	}

	ended, cancel := context.WithCancel(ctx)
	cancel()
	moved := decode(t, edit(t, pills, "[2, 0, 0]", "[2, 1, 0]"))
	_, err := regress.Explain(ended, s, moved, compare(t, render(t, s), render(t, moved), golden.Tolerance{}))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

// TestExplainCountsAsTheComparison: next to pixels that changed too much lie others that changed
// by as much as the tolerance allows.
func TestExplainCountsAsTheComparison(t *testing.T) {
	accepted, present := decode(t, tray()), decode(t, edit(t, tray(), "intensity = 0.8", "intensity = 0.9"))
	want, got := render(t, accepted), render(t, present)
	atLimit := 0
	for limit := range 6 {
		c := compare(t, want, got, golden.Tolerance{MaxChannel: limit})
		if c.Diff.Changed == 0 {
			t.Fatalf("no pixel differs by more than %d", limit)
		}
		explainPictures(t, accepted, present, c)
		if stricter := compare(t, want, got, golden.Tolerance{MaxChannel: max(0, limit-1)}); stricter.Diff.Changed > c.Diff.Changed {
			atLimit++
		}
	}
	if atLimit < 3 {
		t.Errorf("pixels differ by just the tolerance for %d tolerances only", atLimit)
	}
}

func TestReportJSON(t *testing.T) {
	r := explain(t, decode(t, pills), decode(t, edit(t, pills, "[2, 0, 0]", "[2, 1, 0]")))
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	const want = `"causes":[{"subject":"solid","label":"sphere[2]","actions":["moved"],` +
		`"changes":[{"key":"center[1]","from":"0","to":"1"}],"accepted":2,"present":2,"pixels":`
	if !strings.Contains(string(data), want) {
		t.Errorf("%s does not contain %s", data, want)
	}
	data, err = json.Marshal(explain(t, decode(t, pills), decode(t, pills)))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), "null") {
		t.Errorf("%s has null for an empty list", data)
	}
}

func vector(rng *rand.Rand, scale float64) geom.Vec3 {
	return geom.Vec3{X: scale * (rng.Float64() - 0.5), Y: scale * (rng.Float64() - 0.5), Z: scale * (rng.Float64() - 0.5)}
}

// randomScene returns solids that overlap, mirror each other, hide lights and may contain the
// eye.
func randomScene(t *testing.T, rng *rand.Rand) *scene.Scene {
	s := decode(t, "[image]\nwidth = 40\nheight = 30\n[camera]\nposition = [0, 1, 6]\nlook_at = [0, 0, 0]\n")
	if rng.IntN(3) == 0 {
		s.Camera.Projection, s.Camera.ViewHeight = camera.Orthographic, 5
	}
	s.Image.Antialias = 1 + rng.IntN(3)
	s.Image.Adaptive = rng.IntN(2) == 0
	s.Shading.Bounces = rng.IntN(4)
	for range rng.IntN(4) {
		l := scene.Light{Light: shade.Light{Position: vector(rng, 12), Color: shade.White(), Intensity: 0.5}}
		if rng.IntN(2) == 0 {
			l.Directional = true
			l.Direction, _ = geom.Direction(vector(rng, 1))
		}
		s.Lights = append(s.Lights, l)
	}
	for range 3 {
		size := 0.3 + rng.Float64()
		s.Spheres = append(s.Spheres, shapes.Sphere{Center: vector(rng, 6), Radius: size})
		s.Capsules = append(s.Capsules, shapes.Capsule{A: vector(rng, 6), B: vector(rng, 6), Radius: size / 2})
		s.Boxes = append(s.Boxes, shapes.Box{Center: vector(rng, 6), HalfExtents: vector(rng, 1).Add(geom.Vec3{X: 1, Y: 1, Z: 1}), Rotation: geom.Identity()})
	}
	if rng.IntN(4) == 0 {
		s.Spheres[0] = shapes.Sphere{Center: s.Camera.Position, Radius: 3}
	}
	objects := make([]scene.Object, len(s.Spheres)+len(s.Capsules)+len(s.Boxes))
	for i := range objects {
		objects[i].Material = shade.Material{Albedo: shade.Color{R: rng.Float64(), G: rng.Float64(), B: rng.Float64()}, Mirror: float64(rng.IntN(3)) / 2}
	}
	s.Objects = scene.NewObjects(objects...)
	return s
}

// mutate returns a copy of s with one thing changed.
func mutate(s *scene.Scene, rng *rand.Rand) *scene.Scene {
	c := *s
	c.Detach()
	c.Spheres, c.Capsules, c.Boxes = slices.Clone(s.Spheres), slices.Clone(s.Capsules), slices.Clone(s.Boxes)
	c.Lights = slices.Clone(s.Lights)
	objects := s.Objects.List()
	n := rng.IntN(3)
	switch rng.IntN(10) {
	case 0:
		c.Spheres[n].Center = c.Spheres[n].Center.Add(vector(rng, 1))
	case 1:
		c.Capsules[n].A = c.Capsules[n].A.Add(vector(rng, 1))
	case 2:
		c.Boxes[n].Rotation = geom.RotationXYZ(10, 20, 30)
	case 3:
		c.Spheres[n].Radius *= 1.1
	case 4:
		objects[3*n].Material.Albedo = shade.White()
	case 5:
		c.Spheres = slices.Delete(c.Spheres, n, n+1)
		objects = slices.Delete(objects, n, n+1)
	case 6:
		c.Spheres = slices.Insert(c.Spheres, n, shapes.Sphere{Center: vector(rng, 5), Radius: 0.5})
		objects = slices.Insert(objects, n, scene.Object{Material: shade.Material{Albedo: shade.Gray(0.5)}})
	case 7:
		c.Shading.Ambient = shade.Even(shade.Gray(0.3))
	case 8:
		c.Lights = append(c.Lights, scene.Light{Light: shade.Light{Position: vector(rng, 12), Color: shade.White(), Intensity: 0.3}})
	case 9:
		c.Shading.Bounces++
	}
	c.Objects = scene.NewObjects(objects...)
	return &c
}

// TestExplainNeverBlamesTheRenderer: the renderer is the same, so whatever differs has a
// cause in the scenes, and among them none but the one thing that was changed.
func TestExplainNeverBlamesTheRenderer(t *testing.T) {
	changed := 0
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 5))
		accepted := randomScene(t, rng)
		present := mutate(accepted, rng)
		r := explain(t, accepted, present)
		for _, c := range r.Causes {
			if c.Subject == regress.SubjectRenderer || c.Subject == regress.SubjectOrder {
				t.Errorf("seed %d: %v", seed, r)
			}
		}
		if n := len(r.Causes); n != 1 && !(n == 2 && (len(accepted.Lights) == 0)) {
			t.Errorf("seed %d: %d causes: %v", seed, n, r)
		}
		if r.Pixels > 0 {
			changed++
		}
	}
	if changed < 100 {
		t.Errorf("only %d mutations changed the picture", changed)
	}
}

// TestExplainShadowsAreOnWhatTheySay: a solid that is black in both scenes shows no shadow, so
// just the pixels where it receives or loses one are equal then.
func TestExplainShadowsAreOnWhatTheySay(t *testing.T) {
	shadows := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 6))
		accepted := randomScene(t, rng)
		accepted.Shading.Bounces, accepted.Image.Antialias = 0, 1
		accepted.Boxes[0] = shapes.Box{Center: geom.Vec3{Y: -2}, HalfExtents: geom.Vec3{X: 6, Y: 0.5, Z: 6}, Rotation: geom.Identity()}
		accepted.Lights = append(accepted.Lights, scene.Light{Light: shade.Light{Position: geom.Vec3{X: 1, Y: 9, Z: 2}, Color: shade.White(), Intensity: 0.5}})
		present := *accepted
		present.Capsules = slices.Clone(accepted.Capsules)
		present.Capsules[1].B = present.Capsules[1].B.Add(vector(rng, 1))
		r := explain(t, accepted, &present)
		for i := range accepted.Objects.Len() {
			if i == accepted.Number(scene.KindCapsule, 1) {
				continue // the capsule that moved
			}
			label := accepted.Key(i)
			want := r.Pixels
			for _, e := range r.Effects {
				if e.On == label && (e.Kind == regress.EffectShadow || e.Kind == regress.EffectUnshadowed) {
					want -= e.Pixels
					shadows += e.Pixels
				}
			}
			if got := explain(t, blacken(accepted, i), blacken(&present, i)).Pixels; got != want {
				t.Errorf("seed %d: with %s black %d pixels differ, want %d: %v", seed, label, got, want, r)
			}
		}
	}
	if shadows < 150 {
		t.Errorf("only %d pixels lie in a shadow that moved", shadows)
	}
}

func blacken(s *scene.Scene, number int) *scene.Scene {
	c := *s
	c.Objects = s.Objects.With(number, scene.Object{Name: s.Objects.Name(number)})
	return &c
}

func BenchmarkExplain(b *testing.B) {
	accepted, err := scene.Load("../../scenes/demo.toml")
	if err != nil {
		b.Fatal(err)
	}
	accepted.Image.Width, accepted.Image.Height = 320, 180
	for _, change := range []string{"ambient", "light", "solid"} {
		b.Run("change="+change, func(b *testing.B) {
			present := *accepted
			switch change {
			case "ambient":
				present.Shading.Ambient = shade.Even(shade.Gray(0.3))
			case "light":
				present.Lights = slices.Clone(accepted.Lights)
				present.Lights[0].Intensity *= 0.9
			case "solid":
				present.Capsules = slices.Clone(accepted.Capsules)
				present.Capsules[0].Radius *= 1.1
			}
			benchmarkExplain(b, accepted, &present)
		})
	}
}

func benchmarkExplain(b *testing.B, accepted, present *scene.Scene) {
	ctx := context.Background()
	var pictures [2]*image.NRGBA
	for i, s := range []*scene.Scene{accepted, present} {
		film, err := pillbox.Render(ctx, s, pillbox.Options{})
		if err != nil {
			b.Fatal(err)
		}
		pictures[i] = film.Image
	}
	diff, err := golden.Compare(pictures[1], pictures[0], golden.Tolerance{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := regress.Explain(ctx, accepted, present, regress.Comparison{Want: pictures[0], Got: pictures[1], Diff: diff}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(diff.Changed)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mpixel/s")
}
