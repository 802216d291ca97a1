// Gallery writes scenes for docs/gallery.md that are too large to be kept as files, or easier to describe as programs.
//
//	go run ./internal/tools/gallery NAME [-size N] -o OUT.toml
//
// NAME is molecule, vesicle, robot, robot-hull, city or sculpture. -size changes the number of base pairs of the molecule, the
// number of heads on the outside of the vesicle, the number of blocks along an edge of the city, or the number of spheres of the
// sculpture. The sculpture also has a table of spheres, OUT.csv.
//
// Conventions: y is up. Every scene depends only on its name and size, so its picture has the same bits everywhere.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// work is a scene that the program can write.
type work struct {
	name  string
	size  int // the default; 0 for a scene of fixed size
	write func(w *files, size int)
}

func works() []work {
	return []work{
		{"molecule", 26, molecule},
		{"vesicle", 900, vesicle},
		{"robot", 0, robot},
		{"robot-hull", 0, robotHull},
		{"city", 96, city},
		{"sculpture", 1_000_000, sculpture},
	}
}

// files collects the scene and its table.
type files struct {
	scene bytes.Buffer
	table *bufio.Writer // of the file named sheet
	sheet string
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gallery:", err)
		os.Exit(2)
	}
}

// run writes the scene that the arguments name.
func run(args []string) error {
	var names []string
	for _, w := range works() {
		names = append(names, w.name)
	}
	if len(args) == 0 {
		return fmt.Errorf("want one of %s", strings.Join(names, ", "))
	}
	i := slices.Index(names, args[0])
	if i < 0 {
		return fmt.Errorf("want one of %s, got %q", strings.Join(names, ", "), args[0])
	}
	w := works()[i]
	flags := flag.NewFlagSet(w.name, flag.ContinueOnError)
	out := flags.String("o", w.name+".toml", "the scene to write, ending in .toml")
	size := flags.Int("size", w.size, "how large the scene is")
	flags.SetOutput(io.Discard)
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if flags.NArg() > 0 || filepath.Ext(*out) != ".toml" {
		return errors.New("want NAME [-size N] [-o OUT.toml]")
	}
	if least := min(w.size, 1); *size < least {
		return fmt.Errorf("-size must be at least %d, got %d", least, *size)
	}
	return save(w, *size, *out)
}

// save writes a scene and its table to files.
func save(w work, size int, out string) (err error) {
	f := &files{sheet: strings.TrimSuffix(filepath.Base(out), ".toml") + ".csv", table: bufio.NewWriter(io.Discard)}
	if w.name == "sculpture" {
		sheet, err := os.Create(filepath.Join(filepath.Dir(out), f.sheet))
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.table.Flush(), sheet.Close()) }()
		f.table = bufio.NewWriter(sheet)
	}
	w.write(f, size)
	return os.WriteFile(out, f.scene.Bytes(), 0o666)
}

// put writes text to the scene.
func (f *files) put(format string, args ...any) { fmt.Fprintf(&f.scene, format, args...) }

// hash returns a number from 0 to 1 that looks random: the output function of SplitMix64 (Steele, Lea and Flood, 2014).
func hash(keys ...int) float64 {
	x := uint64(0)
	for _, k := range keys {
		x = (x + uint64(k) + 1) * 0x9e3779b97f4a7c15
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		x ^= x >> 31
	}
	return float64(x>>11) / (1 << 53)
}
