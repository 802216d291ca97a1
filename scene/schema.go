package scene

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

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
func fileSchema() *schema {
	keys := fileKeys()
	keys.about = fmt.Sprintf("A scene of %s. The file has at most %d MiB.", text.Series(plurals(), "and"), MaxBytes>>20)
	file := schemaOf(keys)
	file.Schema = "http://json-schema.org/draft-04/schema#"
	file.Title = "Pillbox scene"
	file.Definitions = definitions()
	return file
}

// plurals returns the words for several solids of each kind, such as "spheres".
func plurals() (words []string) {
	for _, k := range Kinds() {
		words = append(words, k.Plural())
	}
	return words
}

// definitions returns the schemas that others refer to.
func definitions() map[string]*schema {
	all := map[string]*schema{
		"color": {
			Description: `"#rgb", "#rrggbb", a CSS color name, or [r, g, b] with 0 to 1. Every color is sRGB.`,
			AnyOf: []*schema{
				oneOf(colorNames()...),
				{Type: "string", Pattern: "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"},
				vectorIn(fractions()),
			},
		},
		"light": schemaOf(lightKeys()), "part_light": schemaOf(partLightKeys()), "place": schemaOf(placeKeys()), "bulk": schemaOf(bulkKeys()), "section": schemaOf(sectionKeys()),
		"label": schemaOf(labelKeys()), "dimension": schemaOf(dimensionKeys()), "line": schemaOf(lineKeys()), "arrow": schemaOf(arrowKeys()),
		"angle": schemaOf(angleKeys()), "marker": schemaOf(markerKeys()),
	}
	for _, k := range Kinds() {
		all[k.String()] = schemaOf(solidKeys(k))
	}
	return all
}

// schemaOf returns the schema of a table with only the given keys.
func schemaOf(keys tableOfKeys) *schema {
	s := &schema{Description: keys.description(), Type: "object", Properties: make(map[string]*schema), OtherKeys: false}
	for _, k := range keys.keys() {
		p := k.form.schema()
		if p.Description == "" {
			p = p.doc(k.plainAbout())
		}
		p.Default = k.unset
		s.Properties[k.name] = p
		if k.required {
			s.Required = append(s.Required, k.name)
		}
	}
	for _, set := range keys.ruleSets() {
		for i := range set {
			s.require(&set[i])
		}
	}
	return s
}

// require adds a rule between keys.
func (s *schema) require(r *rule) {
	switch {
	case r.any && len(r.with) > 0:
		none := &schema{}
		for _, key := range r.needs {
			none.AnyOf = append(none.AnyOf, &schema{Required: []string{key}})
		}
		s.forbid(&schema{Required: r.with, Not: none})
	case r.any:
		for _, key := range r.needs {
			if !slices.ContainsFunc(s.AnyOf, func(one *schema) bool { return slices.Equal(one.Required, []string{key}) }) {
				s.AnyOf = append(s.AnyOf, &schema{Required: []string{key}})
			}
		}
	case len(r.with) == 1:
		if s.Dependencies == nil {
			s.Dependencies = make(map[string][]string)
		}
		s.Dependencies[r.with[0]] = append(s.Dependencies[r.with[0]], r.needs...)
	default:
		forbidden := &schema{Required: r.with}
		if len(r.needs) > 0 {
			forbidden.Not = &schema{Required: r.needs}
		}
		s.forbid(forbidden)
	}
}

// forbid excludes the values that another schema allows.
func (s *schema) forbid(other *schema) {
	if s.Not == nil {
		s.Not = new(schema)
	}
	s.Not.AnyOf = append(s.Not.AnyOf, other)
}

// plainAbout returns what the key means as sentences without Markdown, with the unit.
func (k *keyInfo) plainAbout() string {
	s := links().ReplaceAllStringFunc(k.about, func(link string) string {
		if strings.HasPrefix(link, ",") {
			return "" // a reference, such as: , see [Time](#time)
		}
		return links().FindStringSubmatch(link)[1]
	})
	s = strings.NewReplacer("`", "", "*required*", "required").Replace(s)
	if k.unit != "" {
		s = afterClause(s, ", in "+k.unit)
	}
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:] + "."
}

// afterClause inserts more after the first clause of a text, which ends with a semicolon or full stop.
func afterClause(text, more string) string {
	end := strings.Index(strings.ReplaceAll(text, ". ", "; "), "; ")
	if end < 0 {
		end = len(text)
	}
	return text[:end] + more + text[end:]
}

// links returns a pattern for links in Markdown.
var links = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:, see )?\[([^]]*)\]\([^)]*\)`) })

func pairsOfPatterns() *schema {
	pair := &schema{Type: "array", Items: typed("string"), MinItems: 2, MaxItems: 2}
	return &schema{Type: "array", Items: pair, MaxItems: MaxAllowedOverlaps}
}

func colorSchema() *schema { return &schema{Ref: "#/definitions/color"} }

// schema is the subset of JSON Schema that the format needs.
type schema struct {
	Schema       string              `json:"$schema,omitempty"`
	Title        string              `json:"title,omitempty"`
	Description  string              `json:"description,omitempty"`
	Type         string              `json:"type,omitempty"`
	Default      any                 `json:"default,omitempty"`
	Enum         []any               `json:"enum,omitempty"`
	Pattern      string              `json:"pattern,omitempty"`
	MinLength    int                 `json:"minLength,omitempty"`
	Minimum      *float64            `json:"minimum,omitempty"`
	Maximum      *float64            `json:"maximum,omitempty"`
	MinItems     int                 `json:"minItems,omitempty"`
	MaxItems     int                 `json:"maxItems,omitempty"`
	Items        *schema             `json:"items,omitempty"`
	Properties   map[string]*schema  `json:"properties,omitempty"`
	OtherKeys    any                 `json:"additionalProperties,omitempty"` // false or a *schema
	Required     []string            `json:"required,omitempty"`
	Dependencies map[string][]string `json:"dependencies,omitempty"`
	Not          *schema             `json:"not,omitempty"`
	AllOf        []*schema           `json:"allOf,omitempty"`
	AnyOf        []*schema           `json:"anyOf,omitempty"`
	OneOf        []*schema           `json:"oneOf,omitempty"`
	Ref          string              `json:"$ref,omitempty"`
	Definitions  map[string]*schema  `json:"definitions,omitempty"`
}

func listOf(description string, item *schema) *schema {
	return &schema{Description: description, Type: "array", Items: item}
}

// doc adds a description.
func (s *schema) doc(description string) *schema {
	if s.Ref != "" {
		s = &schema{AllOf: []*schema{s}} // draft 4 ignores the keywords next to a $ref
	}
	s.Description = description
	return s
}

func typed(name string) *schema { return &schema{Type: name} }

func anyOf(forms ...*schema) *schema { return &schema{AnyOf: forms} }

func oneOf(words ...string) *schema {
	s := typed("string")
	for _, w := range words {
		s.Enum = append(s.Enum, w)
	}
	return s
}

func integerIn(l limits) *schema {
	s := numberIn(l)
	s.Type = "integer"
	return s
}

// powersOfTwo allows the powers of two from 1 to l.max. l must contain 1.
func powersOfTwo(l limits) *schema {
	s := typed("integer")
	for n := int64(1); l.contain(float64(n)); n *= 2 {
		s.Enum = append(s.Enum, n)
	}
	return s
}

func numberIn(l limits) *schema {
	s := typed("number")
	if l == finite() {
		return s // all numbers in JSON are finite
	}
	s.Minimum, s.Maximum = &l.min, &l.max
	if l.open {
		// The drafts disagree on exclusiveMinimum, so exclude the limits as values.
		s.Not = &schema{Enum: []any{l.min, l.max}}
	}
	return s
}

func vectorIn(l limits) *schema { return arrayOfN(3, numberIn(l)) }

func arrayOfN(n int, item *schema) *schema {
	return &schema{Type: "array", Items: item, MinItems: n, MaxItems: n}
}

// nonzero returns the schema of an array of n numbers that are not all 0.
func nonzero(n int) *schema {
	s := arrayOfN(n, numberIn(finite()))
	s.Not = &schema{Enum: []any{make([]float64, n)}}
	return s
}
