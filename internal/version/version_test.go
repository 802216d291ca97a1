package version

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func Example() {
	first, _, _ := strings.Cut(Describe("render", "5eed"), "\n")
	fmt.Println(first == "render "+Number)
	// Output: true
}

func TestDescribe(t *testing.T) {
	machine := runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
	level := "GO" + strings.ToUpper(runtime.GOARCH)
	modified := &debug.BuildInfo{
		Settings: []debug.BuildSetting{
			{Key: "vcs.revision", Value: "0123abc"},
			{Key: "vcs.time", Value: "2026-01-02T03:04:05Z"},
			{Key: "vcs.modified", Value: "true"},
			{Key: level, Value: "v9"},
		},
	}
	for _, test := range []struct {
		info *debug.BuildInfo
		want string
		few  string
	}{
		{&debug.BuildInfo{}, "render " + Number + "\nrenderer 5eed\n" + machine + "\n", "version " + Number},
		{modified, "render " + Number + "\ncommit 0123abc of 2026-01-02T03:04:05Z, modified\nrenderer 5eed\n" + machine + " " + level + "=v9\n",
			"version " + Number + ", commit 0123abc, modified"},
	} {
		if got := describe("render", "5eed", test.info); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
		if got := build(test.info); got != test.few {
			t.Errorf("got %q, want %q", got, test.few)
		}
	}
}

// TestNumberIsNewestInChangelog checks that Number is the newest version in CHANGELOG.md.
func TestNumberIsNewestInChangelog(t *testing.T) {
	text, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	headings := regexp.MustCompile(`(?m)^## (\S+), \d{4}-\d\d-\d\d$`).FindAllStringSubmatch(string(text), -1)
	if len(headings) == 0 || headings[0][1] != Number {
		t.Errorf("the newest version in CHANGELOG.md is %q, want %q", headings, Number)
	}
}
