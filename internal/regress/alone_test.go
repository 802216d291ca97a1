package regress_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math/rand/v2"
	"strings"
	"testing"

	"pillbox/golden"
	"pillbox/internal/regress"
	"pillbox/scene"
)

// change is an edit of [tray] that gives one cause.
type change struct{ label, from, to string }

func trayChanges() []change {
	const ball = "\n[[sphere]]\nname = \"ball 4\"\ncenter = [3.4, 0.2, 0.5]\nradius = 0.2\n"
	return []change{
		{"camera", "look_at = [0, 1, 0]", "look_at = [0, 1, 0]\nfov = 41"},
		{`capsule "arm"`, `color = "#c04040"`, `color = "#40c040"`},
		{`box "floor"`, "half_extents = [6, 0.5, 6]", "half_extents = [6, 0.5, 5]"},
		{"light[0]", "intensity = 0.8", "intensity = 0.7"},
		{"light[1]", "[material.chrome]", "[[light]]\nposition = [-5, 5, 5]\nintensity = 0.2\n[material.chrome]"},
		{"ambient", "ambient = 0.2", "ambient = 0.25"},
		{"bounces", "ambient", "bounces = 0\nambient"},
		{"background", `background = "#203040"`, `background = "#203060"`},
		{"antialias", "height = 120", "height = 120\nantialias = 2"},
		{`sphere "ball 4"`, ball, ""},
		{`box "lid"`, "[[box]]", "[[box]]\nname = \"lid\"\ncenter = [0, 9, 0]\nhalf_extents = [1, 0.1, 1]\n[[box]]"},
		{`sphere "ball 7"`, "ball 7\"\ncenter = [3.4,", "ball 7\"\ncenter = [3.5,"},
		{`sphere "mirror"`, "radius = 1\n", "radius = 1.1\n"},
		{`sphere "hidden"`, "[[capsule]]", "[[sphere]]\nname = \"hidden\"\ncenter = [0, -20, 0]\nradius = 0.2\n[[capsule]]"},
	}
}

func apply(t *testing.T, all []change, skip int) *scene.Scene {
	t.Helper()
	file := tray()
	for i, c := range all {
		if i != skip {
			file = edit(t, file, c.from, c.to)
		}
	}
	return decode(t, file)
}

// TestExplainAlone: what a cause is said to do alone is what happens if its edit alone is left out
// of the file, whether the view differs or not, and "Without effect" is said only if that is nothing.
func TestExplainAlone(t *testing.T) {
	accepted := decode(t, tray())
	want := render(t, accepted)
	for seed := range uint64(16) {
		r := rand.New(rand.NewPCG(seed, 7))
		all := trayChanges()
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all = all[:1+r.IntN(6)]
		present := apply(t, all, -1)
		got := render(t, present)
		report := explainPictures(t, accepted, present, compare(t, want, got, golden.Tolerance{}))
		for i, c := range all {
			diff, err := golden.Compare(render(t, apply(t, all, i)), got, golden.Tolerance{})
			if err != nil {
				t.Fatal(err)
			}
			wantAlone(t, report, c.label, diff.Differing)
		}
	}
}

func wantAlone(t *testing.T, report regress.Report, label string, want int) {
	t.Helper()
	for _, c := range report.Causes {
		if c.Label != label {
			continue
		}
		if c.Alone != want && (c.Alone >= 0 || c.Pixels == 0) {
			t.Errorf("%s alone changes %d pixels, want %d; %v", label, c.Alone, want, report)
		}
		_, idle, _ := strings.Cut(report.Text, "Without effect: ")
		if said := strings.Contains(idle, c.String()); said != (want == 0 && c.Pixels == 0) {
			t.Errorf("%s is said to be without effect: %t, and changes %d pixels; %v", label, said, want, report)
		}
		return
	}
	t.Errorf("no cause %s in %v", label, report)
}

// TestExplainAloneRenderer: behind a camera that moved, a renderer that changed is found, too.
func TestExplainAloneRenderer(t *testing.T) {
	accepted, present := decode(t, pills), decode(t, edit(t, pills, "position = [0, 0, 10]", "position = [0, 0, 11]"))
	want, got := render(t, accepted), render(t, present)
	want.Pix[0] ^= 1
	report := explainPictures(t, accepted, present, compare(t, want, got, golden.Tolerance{}))
	if !strings.HasSuffix(report.Text, ". Also: the renderer changed, 1 by itself") {
		t.Errorf("%q does not tell that the renderer changed", report)
	}
}

// TestExplainAloneUnknown: what was not tried, or failed, is never said to be without effect.
func TestExplainAloneUnknown(t *testing.T) {
	accepted := decode(t, tray())
	present := decode(t, edit(t, tray(), "look_at = [0, 1, 0]", "look_at = [0, 1, 0]\nfov = 41", "intensity = 0.8", "intensity = 0.7"))
	c := compare(t, render(t, accepted), render(t, present), golden.Tolerance{})
	broken := func(context.Context, *scene.Scene) (*image.NRGBA, error) { return nil, errors.New("no room") }
	for _, c.Render = range []func(context.Context, *scene.Scene) (*image.NRGBA, error){nil, broken} {
		report := explainPictures(t, accepted, present, c)
		if want := ". Not separable: light[0] changed (intensity 0.8 to 0.7)"; !strings.HasSuffix(report.Text, want) {
			t.Errorf("%q, want %q", report, want)
		}
	}

	ctx, cancel := context.WithCancel(t.Context())
	c.Render = func(ctx context.Context, _ *scene.Scene) (*image.NRGBA, error) {
		cancel()
		return nil, ctx.Err()
	}
	if _, err := regress.Explain(ctx, accepted, present, c); !errors.Is(err, context.Canceled) {
		t.Errorf("Explain = %v after the context ended, want %v", err, context.Canceled)
	}
}

// TestExplainAloneLimit: no more experiments are made than is documented.
func TestExplainAloneLimit(t *testing.T) {
	var file, other strings.Builder
	for i := range regress.MaxExperiments + 8 {
		fmt.Fprintf(&file, "[[sphere]]\nname = \"%d\"\ncenter = [%d, 0, 0]\nradius = 0.4\n", i, i)
		fmt.Fprintf(&other, "[[sphere]]\nname = \"%d\"\ncenter = [%d, 0.5, 0]\nradius = 0.4\n", i, i)
	}
	const image64 = "[image]\nwidth = 64\nheight = 48\n[camera]\nposition = [0, 0, 10]\nlook_at = [%d, 0, 0]\n"
	accepted, present := decode(t, fmt.Sprintf(image64, 0)+file.String()), decode(t, fmt.Sprintf(image64, 1)+other.String())
	c := compare(t, render(t, accepted), render(t, present), golden.Tolerance{})
	made := 0
	c.Render = func(ctx context.Context, s *scene.Scene) (*image.NRGBA, error) {
		made++
		return renderWhole(ctx, s)
	}
	report := explainPictures(t, accepted, present, c)
	if made != regress.MaxExperiments || !strings.Contains(report.Text, "Not separable: ") {
		t.Errorf("%d experiments, want %d; %v", made, regress.MaxExperiments, report)
	}
}
