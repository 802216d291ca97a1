// Package commands contains the commands of the render farm for the program render.
package commands

import "pillbox/internal/command"

// Wing adds the render farm to the program.
func Wing() command.Wing {
	return command.Wing{
		Name:     "farm",
		Commands: []command.Constructor{{Name: "assemble", New: newAssemble}, {Name: "farm", New: newTopic}},
		Delegate: newDelegate,
	}
}
