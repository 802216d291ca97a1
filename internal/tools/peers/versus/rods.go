package main

import (
	"context"

	"pillbox/internal/tools/peers"
)

// rodKind is a kind of solid with an axis and a radius: capsules or cylinders. A scene of n capsules and a scene of n
// cylinders differ only in the kind.
type rodKind struct {
	name string // singular
	make func(seed uint64, n int) *peers.Scene
	ways []embreeWay
}

// embreeWay is a way to render a kind of solid with Embree.
type embreeWay struct {
	cylinders string // argument of the program
	title     string
	limit     float64 // fraction of pixels whose color may differ without shadows
	shadowed  float64 // the same with shadows
}

var (
	capsules = rodKind{"capsule", peers.Capsules, []embreeWay{
		{cylinderFunctions, "round linear curve", closeColors, closeShadows},
	}}
	cylinders = rodKind{"cylinder", peers.Cylinders, []embreeWay{
		{cylinderFunctions, "user geometry", closeColors, closeShadows},
		{cylinderPrisms, "prism, 62 quads", closePrisms, closePrisms},
	}}
)

func rodKinds() []rodKind { return []rodKind{capsules, cylinders} }

// program returns the name under which the times are recorded.
func (w embreeWay) program() string { return embree + ", " + w.title }

// measureRods measures rendering without reading and writing: n capsules, and then n cylinders with the same axes and
// radii.
func (b *bench) measureRods(ctx context.Context, n int) error {
	for _, shadows := range []bool{false, true} {
		for _, k := range rodKinds() {
			key := record{what: perPixel, solids: n, shadows: shadows, scene: k.name}
			text, err := b.file(b.rods(k, n), embreeForm)
			if err != nil {
				return err
			}
			for _, way := range k.ways {
				if b.embree == "" {
					break
				}
				w := b.plain(shadows, b.repeat)
				w.cylinders = way.cylinders
				r, err := b.benchEmbree(ctx, text, w)
				if err != nil {
					return err
				}
				key.program = way.program()
				b.log.addValue(key, r.PerPixel)
			}
			scene, err := b.file(b.rods(k, n), quickForm(n, shadows))
			if err != nil {
				return err
			}
			r, err := b.benchOurs(ctx, scene, b.plain(shadows, b.repeat), b.threads)
			if err != nil {
				return err
			}
			key.program = ours
			b.log.addValue(key, r.PerPixel)
		}
	}
	return nil
}

// compareRods checks that all programs render the same pictures of n capsules and of n cylinders.
func (b *bench) compareRods(ctx context.Context, n int) error {
	for _, k := range rodKinds() {
		scene := b.rods(k, n)
		for _, shadows := range []bool{false, true} {
			for _, way := range k.ways {
				if b.embree == "" {
					break
				}
				w, limit := b.plain(shadows, 1), way.limit
				w.cylinders = way.cylinders
				if shadows {
					limit = way.shadowed
				}
				if err := b.compareWithEmbree(ctx, scene, quickForm(n, shadows), w, limit); err != nil {
					return err
				}
			}
		}
		if n <= maxFiles {
			if err := b.compareTasks(ctx, scene); err != nil {
				return err
			}
		}
	}
	return nil
}

const rodNote = "The cylinders have the axes and radii of the capsules. Embree has no cylinder with flat ends: functions of the renderer intersect rays with it, or a prism of 32 sides stands in for it."

// rodTable compares the times of rendering capsules and cylinders.
func (b *bench) rodTable() table {
	t := table{head: []string{"solids", "shadows", "kind", "in Embree", "Embree", "Pillbox", "Embree / Pillbox"}}
	for _, n := range b.rodCounts {
		for _, shadows := range []bool{false, true} {
			for _, k := range rodKinds() {
				key := record{what: perPixel, program: ours, solids: n, shadows: shadows, scene: k.name}
				mine := b.log[key]
				for _, way := range k.ways {
					key.program = way.program()
					t.addRow(count(n), yesNo(shadows), k.name, way.title, middle(b.log[key], 1), middle(mine, 1), spread(ratios(b.log[key], mine), 2))
				}
			}
		}
	}
	return t
}

// swapTable compares the times of cylinders with those of capsules.
func (b *bench) swapTable() table {
	t := table{head: []string{"solids", "shadows", "capsules", "cylinders", "cylinders / capsules"}}
	for _, n := range b.rodCounts {
		for _, shadows := range []bool{false, true} {
			times := func(k rodKind) []float64 {
				return b.log[record{what: perPixel, program: ours, solids: n, shadows: shadows, scene: k.name}]
			}
			t.addRow(count(n), yesNo(shadows), middle(times(capsules), 1), middle(times(cylinders), 1), spread(ratios(times(cylinders), times(capsules)), 2))
		}
	}
	return t
}
