package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"pillbox/cmd/render/program"
	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/fixture"
	"pillbox/internal/osfile"
)

// watchScript runs watch on the given terminal with the steps of a [script]. The last step must call cancel, which
// ends the command.
func watchScript(t *testing.T, terminal cli.Screen, args []string, steps func(cancel func()) []programtest.Step) (status int, log string) {
	t.Helper()
	// The deadline matters only if watch misses a change.
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s := &programtest.Script{Steps: steps(cancel)}
	terminal.Writer = s
	var out bytes.Buffer
	status = programtest.Run(ctx, append([]string{"watch"}, args...), command.Streams{
		In:    strings.NewReader(""),
		Out:   cli.Screen{Writer: &out},
		Err:   terminal,
		Files: new(osfile.Outputs),
	})
	if len(s.Steps) > 0 {
		t.Errorf("%q was not said; the log is\n%s", s.Steps[0].Text, s.Log.String())
	}
	if out.Len() > 0 {
		t.Errorf("standard output: %s", out.String())
	}
	return status, s.Log.String()
}

// TestWatchRendersAgain checks that watch detects every way of saving a scene or a file that the scene names.
func TestWatchRendersAgain(t *testing.T) {
	programtest.InFolder(t, map[string]string{
		"s.toml":          programtest.Small + "[[bulk]]\nfile = \"atoms/a.csv\"\nshape = \"sphere\"\n",
		"atoms/a.csv":     "x,y,z,radius\n-1,0,0,0.5\n",
		"new.toml":        strings.Replace(programtest.Small, "width = 40", "width = 42", 1) + "[[bulk]]\nfile = \"atoms/a.csv\"\nshape = \"sphere\"\n",
		"atoms/other.csv": "",
	})
	var before []byte
	status, log := watchScript(t, cli.Screen{}, []string{"s.toml"}, func(cancel func()) []programtest.Step {
		return []programtest.Step{
			programtest.On("s.png: 40 x 30 pixels in ", func() { fixture.Edit(t, "s.toml", "width = 40", "width = 41") }), // modified in place
			programtest.On("s.png: 41 x 30 pixels in ", func() {
				programtest.WriteText(t, "s.png.txt", "not watched")
				if err := os.Rename("new.toml", "s.toml"); err != nil { // replaced by renaming
					t.Error(err)
				}
			}),
			programtest.On("s.png: 42 x 30 pixels in ", func() { fixture.Edit(t, "s.toml", "radius = 2", "radius = -2") }),
			programtest.On("s.toml:13:10: sphere[0].radius: must be positive and finite, got -2\n", func() {
				before = []byte(programtest.ReadText(t, "s.png"))
				fixture.Edit(t, "s.toml", "radius = -2", "radius = 1")
			}),
			programtest.On("s.png: 42 x 30 pixels in ", func() {
				if bytes.Equal(before, []byte(programtest.ReadText(t, "s.png"))) {
					t.Error("the picture has not changed with the scene")
				}
				fixture.Edit(t, "atoms/a.csv", "0.5", "wide")
			}),
			programtest.On("atoms/a.csv:2:8: radius: must be a number, got wide\n", func() { fixture.Edit(t, "atoms/a.csv", "wide", "0.7") }),
			programtest.On("s.png: 42 x 30 pixels in ", func() {
				if err := os.Remove("s.toml"); err != nil {
					t.Error(err)
				}
			}),
			programtest.On("render: open s.toml: ", func() { programtest.WriteText(t, "s.toml", programtest.Small) }),
			programtest.On("s.png: 40 x 30 pixels in ", cancel),
		}
	})
	if status != cli.StatusInterrupted {
		t.Errorf("exit status %d, want %d:\n%s", status, cli.StatusInterrupted, log)
	}
	if strings.Contains(log, "\x1b") {
		t.Errorf("escape sequences without a terminal: %q", log)
	}
	decode(t, "s.png") // the file is complete
}

// TestWatchGivesUpRendering checks that a change cancels a render that would take minutes.
func TestWatchGivesUpRendering(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": slow})
	status, _ := watchScript(t, cli.Screen{Columns: 80}, []string{"s.toml"}, func(cancel func()) []programtest.Step {
		return []programtest.Step{
			programtest.On("%", func() { programtest.WriteText(t, "s.toml", programtest.Small) }),
			programtest.On("s.png: 40 x 30 pixels in ", func() { programtest.WriteText(t, "s.toml", slow) }),
			programtest.On("%", cancel),
		}
	})
	if status != cli.StatusInterrupted {
		t.Errorf("exit status %d", status)
	}
	programtest.WantFiles(t, "s.png", "s.toml")
}

// TestWatchOnTerminal checks that each status replaces the previous one, and that the picture is shown if
// requested.
func TestWatchOnTerminal(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": programtest.Small})
	replace := func(from, to string) { // by renaming: a half-written file would cause another round
		programtest.WriteText(t, "new", strings.Replace(programtest.ReadText(t, "s.toml"), from, to, 1))
		if err := os.Rename("new", "s.toml"); err != nil {
			t.Error(err)
		}
	}
	_, log := watchScript(t, cli.Screen{Columns: 60, Color: true}, []string{"s.toml", "-o", "x.png", "--preview"}, func(cancel func()) []programtest.Step {
		return []programtest.Step{
			programtest.On("Watching s.toml (Ctrl-C to stop)\n", func() { replace("radius = 2", "radius = 0") }),
			programtest.On("Watching s.toml (Ctrl-C to stop)\n", func() { replace("radius = 0", "radius = 3") }),
			programtest.On("Watching s.toml (Ctrl-C to stop)\n", cancel),
		}
	})
	stages := regexp.MustCompile(`\r(loading|building)[^\r]*|\r +\r`) // appears on slow machines
	rounds := strings.Split(stages.ReplaceAllString(log, ""), "\x1b[H\x1b[2J")
	if len(rounds) != 4 || rounds[0] != "" {
		t.Fatalf("%d rounds, want 3: %q", len(rounds)-1, log)
	}
	for i, round := range rounds[1:] {
		broken := i == 1
		if strings.Contains(round, "must be positive") != broken || strings.Contains(round, "▀") == broken || strings.Contains(round, "x.png: 40 x 30 pixels in ") == broken {
			t.Errorf("round %d: %q", i, round)
		}
	}
	// 60 columns show 60 x 45 pixels, in 23 rows of half blocks.
	if n := strings.Count(rounds[1], "▀"); n != 60*23 {
		t.Errorf("the preview has %d cells, want %d", n, 60*23)
	}
}

// slowFolder is a file system whose Open sends on the channel opened and then waits for the channel proceed.
type slowFolder struct {
	fs.FS
	opened, proceed chan struct{}
}

func (d slowFolder) Open(name string) (fs.File, error) {
	d.opened <- struct{}{}
	<-d.proceed
	return d.FS.Open(name)
}

func (d slowFolder) Stat(name string) (fs.FileInfo, error) { return fs.Stat(d.FS, name) }

// TestLoadingIsShown checks that a terminal shows the percentage of a file read so far.
func TestLoadingIsShown(t *testing.T) {
	programtest.InFolder(t, map[string]string{
		"s.toml": programtest.Small + "[[bulk]]\nfile = \"a.csv\"\nshape = \"sphere\"\n", "a.csv": "x,y,z,radius\n-1,0,0,0.5\n",
	})
	for _, args := range []string{"s.toml", "check s.toml", "watch s.toml", "explain s.toml --pixel 1,1", "s.toml --quiet"} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		opened, proceed := make(chan struct{}), make(chan struct{})
		shown := make(chan struct{})
		screen := &programtest.Script{Steps: []programtest.Step{programtest.On("\rloading s.toml 100% [", func() { close(shown) }), programtest.On("s.toml (Ctrl-C to stop)", cancel)}}
		p := command.NewEnv(command.Streams{In: strings.NewReader(""), Out: cli.Screen{Writer: io.Discard}, Err: cli.Screen{Writer: screen, Columns: 80}, Files: new(osfile.Outputs)}, nil)
		p.Folder = func(name string) fs.FS { return slowFolder{command.FolderOf(name), opened, proceed} }
		done := make(chan int)
		go func() { done <- program.Execute(ctx, p, strings.Fields(args)) }()
		<-opened
		if !strings.Contains(args, "--quiet") {
			select {
			case <-shown:
			case <-ctx.Done():
				t.Errorf("render %s shows %q", args, screen.Log.String())
			}
		}
		close(proceed)
		<-done
		cancel()
		if strings.Contains(args, "--quiet") && screen.Log.Len() > 0 {
			t.Errorf("render %s shows %q", args, screen.Log.String())
		}
	}
}

// TestWatchLoadsOneAtATime saves the scene while watch loads it. The first load must end before the next one
// begins.
func TestWatchLoadsOneAtATime(t *testing.T) {
	const scene = programtest.Small + "[[bulk]]\nfile = \"a.csv\"\nshape = \"sphere\"\n"
	const noticed = 200 * time.Millisecond // by then, watch has noticed a change
	programtest.InFolder(t, map[string]string{"s.toml": scene, "a.csv": "x,y,z,radius\n-1,0,0,0.5\n"})
	opened, proceed := make(chan struct{}), make(chan struct{})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	screen := &programtest.Script{Steps: []programtest.Step{programtest.On("s.png: 44 x 30 pixels in ", cancel)}}
	p := command.NewEnv(command.Streams{In: strings.NewReader(""), Out: cli.Screen{Writer: io.Discard}, Err: cli.Screen{Writer: screen}, Files: new(osfile.Outputs)}, nil)
	p.Folder = func(name string) fs.FS { return slowFolder{command.FolderOf(name), opened, proceed} }
	done := make(chan int)
	go func() { done <- program.Execute(ctx, p, []string{"watch", "s.toml"}) }()
	for width := 41; width <= 44; width++ {
		<-opened
		fixture.Write(t, "s.toml", strings.Replace(scene, "width = 40", fmt.Sprintf("width = %d", width), 1))
		select {
		case <-opened: // a second load has begun while the first one is running
			t.Fatal("two loads at a time")
		case <-time.After(noticed):
		}
		proceed <- struct{}{}
	}
	<-opened
	proceed <- struct{}{}
	if status := <-done; status != cli.StatusInterrupted || len(screen.Steps) > 0 {
		t.Errorf("status %d: %s", status, screen.Log.String())
	}
}

// TestWatchSeesEveryFile changes each file that a load has read or looked for, and the folders and links on the
// path to it. Watch must render again after each change.
func TestWatchSeesEveryFile(t *testing.T) {
	const (
		rendered = "s.png: 40 x 30 pixels in "
		wider    = "s.png: 41 x 30 pixels in "
		bulk     = programtest.Small + "[[bulk]]\nfile = \"atoms/a.csv\"\nshape = \"sphere\"\n"
		include  = "include = [\"lib/parts.toml\"]\n" + programtest.Small + "[[place]]\npart = \"stair\"\nposition = [0, 0, 0]\n"
		part     = "[part.stair]\n[[part.stair.sphere]]\ncenter = [0, 0, 0]\nradius = 1\n"
		atoms    = "x,y,z,radius\n-1,0,0,0.5\n"
	)
	wide := func(scene string) string { return strings.Replace(scene, "width = 40", "width = 41", 1) }
	must := func(err error) {
		if err != nil {
			t.Error(err)
		}
	}
	for _, test := range []struct {
		name  string
		files map[string]string
		start func()
		scene string // "": s.toml
		steps []programtest.Step
		last  string
	}{
		{"the scene does not exist", nil, nil, "", []programtest.Step{
			programtest.On("render: open s.toml: ", func() { programtest.WriteText(t, "s.toml", programtest.Small) }),
		}, rendered},
		{"nor does its folder", nil, nil, "a/b/s.toml", []programtest.Step{
			programtest.On("render: open a/b/s.toml: ", func() { fixture.Write(t, "a/b/s.toml", programtest.Small) }),
		}, rendered},
		{"a bulk file does not exist", map[string]string{"s.toml": bulk, "atoms/b.csv": ""}, nil, "", []programtest.Step{
			programtest.On("there is no such file", func() { programtest.WriteText(t, "atoms/a.csv", atoms) }),
		}, rendered},
		{"nor does its folder", map[string]string{"s.toml": bulk}, nil, "", []programtest.Step{
			programtest.On("there is no such file", func() { fixture.Write(t, "atoms/a.csv", atoms) }),
		}, rendered},
		{"a folder is moved there", map[string]string{"s.toml": bulk, "new/a.csv": atoms}, nil, "", []programtest.Step{
			programtest.On("there is no such file", func() { must(os.Rename("new", "atoms")) }),
		}, rendered},
		{"an included file does not exist", map[string]string{"s.toml": include}, nil, "", []programtest.Step{
			programtest.On("there is no such file", func() { fixture.Write(t, "lib/parts.toml", part) }),
		}, rendered},
		{"an included file lacks the part", map[string]string{"s.toml": include, "lib/parts.toml": "[material.red]\ncolor = \"#f00\"\n"}, nil, "", []programtest.Step{
			programtest.On("stair", func() { programtest.WriteText(t, "lib/parts.toml", part) }),
		}, rendered},
		{"an included file names one", map[string]string{
			"s.toml":         include,
			"lib/parts.toml": part + "[[part.stair.bulk]]\nfile = \"a.csv\"\nshape = \"sphere\"\n",
		}, nil, "", []programtest.Step{
			programtest.On("lib/parts.toml:6:8: ", func() { programtest.WriteText(t, "lib/a.csv", atoms) }),
		}, rendered},
		{"a bulk file is a folder", map[string]string{"s.toml": bulk, "atoms/other": ""}, func() { must(os.Mkdir("atoms/a.csv", 0o777)) }, "", []programtest.Step{
			programtest.On("not a regular file", func() { must(os.Remove("atoms/a.csv")); programtest.WriteText(t, "atoms/a.csv", atoms) }),
		}, rendered},
		{"the scene's folder is replaced", map[string]string{"d/s.toml": programtest.Small, "new/s.toml": wide(programtest.Small)}, nil, "d/s.toml", []programtest.Step{
			programtest.On(rendered, func() { must(os.Rename("d", "old")); must(os.Rename("new", "d")) }),
		}, wider},
		{"and changes later", map[string]string{"d/s.toml": programtest.Small, "new/s.toml": wide(programtest.Small)}, nil, "d/s.toml", []programtest.Step{
			programtest.On(rendered, func() { must(os.Rename("d", "old")); must(os.Rename("new", "d")) }),
			programtest.On(wider, func() { programtest.WriteText(t, "d/s.toml", programtest.Small) }),
		}, rendered},
		{"the scene's folder is removed", map[string]string{"a/d/s.toml": programtest.Small}, nil, "a/d/s.toml", []programtest.Step{
			programtest.On(rendered, func() { must(os.RemoveAll("a")) }),
			programtest.On("render: open a/d/s.toml: ", func() { fixture.Write(t, "a/d/s.toml", wide(programtest.Small)) }),
		}, wider},
		{"a folder above is a link to another", map[string]string{"1/d/s.toml": programtest.Small, "2/d/s.toml": wide(programtest.Small)}, func() { must(os.Symlink("1", "current")) }, "current/d/s.toml", []programtest.Step{
			programtest.On(rendered, func() { must(os.Symlink("2", "new")); must(os.Rename("new", "current")) }),
		}, wider},
		{"the scene is a link through a link", map[string]string{"1/s.toml": programtest.Small, "2/s.toml": wide(programtest.Small)}, func() {
			must(os.Symlink("1", "..data"))
			must(os.Symlink("..data/s.toml", "s.toml"))
		}, "", []programtest.Step{
			programtest.On(rendered, func() { must(os.Symlink("2", "new")); must(os.Rename("new", "..data")) }),
		}, wider},
		{"a bulk file is such a link", map[string]string{"s.toml": bulk, "1/a.csv": atoms, "2/a.csv": "x,y,z,radius\n-1,0,0,wide\n"}, func() {
			must(os.Symlink("1", "..data"))
			must(os.Symlink("..data", "atoms"))
		}, "", []programtest.Step{
			programtest.On(rendered, func() { must(os.Symlink("2", "new")); must(os.Rename("new", "..data")) }),
		}, "atoms/a.csv:2:8: "},
		{"an absolute link, which is not followed", map[string]string{"s.toml": bulk, "1/a.csv": atoms}, func() {
			here, err := os.Getwd()
			must(err)
			must(os.Symlink(here+"/1", "atoms"))
		}, "", []programtest.Step{
			programtest.On("escapes", func() { must(os.Symlink("1", "new")); must(os.Rename("new", "atoms")) }),
		}, rendered},
		{"the working directory is replaced", map[string]string{"w/s.toml": bulk, "w/atoms/a.csv": atoms, "new/s.toml": wide(bulk), "new/atoms/a.csv": atoms}, func() { t.Chdir("w") }, "", []programtest.Step{
			programtest.On(rendered, func() { must(os.Rename("../w", "../old")); must(os.Rename("../new", "../w")) }),
			programtest.On(wider, func() { programtest.WriteText(t, "s.toml", bulk) }),
		}, rendered},
	} {
		t.Run(test.name, func(t *testing.T) {
			if runtime.GOOS == "windows" {
				t.Skip("folders in use cannot be replaced")
			}
			programtest.InFolder(t, test.files)
			if test.start != nil {
				test.start()
			}
			watchScript(t, cli.Screen{}, []string{cmp.Or(test.scene, "s.toml")}, func(cancel func()) []programtest.Step {
				return append(test.steps, programtest.On(test.last, cancel))
			})
		})
	}
}

func TestWatchMisuse(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": programtest.Small})
	for args, want := range map[string]string{
		"watch":                  "want one scene, got none",
		"watch -":                "watch needs files, not standard input or output",
		"watch s.toml -o -":      "watch needs files, not standard input or output",
		"watch s.toml -o x.y":    "output must end in ",
		"watch s.toml --preview": "--preview needs a terminal with colors",
		"watch s.toml a.toml":    "want one scene, got 2: s.toml a.toml",
	} {
		got := programtest.Invocation{}.Run(strings.Fields(args)...)
		if got.Status == cli.StatusDone || !strings.Contains(got.Stderr, want) {
			t.Errorf("render %s exits %d: %s, want %s", args, got.Status, got.Stderr, want)
		}
	}
}
