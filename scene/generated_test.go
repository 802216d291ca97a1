package scene

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pillbox/internal/keytable"
	"pillbox/internal/text"
)

// compareGenerated compares a file of the repository with what generate makes of its contents. With -update it writes
// the file.
func compareGenerated(t *testing.T, path string, generate func(string) string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// Git may have changed the line endings.
	old := strings.ReplaceAll(string(data), "\r\n", "\n")
	text := generate(old)
	if text == old {
		return
	}
	if !*update {
		t.Errorf("%s does not agree with the keys of the format; go test ./scene -run Generated -update writes it", path)
		return
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// referenceHeading matches a heading of docs/scene.md with the name of a table.
var referenceHeading = regexp.MustCompile("^### `\\[+([a-z_.]+?)(?:\\.NAME)?\\]+`")

// TestGeneratedReference compares the tables of keys in docs/scene.md with the keys of the format.
func TestGeneratedReference(t *testing.T) {
	tables := tablesByName()
	tables["Any solid"] = surfaceKeys()
	for _, k := range Kinds() {
		tables[k.String()] = solidKeys(k).Where(func(name string) bool { return !slices.Contains(surfaceKeys().Names(), name) })
	}
	delete(tables, "part") // its keys are tables
	delete(tables, "")     // described in sentences
	compareGenerated(t, "../docs/scene.md", func(text string) string {
		var b strings.Builder
		name := ""
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "#") {
				name = ""
			}
			if m := referenceHeading.FindStringSubmatch(line); m != nil {
				name = m[1]
			} else if line == "### Any solid\n" {
				name = "Any solid"
			}
			keys := tables[name]
			switch {
			case keys == nil || !strings.HasPrefix(line, "|"):
				b.WriteString(line)
			case strings.HasPrefix(line, "|---"):
				b.WriteString(line + referenceRows(keys))
			case strings.HasPrefix(line, "| key "):
				b.WriteString(line)
			}
		}
		return b.String()
	})
}

// TestGeneratedPanelReference compares the tables of keys in docs/figures.md with the keys of files with panels.
func TestGeneratedPanelReference(t *testing.T) {
	heading := regexp.MustCompile("^\\| key of `\\[+([a-z]+)\\]+` \\|")
	compareGenerated(t, "../docs/figures.md", func(text string) string {
		var b strings.Builder
		seen, keys := 0, keytable.Description(nil)
		for line := range strings.Lines(text) {
			m := heading.FindStringSubmatch(line)
			switch {
			case m != nil:
				keys = panelTables()[m[1]]
				seen++
			case !strings.HasPrefix(line, "|"):
				keys = nil
			case keys != nil && strings.HasPrefix(line, "|---"):
				line += strings.ReplaceAll(referenceRows(keys), "](#", "](scene.md#")
			case keys != nil:
				continue
			}
			b.WriteString(line)
		}
		if seen != len(panelTables()) {
			t.Errorf("docs/figures.md has tables of keys for %d of %d tables", seen, len(panelTables()))
		}
		return b.String()
	})
}

// referenceRows returns the rows of docs/scene.md for the keys of a table.
func referenceRows(keys keytable.Description) string {
	var b strings.Builder
	for _, k := range keys.Keys() {
		unset := " "
		switch {
		case k.Required:
			unset = " *required* "
		case k.Unset != nil:
			unset = " `" + strings.ReplaceAll(strings.ReplaceAll(inTOML(k.Unset), ", ", ","), ",", ", ") + "` "
		}
		fmt.Fprintf(&b, "| `%s` |%s| %s |\n", k.Name, unset, meaningOf(&k))
	}
	return b.String()
}

// meaningOf returns what a key means, with its unit and its valid values, as a cell of docs/scene.md.
func meaningOf(k *keytable.KeyInfo) string {
	more := ""
	if k.Unit != "" {
		more = ", in " + k.Unit
	}
	if k.Form.Limits != nil {
		more += limitsInWords(*k.Form.Limits)
	}
	var words []string
	named := false // whether the text explains the words
	for _, w := range k.Form.Words {
		words = append(words, fmt.Sprintf("`%q`", w))
		named = named || strings.Contains(k.About, fmt.Sprintf("`%q`", w))
	}
	if words != nil && !named {
		more += ": " + text.Series(words, "or")
	}
	return keytable.AfterClause(k.About, more)
}

// limitsInWords describes the limits, unless docs/scene.md states them for all numbers of this kind.
func limitsInWords(l keytable.Limits) string {
	short := func(x float64) string {
		if x >= 1e9 || x > 0 && x < 1e-3 {
			mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
			n, _ := strconv.Atoi(exponent) // no error: FormatFloat wrote it
			return fmt.Sprintf("%se%d", mantissa, n)
		}
		text := strconv.FormatFloat(x, 'f', -1, 64)
		for i := len(text) - 3; x >= 1000 && x == math.Trunc(x) && i > 0; i -= 3 {
			text = text[:i] + "," + text[i:]
		}
		return text
	}
	switch {
	case l == keytable.Coordinates() || l == keytable.Finite():
		return ""
	case l == keytable.Sizes():
		return ", > 0"
	case l.Open:
		return fmt.Sprintf(", more than %s and less than %s", short(l.Min), short(l.Max))
	}
	return fmt.Sprintf(", %s..%s", short(l.Min), short(l.Max))
}

// pythonField matches a field of a dataclass that is a key.
var pythonField = regexp.MustCompile(`^    ([a-z_]+): [A-Za-z].*(\n| = None\n)$`)

// TestGeneratedPython compares the fields of the classes in python/pillbox with the keys of the format. A field
// keeps its place, because arguments may be given by position; fields of new keys come last.
func TestGeneratedPython(t *testing.T) {
	names := map[string]string{
		"image": "Image", "camera": "Camera", "shading": "Shading", "outline": "Outline", "fog": "Fog", "section": "Section", "animation": "Animation", "animate": "Animate",
		"light": "Light", "label": "Label", "dimension": "Dimension", "line": "Line", "arrow": "Arrow", "angle": "Angle", "marker": "Marker", "title": "Title", "axes": "Axes", "scale_bar": "ScaleBar",
		"legend": "Legend", "colormap": "Colormap", "theme": "Theme", "material": "Material", "material.checker": "Checker", "place": "Place", "place.step": "Step", "bulk": "Bulk",
		"sphere": "Sphere", "capsule": "Capsule", "box": "Box", "cylinder": "Cylinder",
	}
	comparePython(t, "_scene.py", names, tablesByName())
	comparePython(t, "_panels.py", map[string]string{"panels": "Panels", "panel": "Panel"}, panelTables())
}

// comparePython compares the classes in a file of the Python package with tables. names has the class of each table.
func comparePython(t *testing.T, file string, names map[string]string, tables map[string]keytable.Description) {
	t.Helper()
	classes := make(map[string]keytable.Description)
	for name, class := range names {
		classes[class] = tables[name]
	}
	class := regexp.MustCompile(`(?ms)^class (\w+)\(_Table\):\n    """.*?"""\n\n(.*?)(?:^\S|\n    @|\n    def|\z|\n\n)`)
	compareGenerated(t, "../python/pillbox/"+file, func(text string) string {
		seen := 0
		for _, m := range class.FindAllStringSubmatch(text, -1) {
			keys, ok := classes[m[1]]
			if !ok {
				continue // such as Gradient, which stands for two tables
			}
			seen++
			text = strings.Replace(text, m[0], strings.Replace(m[0], m[2], pythonFields(m[2], m[1], keys), 1), 1)
		}
		if seen != len(classes) {
			t.Errorf("%s: found %d of %d classes", file, seen, len(classes))
		}
		return text
	})
}

// pythonFields returns the lines with the fields of a class, given its present ones.
func pythonFields(old, class string, keys keytable.Description) string {
	missing := keys.Keys()
	var b strings.Builder
	for line := range strings.Lines(old + "\n") {
		m := pythonField.FindStringSubmatch(line)
		if m == nil || strings.Contains(line, "field(") {
			if line != "\n" {
				b.WriteString(line) // not a key
			}
			continue
		}
		at := slices.IndexFunc(missing, func(k keytable.KeyInfo) bool { return k.Name == strings.TrimSuffix(m[1], "_") })
		if at >= 0 {
			b.WriteString(fieldInPython(&missing[at], class))
			missing = slices.Delete(missing, at, at+1)
		}
	}
	for i := range missing {
		b.WriteString(fieldInPython(&missing[i], class))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// fieldInPython returns the field of a key in a class. The words from and except of Python get an underscore.
func fieldInPython(k *keytable.KeyInfo, class string) string {
	name, kind := k.Name, k.Form.Python
	if name == "from" || name == "except" {
		name += "_"
	}
	switch inner, isUnion := strings.CutPrefix(kind, "Union["); {
	case class == "Panel" && name == "scene": // not the name of its file
		return "    scene: Scene\n"
	case class == "Bulk" && name == "file": // absent for columns in memory
		return fmt.Sprintf("    %s: Optional[%s] = None\n", name, kind)
	case k.Required:
		return fmt.Sprintf("    %s: %s\n", name, kind)
	case isUnion:
		return fmt.Sprintf("    %s: Union[None, %s = None\n", name, inner)
	}
	return fmt.Sprintf("    %s: Optional[%s] = None\n", name, kind)
}
