package golden

import (
	"os"
	"path/filepath"

	"pillbox/internal/osfile"
)

// workspaceVariable names the environment variable with the folder of the job in GitHub Actions.
const workspaceVariable = "GITHUB_WORKSPACE"

// repositoryPath returns the path of a file as programs that read reports know it, wherever the command runs: relative
// to the root of the git work tree, else to the folder of the job, else as it is.
func repositoryPath(name string) string {
	if rel, ok := osfile.InWorkTree(name); ok {
		return rel
	}
	if job := os.Getenv(workspaceVariable); job != "" {
		if rel, ok := osfile.Within(job, name); ok {
			return rel
		}
	}
	return filepath.ToSlash(name)
}
