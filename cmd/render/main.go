// Command render turns TOML scenes of spheres, capsules, oriented boxes and cylinders into pictures.
//
// The main job is
//
//	render SCENE.toml [-o OUT.png]
//
// and "render help" shows the other commands. SCENE and OUT may be "-", the standard input and output. Results go to
// standard output, everything else to standard error. Files appear whole or not at all.
//
// The exit status is 0 when done. It is 1 if a comparison found a difference, solids overlap or an answer is wrong, and
// 2 if a scene or the command line is wrong. It is 3 if a file, a server or another program could not be used, and 130
// if interrupted.
package main

import (
	"pillbox/cmd/render/program"
	"pillbox/internal/command"
)

// wings are the products beside the core that this build contains. Each file wing_NAME.go adds one. The build tag
// no_NAME removes it.
var wings []command.Wing

func main() { program.Main(wings...) }
