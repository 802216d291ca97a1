package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
)

// openTerminal creates a pseudoterminal of the given size. It returns the end at which the test acts as a person,
// and the end at which the program runs.
func openTerminal(t *testing.T, size unix.Winsize) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	t.Cleanup(func() { person.Close() })
	fd := int(person.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &size); err != nil {
		t.Fatal(err)
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	return person, program
}

// onTerminal runs cmd on a terminal with the given number of columns, and returns its output. Whenever more output
// appears, onTerminal calls the function seen with all output so far.
func onTerminal(t *testing.T, cmd *exec.Cmd, columns uint16, seen func(text string, person *os.File)) string {
	t.Helper()
	return onTerminalOf(t, cmd, unix.Winsize{Row: 24, Col: columns}, seen)
}

// onTerminalOf runs cmd on a terminal of the given size, and returns its output. Whenever more output appears,
// onTerminalOf calls the function seen with all output so far.
func onTerminalOf(t *testing.T, cmd *exec.Cmd, size unix.Winsize, seen func(text string, person *os.File)) string {
	t.Helper()
	person, program := openTerminal(t, size)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = program, program, program
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	program.Close()
	var shown bytes.Buffer
	buf := make([]byte, 4096)
	for {
		n, err := person.Read(buf)
		if err != nil {
			break // the program has closed its end
		}
		shown.Write(buf[:n])
		if seen != nil {
			seen(shown.String(), person)
		}
	}
	_ = cmd.Wait() // the caller examines the exit status
	return shown.String()
}

// TestTerminalInterrupt presses Ctrl-C, or sends SIGTERM, when the progress bar first shows progress. The command
// must save the unfinished picture, print its name, and exit with the status of an interrupt.
func TestTerminalInterrupt(t *testing.T) {
	for _, how := range []string{"Ctrl-C", "SIGTERM"} {
		programtest.InFolder(t, map[string]string{"slow.toml": slow})
		cmd := programtest.Process(t, "slow.toml", "-o", "out.png")
		done := false
		shown := onTerminal(t, cmd, 100, func(text string, person *os.File) {
			if done || !strings.Contains(text, "%") {
				return
			}
			done = true
			var err error
			if how == "Ctrl-C" {
				_, err = person.WriteString("\x03")
			} else {
				err = cmd.Process.Signal(syscall.SIGTERM)
			}
			if err != nil {
				t.Error(err)
			}
		})
		if got := cmd.ProcessState.ExitCode(); got != cli.StatusInterrupted {
			t.Errorf("%s: %v, want exit status %d", how, cmd.ProcessState, cli.StatusInterrupted)
		}
		if want := "render: interrupted; out.partial.png holds the "; !strings.Contains(shown, want) {
			t.Errorf("%s: the terminal shows %q, want %q", how, shown, want)
		}
		if bar := regexp.MustCompile(`\rrendering +\d+% \|.*\(\d+ px/s\) \[\d+s:\w+\]`); !bar.MatchString(shown) {
			t.Errorf("%s: the terminal shows %q, want a bar with the time that remains", how, shown)
		}
		programtest.WantFiles(t, "out.partial.png", "slow.toml")
		if size := decode(t, "out.partial.png").Rect.Size(); size.X != 2000 || size.Y != 1500 {
			t.Errorf("%s: the partial picture has %v pixels", how, size)
		}
	}
}

func TestTerminalProblems(t *testing.T) {
	programtest.InFolder(t, map[string]string{"wrong.toml": programtest.Wrong})
	for _, test := range []struct{ environment, want string }{
		{"TERM=xterm", "      |          \x1b[1;31m^^\x1b[0m\r\n"},
		{"NO_COLOR=1", "    4 | radius = -1\r\n      |          ^^\r\n"},
		{"TERM=dumb", "    4 | radius = -1\r\n      |          ^^\r\n"},
	} {
		cmd := programtest.Process(t, "check", "wrong.toml")
		cmd.Env = append(cmd.Env, "NO_COLOR=", "TERM=xterm", test.environment)
		shown := onTerminal(t, cmd, 100, nil)
		if cmd.ProcessState.ExitCode() != cli.StatusWrong || !strings.Contains(shown, test.want) {
			t.Errorf("%s: %v, the terminal shows\n%q\nwant\n%q", test.environment, cmd.ProcessState, shown, test.want)
		}
	}
}

// TestTerminalNarrow checks that no line is longer than a narrow terminal is wide.
func TestTerminalNarrow(t *testing.T) {
	programtest.InFolder(t, map[string]string{"wrong.toml": "[[sphere]]\ncenter = [0, 0, 0]\nradius = -1 # " + strings.Repeat("long ", 50)})
	shown := onTerminal(t, programtest.Process(t, "check", "wrong.toml"), 40, nil)
	lines := strings.Split(shown, "\r\n")
	if len(lines) < 3 || len([]rune(lines[1])) > 40 {
		t.Errorf("the terminal shows %q, want an excerpt of 40 cells", shown)
	}
}

// reviewOn runs golden review on a terminal of the given size, and returns its output. It carries out the steps in
// order, each one when the step's text appears on the terminal.
func reviewOn(t *testing.T, size unix.Winsize, environment []string, steps func(cmd *exec.Cmd) []terminalStep) string {
	t.Helper()
	cmd := programtest.Process(t, "golden", "review")
	cmd.Env = append(cmd.Env, "NO_COLOR=", "TERM=xterm", "COLORTERM=truecolor", "LC_ALL=C.UTF-8")
	cmd.Env = append(cmd.Env, environment...)
	left := steps(cmd)
	seen := 0
	shown := onTerminalOf(t, cmd, size, func(text string, person *os.File) {
		for len(left) > 0 {
			at := strings.Index(text[seen:], left[0].text)
			if at < 0 {
				return
			}
			seen += at + len(left[0].text)
			do := left[0].do
			left = left[1:]
			do(person)
		}
	})
	if len(left) > 0 {
		t.Errorf("%q does not appear in %q", left[0].text, shown)
	}
	return shown
}

type terminalStep struct {
	text string
	do   func(person *os.File)
}

// types returns a function that types the text on the terminal. Steps of [reviewOn] call such functions.
func types(text string) func(*os.File) {
	return func(person *os.File) { _, _ = person.WriteString(text) }
}

// screenRows removes escape sequences from text, and splits it into the rows that it occupies on a terminal.
func screenRows(text string, columns int) (rows []string) {
	text = regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(strings.ReplaceAll(text, "\r", ""), "")
	for _, line := range strings.Split(text, "\n") {
		cells := []rune(line)
		for len(cells) > columns {
			rows, cells = append(rows, string(cells[:columns])), cells[columns:]
		}
		rows = append(rows, string(cells))
	}
	return rows
}

// TestTerminalReviewFits checks the height of the pictures in golden review, also after the terminal's size has
// changed. They must be at least four rows high, and higher only if all text remains visible.
func TestTerminalReviewFits(t *testing.T) {
	reviewProject(t)
	small, large := unix.Winsize{Row: 12, Col: 40}, unix.Winsize{Row: 30, Col: 100}
	resize := func(size unix.Winsize) func(*os.File) {
		return func(person *os.File) {
			if err := unix.IoctlSetWinsize(int(person.Fd()), unix.TIOCSWINSZ, &size); err != nil {
				t.Error(err)
			}
		}
	}
	shown := reviewOn(t, small, nil, func(*exec.Cmd) []terminalStep {
		return []terminalStep{
			{shownIfNarrow, resize(large)},
			{shownPrompt, resize(small)},
			{shownIfNarrow, types("s\n")},
			{shownIfNarrow, types("q\n")},
		}
	})
	views := regexp.MustCompile(`\d of 4  `).FindAllStringIndex(shown, -1)
	if len(views) != 4 {
		t.Fatalf("%d views, want 4: %q", len(views), shown)
	}
	for i, size := range []unix.Winsize{small, large, small, small} {
		view := shown[views[i][0]:]
		end := strings.Index(view, shownIfNarrow) + len(shownIfNarrow)
		if size == large {
			end = strings.Index(view, shownPrompt) + len(shownPrompt)
		}
		rows := screenRows(view[:end], int(size.Col))
		pictures := 0
		for _, row := range rows {
			if strings.Contains(row, "▀") {
				pictures++
			}
		}
		// At least four rows of pictures are shown, even if a long text then scrolls away. More rows are shown only if
		// all of the text remains visible.
		if pictures < 4 || pictures > 4 && len(rows) > int(size.Row) {
			t.Errorf("view %d takes %d rows of %d, %d with pictures:\n%s", i, len(rows), size.Row, pictures, strings.Join(rows, "\n"))
		}
	}
}

// TestTerminalReviewASCII checks that golden review draws pictures with colored spaces in a locale without Unicode.
func TestTerminalReviewASCII(t *testing.T) {
	reviewProject(t)
	shown := reviewOn(t, unix.Winsize{Row: 24, Col: 80}, []string{"LC_ALL=C"}, func(*exec.Cmd) []terminalStep {
		return []terminalStep{{shownPrompt, types("q\n")}}
	})
	for _, c := range shown {
		if c > '~' {
			t.Fatalf("%q in a locale without it: %q", c, shown)
		}
	}
	if n := strings.Count(shown, "\x1b[48;2;"); n < 300 {
		t.Errorf("%d colored cells: %q", n, shown)
	}
}

// TestTerminalReviewContinues stops golden review and continues it: it must print the prompt again. After an
// interrupt, it must print how many references were accepted.
func TestTerminalReviewContinues(t *testing.T) {
	reviewProject(t)
	shown := reviewOn(t, unix.Winsize{Row: 24, Col: 80}, nil, func(cmd *exec.Cmd) []terminalStep {
		return []terminalStep{
			{shownPrompt, types("a\n")},
			{"2 of 4", func(*os.File) {}},
			{shownPrompt, func(*os.File) {
				// Ctrl-Z does not stop a process without a shell as its parent, so signals are sent instead.
				if err := errors.Join(cmd.Process.Signal(syscall.SIGSTOP), cmd.Process.Signal(syscall.SIGCONT)); err != nil {
					t.Error(err)
				}
			}},
			{shownPrompt, func(*os.File) {
				// A typed Ctrl-C could discard output that is printed just after it, so a signal is sent instead.
				if err := cmd.Process.Signal(os.Interrupt); err != nil {
					t.Error(err)
				}
			}},
			{"1 accepted, 0 rejected, 3 pending\r\nrender: interrupted", func(*os.File) {}},
		}
	})
	if !strings.Contains(shown, shownPrompt+"\r\n"+shownPrompt) {
		t.Errorf("the terminal shows %q", shown)
	}
}

// TestSystemFolder checks the error for an output in a folder of the system in which not even root may write.
func TestSystemFolder(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": picturesque})
	for _, name := range []string{"/proc/out.png", "/sys/out.png"} {
		got := programtest.Invocation{}.Run("s.toml", "-o", name)
		if got.Status != cli.StatusFile || !strings.HasPrefix(got.Stderr, "render: write "+name+": ") || strings.Count(got.Stderr, "\n") != 1 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// fullDevice returns the name of a device on which every write fails because the device is full.
func fullDevice(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		return "/dev/full" // the program has no right to replace it
	}
	const name = "full"
	if err := unix.Mknod(name, unix.S_IFCHR|0o666, int(unix.Mkdev(1, 7))); err != nil {
		t.Skipf("no device can be made here: %v", err)
	}
	return name
}

func TestProcessFullDisk(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": picturesque})
	full := fullDevice(t)
	device, err := os.OpenFile(full, os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("no device can be opened here: %v", err)
	}
	defer device.Close()
	for args, want := range map[string]string{
		"s.toml -o " + full: "render: write " + full + ": no space left on device\n",
		"s.toml -o -":       "render: write /dev/stdout: no space left on device\n",
		"schema":            "render: write /dev/stdout: no space left on device\n",
	} {
		cmd := programtest.Process(t, strings.Fields(args)...)
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = device, &stderr
		finish(t, cmd)
		if got := cmd.ProcessState.ExitCode(); got != cli.StatusFile || stderr.String() != want {
			t.Errorf("render %s: %v, standard error %q, want %q", args, cmd.ProcessState, &stderr, want)
		}
	}
}
