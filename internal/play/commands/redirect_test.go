package commands

import (
	"path/filepath"
	"testing"

	"pillbox/internal/command"
	"pillbox/internal/osfile"
)

// TestServeRedirectIsTemporary checks that the file with the token is deleted together with unfinished outputs, as
// after a second Ctrl-C.
func TestServeRedirectIsTemporary(t *testing.T) {
	s := serving{Env: command.NewEnv(command.Streams{Files: new(osfile.Outputs)}, nil)}
	folder, name, err := s.writeRedirect("http://localhost/#token=x")
	if err != nil || filepath.Dir(name) != folder || !osfile.Exists(name) {
		t.Fatalf("%s in %s: %v", name, folder, err)
	}
	if err := s.Files.Abandon(); err != nil || osfile.Exists(folder) {
		t.Errorf("%s is left: %v", folder, err)
	}
}
