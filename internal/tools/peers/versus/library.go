package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"strconv"

	pov "pillbox/internal/convert/povray"
	"pillbox/internal/osfile"
	"pillbox/internal/tools/peers"
)

// seed is the seed of all random scenes, so that they are the same every time.
const seed = 42

// form is a way to write a scene to a file.
type form struct {
	name  string // of the file
	write func(*peers.Scene, io.Writer) error
	parts []form // files to which the scene refers
}

var (
	povrayForm  = form{name: "scene.pov", write: writePOVRay}
	tachyonForm = form{name: "scene.dat", write: (*peers.Scene).WriteTachyon}
	embreeForm  = form{name: "scene.txt", write: (*peers.Scene).WriteEmbree}
)

func writePOVRay(s *peers.Scene, w io.Writer) error { return pov.Write(w, &s.Scene) }

// Values for whether a scene has shadows.
const unshadowed, shadowed = false, true

// tomlForm returns the form with a table for every solid.
func tomlForm(shadows bool) form {
	return form{name: "tables" + suffix(shadows) + ".toml", write: withShadows(shadows, (*peers.Scene).WriteTOML)}
}

// bulkForm returns the form with the solids in separate files.
func bulkForm(shadows bool) form {
	return form{
		name:  "bulk" + suffix(shadows) + ".toml",
		write: withShadows(shadows, (*peers.Scene).WriteBulk),
		parts: []form{
			{name: peers.SpheresFile, write: (*peers.Scene).WriteSpheres},
			{name: peers.CapsulesFile, write: (*peers.Scene).WriteCapsules},
			{name: peers.BoxesFile, write: (*peers.Scene).WriteBoxes},
			{name: peers.CylindersFile, write: (*peers.Scene).WriteCylinders},
		},
	}
}

// mirroredOnce returns the form with shadows, the solids in separate files and a single reflection.
func mirroredOnce() form {
	return bulkForm(shadowed).changed("bulk-once.toml", func(s *peers.Scene) { s.Shading.Bounces = min(s.Shading.Bounces, 1) })
}

// changed returns the form under another name, for a scene that is changed before it is written.
func (f form) changed(name string, change func(*peers.Scene)) form {
	write := f.write
	f.name, f.write = name, func(s *peers.Scene, w io.Writer) error {
		t := *s
		change(&t)
		return write(&t, w)
	}
	return f
}

func suffix(shadows bool) string {
	if shadows {
		return "-shadows"
	}
	return ""
}

func withShadows(shadows bool, write func(*peers.Scene, io.Writer) error) func(*peers.Scene, io.Writer) error {
	return func(s *peers.Scene, w io.Writer) error {
		t := *s
		t.Shading.Shadows = shadows
		return write(&t, w)
	}
}

// library stores scenes in files and generates missing ones.
type library struct {
	dir         string
	pictureSize image.Point
	last        *peers.Scene // the last scene, because generating one takes a while
	lastDir     string       // the name of that scene and of its folder
}

// newLibrary returns the library in a folder below cache. The folder's name is a hash of the files that the writers
// write for two small scenes. So files from other versions of the writers are not used.
func newLibrary(cache string, size image.Point) (*library, error) {
	l := &library{pictureSize: size}
	sum := sha256.New()
	forms := []form{tomlForm(unshadowed), tomlForm(shadowed), povrayForm, tachyonForm, embreeForm, bulkForm(unshadowed), bulkForm(shadowed)}
	for _, k := range softKinds() {
		forms = append(forms, k.bulk(), k.embree())
	}
	for _, k := range insideKinds() {
		forms = append(forms, k.form(tomlForm(shadowed)), k.form(povrayForm), k.form(embreeForm))
	}
	forms = append(forms, bulkForm(unshadowed).parts...)
	for _, small := range []named{l.mixed(9), l.rods(cylinders, 3)} {
		scene := small.make()
		for _, f := range forms {
			if err := f.write(scene, sum); err != nil {
				return nil, err
			}
		}
	}
	l.dir = filepath.Join(cache, hex.EncodeToString(sum.Sum(nil))[:12])
	return l, nil
}

// mixed returns the random scene of n spheres, capsules and boxes.
func (l *library) mixed(n int) named {
	return named{strconv.Itoa(n), func() *peers.Scene { return l.sized(peers.Random(seed, n)) }}
}

// rods returns the random scene of n capsules or cylinders.
func (l *library) rods(k rodKind, n int) named {
	return named{fmt.Sprint(k.name, "s-", n), func() *peers.Scene { return l.sized(k.make(seed, n)) }}
}

// sized sets the size of a scene's picture.
func (l *library) sized(s *peers.Scene) *peers.Scene {
	s.Image.Width, s.Image.Height = l.pictureSize.X, l.pictureSize.Y
	return s
}

// namedFile returns the name of the file with a named scene, and sets the field last to the scene.
func (l *library) namedFile(n named, f form) (string, error) {
	l.remake(n)
	return l.file(n, f)
}

// remake generates a scene and stores it in the field last, unless last already holds this scene.
func (l *library) remake(n named) {
	if l.last == nil || l.lastDir != n.name {
		say("making the scene %s", n.name)
		l.last, l.lastDir = n.make(), n.name
	}
}

// file returns the name of the file with a scene in the given form. It writes this file and those to which it refers if
// they do not exist.
func (l *library) file(n named, f form) (string, error) {
	dir := filepath.Join(l.dir, n.name)
	for _, part := range f.parts {
		if _, err := l.file(n, part); err != nil {
			return "", err
		}
	}
	name := filepath.Join(dir, f.name)
	if _, err := os.Stat(name); err == nil {
		return name, nil
	}
	l.remake(n)
	return name, new(osfile.Outputs).Write(name, func(w io.Writer) error { return f.write(l.last, w) })
}
