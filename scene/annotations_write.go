package scene

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"pillbox/geom"
	"pillbox/internal/tomltext"
	"pillbox/shade"
)

// annotations writes the labels, the dimensions and the other annotations. Solids are named by their keys. Call it
// after usedMaterials.
func (e *exporter) annotations() {
	a := &e.scene.Annotations
	if t := a.Title; t != nil {
		e.table("[title]")
		e.key("text", tomltext.Quote(t.Text))
		if t.Bottom {
			e.key("side", tomltext.Quote(sideWords()[1]))
		}
		e.lettering(&t.Lettering)
	}
	for i := range a.Labels {
		e.label(&a.Labels[i])
	}
	for i := range a.Dimensions {
		e.dimension(&a.Dimensions[i])
	}
	if x := a.Axes; x != nil {
		e.axes(x)
	}
	if b := a.ScaleBar; b != nil {
		e.table("[scale_bar]")
		e.key("length", numberText(b.Length))
		if b.Depth != 0 {
			e.key("depth", numberText(b.Depth))
		}
		e.key("corner", tomltext.Quote(b.Corner))
		e.quantity(&b.Quantity)
		e.lettering(&b.Lettering)
	}
	if g := a.Legend; g != nil && len(g.Entries) > 0 {
		e.legend(g)
	}
}

func (e *exporter) label(l *Label) {
	e.table("[[label]]")
	e.key("text", tomltext.Quote(l.Text))
	if len(l.On) == 0 {
		e.key("at", vectorText(l.At))
	} else {
		var keys []string
		for _, r := range l.On {
			for n := range r.Count {
				keys = append(keys, tomltext.Quote(e.scene.Key(r.First+n)))
			}
		}
		if len(keys) > MaxAnnotations {
			e.fail(fmt.Errorf("a label on %d solids: a scene file can name at most %d", len(keys), MaxAnnotations))
		}
		e.key("on", arrayText(keys...))
	}
	e.key("offset", arrayText(numberText(l.Offset[0]), numberText(l.Offset[1])))
	e.key("anchor", tomltext.Quote(anchorWords()[3*(l.Anchor.Y+1)+l.Anchor.X+1]))
	e.key("leader", strconv.FormatBool(l.Leader))
	e.key("hidden", tomltext.Quote(hiddenWords()[l.Hidden]))
	e.lettering(&l.Lettering)
}

func (e *exporter) dimension(d *Dimension) {
	e.table("[[dimension]]")
	if d.Across == "" {
		e.key("from", vectorText(d.From))
		e.key("to", vectorText(d.To))
	} else {
		e.key("on", tomltext.Quote(e.scene.Key(d.Solid)))
		e.key("across", tomltext.Quote(d.Across))
	}
	e.key("offset", vectorText(d.Offset))
	e.key("text", tomltext.Quote(d.Text))
	e.key("hidden", tomltext.Quote(hiddenWords()[d.Hidden]))
	e.quantity(&d.Quantity)
	e.lettering(&d.Lettering)
}

func (e *exporter) axes(x *Axes) {
	e.table("[axes]")
	if x.Corner == "" {
		e.key("at", vectorText(x.At))
	} else {
		e.key("corner", tomltext.Quote(x.Corner))
	}
	e.key("length", numberText(x.Length))
	e.key("texts", arrayText(tomltext.Quote(x.Texts[0]), tomltext.Quote(x.Texts[1]), tomltext.Quote(x.Texts[2])))
	e.key("hidden", tomltext.Quote(hiddenWords()[x.Hidden]))
	if x.HasColor {
		e.lettering(&x.Lettering)
	} else {
		e.sizeAndHalo(&x.Lettering)
	}
}

// legend writes the legend. Before the legend, it writes the materials in it that no solid has.
func (e *exporter) legend(g *Legend) {
	written := slices.Sorted(maps.Values(e.materials))
	var names, texts []string
	for _, x := range g.Entries {
		names, texts = append(names, tomltext.Quote(x.Material)), append(texts, tomltext.Quote(x.Text))
		if slices.Contains(written, x.Material) {
			continue
		}
		written = append(written, x.Material)
		if x.Material == "" {
			e.fail(fmt.Errorf("legend: the entry %q must name a material", x.Text))
		}
		e.table("[material." + tomltext.QuoteKey(x.Material) + "]")
		e.key("color", e.color(x.Color))
	}
	e.table("[legend]")
	e.key("materials", arrayText(names...))
	e.key("texts", arrayText(texts...))
	e.key("corner", tomltext.Quote(g.Corner))
	e.lettering(&g.Lettering)
}

func (e *exporter) quantity(q *Quantity) {
	e.key("factor", numberText(q.Factor))
	e.key("unit", tomltext.Quote(q.Unit))
	if q.HasDigits {
		e.key("digits", strconv.Itoa(q.Digits))
	}
}

func (e *exporter) lettering(l *Lettering) {
	e.sizeAndHalo(l)
	e.key("color", e.color(l.Color))
}

func (e *exporter) sizeAndHalo(l *Lettering) {
	e.key("size", numberText(l.Size))
	if l.HasHalo {
		e.key("halo", e.color(l.Halo))
	}
}

// validateAnnotations returns an error if an annotation cannot be drawn.
func (s *Scene) validateAnnotations() error {
	a := &s.Annotations
	if n := len(a.Labels) + len(a.Dimensions); n > MaxAnnotations {
		return fmt.Errorf("a scene has at most %d labels and dimensions, got %d", MaxAnnotations, n)
	}
	for i := range a.Labels {
		l := &a.Labels[i]
		err := cmp.Or(checkCaption("text", l.Text, true), checkPoint("at", l.At), checkWord("hidden", int(l.Hidden), hiddenWords()), l.check(), s.checkRanges(l.On))
		for _, x := range l.Offset {
			err = cmp.Or(err, checkNumber("offset", x, shifts()))
		}
		if x := l.Anchor; x.X*x.X > 1 || x.Y*x.Y > 1 {
			err = cmp.Or(err, fmt.Errorf("anchor: must be -1, 0 or 1 in each direction, got %v", x))
		}
		if err != nil {
			return fmt.Errorf("label[%d].%w", i, err)
		}
	}
	for i := range a.Dimensions {
		d := &a.Dimensions[i]
		err := cmp.Or(checkPoint("from", d.From), checkPoint("to", d.To), checkPoint("offset", d.Offset), checkCaption("text", d.Text, false),
			checkWord("hidden", int(d.Hidden), hiddenWords()), d.Quantity.check(), d.Lettering.check())
		if err == nil && d.Across != "" {
			err = s.checkAcross(d)
		}
		if err != nil {
			return fmt.Errorf("dimension[%d].%w", i, err)
		}
	}
	for _, one := range []struct {
		key string
		err error
	}{{"title", a.Title.check()}, {"axes", a.Axes.check()}, {"scale_bar", a.ScaleBar.check()}, {"legend", a.Legend.check()}} {
		if one.err != nil {
			return fmt.Errorf("%s.%w", one.key, one.err)
		}
	}
	return nil
}

func (s *Scene) checkRanges(on []Range) error {
	for _, r := range on {
		if n := s.Objects.Len(); r.First < 0 || r.Count < 1 || r.First > n || r.Count > n-r.First {
			return fmt.Errorf("on: must be numbers of the scene's %d solids, got %+v", n, r)
		}
	}
	return nil
}

func (s *Scene) checkAcross(d *Dimension) error {
	if err := s.checkRanges([]Range{{d.Solid, 1}}); err != nil {
		return err
	}
	kind, _ := s.Of(d.Solid)
	if known := kind.row().traits().lengths; !slices.Contains(known, d.Across) {
		return fmt.Errorf("across: must be one of %v for a %s, got %q", known, kind, d.Across)
	}
	return nil
}

func (t *Title) check() error {
	if t == nil {
		return nil
	}
	return cmp.Or(checkCaption("text", t.Text, true), t.Lettering.check())
}

func (x *Axes) check() error {
	if x == nil {
		return nil
	}
	err := cmp.Or(checkPoint("at", x.At), checkNumber("length", x.Length, sizes()), checkWord("hidden", int(x.Hidden), hiddenWords()), x.Lettering.check())
	if x.Corner != "" {
		err = cmp.Or(err, checkCorner(x.Corner))
	}
	for _, s := range x.Texts {
		err = cmp.Or(err, checkCaption("texts", s, false))
	}
	return err
}

func (b *ScaleBar) check() error {
	if b == nil {
		return nil
	}
	err := cmp.Or(checkNumber("length", b.Length, sizes()), checkCorner(b.Corner), b.Quantity.check(), b.Lettering.check())
	if b.Depth != 0 {
		err = cmp.Or(err, checkNumber("depth", b.Depth, sizes()))
	}
	return err
}

func (g *Legend) check() error {
	if g == nil {
		return nil
	}
	err := cmp.Or(checkCorner(g.Corner), g.Lettering.check())
	for _, x := range g.Entries {
		err = cmp.Or(err, checkCaption("texts", x.Text, false), checkColor("color", x.Color))
	}
	return err
}

func (q *Quantity) check() error {
	err := checkNumber("factor", q.Factor, sizes())
	if q.Unit != "" {
		err = cmp.Or(err, checkCaption("unit", q.Unit, false))
	}
	if q.HasDigits {
		err = cmp.Or(err, checkNumber("digits", float64(q.Digits), digits()))
	}
	return err
}

func (l *Lettering) check() error {
	err := cmp.Or(checkNumber("size", l.Size, letterings()), checkColor("color", l.Color))
	if l.HasHalo {
		err = cmp.Or(err, checkColor("halo", l.Halo))
	}
	return err
}

func checkNumber(key string, x float64, l limits) error {
	if l.contain(x) {
		return nil
	}
	return fmt.Errorf("%s: %s, got %v", key, l.requirement(x), x)
}

func checkPoint(key string, p geom.Vec3) error {
	if geom.IsCoordinate(p) {
		return nil
	}
	return fmt.Errorf("%s: coordinates must be finite and at most %g in magnitude, got %v", key, geom.MaxCoordinate, p)
}

func checkCaption(key, s string, lines bool) error {
	if _, flaw := textFlaw(s, lines); flaw != "" {
		return fmt.Errorf("%s: %s, got %q", key, flaw, s)
	}
	return nil
}

func checkCorner(corner string) error {
	return checkWord("corner", slices.Index(cornerWords(), corner), cornerWords())
}

func checkWord(key string, i int, words []string) error {
	if i < 0 || i >= len(words) {
		return fmt.Errorf("%s: must be one of %v", key, words)
	}
	return nil
}

// entryOf returns the line of a legend for a material.
func entryOf(m *Material, text string) LegendEntry {
	return LegendEntry{Material: m.Name, Text: text, Color: m.Albedo}
}

// DefaultLettering returns the defaults of a label's text.
func DefaultLettering() Lettering {
	return Lettering{Size: defaultLettering, Color: shade.Color{}}
}
