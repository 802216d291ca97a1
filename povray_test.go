package pillbox_test

import (
	"bytes"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"pillbox"
	"pillbox/scripts/peers"
)

// TestAgreesWithPOVRay renders a random scene of 1,000 solids with POV-Ray, too: another
// program, by other people, with other formulas. Only single pixels on silhouettes and
// shadow edges may differ.
func TestAgreesWithPOVRay(t *testing.T) {
	povray, err := exec.LookPath("povray")
	if err != nil {
		t.Skip("povray is not installed")
	}
	for _, shadows := range []bool{false, true} {
		t.Run(fmt.Sprintf("shadows=%v", shadows), func(t *testing.T) {
			s := peers.Random(42, 1000)
			s.Image.Width, s.Image.Height = 960, 540
			s.Shading.Shadows = shadows
			dir := t.TempDir()
			var pov bytes.Buffer
			if err := s.WritePOVRay(&pov); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "scene.pov"), pov.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(povray, "+Iscene.pov", "+Oscene.png", "-D", "-A",
				fmt.Sprintf("+W%d", s.Image.Width), fmt.Sprintf("+H%d", s.Image.Height))
			cmd.Dir = dir
			if text, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			theirs, err := readPNG(filepath.Join(dir, "scene.png"))
			if err != nil {
				t.Fatal(err)
			}
			ours := render(t, &s.Scene, pillbox.Options{}).Image
			if differ := countBeyond(ours, theirs, 3); differ > 20 {
				t.Errorf("%d pixels differ by more than 3, want at most 20", differ)
			} else {
				t.Logf("%d of %d pixels differ by more than 3", differ, s.Image.Width*s.Image.Height)
			}
		})
	}
}

// countBeyond counts the pixels of which a channel differs by more than limit.
func countBeyond(a *image.NRGBA, b image.Image, limit int) int {
	n := 0
	for y := range a.Rect.Dy() {
		for x := range a.Rect.Dx() {
			c := a.NRGBAAt(x, y)
			r, g, bl, _ := b.At(x, y).RGBA()
			for _, d := range []int{int(c.R) - int(r>>8), int(c.G) - int(g>>8), int(c.B) - int(bl>>8)} {
				if d > limit || d < -limit {
					n++
					break
				}
			}
		}
	}
	return n
}
