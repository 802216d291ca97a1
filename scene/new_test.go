package scene_test

import (
	"fmt"
	"reflect"
	"testing"

	"pillbox/geom"
	"pillbox/scene"
)

// TestNewIsAnEmptyFile compares New with the result of Decode for files that set nothing.
func TestNewIsAnEmptyFile(t *testing.T) {
	read, err := scene.Decode("", []byte("[camera]\nposition = [1, 2, 3]\nlook_at = [4, 5, 6]\n"))
	if err != nil {
		t.Fatal(err)
	}
	s := scene.New()
	if s.Camera != nil || len(s.Lights) > 0 || len(s.Warnings) > 0 || s.Objects.Len() > 0 {
		t.Errorf("New() = %+v, want no camera, lights, warnings or solids", s)
	}
	if s.Image != read.Image || s.Shading != read.Shading {
		t.Errorf("New() has %+v and %+v, an empty file %+v and %+v", s.Image, s.Shading, read.Image, read.Shading)
	}
	if s.Image.Width == 0 || !s.Shading.Shadows || s.Shading.Ambient.Top.R == 0 {
		t.Errorf("New() = %+v, want defaults", s)
	}
	if got := scene.NewCamera(geom.Vec3{X: 1, Y: 2, Z: 3}, geom.Vec3{X: 4, Y: 5, Z: 6}); !reflect.DeepEqual(got, read.Camera) {
		t.Errorf("NewCamera = %+v, want %+v", got, read.Camera)
	}
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
	again := scene.New()
	again.Image.Width++
	if s.Image.Width == again.Image.Width {
		t.Error("two scenes share their image")
	}
}

func ExampleNew() {
	s := scene.New()
	fmt.Println(s.Image.Width, s.Image.Height, s.Shading.Shadows)
	// Output: 1280 720 true
}
