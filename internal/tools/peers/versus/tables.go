package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// print prints the tables.
func (b *bench) print(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%s, %d of %d processors, %s %s/%s. Rounds: %d; medians, with the smallest and the largest value in parentheses.\n",
		processor(), b.threads, runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH, b.rounds)
	if b.busy > idle {
		fmt.Fprintf(w, "Other programs kept %.1f processors busy at the start: times and ratios are uncertain and favor the faster program.\n", b.busy)
	}
	for _, section := range []struct {
		title string
		table table
		note  string
	}{
		{"Rendering alone, ns per pixel and processor", b.renderTable(), embreeNote},
		{"Building the tree, and the memory of scene and tree", b.buildTable(), embreeNote},
		{"Capsules and cylinders, rendering alone, ns per pixel and processor", b.rodTable(), rodNote},
		{"Cylinders in place of capsules in Pillbox, rendering alone, ns per pixel and processor", b.swapTable(), ""},
		{fmt.Sprintf("%d threads against one, with shadows", b.threads), b.threadTable(), ""},
		{"How the time per pixel grows with the solids", b.growthTable(), ""},
		{"Mirrors and molecules, rendering alone", b.namedTable(), "Embree traces reflected rays in packets of 16 or one by one: the faster of the two counts."},
		{"Soft shadows and ambient occlusion, 16 samples, rendering alone", b.softTable(), softNote},
		{"Sections, rendering alone, ns per pixel and processor, with shadows", b.sectionTable(), sectionNote},
		{"Ghosts and fog, rendering alone, ns per pixel and processor, with shadows", b.ghostTable(), ""},
		{"Sections and ghosts from file to file, seconds, with shadows", b.insideFileTable(), ""},
		{"From file to file, seconds, with shadows", b.fileTable(tablesToFile, bulkToFile), "The peer is the faster of POV-Ray and Tachyon."},
		{"From file to file, processor seconds of all threads, with shadows", b.fileTable(tablesWork, bulkWork), "The peer is the one that takes less. Other programs change these times less than those by the clock."},
	} {
		if len(section.table.rows) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n## %s\n\n", section.title)
		section.table.print(w)
		if section.note != "" {
			fmt.Fprintf(w, "\n%s\n", section.note)
		}
	}
	took := b.log[record{what: processTime, program: ours, solids: fewSolids}]
	fmt.Fprintf(w, "\nA process that renders %d solids in %d x %[2]d pixels takes %s ms.\n", fewSolids, smallSide, spread(scale(took, 1e3), 1))
	return w.Flush()
}

const embreeNote = "Embree has no oriented box: a box becomes six quads, so its tree holds 2.7 times as many primitives."

// renderTable compares the times of rendering without reading and writing.
func (b *bench) renderTable() table {
	t := table{head: []string{"solids", "shadows", "Embree", "Pillbox", "Embree / Pillbox"}}
	b.each(func(n int, shadows bool) {
		mine, theirs := b.log[record{what: perPixel, program: ours, solids: n, shadows: shadows}], b.log[record{what: perPixel, program: embree, solids: n, shadows: shadows}]
		t.addRow(count(n), yesNo(shadows), middle(theirs, 1), middle(mine, 1), spread(ratios(theirs, mine), 2))
	})
	return t
}

// buildTable compares the times of building acceleration structures, over scenes with and without shadows.
func (b *bench) buildTable() table {
	t := table{head: []string{"solids", "Embree, ms", "Pillbox, ms", "Embree / Pillbox", "Embree, bytes a solid", "Pillbox, bytes a solid"}}
	both := func(what quantity, program string, n int) []float64 {
		return slices.Concat(b.log[record{what: what, program: program, solids: n, shadows: false}], b.log[record{what: what, program: program, solids: n, shadows: true}])
	}
	for _, n := range b.solids {
		mine, theirs := both(buildTime, ours, n), both(buildTime, embree, n)
		each := 1 / float64(n)
		t.addRow(count(n), middle(scale(theirs, 1e3), 2), middle(scale(mine, 1e3), 2), spread(ratios(theirs, mine), 2),
			middle(scale(both(heapBytes, embree, n), each), 0), middle(scale(both(heapBytes, ours, n), each), 0))
	}
	return t
}

func (b *bench) threadTable() table {
	t := table{head: []string{"solids", "one thread, ms", fmt.Sprintf("%d threads, ms", b.threads), "ratio"}}
	for _, n := range b.solids {
		one, all := b.log[record{what: renderAlone, program: ours, solids: n, shadows: true}], b.log[record{what: renderTime, program: ours, solids: n, shadows: true}]
		if len(one) > 0 {
			t.addRow(count(n), middle(scale(one, 1e3), 1), middle(scale(all, 1e3), 1), spread(ratios(one, all), 2))
		}
	}
	return t
}

// growthTable compares the times for each number of solids, from 1,000 up, with those for the largest number.
func (b *bench) growthTable() table {
	t := table{head: []string{"solids", "shadows", "Embree", "Pillbox"}}
	if len(b.solids) == 0 {
		return t
	}
	last := b.solids[len(b.solids)-1]
	b.each(func(n int, shadows bool) {
		if n < 1000 || n == last {
			return
		}
		grown := func(program string) string {
			return spread(ratios(b.log[record{what: perPixel, program: program, solids: last, shadows: shadows}], b.log[record{what: perPixel, program: program, solids: n, shadows: shadows}]), 2)
		}
		t.addRow(count(n)+" to "+count(last), yesNo(shadows), grown(embree), grown(ours))
	})
	return t
}

// fileTable compares whole processes. The arguments are the quantities to compare: tables was measured with scene files
// that have a table for every solid, and bulk with scene files that refer to bulk files.
func (b *bench) fileTable(tables, bulk quantity) table {
	t := table{head: []string{"solids", "scene", "POV-Ray", "Tachyon", "Pillbox", "peer / Pillbox", "POV-Ray / Pillbox"}}
	for _, n := range b.solids {
		if n > maxFiles {
			continue
		}
		pov, tac := b.log[record{what: tables, program: povray, solids: n, shadows: true}], b.log[record{what: tables, program: tachyon, solids: n, shadows: true}]
		for _, form := range []struct {
			name string
			what quantity
		}{{"tables", tables}, {"bulk", bulk}} {
			mine := b.log[record{what: form.what, program: ours, solids: n, shadows: true}]
			t.addRow(count(n), form.name, middle(pov, 2), middle(tac, 2), middle(mine, 3),
				spread(ratios(faster(pov, tac), mine), 2), spread(ratios(pov, mine), 2))
		}
	}
	return t
}

// each calls f for every random scene.
func (b *bench) each(f func(n int, shadows bool)) {
	for _, n := range b.solids {
		f(n, unshadowed)
		f(n, shadowed)
	}
}

// processor returns the name of the processor if the operating system reports it.
func processor() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, ok := strings.CutPrefix(lines.Text(), "model name"); ok {
			return strings.TrimLeft(name, "\t :")
		}
	}
	return runtime.GOARCH
}

// idle is the number of busy processors below which measurements are considered undisturbed.
const idle = 0.3

// load returns the average number of busy processors in the last minute, or 0 if the operating system does not report it.
func load() float64 {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	var busy float64
	fmt.Sscan(string(data), &busy)
	return busy
}

// ratios returns a[i] / b[i] for every round. If a or b is missing, it returns none.
func ratios(a, b []float64) []float64 {
	var r []float64
	for i := range min(len(a), len(b)) {
		r = append(r, a[i]/b[i])
	}
	return r
}

// faster returns the smaller of a[i] and b[i] for every round. If a or b is missing, it returns the other one.
func faster(a, b []float64) []float64 {
	if len(a) == 0 || len(b) == 0 {
		return slices.Concat(a, b)
	}
	r := slices.Clone(a)
	for i := range r {
		r[i] = min(r[i], b[i])
	}
	return r
}

func scale(s []float64, by float64) []float64 {
	r := slices.Clone(s)
	for i := range r {
		r[i] *= by
	}
	return r
}

func median(s []float64) float64 {
	s = slices.Sorted(slices.Values(s))
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}

// The text nothing is printed in place of a number that was not measured.
const nothing = "-"

// middle formats the median with the given number of decimals.
func middle(s []float64, decimals int) string {
	if len(s) == 0 {
		return nothing
	}
	return strconv.FormatFloat(median(s), 'f', decimals, 64)
}

// spread formats the median, the smallest and the largest number.
func spread(s []float64, decimals int) string {
	if len(s) == 0 {
		return nothing
	}
	return fmt.Sprintf("%s (%.*f to %.*f)", middle(s, decimals), decimals, slices.Min(s), decimals, slices.Max(s))
}

// count formats an integer with commas between thousands.
func count(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// table is a table in Markdown.
type table struct {
	head []string
	rows [][]string
}

func (t *table) addRow(cells ...string) { t.rows = append(t.rows, cells) }

// print prints the table with its columns aligned to the right.
func (t *table) print(w io.Writer) {
	widths := make([]int, len(t.head))
	for _, row := range append(t.rows, t.head) {
		for i, cell := range row {
			widths[i] = max(widths[i], len(cell))
		}
	}
	line := func(row []string) {
		for i, cell := range row {
			fmt.Fprintf(w, "| %*s ", widths[i], cell)
		}
		fmt.Fprintln(w, "|")
	}
	line(t.head)
	for _, width := range widths {
		fmt.Fprintf(w, "|%s:", strings.Repeat("-", width+1))
	}
	fmt.Fprintln(w, "|")
	for _, row := range t.rows {
		line(row)
	}
}
