package tomltext

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

// kinds returns the names of the arrays of tables at whose headers the tests cut files into chunks.
func kinds() []string { return []string{"sphere", "capsule", "box"} }

// checkChunks cuts data into chunks of several sizes, and parses and joins the chunks. The result must be that of
// the whole file. checkChunks returns how often the chunks could be joined.
func checkChunks(t *testing.T, data []byte) (joined int) {
	t.Helper()
	for _, size := range []int{0, 10, 100} {
		got, ok := decodeChunks(data, kinds(), size)
		if !ok {
			continue
		}
		joined++
		var want map[string]any
		err := toml.Unmarshal(data, &want)
		// Compared as texts, because NaN does not equal itself.
		if g, w := fmt.Sprintf("%#v", got), fmt.Sprintf("%#v", want); err != nil || g != w {
			t.Errorf("chunks of %d bytes of\n%s\nmean\n%s\nbut the whole\n%s, %v", size, data, g, w, err)
		}
	}
	return joined
}

const (
	sphere = "[[sphere]]\nradius = 1\n"
	box    = "[[box]]\nrotate = [\n1, 2, 3]\n"
)

func TestChunksMeanTheWhole(t *testing.T) {
	for _, data := range validTOML(t) {
		checkChunks(t, data)
	}
	for _, data := range invalidTOML(t) {
		checkChunks(t, data)
	}
	pieces := []string{sphere, box, sphere, box, "[[light]]\n", "[camera]\n", "[material.a]\n", "[sphere.a]\n", "[[box.b]]\n", "c = '''\n", "d = [\n", "]\n", "# [[box]]\n", "\uFEFF"}
	joined := 0
	rng := rand.New(rand.NewPCG(1, 11))
	for range 2000 {
		var text strings.Builder
		for range rng.IntN(8) {
			text.WriteString(pieces[rng.IntN(len(pieces))])
		}
		joined += checkChunks(t, []byte(text.String()))
	}
	if joined < 300 {
		t.Errorf("the chunks of random files could be joined only %d times", joined)
	}
}

func TestChunksJoin(t *testing.T) {
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
		_, ok := decodeChunks([]byte(c.text), kinds(), 0)
		if ok != c.ok {
			t.Errorf("%s: ok = %v, want %v", c.name, ok, c.ok)
		}
		checkChunks(t, []byte(c.text))
	}
	if n := len(split([]byte(strings.Repeat(sphere, 10)), kinds(), 3*len(sphere)-1)); n != 4 {
		t.Errorf("ten spheres in %d chunks of at least three, want 4", n)
	}
}
