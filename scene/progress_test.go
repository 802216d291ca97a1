package scene

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
)

// TestWithProgress checks that the progress counts the bytes of all files while they are read.
func TestWithProgress(t *testing.T) {
	var tables, rows strings.Builder
	rows.WriteString("x,y,z,radius\n")
	for i := range 20_000 {
		fmt.Fprintf(&tables, "[[sphere]]\ncenter = [%d, 0, 0]\nradius = 0.25\n", i)
		fmt.Fprintf(&rows, "%d,1000,1000,0.125\n", i)
	}
	const included = "[part.p]\n[[part.p.sphere]]\ncenter = [0, 0, 0]\nradius = 1\n"
	text := "include = [\"p.toml\"]\n[[bulk]]\nfile = \"b.csv\"\nshape = \"sphere\"\n" + tables.String()
	files := fstest.MapFS{"p.toml": {Data: []byte(included)}, "b.csv": {Data: []byte(rows.String())}}
	for name, options := range map[string][]DecodeOption{
		"as usual":   nil,
		"all digits": {WithAllDigits()},
	} {
		var running atomic.Bool
		var calls int
		var last, most int64
		report := func(done, all int64) {
			if !running.CompareAndSwap(false, true) {
				t.Errorf("%s: two calls at a time", name)
			}
			defer running.Store(false)
			if done < last || done > all || all < most {
				t.Errorf("%s: %d of %d after %d of %d", name, done, all, last, most)
			}
			calls, last, most = calls+1, done, all
		}
		if _, err := Decode("s.toml", []byte(text), append(options, WithFiles(files), WithProgress(report))...); err != nil {
			t.Fatal(err)
		}
		if want := int64(len(text) + len(included) + rows.Len()); last != want || most != want {
			t.Errorf("%s: %d of %d bytes, want %d", name, last, most, want)
		}
		if calls < 6 { // the beginning and the end of two files, and more than one piece of them
			t.Errorf("%s: %d calls", name, calls)
		}
	}
	report := func(done, all int64) {}
	if _, err := Decode("s.toml", []byte("[[sphere\n"), WithProgress(report)); err == nil {
		t.Error("Decode accepts a syntax error")
	}
}
