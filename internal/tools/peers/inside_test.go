package peers_test

import (
	"reflect"
	"strings"
	"testing"

	"pillbox/internal/tools/peers"
	"pillbox/scene"
	"pillbox/shapes"
)

// TestInsideReadsBack writes scenes for looking inside as TOML, and compares them after reading.
func TestInsideReadsBack(t *testing.T) {
	for seed := range uint64(4) {
		for name, change := range map[string]func(*peers.Scene) *peers.Scene{
			"cut": (*peers.Scene).Cut, "deleted": (*peers.Scene).Deleted, "fog": (*peers.Scene).Foggy,
			"ghosts":   func(s *peers.Scene) *peers.Scene { return s.Ghosts(false) },
			"one hull": func(s *peers.Scene) *peers.Scene { return s.Ghosts(true) },
		} {
			want := change(sceneOf(seed, 40))
			got, err := scene.Decode("inside.toml", []byte(text(t, want.WriteTOML)))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			wantScene(t, got, want)
			if !reflect.DeepEqual(got.Cuts(true), want.Cuts(true)) || len(got.Sections) != len(want.Sections) || !reflect.DeepEqual(got.Fog, want.Fog) {
				t.Errorf("%s: sections %+v and fog %+v, want %+v and %+v", name, got.Sections, got.Fog, want.Sections, want.Fog)
			}
			for i := range got.Objects.Len() {
				for j := range i {
					if a, b := sameHull(got, i, j), sameHull(&want.Scene, i, j); a != b {
						t.Fatalf("%s: objects %d and %d have the same hull: %v, want %v", name, i, j, a, b)
					}
				}
			}
		}
	}
}

// sameHull reports whether two solids are ghosts of the same hull.
func sameHull(s *scene.Scene, i, j int) bool {
	return s.Objects.IsGhost(i) && s.Objects.IsGhost(j) && s.Objects.Material(i).Surface() == s.Objects.Material(j).Surface()
}

// TestDeleted checks that exactly the solids that reach behind the plane of the section remain.
func TestDeleted(t *testing.T) {
	for seed := range uint64(4) {
		s := sceneOf(seed, 300)
		got := s.Deleted()
		n := 0
		for i := range s.Objects.Len() {
			if _, removed := shapes.Dissect(s.Solid(i), []shapes.Section{{Normal: s.Cut().Sections[0].Normal}}); removed {
				continue
			}
			if n >= got.Objects.Len() || !reflect.DeepEqual(got.Solid(n), s.Solid(i)) || got.Objects.Material(n).Albedo != s.Objects.Material(i).Albedo {
				t.Fatalf("solid %d is not left", i)
			}
			n++
		}
		if n != got.Objects.Len() || n < 100 || n > 200 {
			t.Errorf("%d solids are left, want %d of 300, about half", got.Objects.Len(), n)
		}
		if lines := strings.Count(text(t, got.WriteEmbree), "\n"); lines != n+4 {
			t.Errorf("%d lines for Embree, want %d", lines, n+4)
		}
		if !strings.Contains(text(t, s.Cut().WriteEmbree), "\nsection 0 0 0 0 0 1\n") {
			t.Error("Embree gets no section")
		}
	}
}
