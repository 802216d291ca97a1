package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"pillbox/internal/tools/peers"
	"pillbox/scene"
)

// softKind is a kind of light that takes several rays per point.
type softKind struct {
	name   string
	change func(*peers.Scene) // makes the light of a scene soft
}

// softSamples is the number of rays from a point to each light or into the sky. The renderer with Embree has the same
// number.
const softSamples = 16

// For soft shadows, each point light becomes a ball of light. Seen from the middle of the scene, the ball is about six
// degrees wide.
const lightShare = 1. / 20 // the radius as a share of the distance of the light from the origin

func softKinds() []softKind {
	return []softKind{
		{"soft shadows", func(s *peers.Scene) {
			s.Shading.Samples = softSamples
			lights := make([]scene.Light, len(s.Lights))
			for i, l := range s.Lights {
				l.Radius = l.Position.Norm() * lightShare
				lights[i] = l
			}
			s.Lights = lights
		}},
		{"occlusion", func(s *peers.Scene) {
			s.Shading.Samples = softSamples
			s.Shading.Occlusion.Enabled = true
		}},
	}
}

// file returns the beginning of the names of files with this kind of light.
func (k softKind) file() string { return strings.ReplaceAll(k.name, " ", "-") }

func (k softKind) bulk() form   { return bulkForm(shadowed).changed("bulk-"+k.file()+".toml", k.change) }
func (k softKind) embree() form { return embreeForm.changed(k.file()+".txt", k.change) }

// once returns the form with this kind of light, the solids in separate files and at most one reflection.
func (k softKind) once() form {
	return k.bulk().changed("bulk-"+k.file()+"-once.toml", func(s *peers.Scene) { s.Shading.Bounces = min(s.Shading.Bounces, 1) })
}

// softWays are the ways to trace sampled rays with Embree: which rays are traced together.
func softWays() []string { return []string{"point", "pixels", "single"} }

// softScenes returns the scenes that are rendered with soft light: random ones, and the sphereflakes among the named
// scenes. It returns none if no numbers of solids are given.
func (b *bench) softScenes() []named {
	var list []named
	if len(b.softCounts) == 0 {
		return nil
	}
	for _, n := range b.softCounts {
		list = append(list, b.mixed(n))
	}
	for _, n := range b.scenes {
		if strings.HasPrefix(n.name, "sphereflake") {
			list = append(list, n)
		}
	}
	return list
}

// softWork returns how Embree renders the scene b.last.
func (b *bench) softWork(way string, bounces, repeat int) work {
	mirrors := "packets"
	if way == "single" {
		mirrors = "single"
	}
	return work{b.last.Image.Width, b.last.Image.Height, mirrors, min(b.last.Shading.Bounces, bounces), cylinderFunctions, way, shadowed, repeat}
}

// measureSoft measures rendering with soft light, without reading and writing.
func (b *bench) measureSoft(ctx context.Context, round int) error {
	for _, n := range b.softScenes() {
		say("round %d of %d: %s, soft light", round+1, b.rounds, n.name)
		for _, k := range softKinds() {
			key := record{what: softTime, program: embree, scene: n.name + ", " + k.name}
			if b.embree != "" {
				text, err := b.namedFile(n, k.embree())
				if err != nil {
					return err
				}
				var best report
				for _, way := range softWays() {
					r, err := b.benchEmbree(ctx, text, b.softWork(way, b.last.Shading.Bounces, b.repeat))
					if err != nil {
						return err
					}
					if best.Best == 0 || r.Best < best.Best {
						best = r
					}
				}
				b.log.addValue(key, best.Best)
			}
			file, err := b.namedFile(n, k.bulk())
			if err != nil {
				return err
			}
			r, err := b.benchOurs(ctx, file, b.softWork("", b.last.Shading.Bounces, b.repeat), b.threads)
			if err != nil {
				return err
			}
			key.program = ours
			b.log.addValue(key, r.Best)
		}
	}
	return nil
}

// compareSoft checks that Embree renders the same pictures with soft light, with at most one reflection: see
// compareNamed. The sample points are the same, so the noise is the same, too.
func (b *bench) compareSoft(ctx context.Context) error {
	if b.embree == "" {
		return nil
	}
	for _, n := range b.softScenes() {
		for _, k := range softKinds() {
			text, err := b.namedFile(n, k.embree())
			if err != nil {
				return err
			}
			file, err := b.namedFile(n, k.once())
			if err != nil {
				return err
			}
			mine := task{program: b.render, picture: filepath.Join(b.work, "ours.png"), decode: decodePNG}
			mine.args = b.renderArgs(file, mine.picture)
			want, err := b.look(ctx, &mine)
			if err != nil {
				return err
			}
			for _, way := range softWays() {
				picture := filepath.Join(b.work, "embree.ppm")
				if _, err := b.benchEmbree(ctx, text, b.softWork(way, 1, 1), picture); err != nil {
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
				say("%s, %s, Embree, %s: colors differ in %d pixels", n.name, k.name, way, differ)
				if float64(differ) > closeMirrors*float64(len(want.pixels)) {
					return fmt.Errorf("%s, %s: the pictures do not agree: colors differ in %d pixels", n.name, k.name, differ)
				}
			}
		}
	}
	return nil
}

const softNote = "Each point casts 16 rays to each light or into the sky unless the program knows that they are not needed. Embree traces the rays of a point, one ray of each of 16 pixels, or rays one by one: the fastest counts."

// softTable compares the times of rendering with soft light.
func (b *bench) softTable() table {
	t := table{head: []string{"scene", "light", "Embree, ms", "Pillbox, ms", "Embree / Pillbox"}}
	for _, n := range b.softScenes() {
		for _, k := range softKinds() {
			get := func(program string) []float64 {
				return b.log[record{what: softTime, program: program, scene: n.name + ", " + k.name}]
			}
			mine, theirs := get(ours), get(embree)
			t.addRow(n.name, k.name, middle(scale(theirs, 1e3), 1), middle(scale(mine, 1e3), 1), spread(ratios(theirs, mine), 2))
		}
	}
	return t
}
