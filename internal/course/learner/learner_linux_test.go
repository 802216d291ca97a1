package learner

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pillbox/internal/course"
)

// role is an environment variable. It makes the test binary act as a learner's program or as a child process of
// one.
const role = "LEARNER_TEST_ROLE"

// TestMain acts as the learner's program or one of its children if the environment requests it.
func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "":
		os.Exit(m.Run())
	case "child":
		note()
		time.Sleep(time.Hour)
	case "middle": // leaves a child without a parent
		note()
		spawn("child")
	case "setsid":
		spawn("child")
	case "double fork":
		_ = spawn("middle").Wait()
	case "without environment":
		spawn("child")
		cmd := exec.Command("/bin/sleep", "3600")
		cmd.Env = []string{}
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		noted(cmd.Process.Pid)
	case "answers": // fills the pipes and ends
		answers, err := os.ReadFile(os.Getenv("LEARNER_TEST_FOLDER"))
		if err != nil {
			panic(err)
		}
		_, _ = io.Copy(io.Discard, os.Stdin)
		_, _ = os.Stdout.Write(answers)
		for i := range 5000 {
			_, _ = fmt.Fprintln(os.Stderr, "complaint", i)
		}
	case "hangs":
		spawn("child")
		_ = spawn("middle").Wait()
		time.Sleep(time.Hour)
	}
}

// spawn starts the test binary as a child process in its own session, and waits until the process runs. part is
// the value of the environment variable in the constant role.
func spawn(part string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), role+"="+part)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(os.Getenv("LEARNER_TEST_FOLDER"), strconv.Itoa(cmd.Process.Pid))); err == nil {
			return cmd
		}
		time.Sleep(time.Millisecond)
	}
}

// note records that this process runs: it creates a file whose name is the process's number.
func note() { noted(os.Getpid()) }

func noted(pid int) {
	if err := os.WriteFile(filepath.Join(os.Getenv("LEARNER_TEST_FOLDER"), strconv.Itoa(pid)), nil, 0o666); err != nil {
		panic(err)
	}
}

// TestSitKillsDescendants checks that Sit also kills child processes that have left the process group or whose
// parents have ended.
func TestSitKillsDescendants(t *testing.T) {
	stage, _ := course.Find("sphere")
	for part, least := range map[string]int{"setsid": 1, "double fork": 2, "without environment": 2, "hangs": 3} {
		t.Run(part, func(t *testing.T) {
			folder := t.TempDir()
			t.Setenv(role, part)
			t.Setenv("LEARNER_TEST_FOLDER", folder)
			exam, err := stage.Exam(course.Options{Count: 1})
			if err != nil {
				t.Fatal(err)
			}
			l, err := Start([]string{os.Args[0]}, time.Hour)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			if part == "hangs" {
				go func() {
					defer cancel()
					for entries, _ := os.ReadDir(folder); len(entries) < least; entries, _ = os.ReadDir(folder) {
						time.Sleep(time.Millisecond)
					}
				}()
			}
			defer cancel()
			if err := l.Sit(ctx, exam); err == nil {
				t.Error("a program without answers is right")
			}
			entries, err := os.ReadDir(folder)
			if err != nil || len(entries) < least {
				t.Errorf("%d processes, %v, want %d", len(entries), err, least)
			}
			for _, e := range entries {
				if stat, err := os.ReadFile(fmt.Sprintf("/proc/%s/stat", e.Name())); err == nil {
					t.Errorf("process %s is left: %s", e.Name(), strings.TrimSpace(string(stat)))
					if pid, err := strconv.Atoi(e.Name()); err == nil {
						_ = syscall.Kill(pid, syscall.SIGKILL)
					}
				}
			}
		})
	}
}

// TestSitReadsToTheEnd checks that everything that a program wrote is read after the program has ended, although the pipes
// stay open: all answers, also a last line without a line feed, and the end of the standard error.
func TestSitReadsToTheEnd(t *testing.T) {
	const count = 3000
	var answers strings.Builder
	for i := range count {
		fmt.Fprintf(&answers, "\n{\"id\":%d}", i)
	}
	file := filepath.Join(t.TempDir(), "answers.jsonl")
	if err := os.WriteFile(file, []byte(answers.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv(role, "answers")
	t.Setenv("LEARNER_TEST_FOLDER", file)
	stage, _ := course.Find("overlap")
	exam, err := stage.Exam(course.Options{Count: count})
	if err != nil {
		t.Fatal(err)
	}
	l, err := Start([]string{os.Args[0]}, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Sit(t.Context(), exam); err != nil {
		t.Error(err)
	}
	if log := l.Log(); len(log) != tailLines || log[tailLines-1] != "complaint 4999" {
		t.Errorf("the log is %q, want %d lines, the last of them \"complaint 4999\"", log, tailLines)
	}
}
