package keytable

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"pillbox/geom"
	"pillbox/internal/tomltext"
	"pillbox/shade"
)

// Form is the type of a key's values, with their limits.
type Form struct {
	// Read reads the value v of a key into a field. It reports an invalid value.
	Read func(t Table, key string, v any, field any)

	// Check returns an error if the value in a field is invalid in a file. nil if all values are valid.
	Check func(key string, field any) error

	// Text returns the value in a field as TOML.
	Text func(w *Writer, field any) string

	Schema func() *Schema
	Python string   // the type of the key in the Python package
	Mixing Mixing   // how values are interpolated over time
	Limits *Limits  // of the numbers; nil if the values have none
	Words  []string // the valid words, for docs/scene.md
}

// FormFor returns a form whose fields have the type V.
func FormFor[V any](read func(t Table, key string, v any) V, check func(key string, x V) error, text func(w *Writer, x V) string) Form {
	f := Form{
		Read: func(t Table, key string, v any, field any) { *field.(*V) = read(t, key, v) },
		Text: func(w *Writer, field any) string { return text(w, *field.(*V)) },
	}
	if check != nil {
		f.Check = func(key string, field any) error { return check(key, *field.(*V)) }
	}
	return f
}

// Is returns the form with what describes it.
func (f Form) Is(python string, m Mixing, schema func() *Schema) Form {
	f.Python, f.Mixing, f.Schema = python, m, schema
	return f
}

// Within returns the form with the limits of its numbers, for the tables of docs/scene.md.
func (f Form) Within(l Limits) Form {
	f.Limits = &l
	return f
}

// NumberForm is a form for a float64.
func NumberForm(l Limits) Form {
	return FormFor(
		func(t Table, key string, v any) float64 { return t.Number(key, v, l) },
		func(key string, x float64) error { return CheckNumber(key, x, l) },
		func(_ *Writer, x float64) string { return tomltext.Number(x) },
	).Is("float", MixNumbers, func() *Schema { return NumberIn(l) }).Within(l)
}

// IntegerForm is a form for an int.
func IntegerForm(l Limits) Form {
	return FormFor(
		func(t Table, key string, v any) int { return t.integer(key, v, l) },
		func(key string, n int) error { return CheckNumber(key, float64(n), l) },
		func(_ *Writer, n int) string { return strconv.Itoa(n) },
	).Is("int", MixNothing, func() *Schema { return integerIn(l) }).Within(l)
}

// PowerOfTwoForm is a form for an int.
func PowerOfTwoForm(l Limits) Form {
	return FormFor(
		func(t Table, key string, v any) int { return t.powerOfTwo(key, v, l) },
		func(key string, n int) error {
			err := CheckNumber(key, float64(n), l)
			if err == nil && n&(n-1) != 0 {
				err = fmt.Errorf("%s: %s, got %d", key, notPowerOfTwo(n), n)
			}
			return err
		},
		func(_ *Writer, n int) string { return strconv.Itoa(n) },
	).Is("int", MixNothing, func() *Schema { return powersOfTwo(l) }).Within(l)
}

// BooleanForm is a form for a bool.
func BooleanForm() Form {
	return FormFor(Table.boolean, nil, func(_ *Writer, b bool) string { return strconv.FormatBool(b) }).
		Is("bool", MixNothing, func() *Schema { return Typed("boolean") })
}

// WordForm is a form for an int: the index of one of the words.
func WordForm(words []string) Form {
	f := FormFor(
		func(t Table, key string, v any) int {
			i, _ := t.Word(key, v, words)
			return i
		},
		func(key string, i int) error {
			if i < 0 || i >= len(words) {
				return fmt.Errorf("%s: must be one of %v", key, words)
			}
			return nil
		},
		func(_ *Writer, i int) string { return tomltext.Quote(words[i]) },
	).Is("str", MixNothing, func() *Schema { return OneOf(words...) })
	f.Words = words
	return f
}

// WordsForm is a form for a string: one of the words.
func WordsForm(words []string) Form {
	f := WordForm(words)
	index := func(s string) int { return slices.Index(words, s) }
	g := FormFor(
		func(t Table, key string, v any) string { return t.wordOf(key, v, words) },
		func(key string, s string) error { i := index(s); return f.Check(key, &i) },
		func(_ *Writer, s string) string { return tomltext.Quote(s) },
	).Is("str", MixNothing, f.Schema)
	g.Words = words
	return g
}

// SwitchForm is a form for a bool: whether the value is the word on. The word off is the only other one.
func SwitchForm(off, on string) Form {
	f := WordForm([]string{off, on})
	g := FormFor(
		func(t Table, key string, v any) bool {
			i, _ := t.Word(key, v, f.Words)
			return i == 1
		}, nil,
		func(_ *Writer, is bool) string {
			if is {
				return tomltext.Quote(on)
			}
			return tomltext.Quote(off)
		},
	).Is("str", MixNothing, f.Schema)
	g.Words = f.Words
	return g
}

// MarkForm is a form for a bool that is true if the key has its only valid value, a word.
func MarkForm(word string) Form {
	f := FormFor(
		func(t Table, key string, v any) bool {
			_, ok := t.Word(key, v, []string{word})
			return ok
		}, nil,
		func(*Writer, bool) string { return tomltext.Quote(word) },
	).Is("str", MixNothing, func() *Schema { return OneOf(word) })
	f.Words = []string{word}
	return f
}

// TextForm is a form for a string.
func TextForm() Form {
	return FormFor(
		func(t Table, key string, v any) string {
			s, _ := t.Text(key, v)
			return s
		}, nil,
		func(_ *Writer, s string) string { return tomltext.Quote(s) },
	).Is("str", MixNothing, func() *Schema { return Typed("string") })
}

// ReferenceForm is a form for an any: a string that refers to something else, which is found later. The field is nil if the
// value is not a string.
func ReferenceForm() Form {
	f := TextForm()
	f.Read = func(t Table, key string, v any, field any) {
		if s, ok := t.Text(key, v); ok {
			*field.(*any) = s
		}
	}
	f.Text = func(_ *Writer, field any) string { return tomltext.Quote((*field.(*any)).(string)) }
	return f
}

// TextsForm is a form for a []string.
func TextsForm() Form {
	return FormFor(Table.texts, nil,
		func(_ *Writer, list []string) string { return TextsText(list) },
	).Is("Sequence[str]", MixNothing, func() *Schema { return ListOf("", Typed("string")) })
}

// TextsText returns an array of strings as TOML.
func TextsText(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = tomltext.Quote(s)
	}
	return tomltext.Array(quoted...)
}

// VectorForm is a form for a geom.Vec3.
func VectorForm(l Limits) Form {
	return FormFor(
		func(t Table, key string, v any) geom.Vec3 { return t.Vector(key, v, l) },
		func(key string, x geom.Vec3) error { return CheckVector(key, x, l) },
		func(_ *Writer, x geom.Vec3) string { return tomltext.Vector(x) },
	).Is("Vector", MixVectors, func() *Schema { return VectorIn(l) }).Within(l)
}

// NonzeroForm is a form for a geom.Vec3 that is not zero.
func NonzeroForm() Form {
	f := VectorForm(Finite())
	f.Read = func(t Table, key string, v any, field any) { *field.(*geom.Vec3) = t.Nonzero(key, v) }
	f.Schema = func() *Schema { return nonzero(3) }
	return f
}

// ShiftForm is a form for a [2]float64.
func ShiftForm(l Limits) Form {
	return FormFor(
		func(t Table, key string, v any) [2]float64 {
			x := t.Numbers(key, v, 2, l)
			return [2]float64{x[0], x[1]}
		},
		func(key string, x [2]float64) error {
			return cmp.Or(CheckNumber(key, x[0], l), CheckNumber(key, x[1], l))
		},
		func(_ *Writer, x [2]float64) string {
			return tomltext.Array(tomltext.Number(x[0]), tomltext.Number(x[1]))
		},
	).Is("Sequence[float]", MixNothing, func() *Schema { return ArrayOfN(2, NumberIn(l)) })
}

// QuaternionForm is a form for a geom.Mat3: a rotation in the form [w, x, y, z].
func QuaternionForm() Form {
	return FormFor(Table.quaternion, nil, func(_ *Writer, m geom.Mat3) string { return AxesText(m) }).
		Is("Sequence[float]", MixQuaternions, func() *Schema { return nonzero(4) })
}

// AxesForm is a form for a geom.Mat3: a rotation as three vectors.
func AxesForm() Form {
	return FormFor(Table.axes, nil, func(_ *Writer, m geom.Mat3) string { return AxesText(m) }).
		Is("Sequence[Vector]", MixNothing, func() *Schema { return ArrayOfN(3, VectorIn(Finite())) })
}

// ColorForm is a form for a shade.Color.
func ColorForm() Form {
	return FormFor(Table.Color, CheckColor, (*Writer).Color).Is("Color", MixColors, ColorSchema)
}

// AmbientForm is a form for a shade.Color: a number of linear light, or a color.
func AmbientForm() Form {
	return FormFor(Table.Ambient, CheckColor, (*Writer).Light).
		Is("Union[float, Color]", MixNothing, func() *Schema { return AnyOf(NumberIn(Fractions()), ColorSchema()) }).Within(Fractions())
}

// TableForm is a form for a T: a table in its parent's table. set is called for a table that is there.
func TableForm[T any](keys Keys[T], set func(*T)) Form {
	return Form{
		Read: func(t Table, key string, v any, field any) {
			x, _, ok := keys.Read(t.Report.Table(t.Key(key)), v)
			if ok {
				set(&x)
				*field.(*T) = x
			}
		},
		Check:  func(key string, field any) error { return keys.Check(key+".", field.(*T)) },
		Text:   func(w *Writer, field any) string { return keys.Inline(w, field.(*T)) },
		Schema: func() *Schema { return SchemaOf(keys) },
	}
}

// RawForm is a form for an any: tables that are read later.
func RawForm(python string, schema func() *Schema) Form {
	f := Form{Read: func(_ Table, _ string, v any, field any) { *field.(*any) = v }}
	return f.Is(python, MixNothing, schema)
}

// CheckNumber returns an error if x is outside the limits. key begins its message.
func CheckNumber(key string, x float64, l Limits) error {
	if l.Contain(x) {
		return nil
	}
	return fmt.Errorf("%s: %s, got %v", key, l.Requirement(x), x)
}

// CheckVector returns an error if a coordinate of v is outside the limits. key begins its message.
func CheckVector(key string, v geom.Vec3, l Limits) error {
	if l == Coordinates() && !geom.IsCoordinate(v) {
		return fmt.Errorf("%s: coordinates must be finite and at most %g in magnitude, got %v", key, geom.MaxCoordinate, v)
	}
	for _, x := range [3]float64{v.X, v.Y, v.Z} {
		if !l.Contain(x) {
			return fmt.Errorf("%s: %s, got %v", key, l.Requirement(x), v)
		}
	}
	return nil
}

// CheckColor returns an error if a channel of c is outside 0 to 1.
func CheckColor(key string, c shade.Color) error {
	for i, v := range [3]float64{c.R, c.G, c.B} {
		if !Fractions().Contain(v) {
			return fmt.Errorf("%s: %s %s, got %v", key, [3]string{"red", "green", "blue"}[i], Fractions().Requirement(v), v)
		}
	}
	return nil
}

// Mixing is how the values of a key are interpolated.
type Mixing int

const (
	MixNothing Mixing = iota // not interpolated: integers, words, switches, and axes, which would not stay perpendicular
	MixNumbers
	MixVectors
	MixQuaternions
	MixColors
	MixAmbients
	MixBackgrounds
	MixDepths
)
