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

	"pillbox/internal/cli"
	"pillbox/internal/fixture"
	"pillbox/internal/osfile"
)

// script is an [io.Writer] that reacts to the program's output. When the text of the next step appears in the
// output, script calls that step's function.
type script struct {
	log   bytes.Buffer
	seen  int // length of the log up to the last text found
	steps []step
}

type step struct {
	text string
	then func()
}

func (s *script) Write(p []byte) (int, error) {
	s.log.Write(p)
	for len(s.steps) > 0 {
		at := strings.Index(s.log.String()[s.seen:], s.steps[0].text)
		if at < 0 {
			break
		}
		s.seen += at + len(s.steps[0].text)
		then := s.steps[0].then
		s.steps = s.steps[1:]
		then()
	}
	return len(p), nil
}

// watchScript runs watch on the given terminal with the steps of a [script]. The last step must call cancel, which
// ends the command.
func watchScript(t *testing.T, terminal cli.Screen, args []string, steps func(cancel func()) []step) (status int, log string) {
	t.Helper()
	// The deadline matters only if watch misses a change.
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s := &script{steps: steps(cancel)}
	terminal.Writer = s
	var out bytes.Buffer
	status = run(ctx, append([]string{"watch"}, args...), streams{
		in:    strings.NewReader(""),
		out:   cli.Screen{Writer: &out},
		err:   terminal,
		files: new(osfile.Outputs),
	})
	if len(s.steps) > 0 {
		t.Errorf("%q was not said; the log is\n%s", s.steps[0].text, s.log.String())
	}
	if out.Len() > 0 {
		t.Errorf("standard output: %s", out.String())
	}
	return status, s.log.String()
}

// TestWatchRendersAgain checks that watch detects every way of saving a scene or a file that the scene names.
func TestWatchRendersAgain(t *testing.T) {
	inFolder(t, map[string]string{
		"s.toml":          small + "[[bulk]]\nfile = \"atoms/a.csv\"\nshape = \"sphere\"\n",
		"atoms/a.csv":     "x,y,z,radius\n-1,0,0,0.5\n",
		"new.toml":        strings.Replace(small, "width = 40", "width = 42", 1) + "[[bulk]]\nfile = \"atoms/a.csv\"\nshape = \"sphere\"\n",
		"atoms/other.csv": "",
	})
	var before []byte
	status, log := watchScript(t, cli.Screen{}, []string{"s.toml"}, func(cancel func()) []step {
		return []step{
			{"s.png: 40 x 30 pixels in ", func() { fixture.Edit(t, "s.toml", "width = 40", "width = 41") }}, // modified in place
			{"s.png: 41 x 30 pixels in ", func() {
				writeText(t, "s.png.txt", "not watched")
				if err := os.Rename("new.toml", "s.toml"); err != nil { // replaced by renaming
					t.Error(err)
				}
			}},
			{"s.png: 42 x 30 pixels in ", func() { fixture.Edit(t, "s.toml", "radius = 2", "radius = -2") }},
			{"s.toml:13:10: sphere[0].radius: must be positive and finite, got -2\n", func() {
				before = []byte(readText(t, "s.png"))
				fixture.Edit(t, "s.toml", "radius = -2", "radius = 1")
			}},
			{"s.png: 42 x 30 pixels in ", func() {
				if bytes.Equal(before, []byte(readText(t, "s.png"))) {
					t.Error("the picture has not changed with the scene")
				}
				fixture.Edit(t, "atoms/a.csv", "0.5", "wide")
			}},
			{"atoms/a.csv:2:8: radius: must be a number, got wide\n", func() { fixture.Edit(t, "atoms/a.csv", "wide", "0.7") }},
			{"s.png: 42 x 30 pixels in ", func() {
				if err := os.Remove("s.toml"); err != nil {
					t.Error(err)
				}
			}},
			{"render: open s.toml: ", func() { writeText(t, "s.toml", small) }},
			{"s.png: 40 x 30 pixels in ", cancel},
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
	inFolder(t, map[string]string{"s.toml": slow})
	status, _ := watchScript(t, cli.Screen{Columns: 80}, []string{"s.toml"}, func(cancel func()) []step {
		return []step{
			{"%", func() { writeText(t, "s.toml", small) }},
			{"s.png: 40 x 30 pixels in ", func() { writeText(t, "s.toml", slow) }},
			{"%", cancel},
		}
	})
	if status != cli.StatusInterrupted {
		t.Errorf("exit status %d", status)
	}
	wantFiles(t, "s.png", "s.toml")
}

// TestWatchOnTerminal checks that each status replaces the previous one, and that the picture is shown if
// requested.
func TestWatchOnTerminal(t *testing.T) {
	inFolder(t, map[string]string{"s.toml": small})
	replace := func(from, to string) { // by renaming: a half-written file would cause another round
		writeText(t, "new", strings.Replace(readText(t, "s.toml"), from, to, 1))
		if err := os.Rename("new", "s.toml"); err != nil {
			t.Error(err)
		}
	}
	_, log := watchScript(t, cli.Screen{Columns: 60, Color: true}, []string{"s.toml", "-o", "x.png", "--preview"}, func(cancel func()) []step {
		return []step{
			{"Watching s.toml (Ctrl-C to stop)\n", func() { replace("radius = 2", "radius = 0") }},
			{"Watching s.toml (Ctrl-C to stop)\n", func() { replace("radius = 0", "radius = 3") }},
			{"Watching s.toml (Ctrl-C to stop)\n", cancel},
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
	inFolder(t, map[string]string{
		"s.toml": small + "[[bulk]]\nfile = \"a.csv\"\nshape = \"sphere\"\n", "a.csv": "x,y,z,radius\n-1,0,0,0.5\n",
	})
	for _, args := range []string{"s.toml", "check s.toml", "watch s.toml", "explain s.toml --pixel 1,1", "s.toml --quiet"} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		opened, proceed := make(chan struct{}), make(chan struct{})
		shown := make(chan struct{})
		screen := &script{steps: []step{{"\rloading s.toml 100% [", func() { close(shown) }}, {"s.toml (Ctrl-C to stop)", cancel}}}
		p := newProgram(streams{in: strings.NewReader(""), out: cli.Screen{Writer: io.Discard}, err: cli.Screen{Writer: screen, Columns: 80}, files: new(osfile.Outputs)})
		p.folder = func(name string) fs.FS { return slowFolder{folderOf(name), opened, proceed} }
		done := make(chan int)
		go func() { done <- p.run(ctx, strings.Fields(args)) }()
		<-opened
		if !strings.Contains(args, "--quiet") {
			select {
			case <-shown:
			case <-ctx.Done():
				t.Errorf("render %s shows %q", args, screen.log.String())
			}
		}
		close(proceed)
		<-done
		cancel()
		if strings.Contains(args, "--quiet") && screen.log.Len() > 0 {
			t.Errorf("render %s shows %q", args, screen.log.String())
		}
	}
}

// TestWatchLoadsOneAtATime saves the scene while watch loads it. The first load must end before the next one
// begins.
func TestWatchLoadsOneAtATime(t *testing.T) {
	const scene = small + "[[bulk]]\nfile = \"a.csv\"\nshape = \"sphere\"\n"
	const noticed = 200 * time.Millisecond // by then, watch has noticed a change
	inFolder(t, map[string]string{"s.toml": scene, "a.csv": "x,y,z,radius\n-1,0,0,0.5\n"})
	opened, proceed := make(chan struct{}), make(chan struct{})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	screen := &script{steps: []step{{"s.png: 44 x 30 pixels in ", cancel}}}
	p := newProgram(streams{in: strings.NewReader(""), out: cli.Screen{Writer: io.Discard}, err: cli.Screen{Writer: screen}, files: new(osfile.Outputs)})
	p.folder = func(name string) fs.FS { return slowFolder{folderOf(name), opened, proceed} }
	done := make(chan int)
	go func() { done <- p.run(ctx, []string{"watch", "s.toml"}) }()
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
	if status := <-done; status != cli.StatusInterrupted || len(screen.steps) > 0 {
		t.Errorf("status %d: %s", status, screen.log.String())
	}
}

// TestWatchSeesEveryFile changes each file that a load has read or looked for, and the folders and links on the
// path to it. Watch must render again after each change.
func TestWatchSeesEveryFile(t *testing.T) {
	const (
		rendered = "s.png: 40 x 30 pixels in "
		wider    = "s.png: 41 x 30 pixels in "
		bulk     = small + "[[bulk]]\nfile = \"atoms/a.csv\"\nshape = \"sphere\"\n"
		include  = "include = [\"lib/parts.toml\"]\n" + small + "[[place]]\npart = \"stair\"\nposition = [0, 0, 0]\n"
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
		steps []step
		last  string
	}{
		{"the scene does not exist", nil, nil, "", []step{
			{"render: open s.toml: ", func() { writeText(t, "s.toml", small) }},
		}, rendered},
		{"nor does its folder", nil, nil, "a/b/s.toml", []step{
			{"render: open a/b/s.toml: ", func() { fixture.Write(t, "a/b/s.toml", small) }},
		}, rendered},
		{"a bulk file does not exist", map[string]string{"s.toml": bulk, "atoms/b.csv": ""}, nil, "", []step{
			{"there is no such file", func() { writeText(t, "atoms/a.csv", atoms) }},
		}, rendered},
		{"nor does its folder", map[string]string{"s.toml": bulk}, nil, "", []step{
			{"there is no such file", func() { fixture.Write(t, "atoms/a.csv", atoms) }},
		}, rendered},
		{"a folder is moved there", map[string]string{"s.toml": bulk, "new/a.csv": atoms}, nil, "", []step{
			{"there is no such file", func() { must(os.Rename("new", "atoms")) }},
		}, rendered},
		{"an included file does not exist", map[string]string{"s.toml": include}, nil, "", []step{
			{"there is no such file", func() { fixture.Write(t, "lib/parts.toml", part) }},
		}, rendered},
		{"an included file lacks the part", map[string]string{"s.toml": include, "lib/parts.toml": "[material.red]\ncolor = \"#f00\"\n"}, nil, "", []step{
			{"stair", func() { writeText(t, "lib/parts.toml", part) }},
		}, rendered},
		{"an included file names one", map[string]string{
			"s.toml":         include,
			"lib/parts.toml": part + "[[part.stair.bulk]]\nfile = \"a.csv\"\nshape = \"sphere\"\n",
		}, nil, "", []step{
			{"lib/parts.toml:6:8: ", func() { writeText(t, "lib/a.csv", atoms) }},
		}, rendered},
		{"a bulk file is a folder", map[string]string{"s.toml": bulk, "atoms/other": ""}, func() { must(os.Mkdir("atoms/a.csv", 0o777)) }, "", []step{
			{"not a regular file", func() { must(os.Remove("atoms/a.csv")); writeText(t, "atoms/a.csv", atoms) }},
		}, rendered},
		{"the scene's folder is replaced", map[string]string{"d/s.toml": small, "new/s.toml": wide(small)}, nil, "d/s.toml", []step{
			{rendered, func() { must(os.Rename("d", "old")); must(os.Rename("new", "d")) }},
		}, wider},
		{"and changes later", map[string]string{"d/s.toml": small, "new/s.toml": wide(small)}, nil, "d/s.toml", []step{
			{rendered, func() { must(os.Rename("d", "old")); must(os.Rename("new", "d")) }},
			{wider, func() { writeText(t, "d/s.toml", small) }},
		}, rendered},
		{"the scene's folder is removed", map[string]string{"a/d/s.toml": small}, nil, "a/d/s.toml", []step{
			{rendered, func() { must(os.RemoveAll("a")) }},
			{"render: open a/d/s.toml: ", func() { fixture.Write(t, "a/d/s.toml", wide(small)) }},
		}, wider},
		{"a folder above is a link to another", map[string]string{"1/d/s.toml": small, "2/d/s.toml": wide(small)}, func() { must(os.Symlink("1", "current")) }, "current/d/s.toml", []step{
			{rendered, func() { must(os.Symlink("2", "new")); must(os.Rename("new", "current")) }},
		}, wider},
		{"the scene is a link through a link", map[string]string{"1/s.toml": small, "2/s.toml": wide(small)}, func() {
			must(os.Symlink("1", "..data"))
			must(os.Symlink("..data/s.toml", "s.toml"))
		}, "", []step{
			{rendered, func() { must(os.Symlink("2", "new")); must(os.Rename("new", "..data")) }},
		}, wider},
		{"a bulk file is such a link", map[string]string{"s.toml": bulk, "1/a.csv": atoms, "2/a.csv": "x,y,z,radius\n-1,0,0,wide\n"}, func() {
			must(os.Symlink("1", "..data"))
			must(os.Symlink("..data", "atoms"))
		}, "", []step{
			{rendered, func() { must(os.Symlink("2", "new")); must(os.Rename("new", "..data")) }},
		}, "atoms/a.csv:2:8: "},
		{"an absolute link, which is not followed", map[string]string{"s.toml": bulk, "1/a.csv": atoms}, func() {
			here, err := os.Getwd()
			must(err)
			must(os.Symlink(here+"/1", "atoms"))
		}, "", []step{
			{"escapes", func() { must(os.Symlink("1", "new")); must(os.Rename("new", "atoms")) }},
		}, rendered},
		{"the working directory is replaced", map[string]string{"w/s.toml": bulk, "w/atoms/a.csv": atoms, "new/s.toml": wide(bulk), "new/atoms/a.csv": atoms}, func() { t.Chdir("w") }, "", []step{
			{rendered, func() { must(os.Rename("../w", "../old")); must(os.Rename("../new", "../w")) }},
			{wider, func() { writeText(t, "s.toml", bulk) }},
		}, rendered},
	} {
		t.Run(test.name, func(t *testing.T) {
			if runtime.GOOS == "windows" {
				t.Skip("folders in use cannot be replaced")
			}
			inFolder(t, test.files)
			if test.start != nil {
				test.start()
			}
			watchScript(t, cli.Screen{}, []string{cmp.Or(test.scene, "s.toml")}, func(cancel func()) []step {
				return append(test.steps, step{test.last, cancel})
			})
		})
	}
}

func TestWatchMisuse(t *testing.T) {
	inFolder(t, map[string]string{"s.toml": small})
	for args, want := range map[string]string{
		"watch":                  "want one scene, got none",
		"watch -":                "watch needs files, not standard input or output",
		"watch s.toml -o -":      "watch needs files, not standard input or output",
		"watch s.toml -o x.y":    "output must end in ",
		"watch s.toml --preview": "--preview needs a terminal with colors",
		"watch s.toml a.toml":    "want one scene, got 2: s.toml a.toml",
	} {
		got := invocation{}.run(strings.Fields(args)...)
		if got.status == cli.StatusDone || !strings.Contains(got.stderr, want) {
			t.Errorf("render %s exits %d: %s, want %s", args, got.status, got.stderr, want)
		}
	}
}
