package scene

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"pillbox/internal/fixture/effort"
	"pillbox/internal/keytable"
	"pillbox/problem"
)

var update = flag.Bool("update", false, "write scenes/scene.schema.json")

// TestSchemaFile compares the schema file in the repository with the schema that the program generates.
func TestSchemaFile(t *testing.T) {
	const path = "../scenes/scene.schema.json"
	if *update {
		if err := os.WriteFile(path, Schema(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, Schema()) {
		t.Errorf("%s is not what Schema returns; go test ./scene -run SchemaFile -update writes it", path)
	}
}

// compile returns the schema of scenes, compiled from its JSON text.
func compile(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("scene.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("scene.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if s.DraftVersion != 4 {
		t.Errorf("the schema is of draft %d, want 4", s.DraftVersion)
	}
	return s
}

// asJSON converts a TOML file to values as they are decoded from JSON. The result is false if data is not TOML, or
// has a value that JSON lacks, such as nan.
func asJSON(data []byte) (any, bool) {
	var root map[string]any
	if err := toml.Unmarshal(data, &root); err != nil {
		return nil, false
	}
	text, err := json.Marshal(root)
	if err != nil {
		return nil, false
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	return v, err == nil
}

func TestSchemaTakesGoodScenes(t *testing.T) {
	s := compile(t)
	for _, pattern := range []string{"../scenes/*.toml", "testdata/warn/*.toml", "starter.toml"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("no files %s: %v", pattern, err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if v, ok := asJSON(data); !ok {
				t.Errorf("%s is not TOML", path)
			} else if err := s.Validate(v); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}

// visible reports whether a schema can detect one of the problems. It cannot detect problems that involve several
// tables, arithmetic or another file.
func visible(es problem.Errors) bool {
	return slices.ContainsFunc(es, func(e *problem.Error) bool {
		switch e.Code {
		case problem.CodeUnknownCharacter, problem.CodeScaleBar, problem.CodeNotAscending, problem.CodeTooManyPlaces, problem.CodeLengthsDiffer, problem.CodeUnknownTarget, problem.CodeAmbiguousTarget, problem.CodeNotMixable, problem.CodeNotOrthonormal, problem.CodeNoLength, problem.CodeUnknownPart, problem.CodeCycle, problem.CodeTooDeep, problem.CodeTooManySolids, problem.CodePlacedOutOfRange, problem.CodeDuplicateName, problem.CodeUnknownMaterial, problem.CodeDegenerateCamera, problem.CodeTooManyPixels, problem.CodeUnreadableFile:
			return false
		}
		// What the values of animate must be depends on the target.
		if strings.HasPrefix(e.Key, "animate[") && (strings.Contains(e.Key, ".values[") || e.Code == problem.CodeConflict) {
			return false
		}
		return e.Severity == problem.SeverityError
	})
}

func TestSchemaRefusesBadScenes(t *testing.T) {
	s := compile(t)
	paths, err := filepath.Glob("testdata/bad/*.toml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files: %v", err)
	}
	seen := 0
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		v, ok := asJSON(data)
		if !ok {
			continue
		}
		seen++
		es, _ := problemsOf(data)
		if err := s.Validate(v); (err != nil) != visible(es) {
			t.Errorf("%s: the schema says %v, Decode\n%v", path, err, es)
		}
	}
	if seen < 60 {
		t.Errorf("only %d files are TOML", seen)
	}
}

// TestSchemaAgreesWithDecode tries many values for each key. The schema and Decode must agree about which are
// valid. Values such as 1.0 for an integer are not tried, because JSON Schema accepts them as integers.
func TestSchemaAgreesWithDecode(t *testing.T) {
	values := []string{
		`0`, `1`, `2`, `16`, `17`, `32768`, `32769`, `-1`, `0.5`, `1.5`, `180`, `179.9`, `1e-15`, `1e-16`, `1e15`,
		`-1e15`, `1.1e15`, `1e300`, `true`, `false`, `""`, `"x"`, `"perspective"`, `"orthographic"`, `"transparent"`, `"red"`, `"Red"`,
		`"#123"`, `"#12345"`, `"#12345G"`, `"#abCDef"`, `"#"`, `"#+12"`, `"#1234567"`, `[]`, `[1]`, `[1, 2]`, `[1, 2, 3]`, `[0, 0.5, 1]`, `[0, 0, 0]`,
		`[0, -0.0, 0.0]`, `[1, 0, 1.01]`, `[1, -1, 1]`, `[1, "2", 3]`, `[1, 2, 3, 4]`, `[0, 0, 0, 0]`, `[0, 0, 0, 1]`, `[1, 2, 3, 4, 5]`, `[[1, 2, 3]]`,
		`[1e15, -1e15, 0]`, `[1e15, 1.1e15, 0]`, `[1e16, 1e-16, 1]`, `[1e300, 1e-300, 1]`, `[1e-15, 1e15, 1]`, `[[1, 0, 0], [0, 1, 0], [0, 0, 1]]`, `[[1, 0, 0], [0, 1, 0], [0, 1, 1]]`, `[[1, 0, 0], [0, 1, 0]]`, `[[1, 0, 0], [0, 1, 0], [0, 1]]`, `{}`, `{ x = 1 }`, `{ top = "red" }`, `{ top = "red", bottom = [0, 0, 0] }`,
		`{ top = 1 }`, `[{}]`,
	}
	s := compile(t)
	base := map[string]string{
		"animation":  "duration = 1\n",
		"camera":     "position = [5, 6, 7]\nlook_at = [-5, 1.25, 3]\n",
		"light":      "position = [0, 0, 0]\n",
		"sphere":     "center = [0, 0, 0]\nradius = 1\n",
		"capsule":    "a = [0, 0, 0]\nb = [0, 0, 0]\nradius = 1\n",
		"box":        "center = [0, 0, 0]\nhalf_extents = [1, 1, 1]\n",
		"cylinder":   "a = [0, 0, 0]\nb = [0, 0, 1]\nradius = 1\n",
		"bulk":       "file = \"atoms.csv\"\nshape = \"sphere\"\n",
		"place":      "part = \"p\"\n",
		"place.step": "",
	}
	// With the usual effort, one of 181 texts, and with -effort all one of 5 is tried.
	number, step := 0, effort.Of(181, 5, 1)
	try := func(text string) {
		if number++; number%step != 0 {
			return
		}
		v, ok := asJSON([]byte(text))
		if !ok {
			t.Fatalf("not TOML:\n%s", text)
		}
		es, _ := problemsOf([]byte(text))
		if err := s.Validate(v); (err != nil) != visible(es) {
			t.Errorf("%s\nthe schema says %v, Decode says %v", text, err, es)
		}
	}
	for name, keys := range keysOfTables(t) {
		header := "[" + name + "]\n"
		switch name {
		case "light", "sphere", "capsule", "box", "cylinder", "bulk", "place":
			header = "[[" + name + "]]\n"
		case "place.step":
			header = "[[place]]\npart = \"p\"\ncount = 2\n[place.step]\n"
		case "part":
			header = "[part.m]\n"
		case "material":
			header = "[material.m]\n"
		case "image.background", "":
			header = strings.TrimPrefix(header, "[]\n")
		}
		for _, key := range append(keys, "nonsense") {
			others := regexp.MustCompile(`(?m)^`+key+` = .*\n`).ReplaceAllString(base[name], "")
			try(header + others)
			for _, value := range values {
				try(header + others + key + " = " + value + "\n")
			}
			for _, other := range keys { // two keys together
				if other != key && !strings.Contains(others, other+" = ") {
					try(header + others + key + " = [0, 0, 1]\n" + other + " = [0, 0, 1]\n")
					try(header + others + key + " = 1\n" + other + " = [0, 0, 1]\n")
					try(header + others + key + " = [0, 0, 1]\n" + other + " = \"red\"\n")
				}
			}
		}
	}
}

// keysOfTables returns the keys of each kind of table that Decode accepts.
func keysOfTables(t *testing.T) map[string][]string {
	t.Helper()
	all := make(map[string][]string)
	for name, table := range tablesByName() {
		for _, k := range table.Keys() {
			all[name] = append(all[name], k.Name)
		}
	}
	return all
}

// schemaTables returns the schemas of the tables that keysOfTables returns, by the same names.
func schemaTables() map[string]*keytable.Schema {
	file := fileSchema()
	for name := range panelTables() {
		delete(file.Properties, name)
	}
	found := map[string]*keytable.Schema{"": file}
	for name, s := range file.Properties {
		switch {
		case s.Items != nil && s.Items.Ref != "":
			found[name] = file.Definitions[strings.TrimPrefix(s.Items.Ref, "#/definitions/")]
		case s.Items != nil && s.Items.Properties != nil:
			found[name] = s.Items
		case s.Items != nil: // include
		case s.OtherKeys != nil && s.Properties == nil:
			found[name] = s.OtherKeys.(*keytable.Schema)
		case s.Properties != nil:
			found[name] = s
		}
	}
	for _, at := range [][2]string{{"image", "background"}, {"shading", "ambient"}} {
		for _, form := range found[at[0]].Properties[at[1]].AnyOf {
			if form.Properties != nil {
				found[at[0]+"."+at[1]] = form
			}
		}
	}
	found[occlusionPath] = found["shading"].Properties["occlusion"]
	found["material.checker"] = found["material"].Properties["checker"]
	found["place.step"] = found["place"].Properties["step"]
	return found
}

func TestSchemaHasTheFilesKeys(t *testing.T) {
	got := schemaTables()
	for name, keys := range keysOfTables(t) {
		s, ok := got[name]
		if !ok {
			t.Errorf("the schema has no table %q", name)
			continue
		}
		if want := slices.Sorted(slices.Values(keys)); !slices.Equal(slices.Sorted(maps.Keys(s.Properties)), want) {
			t.Errorf("table %q has %v in the schema, want %v", name, slices.Sorted(maps.Keys(s.Properties)), want)
		}
		for key, p := range s.Properties {
			if p.Description == "" {
				t.Errorf("%s.%s has no description", name, key)
			}
		}
		delete(got, name)
	}
	for name := range got {
		t.Errorf("there is no raw table %q", name)
	}
}

// TestSchemaOfPanels compares the schema with the reader of files with panels: keys, descriptions, and which files are
// valid.
func TestSchemaOfPanels(t *testing.T) {
	file := fileSchema()
	for name, s := range map[string]*keytable.Schema{"panels": file.Properties["panels"], "panel": file.Properties["panel"].Items} {
		var want []string
		for _, k := range panelTables()[name].Keys() {
			want = append(want, k.Name)
		}
		if got := slices.Sorted(maps.Keys(s.Properties)); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("table %q has %v in the schema, want %v", name, got, want)
		}
		for key, p := range s.Properties {
			if p.Description == "" {
				t.Errorf("%s.%s has no description", name, key)
			}
		}
	}
	s := compile(t)
	const one = "[[panel]]\nscene = \"a.toml\"\n"
	texts := []string{one, "[panels]\n", "[panels]\n" + one, "format = 1\n" + one, "format = 2\n" + one, "up = \"z\"\n" + one, one + "[[sphere]]\n", "[panels]\n[[sphere]]\n", "panel = []\n", "panel = 1\n",
		strings.Repeat(one, MaxPanels), strings.Repeat(one, MaxPanels+1), "[panels]\nnonsense = 1\n" + one, one + "nonsense = 1\n", "[[panel]]\nview = \"top\"\n"}
	for _, value := range []string{"0", "1", "64", "65", "-1", "1.5", "true", `""`, `"x"`, `"fit"`, `"common"`, `"top"`, `"8pt"`, `"red"`, "[0, 0, 0]", "[1, 2]", "1001", "1e7"} {
		for _, k := range panelTables()["panels"].Keys() {
			texts = append(texts, fmt.Sprintf("[panels]\n%s = %s\n%s", k.Name, value, one))
		}
		for _, k := range panelTables()["panel"].Keys() {
			texts = append(texts, fmt.Sprintf("%s%s = %s\n", strings.Replace(one, k.Name+" =", "# =", 1), k.Name, value))
		}
	}
	valid := 0
	for _, text := range texts {
		v, ok := asJSON([]byte(text))
		if !ok {
			t.Fatalf("not TOML:\n%s", text)
		}
		_, err := DecodePanels("x.toml", []byte(text))
		if got := s.Validate(v); (got == nil) != (err == nil) {
			t.Errorf("%s\nthe schema says %v, DecodePanels says %v", text, got, err)
		}
		if err == nil {
			valid++
		}
	}
	if valid < 30 || valid > len(texts)-30 {
		t.Errorf("%d of %d files are valid", valid, len(texts))
	}
}

// TestSchemaDefaults writes each default in the schema into a file. The scene must not change. The defaults of
// materials and of the legend's size are not tested.
func TestSchemaDefaults(t *testing.T) {
	base := map[string]string{
		"animation":  "animation.duration = 1\n",
		"animate":    "shading = {}\nanimate = [{ target = \"shading.ambient\", times = [0, 1], values = [0, 1] %s }]\n",
		"camera":     "camera.position = [0, 0, 9]\ncamera.look_at = [0, 0, 0]\n",
		"light":      "light = [{ position = [9, 9, 9], direction = [0, -1, 0], cone = 40 %s }]\n",
		"material":   "material.m.mirror = 0.0\nmaterial.m.color = \"#cccccc\"\nsphere = [{ center = [0, 0, 0], radius = 1, material = \"m\" }]",
		"sphere":     "sphere = [{ center = [0, 0, 0], radius = 1 %s }]\n",
		"capsule":    "capsule = [{ a = [0, 0, 0], b = [0, 0, 0], radius = 1 %s }]\n",
		"box":        "box = [{ center = [0, 0, 0], half_extents = [1, 1, 1] %s }]\n",
		"cylinder":   "cylinder = [{ a = [0, 0, 0], b = [0, 0, 1], radius = 1 %s }]\n",
		"bulk":       "bulk = [{ file = \"atoms.csv\", shape = \"sphere\" %s }]\n",
		"place":      "part.p.sphere = [{ center = [0, 0, 0], radius = 1 }]\nplace = [{ part = \"p\" %s }]\n",
		"label":      "label = [{ text = \"A\", at = [0, 0, 0] %s }]\n",
		"dimension":  "dimension = [{ from = [0, 0, 0], to = [1, 0, 0] %s }]\n",
		"line":       "line = [{ from = [0, 0, 0], to = [1, 0, 0], depth = true %s }]\n",
		"arrow":      "arrow = [{ from = [0, 0, 0], to = [1, 0, 0], depth = true %s }]\n",
		"angle":      "angle = [{ at = [0, 0, 0], from = [0, 1, 0], to = [1, 0, 0], depth = true %s }]\n",
		"marker":     "marker = [{ at = [0, 0, 0], depth = true %s }]\n",
		"title":      "title.text = \"A\"\n",
		"axes":       "axes = { %s }\n",
		"scale_bar":  "camera = { position = [0, 0, 9], look_at = [0, 0, 0], projection = \"orthographic\" }\nscale_bar.length = 1\n",
		"outline":    "outline = { %s }\n",
		"fog":        "fog = { %s }\n",
		"colormap":   "sphere = [{ center = [0, 0, 0], radius = 1, value = 1 }]\ncolormap = { %s }\n",
		"section":    "section = [{ point = [0, 0, 0], normal = [0, 0, 1], hatch = true %s }]\n",
		"legend":     "material.m.mirror = 0.0\nsphere = [{ center = [0, 0, 0], radius = 1, material = \"m\" }]\nlegend.size = 16\n",
		"place.step": "part.p.sphere = [{ center = [0, 0, 0], radius = 1 }]\nplace = [{ part = \"p\", count = 2, step = { angle = 90, axis = [0, 1, 0] %s } }]\n",
	}
	tested := 0
	for name, table := range schemaTables() {
		for key, p := range table.Properties {
			if p.Default == nil || name == "material" || name+"."+key == "legend.size" {
				continue
			}
			tested++
			text := base[name]
			if name == "light" && key == "angle" {
				text = "light = [{ direction = [0, -1, 0] %s }]\n"
			}
			if name == "light" && key == "visible" {
				text = "light = [{ position = [9, 9, 9], radius = 1 %s }]\n"
			}
			if name == "camera" && slices.Contains(FramingKeys(), key) {
				if text = "camera = { margin = 0.04 %s }\n"; key == "margin" {
					text = "camera = { fit = \"all\" %s }\n"
				}
			}
			if key == "depth" {
				text = strings.Replace(text, ", depth = true", "", 1)
			}
			if name == "section" && key == "hatch" {
				text = strings.Replace(text, ", hatch = true", "", 1)
			}
			var with string
			if strings.Contains(text, "%s") {
				with = strings.Replace(fmt.Sprintf(text, fmt.Sprintf(", %s = %s", key, inTOML(p.Default))), "{ ,", "{", 1)
				text = fmt.Sprintf(text, "")
			} else {
				with = text + strings.TrimPrefix(name+".", ".") + key + " = " + inTOML(p.Default) + "\n"
			}
			want, got := decode(t, text), decode(t, with)
			want.Warnings, got.Warnings, want.root, got.root = nil, nil, nil, nil
			want.motion, got.motion = nil, nil
			if !reflect.DeepEqual(got, want) {
				t.Errorf("with\n%s\ngot  %+v\nwant %+v", with, got, want)
			}
		}
	}
	if tested < 20 {
		t.Errorf("only %d defaults found", tested)
	}
}

// inTOML returns v in TOML. Arrays in v must not contain tables.
func inTOML(v any) string {
	if m, ok := v.(map[string]any); ok {
		var parts []string
		for _, key := range slices.Backward(slices.Sorted(maps.Keys(m))) { // top before bottom
			parts = append(parts, key+" = "+inTOML(m[key]))
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// reference returns the keys of each table in docs/scene.md. The value of a key is the table cell that states its
// default.
func reference(t *testing.T) map[string]map[string]string {
	t.Helper()
	data, err := os.ReadFile("../docs/scene.md")
	if err != nil {
		t.Fatal(err)
	}
	heading := regexp.MustCompile(`^### (?:\x60\[+([a-z_]+(?:\.[a-z]+)*)|(Any solid))`)
	row := regexp.MustCompile(`^\| \x60([a-z_]+)\x60 \| (.*?) ?\|`)
	found := make(map[string]map[string]string)
	var current []string
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			current = nil
		}
		if m := heading.FindStringSubmatch(line); m != nil {
			current = []string{m[1]}
			if m[2] != "" {
				current = KindNames()
			}
		}
		m := row.FindStringSubmatch(line)
		for _, name := range current {
			if found[name] == nil {
				found[name] = make(map[string]string)
			}
			if m != nil {
				found[name][m[1]] = m[2]
			}
		}
	}
	return found
}

// TestReferenceHasTheSchemasKeys compares docs/scene.md with the schema: tables, keys, defaults, and which keys are
// required.
func TestReferenceHasTheSchemasKeys(t *testing.T) {
	got := reference(t)
	want := schemaTables()
	delete(want, "")                 // described outside the tables of docs/scene.md
	delete(want, "image.background") // described with background
	delete(want, "shading.ambient")  // described outside the tables
	delete(want, "material.checker") // described outside the tables
	delete(want, "place.step")       // described outside the tables
	for name, table := range want {
		for key, property := range table.Properties {
			cell, ok := got[name][key]
			if !ok {
				t.Errorf("docs/scene.md lacks [%s] %s", name, key)
				continue
			}
			delete(got[name], key)
			if required := slices.Contains(table.Required, key); required || property.Default == nil {
				if (cell == "*required*") != required || (cell == "") == required {
					t.Errorf("docs/scene.md has %q as default of [%s] %s, which has none; required: %v", cell, name, key, required)
				}
				continue
			}
			var written, standing any
			if err := unmarshalValue(strings.Trim(cell, "`"), &written); err != nil {
				t.Errorf("docs/scene.md has %q as default of [%s] %s: %v", cell, name, key, err)
			} else if err := unmarshalValue(inTOML(property.Default), &standing); err != nil {
				t.Error(err)
			} else if !reflect.DeepEqual(written, standing) {
				t.Errorf("docs/scene.md has %s as default of [%s] %s, want %v", cell, name, key, property.Default)
			}
		}
		for key := range got[name] {
			t.Errorf("docs/scene.md has an unknown key [%s] %s", name, key)
		}
		delete(got, name)
	}
	for name := range got {
		t.Errorf("docs/scene.md has a table [%s], which is unknown", name)
	}
}

// unmarshalValue decodes text, a TOML value, into v.
func unmarshalValue(text string, v *any) error {
	var doc struct{ V any }
	err := toml.Unmarshal([]byte("V = "+text), &doc)
	*v = doc.V
	return err
}

// TestStarter checks that the starter scene is valid, has no warnings, and mentions every table and key.
func TestStarter(t *testing.T) {
	s := decode(t, string(Starter()))
	if len(s.Warnings) > 0 {
		t.Error(s.Warnings)
	}
	if len(s.Spheres) == 0 || len(s.Capsules) == 0 || len(s.Boxes) == 0 || len(s.Lights) == 0 {
		t.Errorf("not all kinds of solids and lights: %+v", s)
	}
	if !bytes.HasPrefix(Starter(), []byte("#:schema ./scene.schema.json\n")) {
		t.Error("no schema in the first line")
	}
	for name, keys := range keysOfTables(t) {
		for _, key := range keys {
			if !regexp.MustCompile(`(?m)(^# ?|[\[{, .]|^)` + key + `( = |\]|\.)`).Match(Starter()) {
				t.Errorf("[%s] %s is not mentioned", name, key)
			}
		}
	}
	Starter()[0] = 'x'
	if Starter()[0] != '#' {
		t.Error("the caller can change the starter")
	}
}
