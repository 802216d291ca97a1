package main

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestDescribeBuild(t *testing.T) {
	machine := runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
	released := &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}
	local := &debug.BuildInfo{
		Main: debug.Module{Version: "(devel)"},
		Settings: []debug.BuildSetting{
			{Key: "vcs.revision", Value: "0123abc"},
			{Key: "vcs.time", Value: "2026-01-02T03:04:05Z"},
			{Key: "vcs.modified", Value: "true"},
			{Key: "GO" + strings.ToUpper(runtime.GOARCH), Value: "v9"},
		},
	}
	for _, test := range []struct {
		info *debug.BuildInfo
		want string
	}{
		{&debug.BuildInfo{}, "render (devel)\n" + machine + "\n"},
		{released, "render v1.2.3\n" + machine + "\n"},
		{local, "render (devel)\ncommit 0123abc of 2026-01-02T03:04:05Z, modified\n" + machine + " GO" + strings.ToUpper(runtime.GOARCH) + "=v9\n"},
	} {
		if got := describeBuild(test.info); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}
