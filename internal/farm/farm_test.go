package farm

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pillbox"
	"pillbox/internal/osfile"
	"pillbox/scene"
)

// crowd is a scene with mirrors, solids in all parts of the picture, and more solids in a file.
const crowd = `
format = 1
[image]
width = 90
height = 70
antialias = 2
antialias_mode = "adaptive"
[camera]
position = [0, 3, 12]
look_at = [0, 0, 0]
[material.glass]
color = "white"
mirror = 0.6
[[light]]
position = [4, 9, 6]
[[sphere]]
center = [0, 0, 0]
radius = 2
material = "glass"
[[box]]
center = [0, -3, 0]
half_extents = [9, 0.5, 9]
[[bulk]]
shape = "sphere"
file = "more.csv"
[animation]
duration = 2
fps = 4
[[animate]]
target = "camera.position"
times = [0, 2]
values = [[0, 3, 12], [2, 3, 12]]
`

func crowdFiles() fstest.MapFS {
	var csv strings.Builder
	csv.WriteString("x,y,z,radius,color\n")
	for i := range 30 {
		fmt.Fprintf(&csv, "%d,%d,%d,0.4,#%06x\n", i%6*2-5, i/6-1, i%4, 0x123456*(i+1)%0xffffff)
	}
	return fstest.MapFS{"more.csv": {Data: []byte(csv.String())}}
}

// crowdSource returns the scene crowd and its source.
func crowdSource(t testing.TB) (*scene.Scene, *Source) {
	t.Helper()
	r := osfile.Record(crowdFiles(), scene.MaxBulkBytes)
	s, err := scene.Decode("crowd.toml", []byte(crowd), scene.WithFiles(r))
	if err != nil {
		t.Fatal(err)
	}
	return s, &Source{Data: []byte(crowd), Files: r.Files}
}

// TestSourceIsWhole checks that a recorded source decodes to the same scene, and that every change of the source
// changes its hash.
func TestSourceIsWhole(t *testing.T) {
	s, src := crowdSource(t)
	again, err := src.Scene("elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	want, got := renderHash(t, s), renderHash(t, again)
	if got != want {
		t.Errorf("the source renders to %s, the scene to %s", got, want)
	}
	hashes := map[string]bool{src.Hash(): true}
	for _, other := range []*Source{
		{Data: append(bytes.Clone(src.Data), '\n'), Files: src.Files},
		{Data: src.Data, Files: osfile.Memory{"more.csv": append(bytes.Clone(src.Files["more.csv"]), '\n')}},
		{Data: src.Data, Files: osfile.Memory{"other.csv": src.Files["more.csv"]}},
		{Data: src.Data},
	} {
		if hashes[other.Hash()] {
			t.Error("different sources have one hash")
		}
		hashes[other.Hash()] = true
	}
	m, err := readManifest(src.manifest())
	if err != nil || len(m.hashes()) != 2 {
		t.Errorf("%v, %v", m, err)
	}
	for _, bad := range []string{``, `{}`, `{"scene":"../x"}`, `{"scene":"` + src.Hash() + `","files":{"../x":"` + src.Hash() + `"}}`, `{"scene":"` + src.Hash() + `"} {}`} {
		if m, err := readManifest([]byte(bad)); err == nil {
			t.Errorf("%s is read as %v", bad, m)
		}
	}
}

func renderHash(t testing.TB, s *scene.Scene) string {
	t.Helper()
	film, err := pillbox.Render(t.Context(), s, pillbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return pillbox.Hash(film.Image)
}

// TestUnitsCoverEveryPixelOnce checks that the units of a plan cover each pixel once, for random regions and cells.
// Equal cells of two regions must have equal keys.
func TestUnitsCoverEveryPixelOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		size := image.Pt(1+r.IntN(60), 1+r.IntN(60))
		p := Plan{Cell: image.Pt(r.IntN(30), r.IntN(30))}
		for range 1 + r.IntN(3) {
			x, y := r.IntN(size.X), r.IntN(size.Y)
			p.Shots = append(p.Shots, Shot{Size: size, Antialias: 1, Region: image.Rect(x, y, x+1+r.IntN(size.X-x), y+1+r.IntN(size.Y-y))})
		}
		seen := make([]map[image.Point]int, len(p.Shots))
		next := 0
		for n, u := range p.Units() {
			if n != next || u.Rect.Empty() || !u.Rect.In(p.Shots[u.Shot].Region) {
				t.Fatalf("unit %d is %v after %d", n, u, next)
			}
			next++
			if seen[u.Shot] == nil {
				seen[u.Shot] = make(map[image.Point]int)
			}
			for y := u.Rect.Min.Y; y < u.Rect.Max.Y; y++ {
				for x := u.Rect.Min.X; x < u.Rect.Max.X; x++ {
					seen[u.Shot][image.Pt(x, y)]++
				}
			}
		}
		for i, s := range p.Shots {
			if len(seen[i]) != sizeOf(s.Region) {
				t.Fatalf("%d of %d pixels", len(seen[i]), sizeOf(s.Region))
			}
			for at, n := range seen[i] {
				if n != 1 {
					t.Fatalf("%v comes %d times", at, n)
				}
			}
		}
	}
	shot := Shot{Size: image.Pt(100, 100), Antialias: 1, Region: image.Rect(0, 0, 100, 100)}
	part := shot
	part.Region = image.Rect(10, 10, 90, 90)
	keys := make(map[string]int)
	for _, s := range []Shot{shot, part} {
		p := Plan{Scene: "x", Shots: []Shot{s}, Cell: image.Pt(20, 20)}
		for _, u := range p.Units() {
			task := p.task(u)
			keys[task.key()]++
		}
	}
	shared := 0
	for _, n := range keys {
		shared += n - 1
	}
	if shared != 9 {
		t.Errorf("%d units are shared, want the 9 that lie in both as a whole", shared)
	}
}

// TestPlanValidate checks the errors for plans that have a cell without an area, or more than maxUnits units.
func TestPlanValidate(t *testing.T) {
	shots := func(n int) []Shot {
		size := image.Pt(1<<12, 1<<10)
		return slices.Repeat([]Shot{{Size: size, Antialias: 1, Region: image.Rectangle{Max: size}}}, n)
	}
	for _, c := range []struct {
		plan Plan
		want string // "" if the plan is valid
	}{
		{Plan{Shots: shots(4)}, ""},
		{Plan{Shots: shots(4), Cell: image.Pt(1, 1)}, ""}, // exactly maxUnits units
		{Plan{Shots: shots(5), Cell: image.Pt(1, 1)}, "20971520 units, more than the limit of 16777216"},
		{Plan{Shots: shots(5), Cell: image.Pt(2, 1)}, ""},
		{Plan{Shots: shots(1), Cell: image.Pt(0, 5)}, "units of 0 x 5 pixels"},
		{Plan{Shots: shots(1), Cell: image.Pt(1, -1)}, "units of 1 x -1 pixels"},
	} {
		got := ""
		if err := c.plan.validate(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%d shots, cells of %v: %q, want %q", len(c.plan.Shots), c.plan.Cell, got, c.want)
		}
	}
	whole := Plan{Shots: shots(4)}
	if n := whole.count(); n != 4 {
		t.Errorf("4 whole shots are %d units", n)
	}
}

// TestKeyNamesAllThatPixelsDependOn checks that the key of a unit changes with everything that determines the
// unit's pixels.
func TestKeyNamesAllThatPixelsDependOn(t *testing.T) {
	s, _ := crowdSource(t)
	now, later := 0.5, 0.75
	base := task{1, "renderer", "scene", Shot{Size: image.Pt(9, 9), Region: image.Rect(0, 0, 3, 3), Antialias: 1, Time: &now}}
	keys := map[string]int{base.key(): 0}
	for i, change := range []func(*task){
		func(t *task) { t.Format++ },
		func(t *task) { t.Renderer = "other" },
		func(t *task) { t.Scene = "other" },
		func(t *task) { t.Size.X++ },
		func(t *task) { t.Region.Max.Y++ },
		func(t *task) { t.Antialias++ },
		func(t *task) { t.Time = nil },
		func(t *task) { t.Time = &later },
		func(t *task) { t.Camera = s.Camera },
		func(t *task) { c := *s.Camera; c.Position.X += 1e-9; t.Camera = &c },
	} {
		other := base
		change(&other)
		if first, there := keys[other.key()]; there {
			t.Errorf("changes %d and %d have one key", first, i+1)
		}
		keys[other.key()] = i + 1
	}
	var again task
	if err := unmarshal(marshal(base), &again); err != nil || again.key() != base.key() {
		t.Errorf("the key changes on the way: %v", err)
	}
}

// TestUnmarshalRefusesMore checks that any data after the JSON value is an error, even a closing bracket.
func TestUnmarshalRefusesMore(t *testing.T) {
	for text, ok := range map[string]bool{"1": true, " 1 \n": true, "1 2": false, "1}": false, "1]": false, "1,": false, "1x": false} {
		var n int
		if err := unmarshal([]byte(text), &n); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestResultMayBeAnything checks that decoding an invalid result of a unit returns an error and does not panic.
func TestResultMayBeAnything(t *testing.T) {
	s, _ := crowdSource(t)
	r := image.Rect(3, 5, 40, 30)
	film, err := pillbox.Render(t.Context(), s, pillbox.Options{Picture: pillbox.Picture{Region: r}})
	if err != nil {
		t.Fatal(err)
	}
	data := encode(film)
	if len(data) > maxResult(sizeOf(r)) {
		t.Errorf("%d bytes, more than %d", len(data), maxResult(sizeOf(r)))
	}
	got, err := decode(data, r)
	if err != nil || !bytes.Equal(got.Image.Pix, film.Image.Pix) || got.Rays != film.Rays {
		t.Fatal("the film is another one behind the way", err)
	}
	if _, err := decode(data, image.Rect(3, 5, 40, 31)); err == nil {
		t.Error("a result of another size is taken")
	}
	for n := range data {
		if _, err := decode(data[:n], r); err == nil {
			t.Fatalf("%d of %d bytes are taken", n, len(data))
		}
	}
	for i := raysBytes; i < len(data); i++ {
		bad := bytes.Clone(data)
		bad[i] ^= 1 << (i % 8)
		if got, err := decode(bad, r); err == nil && !bytes.Equal(got.Image.Pix, film.Image.Pix) {
			t.Fatalf("a changed byte %d gives other pixels", i)
		}
	}
}

// shardsOf renders all shards of the scene s. form states the plan and the number of shards.
func shardsOf(t testing.TB, s *scene.Scene, form Shard) []File {
	t.Helper()
	var files []File
	for i := range form.Count {
		shard := form
		shard.Index = i
		var data bytes.Buffer
		if err := WriteShard(t.Context(), &data, &shard, s, ShardOptions{Workers: 2}); err != nil {
			t.Fatal(err)
		}
		files = append(files, fileOf(fmt.Sprintf("part-%d.shard", i), data.Bytes()))
	}
	return files
}

func fileOf(name string, data []byte) File {
	return File{Name: name, ReaderAt: bytes.NewReader(data), Size: int64(len(data))}
}

func crowdShard(t testing.TB, s *scene.Scene, src *Source, count int, region image.Rectangle) Shard {
	t.Helper()
	shot, err := NewShot(s, pillbox.Options{Picture: pillbox.Picture{Region: region}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	shots := []Shot{shot}
	return Shard{Plan: Plan{Scene: src.Hash(), Shots: shots, Cell: ShardCell(shots, count)}, Count: count}
}

// TestShardsMakeThePicture checks that assembled shards have the same bits as the whole picture, for any number of
// shards in any order.
func TestShardsMakeThePicture(t *testing.T) {
	s, src := crowdSource(t)
	for _, region := range []image.Rectangle{{}, image.Rect(13, 7, 80, 69)} {
		want, err := pillbox.Render(t.Context(), s, pillbox.Options{Picture: pillbox.Picture{Region: region}})
		if err != nil {
			t.Fatal(err)
		}
		for _, count := range []int{1, 2, 5, 40} {
			files := shardsOf(t, s, crowdShard(t, s, src, count, region))
			rand.New(rand.NewPCG(1, uint64(count))).Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
			a, err := Assemble(files)
			if err != nil {
				t.Fatal(err)
			}
			rows := 0
			film, err := a.Picture(t.Context(), 0, pillbox.Options{Work: pillbox.Work{Rows: func(_ *pillbox.Film, n int) { rows = n }}})
			if err != nil {
				t.Fatal(err)
			}
			if pillbox.Hash(film.Image) != pillbox.Hash(want.Image) || film.Rays != want.Rays || rows != film.Region.Dy() {
				t.Errorf("%d shards of %v: another picture, or rays %v instead of %v, or %d rows", count, region, film.Rays, want.Rays, rows)
			}
		}
	}
}

// TestShardsOfAFilm checks that each frame is rendered at its own time and with its own camera, even if frames
// share a prepared scene.
func TestShardsOfAFilm(t *testing.T) {
	s, src := crowdSource(t)
	form := Shard{Plan: Plan{Scene: src.Hash()}, Count: 3, Output: Output{FPS: 4, Frames: 3}}
	var want []string
	for _, size := range []image.Point{{X: 40, Y: 30}, {X: 20, Y: 15}} {
		for i := range form.Frames {
			time := float64(i) / form.FPS
			shot, err := NewShot(s, pillbox.Options{Picture: pillbox.Picture{Size: size}}, &time)
			if err != nil {
				t.Fatal(err)
			}
			at, err := s.At(time)
			if err != nil {
				t.Fatal(err)
			}
			if i == 2 {
				c := *at.Camera
				c.Position.Y += 2
				shot.Camera = &c
				at = shot.aim(at)
			}
			film, err := pillbox.Render(t.Context(), at, pillbox.Options{Picture: pillbox.Picture{Size: size}})
			if err != nil {
				t.Fatal(err)
			}
			form.Plan.Shots, want = append(form.Plan.Shots, shot), append(want, pillbox.Hash(film.Image))
		}
	}
	a, err := Assemble(shardsOf(t, s, form))
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		film, err := a.Picture(t.Context(), i, pillbox.Options{})
		if err != nil || pillbox.Hash(film.Image) != want[i] {
			t.Errorf("shot %d is another picture, %v", i, err)
		}
	}
}

// TestAssembleRefuses checks that Assemble rejects shards of different plans, and lists missing shards.
func TestAssembleRefuses(t *testing.T) {
	s, src := crowdSource(t)
	region := image.Rect(0, 0, 40, 40)
	files := shardsOf(t, s, crowdShard(t, s, src, 3, region))
	other := crowdShard(t, s, src, 3, region)
	other.Plan.Scene = hashOf(nil)
	foreign := withIndex(t, files[2], func(s *Shard) { s.Plan.Renderer = hashOf(nil) })
	names := fmt.Sprintf("part-2.shard was rendered by renderer %.12q, and this program has renderer %.12q", hashOf(nil), pillbox.SourceHash())
	larger := crowdShard(t, s, src, 3, image.Rect(0, 0, 40, 41))
	for _, test := range []struct {
		files []File
		want  string
	}{
		{nil, "got none"},
		{files[:2], "missing of 3 shards: 2"},
		{[]File{files[0], files[1], files[1]}, "part-1.shard and part-1.shard are both shard 1 of 3"},
		{append(files[:2:2], shardsOf(t, s, other)[2]), "part-2.shard shows the scene"},
		{append(files[:2:2], shardsOf(t, s, larger)[2]), "part-2.shard has other options than part-0.shard"},
		{append(files[:2:2], shardsOf(t, s, crowdShard(t, s, src, 4, region))[2]), "is one of 4 shards"},
		{append(files[:2:2], foreign), names},
		{[]File{foreign}, names},
		{[]File{fileOf("x", []byte("x"))}, "x: not a shard file, or truncated"},
	} {
		if _, err := Assemble(test.files); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want %q", err, test.want)
		}
	}
}

// withIndex returns the shard f, with its index changed by the function change.
func withIndex(t testing.TB, f File, change func(*Shard)) File {
	t.Helper()
	s, err := f.read()
	if err != nil {
		t.Fatal(err)
	}
	last := s.Parts[0]
	for _, p := range s.Parts {
		if p.Offset > last.Offset {
			last = p
		}
	}
	data := make([]byte, last.Offset+int64(last.Length))
	if _, err := f.ReadAt(data, 0); err != nil {
		t.Fatal(err)
	}
	change(s)
	out := bytes.NewBuffer(data)
	if err := (&shardWriter{w: out, shard: s}).finish(); err != nil {
		t.Fatal(err)
	}
	return fileOf(f.Name, out.Bytes())
}

// TestShardMayBeAnything changes a file of a shard at many positions. Each changed file must be rejected or give
// the same pixels.
func TestShardMayBeAnything(t *testing.T) {
	s, src := crowdSource(t)
	var data bytes.Buffer
	shard := crowdShard(t, s, src, 1, image.Rect(0, 0, 24, 16))
	if err := WriteShard(t.Context(), &data, &shard, s, ShardOptions{}); err != nil {
		t.Fatal(err)
	}
	hash := func(data []byte) string {
		a, err := Assemble([]File{fileOf("f", data)})
		if err != nil {
			return ""
		}
		film, err := a.Picture(t.Context(), 0, pillbox.Options{})
		if err != nil {
			return ""
		}
		return pillbox.Hash(film.Image)
	}
	want := hash(data.Bytes())
	if want == "" {
		t.Fatal("the shard is refused")
	}
	refused := 0
	for i := range data.Len() {
		bad := bytes.Clone(data.Bytes())
		bad[i] ^= 0x41
		switch got := hash(bad); got {
		case "":
			refused++
		case want:
		default:
			t.Fatalf("byte %d changes the picture", i)
		}
		if got := hash(data.Bytes()[:i]); got != "" {
			t.Fatalf("%d of %d bytes are taken", i, data.Len())
		}
	}
	if refused < data.Len()/2 {
		t.Errorf("only %d of %d changes are noticed", refused, data.Len())
	}
}

// TestShardIsCanceled checks that canceling the context ends WriteShard.
func TestShardIsCanceled(t *testing.T) {
	s, src := crowdSource(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	shard := crowdShard(t, s, src, 1, image.Rectangle{})
	if err := WriteShard(ctx, new(bytes.Buffer), &shard, s, ShardOptions{}); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}
