package regress

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"testing"

	"pillbox/internal/fixture/effort"
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

// TestPairIsBounded checks that scenes with many values are paired only if few values must be compared.
func TestPairIsBounded(t *testing.T) {
	text := func(i, values int) []byte {
		s := "[camera]\nposition = [0, 0, " + fmt.Sprint(i+9) + "]\n"
		for k := range values {
			s += fmt.Sprintf("[[sphere]]\nradius = %d.%d\n", i+1, k)
		}
		return []byte(s)
	}
	for _, c := range []struct{ scenes, values, want int }{{20, 200, 20}, {250, 4, 250}, {257, 4, 0}, {250, 400, 0}} {
		if c.scenes == 250 && !effort.IsAll() {
			continue // it takes a second
		}
		var gone, come []Named
		for i := range c.scenes {
			gone = append(gone, Named{"a", text(i, c.values)})
			come = append(come, Named{"b", text(c.scenes-1-i, c.values)})
		}
		if got := len(Pair(gone, come)); got != c.want {
			t.Errorf("%d scenes of %d values: %d pairs, want %d", c.scenes, c.values, got, c.want)
		}
	}
}
