package regress

import (
	"encoding/json"
	"regexp"
	"slices"
	"testing"

	"pillbox/scene"
)

// refersToName matches the descriptions of keys whose texts refer to something by its name.
var refersToName = regexp.MustCompile(`(?i)\bname of (a|the) (solid|part|material)|^names of materials|\bpairs of name patterns|^a path, a dot and a key|^instead of on: the section cuts|, like (at|from)\.$`)

// TestReferenceKeys compares the list of keys that refer to something by its name with the descriptions in the scene
// format's schema. A rename changes the texts of exactly these keys.
func TestReferenceKeys(t *testing.T) {
	var schema any
	if err := json.Unmarshal(scene.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	found := make(map[string]bool)
	var search func(v any)
	search = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				search(x)
			}
		case map[string]any:
			properties, _ := v["properties"].(map[string]any)
			for key, p := range properties {
				about, _ := p.(map[string]any)
				if text, _ := about["description"].(string); refersToName.MatchString(text) {
					found[key] = true
				}
			}
			for _, x := range v {
				search(x)
			}
		}
	}
	search(schema)
	want := append(referenceKeys(), tableKinds()...)
	for key := range found {
		if !slices.Contains(want, key) {
			t.Errorf("the key %s refers to a name, but renames do not change its texts", key)
		}
	}
	for _, key := range want {
		if !found[key] {
			t.Errorf("no key %s refers to a name", key)
		}
	}
}
