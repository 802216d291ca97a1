package scene

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pillbox/internal/fixture/effort"
	"pillbox/internal/keytable"
	"pillbox/problem"
)

// keysByHeader returns the keys of all tables except annotations. The map's keys are texts, such as a table's header,
// that a test can write before a key to put it into that table.
func keysByHeader() map[string][]string {
	return map[string][]string{
		"":                                   fileKeys().Names(),
		"[image]":                            imageKeys().Names(),
		"[image.background]":                 gradientKeys().Names(),
		"[camera]":                           cameraKeys().Names(),
		"[shading]":                          shadingKeys().Names(),
		"[shading.occlusion]":                occlusionKeys().Names(),
		"[outline]":                          outlineKeys().Names(),
		"[[section]]":                        sectionKeys().Names(),
		"[fog]":                              fogKeys().Names(),
		"[colormap]":                         colormapKeys().Names(),
		"[theme]":                            themeKeys().Names(),
		"[overlaps]":                         overlapsKeys().Names(),
		"[animation]":                        animationKeys().Names(),
		"[[animate]]":                        animateKeys().Names(),
		"[[light]]":                          lightKeys().Names(),
		"[material.m]":                       materialKeys().Names(),
		"[material.m.checker]":               checkerKeys().Names(),
		"[[sphere]]":                         solidKeys(KindSphere).Names(),
		"[[capsule]]":                        solidKeys(KindCapsule).Names(),
		"[[box]]":                            solidKeys(KindBox).Names(),
		"[[cylinder]]":                       solidKeys(KindCylinder).Names(),
		"[part.p]":                           partKeys().Names(),
		"[[place]]":                          placeKeys().Names(),
		"[[place]]\ncount = 2\n[place.step]": stepKeys().Names(),
		"[[bulk]]":                           bulkKeys().Names(),
		"[[part.p.sphere]]":                  solidKeys(KindSphere).Names(),
		"[[part.p.place]]":                   placeKeys().Names(),
	}
}

// suggestionFor decodes a scene that consists of a table's header and the given lines. It returns the problem
// about the unknown key in these lines.
func suggestionFor(t *testing.T, header, key string, lines ...string) *problem.Error {
	t.Helper()
	problems, _ := problemsOf([]byte(header + "\n" + strings.Join(lines, "\n") + "\n"))
	for _, e := range problems {
		if e.Code == problem.CodeUnknownKey && (e.Key == key || strings.HasSuffix(e.Key, "."+key)) {
			return e
		}
	}
	t.Fatalf("%s with %v: no unknown key %s among %v", header, lines, key, problems)
	return nil
}

// TestSynonyms checks that words from other programs get a suggestion: the key of the same table that means the
// same.
func TestSynonyms(t *testing.T) {
	for _, test := range []struct{ header, words, want string }{
		{"[[sphere]]", "r rad size diameter d", "radius"},
		{"[[sphere]]", "pos location origin translate xyz centre position translation loc", "center"},
		{"[[sphere]]", "colour albedo diffuse rgba rgb pigment base_color baseColor Kd reflectance", "color"},
		{"[[sphere]]", "mat texture finish bsdf usemtl", "material"},
		{"[[sphere]]", "id label", "name"},
		{"[[light]]", "cutoff spot_angle outerConeAngle coneangle", "cone"},
		{"[[light]]", "bulb_radius sourceRadius soft_size", "radius"},
		{"[[light]]", "angularDiameter sun_angle", "angle"},
		{"[shading]", "shadow_samples shadowRays", "samples"},
		{"[[light]]", "penumbra blend exponent innerConeAngle tightness", "edge"},
		{"[[light]]", "point_at look_at target dir", "direction"},
		{"[[capsule]]", "p0 start from pointA end_a base center position fromto", "a"},
		{"[[capsule]]", "p1 end to pointB cap height length axis direction", "b"},
		{"[[box]]", "size dimensions extents scale width half_size halfExtents HalfExtents dims", "half_extents"},
		{"[[box]]", "rotation euler rpy orientation rot Rotation rotation_euler", "rotate"},
		{"[[box]]", "quat q wxyz", "quaternion"},
		{"[[box]]", "matrix xyaxes basis", "axes"},
		{"[[box]]", "pos position location origin xyz translate", "center"},
		{"[[place]]", "pos location origin translate translation xyz offset center", "position"},
		{"[[place]]", "size scaling factor", "scale"},
		{"[[place]]", "rotation euler rpy orientation", "rotate"},
		{"[[place]]", "object prefab mesh ref shape", "part"},
		{"[[place]]", "n copies instances", "count"},
		{"[[place]]", "spacing stride", "step"},
		{"[camera]", "target lookat lookAt look_at_point center interest at to", "look_at"},
		{"[camera]", "pos location origin eye from lookfrom translate", "position"},
		{"[camera]", "fovy field_of_view fieldOfView angle lens yfov vfov", "fov"},
		{"[camera]", "sky vup up_vector", "up"},
		{"[camera]", "ortho_scale orthographicSize height", "view_height"},
		{"[camera]", "type ortho", "projection"},
		{"[[light]]", "pos location from origin", "position"},
		{"[[light]]", "dir target look_at axis rotation", "direction"},
		{"[[light]]", "power energy strength brightness", "intensity"},
		{"[[light]]", "colour diffuse rgb", "color"},
		{"[material.m]", "albedo diffuse colour base_color", "color"},
		{"[material.m]", "reflection reflectivity specular metallic metalness shiny", "mirror"},
		{"[material.m]", "checkerboard pattern", "checker"},
		{"[image]", "samples spp aa antialiasing samples_per_pixel", "antialias"},
		{"[image]", "background_color bg sky", "background"},
		{"[image]", "w xres resolution size", "width"},
		{"[shading]", "ao ambient_occlusion ssao", "occlusion"},
		{"[shading.occlusion]", "radius max_distance range", "distance"},
		{"[shading]", "max_depth maxDepth reflections max_trace_level", "bounces"},
		{"[shading]", "castShadow shadow", "shadows"},
		{"[[bulk]]", "path filename csv src", "file"},
		{"[[bulk]]", "type kind geometry", "shape"},
		{"[animation]", "framerate frame_rate rate", "fps"},
		{"[[animate]]", "keyframes time", "times"},
		{"[[animate]]", "easing interpolation", "ease"},
		{"", "ball atoms", "sphere"},
		{"", "pill rod", "capsule"},
		{"", "cylinders tube disk cone", "cylinder"},
		{"[[cylinder]]", "p0 start from pointA base center", "a"},
		{"", "cube cuboid plane", "box"},
		{"", "lamp light_source sun", "light"},
		{"", "instance instances", "place"},
		{"", "group module", "part"},
		{"", "mesh torus", ""},
		{"[part.p]", "ball balls", "sphere"},
		{"[part.p]", "instance part", "place"},
	} {
		for word := range strings.FieldsSeq(test.words) {
			e := suggestionFor(t, test.header, word, word+" = 1")
			if e.Suggestion != test.want {
				t.Errorf("%s %s: %v, want %s suggested", test.header, word, e, test.want)
			}
		}
	}
}

// TestSynonymsSayWhatDiffers checks the message about a word from another program whose value has a different
// meaning, such as size for half_extents. The message must explain the difference.
func TestSynonymsSayWhatDiffers(t *testing.T) {
	for _, test := range []struct{ header, key, want string }{
		{"[[box]]", "size", "half the size"},
		{"[[sphere]]", "diameter", "half the diameter"},
		{"[[sphere]]", "rgba", "no alpha"},
		{"[[capsule]]", "fromto", "first three numbers"},
		{"[[box]]", "rpy", "degrees"},
		{"[[box]]", "quat", "[w, x, y, z]"},
		{"[camera]", "fovy", "vertical"},
		{"[[sphere]]", "r", ""},
	} {
		e := suggestionFor(t, test.header, test.key, test.key+" = 1")
		if !strings.Contains(e.Message, test.want) || test.want == "" && e.Message != "unknown key" {
			t.Errorf("%s %s: %v, want %q said", test.header, test.key, e, test.want)
		}
	}
}

// TestSynonymsOfNumberedEnds checks words for the ends of a capsule that are numbered from 0 or from 1.
func TestSynonymsOfNumberedEnds(t *testing.T) {
	for _, test := range []struct{ first, second string }{{"p0", "p1"}, {"p1", "p2"}, {"point1", "point2"}, {"point_0", "point_1"}} {
		for word, want := range map[string]string{test.first: "a", test.second: "b"} {
			e := suggestionFor(t, "[[capsule]]", word, test.first+" = [0, 0, 0]", test.second+" = [0, 0, 1]", "radius = 1")
			if e.Suggestion != want {
				t.Errorf("%v: %v, want %s suggested", test, e, want)
			}
		}
	}
}

// TestSynonymsAreKeys tries every word with synonyms in each of the tables of Keys. Each suggestion must be a key
// of that table. A word that is a key there must have no suggestion.
func TestSynonymsAreKeys(t *testing.T) {
	var words []string
	seen := make(map[string]string) // key of a word whose suggestion is the same everywhere
	for _, y := range synonyms() {
		for w := range strings.FieldsSeq(y.Words) {
			words = append(words, w)
			if w != keytable.PlainWord(w) {
				t.Errorf("%q can never be found: want %q", w, keytable.PlainWord(w))
			}
			if seen[w] == y.Key && y.Key != "" {
				t.Errorf("%q is a synonym of %s twice", w, y.Key)
			}
			seen[w] = y.Key
		}
	}
	slices.Sort(words)
	byHeader := keysByHeader()
	for _, header := range effort.Some(t, 10, slices.Sorted(maps.Keys(byHeader))) {
		keys := byHeader[header]
		var text strings.Builder
		text.WriteString(header + "\n")
		unknown := 0
		for _, w := range slices.Compact(slices.Clone(words)) {
			if !slices.Contains(keys, w) {
				unknown++
				fmt.Fprintf(&text, "%s = 1\n", w)
			}
		}
		suggested := 0
		problems, _ := problemsOf([]byte(text.String()))
		for _, e := range problems {
			if e.Code != problem.CodeUnknownKey {
				continue
			}
			unknown--
			if e.Suggestion != "" {
				suggested++
				if !slices.Contains(keys, e.Suggestion) {
					t.Errorf("%v: that is no key there", e)
				}
			}
		}
		if unknown != 0 {
			t.Errorf("%s: %d unknown keys are not reported", header, unknown)
		}
		if suggested == 0 {
			t.Errorf("%s: no word of other programs gets a suggestion", header)
		}
	}
	// Each synonym is of use: some table, word or column has its key.
	known := append(KindNames(), "")
	for _, table := range tablesByName() {
		for _, k := range table.Keys() {
			known = append(append(known, k.Name), k.Form.Words...)
		}
	}
	for _, k := range Kinds() {
		known = append(known, columnNames(k)...)
	}
	for _, y := range slices.Concat(synonyms(), columnSynonyms()) {
		if !slices.Contains(known, y.Key) {
			t.Errorf("%s is no key, word or column", y.Key)
		}
	}
}

// TestSynonymsOfWordsAndColumns checks the suggestions for values that are words, and for columns of bulk files.
func TestSynonymsOfWordsAndColumns(t *testing.T) {
	files := fstest.MapFS{
		"balls.csv": {Data: []byte("cx,cy,cz,size,red,green,blue\n")},
		"pills.csv": {Data: []byte("x1,y1,z1,x2,y2,z2,r\n")},
	}
	_, err := Decode("s.toml", []byte(`[camera]
position = [0, 0, 9]
look_at = [0, 0, 0]
projection = "ortho"
[[bulk]]
file = "balls.csv"
shape = "ball"
[[bulk]]
file = "balls.csv"
shape = "sphere"
[[bulk]]
file = "pills.csv"
shape = "capsule"
`), WithFiles(files))
	var problems problem.Errors
	if !errors.As(err, &problems) {
		t.Fatal(err)
	}
	var got []string
	for _, e := range problems {
		if e.Suggestion != "" {
			got = append(got, fmt.Sprintf("%s:%d %s", e.File, e.Column, e.Suggestion))
		}
	}
	want := strings.Split("s.toml:14 orthographic,s.toml:9 sphere,balls.csv:1 x,balls.csv:4 y,balls.csv:7 z,balls.csv:10 radius,"+
		"balls.csv:15 r,balls.csv:19 g,balls.csv:25 b,pills.csv:1 ax,pills.csv:4 ay,pills.csv:7 az,pills.csv:10 bx,pills.csv:13 by,pills.csv:16 bz,pills.csv:19 radius", ",")
	if !slices.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}
