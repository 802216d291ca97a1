package aov

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pillbox"
	"pillbox/camera"
	"pillbox/internal/fixture/effort"
	"pillbox/scene"
)

// framedScene is a random scene whose camera frames the solids: the text before the tables, and the tables, whose order means
// nothing.
type framedScene struct {
	head   string
	tables []string
}

// text returns the scene with its tables in the order that the function permute returns.
func (f *framedScene) text(permute func(n int) []int) string {
	var b strings.Builder
	b.WriteString(f.head)
	for _, i := range permute(len(f.tables)) {
		b.WriteString(f.tables[i])
	}
	return b.String()
}

func inOrder(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// randomFramed returns a scene with solids of all kinds, also in placements of parts, and perhaps sections.
func randomFramed(r *rand.Rand) *framedScene {
	vector := func(size float64) string {
		return fmt.Sprintf("[%v, %v, %v]", size*r.NormFloat64(), size*r.NormFloat64(), size*r.NormFloat64())
	}
	radius := func() float64 { return math.Pow(10, -1.2*r.Float64()) }
	solid := func(table string) string {
		switch r.IntN(4) {
		case 0:
			return fmt.Sprintf("[[%ssphere]]\ncenter = %s\nradius = %v\n", table, vector(1.5), radius())
		case 1:
			return fmt.Sprintf("[[%scapsule]]\na = %s\nb = %s\nradius = %v\n", table, vector(1.5), vector(1.5), radius())
		case 2:
			return fmt.Sprintf("[[%sbox]]\ncenter = %s\nhalf_extents = [%v, %v, %v]\nrotate = %s\n", table, vector(1.5), radius(), radius(), radius(), vector(90))
		default:
			return fmt.Sprintf("[[%scylinder]]\na = %s\nb = %s\nradius = %v\n", table, vector(1.5), vector(1.5), radius())
		}
	}
	f := &framedScene{head: fmt.Sprintf("image = { width = %d, height = %d }\ncamera = { direction = %s, up = %s, margin = %v, %s }\n",
		40+r.IntN(260), 40+r.IntN(260), vector(1), vector(1), 0.3*r.Float64(), []string{`projection = "orthographic"`, fmt.Sprintf("fov = %v", 5+80*r.Float64())}[r.IntN(2)])}
	for range 1 + r.IntN(6) {
		f.tables = append(f.tables, solid(""))
	}
	if r.IntN(2) == 0 {
		f.head += solid("part.p.")
		if r.IntN(2) == 0 {
			f.head += solid("part.p.")
		}
		for range 1 + r.IntN(2) {
			f.tables = append(f.tables, fmt.Sprintf("[[place]]\npart = \"p\"\nposition = %s\nrotate = %s\nscale = %v\ncount = %d\nstep = { position = %s, axis = %s, angle = 20 }\n", vector(2), vector(90), 0.3+r.Float64(), 1+r.IntN(3), vector(1), vector(1)))
		}
	}
	if r.IntN(2) == 0 {
		for range 1 + r.IntN(2) {
			f.tables = append(f.tables, fmt.Sprintf("[[section]]\npoint = %s\nnormal = %s\n", vector(0.8), vector(1)))
		}
	}
	return f
}

// silhouette returns the box of the pixels that show solids, in a region of a picture of the scene that is k times as large.
func silhouette(t *testing.T, s *scene.Scene, k int, region image.Rectangle) (box image.Rectangle) {
	t.Helper()
	v := render(t, s, pillbox.Options{Picture: pillbox.Picture{Size: image.Pt(k*s.Image.Width, k*s.Image.Height), Region: region}}, Object)[0]
	width := v.Region.Dx()
	for i, number := range v.Values {
		if number >= 0 {
			box = box.Union(image.Rect(i%width, i/width, i%width+1, i/width+1))
		}
	}
	return box
}

// marginGap returns the distance between the middles of the outermost pixels of a box and the margin at a side.
func marginGap(s *scene.Scene, box image.Rectangle, side camera.Side) float64 {
	w, h := float64(s.Image.Width), float64(s.Image.Height)
	margin := s.Framing.Margin * min(w, h)
	return [...]float64{
		camera.Left:   float64(box.Min.X) + 0.5 - margin,
		camera.Right:  w - float64(box.Max.X) + 0.5 - margin,
		camera.Top:    float64(box.Min.Y) + 0.5 - margin,
		camera.Bottom: h - float64(box.Max.Y) + 0.5 - margin,
	}[side]
}

// touchesWithin reports whether a silhouette shows in the strip that begins at the margin of a side and is a pixel wide, in a
// picture that is k times as large.
func touchesWithin(t *testing.T, s *scene.Scene, side camera.Side, k int) bool {
	t.Helper()
	w, h := k*s.Image.Width, k*s.Image.Height
	margin := s.Framing.Margin * float64(min(w, h))
	from, to := int(math.Ceil(margin-0.5)), int(margin+float64(k)+0.5)
	return !silhouette(t, s, k, [...]image.Rectangle{
		camera.Left:   image.Rect(from, 0, to, h),
		camera.Right:  image.Rect(w-to, 0, w-from, h),
		camera.Top:    image.Rect(0, from, w, to),
		camera.Bottom: image.Rect(0, h-to, w, h-from),
	}[side]).Empty()
}

// checkSilhouette measures the silhouettes of scenes that share a camera: the farthest touch the margins of the limiting pair
// within a pixel, and none is outside. It returns for how many sides a larger picture decided.
func checkSilhouette(t *testing.T, name string, frames ...*scene.Scene) (larger int) {
	t.Helper()
	first := frames[0]
	found, err := first.Framed(first.Image.Width, first.Image.Height)
	if err != nil {
		t.Fatalf("%s\n%v", name, err)
	}
	var boxes []image.Rectangle
	for _, s := range frames {
		if again, _ := s.Framed(s.Image.Width, s.Image.Height); again != found {
			t.Fatalf("%s\nthe cameras are %v and %v", name, found, again)
		}
		if box := silhouette(t, s, 1, image.Rectangle{}); !box.Empty() {
			boxes = append(boxes, box)
		}
	}
	if len(boxes) == 0 { // sections take all away
		return 0
	}
	for side := range camera.Side(4) {
		away := math.Inf(1)
		for _, box := range boxes {
			away = min(away, marginGap(first, box, side))
		}
		if away < -1e-6 {
			t.Errorf("%s\nthe silhouette is %v pixels outside of the %v margin", name, -away, side)
		}
		if isLimit := side/2 == found.Limit/2; !isLimit || found.Close || away <= 1 {
			continue
		}
		larger++
		touches := func(k int) bool {
			return slices.ContainsFunc(frames, func(s *scene.Scene) bool { return touchesWithin(t, s, side, k) })
		}
		if !touches(8) && !touches(64) {
			t.Errorf("%s\nthe silhouette is %v pixels away from the %v margin, want at most 1", name, away, side)
		}
	}
	return larger
}

// TestFramedSilhouettes measures the silhouettes of random scenes in views of their solids: the two sides of the limiting pair
// touch the margin within a pixel, nothing is outside, and the order of the tables means nothing. Where a silhouette ends in a
// tip thinner than a pixel, a larger picture decides.
func TestFramedSilhouettes(t *testing.T) {
	larger := 0
	n := effort.Of(25, 250, 1000)
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 30))
		f := randomFramed(r)
		s, err := scene.Decode("test.toml", []byte(f.text(inOrder)))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		permuted, err := scene.Decode("test.toml", []byte(f.text(r.Perm)))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		w, h := s.Image.Width, s.Image.Height
		if a, b := s.CameraFor(w, h), permuted.CameraFor(w, h); a != b {
			t.Errorf("seed %d: the camera is %v, with permuted tables %v", seed, a, b)
		}
		larger += checkSilhouette(t, fmt.Sprintf("seed %d:\n%s", seed, f.text(inOrder)), s)
	}
	t.Logf("%d scenes, %d sides of larger pictures", n, larger)
}

// TestFramedFilmsAndSides measures the silhouettes of random scenes from named sides, and of films with one camera for all frames
// or one for each.
func TestFramedFilmsAndSides(t *testing.T) {
	for seed := range uint64(effort.Of(6, 60, 300)) {
		r := rand.New(rand.NewPCG(seed, 31))
		f := randomFramed(r)
		isEach := r.IntN(2) == 0
		f.head = strings.Replace(f.head, "margin =", fmt.Sprintf("fit_time = %q, margin =", []string{"all", "each"}[map[bool]int{true: 1}[isEach]]), 1)
		f.tables = append(f.tables, "[[sphere]]\nname = \"moon\"\ncenter = [0, 0, 0]\nradius = 0.2\n", fmt.Sprintf("[animation]\nduration = 1\nfps = 4\n"+
			"[[animate]]\ntarget = \"moon.center\"\ntimes = [0, 1]\nvalues = [[%v, 1, -6], [%v, 2, 7]]\n", 9*r.NormFloat64(), 9*r.NormFloat64()))
		name := fmt.Sprintf("seed %d:\n%s", seed, f.text(inOrder))
		s, err := scene.Decode("test.toml", []byte(f.text(inOrder)))
		if err != nil {
			t.Fatalf("%s\n%v", name, err)
		}
		var frames []*scene.Scene
		for i := range 4 {
			at, err := s.At(float64(i) / 4)
			if err != nil {
				t.Fatalf("%s\n%v", name, err)
			}
			frames = append(frames, at)
		}
		if isEach {
			for _, at := range frames {
				checkSilhouette(t, name, at)
			}
		} else {
			checkSilhouette(t, name, frames...)
		}
		names := scene.ViewNames()
		view := names[r.IntN(len(names))]
		seen, _ := frames[0].From(view)
		seen.Detach()
		checkSilhouette(t, view+" view of "+name, seen)
	}
}
