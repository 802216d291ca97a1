package mjcf_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"pillbox/internal/convert/mjcf"
	"pillbox/internal/convert/model"
	"pillbox/problem"
	"pillbox/scene"
)

// FuzzReadEdited reads valid models after some numbers, names and elements were replaced. Unlike the inputs of
// [FuzzRead], most of these are valid XML. If a model can be read, it must be possible to write the scene and to
// load it.
func FuzzReadEdited(f *testing.F) {
	figure, err := os.ReadFile("testdata/figure.xml")
	if err != nil {
		f.Fatal(err)
	}
	for seed := range uint64(300) {
		f.Add(seed, uint8(seed%5))
	}
	f.Fuzz(func(t *testing.T, seed uint64, edits uint8) {
		r := rand.New(rand.NewPCG(seed, 82))
		text := string(figure)
		if r.IntN(3) > 0 {
			text = makeExample(r.Uint64N(1000), 0).text
		}
		for range edits % 16 {
			text = edited(r, text)
		}
		opt := mjcf.Options{Approximate: r.IntN(2) == 0, Sites: r.IntN(2) == 0}
		if r.IntN(2) == 0 {
			opt.Groups = []int{0, 1, 2, 3, 4, 5}
		}
		m, err := read(text, opt, map[string]string{"a.xml": string(figure)})
		if err != nil {
			var problem *problem.Error
			if !errors.As(err, &problem) || problem.Line < 1 {
				t.Fatalf("error %#v\n%s", err, text)
			}
			return
		}
		var b bytes.Buffer
		if err := m.Write(&b, model.Tables{}); err != nil {
			return // no solids are left, or some are too far away
		}
		if _, err := scene.Decode("m.toml", b.Bytes()); err != nil {
			t.Fatalf("%v\n%s\n%s", err, text, b.Bytes())
		}
	})
}

// edited returns text with a random number, name or line replaced.
func edited(r *rand.Rand, text string) string {
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	replace := func(pattern string, by func(old string) string) string {
		found := regexp.MustCompile(pattern).FindAllStringIndex(text, -1)
		if len(found) == 0 {
			return text
		}
		at := found[r.IntN(len(found))]
		return text[:at[0]] + by(text[at[0]:at[1]]) + text[at[1]:]
	}
	switch r.IntN(6) {
	case 0:
		return replace(`-?[0-9.]+`, func(string) string {
			return one("0", "-1", "1", "2", "5", "1e15", "1e-15", "1e-16", "-1e15", "9e14", "1e300", "nan", "x", "", "1 2", "90", "1e-300")
		})
	case 1:
		return replace(`\w+=`, func(string) string {
			return one("pos=", "size=", "euler=", "quat=", "zaxis=", "fromto=", "type=", "class=", "childclass=", "group=", "material=", "name=", "rgba=", "axis=", "ref=", "mode=", "target=", "fovy=", "dir=", "texrepeat=", "reflectance=", "diffuse=", "resolution=", "count=", "offset=", "mesh=")
		})
	case 2:
		return replace(`['"][a-z]+['"]`, func(string) string {
			return "'" + one("a", "b", "c", "skin", "floor", "plane", "cylinder", "ellipsoid", "mesh", "true", "free", "slide", "ball", "track", "targetbody", "world", "global", "radian", "orthographic", "directional", "a/b", "b1") + "'"
		})
	case 3:
		from := one("geom", "body", "joint", "frame", "replicate", "camera", "light", "site")
		to := one("geom", "body", "joint", "freejoint", "frame", "replicate count='3' offset='0 0 1'", "camera", "light", "site", "attach body='b4' prefix='p'", "include file='a.xml'", "composite")
		return replace(`<`+from+`\b`, func(string) string { return "<" + to })
	}
	lines := strings.SplitAfter(text, "\n")
	i, j := r.IntN(len(lines)), r.IntN(len(lines))
	lines[i] = lines[j]
	return strings.Join(lines, "")
}
