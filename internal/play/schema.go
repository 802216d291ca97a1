package play

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"pillbox/scene"
)

// rule is the part of the scene's JSON Schema that describes a table or a value.
type rule struct {
	Description string           `json:"description"`
	Type        string           `json:"type"`
	Default     any              `json:"default"`
	Enum        []any            `json:"enum"`
	Minimum     *float64         `json:"minimum"`
	Maximum     *float64         `json:"maximum"`
	MinItems    int              `json:"minItems"`
	MaxItems    int              `json:"maxItems"`
	Items       *rule            `json:"items"`
	Properties  map[string]*rule `json:"properties"`
	OtherKeys   json.RawMessage  `json:"additionalProperties"`
	Required    []string         `json:"required"`
	AllOf       []*rule          `json:"allOf"`
	AnyOf       []*rule          `json:"anyOf"`
	Ref         string           `json:"$ref"`
	Definitions map[string]*rule `json:"definitions"`
}

// rules returns the rule for a whole scene.
var rules = sync.OnceValue(func() *rule {
	r := new(rule)
	if err := json.Unmarshal(scene.Schema(), r); err != nil {
		panic(err) // the embedded schema is valid
	}
	for _, name := range []string{"panels", "panel"} { // of files that are no scenes
		delete(r.Properties, name)
	}
	return r
})

// resolved returns the rule to which r refers, or r itself if it is not a reference. It also follows references that
// are wrapped in allOf to add a description.
func (r *rule) resolved() *rule {
	for r != nil {
		switch {
		case r.Ref != "":
			r = rules().Definitions[strings.TrimPrefix(r.Ref, "#/definitions/")]
		case len(r.AllOf) == 1:
			r = r.AllOf[0]
		default:
			return r
		}
	}
	return nil
}

// table returns the rule for the table that a value may be. For an array of tables, it returns the rule for each
// element. It returns nil if the value cannot be either.
func (r *rule) table() *rule {
	r = r.resolved()
	switch {
	case r == nil:
		return nil
	case r.Properties != nil:
		return r
	case r.Items != nil && r.Type == "array":
		return r.Items.table()
	}
	for _, form := range r.AnyOf {
		if t := form.table(); t != nil && form.resolved().Type == "object" {
			return t
		}
	}
	return nil
}

// key returns the rule for a key of a table; nil if none exists. If the table allows any key, it is the rule for all
// keys.
func (r *rule) key(name string) *rule {
	if r = r.resolved(); r == nil {
		return nil
	}
	if t := r.table(); t != nil {
		r = t
	}
	if inner, ok := r.Properties[name]; ok {
		return inner
	}
	if len(r.OtherKeys) > 0 && r.OtherKeys[0] == '{' {
		inner := new(rule)
		if json.Unmarshal(r.OtherKeys, inner) == nil {
			return inner
		}
	}
	return nil
}

// ruleAt returns the rule at the end of a path of keys.
func ruleAt(keys []string) *rule {
	r := rules()
	for _, key := range keys {
		r = r.key(key)
	}
	return r
}

// isArrayOfTables reports whether the tables of a key are written as [[key]].
func (r *rule) isArrayOfTables() bool {
	r = r.resolved()
	return r != nil && r.Type == "array" && r.table() != nil
}

// isTable reports whether a key is written as [key].
func (r *rule) isTable() bool {
	r = r.resolved()
	return r != nil && r.Type == "object"
}

// kind describes in a few words what a value must be.
func (r *rule) kind() string {
	r = r.resolved()
	if r == nil {
		return ""
	}
	switch {
	case r == rules().Definitions["color"]:
		return "color"
	case len(r.AnyOf) > 0:
		var kinds []string
		for _, form := range r.AnyOf {
			if k := form.kind(); !slices.Contains(kinds, k) {
				kinds = append(kinds, k)
			}
		}
		return strings.Join(kinds, " or ")
	case len(r.Enum) > 0 && r.Type == "string":
		return "word"
	case r.Type == "array" && r.Items != nil && r.MinItems == r.MaxItems && r.MinItems > 0:
		return fmt.Sprintf("%d %ss", r.MinItems, r.Items.kind())
	case r.Type == "object":
		return "table"
	case r.isArrayOfTables():
		return "tables"
	}
	return r.Type
}

// limits describes the valid values: the range of a number or of an array's numbers, or a short list of words. It
// returns "" if there is no limit.
func (r *rule) limits() string {
	r = r.resolved()
	switch {
	case r == nil:
		return ""
	case r.Type == "array":
		return r.Items.limits()
	case len(r.Enum) > 0 && len(r.Enum) <= 8:
		var words []string
		for _, w := range r.Enum {
			words = append(words, fmt.Sprint(w))
		}
		return strings.Join(words, ", ")
	case r.Minimum != nil && r.Maximum != nil:
		return fmt.Sprintf("%g to %g", *r.Minimum, *r.Maximum)
	}
	return ""
}

// defaultText returns the default of a key as TOML; "" if it has none.
func (r *rule) defaultText() string {
	if r == nil || r.Default == nil {
		return ""
	}
	return written(r.Default)
}
