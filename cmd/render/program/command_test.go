package program

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/osfile"
)

// TestConstructors checks that each command has the name by which it is found before it is made, and no other.
func TestConstructors(t *testing.T) {
	p := command.NewEnv(command.Streams{}, nil)
	for _, c := range constructors(nil) {
		if made := c.New(p); made.Name() != c.Name || len(made.Aliases) > 0 {
			t.Errorf("%s is the command %s with the other names %q", c.Name, made.Name(), made.Aliases)
		}
	}
}

// TestNeeded checks which commands the program makes. Help and errors must be the same as with all commands.
func TestNeeded(t *testing.T) {
	const all = "all"
	for args, want := range map[string]string{
		"":                        all,
		"version":                 "version",
		"golden check -v":         "golden",
		"command_test.go -o b":    "",
		"./testing":               all,
		"-":                       all,
		"scene":                   all,
		"--quiet version":         all,
		"-o a.png a.toml":         all,
		"golden --help":           all,
		"golden -h":               all,
		"command_test.go -qh":     all,
		"help version":            all,
		"completion bash":         all,
		"__complete golden check": all,
		"goldne":                  all,
	} {
		var names []string
		cs := constructors(nil)
		for _, c := range needed(cs, strings.Fields(args)) {
			names = append(names, c.Name)
		}
		got := strings.Join(names, " ")
		if len(names) == len(cs) {
			got = all
		}
		if got != want {
			t.Errorf("render %s makes the commands %q, want %q", args, got, want)
		}
	}
}

// TestFewerCommandsAnswerAlike runs the program with all commands and with only those it needs: what it prints must be the same.
func TestFewerCommandsAnswerAlike(t *testing.T) {
	var cases []string
	for _, c := range constructors(nil) {
		if c.Name == "watch" {
			continue // it waits
		}
		cases = append(cases, c.Name+" --help", "help "+c.Name, c.Name+" --unknown", c.Name+" absent.toml extra extra")
	}
	cases = append(cases, "version", "verson", "absent.toml", "absent.toml --unknown", "absent.toml version", "./version", "command_test.go", "command_test.go version", "golden", "golden chek", "golden help")
	for _, line := range cases {
		args := strings.Fields(line)
		var outcomes []string
		for _, made := range [][]string{nil, args} {
			var printed strings.Builder
			screen := cli.Screen{Writer: &printed}
			p := command.NewEnv(command.Streams{In: strings.NewReader(""), Out: screen, Err: screen, Files: new(osfile.Outputs)}, nil)
			status := execute(context.Background(), p, newFor(p, made), args)
			outcomes = append(outcomes, fmt.Sprintf("%sstatus %d", printed.String(), status))
		}
		if outcomes[0] != outcomes[1] {
			t.Errorf("render %s: with all commands\n%s\nwith fewer\n%s", line, outcomes[0], outcomes[1])
		}
	}
}
