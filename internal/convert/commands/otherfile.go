package commands

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"pillbox/convert"
	"pillbox/internal/convert/mesh"
)

// otherFile returns a message about a file that the program can convert to a scene, and "" for any other file.
func otherFile(name string) string {
	if slices.Contains(mesh.Extensions(), strings.ToLower(filepath.Ext(name))) {
		return fmt.Sprintf("not a scene but a mesh; 'render fit %s' makes a scene of solids around it", name)
	}
	if _, imports := convert.ForFile(name); imports {
		return fmt.Sprintf("not a scene; 'render import %s' makes a scene of it", name)
	}
	return ""
}
