package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"pillbox/internal/tools/peers"
)

// named is a scene with a name.
type named struct {
	name string
	make func() *peers.Scene
}

// namedScenes returns the scenes that have names. All of them except molecules contain mirrors.
func namedScenes() []named {
	flake := func(generations int) func() *peers.Scene {
		return func() *peers.Scene { return peers.Sphereflake(generations) }
	}
	return []named{
		{"sphereflake-4", flake(4)},
		{"sphereflake-5", flake(5)},
		{"sphereflake-6", flake(6)},
		{"lattice", func() *peers.Scene { return peers.Lattice(500_000) }},
		{"rings", func() *peers.Scene { return peers.Rings(500_000) }},
		{"molecules", func() *peers.Scene { return peers.Molecules(500_000) }},
		{"sphereflake-1", flake(1)}, // for tests
	}
}

// parseScenes returns the scenes with the given names.
func parseScenes(s string) ([]named, error) {
	var list []named
	for word := range strings.SplitSeq(s, ",") {
		found := false
		for _, n := range namedScenes() {
			if n.name == word {
				list, found = append(list, n), true
			}
		}
		if !found && word != "" {
			return nil, fmt.Errorf("no scene is named %q", word)
		}
	}
	return list, nil
}

// measureNamed measures Pillbox and Embree on a named scene, and POV-Ray if the scene is a sphereflake. For Embree,
// it records the faster of two variants: reflected rays in packets, or single ones.
func (b *bench) measureNamed(ctx context.Context, n named) error {
	scene, err := b.namedFile(n, bulkForm(shadowed))
	if err != nil {
		return err
	}
	size := b.last.Image
	if b.embree != "" {
		text, err := b.namedFile(n, embreeForm)
		if err != nil {
			return err
		}
		var best report
		for _, mirrors := range []string{"packets", "single"} {
			r, err := b.benchEmbree(ctx, text, work{size.Width, size.Height, mirrors, b.last.Shading.Bounces, cylinderFunctions, "point", true, b.repeat})
			if err != nil {
				return err
			}
			if best.Best == 0 || r.Best < best.Best {
				best = r
			}
		}
		b.log.addValue(record{what: renderTime, program: embree, scene: n.name}, best.Best)
		b.log.addValue(record{what: buildTime, program: embree, scene: n.name}, best.Build)
	}
	mine, err := b.benchOurs(ctx, scene, work{size.Width, size.Height, "", b.last.Shading.Bounces, "", "", true, b.repeat}, b.threads)
	if err != nil {
		return err
	}
	b.log.addValue(record{what: renderTime, program: ours, scene: n.name}, mine.Best)
	b.log.addValue(record{what: buildTime, program: ours, scene: n.name}, mine.Build)
	if b.povray == "" || !strings.HasPrefix(n.name, "sphereflake") {
		return nil
	}
	text, err := b.namedFile(n, povrayForm)
	if err != nil {
		return err
	}
	args := []string{"+I" + text, "+O" + filepath.Join(b.work, "named.png"), fmt.Sprint("+W", size.Width), fmt.Sprint("+H", size.Height), "-D", "-A", fmt.Sprint("+WT", b.threads)}
	took, err := b.run(ctx, &task{program: b.povray, args: args})
	b.log.addValue(record{what: bulkToFile, program: povray, scene: n.name}, took.clock)
	if err != nil {
		return err
	}
	took, err = b.run(ctx, &task{program: b.render, args: b.renderArgs(scene, filepath.Join(b.work, "named.png"))})
	b.log.addValue(record{what: bulkToFile, program: ours, scene: n.name}, took.clock)
	return err
}

// compareNamed checks that both variants of Embree (see measureNamed) render the same picture of a named scene, with
// one reflection. With more reflections, rounding dominates, because each curved mirror magnifies differences. If
// Pillbox itself renders the rings with solids rounded to single precision, 0.1 % of the pixels change with one
// reflection, 4 % with two and 8 % with four. Between Pillbox and Embree, 0.6 %, 8 % and 12 % of the pixels differ.
func (b *bench) compareNamed(ctx context.Context, n named) error {
	if b.embree == "" {
		return nil
	}
	scene, err := b.namedFile(n, mirroredOnce())
	if err != nil {
		return err
	}
	text, err := b.namedFile(n, embreeForm)
	if err != nil {
		return err
	}
	size := b.last.Image
	mine := task{program: b.render, picture: filepath.Join(b.work, "ours.png"), decode: decodePNG}
	mine.args = b.renderArgs(scene, mine.picture)
	want, err := b.look(ctx, &mine)
	if err != nil {
		return err
	}
	for _, mirrors := range []string{"packets", "single"} {
		picture := filepath.Join(b.work, "embree.ppm")
		if _, err := b.benchEmbree(ctx, text, work{size.Width, size.Height, mirrors, 1, cylinderFunctions, "point", true, 1}, picture); err != nil {
			return err
		}
		got, err := readPicture(picture, decodePPM)
		if err != nil {
			return err
		}
		if len(got.pixels) != len(want.pixels) {
			return fmt.Errorf("%s: %d pixels and %d", n.name, len(want.pixels), len(got.pixels))
		}
		differ := differing(want, got)
		say("%s, Embree, %s: colors differ in %d pixels", n.name, mirrors, differ)
		if float64(differ) > closeMirrors*float64(len(want.pixels)) {
			return fmt.Errorf("%s: the pictures do not agree: colors differ in %d pixels", n.name, differ)
		}
	}
	return nil
}

// namedTable compares the times of rendering the named scenes, and of building their acceleration structures.
func (b *bench) namedTable() table {
	t := table{head: []string{"scene", "Embree, ms", "Pillbox, ms", "Embree / Pillbox", "build, Embree / Pillbox", "POV-Ray / Pillbox, files"}}
	for _, n := range b.scenes {
		get := func(what quantity, program string) []float64 {
			return b.log[record{what: what, program: program, scene: n.name}]
		}
		mine, theirs := get(renderTime, ours), get(renderTime, embree)
		t.addRow(n.name, middle(scale(theirs, 1e3), 1), middle(scale(mine, 1e3), 1), spread(ratios(theirs, mine), 2),
			spread(ratios(get(buildTime, embree), get(buildTime, ours)), 2), spread(ratios(get(bulkToFile, povray), get(bulkToFile, ours)), 2))
	}
	return t
}
