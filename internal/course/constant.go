package course

import (
	"encoding/json"
	"maps"
	"strconv"
	"strings"
)

// leastConstant is the least number of answers that must be the same before the verdict says so: a few answers may be the
// same by chance.
const leastConstant = 8

// constancy finds out whether a program computes nothing: each field of its answers always has the same value, or is copied
// from the same place of the question. The programs that the page begins with are of this kind.
type constancy struct {
	answers int
	varies  bool
	origins map[string]map[string]bool // what all values of a field may come from: see originsOf; nil: anything
}

// add adds the answer to a question, which is a line of JSON.
func (c *constancy) add(question []byte, a answer) {
	c.answers++
	if c.answers == 1 {
		c.origins = make(map[string]map[string]bool)
		for field := range a {
			c.origins[field] = nil
		}
	}
	var asked any
	if len(a) != len(c.origins) || json.Unmarshal(question, &asked) != nil {
		c.varies = true
		return
	}
	for field, value := range a {
		before, ok := c.origins[field]
		list, isList := value.([]any)
		if field == "id" || ok && isList && len(list) == 0 { // the empty list repeats any value no times
			continue
		}
		origins := originsOf(value, asked)
		if before != nil {
			maps.DeleteFunc(origins, func(o string, _ bool) bool { return !before[o] })
		}
		c.origins[field] = origins
		c.varies = c.varies || !ok || len(origins) == 0
	}
}

// Beginnings of origins. The value or the place in the question follows.
const (
	constantOrigin = "constant "
	repeatedOrigin = "repeated "
	copiedOrigin   = "copied "
)

// originsOf returns what the value of a field may come from: a constant, a constant that a list repeats, as often as the
// question requires, or places in the question.
func originsOf(value, question any) map[string]bool {
	text := inJSON(value)
	origins := map[string]bool{constantOrigin + text: true}
	if list, ok := value.([]any); ok && len(list) > 0 {
		first := inJSON(list[0])
		if text == "["+strings.TrimSuffix(strings.Repeat(first+",", len(list)), ",")+"]" {
			origins[repeatedOrigin+first] = true
		}
	}
	var search func(path string, v any)
	search = func(path string, v any) {
		if inJSON(v) == text {
			origins[copiedOrigin+path] = true
		}
		switch v := v.(type) {
		case map[string]any:
			for key, part := range v {
				search(path+"."+key, part)
			}
		case []any:
			for i, part := range v {
				search(path+"."+strconv.Itoa(i), part)
			}
		}
	}
	search("", question)
	return origins
}

// mistake returns the mistake of a program whose answers do not depend on the questions. It returns none if they do.
func (c *constancy) mistake(lesson string) []Mistake {
	if c.varies || c.answers < leastConstant {
		return nil
	}
	name := "your program gives the same answer to every question"
	for field, origins := range c.origins {
		isCopied := field != "id" && origins != nil
		for o := range origins {
			isCopied = isCopied && strings.HasPrefix(o, copiedOrigin)
		}
		if isCopied {
			name = "your program gives the same answer to every question, except for what it copies from the question"
			break
		}
	}
	return []Mistake{{name, "It computes nothing yet, or a test in it always ends the same way, such as the comparison with a smallest distance that begins at 0. The answer depends on the fields of the question, which docs/course/protocol.md describes. The hints of the stage help you to begin.", lesson}}
}
