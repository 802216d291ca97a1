package explain

import (
	"bytes"
	"encoding/json"
	"image"
	"math/big"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pillbox"
	"pillbox/geom"
	"pillbox/internal/explain/formula"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/fixture/lone"
	"pillbox/scene"
	"pillbox/shapes/shapetest"
)

// replay computes every equation of d from the values of the symbols defined above it. It fails the test if a
// symbol is undefined, or if an equation or relation does not hold exactly.
func replay[T formula.Number[T]](t *testing.T, d *Document, valueOf func(any) formula.Value[T]) {
	t.Helper()
	context := formula.New[T]()
	for _, s := range d.steps() {
		for _, symbol := range s.Symbols() {
			if _, ok := context.Lookup(symbol); !ok {
				t.Fatalf("%s is not defined before %s %s %s in\n%s", symbol, s.Symbol, s.Formula, s.Note, written(t, d, TextStyle{}))
			}
		}
		switch {
		case s.Symbol != "" && s.Formula != "":
			if got := context.Let(s.Symbol, s.Formula, ""); !reflect.DeepEqual(got, valueOf(s.Value)) && !isNaN(s.Value) {
				t.Fatalf("%s = %s is %v with the values above it, not %v, in\n%s", s.Symbol, s.Formula, got, s.Value, written(t, d, TextStyle{}))
			}
		case s.Symbol != "":
			context.Given(s.Symbol, valueOf(s.Value), "")
		case s.Formula != "" && !context.Holds(s.Formula):
			t.Fatalf("%s does not hold with the values above it in\n%s", s.Formula, written(t, d, TextStyle{}))
		}
	}
}

func isNaN(v any) bool {
	if list, ok := v.([]any); ok {
		return slices.ContainsFunc(list, isNaN)
	}
	x, ok := v.(float64)
	return ok && x != x
}

func floatsOf(v any) formula.Value[formula.Float] {
	switch v := v.(type) {
	case float64:
		return formula.Real(v)
	case []any:
		return formula.Triple(formula.Float(v[0].(float64)), formula.Float(v[1].(float64)), formula.Float(v[2].(float64)))
	}
	panic("a step without a value")
}

func integersOf(v any) formula.Value[formula.Integer] {
	switch v := v.(type) {
	case *big.Int:
		return formula.Scalar(formula.Integer{Int: v})
	case []any:
		return formula.Triple(formula.Integer{Int: v[0].(*big.Int)}, formula.Integer{Int: v[1].(*big.Int)}, formula.Integer{Int: v[2].(*big.Int)})
	}
	panic("a step without a value")
}

// Patterns of symbols in printed text.
var (
	coordinate = regexp.MustCompile(`\.[xyz]\b`) // in v.x
	name       = regexp.MustCompile(`[\pL][\pL\d_']*`)
	mention    = regexp.MustCompile(`\b(?:t_near|t_far|[a-z]_[a-z]+|[pq][12])\b|N · L|\|[a-z]\||√[A-Z]`) // of symbols, in sentences
)

// symbolsIn returns the symbols in the printed text of an expression.
func symbolsIn(expression string) []string {
	var found []string
	for _, symbol := range name.FindAllString(coordinate.ReplaceAllString(expression, ""), -1) {
		if !slices.Contains([]string{"min", "max", "floor", "Inf", "NaN", "e"}, symbol) {
			found = append(found, symbol)
		}
	}
	return found
}

// checkPrinted looks for undefined symbols in the text, Markdown and JSON of d. It parses the printed text: "symbol
// = " defines a symbol, and the right sides of equations and relations use symbols.
func checkPrinted(t *testing.T, d *Document) {
	t.Helper()
	var text, markdown bytes.Buffer
	if err := d.WriteText(&text, TextStyle{Columns: 60}); err != nil {
		t.Fatal(err)
	}
	if err := d.WriteMarkdown(&markdown); err != nil {
		t.Fatal(err)
	}
	for _, output := range []string{text.String(), markdown.String()} {
		words := " " + strings.Join(strings.Fields(output), " ")
		for _, s := range d.steps() {
			if s.Symbol != "" && !strings.Contains(words, " "+s.Symbol+" = ") {
				t.Fatalf("%s is missing in\n%s", s.Symbol, output)
			}
		}
	}
	data, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []struct {
		Type, Text string
		Items      []struct{ Text string }
		Steps      []struct{ Symbol, Formula, Numbers, Result, Note string }
	}
	if err := json.Unmarshal(data, &blocks); err != nil {
		t.Fatal(err)
	}
	defined := map[string]bool{}
	for _, b := range blocks {
		for _, s := range b.Steps {
			for _, symbol := range symbolsIn(s.Formula) {
				if !defined[symbol] {
					t.Fatalf("%s is not defined before %s %s in %s", symbol, s.Symbol, s.Formula, data)
				}
			}
			defined[s.Symbol] = true
		}
		texts := []string{b.Text}
		for _, x := range b.Items {
			texts = append(texts, x.Text)
		}
		for _, s := range b.Steps {
			texts = append(texts, s.Note)
		}
		for _, text := range texts {
			for _, symbol := range mentioned(text) {
				if !defined[symbol] {
					t.Fatalf("%s is not defined before %q in %s", symbol, text, data)
				}
			}
		}
	}
}

// mentioned returns the symbols in text, which is a sentence. It omits those that could be English words.
func mentioned(text string) []string {
	var found []string
	for _, m := range mention.FindAllString(text, -1) {
		found = append(found, symbolsIn(m)...)
	}
	return slices.DeleteFunc(found, func(s string) bool { return s == "v" }) // "|v| is the length of v"
}

// everySelection calls f with the document d, and with parts of it: each kind of section, and one random pair of
// kinds.
func everySelection(d *Document, rng *rand.Rand, f func(*Document)) {
	f(d)
	hasSections := slices.ContainsFunc(d.Blocks(), func(b Block) bool { h, ok := b.(Heading); return ok && h.Section != "" })
	if !hasSections {
		return
	}
	all := Sections()
	for _, s := range all {
		f(d.Select(s))
	}
	f(d.Select(all[rng.IntN(len(all))], all[rng.IntN(len(all))]))
}

// TestEverySymbolIsDefined checks explanations of random rays, pixels, segments and capsules, in every detail and
// with every selection of sections. Each symbol must be defined above its use, with the value that it has there.
func TestEverySymbolIsDefined(t *testing.T) {
	check := func(t *testing.T, x Explanation, rng *rand.Rand) {
		t.Helper()
		details := []Detail{Brief, Usual, Verbose}
		if _, ok := x.(*Pair); ok {
			details = details[1:2] // the other details give the same document
		}
		for _, detail := range details {
			everySelection(x.Document(detail), rng, func(d *Document) {
				if _, ok := x.(*Pair); ok {
					replay(t, d, integersOf)
				} else {
					replay(t, d, floatsOf)
				}
				checkPrinted(t, d)
			})
		}
	}
	checkScene := func(t *testing.T, s *scene.Scene, opt pillbox.Options, rng *rand.Rand) {
		t.Helper()
		prepared, err := pillbox.Prepare(s, opt.Picture)
		if err != nil {
			t.Fatal(err)
		}
		tracer := New(prepared)
		x, err := tracer.Pixel(image.Pt(rng.IntN(tracer.prepared.Size.X), rng.IntN(tracer.prepared.Size.Y)))
		if err != nil {
			t.Fatal(err)
		}
		check(t, x, rng)
		ray, err := tracer.Ray(shapetest.Cube(rng, 5), shapetest.Cube(rng, 3))
		if err != nil {
			t.Fatal(err)
		}
		check(t, ray, rng)
		segment := tracer.Segment(geom.Segment{A: shapetest.Cube(rng, 4), B: shapetest.Cube(rng, 4)})
		check(t, segment, rng)
		if n := s.Objects.Len(); n > 0 {
			object := int32(rng.IntN(n))
			check(t, x.WithSolid(object), rng)
			check(t, ray.WithSolid(object), rng)
			check(t, segment.WithSolid(object), rng)
		}
	}
	if effort.IsAll() {
		eachScene(t, func(t *testing.T, s *scene.Scene, opt pillbox.Options) {
			checkScene(t, s, opt, rand.New(rand.NewPCG(31, 0)))
		})
	}
	for i := range effort.Of(2, 12, 5000) {
		rng := rand.New(rand.NewPCG(32, uint64(i)))
		checkScene(t, randomScene(rng), pillbox.Options{}, rng)
	}
	for i := range effort.Of(2, 40, 20_000) {
		rng := rand.New(rand.NewPCG(33, uint64(i)))
		shape := shapetest.Solid(rng)
		prepared, err := pillbox.Prepare(lone.Scene(shape), pillbox.Picture{})
		if err != nil {
			t.Fatal(err)
		}
		tracer := New(prepared)
		check(t, aimed(t, tracer, shapetest.Ray(rng, shape)).WithSolid(0), rng)
		pair, err := Capsules([2]string{"a", "b"}, randomDecimal(rng), randomDecimal(rng))
		if err != nil {
			t.Fatal(err)
		}
		check(t, pair, rng)
	}
}
