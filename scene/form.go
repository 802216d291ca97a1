package scene

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"pillbox/geom"
	"pillbox/internal/tomltext"
	"pillbox/shade"
)

// form is the type of a key's values, with their limits.
type form struct {
	// read reads the value v of a key into a field. It reports an invalid value.
	read func(t table, key string, v any, field any)

	// check returns an error if the value in a field is invalid in a file. nil if all values are valid.
	check func(key string, field any) error

	// text returns the value in a field as TOML.
	text func(w *tomlWriter, field any) string

	schema func() *schema
	python string   // the type of the key in the Python package
	mixing mixing   // how values are interpolated over time
	limits *limits  // of the numbers; nil if the values have none
	words  []string // the valid words, for docs/scene.md
}

// formFor returns a form whose fields have the type V.
func formFor[V any](read func(t table, key string, v any) V, check func(key string, x V) error, text func(w *tomlWriter, x V) string) form {
	f := form{
		read: func(t table, key string, v any, field any) { *field.(*V) = read(t, key, v) },
		text: func(w *tomlWriter, field any) string { return text(w, *field.(*V)) },
	}
	if check != nil {
		f.check = func(key string, field any) error { return check(key, *field.(*V)) }
	}
	return f
}

// is returns the form with what describes it.
func (f form) is(python string, m mixing, schema func() *schema) form {
	f.python, f.mixing, f.schema = python, m, schema
	return f
}

func (f form) within(l limits) form {
	f.limits = &l
	return f
}

// numberForm is a form for a float64.
func numberForm(l limits) form {
	return formFor(
		func(t table, key string, v any) float64 { return t.number(key, v, l) },
		func(key string, x float64) error { return checkNumber(key, x, l) },
		func(_ *tomlWriter, x float64) string { return tomltext.Number(x) },
	).is("float", mixNumbers, func() *schema { return numberIn(l) }).within(l)
}

// integerForm is a form for an int.
func integerForm(l limits) form {
	return formFor(
		func(t table, key string, v any) int { return t.integer(key, v, l) },
		func(key string, n int) error { return checkNumber(key, float64(n), l) },
		func(_ *tomlWriter, n int) string { return strconv.Itoa(n) },
	).is("int", mixNothing, func() *schema { return integerIn(l) }).within(l)
}

// powerOfTwoForm is a form for an int.
func powerOfTwoForm(l limits) form {
	return formFor(
		func(t table, key string, v any) int { return t.powerOfTwo(key, v, l) },
		func(key string, n int) error {
			err := checkNumber(key, float64(n), l)
			if err == nil && n&(n-1) != 0 {
				err = fmt.Errorf("%s: %s, got %d", key, notPowerOfTwo(n), n)
			}
			return err
		},
		func(_ *tomlWriter, n int) string { return strconv.Itoa(n) },
	).is("int", mixNothing, func() *schema { return powersOfTwo(l) }).within(l)
}

// booleanForm is a form for a bool.
func booleanForm() form {
	return formFor(table.boolean, nil, func(_ *tomlWriter, b bool) string { return strconv.FormatBool(b) }).
		is("bool", mixNothing, func() *schema { return typed("boolean") })
}

// wordForm is a form for an int: the index of one of the words.
func wordForm(words []string) form {
	f := formFor(
		func(t table, key string, v any) int {
			i, _ := t.word(key, v, words)
			return i
		},
		func(key string, i int) error {
			if i < 0 || i >= len(words) {
				return fmt.Errorf("%s: must be one of %v", key, words)
			}
			return nil
		},
		func(_ *tomlWriter, i int) string { return tomltext.Quote(words[i]) },
	).is("str", mixNothing, func() *schema { return oneOf(words...) })
	f.words = words
	return f
}

// wordsForm is a form for a string: one of the words.
func wordsForm(words []string) form {
	f := wordForm(words)
	index := func(s string) int { return slices.Index(words, s) }
	g := formFor(
		func(t table, key string, v any) string { return t.wordOf(key, v, words) },
		func(key string, s string) error { i := index(s); return f.check(key, &i) },
		func(_ *tomlWriter, s string) string { return tomltext.Quote(s) },
	).is("str", mixNothing, f.schema)
	g.words = words
	return g
}

// switchForm is a form for a bool: whether the value is the word on. The word off is the only other one.
func switchForm(off, on string) form {
	f := wordForm([]string{off, on})
	g := formFor(
		func(t table, key string, v any) bool {
			i, _ := t.word(key, v, f.words)
			return i == 1
		}, nil,
		func(_ *tomlWriter, is bool) string {
			if is {
				return tomltext.Quote(on)
			}
			return tomltext.Quote(off)
		},
	).is("str", mixNothing, f.schema)
	g.words = f.words
	return g
}

// markForm is a form for a bool that is true if the key has its only valid value, a word.
func markForm(word string) form {
	f := formFor(
		func(t table, key string, v any) bool {
			_, ok := t.word(key, v, []string{word})
			return ok
		}, nil,
		func(*tomlWriter, bool) string { return tomltext.Quote(word) },
	).is("str", mixNothing, func() *schema { return oneOf(word) })
	f.words = []string{word}
	return f
}

// textForm is a form for a string.
func textForm() form {
	return formFor(
		func(t table, key string, v any) string {
			s, _ := t.text(key, v)
			return s
		}, nil,
		func(_ *tomlWriter, s string) string { return tomltext.Quote(s) },
	).is("str", mixNothing, func() *schema { return typed("string") })
}

// referenceForm is a form for an any: a string that refers to something else, which is found later. The field is nil if the
// value is not a string.
func referenceForm() form {
	f := textForm()
	f.read = func(t table, key string, v any, field any) {
		if s, ok := t.text(key, v); ok {
			*field.(*any) = s
		}
	}
	f.text = func(_ *tomlWriter, field any) string { return tomltext.Quote((*field.(*any)).(string)) }
	return f
}

// nameForm is a form for a string: a name of a solid, light or placement. The writer omits empty names.
func nameForm() form {
	return formFor(table.solidName,
		func(key, s string) error {
			if n := utf8.RuneCountInString(s); n > MaxName {
				return fmt.Errorf("%s: "+tooLong+", got %d", key, MaxName, n)
			}
			return nil
		},
		func(_ *tomlWriter, s string) string { return tomltext.Quote(s) },
	).is("str", mixNothing, func() *schema { return &schema{Type: "string", MinLength: 1} })
}

// captionForm is a form for a string that is drawn. If lines is set, it may have several lines.
func captionForm(lines bool) form {
	return formFor(
		func(t table, key string, v any) string { return t.caption(key, v, lines) },
		func(key, s string) error { return checkCaption(key, s, lines) },
		func(_ *tomlWriter, s string) string { return tomltext.Quote(s) },
	).is("str", mixNothing, func() *schema { return &schema{Type: "string", MinLength: 1} })
}

// optionalCaptionForm is a form for a string: a text of one line, or none.
func optionalCaptionForm() form {
	f := captionForm(false)
	f.schema = func() *schema { return typed("string") }
	f.read = func(t table, key string, v any, field any) {
		if s, ok := t.text(key, v); ok && s != "" {
			*field.(*string) = t.caption(key, s, false)
		}
	}
	f.check = func(key string, field any) error {
		if s := *field.(*string); s != "" {
			return checkCaption(key, s, false)
		}
		return nil
	}
	return f
}

// textsForm is a form for a []string.
func textsForm() form {
	return formFor(table.texts, nil,
		func(_ *tomlWriter, list []string) string { return textsText(list) },
	).is("Sequence[str]", mixNothing, func() *schema { return listOf("", typed("string")) })
}

func textsText(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = tomltext.Quote(s)
	}
	return tomltext.Array(quoted...)
}

// vectorForm is a form for a geom.Vec3.
func vectorForm(l limits) form {
	return formFor(
		func(t table, key string, v any) geom.Vec3 { return t.vector(key, v, l) },
		func(key string, x geom.Vec3) error { return checkVector(key, x, l) },
		func(_ *tomlWriter, x geom.Vec3) string { return tomltext.Vector(x) },
	).is("Vector", mixVectors, func() *schema { return vectorIn(l) }).within(l)
}

// nonzeroForm is a form for a geom.Vec3 that is not zero.
func nonzeroForm() form {
	f := vectorForm(finite())
	f.read = func(t table, key string, v any, field any) { *field.(*geom.Vec3) = t.nonzero(key, v) }
	f.schema = func() *schema { return nonzero(3) }
	return f
}

// shiftForm is a form for a [2]float64.
func shiftForm(l limits) form {
	return formFor(
		func(t table, key string, v any) [2]float64 {
			x := t.numbers(key, v, 2, l)
			return [2]float64{x[0], x[1]}
		},
		func(key string, x [2]float64) error {
			return cmp.Or(checkNumber(key, x[0], l), checkNumber(key, x[1], l))
		},
		func(_ *tomlWriter, x [2]float64) string {
			return tomltext.Array(tomltext.Number(x[0]), tomltext.Number(x[1]))
		},
	).is("Sequence[float]", mixNothing, func() *schema { return arrayOfN(2, numberIn(l)) })
}

// quaternionForm is a form for a geom.Mat3: a rotation in the form [w, x, y, z].
func quaternionForm() form {
	return formFor(table.quaternion, nil, func(_ *tomlWriter, m geom.Mat3) string { return axesText(m) }).
		is("Sequence[float]", mixQuaternions, func() *schema { return nonzero(4) })
}

// axesForm is a form for a geom.Mat3: a rotation as three vectors.
func axesForm() form {
	return formFor(table.axes, nil, func(_ *tomlWriter, m geom.Mat3) string { return axesText(m) }).
		is("Sequence[Vector]", mixNothing, func() *schema { return arrayOfN(3, vectorIn(finite())) })
}

// colorForm is a form for a shade.Color.
func colorForm() form {
	return formFor(table.color, checkColor, (*tomlWriter).color).is("Color", mixColors, colorSchema)
}

// ambientForm is a form for a shade.Color: a number of linear light, or a color.
func ambientForm() form {
	return formFor(table.ambient, checkColor, (*tomlWriter).light).
		is("Union[float, Color]", mixNothing, func() *schema { return anyOf(numberIn(fractions()), colorSchema()) }).within(fractions())
}

// hemisphereForm is a form for a shade.Gradient: ambient light.
func hemisphereForm() form {
	return formFor(table.hemisphere, checkGradient, func(w *tomlWriter, g shade.Gradient) string {
		if g.IsEven() {
			return w.light(g.Top)
		}
		return hemisphereKeys().inline(w, &g)
	}).is("Union[float, Color, Gradient]", mixAmbients, func() *schema {
		return anyOf(numberIn(fractions()), colorSchema(), schemaOf(hemisphereKeys()))
	})
}

// backgroundForm is a form for a Background.
func backgroundForm() form {
	return formFor(table.background,
		func(key string, b Background) error {
			if b.Transparent {
				return nil
			}
			return checkGradient(key, b.Gradient)
		},
		func(w *tomlWriter, b Background) string {
			switch {
			case b.Transparent:
				return tomltext.Quote(transparent)
			case b.IsEven():
				return w.color(b.Top)
			}
			return gradientKeys().inline(w, &b.Gradient)
		}).is("Union[Color, Gradient]", mixBackgrounds, func() *schema {
		return anyOf(colorSchema(), oneOf(transparent), schemaOf(gradientKeys()))
	})
}

// secondsForm is a form for a []float64: ascending times, at most most of them, which read reads; 0 means any number.
func secondsForm(most int, read func(t table, key string, v any) []float64) form {
	return formFor(read, nil, func(_ *tomlWriter, list []float64) string {
		texts := make([]string, len(list))
		for i, x := range list {
			texts[i] = tomltext.Number(x)
		}
		return tomltext.Array(texts...)
	}).is("Sequence[float]", mixNothing, func() *schema { return &schema{Type: "array", Items: numberIn(moments()), MinItems: 1, MaxItems: most} })
}

// tableForm is a form for a T: a table in its parent's table. set is called for a table that is there.
func tableForm[T any](keys keysOf[T], set func(*T)) form {
	return form{
		read: func(t table, key string, v any, field any) {
			x, _, ok := keys.read(t.report.table(t.key(key)), v)
			if ok {
				set(&x)
				*field.(*T) = x
			}
		},
		check:  func(key string, field any) error { return keys.check(key+".", field.(*T)) },
		text:   func(w *tomlWriter, field any) string { return keys.inline(w, field.(*T)) },
		schema: func() *schema { return schemaOf(keys) },
	}
}

// rawForm is a form for an any: tables that are read later.
func rawForm(python string, schema func() *schema) form {
	f := form{read: func(_ table, _ string, v any, field any) { *field.(*any) = v }}
	return f.is(python, mixNothing, schema)
}

func checkNumber(key string, x float64, l limits) error {
	if l.contain(x) {
		return nil
	}
	return fmt.Errorf("%s: %s, got %v", key, l.requirement(x), x)
}

func checkVector(key string, v geom.Vec3, l limits) error {
	if l == coordinates() && !geom.IsCoordinate(v) {
		return fmt.Errorf("%s: coordinates must be finite and at most %g in magnitude, got %v", key, geom.MaxCoordinate, v)
	}
	for _, x := range [3]float64{v.X, v.Y, v.Z} {
		if !l.contain(x) {
			return fmt.Errorf("%s: %s, got %v", key, l.requirement(x), v)
		}
	}
	return nil
}

func checkCaption(key, s string, lines bool) error {
	if _, flaw := textFlaw(s, lines); flaw != "" {
		return fmt.Errorf("%s: %s, got %q", key, flaw, s)
	}
	return nil
}

func checkGradient(key string, g shade.Gradient) error {
	return cmp.Or(checkColor(key+".top", g.Top), checkColor(key+".bottom", g.Bottom))
}

// checkColor returns an error if a channel of c is outside 0 to 1.
func checkColor(key string, c shade.Color) error {
	for i, v := range [3]float64{c.R, c.G, c.B} {
		if !fractions().contain(v) {
			return fmt.Errorf("%s: %s %s, got %v", key, [3]string{"red", "green", "blue"}[i], fractions().requirement(v), v)
		}
	}
	return nil
}

// isUnit reports whether the length of a light's direction is 1, up to a few thousand rounding errors, but much less
// than one step of an 8-bit color.
func isUnit(v geom.Vec3) bool { return math.Abs(v.Norm()-1) <= 0x1p-40 } // false for NaN
