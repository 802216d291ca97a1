package scene

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"pillbox/exact"
	"pillbox/geom"
	"pillbox/internal/keytable"
	"pillbox/internal/tomltext"
	"pillbox/problem"
	"pillbox/shapes"
)

// A number in a scene file may have more digits than a float64 can represent. Exact overlaps need these
// digits: see [WithAllDigits].

// longTexts maps the index of a solid to its [exact.Decimal3].Text. Solids without texts have no entry.
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

// longNumbers records the magnitudes of the long numbers in a scene's own file: those that are not the shortest decimal
// of their float64.
type longNumbers struct {
	magnitudes map[float64]bool // nil until the first search
}

// The method has reports whether the text contains a long number, as defined at longNumbers, whose float64 has the
// magnitude of x. This need not be the number from which x was read; it can even be in a comment.
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
			continue // a decimal of at most 15 digits is always the shortest one of its float64
		}
		if x, long, err := exact.ReadDecimal(token); long != "" || errors.Is(err, exact.ErrTooLong) {
			n.magnitudes[x] = true
		}
	}
}

// longText returns the text of a long number of a table in the scene's own file, or "" if the number is
// the shortest decimal of its float64. It reports a number with too many digits.
func (l *loader) longText(t keytable.Table, key string, places map[string]tomltext.Location) string {
	at, ok := places[t.Key(key)]
	if !ok || !at.Found {
		return ""
	}
	_, long, err := exact.ReadDecimal(string(l.Text[at.Value.Start:at.Value.End]))
	if errors.Is(err, exact.ErrTooLong) {
		t.Wrong(key, problem.CodeTooManyDigits, "%s", tooManyDigits)
	}
	return long // empty for an integer in hexadecimal digits
}

const tooManyDigits = "must have at most 400 decimal places for exact overlaps"

// keepDecimals stores the long numbers (see longNumbers) of the solids that have tables of their own in the scene's
// file.
func (l *loader) keepDecimals() {
	root := l.scene.root
	if l.long == nil || l.failed() {
		return
	}
	defer func() {
		l.scene.keepsDecimals = slices.ContainsFunc(root.own[:], func(s solids) bool { return len(s.long) > 0 }) ||
			slices.ContainsFunc(root.bulks, func(b *bulk) bool { return len(b.rowTexts) > 0 })
	}()
	type number struct {
		k    Kind
		i    int
		slot int
		key  string
	}
	var numbers []number
	var paths []string
	for k := range kindCount {
		if !k.row().traits().pill {
			continue
		}
		keys := k.decimalKeys()
		for i := range root.own[k].objects {
			for slot, x := range (&origin{part: root, kind: k, index: i}).measures() {
				key := keys[slot]
				if key != "" && l.long.has(l.Text, x) {
					numbers = append(numbers, number{k, i, slot, key})
					paths = append(paths, root.element(k, i).Key(key))
				}
			}
		}
	}
	if len(paths) == 0 {
		return
	}
	places := tomltext.Locate(l.Text, paths)
	for _, n := range numbers {
		own := &root.own[n.k]
		texts := own.long[n.i]
		texts[n.slot] = l.longText(root.element(n.k, n.i), n.key, places)
		own.long.set(n.i, texts)
	}
	for k := range kindCount {
		for _, i := range root.own[k].long.solids() {
			root.own[k].long[i] = k.withEnd(root.own[k].long[i])
		}
	}
}

// decimalKeys returns the key for each slot of the numbers of a pill, which is a sphere or capsule.
func (k Kind) decimalKeys() (keys [len(measures{})]string) {
	for _, m := range k.row().keys() {
		if !m.isVector() {
			keys[m.slot] = m.key
			continue
		}
		for i := range 3 {
			keys[m.slot+i] = fmt.Sprintf("%s[%d]", m.key, i)
		}
	}
	return keys
}

// withEnd copies the texts of a sphere's center, which are those of the first end of its axis, to the second end. It
// returns the texts of a capsule unchanged.
func (k Kind) withEnd(texts [7]string) [7]string {
	if !k.has(slotSize, keytable.Coordinates()) {
		copy(texts[slotSize:slotRadius], texts[slotPoint:slotSize])
	}
	return texts
}

// Decimal returns the solid with the given number, 0 <= number < s.Objects.Len(), in decimals. It returns false if the
// solid is neither a sphere nor a capsule. A sphere is a capsule of length zero. The decimals are the shortest ones of
// the solid's float64s, with two exceptions. With [WithAllDigits], a solid outside parts keeps all digits of its
// numbers in the file. And the numbers of a solid from placements that rotate only by quarter turns are transformed as
// decimals, without rounding, unless they get too many digits.
func (s *Scene) Decimal(number int) (exact.Decimal3, bool) {
	if !s.isPill(number) {
		return exact.Decimal3{}, false
	}
	return s.decimal(number), true
}

func (s *Scene) decimal(number int) exact.Decimal3 {
	o, ok := s.origin(number)
	if ok && len(o.placed) > 0 {
		if d, ok := o.decimal(s.Solid(number)); ok {
			return d
		}
	}
	d := decimalOf(s.measures(number))
	if s.keepsDecimals {
		d.Text = s.LongNumbers(number)
		if d.Validate() != nil { // the solid was moved
			d.Text = [7]string{}
		}
	}
	return d
}

// isPill reports whether a solid is a capsule or a sphere, which is a capsule of length zero.
func (s *Scene) isPill(number int) bool {
	k, _ := s.Of(number)
	return k.row().traits().pill
}

// measures returns the numbers that define the solid with the given object number.
func (s *Scene) measures(number int) measures {
	k, i := s.Of(number)
	m, _ := k.row().measures(k.row().solid(s, i))
	return m
}

// decimalOf returns a sphere or capsule in which every number is the shortest decimal of its float64.
func decimalOf(m measures) exact.Decimal3 {
	return exact.Decimal3{P: [3]float64(m[slotPoint:]), Q: [3]float64(m[slotSize:]), R: m[slotRadius]}
}

// decimal returns a sphere or capsule that comes from a placement. It transforms the shortest decimals of the numbers
// in the file, without rounding. inScene must be the same solid as it is in the scene, in float64. decimal returns
// false if a placement rotates by other angles than quarter turns, if a number gets too many digits, or if a program
// has moved the solid.
func (o *origin) decimal(inScene shapes.Shape) (exact.Decimal3, bool) {
	numbers := [7]exact.Decimal{}
	for i, x := range o.measures() {
		numbers[i] = exact.DecimalOf(x)
	}
	around := identityTransform()
	for _, c := range o.placed {
		f := c.ofCopy(c.copy).copyTransform(c.copy)
		around = f.within(&around)
	}
	if o.kind.row().placed(&around, o.shape()) != o.kind.row().value(inScene) {
		return exact.Decimal3{}, false
	}
	for _, c := range slices.Backward(o.placed) {
		if !c.ofCopy(c.copy).decimals(&numbers, c.copy) {
			return exact.Decimal3{}, false
		}
	}
	var d exact.Decimal3
	for i, to := range [7]*float64{&d.P[0], &d.P[1], &d.P[2], &d.Q[0], &d.Q[1], &d.Q[2], &d.R} {
		var err error
		if *to, d.Text[i], err = numbers[i].Float64(); err != nil {
			return exact.Decimal3{}, false
		}
	}
	return d, true
}

// decimals applies the transformation of a copy, [place.copyTransform], to the numbers P, Q and R of an
// [exact.Decimal3], without rounding. It returns false if the copy is rotated by other angles than
// quarter turns.
func (p *place) decimals(numbers *[7]exact.Decimal, copy int) bool {
	scale, n := exact.DecimalOf(p.transform.scale), exact.DecimalOf(float64(copy))
	for i := range numbers {
		numbers[i] = numbers[i].Times(scale)
	}
	turned := identityTransform()
	if p.step.turns {
		turned = p.step.turn(copy)
	}
	for _, point := range [2]*[3]exact.Decimal{(*[3]exact.Decimal)(numbers[0:3]), (*[3]exact.Decimal)(numbers[3:6])} {
		if !quarterTurn(p.transform.rotation, point) {
			return false
		}
		for i, x := range coordinatesOf(p.transform.position) {
			point[i] = point[i].Plus(exact.DecimalOf(x))
		}
		if !quarterTurn(turned.rotation, point) {
			return false
		}
		for i, x := range coordinatesOf(p.step.position) {
			point[i] = point[i].Plus(exact.DecimalOf(x).Times(n))
		}
	}
	return true
}

func coordinatesOf(v geom.Vec3) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

// quarterTurn rotates a point. It supports only rotations that map each coordinate axis to a coordinate axis, in either
// direction, and returns false for others.
func quarterTurn(m geom.Mat3, point *[3]exact.Decimal) bool {
	var turned [3]exact.Decimal
	for from, image := range [3]geom.Vec3{m.X, m.Y, m.Z} {
		for to, x := range coordinatesOf(image) {
			switch x {
			case 0:
			case 1:
				turned[to] = point[from]
			case -1:
				turned[to] = point[from].Negated()
			default:
				return false
			}
		}
	}
	*point = turned
	return true
}

// KeepsDigits reports whether [WithAllDigits] found numbers with more digits than a float64 represents. [Scene.Decimal] takes
// longer then.
func (s *Scene) KeepsDigits() bool { return s.keepsDecimals }

// LongNumbers returns the texts of the numbers of the solid with the given object number, 0 <= number < s.Objects.Len(), that
// [WithAllDigits] kept because a float64 cannot represent them, in the order of [exact.Decimal3]. The other texts are empty, as
// are those of a solid from a placement.
func (s *Scene) LongNumbers(number int) [7]string {
	o, ok := s.origin(number)
	switch {
	case !ok || len(o.placed) > 0:
		return [7]string{}
	case o.bulk != nil:
		return o.bulk.rowTexts[o.index]
	}
	return o.part.own[o.kind].long[o.index]
}
