package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// FindProgram returns the path of the named program in the folder of this program or, if it is not there, on the PATH.
func FindProgram(name string) (string, error) {
	file := name
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	if exe, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(exe), file)
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			return beside, nil
		}
	}
	found, err := exec.LookPath(file)
	if err != nil {
		return "", fmt.Errorf("this needs the program %s, in the folder of this program or on the PATH", name)
	}
	return found, nil
}
