package figure_test

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pillbox"
	"pillbox/figure"
	"pillbox/scene"
)

// shown renders s with its annotations.
func shown(t *testing.T, s *scene.Scene) figure.Drawn {
	t.Helper()
	film, err := figure.Render(t.Context(), s, pillbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return figure.Drawn{Figure: arrange(t, s, image.Point{}), Picture: film.Image}
}

// compare renders the scenes want and got, given as text, and compares the annotations in their pictures.
func compare(t *testing.T, want, got string) figure.Difference {
	t.Helper()
	d, ok := figure.Compare(t.Context(), shown(t, decode(t, "%s", want)), shown(t, decode(t, "%s", got)))
	if !ok {
		t.Fatal("a picture does not show its annotations")
	}
	return d
}

const bench = `image = { width = 320, height = 240, background = "white" }
	camera = { position = [0, 0, 10], look_at = [0, 0, 0], projection = "orthographic", view_height = 8 }
	title = { text = "Bench" }
	legend = { corner = "bottom-right" }
	scale_bar = { length = 1, unit = "mm", digits = 1, corner = "bottom-left" }
	material = { steel = { color = "#8090a0" } }
	box = [{ name = "plate", center = [0, 0, 0], half_extents = [2, 0.5, 1], material = "steel" }]
	sphere = [{ name = "ball", center = [0, 2, 0], radius = 0.5 }, { center = [3, 2, 0], radius = 0.4 }]
	dimension = [{ on = "plate", across = "x", offset = [0, -0.6, 0], unit = "mm", digits = 1 }, { from = [-4, 0, 0], to = [-4, 2, 0] }]
	label = [{ text = "A", at = [-3, 3, 0] }, { text = "B", on = "ball", offset = [20, 0] }, { text = "C", at = [3, 0, 0] }]`

// TestCompare checks the description of each kind of edit of an annotation, such as a moved label or a changed
// text. One unit of the scene is 30 pixels.
func TestCompare(t *testing.T) {
	before := shown(t, decode(t, bench))
	const elsewhere = "\nall pixels outside the annotations are equal"
	for _, c := range []struct{ old, new, want string }{
		{`at = [-3, 3, 0]`, `at = [-2.9, 3.05, 0]`, `label "A" moved by (3.0, -1.5) pixels` + elsewhere},
		{`at = [-3, 3, 0]`, `at = [-3.001, 3, 0]`, `label "A" moved by less than 0.1 pixels` + elsewhere},
		{`{ text = "A"`, `{ text = "D", at = [3, -3, 0] }, { text = "A"`, `label "D" is new` + elsewhere},
		{`{ text = "A", at = [-3, 3, 0] }, `, ``, `label "A" is gone` + elsewhere},
		{`text = "A"`, `text = "Å"`, `label at (70.0, 30.0) reads "Å", was "A"` + elsewhere},
		{`text = "B"`, `text = "b"`, `label on "ball" reads "b", was "B"` + elsewhere},
		{`text = "A", at = [-3, 3, 0]`, `text = "B", at = [-3, 3, 0]`, `label at (70.0, 30.0) reads "B", was "A"` + elsewhere},
		{`text = "C", at`, `text = "C", color = "red", size = 20, at`, `label "C" has a size of 20.0 pixels, was 16.0; it is #ff0000, was #000000` + elsewhere},
		{`text = "C", at`, `text = "C", halo = "yellow", at`, `label "C" has a halo` + elsewhere},
		{`offset = [20, 0]`, `offset = [20, 0], leader = true`, `label "B" has other lines` + elsewhere},
		{`half_extents = [2,`, `half_extents = [2.5,`, `dimension of "plate" reads 5.0 mm, was 4.0 mm`},
		{`to = [-4, 2, 0]`, `to = [-4, 1.5, 0]`, `dimension at (57.0, 97.5) reads 1.5, was 2; it moved by (7.0, 7.5) pixels` + elsewhere},
		{`length = 1,`, `length = 1.5,`, `scale bar reads 1.5 mm, was 1.0 mm; it has a length of 45.0 pixels, was 30.0` + elsewhere},
		{`title = { text = "Bench"`, `title = { text = "Table"`, `title reads "Table", was "Bench"` + elsewhere},
		{`#8090a0`, `#ff0000`, `legend entry "steel" stands for #ff0000, was #8090a0`},
		{`radius = 0.4`, `radius = 0.45`, ``},
		{`width = 320`, `width = 330`, ``},
	} {
		after := strings.Replace(bench, c.old, c.new, 1)
		if after == bench {
			t.Fatalf("%q is not in the scene", c.old)
		}
		is := shown(t, decode(t, "%s", after))
		d, ok := figure.Compare(t.Context(), before, is)
		if got := d.String(); !ok || got != c.want {
			t.Errorf("%s, %s:\n%s\nwant\n%s", c.old, c.new, got, c.want)
		}
		if back, _ := figure.Compare(t.Context(), is, before); len(back.Changes) != len(d.Changes) || back.Elsewhere != d.Elsewhere {
			t.Errorf("%s, %s: backward %v", c.old, c.new, back)
		}
	}
}

// TestCompareManyLabels compares many labels in random order after some were moved, removed or added. Some have
// equal texts. The distance between labels is so large that none is moved aside for another one, and a moved label
// moves by less than half of this distance.
func TestCompareManyLabels(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for n := range 20 {
		var want, got, expected []string
		for i := range 20 {
			text := string(rune('A' + rng.IntN(4)))
			x, y := float64(i%5)-2, float64(i/5)-1.5
			at := func(dx float64) string {
				return fmt.Sprintf(`{ text = %q, at = [%v, %v, 0], size = 5 }`, text, 4*x+dx, 4*y)
			}
			switch change := rng.IntN(10); {
			case change == 0 && n%2 == 0:
				want = append(want, at(0))
				expected = append(expected, fmt.Sprintf("label %q is gone", text))
			case change == 0:
				got = append(got, at(0))
				expected = append(expected, fmt.Sprintf("label %q is new", text))
			case change < 4:
				dx := float64(1 + rng.IntN(3))
				want, got = append(want, at(0)), append(got, at(dx/10))
				expected = append(expected, fmt.Sprintf("label %q moved by (%.1f, 0.0) pixels", text, dx))
			default:
				want, got = append(want, at(0)), append(got, at(0))
			}
		}
		rng.Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
		file := `image = { width = 240, height = 200, background = "white" }
			camera = { position = [0, 0, 10], look_at = [0, 0, 0], projection = "orthographic", view_height = 20 }
			label = [`
		d := compare(t, file+strings.Join(want, ",")+"]", file+strings.Join(got, ",")+"]")
		var is []string
		for _, c := range d.Changes {
			is = append(is, c.String())
		}
		slices.Sort(is)
		slices.Sort(expected)
		if !slices.Equal(is, expected) {
			t.Errorf("%d: %q, want %q", n, is, expected)
		}
	}
}

// TestCompareWithOtherPictures checks that Compare reports nothing about pictures without the annotations.
func TestCompareWithOtherPictures(t *testing.T) {
	s, other := decode(t, bench), decode(t, "%s", strings.Replace(bench, "[-3, 3, 0]", "[-3, 2, 0]", 1))
	plain, err := pillbox.Render(t.Context(), s, pillbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	good, moved := shown(t, s), shown(t, other)
	for name, pair := range map[string][2]figure.Drawn{
		"the second without annotations": {good, {Figure: moved.Figure, Picture: plain.Image}},
		"the first without annotations":  {{Figure: good.Figure, Picture: plain.Image}, moved},
		"the first with others":          {{Figure: good.Figure, Picture: moved.Picture}, moved},
		"no picture":                     {good, {Figure: moved.Figure}},
		"a part of a picture":            {good, {Figure: moved.Figure, Picture: plain.Image.SubImage(image.Rect(0, 0, 320, 239))}},
	} {
		if d, ok := figure.Compare(t.Context(), pair[0], pair[1]); ok {
			t.Errorf("%s: %v", name, d)
		}
	}
	if d, ok := figure.Compare(t.Context(), good, moved); !ok || len(d.Changes) != 1 {
		t.Errorf("pictures with their annotations: %v, %v", d, ok)
	}
}

// TestCompareElsewhere checks the number of changed pixels outside the annotations.
func TestCompareElsewhere(t *testing.T) {
	for _, background := range []string{"white", "transparent"} {
		scene := func(label, image string) string {
			return `image = { width = 60, height = 40, antialias = 2, background = "` + background + `" }
				camera = { position = [0, 0, 10], look_at = [0, 0, 0] }
				sphere = [{ center = [0, 0, 0], radius = ` + image + ` }]
				label = [{ text = "` + label + `", at = [0, 0, 0], halo = "yellow" }]`
		}
		want, got := shown(t, decode(t, "%s", scene("A", "1"))), shown(t, decode(t, "%s", scene("B", "2")))
		// A pixel is outside if drawing over it changes nothing, whatever its color.
		outside := make(map[image.Point]int)
		for _, d := range []figure.Drawn{want, got} {
			for _, gray := range []uint8{0, 255} {
				film := &pillbox.Film{Image: image.NewNRGBA(image.Rect(0, 0, 60, 40)), Region: image.Rect(0, 0, 60, 40)}
				flat := color.NRGBA{gray, gray, gray, 255}
				draw.Draw(film.Image, film.Region, image.NewUniform(flat), image.Point{}, draw.Src)
				d.Figure.Draw(t.Context(), film)
				for i := range 60 * 40 {
					if at := image.Pt(i%60, i/60); film.Image.NRGBAAt(at.X, at.Y) == flat {
						outside[at]++
					}
				}
			}
		}
		count := 0
		for y := range 40 {
			for x := range 60 {
				if want.Picture.At(x, y) != got.Picture.At(x, y) && outside[image.Pt(x, y)] == 4 {
					count++
				}
			}
		}
		if d, ok := figure.Compare(t.Context(), want, got); !ok || d.Elsewhere != count || count == 0 {
			t.Errorf("%s: %d pixels, want %d", background, d.Elsewhere, count)
		}
	}
}
