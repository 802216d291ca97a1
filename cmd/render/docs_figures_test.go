package main

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/fixture"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/osfile"
)

var updateFigures = flag.Bool("update-figures", false, "write docs/figures anew")

const figuresFolder = "../../docs/figures"

// protein returns a PDB file with two invented chains and a ligand. Chain A has three alpha helices and the loops
// between them; chain B has one helix. The chains consist of alpha carbons only.
func protein() string {
	var b strings.Builder
	b.WriteString("TITLE     A MADE-UP PROTEIN WITH A LIGAND, WRITTEN BY A TEST OF PILLBOX\n")
	serial := 0
	atom := func(record, name, residue, chain string, number int, x, y, z float64, element string) int {
		serial++
		fmt.Fprintf(&b, "%-6s%5d %-4s %3s %s%4d    %8.3f%8.3f%8.3f%6.2f%6.2f          %2s\n",
			record, serial, name, residue, chain, number, x, y, z, 1.0, 20.0, element)
		return serial
	}
	type point struct{ x, y, z float64 }
	// helix returns the alpha carbons of a helix around a line parallel to y, at a distance of 2.3 angstrom. From one
	// carbon to the next, the helix turns by 100 degrees and rises by 1.5 angstrom.
	helix := func(x, z float64, n int, down bool, phase float64) (list []point) {
		for i := range n {
			angle := (phase + 100*float64(i)) * math.Pi / 180
			y := 1.5 * (float64(i) - float64(n-1)/2)
			p := point{x + 2.3*math.Cos(angle), y, z - 2.3*math.Sin(angle)}
			if down {
				p.y, p.z = -p.y, 2*z-p.z
			}
			list = append(list, p)
		}
		return list
	}
	// loop returns n points on an arch from p to q, which is higher in the middle by the given height.
	loop := func(p, q point, n int, height float64) (list []point) {
		for i := 1; i <= n; i++ {
			t := float64(i) / float64(n+1)
			arch := 4 * t * (1 - t) * height
			list = append(list, point{p.x + t*(q.x-p.x), p.y + t*(q.y-p.y) + arch, p.z + t*(q.z-p.z)})
		}
		return list
	}
	chain := func(name string, parts ...[]point) {
		number := 0
		residues := []string{"ALA", "LEU", "GLU", "LYS", "SER", "VAL", "GLN"}
		for _, part := range parts {
			for _, p := range part {
				atom("ATOM", " CA", residues[number%len(residues)], name, number+1, p.x, p.y, p.z, "C")
				number++
			}
		}
		b.WriteString("TER\n")
	}
	first, second, third := helix(-11, 0, 18, false, 0), helix(-2, 6, 17, true, 40), helix(8, 3, 18, false, 200)
	end := func(list []point) point { return list[len(list)-1] }
	chain("A", first, loop(end(first), second[0], 4, 6), second, loop(end(second), third[0], 4, -6), third)
	chain("B", helix(-4.8, -6, 14, true, 90))
	// The ligand: a ring of six carbon atoms with a hydroxyl, an amino and a carboxyl group.
	ring := make([]int, 6)
	at := func(i int, r float64) (x, y, z float64) {
		angle := float64(i) * math.Pi / 3
		return 3 + r*math.Cos(angle), r * math.Sin(angle), -2
	}
	ligand := func(name string, x, y, z float64, element string) int {
		return atom("HETATM", name, "LIG", "A", 101, x, y, z, element)
	}
	for i := range ring {
		x, y, z := at(i, 1.39)
		ring[i] = ligand(fmt.Sprintf(" C%d", i+1), x, y, z, "C")
	}
	bonds := [][2]int{}
	for i := range ring {
		bonds = append(bonds, [2]int{ring[i], ring[(i+1)%6]})
	}
	x, y, z := at(1, 2.75)
	bonds = append(bonds, [2]int{ring[1], ligand(" O1", x, y, z, "O")})
	x, y, z = at(2, 2.79)
	bonds = append(bonds, [2]int{ring[2], ligand(" N1", x, y, z, "N")})
	x, y, z = at(5, 2.89)
	carboxyl := ligand(" C7", x, y, z, "C")
	bonds = append(bonds, [2]int{ring[5], carboxyl}, [2]int{carboxyl, ligand(" O2", x-0.2, y-1.22, z+0.1, "O")}, [2]int{carboxyl, ligand(" O3", x+1.18, y+0.3, z+0.3, "O")})
	for _, bond := range bonds {
		fmt.Fprintf(&b, "CONECT%5d%5d\n", bond[0], bond[1])
	}
	b.WriteString("END\n")
	return b.String()
}

func TestProteinFile(t *testing.T) {
	name := figuresFolder + "/protein.pdb"
	if *updateFigures {
		if err := os.WriteFile(name, []byte(protein()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if data, err := os.ReadFile(name); err != nil || string(data) != protein() {
		t.Errorf("%s is out of date (-update-figures): %v", name, err)
	}
}

// TestValuesFigure checks that the scene docs/figures/values.toml has the picture beside it.
func TestValuesFigure(t *testing.T) {
	folder, err := filepath.Abs(figuresFolder)
	if err != nil {
		t.Fatal(err)
	}
	kept := filepath.Join(folder, "values.png")
	t.Chdir(t.TempDir())
	programtest.MustRun(t, filepath.Join(folder, "values.toml"))
	if *updateFigures {
		if err := os.WriteFile(kept, []byte(programtest.ReadText(t, "values.png")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(readPNG(t, "values.png").Pix, readPNG(t, kept).Pix) {
		t.Errorf("%s is out of date (-update-figures)", kept)
	}
}

// paperFolder changes to a new folder that contains the input files for the commands of docs/figures.md.
func paperFolder(t *testing.T) {
	t.Helper()
	files := make(map[string]string)
	names := []string{"scenes/annotations.toml", "docs/figures/protein.pdb"}
	for _, name := range strings.Fields("cell dark light pendulum rays robot") {
		names = append(names, "docs/figures/"+name+".toml")
	}
	for _, name := range names {
		data, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(data)
	}
	fixture.Folder(t, files)
}

// TestPaperFigures runs the commands of docs/figures.md. The PNGs must be those in docs/figures. The SVGs and
// PDFs, drawn by other programs, must look like the PNGs. Outside campaigns, the figure of the protein is small
// and not compared, because it is slow.
func TestPaperFigures(t *testing.T) {
	effort.Thorough(t)
	page, err := os.ReadFile("../../docs/figures.md")
	if err != nil {
		t.Fatal(err)
	}
	folder, err := filepath.Abs(figuresFolder)
	if err != nil {
		t.Fatal(err)
	}
	paperFolder(t)
	n := 0
	for _, m := range regexp.MustCompile(`(?m)^\$ render (.*)$`).FindAllStringSubmatch(string(page), -1) {
		n++
		words := strings.Fields(m[1])
		isWhole := effort.IsCampaign() || *updateFigures || words[0] != "protein.toml"
		if !isWhole {
			words = strings.Fields(strings.Replace(m[1], "85mm", "12mm", 1))
		}
		if got := (programtest.Invocation{}).Run(words...); got.Status != cli.StatusDone || strings.Contains(got.Stderr, "warning") {
			t.Fatalf("render %s: %+v", m[1], got)
		}
		if isWhole && words[0] != "import" {
			checkPaperFigure(t, folder, words[2])
		}
	}
	if n != 16 {
		t.Errorf("%d commands", n)
	}
}

// checkPaperFigure checks the figure in the file with the given name. A PNG must have the same pixels as the file
// in docs/figures. An SVG or PDF is drawn by another program, and must look like the PNG of this run.
func checkPaperFigure(t *testing.T, folder, name string) {
	t.Helper()
	stem := strings.TrimSuffix(name, filepath.Ext(name))
	want := readPNG(t, stem+".png")
	switch filepath.Ext(name) {
	case ".png":
		if kept := filepath.Join(folder, name); *updateFigures {
			if err := os.WriteFile(kept, []byte(programtest.ReadText(t, name)), 0o666); err != nil {
				t.Fatal(err)
			}
		} else if !bytes.Equal(pixelsOf(readPNG(t, kept)), pixelsOf(want)) {
			t.Errorf("docs/figures/%s is out of date (-update-figures)", name)
		}
	case ".svg":
		if _, err := exec.LookPath("rsvg-convert"); err == nil {
			installGoFonts(t)
			likePNG(t, name, runTool(t, "rsvg-convert", "--background-color=white", "-w", fmt.Sprint(want.Rect.Dx()), name), want)
		}
	case ".pdf":
		if _, err := exec.LookPath("pdftoppm"); err == nil {
			likePNG(t, name, runTool(t, "pdftoppm", "-png", "-r", "300", name), want)
		}
	}
}

func readPNG(t *testing.T, name string) *image.NRGBA {
	t.Helper()
	img, err := osfile.ReadPNG(name)
	if err != nil {
		t.Fatal(err)
	}
	return straight(img)
}

func straight(img image.Image) *image.NRGBA {
	b := img.Bounds()
	out := image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	for i := range b.Dx() * b.Dy() {
		x, y := i%b.Dx(), i/b.Dx()
		out.SetNRGBA(x, y, color.NRGBAModel.Convert(img.At(b.Min.X+x, b.Min.Y+y)).(color.NRGBA))
	}
	return out
}

func pixelsOf(img *image.NRGBA) []byte { return append(img.Pix, fmt.Sprint(img.Rect)...) }

func runTool(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		t.Fatalf("%s %q: %v", name, args, err)
	}
	return out
}

// installGoFonts makes the Go fonts available to librsvg, which ignores embedded fonts.
func installGoFonts(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("FONTCONFIG_FILE", filepath.Join(dir, "fonts.conf"))
	for name, data := range map[string][]byte{
		"Regular.ttf": goregular.TTF, "Bold.ttf": gobold.TTF,
		"fonts.conf": []byte(`<fontconfig><dir>` + dir + `</dir><cachedir>` + dir + `/cache</cachedir></fontconfig>`),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// likePNG fails the test if the picture in data, which another program drew, differs from want by more than 3 of
// 255 on average. The sides may differ by a pixel, because the other program may round them.
func likePNG(t *testing.T, name string, data []byte, want *image.NRGBA) {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	got := straight(img)
	if d := got.Rect.Size().Sub(want.Rect.Size()); max(d.X, -d.X, d.Y, -d.Y) > 1 {
		t.Fatalf("%s: %v pixels, want %v", name, got.Rect, want.Rect)
	}
	common := got.Rect.Intersect(want.Rect)
	sum := 0.0
	for i := range common.Dx() * common.Dy() {
		g, w := got.NRGBAAt(i%common.Dx(), i/common.Dx()), want.NRGBAAt(i%common.Dx(), i/common.Dx())
		sum += math.Abs(float64(g.R)-float64(w.R)) + math.Abs(float64(g.G)-float64(w.G)) + math.Abs(float64(g.B)-float64(w.B))
	}
	if mean := sum / float64(3*common.Dx()*common.Dy()); mean > 3 {
		t.Errorf("%s: the mean difference is %.2f of 255", name, mean)
	} else {
		t.Logf("%s: the mean difference is %.2f of 255", name, mean)
	}
}
