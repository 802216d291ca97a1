package suite

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pillbox/internal/fixture"
	"pillbox/internal/osfile"
)

// recordingT records what a test reports.
type recordingT struct {
	testing.TB
	errors []string
}

func (r *recordingT) Helper()                  {}
func (r *recordingT) Context() context.Context { return context.Background() }
func (r *recordingT) Logf(string, ...any)      {}
func (r *recordingT) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

func asserted(o Options) []string {
	r := new(recordingT)
	Assert(r, o)
	return r.errors
}

// TestAssert checks that a failure states the verdict, the cause and its solids, the new picture and how to accept it, that
// Assert writes that picture and removes it once the scene passes, and that a common cause is one failure.
func TestAssert(t *testing.T) {
	sharedProject(t)
	if got := asserted(Options{}); len(got) > 0 {
		t.Fatalf("identical scenes: %q", got)
	}
	fixture.Edit(t, "scenes/s04.toml", "radius = 0.75", "radius = 0.9")
	got := asserted(Options{})
	if len(got) != 1 {
		t.Fatalf("%q, want one failure", got)
	}
	for _, want := range []string{
		"s04: changed\n", "pixels of 432 changed", `sphere[1].radius of "moon", 0.75 to 0.9: `, `on sphere "moon"`,
		"\tgot golden/s04.new.png\n\taccept with render golden accept s04",
	} {
		if !strings.Contains(got[0], want) {
			t.Errorf("no %q in\n%s", want, got[0])
		}
	}
	if !osfile.Exists("golden/s04.new.png") {
		t.Error("the new picture was not written")
	}
	fixture.Edit(t, "scenes/s04.toml", "radius = 0.9", "radius = 0.75")
	if got := asserted(Options{}); len(got) > 0 || osfile.Exists("golden/s04.new.png") {
		t.Errorf("undone: %q", got)
	}
	fixture.Edit(t, "scenes/lib/look.toml", "red\"", "green\"")
	if got := asserted(Options{}); len(got) != 1 || !strings.HasPrefix(got[0], "scenes/lib/look.toml:2: material.red.color") || !strings.Contains(got[0], "accept with render golden accept s14") {
		t.Errorf("a common cause: %q", got)
	}
	if got := asserted(Options{Scenes: []string{"nothing"}}); len(got) != 1 || !strings.HasPrefix(got[0], "goldens: no scene ") {
		t.Errorf("no such scene: %q", got)
	}
}
