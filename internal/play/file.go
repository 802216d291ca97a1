package play

import "io/fs"

// File is the scene that a program serves beside those of the page. Its methods are safe for
// concurrent use.
type File interface {
	// State returns the file as it is.
	State() FileState

	// Files returns the files that the scene itself names, as it stands on the disk, and their
	// folder: no others are read.
	Files() fs.FS
}

// FileState is a file at some time.
type FileState struct {
	Name    string `json:"name"`
	Text    string `json:"text"`
	Version string `json:"version"` // another one whenever the text is another one
	Files   int    `json:"files"`   // how often one of the files that it names has changed
}
