package golden

import (
	"errors"
	"image"
	"io/fs"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func TestParseSidecar(t *testing.T) {
	for _, c := range []struct {
		toml string
		want Sidecar
	}{
		{`reason = "x"`, Sidecar{Reason: "x"}},
		{"reason = \"\"\"\nx\n=======\n\"\"\"", Sidecar{Reason: "x\n=======\n"}}, // not a conflict
		{"reason = 'x'\nmasks = []\ntolerance = {}", Sidecar{Reason: "x"}},
		{
			"reason = 'clock'\ntolerance = { max_channel = 2, max_pixels = 10 }\nmasks = [[0, 0, 64, 32], 'clock hand', [1, 2, 3, 4]]",
			Sidecar{
				Tolerance: Tolerance{2, 10, []image.Rectangle{image.Rect(0, 0, 64, 32), image.Rect(1, 2, 3, 4)}},
				Objects:   []Object{{Name: "clock hand"}},
				Reason:    "clock",
			},
		},
		{
			"reason = 'x'\nmasks = ['a', { solid = 'b', shadow = true }, [1, 2, 3, 4], { mirror = true, shadow = false, solid = 'c' }]",
			Sidecar{
				Tolerance: Tolerance{Masks: []image.Rectangle{image.Rect(1, 2, 3, 4)}},
				Objects:   []Object{{Name: "a"}, {Name: "b", Shadow: true}, {Name: "c", Mirror: true}},
				Reason:    "x",
			},
		},
		{"reason = 'x'\nmasks = [{ solid = 'b', shadow = true }]", Sidecar{Objects: []Object{{Name: "b", Shadow: true}}, Reason: "x"}},
		{"reason = 'x'\n[tolerance]\nmax_channel = 255", Sidecar{Tolerance: Tolerance{MaxChannel: 255}, Reason: "x"}},
	} {
		got, err := ParseSidecar([]byte(c.toml), "a.golden.toml")
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %+v, %v, want %+v", c.toml, got, err, c.want)
		}
	}
}

func TestParseSidecarProblems(t *testing.T) {
	for _, c := range []struct {
		toml string
		want []string // all lines, without the name
	}{
		{"", []string{": is empty: give the reason why the image may differ, or remove the file"}},
		{"\ufeff \r\n", []string{": is empty: give the reason why the image may differ, or remove the file"}},
		{"# nothing", []string{": reason: is required: say why the image may differ"}},
		{"Reason = 'x'", []string{
			": reason: is required: say why the image may differ",
			": Reason: unknown key, want one of reason, tolerance, masks",
		}},
		{"<<<<<<< HEAD\nreason = 'x'\n=======\nreason = 'y'\nmaks = 3\n>>>>>>> other\n", []string{
			":1:1: an unresolved merge conflict: keep the lines you want, and remove the lines <<<<<<<, ======= and >>>>>>>",
		}},
		{"\uFEFFreason = 'x'\r\n=======\r\nmasks = 3\r\n", []string{
			":2:1: an unresolved merge conflict: keep the lines you want, and remove the lines <<<<<<<, ======= and >>>>>>>",
		}},
		{"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", []string{
			":1:1: a Git LFS pointer is in place of this file: get the file with `git lfs pull`",
		}},
		{"reason = ' '", []string{`: reason: must be a string that says why the image may differ, got " "`}},
		{"reason = 3\ntolerance = 5\nmasks = 'a'\n'b c' = 1", []string{
			": reason: must be a string that says why the image may differ, got 3",
			": tolerance: must be a table { max_channel = ..., max_pixels = ... }, got 5",
			`: masks: must be an array of rectangles and object names, got "a"`,
			`: "b c": unknown key, want one of reason, tolerance, masks`,
		}},
		{"reason = 'x'\ntolerance = { max_channel = 256, max_pixels = 2.0, Max = 1 }", []string{
			": tolerance.max_channel: must be an integer from 0 to 255, got 256",
			": tolerance.max_pixels: must be an integer from 0 to 2147483647, got the float 2",
			": tolerance.Max: unknown key, want one of max_channel, max_pixels",
		}},
		{"reason = 'x'\nmasks = [[1, 2, 3], [5, 5, 5, 9], [1, 2, 3, 'a'], '', 7, { a = 1 }, [-1, 0, 1, 1]]", []string{
			": masks[0]: must be four integers [x0, y0, x1, y1], got 3 values",
			": masks[1]: must have x0 < x1 and y0 < y1, got [5, 5, 5, 9]",
			`: masks[2][3]: must be an integer from 0 to 2147483647, got "a"`,
			`: masks[3]: must name an object, got ""`,
			": masks[4]: must be a rectangle [x0, y0, x1, y1], an object's name, or a table { solid = ... }, got 7",
			": masks[5].solid: is required: name an object",
			": masks[5].a: unknown key, want one of solid, shadow, mirror",
			": masks[6][0]: must be an integer from 0 to 2147483647, got -1",
		}},
		{"reason = 'x'\n[[masks]]\nsolid = 1\nshadow = 'yes'", []string{
			": masks[0].solid: must name an object, got 1",
			`: masks[0].shadow: must be true or false, got "yes"`,
		}},
		{"reason = 0x\n", []string{`:1:10: not a hexadecimal number: '0x\n'`}},
		{"reason = 'x'\nreason =", []string{":2:9: the value is missing: write `reason = ...`"}},
		{"reason = x, y\n[tolerance]\nmax_channel = 300\nmax_pixels = 2,\n[[masks]]\nsolid 'a'\n[[masks]]\nsolid = 3", []string{
			`:1:10: expected value but found "x" instead`,
			":4:15: remove the comma: write `max_pixels = 2`",
			":6:7: put = between the key and its value: write `solid = 'a'`",
			": masks[1].solid: must name an object, got 3",
		}},
		{"reasn = 'ä' 1\ntolerance = { max_channel = 256 }\nmasks [1, 2, 3]\nMasks = 1", []string{
			":1:12: only a comment may follow a value: write `reasn = 'ä'`",
			":3:7: put = between the key and its value: write `masks = [1, 2, 3]`",
			": tolerance.max_channel: must be an integer from 0 to 255, got 256",
			": Masks: unknown key, want one of reason, tolerance, masks",
		}},
		{"reason = 'x'\n[masks]\nsolid = 'a'", []string{": masks: must be an array of rectangles and object names, got a table"}},
		{"reason = 'x'\ntolerance = { max_pixels = 99999999999999999999 }", []string{
			": tolerance.max_pixels: must be an integer from 0 to 2147483647, got an integer that is too large",
		}},
		{"reason = 'x'\nn = 99999999999999999999", []string{": n: unknown key, want one of reason, tolerance, masks"}},
	} {
		s, err := ParseSidecar([]byte(c.toml), "dir/a.golden.toml")
		if err == nil {
			t.Errorf("%q: no error", c.toml)
			continue
		}
		var want []string
		for _, line := range c.want {
			want = append(want, "dir/a.golden.toml"+line)
		}
		if got := strings.Split(err.Error(), "\n"); !reflect.DeepEqual(got, want) {
			t.Errorf("%q:\ngot  %q\nwant %q", c.toml, got, want)
		}
		if !reflect.DeepEqual(s, Sidecar{}) {
			t.Errorf("%q: %+v beside an error", c.toml, s)
		}
	}
}

// FuzzParseSidecar checks, for any input, that a parsed sidecar satisfies its documentation. If there is an error,
// each of its lines must contain the file's name.
func FuzzParseSidecar(f *testing.F) {
	for _, seed := range []string{
		"reason = 'clock'\ntolerance = { max_channel = 2, max_pixels = 10 }\nmasks = [[0, 0, 64, 32], 'clock hand']",
		"reason = 'x'\nmasks = [{ solid = 'b', shadow = true, mirror = true }]",
		"reason = 3\ntolerance = 5\nmasks = [1.5, nan, 1979-05-27]", "[[masks]]", "\xff", "a.b = 1\na = 2", "reason = \"\\u0000\"", "'\n' = 1", "reason = 0x\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ParseSidecar(data, "NAME")
		if err != nil {
			for _, line := range strings.Split(err.Error(), "\n") {
				if !strings.HasPrefix(line, "NAME:") {
					t.Errorf("line %q does not name the file", line)
				}
			}
			return
		}
		if strings.TrimSpace(s.Reason) == "" {
			t.Error("blank reason")
		}
		if err := s.Tolerance.validate(); err != nil {
			t.Error(err)
		}
		for _, r := range s.Tolerance.Masks {
			if r.Empty() || r.Min.X < 0 || r.Min.Y < 0 {
				t.Errorf("mask %v", r)
			}
		}
		for _, o := range s.Objects {
			if strings.TrimSpace(o.Name) == "" {
				t.Error("blank object name")
			}
		}
	})
}

func TestReadSidecar(t *testing.T) {
	t.Chdir(t.TempDir())
	long := "reason = \"r\"\n" + strings.Repeat("#\n", 1<<19)
	if err := errors.Join(
		os.WriteFile("good.toml", []byte("reason = \"r\""), 0o666),
		os.WriteFile("bad.toml", []byte("reason = 1"), 0o666),
		os.WriteFile("long.toml", []byte(long), 0o666),
		os.Mkdir("folder.toml", 0o777),
	); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"good.toml":   "",
		"bad.toml":    "bad.toml: reason: must be a string that says why the image may differ, got 1",
		"long.toml":   "read long.toml: larger than 1 MiB",
		"folder.toml": "open folder.toml: not a regular file",
	} {
		s, err := ReadSidecar(name)
		switch {
		case want == "" && (err != nil || s.Reason != "r"):
			t.Errorf("%s: %+v, %v", name, s, err)
		case want != "" && (err == nil || err.Error() != want):
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := ReadSidecar("none.toml"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}
