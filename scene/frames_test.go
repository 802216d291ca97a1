package scene_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"pillbox/problem"
	"pillbox/scene"
)

// overhead is a scene whose camera has no up direction after a second, which is between two keys and a frame.
const overhead = `
[camera]
position = [0, 0, 8]
look_at = [0, 0, 0]

[[sphere]]
center = [0, 0, 0]
radius = 1

[animation]
duration = 2
fps = 4

[[animate]]
target = "camera.position"
times = [0, 2]
values = [[0, 8, 8], [0, 8, -8]]
`

func TestCheckFrames(t *testing.T) {
	s, err := scene.Decode("s.toml", []byte(overhead))
	if err != nil {
		t.Fatal(err)
	}
	var problems problem.Errors
	if err := s.CheckFrames(t.Context()); !errors.As(err, &problems) || len(problems) != 1 || !strings.Contains(err.Error(), "camera.up: at 1 s: ") {
		t.Errorf("CheckFrames() = %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.CheckFrames(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("CheckFrames() = %v after an interrupt", err)
	}
	for _, good := range []string{strings.Replace(overhead, "fps = 4", "fps = 0.8", 1), overhead[:strings.Index(overhead, "[animation]")]} {
		s, err := scene.Decode("s.toml", []byte(good))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.CheckFrames(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// TestInvalidKeyHasTime checks that the message about a key of an animation whose camera is degenerate states its time.
func TestInvalidKeyHasTime(t *testing.T) {
	_, err := scene.Decode("s.toml", []byte(strings.Replace(overhead, "[0, 8, -8]", "[0, 8, 0]", 1)))
	if err == nil || !strings.Contains(err.Error(), "camera.up: at 2 s: ") {
		t.Error(err)
	}
}

// TestOptionalCamera checks that scenes whose camera is missing or degenerate, at a time or always, can be read without a
// picture, and have a valid camera.
func TestOptionalCamera(t *testing.T) {
	const far = "[[sphere]]\ncenter = [9e14, 0, 0]\nradius = 1e15\n"
	for name, text := range map[string]string{
		"at a time": overhead,
		"always":    "[camera]\nposition = [0, 8, 0]\nlook_at = [0, 0, 0]\n" + far,
		"one point": "[camera]\nposition = [0, 8, 0]\nlook_at = [0, 8, 0]\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n",
		"missing":   far,
	} {
		if s, err := scene.Decode("s.toml", []byte(text)); err == nil {
			if _, err = s.At(1); err == nil && name != "missing" {
				t.Errorf("%s: the scene is valid", name)
			}
		}
		s, err := scene.Decode("s.toml", []byte(text), scene.WithOptionalCamera())
		if err == nil {
			s, err = s.At(1)
		}
		if err == nil {
			err = s.Validate()
		}
		if err == nil {
			_, err = s.View(40, 30)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
