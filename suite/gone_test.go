package suite

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"strings"
	"testing"

	"pillbox/internal/fixture"
	"pillbox/internal/osfile"
)

// TestGonePictureBesideDeeperOne checks that a new scene is recognized by the picture of a scene that is gone, although another
// picture, with 16 bits per channel, differs from it only in bits that the pixel hash does not see.
func TestGonePictureBesideDeeperOne(t *testing.T) {
	project(t)
	fixture.Write(t, "scenes/was.toml", fixture.Ball)
	acceptAll(t)
	img, err := osfile.ReadPNGBeside("golden/was.png", image.Point{})
	if err != nil {
		t.Fatal(err)
	}
	deep := image.NewNRGBA64(img.Bounds())
	for y := range deep.Rect.Dy() {
		for x := range deep.Rect.Dx() {
			c := color.NRGBA64Model.Convert(img.At(x, y)).(color.NRGBA64)
			c.R ^= 1
			deep.SetNRGBA64(x, y, c)
		}
	}
	var data bytes.Buffer
	if err := png.Encode(&data, deep); err != nil {
		t.Fatal(err)
	}
	fixture.Write(t, "golden/deep.png", data.String()) // is read before was.png
	removeFile(t, "scenes/was.toml")
	removeFile(t, "golden/was.scene.toml")
	fixture.Write(t, "scenes/new.toml", "# another text\n"+fixture.Ball)
	refs, err := Find(Options{Scenes: []string{"scenes/new.toml"}})
	if err != nil || len(refs) != 1 {
		t.Fatal(refs, err)
	}
	if got := Judge(t.Context(), Options{}, refs[0]).RenamedFrom; got != "was" {
		t.Errorf("renamed from %q, want was", got)
	}
}

// TestGonePicturesAreReadOnce checks that new scenes are recognized by the pictures of scenes that are gone, and that these
// pictures are read once for all of them: what is written over one later is not read.
func TestGonePicturesAreReadOnce(t *testing.T) {
	project(t)
	acceptAll(t)
	variant := func(i int) string {
		return strings.Replace(fixture.Ball, "radius = ", fmt.Sprintf("radius = 0.%d", 5+i), 1)
	}
	for i := range 3 {
		fixture.Write(t, fmt.Sprintf("scenes/was%d.toml", i), variant(i))
	}
	acceptAll(t)
	for i := range 3 {
		removeFile(t, fmt.Sprintf("scenes/was%d.toml", i))
		removeFile(t, fmt.Sprintf("golden/was%d.scene.toml", i)) // so that only the picture can be recognized
		fixture.Write(t, fmt.Sprintf("scenes/new%d.toml", i), "# another text\n"+variant(i))
	}
	found := func(o Options, name string) string {
		t.Helper()
		refs, err := Find(Options{Scenes: []string{"scenes/" + name + ".toml"}})
		if err != nil || len(refs) != 1 {
			t.Fatal(refs, err)
		}
		return Judge(t.Context(), o, refs[0]).RenamedFrom
	}
	shared := Options{gone: new(gonePictures)}
	for _, o := range []Options{{}, shared} {
		for i := range 3 {
			if got, want := found(o, fmt.Sprintf("new%d", i)), fmt.Sprintf("was%d", i); got != want {
				t.Errorf("new%d was renamed from %q, want %q", i, got, want)
			}
		}
	}
	data, err := os.ReadFile("golden/was0.png")
	if err != nil {
		t.Fatal(err)
	}
	removeFile(t, "golden/was0.png")
	fixture.Write(t, "golden/was2.png", string(data))
	if got := found(shared, "new0"); got != "" {
		t.Errorf("a picture that was removed is found, or all are read again: %q", got)
	}
	if got := found(Options{}, "new0"); got != "was2" {
		t.Errorf("got %q", got)
	}
}
