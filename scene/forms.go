package scene

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"unicode/utf8"

	"pillbox/geom"
	"pillbox/internal/keytable"
	"pillbox/internal/tomltext"
	"pillbox/problem"
	"pillbox/shade"
)

// nameForm is a form for a string: a name of a solid, light or placement. The writer omits empty names.
func nameForm() keytable.Form {
	return keytable.FormFor(readName,
		func(key, s string) error {
			if n := utf8.RuneCountInString(s); n > MaxName {
				return fmt.Errorf("%s: "+tooLong+", got %d", key, MaxName, n)
			}
			return nil
		},
		func(_ *keytable.Writer, s string) string { return tomltext.Quote(s) },
	).Is("str", keytable.MixNothing, func() *keytable.Schema { return &keytable.Schema{Type: "string", MinLength: 1} })
}

// captionForm is a form for a string that is drawn. If lines is set, it may have several lines.
func captionForm(lines bool) keytable.Form {
	return keytable.FormFor(
		func(t keytable.Table, key string, v any) string { return readCaption(t, key, v, lines) },
		func(key, s string) error { return checkCaption(key, s, lines) },
		func(_ *keytable.Writer, s string) string { return tomltext.Quote(s) },
	).Is("str", keytable.MixNothing, func() *keytable.Schema { return &keytable.Schema{Type: "string", MinLength: 1} })
}

// optionalCaptionForm is a form for a string: a text of one line, or none.
func optionalCaptionForm() keytable.Form {
	f := captionForm(false)
	f.Schema = func() *keytable.Schema { return keytable.Typed("string") }
	f.Read = func(t keytable.Table, key string, v any, field any) {
		if s, ok := t.Text(key, v); ok && s != "" {
			*field.(*string) = readCaption(t, key, s, false)
		}
	}
	f.Check = func(key string, field any) error {
		if s := *field.(*string); s != "" {
			return checkCaption(key, s, false)
		}
		return nil
	}
	return f
}

// hemisphereForm is a form for a shade.Gradient: ambient light.
func hemisphereForm() keytable.Form {
	return keytable.FormFor(readHemisphere, checkGradient, func(w *keytable.Writer, g shade.Gradient) string {
		if g.IsEven() {
			return w.Light(g.Top)
		}
		return hemisphereKeys().Inline(w, &g)
	}).Is("Union[float, Color, Gradient]", keytable.MixAmbients, func() *keytable.Schema {
		return keytable.AnyOf(keytable.NumberIn(keytable.Fractions()), keytable.ColorSchema(), keytable.SchemaOf(hemisphereKeys()))
	})
}

// backgroundForm is a form for a Background.
func backgroundForm() keytable.Form {
	return keytable.FormFor(readBackground,
		func(key string, b Background) error {
			if b.Transparent {
				return nil
			}
			return checkGradient(key, b.Gradient)
		},
		func(w *keytable.Writer, b Background) string {
			switch {
			case b.Transparent:
				return tomltext.Quote(transparent)
			case b.IsEven():
				return w.Color(b.Top)
			}
			return gradientKeys().Inline(w, &b.Gradient)
		}).Is("Union[Color, Gradient]", keytable.MixBackgrounds, func() *keytable.Schema {
		return keytable.AnyOf(keytable.ColorSchema(), keytable.OneOf(transparent), keytable.SchemaOf(gradientKeys()))
	})
}

// secondsForm is a form for a []float64: ascending times, at most most of them, which read reads; 0 means any number.
func secondsForm(most int, read func(t keytable.Table, key string, v any) []float64) keytable.Form {
	return keytable.FormFor(read, nil, func(_ *keytable.Writer, list []float64) string {
		texts := make([]string, len(list))
		for i, x := range list {
			texts[i] = tomltext.Number(x)
		}
		return tomltext.Array(texts...)
	}).Is("Sequence[float]", keytable.MixNothing, func() *keytable.Schema {
		return &keytable.Schema{Type: "array", Items: keytable.NumberIn(moments()), MinItems: 1, MaxItems: most}
	})
}

func checkCaption(key, s string, lines bool) error {
	if _, flaw := textFlaw(s, lines); flaw != "" {
		return fmt.Errorf("%s: %s, got %q", key, flaw, s)
	}
	return nil
}

func checkGradient(key string, g shade.Gradient) error {
	return cmp.Or(keytable.CheckColor(key+".top", g.Top), keytable.CheckColor(key+".bottom", g.Bottom))
}

// isUnit reports whether the length of a light's direction is 1, up to a few thousand rounding errors, but much less
// than one step of an 8-bit color.
func isUnit(v geom.Vec3) bool { return math.Abs(v.Norm()-1) <= 0x1p-40 } // false for NaN

// readCaption reads a text that is drawn. It may have several lines if lines is set.
func readCaption(t keytable.Table, key string, v any, lines bool) string {
	s, ok := t.Text(key, v)
	if !ok {
		return ""
	}
	if code, flaw := textFlaw(s, lines); flaw != "" {
		t.Wrong(key, code, "%s", flaw)
	}
	return s
}

// readPatterns reads an array of pairs of name patterns.
func readPatterns(t keytable.Table, key string, v any) [][2]string {
	list, ok := v.([]any)
	if !ok {
		t.WrongType(key, v, `must be an array of pairs of name patterns, such as [["arm*", "hand"]]`)
		return nil
	}
	if len(list) > MaxAllowedOverlaps {
		t.Wrong(key, problem.CodeWrongLength, "must have at most %d pairs", MaxAllowedOverlaps).Got("%d", len(list))
		return nil
	}
	pairs := make([][2]string, 0, len(list))
	for i, v := range list {
		key := fmt.Sprintf("%s[%d]", key, i)
		pair, ok := v.([]any)
		if !ok || len(pair) != 2 {
			t.Wrong(key, problem.CodeWrongLength, "must be a pair of name patterns")
			continue
		}
		pairs = append(pairs, [2]string{readPattern(t, key+"[0]", pair[0]), readPattern(t, key+"[1]", pair[1])})
	}
	return pairs
}

func readPattern(t keytable.Table, key string, v any) string {
	s, ok := t.Text(key, v)
	if _, err := path.Match(s, ""); ok && err != nil {
		t.Wrong(key, problem.CodeBadPattern, "must be a pattern: * for any characters, ? for one, [a-z] for one of several, \\ before any of these")
	}
	return s
}

// readName reads the name of a solid. It returns "" for a solid without a name.
func readName(t keytable.Table, key string, v any) string {
	if v == nil {
		return ""
	}
	name, ok := t.Text(key, v)
	switch {
	case ok && name == "":
		t.Wrong(key, problem.CodeEmptyName, "must not be empty")
	case utf8.RuneCountInString(name) > MaxName:
		t.Wrong(key, problem.CodeTooLong, tooLong, MaxName)
	}
	return name
}

const tooLong = "must have at most %d characters"

// readHemisphere reads uniform ambient light, or a table with the light on surfaces that face straight up and straight
// down.
func readHemisphere(t keytable.Table, key string, v any) shade.Gradient {
	if g, ok := v.(shade.Gradient); ok { // from a track
		return g
	}
	if _, ok := keytable.Number(v); ok {
		return shade.Even(t.Ambient(key, v))
	}
	if values, ok := v.(map[string]any); ok {
		g, _, _ := hemisphereKeys().Read(t.Report.Table(t.Key(key)), values)
		return g
	}
	return shade.Even(t.ColorOr(key, v, "must be a number, a color or { top = color, bottom = color }"))
}

func readBackground(t keytable.Table, key string, v any) Background {
	if b, ok := v.(Background); ok { // from a track
		return b
	}
	if v == transparent {
		return Background{Transparent: true}
	}
	if values, ok := v.(map[string]any); ok {
		g, _, _ := gradientKeys().Read(t.Report.Table(t.Key(key)), values)
		return Background{Gradient: g}
	}
	c := t.ColorOr(key, v, `must be a color, "transparent" or { top = color, bottom = color }`, transparent)
	return Background{Gradient: shade.Even(c)}
}

// transparent is the value of the key background for a picture with alpha.
const transparent = "transparent"

func pairsOfPatterns() *keytable.Schema {
	pair := &keytable.Schema{Type: "array", Items: keytable.Typed("string"), MinItems: 2, MaxItems: 2}
	return &keytable.Schema{Type: "array", Items: pair, MaxItems: MaxAllowedOverlaps}
}
