package suite

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pillbox/internal/fixture"
	"pillbox/internal/osfile"
)

// waver is a scene with a moving ball and three times at which it has golden pictures.
const waver = fixture.Ball + `
[animation]
duration = 2
golden = [0, 1.5, 10]

[[animate]]
target = "ball.center"
times = [0, 2]
values = [[-2, 0, 0], [2, 0, 0]]
`

func verdicts(t *testing.T) map[string]Verdict {
	t.Helper()
	all := make(map[string]Verdict)
	for name, r := range check(t) {
		all[name] = r.Verdict
	}
	return all
}

func wantVerdicts(t *testing.T, when string, want map[string]Verdict) {
	t.Helper()
	got := verdicts(t)
	for name, v := range want {
		if got[name] != v {
			t.Errorf("%s: %s is %q, want %q", when, name, got[name], v)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %v, want %v", when, got, want)
	}
}

// TestMoments checks the golden pictures of a moving scene at several times. After each edit, removal or
// acceptance, the picture at each time must have the expected verdict.
func TestMoments(t *testing.T) {
	fixture.Folder(t, map[string]string{"scenes/walk.toml": waver, "scenes/walk2.toml": fixture.Ball})
	wantVerdicts(t, "at first", map[string]Verdict{"walk": New, "walk@0": New, "walk@1.5": New, "walk@10": New, "walk2": New})
	acceptAll(t)
	for _, name := range []string{"walk", "walk@0", "walk@1.5", "walk@10"} {
		for _, ending := range []string{".png", ".scene.toml"} {
			if !osfile.Exists(filepath.Join("golden", name+ending)) {
				t.Errorf("no golden/%s%s", name, ending)
			}
		}
	}
	wantVerdicts(t, "accepted", map[string]Verdict{"walk": Identical, "walk@0": Identical, "walk@1.5": Identical, "walk@10": Identical, "walk2": Identical})

	// An edit of the end of the animation does not change a picture at its beginning.
	fixture.Edit(t, "scenes/walk.toml", "[2, 0, 0]]", "[2, 1, 0]]")
	wantVerdicts(t, "other values", map[string]Verdict{"walk": Identical, "walk@0": Identical, "walk@1.5": Changed, "walk@10": Changed, "walk2": Identical})
	r := check(t)["walk@1.5"]
	if want := `animate[0].values[1][1], 0 to 1: `; !strings.Contains(r.Why.report.Text, want) {
		t.Errorf("got %q, want %q", r.Why.report.Text, want)
	}
	if line := textLine([]byte(fixture.Read(t, "scenes/walk.toml")), r.Origin.Line); !strings.HasPrefix(line, "values = ") {
		t.Errorf("%v, which is %q, want the values", r.Origin, line)
	}
	var junit bytes.Buffer
	if err := WriteJUnit(&junit, []*Result{r}, filepath.ToSlash); err != nil || !strings.Contains(junit.String(), `name="walk@1.5" classname="golden" file="scenes/walk.toml"`) {
		t.Errorf("%v, JUnit: %s", err, &junit)
	}
	accept(t, "walk@1.5")
	wantVerdicts(t, "one of them accepted", map[string]Verdict{"walk": Identical, "walk@0": Identical, "walk@1.5": Identical, "walk@10": Changed, "walk2": Identical})

	fixture.Edit(t, "scenes/walk.toml", "golden = [0, 1.5, 10]", "golden = [0.25, 1.5, 2]")
	wantVerdicts(t, "other times", map[string]Verdict{"walk": Identical, "walk@0": Orphan, "walk@0.25": New, "walk@1.5": Identical, "walk@2": New, "walk@10": Orphan, "walk2": Identical})
	accept(t, "walk")
	accept(t, "walk@10")
	wantVerdicts(t, "the scene accepted", map[string]Verdict{"walk": Identical, "walk@0": Orphan, "walk@0.25": Identical, "walk@1.5": Identical, "walk@2": Identical, "walk2": Identical})
	if left, _ := filepath.Glob("golden/walk@10*"); len(left) > 0 {
		t.Errorf("of a removed orphan stays %q", left)
	}

	if err := os.Remove("scenes/walk.toml"); err != nil {
		t.Fatal(err)
	}
	wantVerdicts(t, "without the scene", map[string]Verdict{"walk": Orphan, "walk@0": Orphan, "walk@0.25": Orphan, "walk@1.5": Orphan, "walk@2": Orphan, "walk2": Identical})
}

// accept accepts the references that Find returns for arg, an entry of [Options.Scenes].
func accept(t *testing.T, arg string) {
	t.Helper()
	refs, err := Find(Options{Scenes: []string{arg}})
	if err != nil {
		t.Fatal(err)
	}
	for r := range Run(t.Context(), Options{}, refs, func(*Result) {}) {
		if err := r.Accept(writeWhole); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFindMoments checks which references each entry of Options.Scenes finds. The Argument of a reference must find
// this reference first. If the reference has a time, its Argument must find no other.
func TestFindMoments(t *testing.T) {
	fixture.Folder(t, map[string]string{
		"scenes/walk.toml": waver, "else/run.toml": waver, "scenes/odd@7.toml": fixture.Ball, "golden/walk@3.png": "",
		"scenes/broken.toml": "[animation]\nduration = 1\ngolden = [1, 0]\n[camera]\nposition = [0, 0, 9]",
	})
	for arg, want := range map[string]string{
		"walk":                 "walk walk@0 walk@1.5 walk@10",
		"scenes/walk.toml":     "walk walk@0 walk@1.5 walk@10",
		"walk@1.5":             "walk@1.5",
		"scenes/walk.toml@1.5": "walk@1.5",
		"else/run.toml":        "run run@0 run@1.5 run@10",
		"else/run.toml@10":     "run@10",
		"odd@7":                "odd@7",
		"walk@3":               "walk@3",
		"broken":               "broken",
		"walk@01.5":            "no scene scenes/walk@01.5.toml and no picture golden/walk@01.5.png",
		"walk@4":               "scenes/walk.toml does not list 4 in the golden of its [animation], and there is no picture golden/walk@4.png",
		"":                     "broken odd@7 walk walk@0 walk@1.5 walk@3 walk@10",
	} {
		var o Options
		if arg != "" {
			o.Scenes = []string{filepath.FromSlash(arg)}
		}
		refs, err := Find(o)
		var names []string
		for _, r := range refs {
			names = append(names, r.Name)
			if again, err := Find(Options{Scenes: []string{r.Argument()}}); err != nil || r.At != nil && len(again) != 1 || again[0].Name != r.Name {
				t.Errorf("%s: its argument %s finds %v, %v", r.Name, r.Argument(), again, err)
			}
		}
		got := strings.Join(names, " ")
		if err != nil {
			got = filepath.ToSlash(err.Error())
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", arg, got, want)
		}
	}
	fixture.Write(t, "scenes/walk@10.toml", fixture.Ball)
	for _, scenes := range [][]string{{"walk@10"}, {"scenes/walk@10.toml"}} {
		if _, err := Find(Options{Scenes: scenes}); err == nil || !strings.Contains(err.Error(), "two scenes are called walk@10") {
			t.Errorf("%v, with a scene that has the name of a moment: %v", scenes, err)
		}
	}
	if r := judge(t, "broken"); r.Verdict != Failed || !strings.Contains(r.Err.Error(), "animation.golden[1]: must be later") {
		t.Errorf("a scene with wrong times: %v", r)
	}
}

func judge(t *testing.T, arg string) *Result {
	t.Helper()
	refs, err := Find(Options{Scenes: []string{arg}})
	if err != nil {
		t.Fatal(err)
	}
	return Judge(t.Context(), Options{}, refs[0])
}

// TestMomentRecognized checks that a new picture is matched with orphans, but not with the reference of another
// time of the same scene.
func TestMomentRecognized(t *testing.T) {
	fixture.Folder(t, map[string]string{"scenes/walk.toml": waver})
	acceptAll(t)
	fixture.Edit(t, "scenes/walk.toml", "golden = [0, 1.5, 10]", "golden = [1.5, 2, 10]")
	if r := check(t)["walk@2"]; r.Verdict != New || r.RenamedFrom != "" {
		t.Errorf("%v, which is not the picture of an orphan", r)
	}
	fixture.Edit(t, "scenes/walk.toml", "golden = [1.5, 2, 10]", "golden = [1.5, 2]")
	r := check(t)["walk@2"]
	if r.RenamedFrom != "walk@10" || r.Verdict != New || !strings.Contains(r.Detail(), "which no scene lists any more") {
		t.Errorf("%v, which is the picture of walk@10", r)
	}
}

// TestScenesBeside checks a scene that is not in scenes/, but beside that folder. Its pictures in golden/ must be
// found together with the scene. They must not be reported as orphans, which are pictures without a scene.
func TestScenesBeside(t *testing.T) {
	fixture.Folder(t, map[string]string{
		"scenes/walk.toml": waver, "beside.toml": waver,
		"golden/beside.png": "", "golden/beside@1.5.png": "", "golden/gone.png": "", "golden/gone@1.5.png": "",
	})
	for name, want := range map[string]string{"beside": "beside.toml", "beside@1.5": "beside.toml", "gone": "", "gone@1.5": ""} {
		refs, err := Find(Options{Scenes: []string{name}})
		if err != nil || refs[0].Name != name || refs[0].Scene != want {
			t.Errorf("%s: %+v, %v, want the scene %q", name, refs, err, want)
		}
	}
	all, err := Find(Options{})
	var orphans []string
	for _, r := range all {
		if r.Scene == "" {
			orphans = append(orphans, r.Name)
		}
	}
	if err != nil || strings.Join(orphans, " ") != "gone gone@1.5" {
		t.Errorf("orphans are %q, %v", orphans, err)
	}
}
