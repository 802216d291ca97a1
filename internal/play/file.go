package play

import "io/fs"

// File is a scene file that a program serves in addition to the scenes of the page. Its methods are safe for
// concurrent use.
type File interface {
	// State returns the file as it is.
	State() FileState

	// Files returns the files that the scene on the disk names, and their folder. No other files are
	// read.
	Files() fs.FS
}

// FileState is the state of a file.
type FileState struct {
	Name    string `json:"name"`
	Text    string `json:"text"`
	Version string `json:"version"` // differs for different texts
	Files   int    `json:"files"`   // how often one of the files that it names has changed
}
