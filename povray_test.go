package pillbox_test

import (
	"bytes"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pillbox"
	"pillbox/convert/povray"
	"pillbox/scene"
	"pillbox/scripts/peers"
)

// TestAgreesWithPOVRay renders a random scene of 1,000 solids and every shipped scene with POV-Ray, too:
// another program, by other people, with other formulas. Only single pixels on silhouettes and shadow
// edges may differ.
func TestAgreesWithPOVRay(t *testing.T) {
	for _, shadows := range []bool{false, true} {
		t.Run(fmt.Sprintf("shadows=%v", shadows), func(t *testing.T) {
			s := peers.Random(42, 1000)
			s.Image.Width, s.Image.Height = 960, 540
			s.Shading.Shadows = shadows
			agreeWithPOVRay(t, &s.Scene)
		})
	}
	for _, name := range names(t) {
		t.Run(name, func(t *testing.T) {
			s := *load(t, name)
			s.Image.Antialias = 1
			agreeWithPOVRay(t, &s)
		})
	}
}

func agreeWithPOVRay(t *testing.T, s *scene.Scene) {
	program, err := exec.LookPath("povray")
	if err != nil {
		t.Skip("povray is not installed")
	}
	dir := t.TempDir()
	var pov bytes.Buffer
	if err := povray.Write(&pov, s); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "scene.pov"), pov.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	_, command, _ := strings.Cut(pov.String(), "// povray ") // how the file itself says it is rendered
	command, _, _ = strings.Cut(command, "\n")
	cmd := exec.Command(program, strings.Fields(command)...)
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	theirs, err := readPNG(filepath.Join(dir, "scene.png"))
	if err != nil {
		t.Fatal(err)
	}
	ours := render(t, s, pillbox.Options{}).Image
	// Where reflections end POV-Ray shows no matte mirror: where one more would change the picture.
	deeper := *s
	deeper.Shading.Bounces++
	differ := countBeyond(ours, theirs, 3, render(t, &deeper, pillbox.Options{}).Image)
	if differ > 20 {
		t.Errorf("%d pixels differ by more than 3, want at most 20", differ)
	} else {
		t.Logf("%d of %d pixels differ by more than 3", differ, s.Image.Width*s.Image.Height)
	}
}

// countBeyond counts the pixels of which a channel differs by more than limit, those left out that are not the
// same in a and like.
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
