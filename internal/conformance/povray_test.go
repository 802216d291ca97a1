package conformance_test

import (
	"fmt"
	"image"
	"math"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sync/errgroup"

	"pillbox"
	"pillbox/geom"
	"pillbox/internal/convert/povray"
	"pillbox/internal/fixture"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/fixture/shipped"
	"pillbox/internal/tools/peers"
	"pillbox/scene"
)

// TestAgreesWithPOVRay renders scenes with Pillbox and with POV-Ray, an independent program. The scenes are random
// ones of 1,000 solids, one of them with cylinders only, and every shipped scene without lights that have a size.
// The pictures may differ only in single pixels on silhouettes and shadow edges. In a campaign, the pictures
// are large.
func TestAgreesWithPOVRay(t *testing.T) {
	program, err := exec.LookPath("povray")
	if err != nil {
		t.Skip("povray is not installed")
	}
	scenes := map[string]*scene.Scene{}
	for _, shadows := range []bool{false, true} {
		s := peers.Random(42, 1000).Scene
		s.Image.Width, s.Image.Height = 960, 540
		s.Shading.Shadows = shadows
		scenes[fmt.Sprintf("shadows=%v", shadows)] = &s
	}
	cylinders := peers.Cylinders(42, 1000).Scene
	cylinders.Image.Width, cylinders.Image.Height = 960, 540
	cylinders.Image.Background.Transparent = true // so that silhouettes differ in alpha
	scenes["silhouettes of cylinders"] = &cylinders
	for i, name := range shipped.Names(t) {
		if i%effort.Of(6, 1, 1) != 0 {
			continue
		}
		s := *shipped.Load(t, name)
		if slices.ContainsFunc(s.Lights, func(l scene.Light) bool { return l.HasSize() }) { // POV-Ray samples them at other points: see the tests of package povray
			continue
		}
		s.Image.Antialias = 1
		s.Shading.Occlusion.Enabled, s.Outline, s.Fog = false, nil, nil // not exported: see povray.Notes
		if name == "cylinder-rim" {                                     // its rays meet silhouettes exactly, where rounding decides
			beside := geom.Vec3{X: 0.02, Y: 0.01}
			eye := *s.Camera
			eye.Position, eye.LookAt = eye.Position.Add(beside), eye.LookAt.Add(beside)
			s.Camera = &eye
		}
		scenes[name] = &s
	}
	for _, s := range scenes {
		for s.Image.Width > effort.Of(120, 480, math.MaxInt) {
			s.Image.Width, s.Image.Height = s.Image.Width/2, s.Image.Height/2
		}
	}
	var mu sync.Mutex
	pictures := map[string]image.Image{}
	var group errgroup.Group
	group.SetLimit(8) // POV-Ray sleeps for half a second at its end
	for name, s := range scenes {
		dir := t.TempDir()
		group.Go(func() error {
			var pov strings.Builder
			if err := povray.Write(&pov, s); err != nil {
				return err
			}
			picture, err := fixture.POVRayPicture(program, dir, pov.String())
			mu.Lock()
			defer mu.Unlock()
			pictures[name] = picture
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	for name, s := range scenes {
		t.Run(name, func(t *testing.T) {
			ours := shipped.Render(t, s, pillbox.Options{}).Image
			// At the last reflection, POV-Ray does not show mirrors as matte. The pixels that would change with one more
			// reflection are therefore not compared.
			deeper := *s
			deeper.Shading.Bounces++
			differ := countBeyond(ours, pictures[name], 3, shipped.Render(t, &deeper, pillbox.Options{}).Image)
			if differ > 20 {
				t.Errorf("%d pixels differ by more than 3, want at most 20", differ)
			} else {
				t.Logf("%d of %d pixels differ by more than 3", differ, s.Image.Width*s.Image.Height)
			}
		})
	}
}

// countBeyond counts the pixels in which a and b differ by more than limit in a channel. It skips pixels in which a
// differs from like.
func countBeyond(a *image.NRGBA, b image.Image, limit int, like *image.NRGBA) int {
	n := 0
	for y := range a.Rect.Dy() {
		for x := range a.Rect.Dx() {
			c := a.NRGBAAt(x, y)
			if c != like.NRGBAAt(x, y) {
				continue
			}
			r, g, bl, alpha := b.At(x, y).RGBA()
			for _, d := range []int{int(c.R) - int(r>>8), int(c.G) - int(g>>8), int(c.B) - int(bl>>8), int(c.A) - int(alpha>>8)} {
				if d > limit || d < -limit {
					n++
					break
				}
			}
		}
	}
	return n
}
