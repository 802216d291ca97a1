package outline_test

import (
	"context"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pillbox"
	"pillbox/geom"
	"pillbox/internal/follow"
	"pillbox/internal/outline"
	"pillbox/scene"
	"pillbox/shade"
)

// Example draws the outline of two boxes that touch in the middle of the picture. A line of one pixel covers the
// middle column.
func Example() {
	s, err := scene.Decode("boxes.toml", []byte(`
		image = { width = 3, height = 1 }
		camera = { projection = "orthographic", position = [0, 0, 9], look_at = [0, 0, 0], view_height = 1 }
		outline = { width = 1 }
		[[box]]
		center = [-5, 0, 0]
		half_extents = [5, 5, 5]
		[[box]]
		center = [5, 0, 0]
		half_extents = [5, 5, 5]
	`))
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		fmt.Println(err)
		return
	}
	lines := outline.New(follow.Of(p))
	lines.Trace(context.Background(), image.Rect(0, 0, 3, 1))
	for x := range 3 {
		fmt.Printf("%.2f\n", float64(lines.Coverage(x, 0))/outline.Whole)
	}
	// Output:
	// 0.00
	// 1.00
	// 0.00
}

// tracerOf decodes a scene of 120 x 90 pixels, and returns a tracer that has traced the whole picture.
func tracerOf(t *testing.T, text string) (*outline.Tracer, *follow.Prepared) {
	t.Helper()
	s, err := scene.Decode("test.toml", []byte("image.width = 120\nimage.height = 90\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	return traced(t, s)
}

func traced(t *testing.T, s *scene.Scene) (*outline.Tracer, *follow.Prepared) {
	t.Helper()
	p, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		t.Fatal(err)
	}
	st := follow.Of(p)
	lines := outline.New(st)
	if !lines.Trace(t.Context(), st.Region) {
		t.Fatal("the context has ended")
	}
	return lines, st
}

// stroke is a line between two points of the scene.
type stroke struct{ a, b geom.Vec3 }

// covered returns the part of a pixel within half of the width of any of some lines in the picture, by sampling.
func covered(x, y int, half float64, lines [][4]float64) float64 {
	const side = 32
	inside := 0
	for i := range side * side {
		cx, cy := float64(x)+(float64(i%side)+0.5)/side, float64(y)+(float64(i/side)+0.5)/side
		for _, l := range lines {
			if distance(cx, cy, l) <= half {
				inside++
				break
			}
		}
	}
	return float64(inside) / (side * side)
}

// distance returns the distance between a point and a line, given by the coordinates of both its ends.
func distance(x, y float64, l [4]float64) float64 {
	wayX, wayY := l[2]-l[0], l[3]-l[1]
	u := min(max(((x-l[0])*wayX+(y-l[1])*wayY)/(wayX*wayX+wayY*wayY), 0), 1)
	return math.Hypot(l[0]+u*wayX-x, l[1]+u*wayY-y)
}

// checkStrokes compares the coverage of every pixel with that of straight lines between the projected points of
// strokes. It allows larger differences where several lines are near, and at ends and joints, which the tracer locates
// only to half of the distance between rays.
func checkStrokes(t *testing.T, lines *outline.Tracer, st *follow.Prepared, strokes []stroke) {
	t.Helper()
	var projected [][4]float64
	for _, s := range strokes {
		ax, ay, _ := st.View.Project(s.a)
		bx, by, _ := st.View.Project(s.b)
		projected = append(projected, [4]float64{ax, ay, bx, by})
	}
	half := st.OutlineWidth / 2
	var area, want float64
	for y := range st.Size.Y {
		for x := range st.Size.X {
			nearest, joint, near := math.Inf(1), math.Inf(1), 0
			for _, l := range projected {
				cx, cy := float64(x)+0.5, float64(y)+0.5
				d := distance(cx, cy, l)
				nearest = min(nearest, d)
				joint = min(joint, math.Hypot(l[0]-cx, l[1]-cy), math.Hypot(l[2]-cx, l[3]-cy))
				if d < half+1 {
					near++
				}
			}
			share, tolerance := max(0, min(nearest+0.5, half)-max(nearest-0.5, -half)), 0.04
			if near > 1 {
				share, tolerance = covered(x, y, half, projected), 0.15
			}
			if joint < half+1.5 {
				tolerance = 0.5
			}
			got := float64(lines.Coverage(x, y)) / outline.Whole
			if math.Abs(got-share) > tolerance {
				t.Errorf("pixel %d,%d is covered by %.3f, want %.3f", x, y, got, share)
			}
			area, want = area+got, want+share
		}
	}
	if math.Abs(area-want) > 0.01*want+0.5 {
		t.Errorf("the lines have the area %.2f pixels, want %.2f", area, want)
	}
}

// TestSphereIsCircle checks that the outline of a sphere is a ring of the right radius and width, with nothing
// inside.
func TestSphereIsCircle(t *testing.T) {
	for _, width := range []float64{0.5, 1, 1.5, 2, 3.3, 8} {
		for _, antialias := range []int{1, 3, 4} {
			lines, _ := tracerOf(t, fmt.Sprintf(`image.antialias = %d
				camera = { projection = "orthographic", position = [0.31, -0.17, 9], look_at = [0.31, -0.17, 0], view_height = 9 }
				outline.width = %v
				sphere = [{ center = [0, 0, 0], radius = 3.1 }]`, antialias, width))
			const radius = 31.0 // ten pixels per unit
			area := 0.0
			for y := range 90 {
				for x := range 120 {
					d := math.Abs(math.Hypot(float64(x)+0.5-60+3.1, float64(y)+0.5-45+1.7) - radius)
					want := max(0, min(d+0.5, width/2)-max(d-0.5, -width/2))
					got := float64(lines.Coverage(x, y)) / outline.Whole
					if math.Abs(got-want) > 0.03 {
						t.Fatalf("width %v, antialias %d: pixel %d,%d is covered by %.3f, want %.3f", width, antialias, x, y, got, want)
					}
					area += got
				}
			}
			if want := 2 * math.Pi * radius * width; math.Abs(area/want-1) > 0.005 {
				t.Errorf("width %v, antialias %d: the ring has the area %.2f, want perimeter times width, %.2f", width, antialias, area, want)
			}
		}
	}
}

// corner returns a corner of a box around the origin with half extents h. Each of x, y and z is -1 or 1.
func corner(h geom.Vec3, x, y, z float64) geom.Vec3 {
	return geom.Vec3{X: x * h.X, Y: y * h.Y, Z: z * h.Z}
}

// TestBoxHasItsEdges checks that a box seen at an angle has three creases and a silhouette of six edges.
func TestBoxHasItsEdges(t *testing.T) {
	h := geom.Vec3{X: 2, Y: 1.5, Z: 1}
	front := corner(h, 1, 1, 1)
	creases := []stroke{{front, corner(h, -1, 1, 1)}, {front, corner(h, 1, -1, 1)}, {front, corner(h, 1, 1, -1)}}
	round := []geom.Vec3{corner(h, -1, 1, 1), corner(h, -1, -1, 1), corner(h, 1, -1, 1), corner(h, 1, -1, -1), corner(h, 1, 1, -1), corner(h, -1, 1, -1)}
	var silhouette []stroke
	for i := range round {
		silhouette = append(silhouette, stroke{round[i], round[(i+1)%len(round)]})
	}
	for _, camera := range []string{`projection = "orthographic", view_height = 7`, `fov = 40`} {
		for keys, want := range map[string][]stroke{
			"":                      append(append([]stroke(nil), creases...), silhouette...),
			", silhouettes = false": creases,
			", creases = false":     silhouette,
			", contacts = false":    append(append([]stroke(nil), creases...), silhouette...),
		} {
			lines, st := tracerOf(t, `camera = { position = [5, 4, 8], look_at = [0, 0, 0], `+camera+` }
				outline = { width = 1.5`+keys+` }
				box = [{ center = [0, 0, 0], half_extents = [2, 1.5, 1] }]`)
			t.Run(camera+keys, func(t *testing.T) { checkStrokes(t, lines, st, want) })
		}
	}
}

// TestBoxInside checks that a box also shows its edges from inside.
func TestBoxInside(t *testing.T) {
	lines, st := tracerOf(t, `camera = { position = [0, 0, 0.5], look_at = [0, 0, -1], fov = 90 }
		outline = { width = 2, silhouettes = false, contacts = false }
		box = [{ center = [0, 0, 0], half_extents = [2, 1.5, 3] }]`)
	h := geom.Vec3{X: 2, Y: 1.5, Z: 3}
	var want []stroke
	back := []geom.Vec3{corner(h, 1, 1, -1), corner(h, -1, 1, -1), corner(h, -1, -1, -1), corner(h, 1, -1, -1)}
	for i, p := range back {
		near := p
		near.Z = 0 // in front of the camera
		want = append(want, stroke{p, back[(i+1)%4]}, stroke{p, near})
	}
	checkStrokes(t, lines, st, want)
}

// TestNarrowFace checks that a silhouette has no gaps beside a face that is narrower than the distance between rays,
// whichever kinds of lines are drawn. The side of the box is 0.001 to 0.4 pixels wide in the picture.
func TestNarrowFace(t *testing.T) {
	for _, antialias := range []int{1, 4} {
		for _, turn := range []float64{0.01, 1, -1, -3} {
			for _, keys := range []string{", creases = false", ", silhouettes = false", ", contacts = false", ""} {
				for _, wall := range []string{"", ", { center = [0, 0, -9], half_extents = [50, 50, 1] }"} {
					lines, st := tracerOf(t, fmt.Sprintf(`image.antialias = %d
						camera = { projection = "orthographic", position = [0.013, 0.007, 9], look_at = [0.013, 0.007, 0], view_height = 9 }
						outline = { width = 1%s }
						box = [{ center = [0, 0, 0], half_extents = [3, 3, 0.35], axis = [0, 1, 0.004], angle = %v }%s]`, antialias, keys, turn, wall))
					rows := 0
					for y := 16; y < 74; y++ {
						area := 0.0
						for x := range st.Size.X {
							area += float64(lines.Coverage(x, y)) / outline.Whole
						}
						// One line at each side, and a third between the front and the narrow face if there is room for it. With
						// creases only, there is one line beside the narrow face, if it is not too narrow to be found.
						low, high := 1.9, 3.1
						if strings.HasPrefix(keys, ", silhouettes") {
							low, high = 0, 1.1
						}
						if keys == ", creases = false" {
							high = 2.1
						}
						if area < low || area > high {
							rows++
						}
					}
					if rows > 0 {
						t.Errorf("antialias %d, turned by %v, %s%s: %d of 58 rows have gaps or other lines", antialias, turn, keys, wall, rows)
					}
				}
			}
		}
	}
}

// TestNearLines checks that coverage is the union of the lines in a pixel. The sides of a bar are lines that are
// parallel and almost meet, just meet or overlap, at all angles and positions.
func TestNearLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for _, width := range []float64{0.3, 1, 1.5, 5} {
		for _, apart := range []float64{0.4, 1, 1.3, 2, 5.2} {
			if apart < 0.5 && width < 0.5 {
				continue // the lines of a bar as narrow as the distance between rays are not found everywhere
			}
			for range 2 {
				angle, x, y := 90*rng.Float64(), rng.Float64(), rng.Float64()
				lines, st := tracerOf(t, fmt.Sprintf(`image.antialias = 4
					camera = { projection = "orthographic", position = [0, 0, 9], look_at = [0, 0, 0], view_height = 90 }
					outline = { width = %v }
					box = [{ center = [%v, %v, 0], half_extents = [200, %v, 1], rotate = [0, 0, %v] }]`, width, x, y, apart/2, angle))
				sin, cos := math.Sincos(angle * math.Pi / 180)
				for py := range st.Size.Y {
					for px := range st.Size.X {
						// The distance from the middle of the bar, with the pixel as a square with sides along it.
						d := sin*(float64(px)+0.5-60-x) - cos*(45-y-float64(py)-0.5)
						inside := 0.0
						const samples = 64
						for i := range samples {
							at := math.Abs(math.Abs(d+(float64(i)+0.5)/samples-0.5) - apart/2)
							if at <= width/2 {
								inside++
							}
						}
						got, want := float64(lines.Coverage(px, py))/outline.Whole, inside/samples
						if math.Abs(got-want) > 0.1 {
							t.Fatalf("width %v, %v apart, at %v degrees: pixel %d,%d is covered by %.3f, want %.3f", width, apart, angle, px, py, got, want)
						}
					}
				}
			}
		}
	}
	// Whole, not nearly whole.
	lines, _ := tracerOf(t, `
		camera = { projection = "orthographic", position = [0, 0, 9], look_at = [0, 0, 0], view_height = 90 }
		outline = { width = 1 }
		box = [{ center = [0.5, 0, 0], half_extents = [0.5, 20, 1] }]`)
	if got := lines.Coverage(60, 40); got != outline.Whole {
		t.Errorf("a pixel between two lines that meet in it is covered by %d, want %d", got, outline.Whole)
	}
}

// TestTouchingBoxes checks that a line of the kind contact is drawn where two boxes touch, and that there is no
// such line if there is a gap between the boxes.
func TestTouchingBoxes(t *testing.T) {
	const text = `camera = { position = [%s], look_at = [0, 0, 0], projection = "orthographic", view_height = 7 }
		outline = { width = 2, %s }
		box = [{ center = [-1, 0, 0], half_extents = [1, 1, 1] }, { center = [%v, 0, 0], half_extents = [1, 1, 1] }]`
	a, b, c := geom.Vec3{Y: -1, Z: 1}, geom.Vec3{Y: 1, Z: 1}, geom.Vec3{Y: 1, Z: -1}
	for _, from := range []string{"5, 4, 8", "-2, 6, 3", "0.5, 3, 4"} {
		lines, st := tracerOf(t, fmt.Sprintf(text, from, "silhouettes = false, creases = false", 1))
		checkStrokes(t, lines, st, []stroke{{a, b}, {b, c}})
		lines, _ = tracerOf(t, fmt.Sprintf(text, from, "silhouettes = false, creases = false", 1.3))
		if lines.Touches(st.Region) {
			t.Errorf("from %s: boxes 0.3 apart have a contact", from)
		}
	}
}

// TestBallBeforeWall checks that a ball in front of a wall has a silhouette, and that a ball partly inside the wall
// has a line of the kind contact.
func TestBallBeforeWall(t *testing.T) {
	const text = `camera = { position = [0, 0, 9], look_at = [0, 0, 0], projection = "orthographic", view_height = 9 }
		outline = { width = 2, %s }
		box = [{ center = [0, 0, -1], half_extents = [50, 50, 1] }]
		sphere = [{ center = [0, 0, %v], radius = 3 }]`
	for _, c := range []struct {
		z                           float64
		keys                        string
		radius                      float64 // in pixels; 0 for no line
		silhouette, contact, crease bool
	}{
		{z: 3.5, radius: 30, silhouette: true},
		{z: 0, radius: 30, contact: true},
		{z: -1, radius: 10 * math.Sqrt(8), contact: true},
		{z: -1, radius: 0, silhouette: true},
		{z: 3.5, radius: 0, contact: true},
		{z: 3.5, radius: 0, crease: true},
	} {
		lines, _ := tracerOf(t, fmt.Sprintf(text, fmt.Sprintf("silhouettes = %v, contacts = %v, creases = %v", c.silhouette, c.contact, c.crease), c.z))
		area := 0.0
		for y := range 90 {
			for x := range 120 {
				got := float64(lines.Coverage(x, y)) / outline.Whole
				if d := math.Abs(math.Hypot(float64(x)+0.5-60, float64(y)+0.5-45) - c.radius); got > 0 && (c.radius == 0 || d > 1.6) {
					t.Fatalf("%+v: pixel %d,%d is covered by %.3f", c, x, y, got)
				}
				area += got
			}
		}
		if want := 2 * math.Pi * c.radius * 2; math.Abs(area-want) > 0.01*want {
			t.Errorf("%+v: the ring has the area %.2f, want %.2f", c, area, want)
		}
	}
}

// TestCoincidentFaces draws overlapping boxes with faces in one plane, where rounding decides which box a ray hits.
// The common plane must have no lines on it, and the lines around it must have no gaps.
func TestCoincidentFaces(t *testing.T) {
	const text = `camera = { position = [5, 4, 8], look_at = [0, 0, 0], fov = 30 }
		outline = { width = 1.5, contacts = %v }
		place = [{ part = "p", position = [0.3, 0.1, 0.2], rotate = [20, 33, 11] }]
		[part.p]
		box = [%s]`
	const long = "{ center = [0, 0.1, 0.3], half_extents = [1.7, 1, 0.7] }"
	for _, boxes := range []string{
		// Their union is the long box.
		"{ center = [-0.51, 0.1, 0.3], half_extents = [1.19, 1, 0.7] }, { center = [0.5, 0.1, 0.3], half_extents = [1.2, 1, 0.7] }",
		// The long box contains the other, which has a part of its front, back, top and bottom.
		long + ", { center = [0.11, 0.1, 0.3], half_extents = [1.1, 1, 0.7] }",
	} {
		for _, contacts := range []bool{false, true} {
			if contacts && !strings.HasPrefix(boxes, long) {
				continue // there is a contact where the second box ends
			}
			want, st := tracerOf(t, fmt.Sprintf(text, contacts, long))
			got, _ := tracerOf(t, fmt.Sprintf(text, contacts, boxes))
			for y := range st.Size.Y {
				for x := range st.Size.X {
					a, b := float64(want.Coverage(x, y))/outline.Whole, float64(got.Coverage(x, y))/outline.Whole
					if math.Abs(a-b) > 0.15 { // where a contact meets a silhouette; elsewhere they are equal
						t.Errorf("%s, contacts = %v: pixel %d,%d is covered by %.3f, want %.3f", boxes, contacts, x, y, b, a)
					}
				}
			}
		}
	}
}

// TestRimOfCylinder checks that the half of a cylinder's rim that faces the viewer is a crease, and that the other
// half is a silhouette.
func TestRimOfCylinder(t *testing.T) {
	for axis, ends := range map[string]string{"up": "a = [0, -2, 0], b = [0, 2, 0]", "down": "a = [0, 2, 0], b = [0, -2, 0]"} {
		lines, st := tracerOf(t, `camera = { position = [0, 6, 8], look_at = [0, 0, 0], projection = "orthographic", view_height = 7 }
			outline = { width = 1.5, silhouettes = false }
			cylinder = [{ `+ends+`, radius = 1.5 }]`)
		var want []stroke
		point := func(i int) geom.Vec3 {
			sin, cos := math.Sincos(math.Pi * float64(i) / 64)
			return geom.Vec3{X: 1.5 * cos, Y: 2, Z: 1.5 * sin}
		}
		for i := range 64 {
			want = append(want, stroke{point(i), point(i + 1)})
		}
		area, wanted := 0.0, 0.0
		for y := range st.Size.Y {
			for x := range st.Size.X {
				area += float64(lines.Coverage(x, y)) / outline.Whole
			}
		}
		for _, s := range want {
			ax, ay, _ := st.View.Project(s.a)
			bx, by, _ := st.View.Project(s.b)
			wanted += 1.5 * math.Hypot(bx-ax, by-ay)
		}
		if math.Abs(area-wanted) > 0.03*wanted {
			t.Errorf("%s: the crease has the area %.2f, want %.2f", axis, area, wanted)
		}
	}
}

// TestPartsOfPicture checks that the coverage of a pixel by lines does not depend on the rectangle that is traced,
// and is the same with brute force as with the search tree. It must also stay the same if all lengths are scaled
// by a power of two.
func TestPartsOfPicture(t *testing.T) {
	const text = `
		[camera]
		position = [%v, %v, %v]
		look_at = [0, 0, 0]
		fov = 35
		[outline]
		width = %v
		[[box]]
		center = [0, 0, 0]
		half_extents = [%v, %v, %v]
		rotate = [10, 20, 30]
		[[sphere]]
		center = [%v, %v, %v]
		radius = %v
		[[capsule]]
		a = [%v, %v, %v]
		b = [%v, %v, %v]
		radius = %v`
	scene := func(width, scale float64) string {
		args := []any{4., 3., 8., width, 1., 1.5, 0.7, 1., 0.5, 0.5, 0.9, -2., -1., 1., 2., 0.5, 1., 0.3}
		for i := range args {
			if i != 3 {
				args[i] = args[i].(float64) * scale
			}
		}
		return fmt.Sprintf(text, args...)
	}
	rng := rand.New(rand.NewPCG(7, 7))
	for _, width := range []float64{0.4, 2, 13} {
		whole, st := tracerOf(t, scene(width, 1))
		small, _ := tracerOf(t, scene(width, 0x1p-20))
		brute := outline.New(st.Brute())
		for i := range 60 {
			x, y := rng.IntN(120), rng.IntN(90)
			rect := image.Rect(x, y, x+1+rng.IntN(min(40, 120-x)), y+1+rng.IntN(min(40, 90-y)))
			part := outline.New(st)
			if i%4 == 0 {
				part = brute
			}
			part.Trace(t.Context(), rect)
			for y := rect.Min.Y; y < rect.Max.Y; y++ {
				for x := rect.Min.X; x < rect.Max.X; x++ {
					if a, b, c := whole.Coverage(x, y), part.Coverage(x, y), small.Coverage(x, y); a != b || a != c {
						t.Fatalf("width %v: pixel %d,%d is covered by %d, in %v by %d, in a smaller scene by %d", width, x, y, a, rect, b, c)
					}
				}
			}
		}
	}
}

// TestWidthFollowsHeight checks that lines are twice as wide in a picture that is twice as high.
func TestWidthFollowsHeight(t *testing.T) {
	s := scene.New()
	s.Image.Width, s.Image.Height = 40, 30
	s.Outline = &scene.Outline{Width: 3, Silhouettes: true}
	for height, want := range map[int]float64{30: 3, 60: 6, 15: 1.5} {
		p, err := pillbox.Prepare(s, pillbox.Picture{Size: image.Pt(0, height)})
		if err != nil {
			t.Fatal(err)
		}
		if got := follow.Of(p).OutlineWidth; got != want {
			t.Errorf("height %d: width %v, want %v", height, got, want)
		}
	}
	s.Outline.Width, s.Image.Height = 100, 1
	if _, err := pillbox.Prepare(s, pillbox.Picture{Size: image.Pt(40, 20000)}); err == nil {
		t.Error("a line of 2 million pixels is possible")
	}
}

// TestOver checks how lines are drawn over pixels: opaque over transparent ones, and mixed with colors in linear
// light.
func TestOver(t *testing.T) {
	blue, red := shade.Color{B: 1}, shade.Color{R: 1}
	for _, c := range []struct {
		coverage int
		seen     float64
		all      int
		want     shade.Color
		alpha    float64
	}{
		{0, 9, 9, red, 1},
		{0, 3, 9, red, 1.0 / 3},
		{outline.Whole, 3, 9, blue, 1},
		{outline.Whole, 0, 9, blue, 1},
		{outline.Whole / 4, 0, 9, blue, 0.25},
		{outline.Whole / 4, 9, 9, shade.Color{R: 0.75, B: 0.25}, 1},
		{outline.Whole / 2, 0.5, 1, shade.Color{R: 1.0 / 3, B: 2.0 / 3}, 0.75},
		{outline.Whole / 2, 2, 4, shade.Color{R: 1.0 / 3, B: 2.0 / 3}, 0.75},
	} {
		got, seen, all := outline.Over(blue, c.coverage, red, c.seen, c.all)
		if d := got.Sub(c.want); math.Abs(d.R)+math.Abs(d.G)+math.Abs(d.B) > 1e-12 || math.Abs(seen/float64(all)-c.alpha) > 1e-12 {
			t.Errorf("%+v: %v with alpha %v/%d", c, got, seen, all)
		}
	}
}

// TestGhostsHaveLines compares the lines of scenes with ghosts with those of the same scenes in which single hulls are opaque
// and the others are absent: a pixel is covered as much as by the picture that covers it most, or more where lines of several
// pictures are near. Far from other lines, it is covered exactly as much.
func TestGhostsHaveLines(t *testing.T) {
	const solids = `
		outline = { width = 1.5 }
		camera = { position = [0, 1, 6], look_at = [0, 0, 0], fov = 40 }
		[[box]]
		name = "solid"
		center = [0.3, -0.2, -0.6]
		half_extents = [0.8, 0.5, 0.3]
		rotate = [20, 30, 0]
		[[sphere]]
		name = "a"
		center = [0, 0, 0.8]
		radius = 0.9
		%s
		[[box]]
		name = "b"
		center = [-0.6, 0.3, 0.5]
		half_extents = [0.5, 0.6, 0.4]
		rotate = [0, 40, 10]
		%s
		[[cylinder]]
		name = "b too"
		a = [-0.6, 0.3, 0.5]
		b = [1.4, 1, 0.5]
		radius = 0.2
		%[2]s
		%s
	`
	const shells = "[material.a]\nghost = 0.5\n[material.b]\nghost = 0.5\n"
	absent := "[[section]]\npoint = [0, 0, 90]\nnormal = [0, 0, -1]\non = %s"
	got, st := tracerOf(t, fmt.Sprintf(solids, `material = "a"`, `material = "b"`, shells))
	var want []*outline.Tracer
	for _, without := range []string{`["a", "b", "b too"]`, `["b", "b too"]`, `["a"]`} {
		lines, _ := tracerOf(t, fmt.Sprintf(solids, "", "", fmt.Sprintf(absent, without)))
		want = append(want, lines)
	}
	ghostly, alike := 0, 0
	for y := range st.Size.Y {
		for x := range st.Size.X {
			most, sum := 0, 0
			for _, lines := range want {
				c := lines.Coverage(x, y)
				most, sum = max(most, c), sum+c
			}
			c := got.Coverage(x, y)
			if c < most-outline.Whole/8 || c > min(sum, outline.Whole)+outline.Whole/8 {
				t.Errorf("pixel (%d,%d) is covered by %d, in the pictures with one hull by %d at most and %d together", x, y, c, most, sum)
			}
			if want[0].Coverage(x, y) == 0 && most > 0 {
				ghostly++
			}
			if c == most {
				alike++
			}
		}
	}
	if ghostly < 400 || alike < st.Size.X*st.Size.Y*9/10 {
		t.Errorf("%d pixels with lines of ghosts alone, %d pixels are covered exactly as much", ghostly, alike)
	}
}

// TestDepthOfSilhouettes checks that outline.depth omits the lines at smaller steps in depth, but neither contacts nor the
// border to the background.
func TestDepthOfSilhouettes(t *testing.T) {
	const solids = `
		camera = { projection = "orthographic", position = [0, 0, 9], look_at = [0, 0, 0], view_height = 4 }
		outline = { width = 1, depth = %v }
		[[box]]
		center = [0, 0, -1]
		half_extents = [1.5, 1.5, 0.5]
		[[box]]
		center = [-0.75, 0, 0.5]
		half_extents = [0.25, 0.25, 0.5]
		[[box]]
		center = [0.75, 0, 1.5]
		half_extents = [0.25, 0.25, 0.5]
	`
	// The left box is 1.5 before the large one, the right box 2.5.
	for depth, want := range map[float64][3]bool{0: {true, true, true}, 1.4: {true, true, true}, 1.6: {true, false, true}, 2.6: {true, false, false}} {
		lines, st := tracerOf(t, fmt.Sprintf(solids, depth))
		for i, at := range []geom.Vec3{{X: 1.5, Y: 1}, {X: -0.5}, {X: 0.5}} {
			x, y, _ := st.View.Project(at)
			covered := lines.Coverage(int(x), int(y))+lines.Coverage(int(x)-1, int(y)) > outline.Whole/2
			if covered != want[i] {
				t.Errorf("depth %v: a line at %v: %v, want %v", depth, at, covered, want[i])
			}
		}
	}
}

// TestHiddenLines compares the dashed lines of a box behind a sphere with the lines of the box alone.
func TestHiddenLines(t *testing.T) {
	const solids = `
		outline = { width = 1.5, hidden = "%s" }
		camera = { position = [0, 1, 6], look_at = [0, 0, 0], fov = 40 }
		[[box]]
		name = "box"
		center = [0.1, 0, -1]
		half_extents = [1.1, 0.4, 0.5]
		rotate = [20, 30, 0]
		[[sphere]]
		name = "ball"
		center = [0, 0, 0.8]
		radius = 1
		%s
	`
	const absent = "[[section]]\npoint = [0, 0, 90]\nnormal = [0, 0, -1]\non = \"ball\""
	got, st := tracerOf(t, fmt.Sprintf(solids, "dashed", ""))
	plain, _ := tracerOf(t, fmt.Sprintf(solids, "none", ""))
	box, _ := tracerOf(t, fmt.Sprintf(solids, "none", absent))
	alone, _ := tracerOf(t, fmt.Sprintf(solids, "dashed", absent))
	behind, dashes := 0, 0
	for y := range st.Size.Y {
		for x := range st.Size.X {
			c, visible, whole := got.Coverage(x, y), plain.Coverage(x, y), box.Coverage(x, y)
			if c < visible-outline.Whole/8 || c > min(visible+whole, outline.Whole)+outline.Whole/8 {
				t.Errorf("pixel (%d,%d) is covered by %d, by %d of visible lines and %d of the box alone", x, y, c, visible, whole)
			}
			if alone.Coverage(x, y) != whole {
				t.Errorf("pixel (%d,%d): a solid by itself has hidden lines", x, y)
			}
			if visible == 0 && whole > outline.Whole*3/4 {
				behind++
				if c > outline.Whole/2 {
					dashes++
				}
			}
		}
	}
	if behind < 50 || dashes < behind/2 || dashes > behind*9/10 {
		t.Errorf("%d pixels of hidden lines, %d of them in dashes", behind, dashes)
	}
}
