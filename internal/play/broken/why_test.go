package broken_test

import (
	"image"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pillbox"
	"pillbox/internal/fixture/shipped"
	"pillbox/internal/play/broken"
	"pillbox/scene"
)

// TestWhyOfEveryWrongPixel explains pixels that are wrong, in the scenes of the mistakes and in all shipped scenes. Each
// explanation must name the first ray that differs, or the numbers of the pixel.
func TestWhyOfEveryWrongPixel(t *testing.T) {
	seen := map[string]int{}
	for _, m := range broken.Mistakes() {
		s, err := scene.Decode(m.Name, []byte(m.Scene()))
		if err != nil {
			t.Fatal(err)
		}
		explainWrong(t, s, m, seen)
	}
	shipped.Each(t, func(t *testing.T, s *scene.Scene) {
		for _, m := range broken.Mistakes() {
			explainWrong(t, s, m, seen)
		}
	})
	for _, m := range broken.Mistakes() {
		if seen[m.Name] < 20 {
			t.Errorf("%s: only %d pixels were explained", m.Name, seen[m.Name])
		}
	}
}

// explainWrong checks the explanations of some wrong pixels of a small picture.
func explainWrong(t *testing.T, s *scene.Scene, m broken.Mistake, seen map[string]int) {
	t.Helper()
	p, err := pillbox.Prepare(s, pillbox.Picture{Size: image.Pt(40, 0), Antialias: 1})
	if err != nil {
		t.Fatal(err)
	}
	faulty, err := broken.Render(t.Context(), p, m, pillbox.Work{})
	if err != nil {
		return // too large for the mistake
	}
	film, err := p.Render(t.Context(), pillbox.Work{})
	if err != nil {
		t.Fatal(err)
	}
	for i, n := 0, 0; i < len(faulty.Pix) && n < 40; i += 4 {
		if slices.Equal(faulty.Pix[i:i+4], film.Image.Pix[i:i+4]) {
			continue
		}
		n++
		seen[m.Name]++
		at := image.Pt(i/4%faulty.Rect.Dx(), i/faulty.Stride)
		why, err := broken.Why(t.Context(), p, m, at)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(why.Text, "Some of the many") || !regexp.MustCompile(`\d`).MatchString(why.Text) {
			t.Errorf("%s at %v: %s", m.Name, at, why.Text)
			return
		}
	}
}

// TestWhyNamesTheFault checks what the explanations say about a pixel of each mistake.
func TestWhyNamesTheFault(t *testing.T) {
	for name, want := range map[string]string{
		"acne":    `^Light \d arrives\. With the mistake, its shadow ray hits \S+( "\w+")?, which it leaves, at t = \S+: rounding`,
		"epsilon": `^The shadow ray to light \d meets .* at t = \S+, and the light does not arrive\. The mistake ignores this hit, because it is nearer than 0\.001\.$`,
		"gamma":   `^In linear light, the pixel is \(.*\), which sRGB encodes as \(\d+, \d+, \d+\)\. The mistake .* \(\d+, \d+, \d+\), without encoding it\.$`,
		"ydown":   `^The mistake shows row \d+ in row \d+: what you see belongs to pixel \d+, \d+\.$`,
	} {
		m, _ := broken.Find(name)
		s, err := scene.Decode(name, []byte(m.Scene()))
		if err != nil {
			t.Fatal(err)
		}
		p, err := pillbox.Prepare(s, pillbox.Picture{Size: image.Pt(100, 0), Antialias: 1})
		if err != nil {
			t.Fatal(err)
		}
		faulty, err := broken.Render(t.Context(), p, m, pillbox.Work{})
		if err != nil {
			t.Fatal(err)
		}
		film, err := p.Render(t.Context(), pillbox.Work{})
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		for slices.Equal(faulty.Pix[4*i:4*i+4], film.Image.Pix[4*i:4*i+4]) {
			i++
		}
		why, err := broken.Why(t.Context(), p, m, image.Pt(i%100, i/100))
		if err != nil || !regexp.MustCompile(want).MatchString(why.Text) {
			t.Errorf("%s: %v, %q", name, err, why.Text)
		}
		if isRay := name == "acne" || name == "epsilon"; isRay != (why.Depth == 0 && why.Light >= 0) {
			t.Errorf("%s: the ray is that to light %d after %d reflections", name, why.Light, why.Depth)
		}
	}
}
