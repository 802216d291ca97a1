package lines_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"pillbox/convert/lines"
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
