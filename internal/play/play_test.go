package play_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"maps"
	"math"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pillbox"
	"pillbox/aov"
	"pillbox/explain"
	"pillbox/figure"
	"pillbox/internal/parallel"
	"pillbox/internal/play"
	"pillbox/scene"
)

func engine() *play.Engine { return play.New(play.Options{Name: "test", Workers: 2}) }

func file(t testing.TB, name string) string {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func demo(t testing.TB) string { return file(t, "../../scenes/demo.toml") }

type object = map[string]any

// ask sends the request name to the engine and returns the decoded answer.
func ask[Answer any](t testing.TB, e *play.Engine, name string, request object) Answer {
	t.Helper()
	var a Answer
	data, err := e.Answer(context.Background(), name, must(json.Marshal(request)), nil)
	if err != nil {
		t.Fatalf("%s %.200v: %v", name, request, err)
	}
	if err := json.Unmarshal(data, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// fails sends the request name to the engine and returns its failure. The test fails if the request succeeds.
func fails(t testing.TB, e *play.Engine, name string, request object) *play.Failure {
	t.Helper()
	_, err := e.Answer(context.Background(), name, must(json.Marshal(request)), func([]byte) error { return nil })
	var f *play.Failure
	if !errors.As(err, &f) {
		t.Fatalf("%s %.200v: %v, want a failure", name, request, err)
	}
	return f
}

type edit struct {
	From, To int
	Insert   string
}

// apply applies edits to text as a page does: their offsets count UTF-16 code units.
func apply(text string, edits []edit) string {
	units := utf16s(text)
	var out []uint16
	end := 0
	for _, e := range edits {
		out = append(append(out, units[end:e.From]...), utf16s(e.Insert)...)
		end = e.To
	}
	return text16(append(out, units[end:]...))
}

// frames assembles the frames of a render into a picture.
type frames struct {
	head struct {
		Width, Height int
		Broken        string
	}
	done   struct{ Hash string }
	image  *image.NRGBA
	coarse int // number of coarse pictures
	rects  int
	last   byte
}

func (f *frames) add(frame []byte) error {
	f.last = frame[0]
	switch body := frame[1:]; play.FrameType(frame[0]) {
	case play.FrameHead:
		if err := json.Unmarshal(body, &f.head); err != nil {
			return err
		}
		if f.image == nil {
			f.image = image.NewNRGBA(image.Rect(0, 0, f.head.Width, f.head.Height))
		}
	case play.FramePixels:
		var n [5]int
		for i := range n {
			n[i] = int(binary.LittleEndian.Uint16(body[2*i:]))
		}
		x, y, w, h, step := n[0], n[1], n[2], n[3], n[4]
		pixels, columns := body[10:], (w+step-1)/step
		if len(pixels) != 4*columns*((h+step-1)/step) {
			return fmt.Errorf("%d bytes of pixels for %v", len(pixels), n)
		}
		if step > 1 {
			f.coarse++
			return nil
		}
		f.rects++
		for row := range h {
			copy(f.image.Pix[f.image.PixOffset(x, y+row):], pixels[4*row*w:4*(row+1)*w])
		}
	case play.FrameDone:
		return json.Unmarshal(body, &f.done)
	}
	return nil
}

func render(t testing.TB, e *play.Engine, f *frames, request object) {
	t.Helper()
	if _, err := e.Answer(context.Background(), "render", must(json.Marshal(request)), f.add); err != nil {
		t.Fatal(err)
	}
	if f.last != byte(play.FrameDone) {
		t.Fatalf("the last frame has type %d", f.last)
	}
}

// TestRender checks that the rectangles of pixels that the request render returns make up the picture that package
// figure renders. It then renders each region that the request plan lists. Together, they must make up the same
// picture.
func TestRender(t *testing.T) {
	for _, name := range []string{"demo", "adaptive", "transparent", "orthographic", "wave", "annotations"} {
		e, text := engine(), file(t, "../../scenes/"+name+".toml")
		s := must(scene.Decode("s", []byte(text)))
		s = must(s.At(0.5))
		want := must(figure.Render(context.Background(), s, pillbox.Options{Picture: pillbox.Picture{Size: image.Pt(151, 0)}})).Image
		var whole frames
		request := object{"text": text, "width": 151, "time": 0.5}
		render(t, e, &whole, request)
		if whole.done.Hash != pillbox.Hash(want) || pillbox.Hash(whole.image) != whole.done.Hash || whole.coarse != 1 {
			t.Errorf("%s: hash %s and %s, want %s; %d coarse pictures", name, whole.done.Hash, pillbox.Hash(whole.image), pillbox.Hash(want), whole.coarse)
		}
		var shared frames
		plan := ask[struct{ Rects [][4]int }](t, e, "plan", request)
		for _, r := range plan.Rects {
			request["region"] = r
			render(t, e, &shared, request)
		}
		if pillbox.Hash(shared.image) != pillbox.Hash(want) || shared.coarse != 0 {
			t.Errorf("%s: the plan's rectangles make another picture", name)
		}
	}
}

// TestRenderViews compares the pictures that the request render returns for each kind of view, such as depth, with
// those of package aov.
func TestRenderViews(t *testing.T) {
	e, text := engine(), demo(t)
	s := must(scene.Decode("s", []byte(text)))
	for _, kind := range aov.Kinds() {
		views := must(aov.Render(context.Background(), must(pillbox.Prepare(s, pillbox.Picture{Size: image.Pt(80, 45)})), []aov.Kind{kind}, pillbox.Work{}))
		var got frames
		render(t, e, &got, object{"text": text, "width": 80, "view": kind.String()})
		if want := views[0].Image(); kind != aov.Color && pillbox.Hash(got.image) != pillbox.Hash(want) {
			t.Errorf("view %v differs", kind)
		}
		if kind == aov.Object {
			var ids frames
			render(t, e, &ids, object{"text": text, "width": 80, "view": "id"})
			for i, v := range views[0].Values {
				want := uint32(0)
				if v >= 0 {
					want = uint32(v) + 1
				}
				if got := binary.LittleEndian.Uint32(ids.image.Pix[4*i:]); got != want {
					t.Fatalf("pixel %d has solid %d, want %d", i, got, want)
				}
			}
		}
	}
}

// TestTraps checks pictures with a deliberate mistake. They must differ from the right picture, and name the
// mistake in their first frame. They must have no hash, because they could become goldens by accident.
func TestTraps(t *testing.T) {
	e := engine()
	traps := ask[struct {
		Traps []struct{ Name, Title, Fault, Cure, Scene string }
	}](t, e, "start", object{}).Traps
	if len(traps) < 4 {
		t.Errorf("%d mistakes can be switched on, want 4", len(traps))
	}
	for _, trap := range traps {
		right, wrong := frames{}, frames{}
		render(t, e, &right, object{"text": trap.Scene})
		render(t, e, &wrong, object{"text": trap.Scene, "trap": trap.Name})
		if bytes.Equal(right.image.Pix, wrong.image.Pix) {
			t.Errorf("%s changes nothing", trap.Name)
		}
		if wrong.head.Broken != trap.Fault || wrong.done.Hash != "" || right.head.Broken != "" || right.done.Hash == "" {
			t.Errorf("%s: the head is %+v, the hash %q", trap.Name, wrong.head, wrong.done.Hash)
		}
		if trap.Title == "" || trap.Cure == "" {
			t.Errorf("%s is not described", trap.Name)
		}
		// Parts of the picture are the same.
		part := frames{}
		render(t, e, &part, object{"text": trap.Scene, "trap": trap.Name, "region": []int{100, 50, 64, 32}})
		for y := 50; y < 82; y++ {
			if got, want := part.image.Pix[part.image.PixOffset(100, y):][:256], wrong.image.Pix[wrong.image.PixOffset(100, y):][:256]; !bytes.Equal(got, want) {
				t.Fatalf("%s: row %d of a part differs", trap.Name, y)
			}
		}
	}
	for _, request := range []object{{"trap": "none"}, {"trap": "acne", "view": "depth"}} {
		request["text"] = demo(t)
		for _, name := range []string{"render", "plan"} {
			if f := fails(t, e, name, request); f.Status != play.StatusMalformed {
				t.Errorf("%s %v: %v", name, request["trap"], f)
			}
		}
	}
}

// TestRenderAbandoned checks that a canceled render ends at once and leaves no goroutine running.
func TestRenderAbandoned(t *testing.T) {
	e := engine()
	body := must(json.Marshal(object{"text": demo(t), "antialias": 8}))
	gone := errors.New("gone")
	before := runtime.NumGoroutine()
	for n := range 20 {
		frames := 0
		_, err := e.Answer(context.Background(), "render", body, func([]byte) error {
			if frames++; frames > n%5 {
				return gone
			}
			return nil
		})
		if !errors.Is(err, gone) {
			t.Fatalf("abandoned after %d frames: %v", frames, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	_, err := e.Answer(ctx, "render", body, func([]byte) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	for i := 0; runtime.NumGoroutine() > before; i++ {
		if time.Sleep(time.Millisecond); i > 5000 {
			t.Fatalf("%d goroutines, before %d", runtime.NumGoroutine(), before)
		}
	}
}

type problem struct {
	From, To, Line, Column int
	Severity, Text         string
	Fix                    *struct {
		Label string
		Edits []edit
	}
}

type checked struct {
	Problems []problem
	Scene    *struct {
		Solids int
		Camera struct{ Position, Look_at [3]float64 }
	}
	Tables []struct {
		Path, Kind, Name string
		From, To         int
	}
}

// TestRenderPanic checks that a panic on a goroutine of a render ends only that render.
func TestRenderPanic(t *testing.T) {
	e := engine()
	body := must(json.Marshal(object{"text": demo(t), "width": 256, "height": 256}))
	planted := errors.New("planted")
	_, err := e.Answer(context.Background(), "render", body, func(frame []byte) error {
		if play.FrameType(frame[0]) == play.FramePixels && binary.LittleEndian.Uint16(frame[9:]) == 1 {
			panic(planted) // on a worker's goroutine: the coarse picture is complete
		}
		return nil
	})
	var p *parallel.Panic
	if !errors.As(err, &p) || p.Value != planted {
		t.Errorf("%v, want the panic as an error", err)
	}
	if f := play.FailureOf(err); f.Status != play.StatusBroken || strings.Contains(f.Message, "planted") {
		t.Errorf("%d %s, want 500 without details", f.Status, f.Message)
	}
}

// TestCheck checks the position of a problem, also after characters of two UTF-16 code units. The suggested fix
// must solve the problem.
func TestCheck(t *testing.T) {
	e := engine()
	text := "# \U0001F48A pills\n[[sphere]]\nname = \"\U0001F48A\" # é\ncentre = [0, 0, 0]\nradius = 1\ncolor = \"rde\"\n"
	a := ask[checked](t, e, "check", object{"text": text})
	if len(a.Problems) != 2 || a.Scene != nil {
		t.Fatalf("check finds %+v", a)
	}
	for i, want := range []string{"centre", `"rde"`} {
		p := a.Problems[i]
		if got := text16(utf16s(text)[p.From:p.To]); got != want || p.Fix == nil {
			t.Errorf("the problem %q is at %q, want %q, with a fix", p.Text, got, want)
		}
	}
	for _, p := range slices.Backward(a.Problems) {
		text = apply(text, p.Fix.Edits)
	}
	if a = ask[checked](t, e, "check", object{"text": text}); a.Scene == nil || a.Scene.Solids != 1 {
		t.Errorf("after the fixes %q check finds %+v", text, a)
	}
	if s := a.Tables[0]; s.Path != "sphere[0]" || s.Kind != "sphere" || s.Name != "\U0001F48A" || !strings.HasSuffix(text16(utf16s(text)[s.From:s.To]), `"red"`) {
		t.Errorf("the table is %+v", s)
	}
	for _, text := range []string{"", "\uFEFF[imag]\n", "x", "[[bulk]]\nfile=\"a.csv\"\nshape=\"sphere\"", "include=[\"../x\"]"} {
		a := ask[checked](t, e, "check", object{"text": text})
		for _, p := range a.Problems {
			if p.From < 0 || p.To < p.From || p.To > len(utf16s(text)) {
				t.Errorf("check %q marks %d to %d", text, p.From, p.To)
			}
		}
		if text != "" && len(a.Problems) == 0 {
			t.Errorf("check finds nothing wrong with %q", text)
		}
	}
}

type solid struct {
	Object                  int
	Kind, Label, Name, Path string
	Table, Placement        *struct {
		Path, Name string
		From, To   int
	}
	Movable bool
}

// TestProbe checks the request probe for a pixel, which returns the solid, its distance, its table and the pixel's
// color. It also checks the request solids, which returns the tables and the placements of several solids.
func TestProbe(t *testing.T) {
	e, text := engine(), demo(t)
	a := ask[struct {
		Object   int
		Solid    *solid
		Distance float64
		Color    string
	}](t, e, "probe", object{"text": text, "x": 640, "y": 400})
	if a.Solid == nil || a.Solid.Name != "pill 2 right" || a.Color != "#e3dbce" || math.Abs(a.Distance-8.561) > 0.01 {
		t.Fatalf("probe says %+v", a)
	}
	if table := text[a.Solid.Table.From:a.Solid.Table.To]; !strings.HasPrefix(table, "[[capsule]]\nname = \"pill 2 right\"") || !strings.HasSuffix(table, `material = "white"`) {
		t.Errorf("its table is %q", table)
	}
	if f := fails(t, e, "probe", object{"text": text, "x": 1280, "y": 0}); f.Status != 400 {
		t.Errorf("outside: %v", f)
	}
	chess := file(t, "../../scenes/chess.toml")
	list := ask[struct{ Solids []solid }](t, e, "solids", object{"text": chess, "numbers": []int{0, 50}})
	placed := slices.IndexFunc(list.Solids, func(s solid) bool { return s.Placement != nil })
	if placed < 0 || !strings.HasPrefix(chess[list.Solids[placed].Placement.From:], "[[place]]") || !strings.Contains(chess[list.Solids[placed].Table.From:list.Solids[placed].Table.To], "radius") {
		t.Errorf("solids says %+v", list.Solids)
	}
}

// block is a block of an explanation.
type block struct {
	Type, Text string
	Steps      []struct{ Symbol, Formula, Numbers, Result, Note, Verdict string }
}

// checkSymbols checks the formulas in blocks, which are one part of an explanation. The page can show each part
// alone, so every symbol must be defined in the part before it is used.
func checkSymbols(t *testing.T, part string, blocks []block) {
	t.Helper()
	defined := map[string]bool{}
	for _, b := range blocks {
		for _, s := range b.Steps {
			coordinates := strings.NewReplacer(".x", "", ".y", "", ".z", "").Replace(s.Formula)
			for _, symbol := range regexp.MustCompile(`\pL[\pL\d_']*`).FindAllString(coordinates, -1) {
				if !defined[symbol] && !slices.Contains([]string{"min", "max", "floor"}, symbol) {
					t.Errorf("%s: %s is not defined before %s %s", part, symbol, s.Symbol, s.Formula)
				}
			}
			defined[s.Symbol] = true
		}
	}
}

// TestExplain compares the explanation with the output of package explain, byte for byte. It also checks that the
// ends of the path are solids with names.
func TestExplain(t *testing.T) {
	e, text := engine(), demo(t)
	x := must(explain.New(must(pillbox.Prepare(must(scene.Decode("scene.toml", []byte(text))), pillbox.Picture{}))).Pixel(image.Pt(520, 260)))
	a := ask[struct {
		Intro       []block
		Explanation json.RawMessage
		Sections    []struct {
			Name, Title string
			Blocks      []block
		}
		Solids []solid
		Lights []struct {
			Label string
			Table struct{ From, To int }
		}
		Path []struct {
			Kind, Fate    string
			From, To      [2]float64
			Object, Depth int
		}
	}](t, e, "explain", object{"text": text, "pixel": []int{520, 260}, "json": true})
	var got, want any
	if err := errors.Join(json.Unmarshal(a.Explanation, &got), json.Unmarshal(must(x.JSON(explain.Usual)), &want)); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the explanation differs; %v", err)
	}
	var names, titles []string
	for _, s := range a.Sections {
		if s.Title == "" || len(s.Blocks) == 0 || s.Blocks[0].Text == s.Title {
			t.Errorf("section %+v", s)
		}
		checkSymbols(t, s.Name, s.Blocks)
		if slices.Contains(titles, s.Title) {
			t.Errorf("two sections are titled %q", s.Title)
		}
		names, titles = append(names, s.Name), append(titles, s.Title)
	}
	if want := []string{"Light 0 (directional, line 21)", "Light 1 (point, line 26)"}; len(a.Lights) != 2 || a.Lights[0].Label != want[0] || a.Lights[1].Label != want[1] {
		t.Errorf("lights %+v, want %q", a.Lights, want)
	} else if at := a.Lights[1].Table; !strings.HasPrefix(text[at.From:at.To], "[[light]]\nposition") {
		t.Errorf("the table of light 1 is %q", text[at.From:at.To])
	}
	if !slices.Contains(names, "camera") || !slices.Contains(names, "lights") || a.Intro[0].Type != "answer" || a.Intro[1].Type != "shares" {
		t.Errorf("sections %v, intro %+v", names, a.Intro)
	}
	checkSymbols(t, "intro", a.Intro)
	known := map[int]bool{-1: true}
	for _, s := range a.Solids {
		known[s.Object] = true
	}
	mirrors := 0
	for _, s := range a.Path {
		if !known[s.Object] {
			t.Errorf("the path ends at solid %d, which is not told of", s.Object)
		}
		if s.Kind == "mirror" {
			mirrors++
		}
	}
	if p := a.Path[0]; p.Kind != "camera" || p.From != [2]float64{520.5, 260.5} || mirrors == 0 {
		t.Errorf("the path is %+v", a.Path)
	}
}

// TestDiagramKinds checks which kind of diagram is drawn. For a point in a penumbra, the default must be the kind
// "disc", which shows the visible part of the light. A request can choose another kind, if the pixel has a diagram
// of that kind.
func TestDiagramKinds(t *testing.T) {
	const soft = `
[image]
width = 40
height = 30
[camera]
position = [0, 6, 0.1]
look_at = [0, 0, 0]
[shading.occlusion]
[[light]]
name = "lamp"
position = [0, 4, 0]
radius = 1
[[sphere]]
name = "ball"
center = [1.5, 1, 0]
radius = 0.7
[[box]]
center = [0, -1, 0]
half_extents = [9, 1, 9]
`
	e := engine()
	type drawing struct {
		SVG, Kind string
		Kinds     []string
	}
	kinds := map[string]int{}
	for x := 18; x < 30; x++ {
		request := object{"text": soft, "pixel": []int{x, 15}, "shown": 300}
		d := ask[drawing](t, e, "diagram", request)
		if !slices.Contains(d.Kinds, d.Kind) || !slices.Contains(d.Kinds, "sky") || d.SVG == "" {
			t.Fatalf("pixel %d: the diagram is a %q of %q", x, d.Kind, d.Kinds)
		}
		delete(request, "shown")
		answer := ask[struct {
			Path  []struct{ Fate string }
			Intro []struct{ Text string }
		}](t, e, "explain", request)
		partly := slices.ContainsFunc(answer.Path, func(s struct{ Fate string }) bool { return s.Fate == "partly blocked" })
		if partly != (d.Kind == "disc") {
			t.Errorf("pixel %d: the light is partly blocked: %v; the diagram is a %q", x, partly, d.Kind)
		}
		if partly && !(strings.Contains(answer.Intro[0].Text, `a part of light "lamp"`) && strings.Contains(answer.Intro[0].Text, ` of 16 points of light "lamp"`)) {
			t.Errorf("pixel %d in the penumbra is explained by %q", x, answer.Intro[0].Text)
		}
		kinds[d.Kind]++
	}
	if kinds["disc"] < 2 || kinds["solid"] < 5 {
		t.Errorf("the diagrams are %v", kinds)
	}
	if d := ask[drawing](t, e, "diagram", object{"text": soft, "pixel": []int{3, 3}, "shown": 300, "kind": "sky"}); d.Kind != "sky" {
		t.Errorf("the diagram is a %q", d.Kind)
	}
	if d := ask[drawing](t, e, "diagram", object{"text": demo(t), "pixel": []int{3, 700}, "shown": 300, "kind": "sky"}); d.Kind != "solid" {
		t.Errorf("without occlusion, the diagram is a %q", d.Kind)
	}
	if f := fails(t, e, "diagram", object{"text": soft, "pixel": []int{3, 3}, "kind": "other"}); f.Status != play.StatusMalformed {
		t.Error(f)
	}
}

// TestEnclosedLight checks the ray to a light outside of the ball that contains the camera: it ends where it leaves the
// ball, and the ball blocks it. Without the ball's shadow the ray leads on to the light.
func TestEnclosedLight(t *testing.T) {
	const shell = `
[image]
width = 80
height = 60
[camera]
position = [0, 0, 2.5]
look_at = [0, 0, -1]
[shading]
shadows = true
[[light]]
position = [0, 6, 0]
[[sphere]]
name = "shell"
center = [0, 0, 0]
radius = 3
`
	e := engine()
	type answer struct {
		Path []struct {
			Kind, Fate string
			From, To   [2]float64
			Object     int
		}
		Lights []struct {
			Fate    string
			Blocker int
		}
	}
	inside := ask[answer](t, e, "explain", object{"text": shell, "pixel": []int{40, 40}})
	beyond := ask[answer](t, e, "explain", object{"text": strings.Replace(shell, "shadows = true", "shadows = false", 1), "pixel": []int{40, 40}})
	if l := inside.Lights[0]; l.Fate != "enclosed" || l.Blocker != 0 || beyond.Lights[0].Fate != "arrives" {
		t.Fatalf("the lights are %+v and %+v", inside.Lights, beyond.Lights)
	}
	rayOf := func(a answer) (length float64) {
		for _, s := range a.Path {
			if s.Kind == "light" {
				return math.Hypot(s.To[0]-s.From[0], s.To[1]-s.From[1])
			}
		}
		t.Fatalf("no ray leads to the light: %+v", a.Path)
		return 0
	}
	if short, long := rayOf(inside), rayOf(beyond); !(short < 0.999*long) {
		t.Errorf("the blocked ray has %g pixels, the other one %g", short, long)
	}
}

// TestLessons checks that every example in the lessons can be explained, and has a diagram or a reason why it has
// none.
func TestLessons(t *testing.T) {
	e := engine()
	a := ask[struct {
		Scenes  []struct{ Name, Title, Topic, Text string }
		Lessons []struct {
			Name, Title string
			Examples    []object
		}
	}](t, e, "scenes", object{})
	if len(a.Scenes) < 30 || a.Scenes[0].Name != "demo" || a.Scenes[0].Title != "A pill tray: capsules in two colors, a few balls and a mirror" {
		t.Errorf("%d scenes, first %.80v", len(a.Scenes), a.Scenes[0])
	}
	topics := map[string]string{}
	for _, s := range a.Scenes {
		topics[s.Name] = s.Topic
		if s.Title == "" {
			t.Errorf("scene %s has no title", s.Name)
		}
	}
	for name, want := range map[string]string{"tiny": "Test scenes", "up": "Test scenes", "chess": "Scenes", "mirror": "Mirrors"} {
		if topics[name] != want {
			t.Errorf("the topic of %s is %q, want %q", name, topics[name], want)
		}
	}
	examples := 0
	for _, l := range a.Lessons {
		for _, x := range l.Examples {
			examples++
			if x["trap"] != nil {
				continue // it explains nothing
			}
			title := fmt.Sprint(l.Name, x["title"])
			x = requestOf(x)
			ask[object](t, e, "explain", x)
			// A ray that hits nothing has no diagram, and the answer says so.
			if d := ask[struct{ SVG, Message string }](t, e, "diagram", x); !strings.HasPrefix(d.SVG, "<") && d.Message == "" {
				t.Errorf("%s has neither a diagram nor a reason", title)
			}
		}
	}
	order := ""
	for _, l := range a.Lessons {
		order += l.Name + " "
	}
	if !strings.HasPrefix(order, "camera sphere ") || !strings.HasSuffix(order, " traps exact README capsule-numbers glossary vectors ") {
		t.Errorf("the lessons are %s", order)
	}
	if len(a.Lessons) < 13 || examples < 33 {
		t.Errorf("%d lessons with %d examples", len(a.Lessons), examples)
	}
}

type edited struct {
	Edits  []edit
	Delta  [3]float64
	Camera struct{ Position, Look_at [3]float64 }
}

// TestCamera checks the camera's orbits. They keep the distance, return after a full turn, never tip over, and
// change only the camera's numbers in the text. A scene without a camera gets one.
func TestCamera(t *testing.T) {
	e := engine()
	for _, name := range []string{"demo", "no-camera", "orthographic", "up"} {
		text := file(t, "../../scenes/"+name+".toml")
		before := ask[checked](t, e, "check", object{"text": text}).Scene.Camera
		a := ask[edited](t, e, "camera", object{"text": text, "orbit": []float64{30, 10}})
		after := ask[checked](t, e, "check", object{"text": apply(text, a.Edits)}).Scene.Camera
		if after.Position != a.Camera.Position || after == before {
			t.Errorf("%s: the camera is %v, want %v", name, after, a.Camera)
		}
		distance := func(p, q [3]float64) float64 { return math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]), p[2]-q[2]) }
		was, is := distance(before.Position, before.Look_at), distance(after.Position, after.Look_at)
		if math.Abs(is-was) > was/500 {
			t.Errorf("%s: the distance was %v and is %v", name, was, is)
		}
		for _, want := range []float64{1000, -1000} {
			ask[edited](t, e, "camera", object{"text": text, "orbit": []float64{0, want}})
		}
		nearer := ask[edited](t, e, "camera", object{"text": text, "dolly": 0.5, "pan": []float64{10, -5}})
		if len(nearer.Edits) == 0 {
			t.Errorf("%s: dolly and pan change nothing", name)
		}
	}
	around := demo(t)
	for range 12 {
		around = apply(around, ask[edited](t, e, "camera", object{"text": around, "orbit": []float64{30, 0}}).Edits)
	}
	p := ask[checked](t, e, "check", object{"text": around}).Scene.Camera.Position
	if want := [3]float64{4.6, 4.4, 8.2}; math.Abs(p[0]-want[0])+math.Abs(p[1]-want[1])+math.Abs(p[2]-want[2]) > 0.02 {
		t.Errorf("once around, the camera is at %v, want %v", p, want)
	}
}

// TestMove checks that a solid that is dragged in the picture appears at the end of the drag.
func TestMove(t *testing.T) {
	e := engine()
	type probed struct {
		Object int
		Solid  solid
	}
	text := demo(t)
	var ids frames
	render(t, e, &ids, object{"text": text, "width": 160, "view": "id"})
	x, y := 0, 0
	for ids.image.Pix[ids.image.PixOffset(x, y)] != 1 { // part of the first solid
		if x++; x == 160 {
			x, y = 0, y+1
		}
	}
	if hit := ask[probed](t, e, "probe", object{"text": text, "width": 160, "x": x, "y": y + 2}); hit.Solid.Name != "mirror ball" {
		t.Fatalf("the pixel shows %+v", hit.Solid)
	}
	a := ask[edited](t, e, "move", object{"text": text, "width": 160, "object": 0, "from": []int{x, y + 2}, "to": []int{20, 10}})
	after := apply(text, a.Edits)
	if n := ask[probed](t, e, "probe", object{"text": after, "width": 160, "x": 20, "y": 10}); n.Object != 0 {
		t.Errorf("after the drag the pixel shows %+v", n)
	}
	if changed := lines(text, after); changed != 1 {
		t.Errorf("%d lines have changed", changed)
	}
	chess := file(t, "../../scenes/chess.toml")
	for object32, what := range map[int]string{50: "placement", 60: ""} {
		a := ask[edited](t, e, "move", object{"text": chess, "object": object32, "what": what, "from": []float64{600, 300}, "to": []float64{640, 280}})
		if len(a.Edits) == 0 || a.Delta == [3]float64{} {
			t.Errorf("placement of %d: %+v", object32, a)
		}
	}
	if f := fails(t, e, "move", object{"text": chess, "object": 50, "what": "solid", "from": []float64{0, 0}, "to": []float64{9, 9}}); f.Status != 422 {
		t.Errorf("a solid in a part: %v", f)
	}
	moving := "[[sphere]]\nname='a'\ncenter=[0,0,0]\nradius=1\n[[sphere]]\ncenter=[3,0,0]\nradius=1\n[animation]\nduration=1\n[[animate]]\ntarget='a.center'\ntimes=[0,1]\nvalues=[[0,0,0],[1,1,1]]\n"
	if f := fails(t, e, "move", object{"text": moving, "object": 0, "from": []float64{640, 360}, "to": []float64{700, 360}}); !strings.Contains(f.Message, "animated") {
		t.Errorf("an animated solid: %v", f)
	}
	ask[edited](t, e, "move", object{"text": moving, "object": 1, "from": []float64{640, 360}, "to": []float64{700, 360}})
}

// lines returns the number of lines in which a and b differ.
func lines(a, b string) (n int) {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			n++
		}
	}
	return n + max(len(x), len(y)) - min(len(x), len(y))
}

func TestEdit(t *testing.T) {
	a := ask[edited](t, engine(), "edit", object{"text": demo(t), "set": []object{{"key": "image.width", "value": 640}, {"key": "camera.up", "value": []int{0, 0, 1}}}})
	after := apply(demo(t), a.Edits)
	if !strings.Contains(after, "\nwidth = 640\n") || !strings.Contains(after, "fov = 34\nup = [0, 0, 1]\n") || lines(demo(t), after) == 0 {
		t.Errorf("edit gives %s", after[:300])
	}
}

// TestLimits checks that requests that would cost too much are refused before work begins.
func TestLimits(t *testing.T) {
	e := play.New(play.Options{Limits: play.Limits{Body: 10_000, Pixels: 10_000, Samples: 25_000, Solids: 30, Seconds: 1, Renders: 1}})
	many := "[[part.a.sphere]]\ncenter=[0,0,0]\nradius=1\n[[place]]\npart='a'\ncount=31\nstep={position=[3,0,0]}\n"
	for _, test := range []struct {
		name    string
		request object
		status  int
	}{
		{"render", object{"text": demo(t)}, 422},
		{"render", object{"text": demo(t), "width": 100, "antialias": 4}, 422},
		{"render", object{"text": demo(t), "width": 100, "antialias": 17}, 422},
		{"render", object{"text": demo(t), "width": -1}, 422},
		{"render", object{"text": many, "width": 100}, 422},
		{"render", object{"text": strings.Repeat("[[sphere]]\ncenter=[0,0,0]\nradius=1\n", 31), "width": 100}, 422},
		{"render", object{"text": "[[bulk]]\nfile='/etc/passwd'\nshape='sphere'"}, 422},
		{"render", object{"text": demo(t), "file": true}, 422},
		{"render", object{"text": "x = "}, 422},
		{"render", object{"text": demo(t), "width": 100, "view": "beauty"}, 400},
		{"render", object{"text": demo(t), "width": 100, "region": []int{0, 0, 101, 1}}, 400},
		{"render", object{"text": demo(t), "width": 100, "region": []int{0, 0, math.MaxInt, math.MaxInt}}, 400},
		{"render", object{"text": demo(t), "width": 100, "step": -1}, 400},
		{"render", object{"text": demo(t), "fov": 3}, 400},
		{"render", object{"text": strings.Repeat("#", 10_001)}, 413},
		{"paint", object{}, 404},
		{"explain", object{"text": demo(t), "width": 100}, 400},
		{"solids", object{"text": demo(t), "width": 100, "numbers": []int{99}}, 400},
		{"edit", object{"text": "[image]", "set": []object{{"key": "image", "value": 1}}}, 422},
		{"camera", object{"text": demo(t), "width": 100, "dolly": -1}, 400},
		{"explain", object{"text": strings.Repeat("[[light]]\ndirection=[0,-1,0]\n", 300), "width": 100, "pixel": []int{50, 20}, "antialias": 10}, 422},
	} {
		if f := fails(t, e, test.name, test.request); f.Status != test.status || f.Message == "" || strings.Contains(f.Message, "\n") {
			t.Errorf("%s %.120v: %d %s, want %d", test.name, test.request, f.Status, f.Message, test.status)
		}
	}
	// Many solids at the same place make long explanations.
	same := object{"text": strings.Repeat("[[sphere]]\ncenter=[0,0,0]\nradius=1\n", 5000), "width": 64, "height": 64, "antialias": 1}
	for key, value := range map[string]any{"pixel": []int{32, 32}, "ray": []int{0, 0, 5, 0, 0, -1}, "segment": []int{0, 0, 5, 0, 0, -5}} {
		r := maps.Clone(same)
		r[key] = value
		if f := fails(t, engine(), "explain", r); f.Status != 422 {
			t.Errorf("explain %s of many solids: %v", key, f)
		}
	}
	if a := ask[struct {
		Problems []any
		More     int
	}](t, engine(), "check", object{"text": strings.Repeat("[[sphere]]\nradios = 1\n", 2000)}); len(a.Problems) != 1000 || a.More < 2000 {
		t.Errorf("%d problems and %d more, want 1000 and the rest", len(a.Problems), a.More)
	}
	slow := play.New(play.Options{Limits: play.Limits{Body: 1 << 20, Pixels: 1 << 23, Samples: 1 << 30, Solids: 30_000, Seconds: 1, Renders: 1}, Workers: 1})
	if f := fails(t, slow, "render", object{"text": demo(t), "width": 3840, "height": 2160, "antialias": 8}); f.Status != 503 {
		t.Errorf("what takes too long: %v", f)
	}
}

// TestComplete checks the completions at the cursor. The tests write | for the cursor.
func TestComplete(t *testing.T) {
	for text, want := range map[string]string{
		"|":                           "[image]",
		"[[sphere]]\nce|":             "center",
		"[[sphere]]\n|":               "radius",
		"[camera]\nproj|":             "projection",
		"[camera]\nprojection = |":    `"orthographic"`,
		"[camera]\nprojection = \"o|": `"orthographic"`,
		"[shading]\nshadows = |":      "true",
		"[[sphere]]\ncolor = \"re|":   `"red"`,
		"[material.chrome]\nmirror=1\n[[sphere]]\nmaterial = |": `"chrome"`,
		"[part.leg]\n[[place]]\npart = \"|\"":                   `"leg"`,
		"[image]\nbackground = { top = \"red\", bot|":           "bottom",
		"[image]\nbackground = { top = |":                       `"red"`,
		"[[part.leg.capsule]]\nra|":                             "radius",
		"[material.a]\nchecker = { si|":                         "size",
		"[[sphere]]\ncenter = [\n 1, 2, # ]\n 3]\nra|":          "radius",
		"[ca|":                   "[camera]",
		"[[sph|]]":               "[[sphere]]",
		"[image]\nwidth = 3\n[|": "[camera]",
	} {
		at := strings.Index(text, "|")
		plain := strings.Replace(text, "|", "", 1)
		a := ask[struct {
			From, To int
			Options  []struct{ Label, Apply, Info string }
		}](t, engine(), "complete", object{"text": plain, "position": at})
		if !slices.ContainsFunc(a.Options, func(o struct{ Label, Apply, Info string }) bool { return o.Label == want }) {
			t.Errorf("at %q there is no %s: %.300v", text, want, a.Options)
		}
		if a.From < 0 || a.From > at || a.To < at || a.To > len(plain) {
			t.Errorf("at %q: from %d to %d", text, a.From, a.To)
		}
	}
	a := ask[struct{ Options []struct{ Label string } }](t, engine(), "complete", object{"text": "[pan", "position": 4})
	if slices.ContainsFunc(a.Options, func(o struct{ Label string }) bool { return strings.Contains(o.Label, "panel") }) {
		t.Errorf("a scene is completed to a figure with panels: %v", a.Options)
	}
	a = ask[struct{ Options []struct{ Label string } }](t, engine(), "complete", object{"text": "[[sphere]]\nradius = 1\n# he", "position": 26})
	if len(a.Options) != 0 {
		t.Errorf("in a comment: %v", a.Options)
	}
}

func TestHover(t *testing.T) {
	text := demo(t)
	for word, want := range map[string]string{"fov = 34": "Vertical field of view", "[[light]]": "A point light has", "bounces": "The largest number of reflections", "mirror = 0.85": "Weight of the mirror", "top = ": "Color straight up"} {
		at := strings.Index(text, word)
		a := ask[struct {
			From, To                int
			Key, Doc, Type, Default string
		}](t, engine(), "hover", object{"text": text, "position": at + 2})
		if !strings.HasPrefix(a.Doc, want) || a.From > at+2 || a.To < at+2 || a.Type == "" {
			t.Errorf("hover over %q says %+v", word, a)
		}
	}
}

// FuzzAnswer checks that the answer to any request is JSON, or a failure that is the client's fault.
func FuzzAnswer(f *testing.F) {
	names := []string{"start", "scenes", "check", "plan", "render", "probe", "solids", "explain", "diagram", "camera", "move", "edit", "complete", "hover", "outside", "suggest", "labels", "shift", "figure", "lesson"}
	text := "[image]\nwidth=16\nheight=9\n[camera]\nposition=[0,0,5]\nlook_at=[0,0,0]\n[[sphere]]\nname='é'\ncenter=[0,0,0]\nradius=1\n"
	for i := range names {
		f.Add(byte(i), must(json.Marshal(object{"text": text})))
		f.Add(byte(i), must(json.Marshal(object{"text": text, "x": 3, "y": 3, "position": 20})))
		f.Add(byte(i), must(json.Marshal(object{"text": text, "pixel": []int{8, 4}, "orbit": []int{3, 3}, "numbers": []int{0}})))
	}
	f.Add(byte(9), must(json.Marshal(object{"text": text, "orbit": []float64{3, 1e300}, "dolly": 0.5, "pan": []float64{1e300, 0}})))
	f.Add(byte(10), must(json.Marshal(object{"text": text, "object": 0, "from": []int{8, 4}, "to": []int{9, 4}})))
	f.Add(byte(11), must(json.Marshal(object{"text": text, "set": []object{{"key": "camera.fov", "value": 3}}})))
	f.Add(byte(14), must(json.Marshal(object{"text": text, "pixel": []int{8, 4}, "orbit": []float64{3, 1e300}, "zoom": 2, "size": []int{20, 10}, "samples": 1})))
	f.Add(byte(4), must(json.Marshal(object{"text": text, "region": []int{1, 2, 3, 4}})))
	e := play.New(play.Options{Limits: play.Limits{Body: 1 << 16, Pixels: 1 << 12, Samples: 1 << 14, Solids: 1 << 10, Seconds: 20, Renders: 1}, Workers: 1})
	f.Fuzz(func(t *testing.T, which byte, body []byte) {
		name := names[int(which)%len(names)]
		data, err := e.Answer(context.Background(), name, body, func([]byte) error { return nil })
		var failed *play.Failure
		switch {
		case err == nil && name != "render" && !json.Valid(data):
			t.Fatalf("%s answers %q", name, data)
		case err != nil && (!errors.As(err, &failed) || failed.Status < 400 || failed.Status > 499):
			t.Fatalf("%s %q: %v", name, body, err)
		case failed != nil && !json.Valid(failed.JSON()):
			t.Fatalf("failure %s", failed.JSON())
		case bytes.ContainsRune(data, 0):
			t.Fatalf("a zero byte in %q", data)
		}
	})
}
