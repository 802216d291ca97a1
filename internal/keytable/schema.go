package keytable

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"pillbox/internal/text"
)

// Schema is the subset of JSON Schema that the format needs.
type Schema struct {
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
	Items        *Schema             `json:"items,omitempty"`
	Properties   map[string]*Schema  `json:"properties,omitempty"`
	OtherKeys    any                 `json:"additionalProperties,omitempty"` // false or a *Schema
	Required     []string            `json:"required,omitempty"`
	Dependencies map[string][]string `json:"dependencies,omitempty"`
	Not          *Schema             `json:"not,omitempty"`
	AllOf        []*Schema           `json:"allOf,omitempty"`
	AnyOf        []*Schema           `json:"anyOf,omitempty"`
	OneOf        []*Schema           `json:"oneOf,omitempty"`
	Ref          string              `json:"$ref,omitempty"`
	Definitions  map[string]*Schema  `json:"definitions,omitempty"`
}

// ListOf returns the schema of an array.
func ListOf(description string, item *Schema) *Schema {
	return &Schema{Description: description, Type: "array", Items: item}
}

// doc adds a description.
func (s *Schema) doc(description string) *Schema {
	if s.Ref != "" {
		s = &Schema{AllOf: []*Schema{s}} // draft 4 ignores the keywords next to a $ref
	}
	s.Description = description
	return s
}

// Typed returns the schema of all values of a type of JSON, such as "string".
func Typed(name string) *Schema { return &Schema{Type: name} }

// AnyOf returns a schema of the values that at least one of the schemas allows.
func AnyOf(forms ...*Schema) *Schema { return &Schema{AnyOf: forms} }

// OneOf returns a schema of words.
func OneOf(words ...string) *Schema {
	s := Typed("string")
	for _, w := range words {
		s.Enum = append(s.Enum, w)
	}
	return s
}

func integerIn(l Limits) *Schema {
	s := NumberIn(l)
	s.Type = "integer"
	return s
}

// powersOfTwo allows the powers of two from 1 to l.Max. l must contain 1.
func powersOfTwo(l Limits) *Schema {
	s := Typed("integer")
	for n := int64(1); l.Contain(float64(n)); n *= 2 {
		s.Enum = append(s.Enum, n)
	}
	return s
}

// NumberIn returns the schema of a number within limits.
func NumberIn(l Limits) *Schema {
	s := Typed("number")
	if l == Finite() {
		return s // all numbers in JSON are finite
	}
	s.Minimum, s.Maximum = &l.Min, &l.Max
	if l.Open {
		// The drafts disagree on exclusiveMinimum, so exclude the limits as values.
		s.Not = &Schema{Enum: []any{l.Min, l.Max}}
	}
	return s
}

// VectorIn returns the schema of a vector whose coordinates are within limits.
func VectorIn(l Limits) *Schema { return ArrayOfN(3, NumberIn(l)) }

// ArrayOfN returns the schema of an array of n items.
func ArrayOfN(n int, item *Schema) *Schema {
	return &Schema{Type: "array", Items: item, MinItems: n, MaxItems: n}
}

// nonzero returns the schema of an array of n numbers that are not all 0.
func nonzero(n int) *Schema {
	s := ArrayOfN(n, NumberIn(Finite()))
	s.Not = &Schema{Enum: []any{make([]float64, n)}}
	return s
}

// ColorSchema returns a reference to the definition "color".
func ColorSchema() *Schema { return &Schema{Ref: "#/definitions/color"} }

// SchemaOf returns the schema of a table with only the given keys.
func SchemaOf(keys Description) *Schema {
	s := &Schema{Description: keys.description(), Type: "object", Properties: make(map[string]*Schema), OtherKeys: false}
	for _, k := range keys.Keys() {
		p := k.Form.Schema()
		if p.Description == "" {
			p = p.doc(k.plainAbout())
		}
		p.Default = k.Unset
		s.Properties[k.Name] = p
		if k.Required {
			s.Required = append(s.Required, k.Name)
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
func (s *Schema) require(r *Rule) {
	switch {
	case r.Any && len(r.With) > 0:
		none := &Schema{}
		for _, key := range r.Needs {
			none.AnyOf = append(none.AnyOf, &Schema{Required: []string{key}})
		}
		s.Forbid(&Schema{Required: r.With, Not: none})
	case r.Any:
		for _, key := range r.Needs {
			if !slices.ContainsFunc(s.AnyOf, func(one *Schema) bool { return slices.Equal(one.Required, []string{key}) }) {
				s.AnyOf = append(s.AnyOf, &Schema{Required: []string{key}})
			}
		}
	case len(r.With) == 1:
		if s.Dependencies == nil {
			s.Dependencies = make(map[string][]string)
		}
		s.Dependencies[r.With[0]] = append(s.Dependencies[r.With[0]], r.Needs...)
	default:
		forbidden := &Schema{Required: r.With}
		if len(r.Needs) > 0 {
			forbidden.Not = &Schema{Required: r.Needs}
		}
		s.Forbid(forbidden)
	}
}

// Forbid excludes the values that another schema allows.
func (s *Schema) Forbid(other *Schema) {
	if s.Not == nil {
		s.Not = new(Schema)
	}
	s.Not.AnyOf = append(s.Not.AnyOf, other)
}

// plainAbout returns what the key means as sentences without Markdown, with the unit.
func (k *KeyInfo) plainAbout() string {
	s := links().ReplaceAllStringFunc(k.About, func(link string) string {
		if strings.HasPrefix(link, ",") {
			return "" // a reference, such as: , see [Time](#time)
		}
		return links().FindStringSubmatch(link)[1]
	})
	s = strings.NewReplacer("`", "", "*required*", "required").Replace(s)
	if k.Unit != "" {
		s = AfterClause(s, ", in "+k.Unit)
	}
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:] + "."
}

// AfterClause inserts more after the first clause of a text, which ends with a semicolon or full stop.
func AfterClause(text, more string) string {
	end := strings.Index(strings.ReplaceAll(text, ". ", "; "), "; ")
	if end < 0 {
		end = len(text)
	}
	return text[:end] + more + text[end:]
}

// links returns a pattern for links in Markdown.
var links = text.Pattern(`(?:, see )?\[([^]]*)\]\([^)]*\)`)
