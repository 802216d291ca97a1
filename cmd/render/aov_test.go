package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/shade"
)

// TestAOVWritesViews writes a picture and most views in one run. The picture must be the same as without views,
// and each file must have the right format and size.
func TestAOVWritesViews(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": picturesque})
	programtest.MustRun(t, "s.toml -o want.png")
	programtest.MustRun(t, "s.toml --aov depth=d.pfm --aov color=c.PFM --aov normal=n.png --aov object=o.png "+
		"--aov facing=f.png --aov shadow=s2.png --aov bounces=b.png --aov cost=c.png --aov cost=again.png")
	programtest.WantFiles(t, "again.png", "b.png", "c.PFM", "c.png", "d.pfm", "f.png", "n.png", "o.png", "s.png", "s.toml", "s2.png", "want.png")
	if !slices.Equal(decode(t, "s.png").Pix, decode(t, "want.png").Pix) {
		t.Error("views change the picture")
	}
	if programtest.ReadText(t, "c.png") != programtest.ReadText(t, "again.png") {
		t.Error("a view differs from itself")
	}
	for _, name := range []string{"n.png", "o.png", "f.png", "s2.png"} {
		if got := decode(t, name).Rect.Size(); got != image.Pt(64, 48) {
			t.Errorf("%s has %v pixels, want 64 x 48", name, got)
		}
	}
	// Only colors are declared as colors.
	for name, want := range map[string]bool{"n.png": false, "f.png": false, "s2.png": false, "o.png": true, "b.png": true, "c.png": true} {
		if got := strings.Contains(programtest.ReadText(t, name), "sRGB"); got != want {
			t.Errorf("%s says that it is sRGB: %v, want %v", name, got, want)
		}
	}
	for _, name := range []string{"b.png", "c.png"} {
		if got := decode(t, name).Rect.Size(); got.X < 64 || got.Y <= 48 {
			t.Errorf("%s has %v pixels, want room for a scale", name, got)
		}
	}
	for name, channels := range map[string]int{"d.pfm": 1, "c.PFM": 3} {
		head := fmt.Sprintf("%s\n64 48\n-1.0\n", map[int]string{1: "Pf", 3: "PF"}[channels])
		text := programtest.ReadText(t, name)
		if !strings.HasPrefix(text, head) || len(text) != len(head)+64*48*4*channels {
			t.Errorf("%s has %d bytes and begins with %q", name, len(text), text[:min(len(text), 20)])
		}
	}
	checkColors(t, programtest.ReadText(t, "c.PFM"), decode(t, "s.png"))
}

// checkColors compares the colors of a PFM file, encoded as sRGB, with the picture want.
func checkColors(t *testing.T, pfm string, want *image.NRGBA) {
	t.Helper()
	size := want.Rect.Size()
	linear := pfm[len(pfm)-size.X*size.Y*3*4:]
	for i := range size.X * size.Y * 3 {
		x, y := i/3%size.X, size.Y-1-i/3/size.X
		v := math.Float32frombits(binary.LittleEndian.Uint32([]byte(linear[4*i:])))
		if got := shade.EncodeSRGB8(float64(v)); got != want.Pix[want.PixOffset(x, y)+i%3] {
			t.Fatalf("channel %d of pixel %d,%d is encoded as %d, unlike the picture's", i%3, x, y, got)
		}
	}
}

// TestAOVFollowsFlags checks that --width and --region apply to views, too.
func TestAOVFollowsFlags(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": picturesque})
	programtest.MustRun(t, "s.toml --width 32 --region 10,5,30,20 --workers 3 --aov depth=d.pfm --aov object=o.png")
	if got := decode(t, "o.png").Rect.Size(); got != image.Pt(20, 15) {
		t.Errorf("the view has %v pixels, want 20 x 15", got)
	}
	text := programtest.ReadText(t, "d.pfm")
	body, ok := strings.CutPrefix(text, "Pf\n20 15\n-1.0\n")
	if !ok || len(body) != 20*15*4 {
		t.Fatalf("d.pfm begins with %q", text[:20])
	}
	// PFM starts with the bottom row. Opaque pixels of the object view have a depth.
	object := decode(t, "o.png")
	for y := range 15 {
		for x := range 20 {
			bits := binary.LittleEndian.Uint32([]byte(body[4*((14-y)*20+x):]))
			depth := float64(math.Float32frombits(bits))
			if is := object.NRGBAAt(x, y).A != 0; is == math.IsInf(depth, 1) {
				t.Fatalf("pixel %d,%d shows a solid: %v, at depth %v", x, y, is, depth)
			}
		}
	}
}

func TestAOVErrors(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": picturesque, "wrong.toml": programtest.Wrong})
	const names = "depth, color, normal, object, facing, shadow, occlusion, bounces or cost"
	for _, test := range []struct {
		args   string
		status int
		want   string
	}{
		{"s.toml --aov depth", cli.StatusWrong, `--aov: must be NAME=FILE, got "depth"`},
		{"s.toml --aov depth=", cli.StatusWrong, `--aov: must be NAME=FILE, got "depth="`},
		{"s.toml --aov =d.pfm", cli.StatusWrong, `--aov: NAME must be ` + names + `, got "=d.pfm"`},
		{"s.toml --aov dept=d.pfm", cli.StatusWrong, `--aov: NAME must be ` + names + ` (did you mean 'depth'?), got "dept=d.pfm"`},
		{"s.toml --aov colour=d.pfm", cli.StatusWrong, `(did you mean 'color'?)`},
		{"s.toml --aov depth=d.png", cli.StatusWrong, `--aov: the file of depth must end in .pfm, got "depth=d.png"`},
		{"s.toml --aov normal=n.jpg", cli.StatusWrong, `--aov: the file of normal must end in .png, got "normal=n.jpg"`},
		{"s.toml --aov normal=s.png", cli.StatusWrong, `--aov: the picture and normal would share the file s.png`},
		{"s.toml -o - --aov cost=a.png --aov object=./a.png", cli.StatusWrong, `--aov: cost and object would share the file ./a.png`},
		{"s.toml -o a.png --aov normal=a.partial.png", cli.StatusWrong, `--aov: the picture, if it is interrupted, and normal would share the file a.partial.png`},
		{"s.toml --verify --aov cost=a.png", cli.StatusWrong, `want --verify or --aov, not both`},
		{"s.toml --aov cost=s.toml/a.png", cli.StatusFile, `s.toml/a.png`},
		{"wrong.toml --aov cost=a.png", cli.StatusWrong, `sphere[0].radius`},
	} {
		got := programtest.Invocation{}.Run(strings.Fields(test.args)...)
		if got.Status != test.status || !strings.Contains(got.Stderr, test.want) {
			t.Errorf("render %s exits %d: %s, want %d: %s", test.args, got.Status, got.Stderr, test.status, test.want)
		}
		programtest.WantFiles(t, "s.toml", "wrong.toml")
	}
}

// TestAOVThroughLinkedFolder checks that two outputs must not be the same file, even through symbolic links and
// before the file exists.
func TestAOVThroughLinkedFolder(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": picturesque, "sub/x": "", "deep/er/x": ""})
	programtest.Symlink(t, ".", filepath.Join("sub", "l"))
	programtest.Symlink(t, filepath.Join("deep", "er"), "hop")
	for _, args := range []string{
		"-o sub/q.png --aov normal=sub/l/q.png",
		"-o sub/l/l/q.png --aov normal=sub/q.png",
		"-o deep/q.png --aov normal=hop/../q.png",
		"-o - --aov normal=sub/q.png --aov object=sub/l/q.png",
		"-o sub/q.png --aov normal=sub/l/q.partial.png",
	} {
		got := programtest.Invocation{}.Run(append([]string{"s.toml"}, strings.Fields(args)...)...)
		if got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, " would share the file ") {
			t.Errorf("render s.toml %s: %+v", args, got)
		}
	}
	programtest.WantFiles(t, "deep", "hop", "s.toml", "sub")
	if got := (programtest.Invocation{}).Run("s.toml", "-o", "q.png", "--aov", "normal=hop/../q.png"); got.Status != cli.StatusDone {
		t.Errorf("two files: %+v", got)
	}
}

// TestAOVReplacesNoInput checks that the file of a view must not be the scene's file, even if another path names
// it.
func TestAOVReplacesNoInput(t *testing.T) {
	programtest.InFolder(t, map[string]string{"scene.png": picturesque})
	got := programtest.Invocation{}.Run("scene.png", "-o", "out.png", "--aov", "cost=./scene.png")
	if got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, "would replace the input") {
		t.Errorf("exits %d: %s", got.Status, got.Stderr)
	}
	programtest.WantFiles(t, "scene.png")
}

func TestContact(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": picturesque})
	programtest.MustRun(t, "contact s.toml")
	programtest.MustRun(t, "contact s.toml -o again.png --workers 3")
	programtest.MustRun(t, "contact s.toml -o small.png --width 20 --antialias 1")
	programtest.WantFiles(t, "again.png", "s.contact.png", "s.toml", "small.png")
	sheet, small := decode(t, "s.contact.png"), decode(t, "small.png")
	if !slices.Equal(sheet.Pix, decode(t, "again.png").Pix) {
		t.Error("two sheets of a scene differ")
	}
	if a, b := sheet.Rect, small.Rect; a.Dx() < 1000 || b.Dx() >= a.Dx() || b.Dy() >= a.Dy() {
		t.Errorf("sheets of %v and, with small views, %v", a, b)
	}
	got := programtest.Invocation{Stdin: strings.NewReader(picturesque)}.Run("contact", "-", "-o", "-", "--width", "20", "--antialias", "1")
	if got.Status != cli.StatusDone || !strings.HasPrefix(got.Stdout, "\x89PNG") {
		t.Errorf("in a pipe it exits %d: %s", got.Status, got.Stderr)
	}
}

func TestContactErrors(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": picturesque, "wrong.toml": programtest.Wrong})
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	for _, test := range []struct {
		ctx    context.Context
		args   string
		status int
	}{
		{nil, "contact", cli.StatusWrong},
		{nil, "contact s.toml more.toml", cli.StatusWrong},
		{nil, "contact s.toml -o sheet.gif", cli.StatusWrong},
		{nil, "contact s.toml -o s.toml", cli.StatusWrong},
		{nil, "contact s.toml --width 0", cli.StatusWrong},
		{nil, "contact wrong.toml", cli.StatusWrong},
		{nil, "contact missing.toml", cli.StatusFile},
		{nil, "contact s.toml -o s.toml/sheet.png", cli.StatusFile},
		{stopped, "contact s.toml", cli.StatusInterrupted},
		{stopped, "s.toml --aov cost=c.png", cli.StatusInterrupted},
	} {
		got := programtest.Invocation{Ctx: test.ctx}.Run(strings.Fields(test.args)...)
		if got.Status != test.status || got.Stderr == "" {
			t.Errorf("render %s exits %d: %s, want %d", test.args, got.Status, got.Stderr, test.status)
		}
		programtest.WantFiles(t, "s.toml", "wrong.toml")
	}
}
