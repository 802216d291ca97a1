package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
)

const (
	// maxTables is the largest number of solids for which scenes are read from tables when reading is not measured.
	// Larger scenes are read in the bulk form, which is faster.
	maxTables = 1000

	// maxFiles is the largest number of solids for which whole processes, from scene file to picture file, are measured.
	// For POV-Ray and Tachyon, the text of a million solids takes two gigabytes.
	maxFiles = 100_000

	// To measure the start of a process, Pillbox renders a picture of fewSolids solids, with a side of smallSide pixels.
	// In each round it renders this picture in several processes: their number is the constant processes.
	fewSolids, smallSide, processes = 10, 64, 20
)

// bench is one run of the program.
type bench struct {
	options
	*programs
	*library
	work string // folder
	log  records
	busy float64 // number of processors that other programs kept busy before the start
}

// A record identifies a measurement.
type record struct {
	what    quantity
	program string
	solids  int
	shadows bool
	scene   string // the name of a named scene, which has no number of solids; or the kind of the solids in a scene of rods
}

// records holds the measured numbers: one for each record and round, or several for [processTime].
type records map[record][]float64

type quantity int

const (
	perPixel    quantity = iota // ns of one processor
	renderTime                  // seconds, on all threads
	renderAlone                 // seconds, on one thread
	softTime                    // seconds, on all threads, of a scene with soft light
	surfaces                    // that a ray of the camera shows, on average
	buildTime                   // seconds
	heapBytes
	tablesToFile // seconds of a whole process; Pillbox reads a scene of tables
	bulkToFile   // the same with a bulk scene
	processTime  // the same with almost nothing to render

	tablesWork // seconds of all processors together for tablesToFile
	bulkWork
)

// processor returns the quantity for the processor time of whole processes. The quantity q, for their elapsed time,
// must be tablesToFile or bulkToFile.
func (q quantity) processor() quantity {
	if q == bulkToFile {
		return bulkWork
	}
	return tablesWork
}

const (
	ours    = "Pillbox"
	embree  = "Embree"
	povray  = "POV-Ray"
	tachyon = "Tachyon"
)

func (r records) addValue(key record, value float64) { r[key] = append(r[key], value) }

// scene returns the file of a scene in the form that is fastest to read.
func (b *bench) scene(n int, shadows bool) (string, error) {
	return b.file(b.mixed(n), quickForm(n, shadows))
}

// quickForm returns the form in which a scene of n solids is fastest to read.
func quickForm(n int, shadows bool) form {
	if n > maxTables {
		return bulkForm(shadows)
	}
	return tomlForm(shadows)
}

func (b *bench) measure(ctx context.Context) error {
	for round := range b.rounds {
		for _, n := range b.solids {
			say("round %d of %d: %s solids", round+1, b.rounds, count(n))
			for _, shadows := range []bool{false, true} {
				if err := b.alone(ctx, n, shadows); err != nil {
					return err
				}
			}
			if n <= maxFiles {
				if err := b.fileToFile(ctx, n); err != nil {
					return err
				}
			}
		}
		for _, n := range b.rodCounts {
			say("round %d of %d: %s capsules and cylinders", round+1, b.rounds, count(n))
			if err := b.measureRods(ctx, n); err != nil {
				return err
			}
		}
		for _, n := range b.insideCounts {
			say("round %d of %d: inside of %s solids", round+1, b.rounds, count(n))
			if err := b.measureInside(ctx, n); err != nil {
				return err
			}
		}
		if err := b.measureSoft(ctx, round); err != nil {
			return err
		}
		for _, n := range b.scenes {
			say("round %d of %d: %s", round+1, b.rounds, n.name)
			if err := b.measureNamed(ctx, n); err != nil {
				return err
			}
		}
		if err := b.processes(ctx); err != nil {
			return err
		}
	}
	return nil
}

// alone measures the time of building the acceleration structure and the time of rendering, without reading and
// writing files.
func (b *bench) alone(ctx context.Context, n int, shadows bool) error {
	if b.embree != "" {
		text, err := b.file(b.mixed(n), embreeForm)
		if err != nil {
			return err
		}
		theirs, err := b.benchEmbree(ctx, text, b.plain(shadows, b.repeat))
		if err != nil {
			return err
		}
		b.keep(embree, n, shadows, theirs)
	}
	scene, err := b.scene(n, shadows)
	if err != nil {
		return err
	}
	all, err := b.benchOurs(ctx, scene, b.plain(shadows, b.repeat), b.threads)
	if err != nil {
		return err
	}
	b.keep(ours, n, shadows, all)
	if !shadows || b.threads == 1 {
		return nil
	}
	one, err := b.benchOurs(ctx, scene, b.plain(shadows, b.repeat), 1)
	b.log.addValue(record{what: renderAlone, program: ours, solids: n, shadows: shadows}, one.Best)
	return err
}

func (b *bench) keep(program string, n int, shadows bool, r report) {
	b.log.addValue(record{what: perPixel, program: program, solids: n, shadows: shadows}, r.PerPixel)
	b.log.addValue(record{what: renderTime, program: program, solids: n, shadows: shadows}, r.Best)
	b.log.addValue(record{what: buildTime, program: program, solids: n, shadows: shadows}, r.Build)
	b.log.addValue(record{what: heapBytes, program: program, solids: n, shadows: shadows}, float64(r.Heap))
}

// fileToFile measures whole processes, from reading a scene file to writing a picture file.
func (b *bench) fileToFile(ctx context.Context, n int) error {
	tasks, err := b.tasks(b.mixed(n))
	if err != nil {
		return err
	}
	for _, t := range tasks {
		took, err := b.run(ctx, &t)
		if err != nil {
			return err
		}
		b.log.addValue(record{what: t.what, program: t.name, solids: n, shadows: true}, took.clock)
		b.log.addValue(record{what: t.what.processor(), program: t.name, solids: n, shadows: true}, took.processor)
	}
	return nil
}

// tasks returns the processes that render a scene with shadows from file to file. The first one is Pillbox with tables.
func (b *bench) tasks(n named) ([]task, error) {
	var tasks []task
	var failed error
	add := func(t task, f form, args func(scene, picture string) []string) {
		scene, err := b.file(n, f)
		if err != nil {
			failed = err
		}
		t.args = args(scene, t.picture)
		tasks = append(tasks, t)
	}
	in := func(name string) string { return filepath.Join(b.work, name) }
	add(task{what: tablesToFile, name: ours, program: b.render, picture: in("tables.png"), decode: decodePNG}, tomlForm(shadowed), b.renderArgs)
	add(task{what: bulkToFile, name: ours, program: b.render, picture: in("bulk.png"), decode: decodePNG}, bulkForm(shadowed), b.renderArgs)
	if b.povray != "" {
		add(task{what: tablesToFile, name: povray, program: b.povray, picture: in("povray.png"), decode: decodePNG}, povrayForm, b.povrayArgs)
	}
	if b.tachyon != "" {
		add(task{what: tablesToFile, name: tachyon, program: b.tachyon, picture: in("tachyon.tga"), decode: decodeTGA}, tachyonForm, b.tachyonArgs)
	}
	return tasks, failed
}

// processes measures how long a process of Pillbox takes that has almost nothing to render.
func (b *bench) processes(ctx context.Context) error {
	scene, err := b.file(b.mixed(fewSolids), tomlForm(shadowed))
	if err != nil {
		return err
	}
	side := strconv.Itoa(smallSide)
	args := append(b.renderArgs(scene, filepath.Join(b.work, "small.png")), "--width", side, "--height", side)
	for range processes {
		took, err := b.run(ctx, &task{program: b.render, args: args})
		if err != nil {
			return err
		}
		b.log.addValue(record{what: processTime, program: ours, solids: fewSolids}, took.clock)
	}
	return nil
}

// compare checks that all programs render the same picture of each scene.
func (b *bench) compare(ctx context.Context) error {
	for _, n := range b.scenes {
		if err := b.compareNamed(ctx, n); err != nil {
			return err
		}
	}
	for _, n := range b.solids {
		if b.embree != "" {
			for _, shadows := range []bool{false, true} {
				limit := closeColors
				if shadows {
					limit = closeShadows
				}
				if err := b.compareWithEmbree(ctx, b.mixed(n), quickForm(n, shadows), b.plain(shadows, 1), limit); err != nil {
					return err
				}
			}
		}
		if n <= maxFiles {
			if err := b.compareTasks(ctx, b.mixed(n)); err != nil {
				return err
			}
		}
	}
	if err := b.compareSoft(ctx); err != nil {
		return err
	}
	for _, n := range b.insideCounts {
		if err := b.compareInside(ctx, n); err != nil {
			return err
		}
	}
	for _, n := range b.rodCounts {
		if err := b.compareRods(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// compareWithEmbree checks that Embree renders the same picture of a scene that Pillbox reads in the given form.
func (b *bench) compareWithEmbree(ctx context.Context, n named, f form, w work, limit float64) error {
	scene, err := b.file(n, f)
	if err != nil {
		return err
	}
	text, err := b.file(n, embreeForm)
	if err != nil {
		return err
	}
	mine := task{program: b.render, picture: filepath.Join(b.work, "ours.png"), decode: decodePNG}
	mine.args = b.renderArgs(scene, mine.picture)
	want, err := b.look(ctx, &mine)
	if err != nil {
		return err
	}
	picture := filepath.Join(b.work, "embree.ppm")
	if _, err := b.benchEmbree(ctx, text, w, picture); err != nil {
		return err
	}
	got, err := readPicture(picture, decodePPM)
	if err != nil {
		return err
	}
	return same(fmt.Sprintf("%s, Embree, %s, shadows %s", n.name, w.cylinders, yesNo(w.shadows)), want, got, limit)
}

// compareTasks runs each process of the file-to-file measurement once, and compares the pictures.
func (b *bench) compareTasks(ctx context.Context, n named) error {
	tasks, err := b.tasks(n)
	if err != nil {
		return err
	}
	want, err := b.look(ctx, &tasks[0])
	if err != nil {
		return err
	}
	for _, t := range tasks[1:] {
		got, err := b.look(ctx, &t)
		if err != nil {
			return err
		}
		limit := closeColors
		if t.name == tachyon {
			limit = coarseColors
		}
		if err := same(fmt.Sprintf("%s, %s", n.name, t.name), want, got, limit); err != nil {
			return err
		}
	}
	return nil
}

// same prints how well pictures agree, or returns an error if they do not.
func same(what string, want, got *picture, colors float64) error {
	words, err := agree(want, got, colors)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	say("%s: %s", what, words)
	return nil
}
