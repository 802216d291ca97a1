package tomltext

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"pillbox/internal/fixture/effort"
)

// plainTable is a table that Plain has read. Its numbers are texts that the function bits returned.
type plainTable struct {
	array  string
	values map[string]any
}

// readPlain reads the plain tables at the beginning of text. rest is the position of the first table that is not
// plain.
func readPlain(text []byte) (tables []plainTable, rest int) {
	var p Plain
	p.Reset(text)
	start := 0
	for p.Next() {
		if p.IsHeader() {
			start = p.Start()
			tables = append(tables, plainTable{string(p.Name()), make(map[string]any)})
			continue
		}
		if len(tables) == 0 {
			return nil, 0
		}
		values, key := tables[len(tables)-1].values, string(p.Name())
		_, again := values[key]
		value, ok := plainValue(&p)
		if again || !ok {
			return tables[:len(tables)-1], start
		}
		values[key] = value
	}
	if p.Whole() {
		return tables, len(text)
	}
	return tables[:max(0, len(tables)-1)], start
}

// plainValue reads a string, a number, an array of numbers, or an array of arrays of numbers. Numbers are converted
// by the function bits.
func plainValue(p *Plain) (any, bool) {
	if s, ok := p.Text(); ok {
		return string(s), true
	}
	var x [9]float64
	if p.Numbers(x[:]) {
		return bits(x[0]), true
	}
	for n := range 5 {
		if p.Numbers(x[:], n) {
			return list(x[:n]), true
		}
	}
	if p.Numbers(x[:], 3, 3) {
		return []any{list(x[:3]), list(x[3:6]), list(x[6:])}, true
	}
	return nil, false
}

func list(x []float64) []any {
	all := []any{}
	for _, x := range x {
		all = append(all, bits(x))
	}
	return all
}

// bits returns the bits of x as text. Unlike numbers, the texts of 0 and -0 differ.
func bits(x float64) string { return fmt.Sprintf("%016x", math.Float64bits(x)) }

// withBits converts v, a value from the decoder, to the form that plainValue returns.
func withBits(v any) any {
	switch v := v.(type) {
	case float64:
		return bits(v)
	case int64:
		return bits(float64(v))
	case []any:
		all := []any{}
		for _, v := range v {
			all = append(all, withBits(v))
		}
		return all
	}
	return v
}

// checkPlain compares the plain tables at the beginning of text with the decoder's values. It returns the number of
// these tables.
func checkPlain(t *testing.T, text []byte) int {
	t.Helper()
	tables, rest := readPlain(text)
	var root map[string]any
	if err := toml.Unmarshal(text[:rest], &root); err != nil {
		t.Errorf("%q is plain, but the decoder rejects it: %v", text[:rest], err)
		return 0
	}
	next := make(map[string]int)
	for _, table := range tables {
		decoded, _ := root[table.array].([]map[string]any)
		i := next[table.array]
		next[table.array]++
		if i >= len(decoded) {
			t.Errorf("%q: %s[%d] is plain, but the decoder has %d", text[:rest], table.array, i, len(decoded))
			return 0
		}
		want := make(map[string]any)
		for key, v := range decoded[i] {
			want[key] = withBits(v)
		}
		if got := fmt.Sprint(table.values); got != fmt.Sprint(want) {
			t.Errorf("%q: %s[%d] is %v, want %v", text[:rest], table.array, i, got, want)
		}
	}
	for key, v := range root {
		if decoded, isArray := v.([]map[string]any); !isArray || len(decoded) != next[key] {
			t.Errorf("%q: the decoder has %s = %v, which is not plain", text[:rest], key, v)
		}
	}
	return len(tables)
}

// plainText returns random lines of plain TOML and of other TOML, and a few invalid ones.
func plainText(rng *rand.Rand) []byte {
	oneOf := func(words ...string) string { return words[rng.IntN(len(words))] }
	number := func() string {
		return oneOf("1", "-1", "+1", "0", "-0", "-0.0", "+0.0", "1.5", "1e5", "1E+05", "1e-400", "9007199254740993", "9223372036854775807",
			"1.7976931348623157e308", "4.9e-324", "2.2250738585072011e-308", "0.1000000000000000055511151231257827", fmt.Sprint(rng.NormFloat64()))
	}
	odd := func() string {
		return oneOf("00", "1.", ".5", "1e400", "-1e5.5", "1_000", "1__0", "0x1f", "0o7", "0b1", "inf", "-inf", "nan", "9223372036854775808", "1979-05-27", "07:32:00",
			"true", "[1 2]", "[,1]", "[[1], 2]", `"a\b"`, `"""a"""`, "'''a'''", `"a"b`, "{ a = 1 }", "a", "")
	}
	gap := func() string { return oneOf("", "", "", " ", "\t", "\n", " # ä\n") }
	array := func() string {
		var elements []string
		for range 3 {
			elements = append(elements, gap()+number()+gap())
		}
		return "[" + strings.Join(elements, ",") + oneOf("", "", ",") + "]"
	}
	value := func() string {
		switch rng.IntN(20) {
		case 0:
			return odd()
		case 1:
			return "[" + array() + "," + array() + "," + array() + "]"
		case 2, 3, 4:
			return oneOf(`"a"`, `"ä€😀"`, `'a\b'`, `""`, "''", "\"\t\"")
		case 5, 6, 7, 8:
			return array()
		}
		return number()
	}
	line := func() string {
		switch n := rng.IntN(30); {
		case n == 0:
			return oneOf("[[ sphere ]]", `[["sphere"]]`, "  [[sphere]]", "[[a.sphere]]", "[sphere]", "[camera]", "[[sphere]", "[[sphere]] a = 1", `"b" = 1`, "a.b = 1", "a", "=")
		case n < 3:
			return "# ä"
		case n < 13:
			return oneOf("[[sphere]]", "[[sphere]]", "[[box]]", "[[capsule]] # a") + oneOf("", "", " ", "\t")
		}
		return oneOf("radius", "center", "name", "a-b", "1", "\ta") + oneOf(" = ", "=", "\t= ") + value() + oneOf("", "", " ", " # b")
	}
	var lines []string
	for range rng.IntN(12) {
		lines = append(lines, line())
	}
	text := []byte(strings.Join(lines, oneOf("\n", "\n", "\n\n", "\r\n")))
	if len(text) > 0 && rng.IntN(20) == 0 {
		text[rng.IntN(len(text))] = byte(rng.IntN(256))
	}
	return text
}

func TestPlainIsWhatTheDecoderSays(t *testing.T) {
	for _, data := range validTOML(t) {
		checkPlain(t, data)
	}
	for _, data := range invalidTOML(t) {
		checkPlain(t, data)
	}
	rng := rand.New(rand.NewPCG(2, 22))
	n, tables := effort.Of(4000, 40_000, 2_000_000), 0
	for range n {
		tables += checkPlain(t, plainText(rng))
	}
	if tables < n/2 {
		t.Errorf("random texts had only %d plain tables", tables)
	}
}

// TestPlainNumbers checks numbers in every spelling. Plain must return the same value as the decoder, or report
// that the number is not plain.
func TestPlainNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 33))
	plain := 0
	check := func(number string) {
		t.Helper()
		plain += checkPlain(t, fmt.Appendf(nil, "[[a]]\nb = %s\n", number))
	}
	n := effort.Of(2000, 20_000, 500_000)
	for range n {
		x := math.Float64frombits(rng.Uint64())
		check(fmt.Sprint(x))
		check(fmt.Sprintf("%.25e", x))
		check(fmt.Sprintf("%.*f", rng.IntN(30), rng.NormFloat64()))
		check(fmt.Sprint(rng.Int64()))
	}
	if plain < 4*n-n/200 { // all except some of those that are not finite
		t.Errorf("only %d numbers are plain", plain)
	}
}

func TestPlainStops(t *testing.T) {
	const a = "[[a]]\nx = 1\n"
	for _, c := range []struct {
		name, text string
		tables     int
	}{
		{"plain", a + a + "# end", 2},
		{"string, arrays", a + "y = \"ä\"\nz = [1, 2,\n3]\n[[b]]\nu = [[1, 2, 3], [1, 2, 3], [1, 2, 3]]", 2},
		{"empty table", "[[a]]\n[[a]]", 2},
		{"comments", "# a\n\n" + a, 1},
		{"table", a + "[b]\n", 0},
		{"table behind another", a + a + "[b]\n", 1},
		{"dotted header", a + a + "[[a.b]]\n", 1},
		{"quoted header", a + a + "[[\"a\"]]\n", 1},
		{"spaces in a header", a + a + "[[ a ]]\n", 1},
		{"no header", "x = 1\n" + a, 0},
		{"dotted key", a + a + "x.y = 1\n", 1},
		{"quoted key", a + a + "\"y\" = 1\n", 1},
		{"key twice", a + a + "x = 1\n", 1},
		{"escape", a + a + `y = "\t"`, 1},
		{"long string", a + a + `y = """a"""`, 1},
		{"underscore", a + a + "y = 1_0\n", 1},
		{"hexadecimal", a + a + "y = 0x10\n", 1},
		{"infinity", a + a + "y = inf\n", 1},
		{"not a number", a + a + "y = [-nan]\n", 1},
		{"too large", a + a + "y = 1e999\n", 1},
		{"too large an integer", a + a + "y = 99999999999999999999\n", 1},
		{"boolean", a + a + "y = true\n", 1},
		{"date", a + a + "y = 1979-05-27\n", 1},
		{"inline table", a + a + "y = { z = 1 }\n", 1},
		{"syntax error", a + a + "y = \n", 1},
		{"not UTF-8", a + a + "y = \"\xff\"\n", 1},
	} {
		if n := checkPlain(t, []byte(c.text)); n != c.tables {
			t.Errorf("%s: %d plain tables, want %d", c.name, n, c.tables)
		}
	}
}

// checkStretches parses data in chunks of the given size, in which Plain reads the plain tables, and compares all
// values with the decoder's. It returns the number of chunks that are plain.
func checkStretches(t *testing.T, data []byte, size int) (plainChunks int) {
	t.Helper()
	read := func(text []byte) ([]plainTable, int) {
		tables, rest := readPlain(text)
		for i, table := range tables { // a reader must stop at a table that does not belong to the arrays
			if !slices.Contains(kinds(), table.array) {
				var p Plain
				p.Reset(text)
				for n := -1; n < i && p.Next(); {
					if p.IsHeader() {
						n++
					}
				}
				return tables[:i], p.Start()
			}
		}
		return tables, rest
	}
	root, plain, ok := decodeStretches(stretchesOf(data, kinds(), size, read), kinds())
	if !ok {
		return 0
	}
	for _, name := range kinds() {
		former, _ := root[name].([]map[string]any)
		var all []map[string]any
		from := 0
		for _, c := range plain {
			all = append(all, former[from:c.Before[name]]...)
			from = c.Before[name]
			var part map[string]any
			if err := toml.Unmarshal(c.Text, &part); err != nil {
				t.Errorf("%q is plain, but not TOML: %v", c.Text, err)
			}
			tables, _ := part[name].([]map[string]any)
			all = append(all, tables...)
		}
		if all = append(all, former[from:]...); all != nil {
			root[name] = all
		}
	}
	var want map[string]any
	if err := toml.Unmarshal(data, &want); err != nil || fmt.Sprintf("%#v", root) != fmt.Sprintf("%#v", want) {
		t.Errorf("stretches of chunks of %d bytes of\n%s\nmean\n%#v\nbut the whole\n%#v, %v", size, data, root, want, err)
	}
	return len(plain)
}

func TestPlainStretchesMeanTheWhole(t *testing.T) {
	plain := 0
	check := func(data []byte) {
		for _, size := range []int{0, 40, 1000} {
			plain += checkStretches(t, data, size)
		}
	}
	for _, files := range []map[string][]byte{validTOML(t), invalidTOML(t)} {
		for _, name := range slices.Sorted(maps.Keys(files)) {
			check(files[name])
		}
	}
	pieces := []string{sphere, sphere, sphere, box, box, box, "[[place]]\n", "# [[box]]\n", "[[light]]\n", "[camera]\n", "[material.a]\n", "[sphere.a]\n", "[[box.b]]\n", "b = 1\n", "c = '''\n", "d = [\n", "]\n", "sphere = []\n", "box.a = 1\n", "x = true\n", "\uFEFF"}
	rng := rand.New(rand.NewPCG(4, 44))
	for range 3000 {
		var text strings.Builder
		for range rng.IntN(12) {
			text.WriteString(pieces[rng.IntN(len(pieces))])
		}
		check([]byte(text.String()))
	}
	if plain < 2000 {
		t.Errorf("only %d stretches were plain", plain)
	}
}

// FuzzPlain checks that Plain and the decoder agree on any text.
func FuzzPlain(f *testing.F) {
	for _, files := range []map[string][]byte{validTOML(f), invalidTOML(f)} {
		for _, data := range files {
			f.Add(data)
		}
	}
	rng := rand.New(rand.NewPCG(5, 55))
	for range 200 {
		f.Add(plainText(rng))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		checkPlain(t, WithoutMark(data))
		checkStretches(t, data, 100)
	})
}
