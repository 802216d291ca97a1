package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "version",
		Short:             "Print the version of the program",
		Long:              "Print the version of the program, what it was built from, and for which machine.",
		GroupID:           groupProgram,
		Args:              wantArgs(0, 0, "no arguments"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(*cobra.Command, []string) error { return p.writeVersion() },
	}
}

func (p *program) writeVersion() error {
	_, err := io.WriteString(p.out, version())
	return err
}

func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return describeBuild(info)
}

// describeBuild returns what a report of a fault should say: two lines or, with version
// control, three.
func describeBuild(info *debug.BuildInfo) string {
	settings := make(map[string]string)
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	number := info.Main.Version
	if number == "" {
		number = "(devel)"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "render %s\n", number)
	if commit := settings["vcs.revision"]; commit != "" {
		fmt.Fprintf(&b, "commit %s of %s", commit, settings["vcs.time"])
		if settings["vcs.modified"] == "true" {
			b.WriteString(", modified")
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	// GOAMD64, GOARM64 and so on: the instructions that the compiler may use.
	key := "GO" + strings.ToUpper(runtime.GOARCH)
	if level := settings[key]; level != "" {
		fmt.Fprintf(&b, " %s=%s", key, level)
	}
	b.WriteByte('\n')
	return b.String()
}
