package suite

import (
	"context"
	"image"
	"strings"
	"testing"
	"time"

	"pillbox/internal/fixture"
	"pillbox/scene"
)

// TestLimitAllowed checks that, without a fixed limit, finding causes may take as long as judging all references.
func TestLimitAllowed(t *testing.T) {
	for _, test := range []struct {
		limit *Limit
		want  time.Duration
	}{
		{&Limit{fixed: 0}, 0},
		{&Limit{fixed: 3 * time.Second, references: 9, judged: 1, judging: time.Hour}, 3 * time.Second},
		{&Limit{fixed: -1}, leastLimit},
		{&Limit{fixed: -1, references: 40, judged: 2, judging: time.Second}, 20 * time.Second},
		{&Limit{fixed: -1, references: 2, judged: 4, judging: 8 * time.Second}, 8 * time.Second},
	} {
		if got := test.limit.allowed(); got != test.want {
			t.Errorf("%+v allows %v, want %v", test.limit, got, test.want)
		}
	}
}

// TestCheckWithoutTimeForCauses checks that edits are counted but not examined if there is no time. The verdict
// must be the same.
func TestCheckWithoutTimeForCauses(t *testing.T) {
	project(t)
	fixture.Edit(t, "scenes/pills.toml", "a = [-1, 0.5, 0]", "a = [-0.9, 0.5, 0]")
	for r, err := range Check(t.Context(), Options{Limit: NewLimit(0)}) {
		if err != nil {
			t.Fatal(err)
		}
		if r.Name != "pills" {
			continue
		}
		if r.Verdict != Changed || r.Why.report.Unexamined != 1 || r.Cause() != "1 more edit not examined" || r.Origin.Line != 1 {
			t.Errorf("%v at %v", r, r.Origin)
		}
	}
}

// TestAnnotationsAtEdits checks that each edit that changed pixels has an annotation at its line. The edit with the
// most pixels must come first.
func TestAnnotationsAtEdits(t *testing.T) {
	project(t)
	fixture.Edit(t, "scenes/pills.toml", "a = [-1, 0.5, 0]", "a = [-0.9, 0.5, 0]")
	fixture.Edit(t, "scenes/pills.toml", "half_extents = [4, ", "half_extents = [3.5, ")
	fixture.Edit(t, "scenes/pills.toml", "[[box]]", "[material.unused]\ncolor = \"red\"\n[[box]]")
	r := check(t)["pills"]
	lines := strings.Split(fixture.Read(t, "scenes/pills.toml"), "\n")
	list := annotations(r)
	if len(list) != 2 || len(r.Why.report.Edits) != 3 {
		t.Fatalf("%d annotations of %d edits: %+v", len(list), len(r.Why.report.Edits), list)
	}
	for i, want := range []string{"half_extents = [3.5, ", "a = [-0.9, 0.5, 0]"} {
		if at := list[i].Location; at.File != r.Scene || !strings.HasPrefix(lines[at.Line-1], want) {
			t.Errorf("annotation %d is at line %d, want %s", i, at.Line, want)
		}
	}
	if !strings.Contains(list[0].Text, r.Cause()) || !strings.HasPrefix(list[1].Text, `capsule[0].a[0] of "arm", -1 to -0.9: undoing it changes `) {
		t.Errorf("got %+v", list)
	}
}

// TestRenderEndsAtLimit checks that the limit ends the render of an accepted scene that would go on without end.
func TestRenderEndsAtLimit(t *testing.T) {
	project(t)
	fixture.Edit(t, "scenes/pills.toml", "a = [-1, 0.5, 0]", "a = [-0.9, 0.5, 0]")
	pictures := 0
	endless := func(ctx context.Context, s *scene.Scene) (*image.NRGBA, error) {
		if pictures++; pictures == 1 {
			return (&Options{}).renderer()(ctx, s)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Minute):
			t.Error("the limit does not end a render")
			return nil, context.DeadlineExceeded
		}
	}
	for r, err := range Check(t.Context(), Options{Scenes: []string{"pills"}, Render: endless, Limit: NewLimit(time.Second)}) {
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != Changed || r.Why.report.Unexamined != 1 || r.Why.report.Renderer != -1 {
			t.Errorf("%v: %+v", r, r.Why)
		}
	}
}
