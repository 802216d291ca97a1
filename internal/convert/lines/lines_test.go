package lines_test

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"pillbox/internal/convert/lines"
)

func Example() {
	r := lines.New("atoms.txt", strings.NewReader("C 1.5\nN one\n"))
	for r.Next() == nil {
		words := lines.Fields(r.Text)
		x, err := r.Coordinate("x", words[1])
		fmt.Println(string(words[0]), x, err)
	}
	// Output:
	// C 1.5 <nil>
	// N 0 atoms.txt:2:3: x: must be a number, got "one"
}

func TestReader(t *testing.T) {
	r := lines.New("f", strings.NewReader("\ufeffé one  two\r\nlast"))
	if err := r.Next(); err != nil || string(r.Text) != "é one  two" {
		t.Errorf("the first line is %q, %v", r.Text, err)
	}
	if words := lines.Fields(r.Text); len(words) != 3 || r.Wrong(words[2], "c", "no").Error() != `f:1:8: no, got "two"` {
		t.Errorf("words are %q, %v", words, r.Wrong(words[2], "c", "no"))
	}
	if got := r.Columns(4, 6); string(got) != "one" {
		t.Errorf("columns are %q", got)
	}
	if got := r.Columns(40, 60); got != nil {
		t.Errorf("columns behind the line are %q", got)
	}
	if err := r.Next(); err != nil || string(r.Text) != "last" || r.Line != 2 {
		t.Errorf("the last line is %q, %v", r.Text, err)
	}
	if err := r.Within("more"); err == nil || err.Error() != "f:3:1: the file ends before more" {
		t.Errorf("behind the end: %v", err)
	}
	if err := r.Next(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

// TestValues checks numbers at both sides of their limits, and the positions in error messages.
func TestValues(t *testing.T) {
	position := func(r *lines.Reader, w [][]byte) error { _, err := r.Position(w[0], w[1], w[2]); return err }
	number := func(r *lines.Reader, w [][]byte) error { _, err := r.Number("n", w[0]); return err }
	count := func(r *lines.Reader, w [][]byte) error { _, err := r.Integer("n", w[0], 1, 9); return err }
	for _, c := range []struct {
		text string
		read func(*lines.Reader, [][]byte) error
		want string
	}{
		{"1 2 -1e15", position, ""},
		{"x 2 3", position, `f:1:1: x: must be a number, got "x"`},
		{"1 2e15 3", position, `f:1:3: y: must be at most 1e+15 in magnitude, got "2e15"`},
		{"1 2 nan", position, `f:1:5: z: must be finite, got "nan"`},
		{"1e308", number, ""},
		{"1e309", number, `f:1:1: n: must be finite, got "1e309"`},
		{"-inf", number, `f:1:1: n: must be finite, got "-inf"`},
		{"1", count, ""},
		{"9", count, ""},
		{"0", count, `f:1:1: n: must be a whole number from 1 to 9, got "0"`},
		{"10", count, `f:1:1: n: must be a whole number from 1 to 9, got "10"`},
		{"1.5", count, `f:1:1: n: must be a whole number from 1 to 9, got "1.5"`},
		{strings.Repeat("7", 99), count, `f:1:1: n: must be a whole number from 1 to 9, got "` + strings.Repeat("7", 40) + `"`},
	} {
		r := lines.New("f", strings.NewReader(c.text))
		if err := r.Next(); err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := c.read(r, lines.Fields(r.Text)); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%.40s: %q, want %q", c.text, got, c.want)
		}
	}
	r := lines.New("f", strings.NewReader("a"))
	if _, err := r.Integer("n", nil, 1, 9); err == nil || !strings.HasSuffix(err.Error(), "n: missing") {
		t.Errorf("without a number: %v", err)
	}
	if err := r.Whole("no atoms").Error(); err != "f: no atoms" {
		t.Errorf("of the file: %q", err)
	}
}

// TestLongLine checks that a line of MaxLine bytes is an error and that a shorter line is not.
func TestLongLine(t *testing.T) {
	for _, n := range []int{lines.MaxLine - 1, lines.MaxLine} {
		r := lines.New("f", strings.NewReader(strings.Repeat("x", n)+"\nnext\n"))
		if err := r.Next(); (err == nil) != (n < lines.MaxLine) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// TestParseNumber compares the parsed numbers of random texts, most of them decimals, with those of package
// strconv.
func TestParseNumber(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const signs = "0123456789012345678901234567890.-+eE_x"
	for range 300_000 {
		text := make([]byte, 1+rng.IntN(19))
		for i := range text {
			text[i] = signs[rng.IntN(len(signs))]
		}
		x, _, problem := lines.ParseNumber(text)
		want, err := strconv.ParseFloat(string(text), 64)
		if (err == nil) != (problem == "") || err == nil && math.Float64bits(x) != math.Float64bits(want) {
			t.Fatalf("%q is %v, %q; want %v, %v", text, x, problem, want, err)
		}
	}
	for _, text := range []string{"", "-", ".", "-.5", "5.", "1.5.2", "123456789012345", "1234567890123456", "0.00000000000001", "-0", "-0.0"} {
		x, _, problem := lines.ParseNumber([]byte(text))
		want, err := strconv.ParseFloat(text, 64)
		if (err == nil) != (problem == "") || err == nil && math.Float64bits(x) != math.Float64bits(want) {
			t.Errorf("%q is %v, %q; want %v, %v", text, x, problem, want, err)
		}
	}
}
