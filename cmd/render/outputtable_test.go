package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pillbox/cmd/render/program"
	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/fixture"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/osfile"
)

// outputRow describes one output of a command. The rules of all outputs are those of package osfile: no output replaces an
// input of the same run, a file of another kind than its extension says, or, without --force, a scene.
type outputRow struct {
	args string // the output's name is F
	flag string // the flag that names the output; "": an argument

	// extensions are those that the output may have: of these, the first is that of the format that args ask for. An output
	// with the extension "" may have any that belongs to no other format.
	extensions string
	inputs     string // files that the run reads
	force      bool   // has --force, with which it replaces scenes
	parts      bool   // with --force, it replaces files with parts, too
	lacks      string // what the run says that it needs and the tests do not have, if the output is accepted
	endless    bool   // does not end once the output is accepted
	frames     bool   // the output is a file for each frame: in the name F, %04d replaces the 0000 of the first file
}

// fileFor returns the name of a file that the output would be if it were accepted. stem and ext are the parts of a file's name.
func (r *outputRow) fileFor(stem, ext string) string {
	if r.frames {
		stem += "0000"
	}
	return stem + ext
}

const pictureExtensions = ".png .jpg .jpeg .tif .tiff .bmp"

// outputTable lists the outputs of all commands whose names the user gives.
func outputTable() []outputRow {
	return []outputRow{
		{args: "scenes/s.toml -o F", flag: "output", extensions: pictureExtensions + " .svg .pdf", inputs: "scenes/s.toml scenes/part.toml scenes/balls.csv"},
		{args: "scenes/s.toml --aov normal=F -o out.png", flag: "aov", extensions: ".png", inputs: "scenes/s.toml scenes/part.toml scenes/balls.csv"},
		{args: "scenes/s.toml --aov depth=F -o out.png", flag: "aov", extensions: ".pfm", inputs: "scenes/s.toml scenes/part.toml scenes/balls.csv"},
		{args: "scenes/s.toml --shard 0/2 -o F", flag: "output", extensions: ".shard", inputs: "scenes/s.toml scenes/part.toml"},
		{args: "watch scenes/s.toml -o F", flag: "output", extensions: pictureExtensions, inputs: "scenes/s.toml scenes/part.toml scenes/balls.csv", endless: true},
		{args: "page scenes/s.toml -o F", flag: "output", extensions: ".html .htm", inputs: "scenes/s.toml scenes/part.toml scenes/balls.csv", lacks: "built without the viewer"},
		{args: "contact scenes/s.toml --width 20 -o F", flag: "output", extensions: pictureExtensions, inputs: "scenes/s.toml scenes/part.toml"},
		{args: "animate film.toml -o F", flag: "output", extensions: ".gif .png .mp4 .webm", inputs: "film.toml"},
		{args: "animate film0000.toml -o F", flag: "output", extensions: ".png", inputs: "film0000.toml", frames: true},
		{args: "animate film.toml --shard 0/2 -o F", flag: "output", extensions: ".shard", inputs: "film.toml"},
		{args: "dump scenes/s.toml -o F", flag: "output", extensions: ".json ", inputs: "scenes/s.toml scenes/part.toml"},
		{args: "cast scenes/s.toml --rays rays.csv -o F", flag: "output", extensions: ".csv ", inputs: "scenes/s.toml rays.csv scenes/part.toml"},
		{args: "cast scenes/s.toml --rays rays.csv -o hits --names F", flag: "names", extensions: ".csv ", inputs: "scenes/s.toml rays.csv scenes/part.toml"},
		{args: "explain scenes/s.toml --pixel 3,3 --diagram F", flag: "diagram", extensions: ".svg " + pictureExtensions, inputs: "scenes/s.toml scenes/part.toml"},
		{args: "diff a.png b.png -o F", flag: "output", extensions: pictureExtensions, inputs: "a.png b.png"},
		{args: "diff a.png b.png --flip F", flag: "flip", extensions: pictureExtensions, inputs: "a.png b.png"},
		{args: "golden report -o F", flag: "output", extensions: ".html .htm", inputs: ""},
		{args: "golden check --ci --junit F", flag: "junit", extensions: ".xml .urdf", inputs: ""},
		{args: "export scenes/s.toml --format glb -o F", flag: "output", extensions: ".glb ", inputs: "scenes/s.toml scenes/part.toml", force: true},
		{args: "export scenes/s.toml --format mjcf -o F", flag: "output", extensions: ".xml .urdf", inputs: "scenes/s.toml scenes/part.toml", force: true},
		{args: "export scenes/s.toml --format urdf -o F", flag: "output", extensions: ".urdf .xml", inputs: "scenes/s.toml scenes/part.toml", force: true},
		{args: "export scenes/s.toml --format pov -o F", flag: "output", extensions: ".pov ", inputs: "scenes/s.toml scenes/part.toml", force: true},
		{args: "export scenes/s.toml --format toml -o F", flag: "output", extensions: ".toml", inputs: "scenes/s.toml scenes/part.toml", force: true},
		{args: "import m.xyz -o F", flag: "output", extensions: ".toml", inputs: "m.xyz", force: true},
		{args: "fit m.obj -o F", flag: "output", extensions: ".toml", inputs: "m.obj", force: true},
		{args: "fit m.obj --part -o F", flag: "output", extensions: ".toml", inputs: "m.obj", force: true, parts: true},
		{args: "assemble F 0.shard 1.shard", extensions: pictureExtensions, inputs: "0.shard 1.shard"},
		{args: "init F", extensions: ".toml"},
		{args: "grade picture --scene scenes/s.toml --width 8 -o F -- ./absent", flag: "output", extensions: pictureExtensions, inputs: "scenes/s.toml", lacks: "absent"},
		{args: "grade sphere --picture F -- ./absent", flag: "picture", extensions: pictureExtensions, lacks: "absent"},
	}
}

// TestOutputTable attacks each output of the table: with an input of the same run, under its name, another spelling of it, a
// symbolic and a hard link; with a scene; with a file of another format than the extension says; and with an extension of
// another format. Nothing may change, with --force either, unless the output is a scene.
func TestOutputTable(t *testing.T) {
	for _, row := range effort.Some(t, 6, outputTable()) {
		for _, own := range effort.Some(t, 1, strings.Split(row.extensions, " ")) {
			attackOutput(t, row, own)
		}
	}
}

// outputFiles are the files of the commands of the table, and others that no command may replace: one of each format, by its
// extension.
func outputFiles(t *testing.T) (files, kinds map[string]string) {
	t.Helper()
	const png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
	kinds = map[string]string{
		".png": png, ".jpg": "\xff\xd8\xff\xe0\x00\x10JFIF", ".gif": "GIF89a\x01\x00", ".pdf": "%PDF-1.7\n", ".glb": "glTF\x02\x00\x00\x00",
		".svg": "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", ".html": "<!doctype html><title>x</title>",
		".toml": "[camera]\nposition = [0, 0, 9]\n",
	}
	text := strings.Replace(picturesque, "width = 64\nheight = 48", "width = 16\nheight = 12", 1)
	files = map[string]string{
		"scenes/s.toml":    "include = [\"part.toml\"]\n" + text + "\n[[bulk]]\nshape = \"sphere\"\nfile = \"balls.csv\"\n",
		"scenes/part.toml": "[material.gray]\ncolor = \"gray\"\n",
		"scenes/balls.csv": "x,y,z,radius\n0,0,0,0.1\n",
		"film.toml":        programtest.Bouncing, "film0000.toml": programtest.Bouncing, "rays.csv": aRay, "m.xyz": "1\n\nC 0 0 0\n",
		"m.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n",
	}
	return files, kinds
}

// prepareOutputs changes to a folder with the files of the commands of the table.
func prepareOutputs(t *testing.T) (kinds map[string]string) {
	t.Helper()
	files, kinds := outputFiles(t)
	programtest.InFolder(t, files)
	for _, args := range []string{"golden accept --all", "scenes/s.toml -o a.png", "scenes/s.toml --antialias 1 -o b.png", "scenes/s.toml --shard 0/2 -o 0.shard", "scenes/s.toml --shard 1/2 -o 1.shard"} {
		programtest.MustRun(t, args)
	}
	for ext, text := range kinds {
		programtest.WriteText(t, "old"+ext, text)
		programtest.WriteText(t, "old0000"+ext, text)
	}
	return kinds
}

// attackOutput attacks one output, whose name ends in the extension own.
func attackOutput(t *testing.T, row outputRow, own string) {
	t.Helper()
	kinds := prepareOutputs(t)
	before := fixture.Snapshot(t)
	run := func(output string, force bool) programtest.Outcome {
		if row.frames {
			output = strings.Replace(output, "0000.", "%04d.", 1)
		}
		args := strings.Fields(row.args)
		for i := range args {
			if args[i] = strings.Replace(args[i], "=F", "="+output, 1); args[i] == "F" {
				args[i] = output
			}
		}
		if force {
			args = append(args, "--force")
		}
		return programtest.Invocation{}.Run(args...)
	}
	refuse := func(what, output string) {
		t.Helper()
		for _, force := range []bool{false, true} {
			if force && !row.force {
				continue
			}
			if got := run(output, force); got.Status == cli.StatusDone || got.Stderr == "" || row.lacks != "" && strings.Contains(got.Stderr, row.lacks) {
				t.Errorf("render %s, F = %s, %s, force %v: status %d, %s", row.args, output, what, force, got.Status, got.Stderr)
			}
			wantSnapshot(t, what+" "+row.args+" "+output, before)
		}
	}
	for _, input := range strings.Fields(row.inputs) {
		for _, name := range []string{input, "./" + input, filepath.Join("scenes", "..") + "/../" + filepath.Base(mustGetwd(t)) + "/" + input, absolute(t, input)} {
			refuse("an input", name)
		}
		for _, link := range []func(name string){
			func(name string) { programtest.Symlink(t, absolute(t, input), name) },
			func(name string) {
				if err := os.Link(input, name); err != nil {
					t.Skip(err)
				}
			},
		} {
			name := row.fileFor("link", own)
			link(name)
			before = fixture.Snapshot(t)
			refuse("a link to an input", name)
			removeFile(t, name)
			delete(before, name)
		}
	}
	for ext, text := range kinds { // an old file of another format under a name of this one, and the other way around
		if isOwn := slices.Contains(strings.Split(row.extensions, " "), ext); !isOwn {
			refuse("another extension", row.fileFor("new", ext))
			refuse("a file of another extension", row.fileFor("old", ext))
		}
		if osfile.KindOf("x"+ext) == osfile.KindOf("x"+own) {
			continue
		}
		wrong := row.fileFor("wrong", own)
		programtest.WriteText(t, wrong, text)
		before = fixture.Snapshot(t)
		refuse("a file of another format, "+ext, wrong)
		removeFile(t, wrong)
		delete(before, wrong)
	}
	if own == ".toml" {
		if got := run("old.toml", false); got.Status == cli.StatusDone {
			t.Errorf("render %s replaces a scene: %+v", row.args, got)
		}
		wantSnapshot(t, row.args, before)
		const material, part = "[material.a]\ncolor = \"red\"\n", "[[part.p.sphere]]\ncenter = [0, 0, 0]\nradius = 1\n"
		libraries := []string{"[theme]\nforeground = \"black\"\n", material}
		if !row.parts {
			libraries = append(libraries, material+part)
		}
		for _, library := range libraries {
			programtest.WriteText(t, "library.toml", library)
			before = fixture.Snapshot(t)
			refuse("a file that scenes include", "library.toml")
			if got := run("library.toml", false); strings.Contains(got.Stderr, "--force") {
				t.Errorf("render %s advises --force in vain: %s", row.args, got.Stderr)
			}
		}
	}
	if row.lacks != "" || row.endless || own == ".mp4" || own == ".webm" {
		return // .mp4 and .webm need a program
	}
	fine := row.fileFor("fine", own)
	if got := run(fine, false); got.Status != cli.StatusDone && got.Status != cli.StatusDifferent {
		t.Errorf("render %s with the name %s: %+v", row.args, fine, got)
	}
	if _, err := os.Stat(fine); err != nil {
		t.Errorf("render %s writes no %s", row.args, fine)
	}
	if row.force && own == ".toml" {
		if got := run(fine, true); got.Status != cli.StatusDone {
			t.Errorf("render %s --force does not replace its own output: %+v", row.args, got)
		}
	}
}

func mustGetwd(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestOutputTableIsComplete checks that the table has each flag of each command that names an output, with its command.
func TestOutputTableIsComplete(t *testing.T) {
	root := program.New(command.NewEnv(command.Streams{}, programtest.Tested))
	inTable := make(map[string]bool) // by the command and the flag
	for _, row := range outputTable() {
		cmd, _, err := root.Find(strings.Fields(row.args))
		if err != nil {
			t.Fatal(err)
		}
		inTable[cmd.CommandPath()+" --"+row.flag] = true
	}
	var visit func(*cobra.Command)
	visit = func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			_, usage := pflag.UnquoteUsage(f)
			writes := strings.Contains(usage, " to FILE") || strings.Contains(usage, "write a view")
			if name := cmd.CommandPath() + " --" + f.Name; writes && !inTable[name] {
				t.Errorf("%s is not in the table of outputs: %s", name, usage)
			}
		})
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(root)
}
