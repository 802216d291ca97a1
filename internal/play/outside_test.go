package play_test

import (
	"bytes"
	"image/png"
	"math"
	"strings"
	"testing"

	"pillbox/internal/play"
)

type outsideView struct {
	PNG  []byte
	Alt  string
	Path []struct {
		Kind, Name, Fate string
		From, To         [2]float64
	}
}

// TestOutside checks that the view from outside has the requested size and the names of the rays in the
// explanation.
func TestOutside(t *testing.T) {
	e := engine()
	view := func(more object) outsideView {
		t.Helper()
		request := object{"text": demo(t), "size": []int{90, 60}, "samples": 1}
		for key, value := range more {
			request[key] = value
		}
		v := ask[outsideView](t, e, "outside", request)
		img, err := png.Decode(bytes.NewReader(v.PNG))
		if err != nil {
			t.Fatal(err)
		}
		if size := img.Bounds().Size(); size.X != 90 || size.Y != 60 {
			t.Fatalf("the picture has %v pixels", size)
		}
		return v
	}
	alone := view(nil)
	if len(alone.Path) != 1 || alone.Path[0].Kind != "eye" || alone.Alt != "The scene from outside, with its camera" {
		t.Errorf("without a question: %+v, %q", alone.Path, alone.Alt)
	}
	pixel := view(object{"pixel": []int{905, 548}})
	if len(pixel.Path) < 3 || pixel.Path[1].Name != "camera ray" || pixel.Path[1].From != pixel.Path[0].From {
		t.Errorf("the path of the pixel is %+v", pixel.Path)
	}
	if length := math.Hypot(pixel.Path[1].To[0]-pixel.Path[1].From[0], pixel.Path[1].To[1]-pixel.Path[1].From[1]); length < 10 {
		t.Errorf("from outside, the camera ray is %g pixels long", length)
	}
	if !strings.Contains(pixel.Alt, "camera ray, which ends at") || !strings.Contains(pixel.Alt, "blocks") {
		t.Errorf("the view is described as %q", pixel.Alt)
	}
	turned := view(object{"pixel": []int{905, 548}, "orbit": []int{40, 10}})
	if bytes.Equal(turned.PNG, pixel.PNG) || turned.Path[1].To == pixel.Path[1].To {
		t.Error("orbiting changes nothing")
	}
	segment := view(object{"segment": []int{0, 0, 0, 1, 1, 1}})
	if segment.Path[1].Kind != "segment" {
		t.Errorf("the path of a segment is %+v", segment.Path)
	}
	for _, wrong := range []object{
		{"size": []int{0, 60}, "samples": 1}, {"size": []int{90, 60}, "samples": 0},
		{"size": []int{90, 60}, "samples": 1, "zoom": -1}, {"size": []int{90000, 60000}, "samples": 1},
	} {
		wrong["text"] = demo(t)
		if f := fails(t, e, "outside", wrong); f.Status == play.StatusBroken {
			t.Errorf("%v: %v", wrong["size"], f)
		}
	}
}
