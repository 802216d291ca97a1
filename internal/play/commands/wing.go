// Package commands contains the commands of the playground for the program render.
package commands

import "pillbox/internal/command"

// Wing adds the playground to the program.
func Wing() command.Wing {
	return command.Wing{
		Name:     "play",
		Commands: []command.Constructor{{Name: "serve", New: newServe}, {Name: "page", New: newPage}},
	}
}
