// Package lessons holds the lessons and their scenes, and the figures of the course.
package lessons

import "embed"

//go:embed *.md *.toml
var files embed.FS

// Files returns the pages of the lessons and their scenes, and README.md, which lists the lessons in order.
func Files() embed.FS { return files }

//go:embed antialiasing.png box.png camera-ray.png capsule-body.png cut-intervals.png cylinder-discs.png exact.png lambert-angle.png
//go:embed mirrors.png segment.png shadow-ray.png sphere-inside.png sphere-outside.png tree.png
var figures embed.FS

// Figures returns the figures of the chapters of the course.
func Figures() embed.FS { return figures }
