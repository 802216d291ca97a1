// Package commands contains the commands of the importers and exporters for the program render.
package commands

import "pillbox/internal/command"

// Wing adds the importers and exporters to the program.
func Wing() command.Wing {
	return command.Wing{
		Name: "convert",
		Commands: []command.Constructor{
			{Name: "import", New: newImport},
			{Name: "export", New: newExport},
			{Name: "fit", New: newFit},
		},
		OtherFile: otherFile,
	}
}
