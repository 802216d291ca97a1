package watch

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pillbox/internal/osfile"
)

// fileState is what can be learned about a file without reading it.
type fileState struct {
	info  fs.FileInfo // nil if err is not ""
	err   string
	links string // targets of the symbolic links on the path
}

func stateOf(name string) (s fileState) {
	info, err := os.Stat(name)
	if err != nil {
		s.err = err.Error()
	} else {
		s.info = info
	}
	var links strings.Builder
	for at := name; ; at = filepath.Dir(at) {
		to, _ := os.Readlink(at) // "" if this is not a link
		links.WriteString(to + "\x00")
		if at == filepath.Dir(at) {
			break
		}
	}
	s.links = links.String()
	return s
}

func (s fileState) equal(t fileState) bool {
	return s.err == t.err && s.links == t.links && osfile.Unchanged(s.info, t.info)
}
