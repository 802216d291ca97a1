package scene

import (
	"bytes"
	"encoding/json"
	"fmt"

	"pillbox/internal/keytable"
	"pillbox/internal/text"
)

// Schema returns the JSON Schema of the scene format, for editors that complete and check scenes. It
// uses only what draft 4 and later drafts have in common, so that any tool can read it. [Decode] checks
// more, for example that names are unique.
func Schema() []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(fileSchema()); err != nil {
		panic(fmt.Sprintf("scene: encoding the schema: %v", err)) // cannot happen for plain values
	}
	return b.Bytes()
}

// fileSchema returns the schema of a scene file: its tables, their keys and the rules between these.
func fileSchema() *keytable.Schema {
	keys := fileKeys()
	keys.About = fmt.Sprintf("A scene of %s. The file has at most %d MiB.", text.Series(plurals(), "and"), MaxBytes>>20)
	file := keytable.SchemaOf(keys)
	file.Schema = "http://json-schema.org/draft-04/schema#"
	file.Title = "Pillbox scene"
	file.Definitions = definitions()
	allowPanels(file)
	return file
}

// allowPanels extends the schema of scene files to files with panels, which have none of the tables of a scene.
func allowPanels(file *keytable.Schema) {
	having := func(keys ...string) *keytable.Schema {
		one := new(keytable.Schema)
		for _, key := range keys {
			one.AnyOf = append(one.AnyOf, &keytable.Schema{Required: []string{key}})
		}
		return one
	}
	figure := keytable.SchemaOf(panelsFileKeys())
	tables := keysWithout(panelsFileKeys().Names(), fileKeys().Names())
	for _, key := range tables {
		file.Properties[key] = figure.Properties[key]
	}
	others := keysWithout(fileKeys().Names(), panelsFileKeys().Names())
	file.Dependencies = map[string][]string{"panels": {"panel"}}
	file.Forbid(&keytable.Schema{AllOf: []*keytable.Schema{having(tables...), having(others...)}})
}

// plurals returns the words for several solids of each kind, such as "spheres".
func plurals() (words []string) {
	for _, k := range Kinds() {
		words = append(words, k.Plural())
	}
	return words
}

// definitions returns the schemas that others refer to.
func definitions() map[string]*keytable.Schema {
	all := map[string]*keytable.Schema{
		"color": {
			Description: `"#rgb", "#rrggbb", a CSS color name, or [r, g, b] with 0 to 1. Every color is sRGB.`,
			AnyOf: []*keytable.Schema{
				keytable.OneOf(keytable.ColorNames()...),
				{Type: "string", Pattern: "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"},
				keytable.VectorIn(keytable.Fractions()),
			},
		},
		"light": keytable.SchemaOf(lightKeys()), "part_light": keytable.SchemaOf(partLightKeys()), "place": keytable.SchemaOf(placeKeys()), "bulk": keytable.SchemaOf(bulkKeys()), "section": keytable.SchemaOf(sectionKeys()),
		"label": keytable.SchemaOf(labelKeys()), "dimension": keytable.SchemaOf(dimensionKeys()), "line": keytable.SchemaOf(lineKeys()), "arrow": keytable.SchemaOf(arrowKeys()),
		"angle": keytable.SchemaOf(angleKeys()), "marker": keytable.SchemaOf(markerKeys()),
	}
	for _, k := range Kinds() {
		all[k.String()] = keytable.SchemaOf(solidKeys(k))
	}
	return all
}
