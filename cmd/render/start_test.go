package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"pillbox/cmd/render/program"
	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/command"
)

// TestStartComputesNothing checks what runs before the command itself: the initialization of packages, and the
// construction of all commands. Every run of the program pays for it, even 'render --help', so it must not compile
// patterns, compute tables or read embedded files. Allocations are counted, because they do not depend on the machine.
func TestStartComputesNothing(t *testing.T) {
	const (
		most    = 600_000 // bytes, of all packages and commands
		mostOwn = 7_000   // bytes, of one package of this module
	)
	commands := allocated(func() { program.New(command.NewEnv(command.Streams{}, wings)) })
	total := commands
	for _, p := range initialized(t) {
		total += p.bytes
		if strings.HasPrefix(p.name, "pillbox") && p.bytes > mostOwn {
			t.Errorf("the variables and init functions of %s allocate %d bytes in %d pieces, want at most %d: compute them at the first use, such as with sync.OnceValue or text.Pattern",
				p.name, p.bytes, p.allocs, mostOwn)
		}
	}
	if commands > 200_000 {
		t.Errorf("the construction of the commands allocates %d bytes, want at most 200000", commands)
	}
	if total > most {
		t.Errorf("the program allocates %d bytes before the command runs, want at most %d", total, most)
	}
}

// TestSmallRunsAllocateLittle checks that the commands that do least allocate little memory in all.
func TestSmallRunsAllocateLittle(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "small.toml")
	picture := filepath.Join(folder, "small.png")
	scene := strings.Replace(programtest.ReadText(t, filepath.Join("..", "..", "scenes", "sphere.toml")), "width = 320\nheight = 240", "width = 8\nheight = 8", 1)
	programtest.WriteText(t, name, scene)
	for _, run := range []struct {
		args []string
		most int
	}{
		{[]string{"version"}, 200_000},
		{[]string{"help"}, 400_000},
		{[]string{"check", name}, 600_000},
		{[]string{"hash", name}, 1_000_000},
		{[]string{name, "-o", picture}, 1_500_000}, // more than half of it for the compressor of the PNG file
	} {
		args := strings.Join(run.args, " ")
		var got programtest.Outcome
		bytes := allocated(func() { got = programtest.Invocation{}.Run(run.args...) })
		if got.Status != 0 {
			t.Errorf("render %s: status %d, %s", args, got.Status, got.Stderr)
		}
		if bytes > run.most {
			t.Errorf("render %s allocates %d bytes, want at most %d", args, bytes, run.most)
		}
	}
}

// allocated returns the number of bytes that f allocates, which may include bytes of other goroutines.
func allocated(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// initialization is what a package allocates when the program starts.
type initialization struct {
	name          string
	bytes, allocs int
}

// initialized returns the packages that compute something when the program starts.
func initialized(t *testing.T) []initialization {
	t.Helper()
	cmd := programtest.Process(t, "version")
	cmd.Env = append(cmd.Env, "GODEBUG=inittrace=1")
	var trace bytes.Buffer
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	var all []initialization
	for _, m := range regexp.MustCompile(`(?m)^init (\S+) @.* (\d+) bytes, (\d+) allocs$`).FindAllStringSubmatch(trace.String(), -1) {
		bytes, _ := strconv.Atoi(m[2])
		allocs, _ := strconv.Atoi(m[3])
		all = append(all, initialization{m[1], bytes, allocs})
	}
	if len(all) == 0 {
		t.Fatalf("no trace of initializations: %s", fmt.Sprintf("%.200s", trace.String()))
	}
	return all
}
