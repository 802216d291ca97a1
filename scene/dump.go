package scene

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"pillbox/internal/tomltext"
)

// Tables returns the tables of a scene file, with the same keys and values, in a form that encoding/json accepts. A
// float becomes a [json.Number] with all digits of the file and with a point or an exponent, so it differs from an
// integer. nan and inf become strings. Tables returns an error only if the file is not TOML: it does not check the
// scene.
func Tables(data []byte) (map[string]any, error) {
	text, err := tomltext.Text(data)
	if err != nil {
		return nil, err
	}
	root, err := tomltext.Parse(data, KindNames()...)
	if err != nil {
		return nil, err
	}
	d := dumper{text: text, long: new(longNumbers)}
	d.table("", root)
	d.restore()
	return root, nil
}

// dumper replaces the floats of a file by their texts.
type dumper struct {
	text  []byte
	long  *longNumbers
	paths []string            // of the numbers that may have more digits than their float64
	set   []func(json.Number) // replaces the number of each path
}

// table replaces the floats of a table. path is empty for the whole file.
func (d *dumper) table(path string, t map[string]any) {
	if path != "" {
		path += "."
	}
	// In any order: each value is replaced on its own.
	for key, v := range t {
		t[key] = d.value(path+tomltext.QuoteKey(key), v, func(n json.Number) { t[key] = n })
	}
}

// value returns v with its floats replaced. The function set replaces v by a number.
func (d *dumper) value(path string, v any, set func(json.Number)) any {
	element := func(i int) string { return path + "[" + strconv.Itoa(i) + "]" }
	switch v := v.(type) {
	case map[string]any:
		d.table(path, v)
	case []map[string]any:
		for i, t := range v {
			d.table(element(i), t)
		}
	case []any:
		for i, x := range v {
			v[i] = d.value(element(i), x, func(n json.Number) { v[i] = n })
		}
	case float64:
		if d.long.has(d.text, v) {
			d.paths, d.set = append(d.paths, path), append(d.set, set)
		}
		return literal(v)
	}
	return v
}

// literal returns the shortest decimal of a float64, which contains a point or an exponent. A number that
// JSON lacks becomes a string, which no valid scene contains.
func literal(x float64) any {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return fmt.Sprint(x)
	}
	text := strconv.FormatFloat(x, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return json.Number(text)
}

// restore replaces the numbers at d.paths by their texts in the file.
func (d *dumper) restore() {
	if len(d.paths) == 0 {
		return
	}
	places := tomltext.Locate(d.text, d.paths)
	for i, path := range d.paths {
		at := places[path]
		if !at.Found {
			continue
		}
		text := string(d.text[at.Value.Start:at.Value.End])
		text = strings.TrimPrefix(strings.ReplaceAll(text, "_", ""), "+")
		d.set[i](json.Number(text))
	}
}
