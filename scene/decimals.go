package scene

import (
	"errors"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"

	"pillbox/exact"
	"pillbox/scene/tomltext"
	"pillbox/shapes"
)

// Numbers of spheres and capsules whose decimals in the file are not the shortest ones of their
// float64, for whoever decides overlaps exactly.

// DecodeExact is [DecodeFS] for overlaps: the scene keeps every digit of the centres, ends and radii
// of spheres and capsules, also of rows in bulk files, where a float64 has lost some. Rows of
// bulk files take two to three times as long, and a number with more than [exact.MaxPlaces] places behind the point is an error.
// Solids that placements made have been computed with and have no such digits.
func DecodeExact(files fs.FS, name string, data []byte) (*Scene, error) {
	l := loader{files: files, long: &longNumbers{}, mostPlaced: MaxPlaced}
	return l.decode(name, data)
}

// longTexts are the texts for [exact.Decimal3] of some solids, by index.
type longTexts map[int][7]string

// set sets the texts of a solid if it has any.
func (t *longTexts) set(i int, texts [7]string) {
	if texts == ([7]string{}) {
		return
	}
	if *t == nil {
		*t = make(longTexts)
	}
	(*t)[i] = texts
}

// solids returns the indices of the solids that have texts, ascending.
func (t longTexts) solids() []int { return slices.Sorted(maps.Keys(t)) }

// longNumbers knows which numbers of a scene's own file may be longer than their float64.
type longNumbers struct {
	magnitudes map[float64]bool // nil: not looked for yet
}

// has reports whether the text has a number of the magnitude of x that is longer. It may be
// another one, or stand in a comment.
func (n *longNumbers) has(text []byte, x float64) bool {
	if n.magnitudes == nil {
		n.magnitudes = make(map[float64]bool)
		n.find(string(text))
	}
	return n.magnitudes[math.Abs(x)]
}

func (n *longNumbers) find(text string) {
	const digits, others = "0123456789", "._+-eE"
	for {
		start := strings.IndexAny(text, digits)
		if start < 0 {
			return
		}
		text = text[start:]
		token := text[:len(text)-len(strings.TrimLeft(text, digits+others))]
		text = text[len(token):]
		if len(token) <= 15 && !strings.ContainsAny(token, "eE") {
			continue // the shortest decimal of a float64 that is not tiny
		}
		if x, long, err := exact.ReadDecimal(token); long != "" || errors.Is(err, exact.ErrTooLong) {
			n.magnitudes[x] = true
		}
	}
}

// longText returns the text of a number of a table in the scene's own file, and "" if that is the
// shortest decimal of x. It reports one that is too long.
func (l *loader) longText(t table, key string, places map[string]tomltext.Place) string {
	at, ok := places[t.key(key)]
	if !ok || !at.Found {
		return ""
	}
	_, long, err := exact.ReadDecimal(string(l.text[at.Value.Start:at.Value.End]))
	if errors.Is(err, exact.ErrTooLong) {
		t.wrong(key, CodeTooManyDigits, "%s", tooManyDigits)
	}
	return long // none of an integer in hexadecimal digits
}

const tooManyDigits = "overlaps are decided exactly for at most 400 places behind the point"

// keepDecimals keeps the decimals of solids with tables of their own in the scene.
func (l *loader) keepDecimals() {
	root := l.scene.root
	if l.long == nil || l.failed() {
		return
	}
	defer func() {
		l.scene.keepsDecimals = len(root.own[sphereKind].long)+len(root.own[capsuleKind].long) > 0 ||
			slices.ContainsFunc(root.bulks, func(b *bulk) bool { return len(b.rowTexts) > 0 })
	}()
	type number struct {
		k    kind
		i    int
		slot int
		key  string
	}
	var numbers []number
	var paths []string
	for k := range boxKind {
		for i := range root.own[k].objects {
			for slot, x := range root.own[k].pill(i) {
				key := decimalKeys()[k][slot]
				if key != "" && l.long.has(l.text, x) {
					numbers = append(numbers, number{k, i, slot, key})
					paths = append(paths, root.element(k, i).key(key))
				}
			}
		}
	}
	if len(paths) == 0 {
		return
	}
	places := tomltext.Locate(l.text, paths)
	for _, n := range numbers {
		own := &root.own[n.k]
		texts := own.long[n.i]
		texts[n.slot] = l.longText(root.element(n.k, n.i), n.key, places)
		own.long.set(n.i, texts)
	}
	spheres := root.own[sphereKind].long
	for _, i := range spheres.solids() {
		spheres[i] = alsoEnd(spheres[i])
	}
}

// pill returns the numbers of a sphere or capsule in the order of [exact.Decimal3].
func (s *solids) pill(i int) [7]float64 {
	c := shapes.Capsule{}
	if s.spheres != nil {
		c = shapes.Capsule{A: s.spheres[i].Center, B: s.spheres[i].Center, Radius: s.spheres[i].Radius}
	} else {
		c = s.capsules[i]
	}
	return [7]float64{c.A.X, c.A.Y, c.A.Z, c.B.X, c.B.Y, c.B.Z, c.Radius}
}

// decimalKeys returns the keys of spheres and capsules that have the numbers of an [exact.Decimal3],
// in their order. A sphere has each once.
func decimalKeys() [boxKind][7]string {
	return [boxKind][7]string{
		sphereKind:  {0: "center[0]", 1: "center[1]", 2: "center[2]", 6: "radius"},
		capsuleKind: {"a[0]", "a[1]", "a[2]", "b[0]", "b[1]", "b[2]", "radius"},
	}
}

// alsoEnd returns the texts of a sphere, of which both ends of the axis are the centre.
func alsoEnd(texts [7]string) [7]string {
	copy(texts[3:6], texts[0:3])
	return texts
}

// Decimal returns a sphere or capsule by its number, 0 <= number < len(s.Objects), and false if that
// is a box. A sphere is a capsule without length.
func (s *Scene) Decimal(number int) (exact.Decimal3, bool) {
	if number >= len(s.Spheres)+len(s.Capsules) {
		return exact.Decimal3{}, false
	}
	return s.decimal(number), true
}

func (s *Scene) decimal(number int) exact.Decimal3 {
	var c shapes.Capsule
	if number < len(s.Spheres) {
		x := &s.Spheres[number]
		c = shapes.Capsule{A: x.Center, B: x.Center, Radius: x.Radius}
	} else {
		c = s.Capsules[number-len(s.Spheres)]
	}
	d := exact.Decimal3{
		P: [3]float64{c.A.X, c.A.Y, c.A.Z},
		Q: [3]float64{c.B.X, c.B.Y, c.B.Z},
		R: c.Radius,
	}
	if s.keepsDecimals {
		d.Text = s.texts(number)
		if d.Validate() != nil { // somebody has moved the solid
			d.Text = [7]string{}
		}
	}
	return d
}

// texts returns the decimals of a solid that are longer than their float64.
func (s *Scene) texts(number int) [7]string {
	o, ok := s.origin(number)
	switch {
	case !ok || len(o.placed) > 0:
		return [7]string{}
	case o.bulk != nil:
		return o.bulk.rowTexts[o.index]
	}
	return o.part.own[o.kind].long[o.index]
}
