package camera_test

import (
	"errors"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"pillbox/camera"
	"pillbox/geom"
)

func Example() {
	c := camera.Camera{
		Position: geom.Vec3{Z: 10},
		Up:       camera.DefaultUp(),
		FOV:      90,
	}
	view, err := c.View(2, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := view.Packet(image.Rect(0, 0, 2, 2), 1)
	fmt.Printf("%.4f\n", p.SampleRay(0, 0).Dir) // the top left pixel
	fmt.Printf("%.4f\n", p.SampleRay(1, 1).Dir) // the bottom right one
	// Output:
	// {-0.4082 0.4082 -0.8165}
	// {0.4082 -0.4082 -0.8165}
}

func look(p camera.Projection) camera.Camera {
	return camera.Camera{
		Projection: p,
		Position:   geom.Vec3{X: 3, Y: 2, Z: 5},
		LookAt:     geom.Vec3{X: -1, Y: 0.5},
		Up:         geom.Vec3{X: 0.1, Y: 2, Z: -0.3},
		FOV:        50,
		ViewHeight: 4,
	}
}

func ray(t *testing.T, c camera.Camera, width, height, x, y int) geom.Ray {
	t.Helper()
	v, err := c.View(width, height)
	if err != nil {
		t.Fatal(err)
	}
	p := v.Packet(image.Rect(x, y, x+1, y+1), 1)
	return p.SampleRay(0, 0)
}

func TestMiddlePixelLooksAtTarget(t *testing.T) {
	for _, projection := range []camera.Projection{camera.Perspective, camera.Orthographic} {
		c := look(projection)
		got := ray(t, c, 101, 51, 50, 25)
		want, _ := geom.Direction(c.LookAt.Sub(c.Position))
		if got.Origin != c.Position || got.Dir.Sub(want).Norm() > 4*0x1p-52 {
			t.Errorf("%v: middle ray %v, want from %v along %v", projection, got, c.Position, want)
		}
	}
}

// TestFieldOfView checks the angle between the top and the bottom ray of a perspective view, and their distance in
// an orthographic view. These rays go through pixel centers, so half a pixel is missing at each edge.
func TestFieldOfView(t *testing.T) {
	c := look(camera.Perspective)
	const height = 1 << 15 // so that half a pixel is negligible
	top, bottom := ray(t, c, 1, height, 0, 0), ray(t, c, 1, height, 0, height-1)
	angle := math.Acos(top.Dir.Dot(bottom.Dir)) * 180 / math.Pi
	if math.Abs(angle-50) > 50.0/height*2 {
		t.Errorf("angle between the top and bottom rays = %v, want 50", angle)
	}
	c = look(camera.Orthographic)
	top, bottom = ray(t, c, 1, height, 0, 0), ray(t, c, 1, height, 0, height-1)
	if got, want := top.Origin.Sub(bottom.Origin).Norm(), 4*(1-1.0/height); math.Abs(got-want) > 1e-12 {
		t.Errorf("distance between the top and bottom rays = %v, want %v", got, want)
	}
}

func TestPixelsAreSquare(t *testing.T) {
	for _, projection := range []camera.Projection{camera.Perspective, camera.Orthographic} {
		for _, size := range []image.Point{{3, 3}, {301, 3}, {3, 301}, {160, 90}} {
			c := look(projection)
			x, y := size.X/2, size.Y/2
			a := ray(t, c, size.X, size.Y, x, y)
			right, up := ray(t, c, size.X, size.Y, x+1, y), ray(t, c, size.X, size.Y, x, y-1)
			step := func(r geom.Ray) geom.Vec3 {
				if projection == camera.Orthographic {
					return r.Origin.Sub(a.Origin)
				}
				forward, _ := geom.Direction(c.LookAt.Sub(c.Position))
				return r.Dir.Div(r.Dir.Dot(forward)).Sub(a.Dir.Div(a.Dir.Dot(forward)))
			}
			w, h := step(right), step(up)
			if rel := math.Abs(w.Norm()-h.Norm()) / h.Norm(); rel > 1e-9 {
				t.Errorf("%v, %v: a pixel is %v wide and %v high", projection, size, w.Norm(), h.Norm())
			}
			if math.Abs(w.Dot(h)) > 1e-9*h.Norm2() || h.Dot(c.Up) <= 0 || math.Abs(w.Dot(c.Up)) > 1e-9*w.Norm() {
				t.Errorf("%v, %v: right %v and up %v are not square to each other and to the camera", projection, size, w, h)
			}
		}
	}
}

// TestPacketDependsOnSampleOnly checks that a sample has the same ray in the packets of all rectangles that contain
// it.
func TestPacketDependsOnSampleOnly(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	v, err := look(camera.Perspective).View(64, 48)
	if err != nil {
		t.Fatal(err)
	}
	for _, density := range []int{1, 2, 3, 16} {
		whole := v.Packet(image.Rect(0, 0, 64, 48), density)
		for range 200 {
			x, y := rng.IntN(64), rng.IntN(48)
			rect := image.Rect(x-rng.IntN(x+1), y-rng.IntN(y+1), x+1, y+1)
			part := v.Packet(rect, density)
			i, j := rng.IntN(density), rng.IntN(density)
			got := part.SampleRay((x-rect.Min.X)*density+i, (y-rect.Min.Y)*density+j)
			if want := whole.SampleRay(x*density+i, y*density+j); got != want {
				t.Fatalf("sample %d, %d of pixel %d, %d in %v = %v, want %v", i, j, x, y, rect, got, want)
			}
		}
	}
}

func TestViewScaledByPowerOfTwo(t *testing.T) {
	const k = 0x1p-30
	a := look(camera.Perspective)
	b := a
	b.Position, b.LookAt = a.Position.Scale(k), a.LookAt.Scale(k)
	for x := range 40 {
		p, q := ray(t, a, 40, 30, x, x/2), ray(t, b, 40, 30, x, x/2)
		if p.Dir != q.Dir || p.Origin.Scale(k) != q.Origin {
			t.Errorf("pixel %d: %v became %v", x, p, q)
		}
	}
}

func TestViewRefusesDegenerateCameras(t *testing.T) {
	nan := math.NaN()
	for name, change := range map[string]func(*camera.Camera){
		"same point":         func(c *camera.Camera) { c.LookAt = c.Position },
		"zero up":            func(c *camera.Camera) { c.Up = geom.Vec3{} },
		"up along view":      func(c *camera.Camera) { c.Up = c.LookAt.Sub(c.Position).Scale(3) },
		"up against view":    func(c *camera.Camera) { c.Up = c.Position.Sub(c.LookAt).Scale(0.1) },
		"up NaN":             func(c *camera.Camera) { c.Up.X = nan },
		"position NaN":       func(c *camera.Camera) { c.Position.Y = nan },
		"position too far":   func(c *camera.Camera) { c.Position.Y = 2e15 },
		"look_at infinite":   func(c *camera.Camera) { c.LookAt.Z = math.Inf(1) },
		"fov 0":              func(c *camera.Camera) { c.FOV = 0 },
		"fov 180":            func(c *camera.Camera) { c.FOV = 180 },
		"fov NaN":            func(c *camera.Camera) { c.FOV = geom.Angle(nan) },
		"view height 0":      func(c *camera.Camera) { c.Projection, c.ViewHeight = camera.Orthographic, 0 },
		"view height NaN":    func(c *camera.Camera) { c.Projection, c.ViewHeight = camera.Orthographic, nan },
		"unknown projection": func(c *camera.Camera) { c.Projection = 7 },
	} {
		c := look(camera.Perspective)
		change(&c)
		if v, err := c.View(4, 4); err == nil || v != nil {
			t.Errorf("%s: View = %v, %v, want an error", name, v, err)
		}
	}
	c := look(camera.Perspective)
	if _, err := c.View(0, 4); err == nil {
		t.Error("View(0, 4) gave no error")
	}
	c.LookAt = c.Position
	if _, err := c.View(4, 4); !errors.Is(err, camera.ErrSamePoint) {
		t.Errorf("View = %v, want ErrSamePoint", err)
	}
	c = look(camera.Perspective)
	c.Up = geom.Vec3{}
	if _, err := c.View(4, 4); !errors.Is(err, camera.ErrUpParallel) {
		t.Errorf("View = %v, want ErrUpParallel", err)
	}
}

// TestAxes checks that the axes of a view form a rotation: X points right in the picture, Y up and Z backward.
func TestAxes(t *testing.T) {
	for _, p := range []camera.Projection{camera.Perspective, camera.Orthographic} {
		v, err := look(p).View(40, 30)
		if err != nil {
			t.Fatal(err)
		}
		axes, grid := v.Axes(), v.Packet(image.Rect(0, 0, 1, 1), 1)
		if e := axes.OrthonormalError(); e > 1e-15 || axes.X.Cross(axes.Y).Dot(axes.Z) < 0.5 {
			t.Errorf("%v: the axes %v are not a rotation", p, axes)
		}
		if axes.X.Cross(grid.DX).Norm() > 1e-16 || axes.Y.Cross(grid.DY).Norm() > 1e-16 || axes.X.Dot(grid.DX) < 0 || axes.Y.Dot(grid.DY) < 0 {
			t.Errorf("%v: right %v and up %v are not along %v and %v", p, axes.X, axes.Y, grid.DX, grid.DY)
		}
		if axes.Z != grid.Dir.Neg() {
			t.Errorf("%v: %v does not point toward the viewer, who looks along %v", p, axes.Z, grid.Dir)
		}
	}
}
