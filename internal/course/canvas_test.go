package course

import (
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"pillbox/internal/fixture/effort"
)

// painted answers the questions of a canvas with the results of the function answer, and compares the picture with
// the correct one. If answer returns nil, the question has no answer.
func painted(t *testing.T, s *Stage, answer func(i int, q question) any) Comparison {
	t.Helper()
	c, err := s.Canvas(Options{Folder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for i := range c.Len() {
		a := answer(i, c.question(i))
		if a == nil {
			continue
		}
		data, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Appendf(nil, `{"id":%d`, i)
		if string(data) != "{}" {
			line = append(append(line, ','), data[1:len(data)-1]...)
		}
		if err := c.Judge(append(line, '}')); err != nil {
			t.Fatal(err)
		}
	}
	out, err := c.Compare(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// canvasStages returns the stages whose canvas, a picture made from answers, has one question per pixel.
func canvasStages() []*Stage {
	var all []*Stage
	for i, s := range AllStages() {
		if s.Name != pictureName && i%effort.Of(3, 1, 1) == 0 {
			all = append(all, s)
		}
	}
	return all
}

// firstDifference returns the first pixel in which a and b differ, row by row. The result is false if there is
// none.
func firstDifference(a, b *image.NRGBA) (image.Point, bool) {
	for i := 0; i < len(a.Pix); i += 4 {
		if [4]byte(a.Pix[i:i+4]) != [4]byte(b.Pix[i:i+4]) {
			return image.Pt(i/4%a.Rect.Dx(), i/4/a.Rect.Dx()), true
		}
	}
	return image.Point{}, false
}

// save writes m to the folder in the environment variable COURSE_PICTURES, if it is set, so that a person can look
// at it.
func save(t *testing.T, name string, m image.Image) {
	t.Helper()
	folder := os.Getenv("COURSE_PICTURES")
	if folder == "" {
		return
	}
	f, err := os.Create(filepath.Join(folder, name+".png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, m); err != nil {
		t.Fatal(err)
	}
}

// TestCanvasOfRightAnswers checks that right answers make the right picture.
func TestCanvasOfRightAnswers(t *testing.T) {
	for _, s := range effort.Some(t, 5, canvasStages()) {
		c := painted(t, s, func(_ int, q question) any { return q.expected() })
		if p, differ := firstDifference(c.Got, c.Want); differ || c.First != nil || len(c.Wrong) != 0 || c.Missing != 0 {
			t.Errorf("%s: %v, %+v", s.Name, p, c.First)
		}
		save(t, s.Name, c.Draw())
	}
}

// TestCanvasOfMistakes paints the canvas, a picture made from answers, with mistakes of every stage. The comparison
// with the correct picture must return the first pixel that differs, and most mistakes must be visible. Only a sample is
// tested, a larger one in a campaign.
func TestCanvasOfMistakes(t *testing.T) {
	most := effort.Of(1, 3, 40)
	seen, all := 0, 0
	for _, s := range effort.Some(t, 5, canvasStages()) {
		mistakes := s.kind().suspects()
		step := max(1, len(mistakes)/most)
		for m := step / 2; m < len(mistakes); m += step {
			c := painted(t, s, func(_ int, q question) any { return q.(interface{ suspectAnswer(int) any }).suspectAnswer(m) })
			all++
			p, differ := firstDifference(c.Got, c.Want)
			if differ {
				seen++
			} else {
				t.Logf("%s: %s is not visible", s.Name, mistakes[m].Name)
			}
			if differ != (c.First != nil) || differ && p != image.Pt(c.First.X, c.First.Y) {
				t.Errorf("%s, %s: the first different pixel is %v, named is %+v", s.Name, mistakes[m].Name, p, c.First)
			}
			if m%5 == 0 {
				save(t, fmt.Sprintf("%s-%d", s.Name, m), c.Draw())
			}
		}
	}
	t.Logf("the pictures show %d of %d mistakes", seen, all)
	if 2*seen < all {
		t.Errorf("the pictures show %d of %d mistakes", seen, all)
	}
}

// TestCanvasWithoutAnswers checks that pixels without an answer are transparent, and that the comparison returns
// the first one. Answers that cannot be drawn have a special color.
func TestCanvasWithoutAnswers(t *testing.T) {
	for _, s := range effort.Some(t, 4, AllStages()) {
		none := painted(t, s, func(int, question) any { return nil })
		if none.First == nil || *none.First.at() != (image.Point{}) || len(none.Wrong) != none.Missing || none.Got.NRGBAAt(3, 3).A != 0 {
			t.Errorf("%s without answers: %d missing, %+v", s.Name, none.Missing, none.First)
		}
		save(t, s.Name+"-none", none.Draw())
	}
	for _, s := range effort.Some(t, 3, canvasStages()) {
		half := painted(t, s, func(i int, q question) any {
			switch {
			case i < 500:
				return q.expected()
			case i < 2500:
				return map[string]any{"id": i, "count": 1, "t": []any{nil}, "color": "red"}
			}
			return nil
		})
		size := half.Want.Rect.Size()
		if at := *half.First.at(); at != image.Pt(500%size.X, 500/size.X) || half.Missing != size.X*size.Y-2500 || half.Got.NRGBAAt(at.X, at.Y) != Nonsense() || half.First.Field == "" {
			t.Errorf("%s with half the answers: %d missing, %+v", s.Name, half.Missing, half.First)
		}
		save(t, s.Name+"-half", half.Draw())
	}
}

func (p *Pixel) at() *image.Point { return &image.Point{X: p.X, Y: p.Y} }

// TestCanvasOfPictures checks the canvas of the stage "picture", in which the only answer is a whole picture.
// Pixels that differ from the correct ones by a few steps must count as right.
func TestCanvasOfPictures(t *testing.T) {
	s, _ := Find(pictureName)
	for _, c := range []struct {
		name  string
		spoil func(img *image.NRGBA)
		wrong int
		first image.Point
	}{
		{"right", func(*image.NRGBA) {}, 0, image.Point{}},
		{"rounded", func(img *image.NRGBA) { img.Pix[400] ^= 3 }, 0, image.Point{}},
		{"wrong", func(img *image.NRGBA) { img.Pix[4*95] ^= 128; img.Pix[4*200+1] ^= 128 }, 2, image.Pt(5, 1)},
	} {
		got := painted(t, s, func(_ int, q question) any {
			p := q.(*asked[pictureQuestion, pictureAnswer])
			img := solvePicture(&p.q).img.(*image.NRGBA)
			c.spoil(img)
			f, err := os.Create(p.q.png)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if err := png.Encode(f, img); err != nil {
				t.Fatal(err)
			}
			return struct{}{}
		})
		if len(got.Wrong) != c.wrong || c.wrong > 0 && *got.First.at() != c.first {
			t.Errorf("%s: %d pixels, %+v", c.name, len(got.Wrong), got.First)
		}
		save(t, "picture-"+c.name, got.Draw())
	}
}

// TestCanvasShowsSmallDistances checks that the pictures show mistakes that depend on the sizes of scenes: for each of
// them, the picture of at least half of its variants differs from the right one in more than a hundred pixels.
func TestCanvasShowsSmallDistances(t *testing.T) {
	s, _ := Find("shadow")
	for _, name := range []string{"solids beyond a light block it", "a fixed epsilon hides near hits", "the shadow ray starts above the surface"} {
		all, seen := 0, 0
		for k, mistake := range s.kind().suspects() {
			if mistake.Name != name || all > effort.Of(2, 4, 100) {
				continue
			}
			all++
			c := painted(t, s, func(_ int, q question) any {
				return q.(interface{ suspectAnswer(int) any }).suspectAnswer(k)
			})
			if len(c.Wrong) > 100 {
				seen++
			}
		}
		if 2*seen < all || all == 0 {
			t.Errorf("%s: the pictures of %d of %d variants show it", name, seen, all)
		}
	}
}
