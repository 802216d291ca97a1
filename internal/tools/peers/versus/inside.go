package main

import (
	"context"
	"image"
	"path/filepath"

	"pillbox"
	"pillbox/internal/follow"
	"pillbox/internal/tools/peers"
)

// insideKind is a way to look inside a random scene, or a scene with which it is compared.
type insideKind struct {
	name   string
	file   string // the beginning of the names of files
	change func(*peers.Scene) *peers.Scene
	shows  bool // whether it is a row of ghostTable
}

var (
	whole   = insideKind{"whole", "whole", func(s *peers.Scene) *peers.Scene { return s }, true}
	cut     = insideKind{"one section", "cut", (*peers.Scene).Cut, false}
	deleted = insideKind{"removed solids deleted", "deleted", (*peers.Scene).Deleted, false}
	hulls   = insideKind{"ghosts, a hull for each color", "ghosts", func(s *peers.Scene) *peers.Scene { return s.Ghosts(false) }, true}
	oneHull = insideKind{"ghosts, one hull", "hull", func(s *peers.Scene) *peers.Scene { return s.Ghosts(true) }, true}
	foggy   = insideKind{"fog", "fog", (*peers.Scene).Foggy, true}
)

// maxPeers is the largest number of solids for which POV-Ray renders sections and ghosts.
const maxPeers = 1000

func insideKinds() []insideKind { return []insideKind{whole, cut, deleted, hulls, oneHull, foggy} }

// form returns the form f for this kind of scene.
func (k insideKind) form(f form) form {
	return f.changed(k.file+"-"+f.name, func(s *peers.Scene) { *s = *k.change(s) })
}

// record returns the key of measurements of this kind of scene with n solids.
func (k insideKind) record(what quantity, program string, n int) record {
	return record{what: what, program: program, solids: n, shadows: shadowed, scene: k.name}
}

// measureInside measures rendering alone, and from file to file beside POV-Ray.
func (b *bench) measureInside(ctx context.Context, n int) error {
	for _, k := range insideKinds() {
		file, err := b.file(b.mixed(n), k.form(tomlForm(shadowed)))
		if err != nil {
			return err
		}
		r, err := b.benchOurs(ctx, file, b.plain(shadowed, b.repeat), b.threads)
		if err != nil {
			return err
		}
		b.log.addValue(k.record(perPixel, ours, n), r.PerPixel)
		if key := k.record(surfaces, ours, n); len(b.log[key]) == 0 && k.shows {
			met, err := surfacesPerRay(k.change(b.mixed(n).make()))
			if err != nil {
				return err
			}
			b.log.addValue(key, met)
		}
	}
	if b.embree != "" {
		for _, k := range []insideKind{whole, cut} {
			text, err := b.file(b.mixed(n), k.form(embreeForm))
			if err != nil {
				return err
			}
			r, err := b.benchEmbree(ctx, text, b.plain(shadowed, b.repeat))
			if err != nil {
				return err
			}
			b.log.addValue(k.record(perPixel, embree, n), r.PerPixel)
		}
	}
	for _, k := range b.insidePeers(n) {
		tasks, err := b.insideTasks(n, k)
		if err != nil {
			return err
		}
		for _, t := range tasks {
			took, err := b.run(ctx, &t)
			if err != nil {
				return err
			}
			b.log.addValue(k.record(t.what, t.name, n), took.clock)
			b.log.addValue(k.record(t.what.processor(), t.name, n), took.processor)
		}
	}
	return nil
}

// insidePeers returns the kinds of scenes of n solids that POV-Ray renders. It does not render one hull of many solids: it
// would take minutes.
func (b *bench) insidePeers(n int) []insideKind {
	if b.povray == "" || n > maxPeers {
		return nil
	}
	return []insideKind{cut, hulls}
}

// insideTasks returns the processes that render a scene from file to file: Pillbox and POV-Ray.
func (b *bench) insideTasks(n int, k insideKind) ([]task, error) {
	mine, err := b.file(b.mixed(n), k.form(tomlForm(shadowed)))
	if err != nil {
		return nil, err
	}
	theirs, err := b.file(b.mixed(n), k.form(povrayForm))
	if err != nil {
		return nil, err
	}
	picture := func(name string) string { return filepath.Join(b.work, name) }
	a := task{what: tablesToFile, name: ours, program: b.render, picture: picture("inside.png"), decode: decodePNG}
	a.args = b.renderArgs(mine, a.picture)
	p := task{what: tablesToFile, name: povray, program: b.povray, picture: picture("inside-povray.png"), decode: decodePNG}
	p.args = b.povrayArgs(theirs, p.picture)
	return []task{a, p}, nil
}

// compareInside checks that POV-Ray renders the same pictures. Embree has no cut faces, so its picture of a section is not
// compared.
func (b *bench) compareInside(ctx context.Context, n int) error {
	for _, k := range b.insidePeers(n) {
		tasks, err := b.insideTasks(n, k)
		if err != nil {
			return err
		}
		want, err := b.look(ctx, &tasks[0])
		if err != nil {
			return err
		}
		got, err := b.look(ctx, &tasks[1])
		if err != nil {
			return err
		}
		if err := same(b.mixed(n).name+", "+k.name+", "+povray, want, got, closeColors); err != nil {
			return err
		}
	}
	return nil
}

const sectionNote = "Embree has no sections: filters discard hits on the side that is taken away, so cut solids are hollow."

// sectionTable compares the times of a scene with a section with those of the whole scene, and of the scene without the
// solids that the section removes.
func (b *bench) sectionTable() table {
	t := table{head: []string{"solids", "whole", "one section", "removed solids deleted", "section / deleted", "section / whole", "Embree, whole", "Embree, filter", "filter / whole", "Embree / Pillbox, section"}}
	for _, n := range b.insideCounts {
		get := func(program string, k insideKind) []float64 { return b.log[k.record(perPixel, program, n)] }
		cutTime, embreeCut, embreeWhole := get(ours, cut), get(embree, cut), get(embree, whole)
		t.addRow(count(n), middle(get(ours, whole), 1), middle(cutTime, 1), middle(get(ours, deleted), 1),
			spread(ratios(cutTime, get(ours, deleted)), 2), spread(ratios(cutTime, get(ours, whole)), 2),
			middle(embreeWhole, 1), middle(embreeCut, 1), spread(ratios(embreeCut, embreeWhole), 2), spread(ratios(embreeCut, cutTime), 2))
	}
	return t
}

// ghostTable compares the times of scenes of ghosts, and of a scene in fog, with those of the opaque scene.
func (b *bench) ghostTable() table {
	t := table{head: []string{"solids", "scene", "surfaces per ray", "time", "time / opaque"}}
	for _, n := range b.insideCounts {
		opaque := b.log[whole.record(perPixel, ours, n)]
		for _, k := range insideKinds() {
			took := b.log[k.record(perPixel, ours, n)]
			if met := b.log[k.record(surfaces, ours, n)]; len(met) > 0 {
				t.addRow(count(n), k.name, middle(met, 2), middle(took, 1), spread(ratios(took, opaque), 2))
			}
		}
	}
	return t
}

// surfacesPerRay returns the average number of surfaces that the rays of the camera show: ghosts, and what is opaque. It
// follows the ray of one pixel of each block.
func surfacesPerRay(s *peers.Scene) (float64, error) {
	const side = 8 // of a block
	prepared, err := pillbox.Prepare(&s.Scene, pillbox.Picture{})
	if err != nil {
		return 0, err
	}
	p := follow.Of(prepared)
	met, rays := 0, 0
	for y := side / 2; y < s.Image.Height; y += side {
		for x := side / 2; x < s.Image.Width; x += side {
			ray := p.PixelRays(image.Pt(x, y), 1)
			path := p.Follow(p.CameraRay(ray.At(0)), follow.PositionOf(&ray, 0), nil)
			met += len(path.Ghosts)
			if path.IsSolid() {
				met++
			}
			rays++
		}
	}
	return float64(met) / float64(rays), nil
}

// insideFileTable compares whole processes with POV-Ray.
func (b *bench) insideFileTable() table {
	t := table{head: []string{"solids", "scene", "POV-Ray", "Pillbox", "POV-Ray / Pillbox", "POV-Ray / Pillbox, processor time"}}
	for _, n := range b.insideCounts {
		for _, k := range b.insidePeers(n) {
			get := func(program string, what quantity) []float64 { return b.log[k.record(what, program, n)] }
			t.addRow(count(n), k.name, middle(get(povray, tablesToFile), 2), middle(get(ours, tablesToFile), 3),
				spread(ratios(get(povray, tablesToFile), get(ours, tablesToFile)), 2), spread(ratios(get(povray, tablesWork), get(ours, tablesWork)), 2))
		}
	}
	return t
}
