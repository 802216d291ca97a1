package scene_test

import (
	"strings"
	"testing"

	"pillbox/scene"
)

// TestIsScene checks files with tables of scenes, of libraries and of other programs, also behind many tables or a large one.
func TestIsScene(t *testing.T) {
	const ball = "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n"
	material := "[material.a]\ncolor = \"red\"\n"
	parts := strings.Repeat("[[part.p.sphere]]\ncenter = [\n  0, 0, 0]\nradius = 1\n", 5000)
	large := "[part.p]\nrows = [\n" + strings.Repeat("[1, 2],\n[true, 2],\n", 20_000) + "]\n"
	for _, test := range []struct {
		text         string
		scene, parts bool
	}{
		{"", false, false}, {"format = 1\n", false, false}, {ball, true, true}, {"[[sphere]]\ncenter = [0,", true, true},
		{material, false, false}, {"[theme]\n", false, false}, {material + "[[part.p.sphere]]\n", false, true},
		{parts, false, true}, {parts + ball, true, true}, {large, false, true}, {large + ball, true, true},
		{strings.Repeat(material, 5000) + ball, true, true}, {strings.Repeat("# text\n", 20_000) + ball, true, true},
		{"[project]\nname = \"x\"\n", false, false}, {"[project]\n" + strings.Repeat("[[x]]\ny = 1\n", 10_000), false, false},
	} {
		is, err := scene.IsScene(strings.NewReader(test.text))
		has, err2 := scene.IsSceneOrParts(strings.NewReader(test.text))
		if is != test.scene || has != test.parts || err != nil || err2 != nil {
			t.Errorf("%.40q, %d bytes: a scene: %v, %v, a scene or parts: %v, %v", test.text, len(test.text), is, err, has, err2)
		}
	}
}
