package scene

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pillbox/internal/fixture/effort"
)

// repeated returns n copies of f. The number of the copy, from 0, replaces each # in it.
func repeated(n int, f string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(f, "#", fmt.Sprint(i)))
	}
	return b.String()
}

// hostile returns functions that generate files in which something is repeated n times. The cost of such a file was
// once quadratic in n, or could become so.
func hostile() map[string]func(n int) (text, csv string) {
	const sphere, bulk, animate = "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n", "[[bulk]]\nfile = 'b.csv'\nshape = 'sphere'\n", "[[animate]]\ntimes = [0, 1]\nvalues = [1, 2]\n"
	noBulk := func(text func(n int) string) func(int) (string, string) {
		return func(n int) (string, string) { return text(n), "" }
	}
	return map[string]func(int) (text, csv string){
		"unknown columns":   func(n int) (string, string) { return bulk, repeated(n, "c#,") + "x\n1\n" },
		"same columns":      func(n int) (string, string) { return bulk, "x,y,z,radius" + repeated(n, ",x") + "\n1\n" },
		"columns sans name": func(n int) (string, string) { return bulk, "x,y,z,radius" + repeated(n, ",") + "\n1\n" },
		"wide rows": func(n int) (string, string) {
			return bulk, "x,y,z,radius\n" + strings.Repeat(repeated(n/10, "2,")+"\n", 10)
		},
		"rows of one name":    func(n int) (string, string) { return bulk, "x,y,z,radius,name\n" + repeated(n, "1,2,3,4,k\n") },
		"bulk tables":         func(n int) (string, string) { return repeated(n, bulk), "x,y,z,radius\n1,2,3,-4\n" },
		"unknown keys":        noBulk(func(n int) string { return "[image]\n" + repeated(n, "k# = 1\n") }),
		"unknown tables":      noBulk(func(n int) string { return repeated(n, "[k#]\n") }),
		"wrong solids":        noBulk(func(n int) string { return repeated(n, "[[sphere]]\ncenter = [0, '', 0]\nradios = 1\n") }),
		"wrong inline solids": noBulk(func(n int) string { return "sphere = [" + repeated(n, "{ center = [0, '', 0], radios = 1 },") + "]\n" }),
		"missing includes":    noBulk(func(n int) string { return "include = [" + repeated(n, "'f#.toml',") + "]\n" }),
		"same includes": noBulk(func(n int) string {
			return "include = [" + repeated(n, "'a.toml',") + "]\n"
		}),
		"unknown materials": noBulk(func(n int) string { return repeated(n, "[material.m#]\n") + repeated(n, sphere+"material = 'k#'\n") }),
		"unknown parts":     noBulk(func(n int) string { return repeated(n, "[part.p#]\n") + repeated(n, "[[place]]\npart = 'k#'\n") }),
		"a part with a long name": noBulk(func(n int) string {
			return "[part." + strings.Repeat("p", n) + "]\n" + repeated(n, "k# = 1\n")
		}),
		"a chain of cycles": noBulk(func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "[[part.p%d.place]]\npart = 'p%d'\n[[part.p%d.place]]\npart = 'p0'\n", i, i+1, i)
			}
			return b.String() + fmt.Sprintf("[part.p%d]\n", n)
		}),
		"unknown targets": noBulk(func(n int) string {
			return repeated(n, sphere+"name = 's#'\n") + repeated(n, animate+"target = 'k#.radius'\n")
		}),
		"targets": noBulk(func(n int) string {
			return repeated(n, sphere+"name = 's#'\n") + repeated(n, animate+"target = 's#.radius'\n")
		}),
		"ambiguous targets": noBulk(func(n int) string {
			return repeated(n, sphere+"name = 's'\n") + repeated(n, animate+"target = 's.radius'\n")
		}),
	}
}

// TestCostIsLinear checks that ten times the text takes about ten times the memory, also for invalid files. It
// counts all bytes ever allocated. This number grows with the work of most functions and, unlike time, does not
// depend on the machine.
func TestCostIsLinear(t *testing.T) {
	texts := hostile()
	for _, name := range effort.Some(t, 2, slices.Sorted(maps.Keys(texts))) {
		write := texts[name]
		t.Run(name, func(t *testing.T) {
			allocated := func(n int) float64 {
				text, csv := write(n)
				files := fstest.MapFS{"b.csv": {Data: []byte(csv)}, "a.toml": {Data: []byte(strings.Repeat("#", n))}}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				s, err := Decode("x.toml", []byte(text), WithFiles(files))
				if err != nil {
					_ = err.Error()
				}
				runtime.ReadMemStats(&after)
				runtime.KeepAlive(s)
				return float64(after.TotalAlloc - before.TotalAlloc)
			}
			const n = 300
			allocated(n)
			if small, large := allocated(n), allocated(10*n); large > 17*small {
				t.Errorf("%d times take %.0f bytes, %d times %.0f", n, small, 10*n, large)
			}
		})
	}
}

// TestWideHeader checks that the positions of columns are computed only for problems that are reported, because the
// time for one grows with the length of the header. Messages also take memory for each position.
func TestWideHeader(t *testing.T) {
	const columns = 20_000
	for _, field := range []string{"c,", "x,", ","} {
		files := fstest.MapFS{"b.csv": {Data: []byte(strings.Repeat(field, columns) + "x\n1\n")}}
		allocations := testing.AllocsPerRun(1, func() {
			if _, err := Decode("x.toml", []byte("[[bulk]]\nfile = 'b.csv'\nshape = 'sphere'\n"), WithFiles(files)); err == nil {
				t.Error("no error")
			}
		})
		if allocations > columns/2 {
			t.Errorf("%d columns %q take %.0f allocations", columns, field, allocations)
		}
	}
}

// TestTargetOfManyReadings checks that the search for a path ends even if names with slashes lead to the same part
// in more ways than can be tried.
func TestTargetOfManyReadings(t *testing.T) {
	const depth = 30
	var text strings.Builder
	for i := range depth {
		fmt.Fprintf(&text, "[[part.p%d.place]]\npart = 'p%d'\nname = 'x'\n", i, i+1)
		fmt.Fprintf(&text, "[[part.p%d.place]]\npart = 'p%d'\nname = 'x/x'\n", i, i+1)
	}
	fmt.Fprintf(&text, "[part.p%d]\n[[place]]\nname = 'x'\npart = 'p0'\n", depth)
	for _, path := range []string{strings.Repeat("x/", 45) + "y", strings.Repeat("x/", 31) + "x"} {
		_, err := Decode("x.toml", []byte(text.String()+"[[animate]]\ntimes = [0]\nvalues = [1]\ntarget = '"+path+".scale'\n"))
		if err == nil || !strings.Contains(err.Error(), "target") {
			t.Errorf("%s: got %v", path, err)
		}
	}
}
