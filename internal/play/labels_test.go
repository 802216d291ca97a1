package play_test

import (
	"bytes"
	"image"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pillbox"
	"pillbox/figure"
	"pillbox/scene"
)

type labels struct {
	Labels []struct {
		Label int
		Text  string
		Box   [4]float64
		Table *struct {
			Path string
			From int
		}
	}
}

// labelled is a scene with one label of its own, two copies of a label of a part, and two labels at the same
// point. One of the two labels at the same point is moved aside.
const labelled = `image = { width = 400, height = 300 }
camera = { position = [0, 0, 9], look_at = [0, 0, 0] }
[[label]]
text = "own"
at = [0, 1, 0]
offset = [12.5, -30] # keep
[[label]]
text = "first"
at = [0, -1, 0]
[[label]]
text = "second"
at = [0, -1, 0]
[[part.leg.sphere]]
center = [0, 0, 0]
radius = 0.3
[[part.leg.label]]
text = "leg"
at = [0, 0, 0]
[[place]]
part = "leg"
position = [-2, 0, 0]
[[place]]
part = "leg"
position = [2, 0, 0]
`

// TestLabels compares the boxes of labels with those in package figure, and checks the tables in the text to which
// they refer.
func TestLabels(t *testing.T) {
	a := ask[labels](t, engine(), "labels", object{"text": labelled, "width": 800})
	s := must(scene.Decode("test.toml", []byte(labelled)))
	f := must(figure.New(t.Context(), must(pillbox.Prepare(s, pillbox.Picture{Size: image.Pt(800, 600)}))))
	if len(a.Labels) != 5 {
		t.Fatalf("%d labels, want 5", len(a.Labels))
	}
	for i, want := range f.Entries() {
		l := a.Labels[i]
		x, y := (l.Box[0]+l.Box[2])/2, (l.Box[1]+l.Box[3])/2
		if l.Label != i || l.Text != want.Text || math.Abs(x-want.X)+math.Abs(y-want.Y) > 1e-9 {
			t.Errorf("label %d is %+v, the figure has %v", i, l, want)
		}
		if !strings.Contains(labelled[l.Table.From:][:60], `text = "`+l.Text+`"`) {
			t.Errorf("the table of %q is at %q", l.Text, labelled[l.Table.From:][:30])
		}
	}
}

// TestShift checks that a shifted label, and its copies, move by exactly the pixels of the shift. One line of the
// text must change. A label must stop at the edge of the picture.
func TestShift(t *testing.T) {
	e := engine()
	middle := func(text string, width, label int) [2]float64 {
		for _, l := range ask[labels](t, e, "labels", object{"text": text, "width": width}).Labels {
			if l.Label == label {
				return [2]float64{(l.Box[0] + l.Box[2]) / 2, (l.Box[1] + l.Box[3]) / 2}
			}
		}
		t.Fatalf("the picture does not show label %d", label)
		return [2]float64{}
	}
	random := rand.New(rand.NewPCG(31, 5))
	for range 40 {
		label, width := random.IntN(5), 400+200*random.IntN(3)
		by := [2]float64{float64(random.IntN(40) - 20), float64(10 + random.IntN(30))}
		if label == 2 {
			by[1] = -by[1] // away from the label that it avoids
		}
		before := middle(labelled, width, label)
		after := apply(labelled, ask[edited](t, e, "shift", object{"text": labelled, "width": width, "label": label, "by": by}).Edits)
		now := middle(after, width, label)
		for i := range by {
			if d := now[i] - before[i] - by[i]; math.Abs(d) > 0.02*float64(width)/400 {
				t.Errorf("label %d in a picture of width %d: shifted by %v, want %v; the text is\n%s", label, width, [2]float64{now[0] - before[0], now[1] - before[1]}, by, after)
				break
			}
		}
		if label >= 3 {
			other := 7 - label
			if d := middle(after, width, other)[1] - middle(labelled, width, other)[1] - by[1]; math.Abs(d) > 0.1 {
				t.Errorf("the other copy of the part is off by %v", d)
			}
		}
		if strings.Count(after, "\n") > strings.Count(labelled, "\n")+1 || !strings.Contains(after, "# keep") {
			t.Errorf("the text becomes\n%s", after)
		}
	}
	same := ask[edited](t, e, "shift", object{"text": labelled, "label": 0, "by": []int{0, 0}})
	if apply(labelled, same.Edits) != labelled {
		t.Errorf("a shift by nothing changes the text to\n%s", apply(labelled, same.Edits))
	}
	far := apply(labelled, ask[edited](t, e, "shift", object{"text": labelled, "label": 0, "by": []int{9999, 9999}}).Edits)
	if at := middle(far, 400, 0); at[0] < 330 || at[0] > 400 || at[1] < 270 || at[1] > 300 {
		t.Errorf("after a shift beyond the corner, the label is at %v", at)
	}
	behind := labelled + "[[label]]\ntext = \"behind\"\nat = [0, 0, 20]\n"
	for _, test := range []struct {
		request object
		want    string
	}{
		{object{"text": labelled, "label": 5}, "there is no label 5"},
		{object{"text": labelled, "label": -1}, "there is no label -1"},
		{object{"text": labelled, "label": 0, "by": []float64{1e7, 0}}, "by must be"},
		{object{"text": behind, "label": 3}, `does not show label "behind"`},
	} {
		if f := fails(t, e, "shift", test.request); !strings.Contains(f.Message, test.want) {
			t.Errorf("%v: %v, want %q", test.request["label"], f, test.want)
		}
	}
}

// TestFigure compares the files with those that package figure writes for the same size.
func TestFigure(t *testing.T) {
	for _, name := range []string{"annotations", "transparent"} {
		text := file(t, "../../scenes/"+name+".toml")
		s := must(scene.Decode("test.toml", []byte(text)))
		size := image.Pt(200, 200*s.Image.Height/s.Image.Width)
		p := must(pillbox.Prepare(s, pillbox.Picture{Size: size}))
		f, film := must(figure.New(t.Context(), p)), must(p.Render(t.Context(), pillbox.Work{}))
		var svg, pdf bytes.Buffer
		must(0, f.WriteSVG(&svg, film.Image, 0))
		must(0, f.WritePDF(&pdf, film.Image, 0))
		for format, want := range map[string]*bytes.Buffer{"svg": &svg, "pdf": &pdf} {
			a := ask[struct{ File []byte }](t, engine(), "figure", object{"text": text, "width": size.X, "height": size.Y, "format": format})
			if !bytes.Equal(a.File, want.Bytes()) {
				t.Errorf("%s as %s: %d bytes, want %d, or others", name, format, len(a.File), want.Len())
			}
		}
	}
	if f := fails(t, engine(), "figure", object{"text": demo(t), "format": "eps"}); f.Status != 400 {
		t.Errorf("an unknown format: %v", f)
	}
}
