//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package osfile

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// inTempFolder is an environment variable. It makes the test binary create a temporary folder, print its name, and
// wait for the end of standard input.
const inTempFolder = "OSFILE_TEST_IN_TEMP_FOLDER"

func TestMain(m *testing.M) {
	if prefix := os.Getenv(inTempFolder); prefix != "" {
		name, err := new(Outputs).TempFolder(prefix)
		if err != nil {
			name = err.Error()
		}
		os.Stdout.WriteString(name + "\n")
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestTempFolderOfKilled checks that the temporary folder of a killed process is removed when another process
// creates one. Folders of running processes and other folders must remain.
func TestTempFolderOfKilled(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	const prefix = "farm-"
	others := []string{prefix + "unlocked", "other-1"}
	for _, name := range others {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	killed, kill := startInTempFolder(t, prefix)
	living, _ := startInTempFolder(t, prefix)
	kill()
	var o Outputs
	own, err := o.TempFolder(prefix)
	if err != nil {
		t.Fatal(err)
	}
	again, err := o.TempFolder(prefix) // which must not mistake the first folder for that of a dead process
	if err != nil {
		t.Fatal(err)
	}
	if Exists(killed) {
		t.Errorf("%s of a killed process is still there", killed)
	}
	for _, name := range []string{living, own, again, filepath.Join(dir, others[0]), filepath.Join(dir, others[1])} {
		if !Exists(name) {
			t.Errorf("%s was removed", name)
		}
	}
	if err := o.RemoveFolder(own); err != nil || Exists(own) {
		t.Errorf("RemoveFolder: %v", err)
	}
	if err := o.Abandon(); err != nil || Exists(again) {
		t.Errorf("Abandon: %v", err)
	}
}

// startInTempFolder starts a process that creates a temporary folder. It returns the folder and a function that
// kills the process.
func startInTempFolder(t *testing.T, prefix string) (folder string, kill func()) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), inTempFolder+"="+prefix)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var name [1 << 10]byte
	n, err := out.Read(name[:])
	if err != nil {
		t.Fatal(err)
	}
	folder = strings.TrimSpace(string(name[:n]))
	if !Exists(folder) {
		t.Fatalf("no folder: %s", folder)
	}
	kill = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	t.Cleanup(func() { in.Close(); kill() })
	return folder, kill
}
