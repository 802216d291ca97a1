package scene_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pillbox/scene"
	"pillbox/shade"
)

// TestHulls checks which ghosts form a hull: those of one material within one copy of an outermost placement. The hulls
// must be the same after the scene is written and read again.
func TestHulls(t *testing.T) {
	s, _ := decoded(t, `
		[material.red]
		color = "red"
		ghost = 0.5
		[material.twin]
		color = "red"
		ghost = 0.5
		[material.plain]
		color = "red"
		[[sphere]]
		name = "a"
		center = [0, 0, 0]
		radius = 1
		material = "red"
		[[capsule]]
		name = "b"
		a = [0, 0, 0]
		b = [0, 1, 0]
		radius = 1
		material = "red"
		[[sphere]]
		name = "c"
		center = [0, 0, 0]
		radius = 1
		material = "twin"
		[[sphere]]
		name = "d"
		center = [0, 0, 0]
		radius = 1
		color = "red"
		ghost = 0.5
		[[box]]
		name = "e"
		center = [0, 0, 0]
		half_extents = [1, 1, 1]
		color = "red"
		ghost = 0.5
		[[sphere]]
		name = "f"
		center = [0, 0, 0]
		radius = 1
		material = "twin"
		ghost = 0.25
		[[sphere]]
		name = "g"
		center = [0, 0, 0]
		radius = 1
		material = "twin"
		ghost = 1
		[[part.finger.capsule]]
		name = "bone"
		a = [0, 0, 0]
		b = [0, 1, 0]
		radius = 1
		material = "red"
		[[part.finger.sphere]]
		name = "tip"
		center = [0, 0, 0]
		radius = 1
		[[part.finger.sphere]]
		name = "nail"
		center = [0, 0, 0]
		radius = 1
		ghost = 0.75
		[[part.hand.place]]
		name = "index"
		part = "finger"
		[[part.hand.place]]
		name = "thumb"
		part = "finger"
		material = "plain"
		[[place]]
		name = "left"
		part = "hand"
		material = "red"
		[[place]]
		name = "more"
		part = "hand"
		material = "red"
		count = 2
		step = { position = [1, 0, 0] }
	`)
	want := "a b|c|d e|f|" +
		"left/index/bone left/index/tip left/thumb/bone|left/index/nail|left/thumb/nail|" +
		"more[0]/index/bone more[0]/index/tip more[0]/thumb/bone|more[0]/index/nail|more[0]/thumb/nail|" +
		"more[1]/index/bone more[1]/index/tip more[1]/thumb/bone|more[1]/index/nail|more[1]/thumb/nail"
	checkHulls(t, s, want)
	for name, share := range map[string]float64{"g": 0, "left/thumb/tip": 0, "f": 0.25, "left/index/nail": 0.75, "more[1]/thumb/bone": 0.5} {
		got := 0.0
		for i := range s.Objects.Len() {
			if g := s.Objects.Material(i).Ghost; s.Objects.Name(i) == name && g != nil {
				got = g.Share
			}
		}
		if got != share {
			t.Errorf("%s has the share %v, want %v", name, got, share)
		}
	}
	var file bytes.Buffer
	if err := s.WriteTOML(&file); err != nil {
		t.Fatal(err)
	}
	again, err := scene.Decode("again.toml", file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	checkHulls(t, again, want)
	if !scene.SameSolids(s, again) {
		t.Error("other solids, or other ghosts, after writing and reading")
	}
}

// checkHulls compares the hulls of s with a text: the names of the solids of each, separated by bars.
func checkHulls(t *testing.T, s *scene.Scene, want string) {
	t.Helper()
	groups := make(map[string]shade.Surface) // by name
	for i := range s.Objects.Len() {
		if s.Objects.IsGhost(i) {
			groups[s.Objects.Name(i)] = s.Objects.Material(i).Surface()
		}
	}
	n := 0
	for hull := range strings.SplitSeq(want, "|") {
		names := strings.Fields(hull)
		n += len(names)
		for name, look := range groups {
			belongs := false
			for _, other := range names {
				belongs = belongs || other == name
			}
			if (look == groups[names[0]]) != belongs {
				t.Errorf("%s is in the hull of %s: %v, want %v", name, names[0], !belongs, belongs)
			}
		}
	}
	if n != len(groups) {
		t.Errorf("%d ghosts, want %d", len(groups), n)
	}
}

// TestAnimatedGhost checks that the share of a ghost can change over time, also to an ordinary surface, for solids in tables,
// in parts and in bulk files.
func TestAnimatedGhost(t *testing.T) {
	s, _ := decoded(t, `
		[[sphere]]
		name = "ball"
		center = [0, 0, 0]
		radius = 1
		[[part.p.sphere]]
		name = "dot"
		center = [0, 0, 0]
		radius = 1
		ghost = 0.5
		[[place]]
		name = "one"
		part = "p"
		color = "red"
		[[animate]]
		target = "ball.ghost"
		times = [0, 1, 2]
		values = [1, 0.5, 1]
		[[animate]]
		target = "one/dot.ghost"
		times = [0, 1]
		values = [0.5, 0.25]
		[[part.plain.sphere]]
		center = [0, 0, 0]
		radius = 1
		[[place]]
		name = "two"
		part = "plain"
		[[animate]]
		target = "two.ghost"
		times = [0, 1]
		values = [0.5, 1]
	`)
	for seconds, want := range map[float64]string{0: "1 0.5 0.5", 0.5: "0.75 0.375 0.75", 1: "0.5 0.25 1", 2: "1 0.25 1"} {
		at, err := s.At(seconds)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i := range at.Objects.Len() {
			share := 1.0
			if g := at.Objects.Material(i).Ghost; g != nil {
				share = g.Share
			}
			got = append(got, fmt.Sprint(share))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("at %v s: %v, want %s", seconds, got, want)
		}
	}
	now, later := at(t, s, 0), at(t, s, 1)
	if scene.SameSolids(now, later) {
		t.Error("scenes with other ghosts count as scenes with the same solids")
	}
}

// TestGhostMirrors checks the scenes made in Go that are refused, and the placements that would make a ghost a mirror.
func TestGhostMirrors(t *testing.T) {
	for _, m := range []shade.Material{
		{Mirror: 0.5, Ghost: &shade.Ghost{Share: 0.5}},
		{Ghost: &shade.Ghost{Share: 0}},
		{Ghost: &shade.Ghost{Share: 1}},
		{Ghost: &shade.Ghost{Share: -1}},
	} {
		s, _ := decoded(t, "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1")
		s.Objects = scene.NewObjects(scene.Object{Material: m})
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), "ghost") {
			t.Errorf("%+v: %v", m, err)
		}
	}
	_, err := scene.Decode("x.toml", []byte(`
		[material.steel]
		mirror = 0.5
		[[part.p.sphere]]
		center = [0, 0, 0]
		radius = 1
		ghost = 0.5
		[[place]]
		part = "p"
		material = "steel"
	`))
	if err == nil || !strings.Contains(err.Error(), "makes place[0]/sphere[0] (part.p.sphere[0]) both a ghost and a mirror: remove ghost or mirror") {
		t.Errorf("a placement that makes a ghost a mirror: %v", err)
	}
}

func at(t *testing.T, s *scene.Scene, seconds float64) *scene.Scene {
	t.Helper()
	now, err := s.At(seconds)
	if err != nil {
		t.Fatal(err)
	}
	return now
}

// TestFitFindsGhosts checks that the name of a material means all its ghosts: in every placement, and with another share.
func TestFitFindsGhosts(t *testing.T) {
	const header = `
		[camera]
		direction = [0, 0, -1]
		fit = "%[1]s"
		[[section]]
		point = [0, 0, 0]
		normal = [0, 0, 1]
		on = "%[1]s"
		[material.red]
		color = "red"
		[material.shell]
		color = "red"
		ghost = 0.5
		[material.twin]
		color = "red"
		ghost = 0.5
	`
	var text string
	for _, keys := range []string{`material = "red"`, "material = \"red\"\nghost = 0.5", "material = \"shell\"\nghost = 1", `material = "twin"`, `material = "shell"`, "material = \"shell\"\nghost = 0.25", `color = "red"`, "color = \"red\"\nghost = 0.5"} {
		text += "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n" + keys + "\n[[part.p.sphere]]\ncenter = [0, 0, 0]\nradius = 1\n" + keys + "\n"
	}
	for name, want := range map[string]string{
		"shell": "[{2 1} {4 2} {10 1} {12 2} {18 1} {20 2}]",
		"red":   "[{0 2} {8 2} {16 2}]",
		"twin":  "[{3 1} {11 1} {19 1}]",
	} {
		for _, ghost := range []string{"", "ghost = 0.3", "ghost = 1"} {
			s, _ := decoded(t, fmt.Sprintf(header, name)+text+"[[place]]\npart = \"p\"\n"+ghost+"\ncount = 2\nstep = { position = [3, 0, 0] }")
			if got := fmt.Sprint(s.Framing.Fit, s.Sections[0].Solids); got != want+" "+want {
				t.Errorf("%s, placed with %q: got %s, want %s twice", name, ghost, got, want)
			}
		}
	}
}

// TestPlacedGhosts checks which share a solid gets from its material, its own table and its placements.
func TestPlacedGhosts(t *testing.T) {
	const scene = `
		[material.shell]
		ghost = 0.5
		[material.plain]
		color = "red"
		[[part.p.sphere]]
		center = [0, 0, 0]
		radius = 1
		%s
		[[part.q.place]]
		part = "p"
		%s
		[[place]]
		part = "q"
		%s
	`
	const shell, plain = `material = "shell"`, `material = "plain"`
	for _, c := range []struct {
		solid, inner, outer string
		want                float64
	}{
		{"", "", "", 1},
		{"", shell, "", 0.5},
		{"", "", shell, 0.5},
		{"ghost = 1", "", shell, 1},
		{"ghost = 1", shell, "", 1},
		{"ghost = 1\n" + shell, "", "", 1},
		{"ghost = 0.25", shell, "", 0.25},
		{"ghost = 0.25", "ghost = 1", "ghost = 0.75", 0.25},
		{"ghost = 1", "ghost = 0.25", "ghost = 0.75", 1},
		{plain, "ghost = 0.25", "ghost = 0.75", 0.25},
		{plain, "", "ghost = 0.75", 0.75},
		{shell, "", "ghost = 0.75", 0.75},
		{shell, "ghost = 1", "ghost = 0.75", 1},
		{"", "ghost = 1", shell, 1},
		{"", shell, "ghost = 1", 1},
		{"", shell + "\nghost = 0.25", "", 0.25},
		{"", plain, "ghost = 0.25\n" + shell, 0.25},
		{"", "", "ghost = 1\n" + shell, 1},
	} {
		s, _ := decoded(t, fmt.Sprintf(scene, c.solid, c.inner, c.outer))
		got := 1.0
		if g := s.Objects.Material(0).Ghost; g != nil {
			got = g.Share
		}
		if got != c.want {
			t.Errorf("solid %q in %q in %q: share %v, want %v", c.solid, c.inner, c.outer, got, c.want)
		}
	}
}

// TestOpaqueCopyIsOrdinary checks that ghost = 1 gives the same objects as materials that are no ghosts.
func TestOpaqueCopyIsOrdinary(t *testing.T) {
	const scene = `
		[material.shell]
		color = "red"
		%s
		[[part.p.sphere]]
		center = [0, 0, 0]
		radius = 1
		%s
		[[place]]
		part = "p"
		material = "shell"
		%s
	`
	want, _ := decoded(t, fmt.Sprintf(scene, "", "", ""))
	for _, keys := range [][3]any{{"ghost = 1", "", ""}, {"ghost = 0.5", "ghost = 1", ""}, {"ghost = 0.5", "", "ghost = 1"}} {
		s, _ := decoded(t, fmt.Sprintf(scene, keys[:]...))
		if got := *s.Objects.Material(0); got != *want.Objects.Material(0) {
			t.Errorf("%q: got %+v", keys, got)
		}
	}
}

// TestIdleGhosts checks which ghosts get the warning that nothing lies behind them.
func TestIdleGhosts(t *testing.T) {
	const ghost = "[camera]\nposition = [0, 0, 9]\nlook_at = [0, 0, 0]\n[[sphere]]\nname = \"g\"\ncenter = [0, 0, 0]\nradius = 1\nghost = 0.5\n"
	const sphere = "[[sphere]]\ncenter = %s\nradius = 0.5\n%s\n"
	for rest, want := range map[string]bool{
		"":                                    true,
		fmt.Sprintf(sphere, "[0, 0, -3]", ""): false, // behind
		fmt.Sprintf(sphere, "[0, 0, 0]", ""):  false, // inside
		fmt.Sprintf(sphere, "[0, 0, 3]", ""):  true,  // before
		"[material.m]\nmirror = 0.5\n" + fmt.Sprintf(sphere, "[4, 0, 0]", "material = \"m\""): false, // the mirror may show something behind the ghost
		fmt.Sprintf(sphere, "[4, 0, 0]", ""):                                                  true,  // beside
		fmt.Sprintf(sphere, "[4, 0, 0]", "color = \"red\"\nghost = 0.25"):                     true,  // beside: both are reported
		fmt.Sprintf(sphere, "[0, 0, 9.5]", ""):                                                true,  // behind the camera
	} {
		s, _ := decoded(t, ghost+rest)
		got := false
		for _, w := range s.Warnings {
			got = got || strings.Contains(w.Message, "is a ghost before nothing") && strings.Contains(w.Key+w.Message, "sphere[0]")
		}
		if got != want {
			t.Errorf("%s\nwarnings %v, want one about the ghost: %v", rest, s.Warnings, want)
		}
	}
}

// TestIdleGhostsOfFramedScene checks that a ghost is judged in the view that the keys direction and fit give: the sphere is behind
// the ghost in the perspective of a camera that frames only the ghost.
func TestIdleGhostsOfFramedScene(t *testing.T) {
	s, _ := decoded(t, `
		[camera]
		direction = [0, 0, -1]
		fit = "g"
		[[sphere]]
		name = "g"
		center = [0, 0, 0]
		radius = 1
		ghost = 0.5
		[[sphere]]
		center = [3, 0, -6]
		radius = 1
		[[sphere]]
		center = [40, 0, 0]
		radius = 1
	`)
	for _, w := range s.Warnings {
		if strings.Contains(w.Message, "is a ghost before nothing") {
			t.Error(w)
		}
	}
}

func decoded(t *testing.T, text string) (*scene.Scene, []byte) {
	t.Helper()
	s, err := scene.Decode("s.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s, []byte(text)
}
