package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pillbox/cmd/render/program"
	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/command"
)

// sections returns the parts of docs/*.md that describe commands, by heading, such as `render golden check`.
func sections(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(names) < 5 {
		t.Fatalf("%d pages, %v", len(names), err)
	}
	heading := regexp.MustCompile("(?m)^##+ `(render[ a-z]*)`\n")
	found := make(map[string]string)
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		page := string(data)
		all := heading.FindAllStringSubmatchIndex(page, -1)
		for i, m := range all {
			end := len(page)
			if i+1 < len(all) {
				end = all[i+1][0]
			}
			command := page[m[2]:m[3]]
			if _, ok := found[command]; ok {
				t.Errorf("two sections about %s", command)
			}
			found[command] = page[m[1]:end]
		}
	}
	return found
}

// TestDocsHaveEveryCommandAndFlag checks that the pages in docs have one section for each command. The table in
// the section must list exactly the flags of the command.
func TestDocsHaveEveryCommandAndFlag(t *testing.T) {
	documented := sections(t)
	flag := regexp.MustCompile("`(?:-[a-z]`, `)?--([a-z-]+)")
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		text, ok := documented[cmd.CommandPath()]
		if !ok {
			t.Errorf("docs has no section `%s`", cmd.CommandPath())
		}
		delete(documented, cmd.CommandPath())
		var got, want []string
		for line := range strings.Lines(text) {
			if cells := strings.Split(line, " | "); strings.HasPrefix(line, "| `-") {
				for _, m := range flag.FindAllStringSubmatch(cells[0], -1) {
					got = append(got, m[1])
				}
			}
		}
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" {
				want = append(want, f.Name)
			}
		})
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("docs has the flags %q of %s, want %q", got, cmd.CommandPath(), want)
		}
		for _, c := range cmd.Commands() {
			if !c.Hidden && !c.IsAdditionalHelpTopicCommand() {
				walk(c)
			}
		}
	}
	root := program.New(command.NewEnv(command.Streams{}, programtest.Tested))
	root.InitDefaultHelpCmd()
	walk(root)
	for command := range documented {
		t.Errorf("docs has a section about %s, which is no command", command)
	}
}

// TestDocsListEveryCommand checks that the list of commands at the beginning of docs/program.md is complete, and that the
// page names the flags of all commands.
func TestDocsListEveryCommand(t *testing.T) {
	data, err := os.ReadFile("../../docs/program.md")
	if err != nil {
		t.Fatal(err)
	}
	root := program.New(command.NewEnv(command.Streams{}, programtest.Tested))
	list := regexp.MustCompile("(?m)^    render ([a-z]+)").FindAllStringSubmatch(string(data), -1)
	for _, cmd := range root.Commands() {
		if !cmd.Hidden && !cmd.IsAdditionalHelpTopicCommand() && !slices.ContainsFunc(list, func(m []string) bool { return m[1] == cmd.Name() }) {
			t.Errorf("docs/program.md does not list %s", cmd.CommandPath())
		}
	}
	for _, m := range list {
		if cmd, _, err := root.Find([]string{m[1]}); err != nil || cmd == root {
			t.Errorf("docs/program.md lists %q, which is no command", m[1])
		}
	}
	root.PersistentFlags().VisitAll(func(f *pflag.Flag) {
		if !strings.Contains(string(data), "`--"+f.Name+"`") {
			t.Errorf("docs/program.md does not describe --%s", f.Name)
		}
	})
}
