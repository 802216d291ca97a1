package lessons_test

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"pillbox/docs/lessons"
	"pillbox/geom"
)

// TestVectorsPage recomputes every equation of the page about vectors.
func TestVectorsPage(t *testing.T) {
	text, err := fs.ReadFile(lessons.Files(), "vectors.md")
	if err != nil {
		t.Fatal(err)
	}
	vector := regexp.MustCompile(`\(([-0-9., ]+)\)`)
	equations := 0
	for line := range strings.Lines(string(text)) {
		left, right, ok := strings.Cut(strings.TrimSpace(line), " = ")
		if !ok || !strings.ContainsAny(left[:1], "(|u2") {
			continue
		}
		var v []geom.Vec3
		for _, m := range vector.FindAllStringSubmatch(left, -1) {
			var x geom.Vec3
			if _, err := fmt.Sscanf(m[1], "%g, %g, %g", &x.X, &x.Y, &x.Z); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			v = append(v, x)
		}
		var got any
		switch {
		case strings.HasPrefix(left, "|"):
			got = v[0].Norm()
		case strings.HasPrefix(left, "unit"):
			got = v[0].Unit()
		case strings.HasPrefix(left, "2 *"):
			got = v[0].Scale(2)
		case strings.Contains(left, ") · ("):
			got = v[0].Dot(v[1])
		case strings.Contains(left, ") × ("):
			got = v[0].Cross(v[1])
		case strings.Contains(left, ") - ("):
			got = v[0].Sub(v[1])
		case strings.Contains(left, ") + ("):
			got = v[0].Add(v[1])
		default:
			continue
		}
		equations++
		if x, ok := got.(geom.Vec3); ok {
			got = fmt.Sprintf("(%.6g, %.6g, %.6g)", x.X+0, x.Y+0, x.Z+0)
		} else {
			got = fmt.Sprintf("%.6g", got)
		}
		if got != right {
			t.Errorf("%s: %v", strings.TrimSpace(line), got)
		}
	}
	if equations < 20 {
		t.Errorf("only %d equations", equations)
	}
}
