package commands_test

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/course"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/osfile"
)

// panels holds the upper left corners of two pictures in the drawing: first the learner's picture, then the
// correct one. Each pixel of these pictures is drawn as a square with sides of panelZoom pixels.
var panels = [2]image.Point{{X: 20, Y: 94}, {X: 400, Y: 94}}

const panelZoom = 4

// readDrawing reads the drawing in the named file. It returns the learner's picture as got and the correct picture
// as want.
func readDrawing(t *testing.T, name string) (got, want *image.NRGBA) {
	t.Helper()
	img, err := png.Decode(bytes.NewReader([]byte(programtest.ReadText(t, name))))
	if err != nil {
		t.Fatal(err)
	}
	var out [2]*image.NRGBA
	for k := range out {
		out[k] = image.NewNRGBA(image.Rect(0, 0, 90, 60))
		for i := range 90 * 60 {
			out[k].Set(i%90, i/90, img.At(panels[k].X+i%90*panelZoom+panelZoom/2, panels[k].Y+i/90*panelZoom+panelZoom/2))
		}
	}
	return out[0], out[1]
}

// pictureVerdict holds the fields of the verdict's JSON that the tests use.
type pictureVerdict struct {
	Picture struct {
		Differ, Missing int
		First           *course.Pixel
	}
	Failure string
}

func readVerdict(t *testing.T, got programtest.Outcome) (v pictureVerdict) {
	t.Helper()
	if err := json.Unmarshal([]byte(got.Stdout), &v); err != nil {
		t.Fatalf("%v: %+v", err, got)
	}
	return v
}

// TestGradePicture grades a correct solution with --picture. The drawing shows the solution's picture and the
// correct one, which must be equal. With the usual effort, only three stages are tested.
func TestGradePicture(t *testing.T) {
	node, file := interpreter(t, "node"), solution(t, "tracer.mjs")
	programtest.InFolder(t, nil)
	for _, s := range course.AllStages() {
		if !effort.IsAll() && s.Name != "overlap" {
			continue
		}
		got := programtest.Invocation{}.Run("grade", s.Name, "--count", "1", "--timeout", "120", "--picture", "out.png", "--", node, file)
		if got.Status != cli.StatusDone || !strings.Contains(got.Stdout, "\nPicture out.png: all 5400 pixels are as expected\n") {
			t.Errorf("%s: %+v", s.Name, got)
		}
		if yours, ours := readDrawing(t, "out.png"); !bytes.Equal(yours.Pix, ours.Pix) {
			t.Errorf("%s: the pictures differ", s.Name)
		}
	}
}

// TestGradePictureOfMistake checks that the JSON contains the first pixel that a program gets wrong.
func TestGradePictureOfMistake(t *testing.T) {
	node := interpreter(t, "node")
	text := programtest.ReadText(t, solution(t, "tracer.mjs"))
	programtest.InFolder(t, map[string]string{"tracer.mjs": strings.Replace(text, `case "sphere": return unit(sub(p, s.center));`, `case "sphere": return unit(sub(s.center, p));`, 1)})
	got := programtest.Invocation{}.Run("grade", "sphere", "--json", "--timeout", "120", "--picture", "out.png", "--", node, "tracer.mjs")
	v := readVerdict(t, got)
	yours, ours := readDrawing(t, "out.png")
	first := image.Point{}
	ring := image.Rectangle{}
	if v.Picture.First != nil {
		first = image.Pt(v.Picture.First.X, v.Picture.First.Y)
		ring = image.Rectangle{first, first}.Inset(-4)
	}
	different := 0
	for i := range 90 * 60 {
		p := image.Pt(i%90, i/90)
		if p.In(ring) && p != first {
			continue // the mark is the same in both
		}
		if yours.NRGBAAt(p.X, p.Y) == ours.NRGBAAt(p.X, p.Y) {
			continue
		}
		if different == 0 && p != first {
			t.Errorf("the first pixel that differs is %v, named is %v", p, first)
		}
		different++
	}
	if got.Status != cli.StatusDifferent || different == 0 || v.Picture.Differ < different || v.Picture.First == nil || v.Picture.First.Field != "normals[0]" || v.Picture.First.Problem != "points inward, must point outward" {
		t.Errorf("%d pixels differ: %+v", different, got)
	}
}

// TestGradePictureOfBrokenPrograms grades programs that end early, hang or print nonsense. The drawing must show
// the answers that they gave before. There must be no drawing for a program that cannot be run.
func TestGradePictureOfBrokenPrograms(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("no shell here")
	}
	programtest.InFolder(t, nil)
	const miss = `echo '{"id":0,"count":0,"t":[],"points":[],"normals":[]}'`
	for name, c := range map[string]struct {
		program, failure string
		status           int
	}{
		"crash":   {miss + "; exit 3", "sphere: /bin/sh ended with exit status 3", cli.StatusFile},
		"hang":    {miss + "; sleep 100", "sphere: /bin/sh gave no answer for 500ms", cli.StatusFile},
		"garbage": {miss + "; echo what", "sphere: /bin/sh: line 2 of the answers: no JSON object", cli.StatusFile},
	} {
		os.Remove("out.png")
		got := programtest.Invocation{}.Run("grade", "sphere", "--json", "--timeout", "0.5", "--picture", "out.png", "--", "/bin/sh", "-c", c.program)
		v := readVerdict(t, got)
		if got.Status != c.status || !strings.HasPrefix(v.Failure, c.failure) || v.Picture.Missing != 90*60-1 || v.Picture.First.X != 1 || v.Picture.First.Y != 0 || v.Picture.First.Problem != "there is no answer" {
			t.Errorf("%s: %+v", name, got)
		}
		readDrawing(t, "out.png")
	}
	os.Remove("out.png")
	if got := (programtest.Invocation{}).Run("grade", "sphere", "--picture", "out.png", "--", "./missing"); got.Status != cli.StatusFile || !strings.Contains(got.Stderr, "cannot run ./missing") {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat("out.png"); err == nil {
		t.Error("a program that cannot be run has a picture")
	}
}

// TestGradePictureFlags checks the errors for invalid values and combinations of --picture, -o and --watch.
func TestGradePictureFlags(t *testing.T) {
	programtest.InFolder(t, map[string]string{"tracer.py": "", "tracer.png": ""})
	for args, says := range map[string]string{
		"grade sphere --picture - -- true":                  "standard output is for the verdict; give --picture a file",
		"grade sphere --picture out.txt -- true":            "output must end in",
		"grade sphere --picture tracer.png -- ./tracer.png": "would replace the input",
		"grade picture -o a.png --picture a.png -- true":    "must be different files",
		"grade sphere --hint 1 --picture out.png":           "--hint",
		"grade sphere --watch -- true":                      "--watch needs a command that names a file",
	} {
		if got := (programtest.Invocation{}).Run(strings.Fields(args)...); got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, says) {
			t.Errorf("%s: %+v, want %q", args, got, says)
		}
	}
	if got := (programtest.Invocation{}).Run("grade", "sphere", "--picture", filepath.Join("missing", "out.png"), "--", "true"); got.Status != cli.StatusFile {
		t.Errorf("%+v", got)
	}
}

// TestGradeWatch checks that grade runs again when the program is saved, or a file in its folder with the same
// extension.
func TestGradeWatch(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("no shell here")
	}
	const wrong = `cat > /dev/null; echo '{"id":0,"count":1,"t":[0],"points":[[0,0,0]],"normals":[[0,0,0]]}'`
	programtest.InFolder(t, map[string]string{"tracer.sh": ". ./part.sh", "part.sh": "exit 7"})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // only for a change that is missed
	defer cancel()
	s := &programtest.Script{Steps: []programtest.Step{
		programtest.On("ended with exit status 7", nil),
		programtest.On("Watching tracer.sh and 2 more (Ctrl-C to stop)", func() { programtest.WriteText(t, "part.sh", wrong) }),
		programtest.On("not passed", nil),
		programtest.On("Watching", func() { programtest.WriteText(t, "tracer.sh", "echo what") }),
		programtest.On("no JSON object", nil),
		programtest.On("Watching", cancel),
	}}
	for i := range s.Steps {
		if s.Steps[i].Then == nil {
			s.Steps[i].Then = func() {}
		}
	}
	status := programtest.Run(ctx, []string{"grade", "sphere", "--count", "1", "--timeout", "120", "--watch", "--", "/bin/sh", "tracer.sh"}, command.Streams{
		In: strings.NewReader(""), Out: cli.Screen{Writer: s}, Err: cli.Screen{Writer: s, Columns: 100}, Files: new(osfile.Outputs),
	})
	if status != cli.StatusInterrupted || len(s.Steps) > 0 {
		t.Errorf("status %d, %d steps left:\n%s", status, len(s.Steps), s.Log.String())
	}
}
