package play

import "io/fs"

// File is a scene file that a program serves in addition to the scenes of the page. Its methods are safe for
// concurrent use.
type File interface {
	// State returns the current state of the file.
	State() FileState

	// Files returns the folder of the scene, restricted to the files that the scene on disk names.
	Files() fs.FS
}

// FileState is the state of a file.
type FileState struct {
	Name    string `json:"name"`
	Text    string `json:"text"`
	Version string `json:"version"` // differs for different texts
	Files   int    `json:"files"`   // number of times that a file named in the scene has changed
}
