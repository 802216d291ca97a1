package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/osfile"
	"pillbox/pngfile"
)

// The limits of each run: processor time in seconds, and memory that the program can write to, in KiB.
const boundSeconds, boundMemory = 30, 512 << 10

// TestBoundedWork runs commands with small hostile inputs within limits of processor time and memory. Each run must end
// by itself with a documented exit status. If it fails, it must state why, in a few lines. It must leave no unfinished
// file, and each picture that it leaves must be whole.
func TestBoundedWork(t *testing.T) {
	scenes := hostileScenes()
	for i, input := range scenes {
		for k, args := range sceneCommands() {
			// With the effort all, each command gets every twelfth scene, and each scene every twelfth command.
			if every := effort.Of(397, 12, 1); (i+k)%every == 0 {
				runBounded(t, input, strings.Fields(args))
			}
		}
	}
	for _, input := range effort.Some(t, 3, hostileFiles()) {
		runBounded(t, input, input.args)
	}
}

// TestMemoryOfSolids runs commands on scenes in which a few lines make many solids, within the memory for each solid that
// docs/scene.md states.
func TestMemoryOfSolids(t *testing.T) {
	const solids, bytesEach, others = 200_000, 1250, 64 << 20
	text := programtest.ReadText(t, filepath.Join("..", "..", "docs", "scene.md"))
	if want := "at most 1,250 bytes of memory for each solid"; !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
		t.Errorf("docs/scene.md does not state %q", want)
	}
	commands := slices.DeleteFunc(sceneCommands(), func(args string) bool { return !strings.HasPrefix(args, "F ") && !slices.Contains(bulky, args) })
	for i, solid := range []string{
		"sphere]]\ncenter = [0, 0, 0]\nradius = 0.1\n", "capsule]]\na = [0, 0, 0]\nb = [0, 1, 0]\nradius = 0.1\n",
		"box]]\ncenter = [0, 0, 0]\nhalf_extents = [0.1, 0.2, 0.3]\nrotate = [1, 2, 3]\n", "cylinder]]\na = [0, 0, 0]\nb = [0, 1, 0]\nradius = 0.1\n",
	} {
		scene := fmt.Sprintf("%s[[place]]\npart = \"p\"\ncount = %d\nstep = { position = [0.3, 0, 0] }\n[[part.p.%s", tiny, solids, solid)
		for k, args := range commands {
			if every := effort.Of(25, 4, 1); (i+k)%every == 0 {
				runWithin(t, hostile{name: "s.toml", text: scene}, strings.Fields(args), (others+solids*bytesEach)>>10)
			}
		}
	}
}

// bulky are the commands of [sceneCommands] that do most with each solid of a scene, beside those that render it.
var bulky = []string{"check F", "hash F", "explain F --pixel 4,3", "explain F --pixel 4,3 --json", "export F -o out.pov", "export F -o out.toml",
	"export F -o out.xml --format mjcf", "animate F -o out.gif --turntable 0.1", "cast F --rays rays.csv", "bench F --repeat 1 --width 16"}

// hostile is an input of a command: a file with the given name and text, and the files of others. Most runs of the test use few
// of the inputs, so large ones are made by a function, when they are used.
type hostile struct {
	name   string
	text   string
	others map[string]string
	args   []string                                       // only of a file that is no scene
	build  func() (text string, others map[string]string) // or nil
}

// files returns the files of an input by name.
func (h hostile) files() map[string]string {
	text, others := h.text, h.others
	if h.build != nil {
		text, others = h.build()
	}
	files := maps.Clone(others)
	if files == nil {
		files = make(map[string]string)
	}
	files[h.name] = text
	return files
}

// runBounded runs a command on a hostile input. The argument F is replaced by the name of the input's file.
func runBounded(t *testing.T, input hostile, args []string) {
	t.Helper()
	runWithin(t, input, args, boundMemory)
}

// runWithin is runBounded with another limit of memory, in KiB.
func runWithin(t *testing.T, input hostile, args []string, memory int) {
	t.Helper()
	files := input.files()
	files["rays.csv"] = aRay
	programtest.InFolder(t, files)
	args = slices.Clone(args)
	for i := range args {
		if args[i] == "F" {
			args[i] = input.name
		}
	}
	program := programtest.Process(t, args...)
	limits := fmt.Sprintf(`ulimit -t %d; ulimit -d %d; exec "$0" "$@"`, boundSeconds, memory)
	cmd := exec.Command("sh", append([]string{"-c", limits}, program.Args...)...)
	var stdout, stderr bytes.Buffer
	cmd.Env, cmd.Stdout, cmd.Stderr = program.Env, &stdout, &stderr
	_ = cmd.Run() // the exit status is examined below
	what := fmt.Sprintf("render %s (%s)", strings.Join(args, " "), input.name)
	status := cmd.ProcessState.ExitCode()
	switch {
	case cmd.ProcessState == nil:
		t.Fatalf("%s does not start", what)
	case status != cli.StatusDone && status != cli.StatusDifferent && status != cli.StatusWrong && status != cli.StatusFile:
		t.Errorf("%s: %v: %s", what, cmd.ProcessState, shortened(stderr.String()))
	case strings.Contains(stderr.String(), "goroutine "):
		t.Errorf("%s: status %d, but %s", what, status, shortened(stderr.String()))
	case status != cli.StatusDone && !isClear(stdout.String()+stderr.String(), slices.Contains(args, "--json")):
		t.Errorf("%s: status %d with an unclear message: %s%s", what, status, shortened(stdout.String()), shortened(stderr.String()))
	}
	wantWhole(t, what)
	if testing.Verbose() {
		used := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		t.Logf("%s: status %d, %.1f s, %d MB", what, status, (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), used.Maxrss>>10)
	}
}

// isClear reports whether a message has lines that people can read: not none, not many, and not long ones. A message of JSON
// records may have many.
func isClear(message string, records bool) bool {
	lines := strings.Split(strings.TrimSpace(message), "\n")
	return lines[0] != "" && (records || len(lines) <= 1000) && !slices.ContainsFunc(lines, func(s string) bool { return len(s) > 8000 })
}

// shortened returns the beginning and the end of a text.
func shortened(s string) string {
	if len(s) > 600 {
		return s[:300] + " ... " + s[len(s)-300:]
	}
	return s
}

// wantWhole checks that the working directory contains no unfinished file and no broken picture of the command.
func wantWhole(t *testing.T, what string) {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if osfile.IsTemporary(e.Name()) {
			t.Errorf("%s leaves %s", what, e.Name())
		}
		if data, err := os.ReadFile(e.Name()); err == nil && strings.HasPrefix(e.Name(), "out") && filepath.Ext(e.Name()) == ".png" {
			if _, err := png.DecodeConfig(bytes.NewReader(data)); err != nil || !bytes.HasSuffix(data, []byte("IEND\xaeB`\x82")) {
				t.Errorf("%s leaves a broken picture: %v", what, err)
			}
		}
	}
}

// sceneCommands returns the commands that read a scene, as F.
func sceneCommands() []string {
	return []string{
		"F -o out.png --quiet", "check F", "F -o out.svg", "F -o out.pdf", "check --json F", "explain F --pixel 4,3",
		"explain F --pixel 4,3 --json", "explain F --pixel 4,3 --diagram d.svg --draw disc", "dump F", "hash F", "F --verify --width 8",
		"export F -o out.glb", "export F -o out.pov", "export F -o out.toml", "export F -o out.xml --format mjcf",
		"export F -o out.urdf", "contact F -o out.png", "animate F -o out.gif --to 0.05", "animate F -o out%06d.png --to 0.05",
		"cast F --rays rays.csv", "cast F --rays rays.csv --all --names n.csv", "bench F --repeat 1 --width 16", "golden check F", "golden accept F",
		"golden report", "F -o out.png --aov depth=d.pfm --aov cost=c.png", "F -o out.tiff --region 0,0,9,9", "F --shard 1/2 -o out.shard",
		"vectors picture --scene F --folder v --width 20", "golden pending", "F -o out.png --view top", "animate F -o out.gif --turntable 0.1",
	}
}

// The beginnings of hostile scenes.
const (
	tiny  = "[image]\nwidth = 8\nheight = 6\n[camera]\nposition = [0, 0, 9]\nlook_at = [0, 0, 0]\n"
	ball  = "[[sphere]]\nname = \"ball\"\ncenter = [0, 0, 0]\nradius = 1\n"
	steps = "step = { position = [1e-5, 2e-5, 3e-5] }\n"
)

// manySpheres returns a scene of n spheres that overlap everywhere.
func manySpheres(n int) string {
	return fmt.Sprintf("%s[[place]]\npart = \"p\"\ncount = %d\n%s[[part.p.sphere]]\ncenter = [0, 0, 0]\nradius = 3\n", tiny, n, steps)
}

// hostileScenes returns small scenes that ask for much.
func hostileScenes() []hostile {
	const view = "[image]\nwidth = 80\nheight = 60\n[camera]\nposition = [0, 0, 9]\nlook_at = [0, 0, 0]\n"
	var all []hostile
	plain := func(name, text string) { all = append(all, hostile{name: name + ".toml", text: text}) }
	add := func(name, text string) { plain(name, view+ball+text) }
	repeat := strings.Repeat
	list := func(n int, item func(i int) string) string {
		var items []string
		for i := range n {
			items = append(items, item(i))
		}
		return strings.Join(items, ", ")
	}

	// Annotations.
	add("label", "[[label]]\ntext = \""+repeat("W", 500)+"\"\non = \"ball\"\nsize = 1000\nhalo = \"white\"\n")
	add("label-lines", "[[label]]\ntext = \""+repeat(`W\n`, 250)+"\"\non = \"ball\"\nsize = 1000\nhalo = \"white\"\n")
	add("labels", repeat("[[label]]\ntext = \"WWWWWWWWWWWWWWWWWWWWWWWW\"\non = \"ball\"\nsize = 500\nhalo = \"white\"\n", 300))
	for _, kind := range []string{"line", "arrow"} {
		for i, dash := range []string{"[1e-12, 1e-12]", "[0.1, 0.1]", "true"} {
			add(fmt.Sprintf("%s-dash-%d", kind, i), "[["+kind+"]]\nfrom = [-1e9, -0.1, 0]\nto = [1e9, 0.1, 0]\ndash = "+dash+"\n")
			add(fmt.Sprintf("%s-hidden-%d", kind, i), repeat("[["+kind+"]]\nfrom = [-1e9, 0, -5]\nto = [1e9, 0.1, 5]\nwidth = 9\ndepth = true\ndash = "+dash+"\n", 20))
		}
		add(kind+"-width", "[["+kind+"]]\nfrom = [-1, 0, 0]\nto = [1, 0, 0]\nwidth = 1000\n")
		add(kind+"-far", "[["+kind+"]]\nfrom = [-1e15, 0, 0]\nto = [1e15, 0, 0]\nwidth = 1000\ndepth = true\n")
		add(kind+"s", repeat("[["+kind+"]]\nfrom = [-9, 0, -5]\nto = [9, 0.1, 5]\nwidth = 100\ndash = [0.1, 0.1]\ndepth = true\n", 3000))
	}
	add("heads", repeat("[[arrow]]\nfrom = [-1, 0, 0]\nto = [1, 0, 0]\nhead = 1000\nwidth = 100\nheads = \"both\"\n", 1000))
	add("angle", "[[angle]]\nat = [0, 0, 0]\nfrom = [1, 0, 0]\nto = [0, 1, 0]\nradius = 1e9\n")
	add("angles", repeat("[[angle]]\nat = [0, 0, 0]\nfrom = [1, 0, 0]\nto = [0, 1, 0]\ntext = \""+repeat("{}", 100)+"\"\nsize = 1000\n", 100))
	for _, shape := range []string{"dot", "circle", "square", "diamond", "triangle", "cross", "plus"} {
		add("marker-"+shape, repeat("[[marker]]\nat = [0, 0, 0]\nsize = 1000\nshape = \""+shape+"\"\n", 300))
	}
	add("dimension", repeat("[[dimension]]\nfrom = [-1e12, 0, 0]\nto = [1e12, 0, 0]\ntext = \""+repeat("{}", 250)+"\"\nsize = 1000\n", 20))
	add("axes", "[axes]\nlength = 1e15\nsize = 1000\ntexts = ["+list(3, func(int) string { return `"` + repeat("W", 500) + `"` })+"]\n")
	add("title", "[title]\ntext = \""+repeat("W^{x_{y}}", 55)+"\"\nsize = 1000\nhalo = \"white\"\n")
	add("markup", "[title]\ntext = \""+repeat("x^{", 120)+"x"+repeat("}", 120)+"\"\n")
	add("markup-open", "[title]\ntext = \""+repeat("_{", 250)+"\"\n")
	add("legend", "[legend]\nmaterials = [\"a\"]\ntexts = [\""+repeat("W", 500)+"\"]\nsize = 1000\n[material.a]\n")
	add("scale-bar", "[scale_bar]\nlength = 1e15\ndepth = 1e-15\n")
	add("outline", "[outline]\nwidth = 1000\n")
	add("outlines", "[outline]\nwidth = 100\n[[place]]\npart = \"p\"\ncount = 2000\n"+steps+"[[part.p.box]]\ncenter = [0, 0, 0]\nhalf_extents = [1, 1, 1]\n")

	// Light and solids.
	plain("soft", tiny+ball+"[shading]\nsamples = 64\n"+repeat("[[light]]\nposition = [4, 4, 4]\nradius = 2\nintensity = 0.01\n", 100))
	plain("mirrors", tiny+ball+"[shading]\nsamples = 64\nbounces = 16\n[[box]]\ncenter = [0, 0, 0]\nhalf_extents = [20, 20, 20]\nmaterial = \"m\"\n[material.m]\nmirror = 1\n[[light]]\nposition = [4, 4, 4]\nradius = 2\n")
	plain("spheres", manySpheres(60_000))
	plain("lights", tiny+ball+repeat("[[light]]\nposition = [4, 4, 4]\nradius = 1\nintensity = 0.0001\n", 1000))
	chain := func(n, count int) (text string) {
		for i := range n {
			text += fmt.Sprintf("[[part.p%d.place]]\npart = \"p%d\"\ncount = %d\n", i, i+1, count)
		}
		return text + "[[place]]\npart = \"p0\"\n"
	}
	add("parts", chain(30, 2)+"[[part.p30.sphere]]\ncenter = [0, 0, 0]\nradius = 1\n")
	add("parts-labels", chain(24, 2)+"[[part.p24.label]]\ntext = \"W\"\nat = [0, 0, 0]\n")
	add("parts-empty", chain(20, 1000000)+"[part.p20]\n")
	add("hatch", "[[section]]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nhatch = true\nhatch_distance = 1e-15\nhatch_width = 1e-15\n")
	add("hatch-wide", "[[section]]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nhatch = true\nhatch_distance = 1e15\nhatch_width = 1e15\n")
	plain("sections", tiny+ball+repeat("[[section]]\npoint = [0, 0, 0]\nnormal = [0, 0.3, 1]\nhatch = true\nlight = \"whole\"\n", 8)+"[fog]\nnear = 1e-15\nfar = 1e15\n[[place]]\npart = \"p\"\ncount = 300\n"+steps+"[[part.p.sphere]]\ncenter = [0, 0, 0]\nradius = 3\n")
	ghosts := "[outline]\nwidth = 3\n"
	for i := range 300 {
		ghosts += fmt.Sprintf("[[sphere]]\ncenter = [0, 0, 0]\nradius = %g\nghost = 0.01\ncolor = [0.1, 0.2, %g]\n", 0.5+float64(i)/300, float64(i)/300)
	}
	plain("ghosts", tiny+ball+ghosts)
	add("checker", "[[box]]\ncenter = [0, 0, 0]\nhalf_extents = [1e15, 1e15, 1e15]\nmaterial = \"c\"\n[material.c]\nchecker = { color = \"red\", size = 1e-15 }\n")
	add("names", "[[place]]\npart = \"p\"\ncount = 37000\nname = \""+repeat("n", 900)+"\"\n"+steps+"[[part.p.sphere]]\ncenter = [0, 0, 0]\nradius = 0.1\nname = \""+repeat("m", 900)+"\"\n")
	add("allowed", "[overlaps]\nallow = ["+list(200, func(int) string { return `["` + repeat("*a", 300) + `*", "` + repeat("*b", 300) + `*"]` })+"]\n[[place]]\npart = \"p\"\ncount = 500\nname = \"q\"\n"+steps+"[[part.p.sphere]]\ncenter = [0, 0, 0]\nradius = 0.3\nname = \""+repeat("a", 900)+"\"\n")

	// Time.
	add("film", "[animation]\nduration = 1e15\nfps = 1000\n")
	add("film-long", "[animation]\nduration = 100000\nfps = 1000\n")
	add("film-goldens", "[animation]\nduration = 100000\nfps = 1000\ngolden = ["+list(20000, func(i int) string { return fmt.Sprint(i) })+"]\n")
	add("tracks", "[animation]\nduration = 1\nfps = 2\n"+repeat("[[animate]]\ntarget = \"ball.radius\"\ntimes = ["+list(20000, func(i int) string { return fmt.Sprint(float64(i) / 20000) })+"]\nvalues = ["+list(20000, func(int) string { return "1" })+"]\n", 1))

	add("camera-keys", "[animation]\nduration = 1000\nfps = 1000\n[[animate]]\ntarget = \"camera.position\"\ntimes = ["+list(1000, func(i int) string { return fmt.Sprint(i) })+"]\nvalues = ["+list(1000, func(i int) string { return fmt.Sprintf("[%d, 0, 9]", i%7) })+"]\n")
	framed := "[camera]\ndirection = [0, 0, -1]\n[animation]\nduration = 1000\nfps = 1000\n[[part.p.sphere]]\ncenter = [0, 0, 0]\nradius = 1\n"
	for i := range 300 {
		framed += fmt.Sprintf("[[place]]\npart = \"p\"\nname = \"q%d\"\n[[animate]]\ntarget = \"q%[1]d.position\"\ntimes = [0, 1000]\nvalues = [[0, 0, 0], [1, 0, 0]]\n[[label]]\ntext = \"W\"\non = \"q%[1]d/sphere[0]\"\n", i)
	}
	plain("framed-film", "[image]\nwidth = 80\nheight = 60\n"+framed)
	add("goldens", "[animation]\nduration = 100000\nfps = 10\ngolden = ["+list(15_000, func(i int) string { return fmt.Sprint(i) })+"]\n")

	// Syntax.
	add("arrays", "x = "+repeat("[", 100000)+repeat("]", 100000))
	add("tables", "x = "+repeat("{a = ", 50000)+"1"+repeat("}", 50000))
	plain("dotted", repeat("a.", 200000)+"a = 1\n")
	plain("keys", list(50000, func(i int) string { return fmt.Sprintf("k%d = 1\n", i) }))
	add("unknown", repeat("[[light]]\nposition = [4, 4, 4]\nradiuss = 1\n", 3000))
	add("long-name", "[[sphere]]\nname = \""+repeat("x", 1000000)+"\"\ncenter = [0, 0, 0]\nradius = 1\n")
	all = append(all, hostile{name: "includes.toml", text: "include = [\"include0.toml\"]\n" + view + ball, others: includes(500)})
	plain("include-self", "include = [\"include-self.toml\"]\n"+view+ball)
	plain("empty", "")
	plain("binary", "\x00\xff\xfe"+repeat("\x00", 100000))
	return all
}

// includes returns n files, each of which includes the next one.
func includes(n int) map[string]string {
	files := make(map[string]string)
	for i := range n {
		files[fmt.Sprintf("include%d.toml", i)] = fmt.Sprintf("include = [\"include%d.toml\"]\n", i+1)
	}
	files[fmt.Sprintf("include%d.toml", n)] = "[material.x]\n"
	return files
}

// hostileFiles returns files of other formats that ask for much or lie about their size.
func hostileFiles() []hostile {
	repeat := strings.Repeat
	var all []hostile
	add := func(name, text, args string) {
		all = append(all, hostile{name: name, text: text, args: strings.Fields(args)})
	}
	// later adds an input that is made when it is used.
	later := func(name, args string, build func() (text string, others map[string]string)) {
		all = append(all, hostile{name: name, args: strings.Fields(args), build: build})
	}
	importing := func(name, text string) { add(name, text, "import F -o out.toml --quiet") }
	little := func(values ...any) string {
		var b bytes.Buffer
		for _, v := range values {
			if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
				panic(err)
			}
		}
		return b.String()
	}

	importing("dense.xyz", "40000\n\n"+repeat("C 0 0 0\n", 40000))
	importing("lying.xyz", "999999999\n\nC 0 0 0\n")
	importing("far.xyz", "3\n\nC 1e300 0 0\nC -1e300 0 0\nC nan inf 0\n")
	add("sticks.xyz", "40000\n\n"+repeat("C 0 0 0\n", 40000), "import F -o out.toml --style sticks --quiet")
	importing("lying.gro", "title\n99999999\n    1WATER  OW1    1   0.126   1.624   1.679\n")
	importing("far.gro", "title\n1\n    1WATER  OW1    1"+repeat("9", 8)+repeat("9", 8)+repeat("9", 8)+"\n   1e300   1e300   1e300\n")
	importing("cell.gro", "title\n1\n    1WATER  OW1    1   0.126   1.624   1.679\n   1e300   1e300   1e300\n")
	// Most of what a small compressed file may have, and more.
	compressed := func(name, head, line string, n int, foot string) {
		later(name, "import F -o out.toml --quiet", func() (string, map[string]string) {
			return gzipped(fmt.Sprintf(head, n) + repeat(line, n) + foot), nil
		})
	}
	compressed("dense.xyz.gz", "%d\n\n", "C 0 0 0\n", 500_000, "")
	compressed("most.xyz.gz", "%d\n\n", "C 0 0 0\n", 300_000, "")
	compressed("huge.xyz.gz", "%d\n\n", "C 0 0 0\n", 8_000_000, "")
	oneAtom := "data_x\nloop_\n_atom_site.id\n_atom_site.type_symbol\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n1 C 0 0 0\n#%d\n"
	for _, lines := range []struct{ name, head, line string }{
		{"bonds.pdb.gz", "ATOM      1  CA  ALA A   1       0.000   0.000   0.000  1.00  0.00           C\nREMARK %d\n", "CONECT    1    2    3    4    5\n"},
		{"matrices.pdb.gz", "REMARK %d\n", "REMARK 350   BIOMT1   1  1.000000  0.000000  0.000000        0.00000\n"},
		{"reflections.cif.gz", oneAtom + "loop_\n_refln.index_h\n_refln.index_k\n", "1 2\n"},
		{"connections.cif.gz", oneAtom + "loop_\n_struct_conn.id\n_struct_conn.conn_type_id\n_struct_conn.ptnr1_label_asym_id\n_struct_conn.ptnr2_label_asym_id\n", "a covale A B\n"},
		{"residues.cif.gz", oneAtom + "loop_\n_pdbx_poly_seq_scheme.asym_id\n_pdbx_poly_seq_scheme.mon_id\n", "A ALA\n"},
		{"components.cif.gz", oneAtom + "loop_\n_chem_comp_atom.comp_id\n_chem_comp_atom.atom_id\n", "A B\n"},
		{"known.cif.gz", oneAtom + "loop_\n_chem_comp_bond.comp_id\n_chem_comp_bond.atom_id_1\n_chem_comp_bond.atom_id_2\n", "A B C\n"},
		{"operators.cif.gz", oneAtom + "loop_\n_symmetry_equiv.id\n_symmetry_equiv.pos_as_xyz\n", "1 x,y,z\n"},
	} {
		compressed(lines.name, lines.head, lines.line, 31<<20/len(lines.line), "")
	}
	compressed("water.gro.gz", "title\n%d\n", "    1WATER  OW1    1   0.126   1.624   1.679\n", 90_000, "   1   1   1\n")
	atom := "ATOM      1  CA  ALA A   1    %8s%8s%8s  1.00  0.00           C\n"
	importing("far.pdb", fmt.Sprintf(atom, "99999999", "-9999999", "1e30"))
	importing("dense.pdb", repeat(fmt.Sprintf(atom, "0.000", "0.000", "0.000"), 20000))
	add("tube.pdb", repeat(fmt.Sprintf(atom, "0.000", "0.000", "0.000"), 20000), "import F -o out.toml --style tube --quiet")
	var biomt strings.Builder
	for i := range 9999 {
		for row := range 3 {
			fmt.Fprintf(&biomt, "REMARK 350   BIOMT%d %3d  1.000000  0.000000  0.000000        %d.00000\n", row+1, i%1000, i)
		}
	}
	add("copies.pdb", "REMARK 350 BIOMOLECULE: 1\nREMARK 350 APPLY THE FOLLOWING TO CHAINS: A\n"+biomt.String()+repeat(fmt.Sprintf(atom, "0.000", "0.000", "0.000"), 2000), "import F -o out.toml --assembly 1 --quiet")
	cif := "data_x\nloop_\n_atom_site.id\n_atom_site.type_symbol\n_atom_site.label_asym_id\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n" + repeat("1 C A 0 0 0\n", 1000)
	operators := "_pdbx_struct_assembly.id 1\nloop_\n_pdbx_struct_assembly_gen.assembly_id\n_pdbx_struct_assembly_gen.oper_expression\n_pdbx_struct_assembly_gen.asym_id_list\n1 '" + repeat("(1-999)", 7) + "' A\nloop_\n_pdbx_struct_oper_list.id\n"
	for i := range 3 {
		for k := range 3 {
			operators += fmt.Sprintf("_pdbx_struct_oper_list.matrix[%d][%d]\n", i+1, k+1)
		}
		operators += fmt.Sprintf("_pdbx_struct_oper_list.vector[%d]\n", i+1)
	}
	for i := range 999 {
		operators += fmt.Sprintf("%d 1 0 0 %d 0 1 0 0 0 0 1 0\n", i+1, i)
	}
	add("operators.cif", cif+operators, "import F -o out.toml --assembly 1 --quiet")
	importing("lying.bcif", "\xdf\xff\xff\xff\xff\xa1a\xc0")
	importing("nested.bcif", repeat("\x91", 100000))
	importing("lying.sdf", "x\n\n\n999999  0  0  0  0  0  0  0  0  0999 V2000\n")
	importing("lying.mol2", "@<TRIPOS>MOLECULE\nx\n 999999999 999999999\nSMALL\n@<TRIPOS>ATOM\n1 C 0 0 0 C.3\n")
	importing("far.pqr", "ATOM 1 C ALA 1 1e300 -1e300 nan 0 1e300\n")
	importing("deep.xml", repeat("<body>", 100000))
	importing("replicate.xml", "<mujoco><worldbody>"+repeat("<replicate count=\"1000\" offset=\"1 0 0\">", 6)+"<geom size=\"1\"/>"+repeat("</replicate>", 6)+"</worldbody></mujoco>")
	importing("replicate-name.xml", "<mujoco><worldbody><replicate count=\"999999\"><body name=\""+repeat("n", 50_000)+"\"><geom size=\"1\"/></body></replicate></worldbody></mujoco>")
	importing("replicate-sep.xml", "<mujoco><worldbody><replicate count=\"100000\" sep=\""+repeat("p", 60_000)+"\"><geom size=\"1\"/></replicate></worldbody></mujoco>")
	importing("includes.xml", "<mujoco><include file=\"includes.xml\"/><worldbody><geom size=\"1\"/></worldbody></mujoco>")
	importing("grid.xml", "<mujoco><worldbody><body><composite type=\"grid\" count=\"10000 10000 1\" spacing=\"1\"><geom size=\"1\"/></composite></body></worldbody></mujoco>")
	importing("entities.xml", "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\">"+repeat("<!ENTITY b \"&a;&a;&a;&a;&a;\">", 100)+"]><mujoco>&b;</mujoco>")
	importing("links.urdf", "<robot name=\"r\">"+repeat("<link name=\"a\"><visual><geometry><sphere radius=\"1e300\"/></geometry></visual></link>", 5000)+"</robot>")
	importing("many.nff", "v\nfrom 0 0 9\nat 0 0 0\nup 0 1 0\nangle 40\nhither 1\nresolution 9999999 9999999\n"+repeat("s 0 0 0 1e300\n", 1000))
	importing("polygon.nff", "v\nfrom 0 0 9\nat 0 0 0\nup 0 1 0\nangle 40\nhither 1\nresolution 9 9\np 999999999\n0 0 0\n")

	fitting := func(name, text string) { add(name, text, "fit F -o out.toml --quiet") }
	fitting("lying.stl", repeat("\x00", 80)+little(uint32(4000000000), [12]float32{}, uint16(0)))
	fitting("flat.stl", repeat("\x00", 80)+little(uint32(1), [12]float32{0, 0, 1, 0, 0, 0, 1e38, 0, 0, 0, 1e38, 0}, uint16(0)))
	add("many.obj", repeat("v 0 0 0\nv 1 0 0\nv 0 1 0\n", 5000)+repeat("f 1 2 3\n", 20000), "fit F -o out.toml -n 1000 --quiet")
	fitting("face.obj", repeat("v 0 0 0\nv 1 0 0\nv 0 1 0\n", 10)+"f "+repeat("1 2 3 ", 100000)+"\n")
	fitting("lying.msh", little(uint32(4000000000), uint32(4000000000), uint32(4000000000), uint32(4000000000)))
	fitting("deep.dae", repeat("<node>", 100000))

	for _, size := range []uint32{1 << 14, 1 << 15, 1<<31 - 1} {
		name := fmt.Sprintf("lying%d.png", size)
		add(name, lyingPNG(size), "hash F")
		add(name, lyingPNG(size), "diff F F")
	}
	soft := programtest.Small + "\n[shading]\nsamples = 4096\n" + repeat("[[light]]\nposition = [4, 4, 4]\nradius = 2\nintensity = 0.01\n", 300)
	for _, args := range []string{"", " --json", " --verbose", " --verbose --json", " --brief"} {
		add("spheres.toml", manySpheres(250_000), "explain F --pixel 4,3"+args)
	}
	add("soft.toml", soft, "explain F --pixel 20,15 --json")
	add("soft.toml", soft, "explain F --pixel 20,15 --diagram d.svg --draw disc")
	add("s.toml", programtest.Small, "golden check F")
	all[len(all)-1].others = map[string]string{"s.png": lyingPNG(1 << 14), "s.scene.toml": programtest.Small}
	later("want.png", "diff F got.png -o d.png", func() (string, map[string]string) {
		return grayPicture(4096, 16), map[string]string{"got.png": grayPicture(4096, 17)}
	})
	for _, picture := range []func() string{
		func() string { return lyingPNG(1<<14) + repeat("\x00", 1<<20) },
		func() string { return grayPicture(4096, 16) },
	} {
		later("s.toml", "golden check F", func() (string, map[string]string) {
			return programtest.Small, map[string]string{"golden/s.png": picture(), "golden/s.scene.toml": programtest.Small}
		})
	}
	all = append(all, hugePictures()...)
	for _, side := range []string{"1773", "4096"} {
		add("contact.toml", strings.Replace(tiny, "height = 6", "height = 8", 1)+ball, "contact F -o out.png --width "+side)
	}
	add("lying.gif", "GIF89a\xff\xff\xff\xff\x80\x00\x00"+repeat("\x00", 6), "hash F")
	add("lying.bmp", "BM"+little(uint32(60), uint32(0), uint32(54), uint32(40), int32(1<<30), int32(1<<30), uint16(1), uint16(24), [6]uint32{}), "hash F")
	add("lying.webp", "RIFF"+little(uint32(30))+"WEBPVP8X"+little(uint32(10), uint32(0))+"\xff\xff\xff\xff\xff\xff", "hash F")
	add("lying.tiff", "II*\x00"+little(uint32(8), uint16(2), uint16(256), uint16(4), uint32(1), uint32(1<<30), uint16(257), uint16(4), uint32(1), uint32(1<<30), uint32(0)), "hash F")
	add("rays.f64", repeat("\xff", 48*1000), "cast s.toml --rays F -o out.csv")
	all[len(all)-1].others = map[string]string{"s.toml": programtest.Small}
	add("lying.shard", "pillbox shard\n"+repeat("\xff", 1000), "assemble F -o out.png")
	add("scene.toml", "", "init F")
	add("new.toml", "", "init -")
	add("address", "", "serve --addr 127.0.0.1:99999999")
	add("token", repeat("\xff", 1<<20), "serve --addr 127.0.0.1:0 --token-file F")
	labels := func(text, look string) string {
		return tiny + ball + "[[place]]\npart = \"p\"\ncount = 4096\n" + steps + "[[part.p.label]]\ntext = \"" + text + "\"\nat = [0, 0, 0]\n" + look
	}
	for _, format := range []string{"png", "svg", "pdf"} {
		add("labels.toml", labels(repeat(`&\n`, 250), ""), "F -o out."+format+" --quiet")
		add("halos.toml", labels("l_{x}l_{x}", "halo = \"white\"\nsize = 2\n"), "F -o out."+format+" --quiet")
	}
	add("lying.shard", "pillbox shard\n"+repeat("\xff", 1000), "animate F -o out.gif")
	later("parts.toml", "golden check scenes/s.toml --explain-limit 2", func() (string, map[string]string) {
		was := renamedParts("p", 0.3)
		return was, map[string]string{"scenes/s.toml": renamedParts("q", 0.31), "golden/s.scene.toml": was, "golden/s.png": blackPicture()}
	})
	add("grade.toml", programtest.Small, "grade picture --scene F -- ./absent")
	later("scenes/s.toml", "golden check --json", func() (string, map[string]string) {
		many := make(map[string]string) // new scenes, and goldens of others, which are all compared with each other
		black := blackPicture()
		for i := range 600 {
			many[fmt.Sprintf("scenes/new%d.toml", i)] = fmt.Sprintf("%s[[sphere]]\ncenter = [0.01, 0, 0]\nradius = %g\n", tiny, 1+float64(i)*1e-3)
			many[fmt.Sprintf("golden/was%d.png", i)] = black
		}
		return tiny + ball, many
	})
	return all
}

// hugePictures returns pictures with many differences or many pixels in small files. To make one and to read it takes seconds, so
// it returns none with ordinary effort.
func hugePictures() (all []hostile) {
	if !effort.IsAll() {
		return nil
	}
	dotted := sync.OnceValues(func() (string, map[string]string) {
		return grayPicture(4096, 16), map[string]string{"dots8.png": dottedPicture(false), "dots16.png": dottedPicture(true), "gray16.png": encoded(image.NewGray16(image.Rect(0, 0, 4096, 4096)))}
	})
	for _, args := range []string{"diff F dots8.png -o d.png --json", "diff F dots16.png -o d.png", "diff dots8.png dots16.png", "diff F gray16.png --flip d.png"} {
		all = append(all, hostile{name: "want.png", args: strings.Fields(args), build: dotted})
	}
	huge := sync.OnceValues(func() (string, map[string]string) {
		return encoded(image.NewPaletted(image.Rect(0, 0, 1<<14, 1<<14), color.Palette{color.Black, color.White})), nil
	})
	for _, args := range []string{"hash F", "diff F F", "diff F F -o d.png"} {
		all = append(all, hostile{name: "huge.png", args: strings.Fields(args), build: huge})
	}
	return all
}

// lyingPNG returns a PNG with a header of a large picture and no pixels.
func lyingPNG(side uint32) string {
	chunk := func(kind string, data []byte) string {
		body := append([]byte(kind), data...)
		return string(binary.BigEndian.AppendUint32(nil, uint32(len(data)))) + string(binary.BigEndian.AppendUint32(body, crc32.ChecksumIEEE(body)))
	}
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, side), side)
	return "\x89PNG\r\n\x1a\n" + chunk("IHDR", append(header, 8, 6, 0, 0, 0)) + chunk("IDAT", []byte("x\x9c\x03\x00\x00\x00\x00\x01")) + chunk("IEND", nil)
}

// renamedParts returns a scene of 1,100 parts whose names begin with a prefix.
func renamedParts(prefix string, radius float64) string {
	text := tiny
	for i := range 1100 {
		text += fmt.Sprintf("[[part.%s%d.sphere]]\ncenter = [0, 0, 0]\nradius = %g\n[[place]]\npart = \"%[1]s%[2]d\"\nposition = [%[2]d, 0, 0]\n", prefix, i, radius+float64(i)*1e-4)
	}
	return text
}

// gzipped returns a text, compressed.
func gzipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		panic(err)
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.String()
}

// grayPicture returns a square picture of one gray, compressed well.
func grayPicture(side int, gray uint8) string {
	img := image.NewNRGBA(image.Rect(0, 0, side, side))
	for i := range img.Pix {
		img.Pix[i] = gray
	}
	return encoded(img)
}

// dottedPicture returns a picture with more than four million dots, with 8 or 16 bits per channel.
func dottedPicture(deep bool) string {
	rect := image.Rect(0, 0, 4096, 4096)
	var img draw.Image = image.NewNRGBA(rect)
	if deep {
		img = image.NewNRGBA64(rect)
	}
	dot := color.NRGBA{R: 17, A: 99}
	for y := 0; y < rect.Max.Y; y += 2 {
		for x := 0; x < rect.Max.X; x += 2 {
			img.Set(x, y, dot)
		}
	}
	return encoded(img)
}

// encoded returns a picture as a PNG.
func encoded(img image.Image) string {
	var b bytes.Buffer
	if err := pngfile.EncodeImage(&b, img); err != nil {
		panic(err)
	}
	return b.String()
}

// blackPicture returns a picture of 8 x 6 pixels.
func blackPicture() string {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, 8, 6))); err != nil {
		panic(err)
	}
	return b.String()
}
