package povray_test

import (
	"cmp"
	"flag"
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"pillbox"
	"pillbox/geom"
	"pillbox/internal/convert/povray"
	"pillbox/internal/fixture"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/follow"
	"pillbox/scene"
)

var (
	keep = flag.String("keep", "", "the folder for the scenes that POV-Ray shows differently")
)

// TestPOVRayShowsRandomScenes renders random scenes with Pillbox and with POV-Ray. Pixels may differ only on
// silhouettes and shadow edges: there, rounding decides what a ray hits.
func TestPOVRayShowsRandomScenes(t *testing.T) {
	program, err := exec.LookPath("povray")
	if err != nil {
		t.Skip("povray is not installed")
	}
	n := effort.Of[uint64](4, 60, 1000)
	var group errgroup.Group
	group.SetLimit(8) // POV-Ray sleeps for half a second at its end
	for seed := range n {
		dir := t.TempDir()
		group.Go(func() error {
			text := randomScene(seed)
			worst, err := compare(t, program, dir, text)
			most := 3
			if strings.Contains(text, "[[section]]") {
				most = 8 // cut faces of ghosts are a little deeper, which shows at edges of their hatches
			}
			if err == nil && len(worst) > most {
				err = fmt.Errorf("%d pixels differ, such as %v", len(worst), worst[:3])
			}
			if err != nil {
				t.Errorf("seed %d: %v", seed, err)
				if *keep != "" {
					return os.WriteFile(filepath.Join(*keep, fmt.Sprintf("%d.toml", seed)), []byte(text), 0o666)
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
}

// compare returns the pixels that POV-Ray shows differently.
func compare(t *testing.T, program, dir, text string) ([]image.Point, error) {
	s, err := scene.Decode("random.toml", []byte(text))
	if err != nil {
		return nil, err
	}
	ours, err := pillbox.Render(t.Context(), s, pillbox.Options{})
	if err != nil {
		return nil, err
	}
	p, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		return nil, err
	}
	theirs, err := withPOVRay(program, dir, s)
	if err != nil {
		return nil, err
	}
	var differ []image.Point
	for y := range s.Image.Height {
		for x := range s.Image.Width {
			if at := image.Pt(x, y); !hasLike(ours.Image, theirs, at) && !isKnown(follow.Of(p), at) {
				differ = append(differ, at)
			}
		}
	}
	return differ, nil
}

// isKnown reports whether POV-Ray is known to show a pixel differently. The ray through the pixel ends on a mirror after its
// last reflection, which POV-Ray shows black, not matte. Or it enters a hull of ghosts several times, or inside of it.
func isKnown(p *follow.Prepared, pixel image.Point) bool {
	rays := p.PixelRays(pixel, 1)
	end := p.Follow(p.CameraRay(rays.At(0)), follow.PositionOf(&rays, 0), nil)
	for ; end.Mirror != nil; end = end.Mirror {
		if reenters(p, end) {
			return true
		}
	}
	return reenters(p, end) || end.IsSolid() && end.Material.Mirror > 0 && p.Scene.Shading.Bounces > 0
}

// reenters reports whether the ray of a path enters the union of a hull's solids another number of times than it takes the
// hull.
func reenters(p *follow.Prepared, path *follow.Path) bool {
	if p.Ghosts == nil {
		return false
	}
	reach := math.Inf(1)
	if path.IsSolid() {
		reach = path.Hit.T
	}
	spans := make(map[int32][][2]float64)
	for i := range int32(p.Scene.Objects.Len()) {
		hull := p.Ghosts.Hull(i)
		if hull == 0 || p.Ghosts.Shape(i) == nil {
			continue
		}
		if s, ok := p.Ghosts.Shape(i).Span(path.Ray); ok {
			spans[hull] = append(spans[hull], [2]float64{s.Near.T, s.Far.T})
		}
	}
	for hull, list := range spans {
		slices.SortFunc(list, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
		entries, inside := 0, math.Inf(-1)
		for _, s := range list {
			if s[0] > inside && 0 < s[0] && s[0] < reach {
				entries++
			}
			inside = max(inside, s[1])
		}
		taken := slices.ContainsFunc(path.Ghosts, func(g *follow.Path) bool { return p.Ghosts.Hull(g.Hit.Object) == hull })
		if entries > 1 || (entries == 1) != taken {
			return true
		}
	}
	return false
}

// withPOVRay exports s and renders it with POV-Ray.
func withPOVRay(program, dir string, s *scene.Scene) (image.Image, error) {
	var pov strings.Builder
	if err := povray.Write(&pov, s); err != nil {
		return nil, err
	}
	return fixture.POVRayPicture(program, dir, pov.String())
}

// hasLike reports whether the color of theirs at p is that of the same pixel of ours or of one of its neighbors, up to
// rounding. A silhouette may be in the neighboring pixel.
func hasLike(ours *image.NRGBA, theirs image.Image, p image.Point) bool {
	want := color.NRGBAModel.Convert(theirs.At(p.X, p.Y)).(color.NRGBA)
	for y := p.Y - 1; y <= p.Y+1; y++ {
		for x := p.X - 1; x <= p.X+1; x++ {
			if !(image.Pt(x, y).In(ours.Rect)) {
				continue
			}
			c := ours.NRGBAAt(x, y)
			worst := 0.0
			for _, d := range [4]float64{float64(c.R) - float64(want.R), float64(c.G) - float64(want.G), float64(c.B) - float64(want.B), float64(c.A) - float64(want.A)} {
				worst = max(worst, math.Abs(d))
			}
			if worst <= 3 {
				return true
			}
		}
	}
	return false
}

// TestPOVRayShowsVisibleLights checks that mirrors show the balls of visible lights, and that nothing else does.
func TestPOVRayShowsVisibleLights(t *testing.T) {
	program, err := exec.LookPath("povray")
	if err != nil {
		t.Skip("povray is not installed")
	}
	s := decode(t, `
image = { width = 80, height = 60, background = "navy" }
shading = { shadows = false, ambient = 0.1 }
camera = { position = [0, 2, 6], look_at = [0, 0.5, 0] }
light = [
	{ position = [1, 1.2, 1], radius = 0.7, color = "orange", intensity = 0.5, visible = true },
	{ position = [-1, 1.2, 1], radius = 0.5, color = "lime", intensity = 0.5 },
]
material.glass = { mirror = 0.6 }
box = [
	{ center = [0, -0.1, 0], half_extents = [4, 0.1, 4], material = "glass" },
]`)
	film, err := pillbox.Render(t.Context(), s, pillbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := withPOVRay(program, t.TempDir(), s)
	if err != nil {
		t.Fatal(err)
	}
	p := follow.Of(prepared)
	lit, differ := 0, 0
	for y := range 60 {
		for x := range 80 {
			rays := p.PixelRays(image.Pt(x, y), 1)
			path := p.Follow(p.CameraRay(rays.At(0)), follow.PositionOf(&rays, 0), nil)
			if path.Mirror != nil && path.Mirror.Light > 0 {
				lit++
			}
			if !hasLike(film.Image, theirs, image.Pt(x, y)) {
				differ++
			}
		}
	}
	if lit < 200 || differ > 3 {
		t.Errorf("%d pixels show the light, %d differ", lit, differ)
	}
}

// dice makes the values of a random scene.
type dice struct {
	*rand.Rand
	strings.Builder
	unit float64 // of lengths
}

// randomScene returns a scene with all kinds of solids, lights, cameras, backgrounds, sections and ghosts. It omits what POV-Ray shows
// differently: lights with a size, ambient occlusion and outlines.
func randomScene(seed uint64) string {
	d := &dice{Rand: rand.New(rand.NewPCG(seed, 46)), unit: 1}
	if d.IntN(4) == 0 {
		d.unit = math.Pow(10, d.between(-7, 7))
	}
	d.line("image = { width = 80, height = 60, background = %s }", d.pick(`"#203050"`, `"transparent"`, `{ top = "navy", bottom = "#f2e0c0" }`))
	d.line("shading = { ambient = %s, shadows = %v, bounces = %d }", d.pick("0.15", `{ top = 0.3, bottom = "#301008" }`, `"#302018"`), d.IntN(2) == 0, d.IntN(4))
	eye := geom.Vec3{X: d.between(-2, 2), Y: d.between(-1, 3), Z: d.between(6, 9)}
	if d.IntN(8) == 0 {
		eye = eye.Scale(0.2) // perhaps in a solid
	}
	d.line("camera = { position = %s, look_at = %s, up = %s, %s }", d.vector(eye), d.point(1), d.direction(),
		d.pick(fmt.Sprintf("fov = %v", d.between(20, 90)), fmt.Sprintf(`projection = "orthographic", view_height = %v`, d.between(4, 9)*d.unit)))
	d.line(`material.glass = { color = "#6080a0", mirror = %v }`, d.between(0.1, 0.9))
	d.line(`material.tiles = { color = "white", mirror = %v, checker = { color = "maroon", size = %v } }`, d.pick("0", "0.3"), d.between(0.2, 0.5)*d.unit)
	d.line(`material.veil = { color = %s, ghost = %v }`, d.color(), d.between(0.1, 0.9))
	for range max(0, d.IntN(5)-2) {
		d.section()
	}
	for range d.IntN(4) {
		d.light()
	}
	for range 1 + d.IntN(12) {
		d.solid()
	}
	return d.String()
}

func (d *dice) line(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }

func (d *dice) between(low, high float64) float64 { return low + (high-low)*d.Float64() }

func (d *dice) pick(texts ...string) string { return texts[d.IntN(len(texts))] }

func (d *dice) vector(v geom.Vec3) string {
	return fmt.Sprintf("[%v, %v, %v]", v.X*d.unit, v.Y*d.unit, v.Z*d.unit)
}

func (d *dice) point(reach float64) string {
	return d.vector(geom.Vec3{X: d.between(-reach, reach), Y: d.between(-reach, reach), Z: d.between(-reach, reach)})
}

func (d *dice) direction() string {
	return fmt.Sprintf("[%v, %v, %v]", d.NormFloat64(), d.NormFloat64(), d.NormFloat64())
}

func (d *dice) light() {
	place := "position = " + d.point(7)
	switch d.IntN(3) {
	case 0:
		place = "direction = " + d.direction()
	case 1:
		cone := d.between(10, 170)
		place += fmt.Sprintf("\ndirection = %s\ncone = %v\nedge = %v", d.direction(), cone, d.pick("0", fmt.Sprint(cone*d.between(0, 0.5))))
	}
	d.line("[[light]]\n%s\ncolor = %s\nintensity = %v%s", place, d.color(), d.between(0.1, 0.8), d.pick("", "", "\nattach = \"camera\""))
}

func (d *dice) section() {
	hatch := ""
	if d.IntN(2) == 0 {
		hatch = fmt.Sprintf("\nhatch = true\nhatch_width = %v\nhatch_distance = %v\nhatch_angle = %v\nhatch_color = \"navy\"", 0.1*d.unit, 0.4*d.unit, d.between(0, 180))
	}
	d.line("[[section]]\npoint = %s\nnormal = %s%s%s%s", d.point(1.5), d.direction(), hatch, d.pick("", "\ncolor = "+d.color()),
		d.pick("", "\nexcept = \"veil\"", "\nexcept = [\"glass\", \"tiles\"]"))
}

func (d *dice) color() string {
	return fmt.Sprintf("[%v, %v, %v]", d.Float64(), d.Float64(), d.Float64())
}

func (d *dice) solid() {
	size := d.between(0.2, 1.2)
	radius := fmt.Sprintf("\nradius = %v", size*d.unit)
	a := geom.Vec3{X: d.between(-2, 2), Y: d.between(-2, 2), Z: d.between(-2, 2)}
	b := a.Add(geom.Vec3{X: d.NormFloat64(), Y: d.NormFloat64(), Z: d.NormFloat64()})
	material := d.pick("color = "+d.color(), "color = "+d.color(), `material = "glass"`, `material = "veil"`, fmt.Sprintf("color = %s\nghost = %v", d.color(), d.between(0.1, 0.9)))
	axis := fmt.Sprintf("\na = %s\nb = %s", d.vector(a), d.vector(b))
	switch d.IntN(4) {
	case 0:
		d.line("[[sphere]]\ncenter = %s%s\n%s", d.vector(a), radius, material)
	case 1:
		d.line("[[capsule]]%s%s\n%s", axis, radius, material)
	case 2:
		d.line("[[cylinder]]%s%s\n%s", axis, radius, material)
	case 3:
		half := geom.Vec3{X: d.between(0.1, 1.5), Y: d.between(0.1, 1.5), Z: d.between(0.1, 1.5)}
		turn := d.pick("", fmt.Sprintf("\naxis = %s\nangle = %v", d.direction(), d.between(0, 360)))
		d.line("[[box]]\ncenter = %s\nhalf_extents = %s%s\n%s", d.vector(a), d.vector(half), turn, d.pick(material, `material = "tiles"`))
	}
}
