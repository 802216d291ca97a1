// Package version identifies the build of a program: its version, the commit it was built from, and
// the machine it was built for. Both programs print it, and releases carry it.
package version

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// Number is the version of this source, by semantic versioning: the newest version that CHANGELOG.md
// lists. Releases of the same version can differ in their commit only by mistake, so [Describe]
// prints both.
const Number = "0.2.0"

// Describe returns the facts that a bug report needs. These are the program's name and version, the commit if version
// control recorded one, the hash of the renderer's source, and the Go release with the target. Each fact is a line that
// ends in "\n".
func Describe(program, renderer string) string {
	return describe(program, renderer, buildInfo())
}

// Build returns the version of this build in a few words and, if version control recorded it, the commit.
func Build() string { return build(buildInfo()) }

// Tags returns the build tags of this build, such as those of go build -tags.
func Tags() []string {
	return strings.FieldsFunc(settingsOf(buildInfo())["-tags"], func(r rune) bool { return r == ',' || r == ' ' })
}

func buildInfo() *debug.BuildInfo {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return info
}

func settingsOf(info *debug.BuildInfo) map[string]string {
	settings := make(map[string]string)
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	return settings
}

func build(info *debug.BuildInfo) string {
	settings := settingsOf(info)
	if settings["vcs.revision"] == "" {
		return "version " + Number
	}
	text := fmt.Sprintf("version %s, commit %.12s", Number, settings["vcs.revision"])
	if settings["vcs.modified"] == "true" {
		text += ", modified"
	}
	return text
}

func describe(program, renderer string, info *debug.BuildInfo) string {
	settings := settingsOf(info)
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", program, Number)
	if commit := settings["vcs.revision"]; commit != "" {
		fmt.Fprintf(&b, "commit %s of %s", commit, settings["vcs.time"])
		if settings["vcs.modified"] == "true" {
			b.WriteString(", modified")
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "renderer %s\n", renderer)
	fmt.Fprintf(&b, "%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	// GOAMD64, GOARM64 and so on: the instructions that the compiler may use.
	key := "GO" + strings.ToUpper(runtime.GOARCH)
	if level := settings[key]; level != "" {
		fmt.Fprintf(&b, " %s=%s", key, level)
	}
	b.WriteByte('\n')
	return b.String()
}
