package follow_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"pillbox"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/follow"
	"pillbox/scene"
)

// TestUntil checks all trees of a scene: that for rays from the camera, that for light, which a section does not cut, and
// that of ghosts. When the context ends, no query finds a solid; in the original and in a later copy, each finds one.
func TestUntil(t *testing.T) {
	s, err := scene.Decode("s.toml", []byte(`
		[image]
		width = 3
		height = 3
		[camera]
		position = [0, 0, 9]
		look_at = [0, 0, 0]
		[[section]]
		point = [0, 0, 1.5]
		normal = [0, 0, 1]
		light = "whole"
		[[sphere]]
		center = [0, 0, 0]
		radius = 1
	`+strings.Repeat("[[sphere]]\ncenter = [0, 0, 0]\nradius = 1.25\nghost = 0.5\n", 3)))
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		t.Fatal(err)
	}
	p := follow.Of(prepared)
	ray := geom.Ray{Origin: geom.Vec3{Z: 9}, Dir: geom.Vec3{Z: -1}}
	found := func(p *follow.Prepared) (all [4]bool) {
		all[0] = p.World.TraverseNearest(ray, nil).Object != accel.None
		all[1] = p.ForLight().TraverseBlocked(accel.SecondaryRay{Ray: ray, Object: accel.None}, 99, nil).Object != accel.None
		all[2] = p.Ghosts.TraverseNearest(ray, nil).Object != accel.None
		all[3] = len(p.Ghosts.Before(ray, 99, nil)) > 0
		return all
	}
	if p.ForLight() == p.World {
		t.Fatal("the scene has one tree for rays from the camera and for light")
	}
	for range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		q, ended, release := p.Until(ctx)
		if want := [4]bool{true, true, true, true}; found(q) != want || found(p) != want || ended() {
			t.Errorf("found %v and %v, want all; ended: %v", found(q), found(p), ended())
		}
		cancel()
		for !ended() {
			time.Sleep(time.Millisecond)
		}
		if found(q) != [4]bool{} || found(p) != [4]bool{true, true, true, true} {
			t.Errorf("after the end: found %v, and %v in the original", found(q), found(p))
		}
		release()
	}
}
