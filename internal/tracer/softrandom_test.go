package tracer_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"image"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pillbox"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/follow"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes/shapetest"
)

// castAll is a world without shortcuts: all shadow rays to lights with a size and all rays into the sky are cast.
type castAll struct{ follow.World }

func (castAll) MayOcclude(_, _ geom.Vec3, _ int32, _ float64) bool { return true }

func (w castAll) Cover(_ *accel.AreaLight, axes []accel.SecondaryRay, _ []accel.Cone, covers []accel.Cover, cast accel.CastFan) {
	accel.CastAll(w, axes, covers, cast)
}

// hardLight returns a random scene, and the files that it names. Its lights have a size and are hard to decide
// without casting rays: they lie in, on or beside solids, are tiny or huge, or graze surfaces. Some solids come
// from parts or bulk files, some are mirrors, and some contain the camera.
func hardLight(rng *rand.Rand) (string, fstest.MapFS) {
	var b strings.Builder
	put := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	list := func(v geom.Vec3) string { return fmt.Sprintf("[%v, %v, %v]", v.X, v.Y, v.Z) }
	maybe := func(n int) bool { return rng.IntN(n) == 0 }
	put("[image]\nwidth = %d\nheight = %d\nantialias = %d\nantialias_mode = %q", 2+rng.IntN(20), 2+rng.IntN(14), 1+rng.IntN(3), []string{"full", "adaptive"}[rng.IntN(2)])
	put("background = %q", []string{"transparent", "#203040"}[rng.IntN(2)])
	put("[camera]\nlook_at = [0, 0, 0]\nprojection = %q\nposition = %s\nfov = %d\nview_height = %d", []string{"perspective", "orthographic"}[rng.IntN(2)],
		list(shapetest.Direction(rng).Scale([]float64{1, 6}[rng.IntN(2)])), 30+rng.IntN(60), 3+rng.IntN(4))
	put("[shading]\nsamples = %d\nbounces = %d\nambient = { top = 0.2, bottom = 0.1 }", 1<<(1+rng.IntN(5)), rng.IntN(4))
	if maybe(2) {
		put("[shading.occlusion]")
		if maybe(2) {
			put("distance = %v", shapetest.LogUniform(rng, 0.1, 10))
		}
	}
	put("[material.mirror]\nmirror = 0.7")

	var centers []geom.Vec3 // of solids
	size := shapetest.LogUniform(rng, 0.2, 1.5)
	solid := func(table string) {
		p, r := shapetest.Cube(rng, 2), size*shapetest.Uniform(rng, 0.3, 1)
		centers = append(centers, p)
		switch rng.IntN(4) {
		case 0:
			put("[[%ssphere]]\ncenter = %s\nradius = %v", table, list(p), r)
		case 1:
			put("[[%scapsule]]\na = %s\nb = %s\nradius = %v", table, list(p), list(p.Add(shapetest.Cube(rng, 2))), r/2)
		case 2:
			put("[[%sbox]]\ncenter = %s\nhalf_extents = [%v, %v, %v]", table, list(p), r, r/4, 2*r)
			if maybe(2) {
				put("rotate = [%d, %d, 0]", rng.IntN(360), rng.IntN(360))
			}
		case 3:
			put("[[%scylinder]]\na = %s\nb = %s\nradius = %v", table, list(p), list(p.AddScaled(r, shapetest.Direction(rng))), r)
		}
		if maybe(4) {
			put("material = 'mirror'")
		}
	}
	if maybe(2) {
		put("[[box]]\ncenter = [0, -1.5, 0]\nhalf_extents = [4, 0.5, 4]") // its upper face is at y = -1
	}
	for range 1 + rng.IntN(8) {
		solid("")
	}
	if maybe(3) {
		put("[part.group]")
		for range 1 + rng.IntN(3) {
			solid("part.group.")
		}
		put("[[place]]\npart = 'group'\ncount = %d\nstep = { position = [0.3, 0.2, 0], axis = [0, 1, 0], angle = 40 }", 1+rng.IntN(3))
	}
	files := fstest.MapFS{}
	if maybe(3) {
		rows := "x,y,z,radius\n"
		for range 1 + rng.IntN(20) {
			p := shapetest.Cube(rng, 2)
			rows += fmt.Sprintf("%v,%v,%v,%v\n", p.X, p.Y, p.Z, size*shapetest.Uniform(rng, 0.05, 0.3))
		}
		files["balls.csv"] = &fstest.MapFile{Data: []byte(rows)}
		put("[[bulk]]\nshape = 'sphere'\nfile = 'balls.csv'")
	}
	for range 1 + rng.IntN(3) {
		put("[[light]]\nintensity = %v", shapetest.Uniform(rng, 0.1, 1))
		if maybe(4) {
			put("direction = %s\nangle = %v", list(shapetest.Direction(rng)), shapetest.LogUniform(rng, 1e-6, 180))
			continue
		}
		p := shapetest.Cube(rng, 4)
		switch rng.IntN(3) {
		case 0:
			p = centers[rng.IntN(len(centers))]
		case 1:
			p.Y = -1
		}
		radius := []float64{shapetest.LogUniform(rng, 1e-9, 1e-3), shapetest.LogUniform(rng, 0.05, 2), shapetest.LogUniform(rng, 2, 1e6), size / 4}[rng.IntN(4)]
		if maybe(4) {
			p.Y = radius - 1 // touches the floor
		}
		put("position = %s\nradius = %v", list(p), radius)
		if maybe(3) {
			put("direction = %s\ncone = %d\nedge = %d", list(shapetest.Direction(rng)), 20+rng.IntN(160), rng.IntN(10))
		}
	}
	return b.String(), files
}

// TestSoftLightIsExact renders the scenes of hardLight in several ways: with all shadow rays or only those that the
// method Cover requires, with and without vector kernels, and with different workers, tiles and regions. All
// pictures must have the same bits.
func TestSoftLightIsExact(t *testing.T) {
	n := effort.Of(30, 200, 2000)
	sum := sha256.New()
	saved := 0
	for i := range n {
		rng := rand.New(rand.NewPCG(30, uint64(i)))
		text, files := hardLight(rng)
		s, err := scene.Decode("hard.toml", []byte(text), scene.WithFiles(files))
		if err != nil {
			t.Fatalf("scene %d: %v\n%s", i, err, text)
		}
		prepared, err := pillbox.Prepare(s, pillbox.Picture{})
		if err != nil {
			t.Fatal(err)
		}
		p := follow.Of(prepared)
		draw := func(p follow.Prepared, workers, tile int) *pillbox.Film {
			f, err := renderPrepared(context.Background(), &p, options{Work: pillbox.Work{Linear: true, Workers: workers}, tileSize: tile})
			if err != nil {
				t.Fatal(err)
			}
			return f
		}
		got := draw(*p, 1, 0)
		addColors(sum, got.Linear)
		full := *p
		full.World = castAll{p.World}
		want := draw(full, 7, 3)
		if !slices.Equal(got.Linear, want.Linear) || !slices.Equal(got.Image.Pix, want.Image.Pix) {
			t.Fatalf("scene %d differs if all rays are cast: %v\n%s", i, compare(t, got, want), text)
		}
		part := *p
		part.Region = image.Rect(rng.IntN(p.Size.X), rng.IntN(p.Size.Y), p.Size.X, p.Size.Y)
		piece := draw(part, 2, 5)
		for k, c := range piece.Linear {
			at := part.Region.Min.Add(image.Pt(k%part.Region.Dx(), k/part.Region.Dx()))
			if c != got.Linear[at.Y*p.Size.X+at.X] {
				t.Fatalf("scene %d: pixel %v of the region %v is %v, want %v\n%s", i, at, part.Region, c, got.Linear[at.Y*p.Size.X+at.X], text)
			}
		}
		if decides(p, got) {
			saved++
		}
	}
	if saved < n/4 {
		t.Errorf("light was decided without rays in %d of %d scenes only", saved, n)
	}
	digest := fmt.Sprintf("digest %x", sum.Sum(nil))
	const variable = "PILLBOX_TEST_DIGEST"
	if os.Getenv(variable) != "" {
		if digest != os.Getenv(variable) {
			t.Errorf("without kernels the pictures differ: %s, want %s", digest, os.Getenv(variable))
		}
		return
	}
	t.Log(digest)
	if runtime.GOARCH != "amd64" {
		return // no kernels, or none that can be switched off
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestSoftLightIsExact$", "-effort="+effort.Of("ordinary", "all", "campaign"))
	cmd.Env = append(os.Environ(), variable+"="+digest, "GODEBUG=cpu.avx2=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("without kernels: %v\n%s", err, out)
	}
}

// decides reports whether Cover decides, for some surface in the picture, that a light with a size is completely
// visible or hidden.
func decides(p *follow.Prepared, film *pillbox.Film) bool {
	for k := range film.Linear {
		at := image.Pt(k%film.Region.Dx(), k/film.Region.Dx())
		packet := p.PixelRays(at, 1)
		q := p.Intersect(p.CameraRay(packet.At(0)), follow.PositionOf(&packet, 0), nil)
		if !q.IsSolid() {
			continue
		}
		for i := range p.Lights {
			if !p.Emitters[i].HasSize() {
				continue
			}
			c := p.Emitters[i].From(q.Hit.Point)
			near, far := c.Between()
			covers := []accel.Cover{accel.Partial}
			p.World.Cover(&p.AreaLights[i], []accel.SecondaryRay{q.SpawnRay(c.Axis)}, []accel.Cone{{Sin: c.Sin, Cos: c.Cos, Near: near, Far: far}}, covers, nil)
			if covers[0] != accel.Partial {
				return true
			}
		}
	}
	return false
}

// addColors adds the bits of colors to the hash h.
func addColors(h hash.Hash, colors []shade.Color) {
	for _, c := range colors {
		if err := binary.Write(h, binary.LittleEndian, c); err != nil {
			panic(err)
		}
	}
}
