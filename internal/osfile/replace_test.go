package osfile_test

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pillbox/internal/fixture"
	"pillbox/internal/osfile"
	"pillbox/internal/sniff"
)

// contents are files of several kinds. Kinds with the same name may replace each other.
func contents(t *testing.T) map[string]string {
	t.Helper()
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		".png":  picture.String(),
		".jpg":  "\xff\xd8\xff\xe0\x00\x10JFIF",
		".tiff": "II*\x00\x08\x00\x00\x00\x00\x00\x00\x00",
		".bmp":  "BM\x46\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00",
		".gif":  "GIF89a",
		".mp4":  "\x00\x00\x00\x18ftypisom\x00\x00\x00\x00",
		".webm": "\x1aE\xdf\xa3\x01\x00",
		".pdf":  "%PDF-1.7\n",
		".svg":  "\n<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
		".html": "<!-- a page -->\n<!DOCTYPE html>\n<html lang=\"en\"><svg/></html>",
		".urdf": "<?xml version=\"1.0\"?>\n<robot name=\"svg\"/>",
		".json": "{\"scene\": {}}\n",
		".glb":  "glTF\x02\x00\x00\x00",
		".toml": "# A lamp.\n\n[camera]\nposition = [0, 0, 1]\n",

		".pfm":   "PF\n1 1\n-1.0\n",
		".npy":   "\x93NUMPY\x01\x00",
		".npz":   "PK\x03\x04",
		".gz":    "\x1f\x8b\x08",
		".xz":    "\xfd7zXZ\x00",
		".shard": "PBSHARD\n",
	}
}

// TestWriteKeepsOtherKinds checks each pair of an extension and the contents of an existing file: only files of the
// extension's kind and empty files are replaced, and TOML files only if that is allowed.
func TestWriteKeepsOtherKinds(t *testing.T) {
	for extension := range contents(t) {
		for kind, text := range contents(t) {
			fixture.Folder(t, map[string]string{"old" + extension: text, "empty" + extension: "", "link" + extension: "", "real": text})
			for _, mayReplaceScenes := range []bool{false, true} {
				o := osfile.Outputs{ReplaceScenes: mayReplaceScenes}
				want := extension == kind && (extension != ".toml" || mayReplaceScenes)
				checked := o.Check("old" + extension)
				if err := write(&o, "old"+extension); (err == nil) != want || (checked == nil) != want {
					t.Errorf("%s with the contents of %s, scenes may be replaced: %v: checked %v, written %v", extension, kind, mayReplaceScenes, checked, err)
				} else if data, _ := os.ReadFile("old" + extension); !want && string(data) != text {
					t.Errorf("%s with the contents of %s has changed, although the error is %v", extension, kind, err)
				}
				if err := write(&o, "empty"+extension); err != nil {
					t.Errorf("empty%s: %v", extension, err)
				}
				rewrite(t, "old"+extension, text)
				rewrite(t, "empty"+extension, "")
			}
		}
	}
}

func write(o *osfile.Outputs, name string) error {
	return o.Write(name, func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err })
}

func rewrite(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestWriteOtherExtensions checks extensions that say nothing about the contents: text may be replaced, but neither files
// whose format is certain nor scenes.
func TestWriteOtherExtensions(t *testing.T) {
	for text, want := range map[string]bool{
		"x,y,z\n1,2,3\n": true, "{\"t\": 1}\n": true, "// POV-Ray\nsphere {}\n": true, "<?xml version=\"1.0\"?>": true,
		"\x00\x00\x00\x00\x00\x00\xf0\x3f": true, "# x = 1\n1 2 3\n": true, "a == b\n": true,
		"[[sphere]]\nradius = 1\n": false, "\uFEFFunits = \"mm\"\n": false, "# only\r\n\r\n[image]\r\n": false,
		"\x89PNG\r\n\x1a\n": false, "#!/bin/sh\n": false, "PK\x03\x04": false, "\x7fELF": false,
		"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n": true,
	} {
		for _, name := range []string{"out", "out.txt", "out.csv", "out.dat"} {
			fixture.Folder(t, map[string]string{name: text})
			o := osfile.Outputs{ReplaceScenes: true}
			if err := write(&o, name); (err == nil) != want {
				t.Errorf("%s with %q: %v", name, text, err)
			}
		}
	}
}

// TestWriteKeepsInputs checks that an input cannot be replaced under any name, whether it is known before or after
// the output.
func TestWriteKeepsInputs(t *testing.T) {
	for _, output := range []string{"in.png", "./in.png", "hard.png", "soft.png", "folder/in.png"} {
		for _, inputFirst := range []bool{true, false} {
			fixture.Folder(t, map[string]string{"in.png": contents(t)[".png"]})
			if err := errors.Join(os.Link("in.png", "hard.png"), os.Symlink("in.png", "soft.png"), os.Symlink(".", "folder")); err != nil {
				t.Skip(err)
			}
			o := osfile.Outputs{ReplaceScenes: true}
			var first, second error
			if inputFirst {
				first, second = o.Protect("in.png"), o.Check(output)
			} else {
				first, second = o.Check(output), o.Protect("in.png")
			}
			var refused *osfile.Refusal
			if first != nil || !errors.As(second, &refused) || second.Error() != "output "+output+" would replace the input" {
				t.Errorf("%s: %v, then %v", output, first, second)
			}
			if err := write(&o, output); !errors.As(err, &refused) {
				t.Errorf("%s: %v", output, err)
			}
			if err := write(&o, "other.png"); err != nil {
				t.Errorf("another file: %v", err)
			}
		}
	}
}

// TestRewrite checks that a file that the program owns is replaced whatever it contains.
func TestRewrite(t *testing.T) {
	fixture.Folder(t, map[string]string{"scene.toml": "[camera]\n"})
	var o osfile.Outputs
	if err := errors.Join(o.Protect("scene.toml"), o.Rewrite("scene.toml", func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err })); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile("scene.toml"); err != nil || string(data) != "new" {
		t.Errorf("%q, %v", data, err)
	}
}

// TestWriteTogetherBetweenRenames makes one rename after the other fail, which leaves the files of a process that was
// killed at that moment. The scene, which is renamed last, must never be the old one beside a new table.
func TestWriteTogetherBetweenRenames(t *testing.T) {
	names := []string{"scene.toml", "a.csv", "b.csv"} // renamed in the reverse order
	for failing, name := range names {
		fixture.Folder(t, map[string]string{"scene.toml": "[old]\n", "a.csv": "old", "b.csv": "old"})
		o := osfile.Outputs{ReplaceScenes: true}
		err := o.WriteTogether(func(create func(string) (io.Writer, error)) error {
			for _, name := range names {
				w, err := create(name)
				if err != nil {
					return err
				}
				if _, err := io.WriteString(w, "new"); err != nil {
					return err
				}
			}
			if name == "scene.toml" {
				return nil
			}
			return errors.Join(os.Remove(name), os.Mkdir(name, 0o777), os.Mkdir(name+"/in", 0o777)) // so that renaming fails
		})
		if (err == nil) != (failing == 0) {
			t.Fatalf("%s: %v", name, err)
		}
		scene, _ := os.ReadFile("scene.toml")
		table, _ := os.ReadFile("b.csv")
		want := []string{"new new", " new", "[old]\n "}[failing]
		if got := string(scene) + " " + string(table); got != want {
			t.Errorf("renaming %s fails: the scene and the first table are %q, want %q", name, got, want)
		}
		if old, _ := filepath.Glob(".render-*"); len(old) != map[int]int{1: 1}[failing] {
			t.Errorf("renaming %s fails: temporary files %q", name, old)
		}
	}
}

// TestReplaceOnlyScenes checks that the function IsScene decides which TOML files are replaced.
func TestReplaceOnlyScenes(t *testing.T) {
	for _, isScene := range []bool{false, true} {
		fixture.Folder(t, map[string]string{"old.toml": "[project]\nname = \"x\"\n"})
		o := osfile.Outputs{ReplaceScenes: true, IsScene: func(r io.Reader) (bool, error) {
			head, err := io.ReadAll(r)
			return isScene && bytes.HasPrefix(head, []byte("[project]")), err
		}}
		if err := write(&o, "old.toml"); (err == nil) != isScene {
			t.Errorf("a scene: %v, error %v", isScene, err)
		}
		rewrite(t, "old.toml", "[project]\nname = \"x\"\n")
		o.ReplaceScenes = false
		var refused *osfile.Refusal
		if err := write(&o, "old.toml"); !errors.As(err, &refused) || refused.Scene != isScene {
			t.Errorf("a scene: %v, without permission: %v", isScene, err)
		}
	}
}

// TestCheckFormat checks each pair of an extension and a kind of contents.
func TestCheckFormat(t *testing.T) {
	for extension := range contents(t) {
		for kind, text := range contents(t) {
			if err := osfile.CheckFormat("x"+strings.ToUpper(extension), sniff.Kind([]byte(text))); (err == nil) != (extension == kind) {
				t.Errorf("contents of %s under %s: %v", kind, extension, err)
			}
		}
		for _, kind := range []string{sniff.CSV, sniff.Numbers, sniff.Text, sniff.POVRay} {
			if osfile.CheckFormat("x"+extension, kind) == nil {
				t.Errorf("%s under %s is not refused", kind, extension)
			}
		}
	}
	for _, name := range []string{"x", "x.dat", "x.log", ".png/x", "x.csv"} {
		if err := osfile.CheckFormat(name, sniff.CSV); err != nil {
			t.Error(err)
		}
	}
}

// TestFormatsOfPlainText checks the extensions of formats that are not recognized by their contents: no other format is written
// under them, and they replace no file whose format is certain.
func TestFormatsOfPlainText(t *testing.T) {
	for extension, kind := range map[string]string{
		".csv": sniff.CSV, ".pov": sniff.POVRay, ".yml": sniff.YAML, ".nff": sniff.NFF, ".obj": sniff.Mesh, ".stl": sniff.Mesh,
		".xyz": sniff.Molecule, ".pdb": sniff.Molecule, ".cif": sniff.Molecule, ".bcif": sniff.BinaryCIF, ".tar": sniff.TarArchive,
	} {
		if err := osfile.CheckFormat("x"+extension, kind); err != nil {
			t.Error(err)
		}
		for _, other := range []string{sniff.JSON, sniff.XML, sniff.HTML, sniff.TOML, sniff.PNG, sniff.GLTF, sniff.Text} {
			if osfile.CheckFormat("x"+extension, other) == nil {
				t.Errorf("%s under %s is not refused", other, extension)
			}
		}
		for text, want := range map[string]bool{"2\n\nC 0 0 0\n": true, "": true, contents(t)[".png"]: false, contents(t)[".toml"]: false, contents(t)[".html"]: false} {
			fixture.Folder(t, map[string]string{"old" + extension: text})
			var o osfile.Outputs
			if err := write(&o, "old"+extension); (err == nil) != want {
				t.Errorf("%s over %q: %v", extension, text, err)
			}
		}
	}
}

// TestFormatOfLink checks that the extension of a link's target counts as well as that of the link.
func TestFormatOfLink(t *testing.T) {
	fixture.Folder(t, map[string]string{"m.xyz": "1\n\nC 0 0 0\n", "data": "1\n"})
	for _, link := range []string{"link", "link.pov", "data.pov"} {
		target := "m.xyz"
		if link == "data.pov" {
			target = "data"
		}
		if err := os.Symlink(target, link); err != nil {
			t.Skip(err)
		}
		if err := osfile.CheckFormat(link, sniff.POVRay); (err == nil) != (target == "data") {
			t.Errorf("%s to %s: %v", link, target, err)
		}
	}
	for _, name := range []string{"link", "data.pov"} {
		if err := osfile.CheckFormat(name, sniff.JSON); err == nil {
			t.Errorf("JSON as %s is not refused", name)
		}
	}
}

// TestAppend checks that text is added only to files that the program may replace.
func TestAppend(t *testing.T) {
	fixture.Folder(t, map[string]string{"in.txt": "old\n", "notes.md": "old\n", "s.toml": "[camera]\n", "p.png": contents(t)[".png"], "scene": "[camera]\n", "e.png": ""})
	var o osfile.Outputs
	if err := o.Protect("in.txt"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"in.txt": false, "notes.md": true, "new.md": true, "s.toml": false, "p.png": false, "scene": false, "e.png": false} {
		before, _ := os.ReadFile(name)
		err := o.Append(name, "new\n")
		after, _ := os.ReadFile(name)
		if (err == nil) != want || want && string(after) != string(before)+"new\n" || !want && string(after) != string(before) {
			t.Errorf("%s: error %v, contents %q", name, err, after)
		}
	}
}
