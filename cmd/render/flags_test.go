package main

import (
	"image"
	"os"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
)

// TestFlagsWithoutEffect checks that a flag is an error if it has no effect with the other flags or the given
// input. No file must be written.
func TestFlagsWithoutEffect(t *testing.T) {
	files := map[string]string{"s.toml": programtest.Small, "m.toml": programtest.Bouncing, "rays.csv": aRay,
		"m.xyz": "1\n\nC 0 0 0\n", "m.xml": `<mujoco><worldbody><geom size="1"/></worldbody></mujoco>`}
	programtest.InFolder(t, files)
	writePNG(t, "a.png", image.NewNRGBA(image.Rect(0, 0, 2, 2)))
	for _, test := range []struct{ args, says string }{
		{"s.toml --time 1", "--time: s.toml has no [animation]"},
		{"s.toml --time 1 --shard 0/2", "--time: s.toml has no [animation]"},
		{"bench s.toml --time 1", "--time: s.toml has no [animation]"},
		{"contact s.toml --time 1", "--time: s.toml has no [animation]"},
		{"explain s.toml --pixel 1,1 --time 1", "--time: s.toml has no [animation]"},
		{"export s.toml -o x.toml --time 1", "--time: s.toml has no [animation]"},
		{"hash s.toml --time 1", "--time: s.toml has no [animation]"},
		{"hash a.png --time 1", "--time is for scenes, and a.png is an image"},
		{"explain --capsules 0,0,0,4,0,0,1,2,1.9,0,5,3,0,0.9 --time 1", "--time needs a scene"},
		{"explain s.toml --capsules a,b --verbose", "want --capsules or --verbose, not both"},
		{"explain --schema --json", "want --schema or --json, not both"},
		{"explain s.toml --schema", "--schema needs no scene"},
		{"explain s.toml --pixel 1,1 --colors dark", "--colors needs --diagram"},
		{"dump s.toml --theme dark", "'render dump' has no --theme: it prints the tables of the file"},
		{"golden check --theme dark", "'render golden check' has no --theme: a golden is the picture of a scene with its own theme; to test another theme, add a scene that includes it"},
		{"diff a.png a.png --theme dark", "'render diff' has no --theme: it compares two images"},

		{"s.toml --shard 0/2 --stats", "want --shard or --stats, not both"},
		{"s.toml --shard 0/2 --aov normal=n.png", "want --shard or --aov, not both"},
		{"s.toml --shard 0/2 -o - --json", "cannot share standard output"},
		{"s.toml --verify --shard 0/2", "want --verify or --shard, not both"},
		{"s.toml --verify -o x.png", "want --verify or -o, not both"},
		{"s.toml --verify --stats", "want --verify or --stats, not both"},
		{"s.toml --verify --aov normal=n.png", "want --verify or --aov, not both"},
		{"animate m.toml -o x.gif --force", "--force is for numbered frames"},
		{"animate m.toml -o x.shard --shard 0/2 --force", "want --shard or --force, not both"},

		{"s.toml --verify --dpi 300", "want --verify or --dpi, not both"},
		{"s.toml --shard 0/2 --dpi 300", "want --shard or --dpi, not both"},
		{"animate m.toml -o x.gif --dpi 300", "--dpi is for numbered frames"},
		{"animate m.toml -o x.png --dpi 300", "--dpi is for numbered frames"},
		{"s.toml --dpi 0", "--dpi: must be 1 to 65535"},
		{"s.toml --dpi 65536", "--dpi: must be 1 to 65535"},

		{"cast s.toml --rays rays.csv --line --all", "want --line or --all, not both"},
		{"cast s.toml --rays rays.csv --count --all", "want --count or --all, not both"},
		{"cast s.toml --rays rays.csv --segments --count --all", "want --count or --all, not both"},
		{"check s.toml --json --all", "want --json or --all, not both"},
		{"export s.toml -o x.toml --lights blender", "--lights is for glb"},
		{"import m.xyz --approximate", "--approximate is for mjcf, nff and urdf, and the file is xyz"},
		{"import m.xyz --sites", "--sites is for mjcf"},
		{"import m.xyz -o x.toml --color chain", "--color: m.xyz has no chains"},
		{"import m.xyz -o x.toml --color residue", "--color: m.xyz has no residues"},
		{"import m.xml --fit 2 --approximate", "want --fit or --approximate, not both"},
		{"import m.xml --keyframe 0 --qpos 1", "want --keyframe or --qpos, not both"},

		{"grade sphere -o x.png -- true", "-o is for the stage picture, and the stage is sphere"},
		{"grade sphere --scene s.toml -- true", "--scene is for the stage picture"},
		{"vectors box --folder x", "--folder is for the stage mirror or picture"},
		{"vectors picture --width 20", "--width needs --scene"},
		{"grade sphere --extra -- true", "--extra is for the stage all, and the stage is sphere"},
		{"grade all --width 20 -- true", "--width needs --scene"},
		{"vectors picture --scene s.toml --count 2", "want --scene or --count, not both"},
		{"vectors picture --scene s.toml --seed 2", "want --scene or --seed, not both"},
		{"grade picture --scene s.toml --count 2 -- true", "want --scene or --count, not both"},
	} {
		got := programtest.Invocation{}.Run(strings.Fields(test.args)...)
		if got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, test.says) {
			t.Errorf("render %s: %+v, want status %d and %q", test.args, got, cli.StatusWrong, test.says)
		}
	}
	programtest.WantFiles(t, "a.png", "m.toml", "m.xml", "m.xyz", "rays.csv", "s.toml")
}

// TestNotAScene checks the message of every command that reads scenes for a file that is not a scene. A scene with
// mistakes must get its own messages instead.
func TestNotAScene(t *testing.T) {
	programtest.InFolder(t, map[string]string{
		"icon.toml": pngHead, "a.urdf": "<robot/>", "m.pdb": "ATOM\n", "m.xyz.gz": "\x1f\x8b\x08", "x.stl": "solid cube\n facet normal 0 0 1\n",
		"README.md": "# Scenes\n\nThey are in a folder.\n", "a.json": "{}\n", "core": "\x7fELF\x00\x00", "page.svg": "<svg/>\n",
		"scene.txt": "# a scene\n[image]\nwidth = \n", "scene": "width\n", "latin1.toml": "# \xe9\n", "utf16.toml": "\xff\xfe[\x00i\x00",
	})
	programtest.WriteText(t, "icon.png", pngHead)
	for name, says := range map[string]string{
		"icon.png": "icon.png: not a scene but a picture", "icon.toml": "icon.toml: not a scene but a picture",
		"a.urdf": "a.urdf: not a scene; 'render import a.urdf' makes a scene of it", "m.pdb": "'render import m.pdb'", "m.xyz.gz": "'render import m.xyz.gz'",
		"x.stl": "x.stl: not a scene but a mesh; 'render fit x.stl'", "README.md": "README.md: not a scene;", "a.json": "not a scene;", "core": "not a scene;", "page.svg": "not a scene;",
		"scene.txt": "scene.txt:3:", "scene": "scene:1:", "latin1.toml": "UTF-8", "utf16.toml": "utf16.toml:1:1: ",
	} {
		for _, command := range []string{"", "check", "bench", "contact", "export -o x.toml", "animate -o x.gif", "hash", "explain --pixel 1,1", "cast --rays -"} {
			if command == "hash" && strings.HasPrefix(name, "icon") {
				continue // a truncated picture
			}
			got := programtest.Invocation{}.Run(append(strings.Fields(command), name)...)
			if got.Status != cli.StatusWrong || !strings.Contains(got.Stdout+got.Stderr, says) {
				t.Errorf("render %s %s: %+v, want status %d and %q", command, name, got, cli.StatusWrong, says)
			}
		}
	}
}

// pngHead is the signature of a PNG file.
const pngHead = "\x89PNG\r\n\x1a\n"

// TestTransparencyIsLost checks the warning about transparent pixels in a format without transparency, which
// --quiet suppresses.
func TestTransparencyIsLost(t *testing.T) {
	clear := strings.Replace(programtest.Small, "height = 30", "height = 30\nbackground = \"transparent\"", 1)
	programtest.InFolder(t, map[string]string{"clear.toml": clear, "small.toml": programtest.Small})
	for args, warned := range map[string]bool{
		"clear.toml -o x.png": false, "clear.toml -o x.tif": false, "clear.toml -o x.jpg": true, "clear.toml -o x.BMP": true,
		"small.toml -o x.jpg": false, "clear.toml -o x.jpg --quiet": false, "clear.toml -o -": false,
		"animate clear.toml --turntable 1 --fps 2 -o -":                true,
		"animate clear.toml --turntable 1 --fps 2 -o x.gif":            false,
		"animate clear.toml --turntable 1 --fps 2 -o %d.png":           false,
		"animate small.toml --turntable 1 --fps 2 -o -":                false,
		"animate clear.toml --turntable 1 --fps 2 -o - --quiet":        false,
		"animate clear.toml --turntable 1 --fps 2 -o new/folder/x.gif": false, // the folder is created, as for a picture
	} {
		got := programtest.Invocation{}.Run(strings.Fields(args)...)
		if got.Status != cli.StatusDone || strings.Contains(got.Stderr, "has no transparency") != warned {
			t.Errorf("render %s: status %d, %q, warned %v", args, got.Status, got.Stderr, warned)
		}
	}
}

// TestGoldenWithoutScenes checks that the golden commands report missing scenes and state what to do.
func TestGoldenWithoutScenes(t *testing.T) {
	programtest.InFolder(t, nil)
	for range 2 {
		for _, args := range []string{"golden check", "golden pending", "golden review", "golden report", "golden accept --all"} {
			got := programtest.Invocation{}.Run(strings.Fields(args)...)
			if got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, "no scenes") || !strings.Contains(got.Stderr, "change to the folder that contains scenes/") {
				t.Errorf("render %s: %+v", args, got)
			}
		}
		if err := os.MkdirAll("scenes", 0o777); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOutputInNewFolder checks that commands create the folder of their output.
func TestOutputInNewFolder(t *testing.T) {
	programtest.InFolder(t, map[string]string{"small.toml": programtest.Small})
	for _, test := range []struct{ args, file string }{
		{"small.toml -o a/b/x.png", "a/b/x.png"},
		{"contact small.toml --width 20 -o b/x.png", "b/x.png"},
		{"animate small.toml --turntable 1 --fps 2 -o c/x.gif", "c/x.gif"},
		{"animate small.toml --turntable 1 --fps 2 -o d/%d.png", "d/0.png"},
		{"export small.toml -o e/x.pov", "e/x.pov"},
	} {
		programtest.MustRun(t, test.args)
		if _, err := os.Stat(test.file); err != nil {
			t.Errorf("render %s: %v", test.args, err)
		}
	}
}

// TestDPI checks that --dpi adds the resolution to the file and does not change the pixels, for every command that
// writes pictures.
func TestDPI(t *testing.T) {
	programtest.InFolder(t, map[string]string{"small.toml": programtest.Small})
	const (
		pHYs = "\x00\x00\x00\x09pHYs\x00\x00\x2e\x23\x00\x00\x2e\x23\x01" // 11811 pixels per meter
		jfif = "\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x02\x01\x01\x2c\x01\x2c\x00\x00"
	)
	programtest.MustRun(t, "small.toml --shard 0/1 -o s.shard")
	for _, test := range []struct{ args, file, holds string }{
		{"small.toml -o a.png", "a.png", pHYs},
		{"small.toml -o a.jpg", "a.jpg", jfif},
		{"contact small.toml --width 20 -o c.png", "c.png", pHYs},
		{"assemble s.png s.shard", "s.png", pHYs},
		{"animate small.toml --turntable 1 --fps 2 -o f%d.png", "f1.png", pHYs},
	} {
		programtest.MustRun(t, test.args)
		plain := programtest.ReadText(t, test.file)
		programtest.MustRun(t, test.args+" --dpi 300")
		printed := programtest.ReadText(t, test.file)
		if strings.Contains(plain, test.holds) || strings.Count(printed, test.holds) != 1 {
			t.Errorf("%s: the resolution is not in the file, or not only with --dpi", test.args)
		}
		programtest.WriteText(t, "plain", plain)
		if got := (programtest.Invocation{}).Run("diff", "plain", test.file); got.Status != cli.StatusDone {
			t.Errorf("%s: %+v", test.args, got)
		}
		programtest.MustRun(t, test.args)
		if programtest.ReadText(t, test.file) != plain {
			t.Errorf("%s: the file without resolution is not written again", test.args)
		}
	}
}
