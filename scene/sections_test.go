package scene

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

// checkSections holds what the sections of a file mean together, if they can be joined, to
// what the file means, for sections of several sizes. It returns how often they could.
func checkSections(t *testing.T, data []byte) (joined int) {
	t.Helper()
	for _, size := range []int{0, 10, 100} {
		got, ok := decodeSections(data, size)
		if !ok {
			continue
		}
		joined++
		var want map[string]any
		err := toml.Unmarshal(data, &want)
		// As texts, because not a number is not equal to itself.
		if g, w := fmt.Sprintf("%#v", got), fmt.Sprintf("%#v", want); err != nil || g != w {
			t.Errorf("sections of %d bytes of\n%s\nmean\n%s\nbut the whole\n%s, %v", size, data, g, w, err)
		}
	}
	return joined
}

func TestSectionsMeanTheWhole(t *testing.T) {
	for _, pattern := range []string{"testdata/*/*.toml", "../scenes/*.toml", "starter.toml"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("no files %s: %v", pattern, err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			checkSections(t, data)
		}
	}
	for _, data := range invalidTOML(t) {
		checkSections(t, data)
	}
	joined := 0
	for seed := range uint64(300) {
		w := &writer{rng: rand.New(rand.NewPCG(seed, 11)), line: 1, column: 1}
		joined += checkSections(t, w.scene())
	}
	if joined < 50 {
		t.Errorf("the sections of random scenes could be joined only %d times", joined)
	}
}

func TestSectionsJoin(t *testing.T) {
	const (
		sphere = "[[sphere]]\nradius = 1\n"
		box    = "[[box]]\nrotate = [\n1, 2, 3]\n"
	)
	for _, c := range []struct {
		name, text string
		ok         bool
	}{
		{"spheres", strings.Repeat(sphere, 9), true},
		{"spheres and boxes", strings.Repeat(box+sphere, 5), true},
		{"tables before", "[camera]\nfov = 1\n[material.a]\n[material.b]\n[[light]]\n" + sphere + sphere, true},
		{"tables between", sphere + "[camera]\nfov = 1\n" + sphere + "[[light]]\n" + sphere + "[[light]]\n" + sphere, true},
		{"table of a solid", sphere + "[sphere.a]\nb = 1\n" + sphere + "[[sphere.c]]\n[[sphere.c]]\n" + sphere, true},
		{"comment", sphere + "# [[sphere]]\n#\n" + sphere, true},
		{"ends of line", strings.ReplaceAll(sphere+sphere, "\n", "\r\n"), true},
		{"byte order mark", "\uFEFF" + sphere + sphere, true},
		{"materials apart", "[material.a]\n" + sphere + "[material.b]\n" + sphere, false},
		{"table twice", sphere + "[camera]\n" + sphere + "[camera]\n" + sphere, false},
		{"table of a solid before", box + sphere + "[box.a]\n" + sphere, false},
		{"array of inline tables", "sphere = [{ radius = 1 }]\n" + sphere + sphere, false},
		{"dotted key", "sphere.radius = 1\n" + sphere, false},
		{"string", "a = '''\n" + sphere + sphere + "'''\n" + sphere, false},
		{"array", sphere + "a = [\n" + sphere + "]\n", false},
		{"wrong", sphere + "a = \n" + sphere, false},
		{"one", sphere, false},
		{"none", "", false},
		{"deep", sphere + "a = " + strings.Repeat("[", 200) + "\n" + sphere, false},
	} {
		_, ok := decodeSections([]byte(c.text), 0)
		if ok != c.ok {
			t.Errorf("%s: ok = %v, want %v", c.name, ok, c.ok)
		}
		checkSections(t, []byte(c.text))
	}
	if n := len(sections([]byte(strings.Repeat(sphere, 10)), 3*len(sphere)-1)); n != 4 {
		t.Errorf("ten spheres in %d sections of at least three, want 4", n)
	}
}
