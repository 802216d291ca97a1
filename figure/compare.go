package figure

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"image/color"
	"reflect"
	"slices"
	"strings"

	"pillbox"
	"pillbox/geom"
	"pillbox/internal/ink"
	"pillbox/scene"
)

// item is an entry with the properties that [Compare] compares.
type item struct {
	Entry
	at      ink.Point // the anchor of the text
	index   int       // the index of the annotation among those of its kind in the scene
	subject string    // the solids, or the material, that the text is about; "" if they have no name
	across  string    // which length of the subject a dimension measures
	points  []geom.Vec3
	length  float64   // of a scale bar, in pixels
	swatch  ink.Color // of an entry of a legend
	texts   []*ink.Text
	lines   []ink.Mark // of labels and dimensions
}

// Drawn is a picture with its annotations.
type Drawn struct {
	Figure  *Figure
	Picture image.Image
}

// DrawnFrom returns a picture of a scene with its figure, arranged for the size of the picture.
func DrawnFrom(ctx context.Context, s *scene.Scene, picture image.Image) (Drawn, error) {
	p, err := pillbox.Prepare(s, pillbox.Picture{Size: picture.Bounds().Size()})
	if err != nil {
		return Drawn{}, err
	}
	f, err := New(ctx, p)
	return Drawn{f, picture}, err
}

// Difference states how the annotations of two pictures differ.
type Difference struct {
	// Changes has an element for each text that is not the same in both pictures. First come the texts of the
	// second picture, in the order of [Figure.Entries], then those that are gone.
	Changes []Change

	// Elsewhere is the number of pixels that differ where neither picture has an annotation. It is -1 if the sizes of
	// the pictures differ.
	Elsewhere int
}

// Change describes how a text differs between two figures.
type Change struct {
	Kind      string // as in [Entry]
	Want, Got *Entry // the text in the first and in the second figure; nil if it is new or gone
	text      string
}

// String describes the change, such as: label "A" moved by (3.0, -1.5) pixels.
func (c Change) String() string { return c.text }

// String returns a line for each change. If there are changes and no pixel outside of the annotations differs, the last
// line says so.
func (d *Difference) String() string {
	var lines []string
	for _, c := range d.Changes {
		lines = append(lines, c.String())
	}
	if len(lines) > 0 && d.Elsewhere == 0 {
		lines = append(lines, "all pixels outside the annotations are equal")
	}
	return strings.Join(lines, "\n")
}

// Compare compares the annotations of two pictures. If the pictures differ in size, it compares only the texts and
// not their positions. It returns false if one of the pictures does not show the annotations of its figure. That is
// the case if the picture is nil or its size differs from the figure's, or if no picture under the annotations could
// result in its colors. It also returns false if ctx ends first.
func Compare(ctx context.Context, want, got Drawn) (Difference, bool) {
	sameSize := want.Figure.page.Size == got.Figure.page.Size
	touched := make([]bool, got.Figure.page.Size.X*got.Figure.page.Size.Y)
	for _, d := range []Drawn{want, got} {
		if d.Picture == nil || d.Picture.Bounds().Size() != d.Figure.page.Size || !d.isShown(ctx, func(i int) {
			if sameSize {
				touched[i] = true
			}
		}) {
			return Difference{}, false
		}
	}
	d := Difference{Changes: changes(want.Figure.items, got.Figure.items, sameSize), Elsewhere: -1}
	if !sameSize {
		return d, true
	}
	d.Elsewhere = 0
	for i := range touched {
		if !touched[i] && want.pixel(i) != got.pixel(i) {
			d.Elsewhere++
		}
	}
	return d, true
}

// pixel returns pixel i of the picture, counted row by row from the top. It loses no bits: pixels that
// differ in the picture have different results.
func (d *Drawn) pixel(i int) color.NRGBA64 {
	b := d.Picture.Bounds()
	switch c := d.Picture.At(b.Min.X+i%b.Dx(), b.Min.Y+i/b.Dx()).(type) {
	case color.NRGBA: // the standard conversion loses bits of nearly transparent pixels
		return color.NRGBA64{R: 257 * uint16(c.R), G: 257 * uint16(c.G), B: 257 * uint16(c.B), A: 257 * uint16(c.A)}
	case color.NRGBA64:
		return c
	default:
		return color.NRGBA64Model.Convert(c).(color.NRGBA64)
	}
}

// isShown reports whether the picture can show the annotations of the figure. It checks each pixel that the
// annotations cover: the picture must have a color there that results from drawing the annotations over
// some other color. It calls the function touch with the index of each covered pixel, and stops at the
// first pixel that fails the check.
//
// To find the possible colors, isShown draws the annotations over a black and over a white picture. A pixel
// that stays black and white is not covered. For any other pixel, the two results are the least and the
// largest possible values of each channel.
func (d *Drawn) isShown(ctx context.Context, touch func(i int)) bool {
	size := d.Figure.page.Size
	dark, light := image.NewNRGBA(image.Rectangle{Max: size}), image.NewNRGBA(image.Rectangle{Max: size})
	for i := range dark.Pix {
		if light.Pix[i] = 255; i%4 == 3 {
			dark.Pix[i] = 255
		}
	}
	for _, img := range [2]*image.NRGBA{dark, light} {
		if d.Figure.page.Draw(ctx, img, image.Point{}) != nil {
			return false
		}
	}
	for i := range size.X * size.Y {
		least, most := [3]uint8(dark.Pix[4*i:]), [3]uint8(light.Pix[4*i:])
		if least == [3]uint8{} && most == [3]uint8{255, 255, 255} {
			continue
		}
		touch(i)
		c := d.pixel(i)
		if !canBe(c.R, c.A, least[0], most[0]) || !canBe(c.G, c.A, least[1], most[1]) || !canBe(c.B, c.A, least[2], most[2]) {
			return false
		}
	}
	return true
}

// canBe reports whether a pixel's channel can have the value v, which is not multiplied by alpha. The annotations drawn
// over black give the channel the value least, and over white the value most. The pixel's color over black or white
// must lie between these.
func canBe(v, alpha uint16, least, most uint8) bool {
	const (
		whole = 65535
		step  = 257 // a step of 8 bits, in 16 bits
		// A mark is a line or a text. Drawing a mark rounds by at most half a step, and the picture rounds
		// by as much. Later marks over the same pixel reduce the rounding errors of earlier ones. So two
		// steps suffice unless very many marks overlap; a correct color may then seem impossible.
		slack = 2 * step
	)
	black := int(v) * int(alpha) / whole
	white := black + whole - int(alpha)
	return step*int(least) <= black+slack && white <= step*int(most)+slack
}

// changes returns how texts differ. Positions and looks count only if the pictures have the same size.
func changes(want, got []item, sameSize bool) []Change {
	var all []Change
	partner := match(want, got)
	known := make([]bool, len(want))
	for j := range got {
		g := &got[j]
		i := partner[j]
		if i < 0 {
			all = append(all, Change{g.Kind, nil, &g.Entry, g.title() + " is new"})
			continue
		}
		known[i] = true
		w := &want[i]
		if text := g.since(w, sameSize); text != "" {
			all = append(all, Change{g.Kind, &w.Entry, &g.Entry, text})
		}
	}
	for i := range want {
		if w := &want[i]; !known[i] {
			all = append(all, Change{w.Kind, &w.Entry, nil, w.title() + " is gone"})
		}
	}
	return all
}

// title names a text in messages.
func (it *item) title() string { return fmt.Sprintf("%s %q", it.kindName(), it.Text) }

func (it *item) kindName() string {
	switch it.Kind {
	case kindAxes:
		return "axis"
	case kindScaleBar:
		return "scale bar"
	case kindLegend:
		return "legend entry"
	}
	return it.Kind
}

// place names an annotation whose text changed.
func (it *item) place() string {
	switch {
	case it.Kind == kindTitle || it.Kind == kindScaleBar:
		return it.kindName()
	case it.subject != "" && it.Kind == kindLabel:
		return fmt.Sprintf("label on %q", it.subject)
	case it.subject != "":
		return fmt.Sprintf("%s of %q", it.kindName(), it.subject)
	}
	return fmt.Sprintf("%s at (%.1f, %.1f)", it.kindName(), it.X, it.Y)
}

// since describes how the text differs from w, the same text in an earlier figure. It returns "" if they do
// not differ.
func (it *item) since(w *item, sameSize bool) string {
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	name := it.title()
	if it.Text != w.Text {
		name = it.place()
		if it.Kind == kindDimension || it.Kind == kindScaleBar {
			add("reads %s, was %s", it.Text, w.Text)
		} else {
			add("reads %q, was %q", it.Text, w.Text)
		}
	}
	if sameSize {
		if by := it.at.Sub(w.at); by != (ink.Point{}) {
			if size := by.Norm(); size < 0.1 {
				add("moved by less than 0.1 pixels")
			} else {
				add("moved by (%.1f, %.1f) pixels", noZero(by.X), noZero(by.Y))
			}
		}
		if it.length != w.length && fmt.Sprintf("%.1f", it.length) != fmt.Sprintf("%.1f", w.length) {
			add("has a length of %.1f pixels, was %.1f", it.length, w.length)
		}
		it.compareLook(w, add)
	}
	if len(parts) == 0 {
		return ""
	}
	return name + " " + strings.Join(parts, "; it ")
}

// noZero returns x, or 0 if x would be printed as 0.0 or -0.0.
func noZero(x float64) float64 {
	if x > -0.05 && x < 0.05 {
		return 0
	}
	return x
}

// compareLook adds differences of the size, the colors and the lines of a text.
func (it *item) compareLook(w *item, add func(format string, args ...any)) {
	g, e := it.texts[0], w.texts[0]
	if g.Size != e.Size {
		add("has a size of %.1f pixels, was %.1f", g.Size, e.Size)
	}
	if g.Color != e.Color {
		add("is %v, was %v", g.Color, e.Color)
	}
	if it.swatch != w.swatch {
		add("stands for %v, was %v", it.swatch, w.swatch)
	}
	switch has, had := g.Halo != (ink.Halo{}), e.Halo != (ink.Halo{}); {
	case has && !had:
		add("has a halo")
	case had && !has:
		add("has no halo")
	case g.Halo.Color != e.Halo.Color:
		add("has a halo of %v, was %v", g.Halo.Color, e.Halo.Color)
	}
	isSame := it.Text == w.Text && it.at == w.at && g.Size == e.Size && g.Color == e.Color
	if isSame && !reflect.DeepEqual(it.lines, w.lines) {
		add("has other lines")
	}
}

// mostPairs bounds the pairs of equal texts that are compared to find out which one moved where.
const mostPairs = 1 << 16

// match returns, for each text of the figure got, the index of the same text in the earlier figure want, or
// -1 if the text is new. It pairs texts of the same kind in this order:
//
//   - equal texts, those at the shortest distance first;
//   - texts about the same solid or material;
//   - texts that annotate the same point of the scene;
//   - texts with the same index, if both figures have equally many texts of this kind (but not in legends).
func match(want, got []item) []int {
	m := matching{want, got, make([]int, len(got)), make([]bool, len(want))}
	for j := range got {
		m.partner[j] = -1
	}
	m.equalTexts()
	m.pair(func(w, g *item) bool { return g.subject != "" && g.subject == w.subject && g.across == w.across })
	m.pair(func(w, g *item) bool {
		return slices.ContainsFunc(g.points, func(p geom.Vec3) bool { return slices.Contains(w.points, p) })
	})
	count := func(list []item, kind string) (n int) {
		for i := range list {
			if list[i].Kind == kind {
				n++
			}
		}
		return n
	}
	same := make(map[string]bool)
	for j := range got {
		if kind := got[j].Kind; !same[kind] {
			same[kind] = count(want, kind) == count(got, kind)
		}
	}
	m.pair(func(w, g *item) bool { return same[g.Kind] && g.index == w.index && g.Kind != kindLegend })
	return m.partner
}

type matching struct {
	want, got []item
	partner   []int  // of each text of got
	taken     []bool // which texts of want have a partner
}

// equalTexts pairs texts of the same kind that are equal.
func (m *matching) equalTexts() {
	type key struct{ kind, text string }
	type pair struct {
		i, j     int
		distance float64
	}
	wants := make(map[key][]int)
	for i := range m.want {
		k := key{m.want[i].Kind, m.want[i].Text}
		wants[k] = append(wants[k], i)
	}
	gots := make(map[key][]int)
	var order []key
	for j := range m.got {
		k := key{m.got[j].Kind, m.got[j].Text}
		if gots[k] == nil {
			order = append(order, k)
		}
		gots[k] = append(gots[k], j)
	}
	for _, k := range order {
		var pairs []pair
		for n, j := range gots[k] {
			for o, i := range wants[k] {
				if len(gots[k])*len(wants[k]) <= mostPairs || n == o {
					pairs = append(pairs, pair{i, j, m.got[j].at.Sub(m.want[i].at).Norm()})
				}
			}
		}
		slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(a.distance, b.distance) })
		for _, p := range pairs {
			m.join(p.i, p.j)
		}
	}
}

// pair pairs the texts of the same kind for which the function belong returns true. It skips texts that
// already have a partner.
func (m *matching) pair(belong func(w, g *item) bool) {
	for j := range m.got {
		for i := range m.want {
			if m.partner[j] < 0 && !m.taken[i] && m.got[j].Kind == m.want[i].Kind && belong(&m.want[i], &m.got[j]) {
				m.join(i, j)
			}
		}
	}
}

func (m *matching) join(i, j int) {
	if m.partner[j] < 0 && !m.taken[i] {
		m.partner[j], m.taken[i] = i, true
	}
}
