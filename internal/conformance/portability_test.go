package conformance_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pillbox/internal/fixture/effort"
)

// exempt lists packages that the root package imports but that are not checked, with the reason why they cannot
// affect a pixel.
var exempt = map[string]string{
	"internal/osfile": "it names temporary files at random, and computes nothing",
}

// deciding returns the folders of the packages that may affect pixels: the root package and all packages of this
// module that it imports, directly or indirectly.
func deciding(t *testing.T) []string {
	imports := packages(t)
	reached := map[string]bool{}
	var visit func(pkg string)
	visit = func(pkg string) {
		if reached[pkg] {
			return
		}
		reached[pkg] = true
		for _, imp := range imports[pkg] {
			if name, ours := strings.CutPrefix(imp, "pillbox/"); ours {
				visit(name)
			}
		}
	}
	visit("pillbox")
	var folders []string
	for _, pkg := range slices.Sorted(maps.Keys(reached)) {
		folders = append(folders, folderOf(pkg))
	}
	return folders
}

// TestDecidingPackages checks that the result of deciding includes packages that are imported indirectly, and no
// programs.
func TestDecidingPackages(t *testing.T) {
	got := deciding(t)
	for _, folder := range []string{".", "geom", "shapes", "camera", "shade", "scene", "internal/accel", "internal/follow", "internal/outline", "internal/tracer"} {
		if !slices.Contains(got, folder) {
			t.Errorf("package %s is not checked", folder)
		}
	}
	for _, folder := range []string{"cmd/render", "golden", "internal/chart"} {
		if slices.Contains(got, folder) {
			t.Errorf("package %s is checked, which decides no pixel", folder)
		}
	}
}

// TestNoFusedProducts checks that no product is fused with a sum, because fused operations round differently. It
// searches the compiler's assembly for processors that have fused operations. Calls of math.FMA are allowed, because
// their result is the same everywhere. To fix a failure, add a conversion: float64(x*y) + z.
func TestNoFusedProducts(t *testing.T) {
	effort.Thorough(t) // the first time, the whole core is compiled for each processor
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("the go command is not in the path")
	}
	for _, arch := range []string{"arm64", "ppc64le", "riscv64", "s390x"} {
		t.Run(arch, func(t *testing.T) {
			explicit := 0
			for _, at := range fused(t, goTool, arch) {
				if strings.Contains(sourceLine(t, at), "math.FMA(") {
					explicit++
					continue
				}
				t.Errorf("%s: a product is fused with a sum; write float64(x*y)", at)
			}
			if explicit == 0 {
				t.Error("found not even the calls of math.FMA: the check no longer sees anything")
			}
		})
	}
}

// fusedOp matches the mnemonics of fused operations for all four processors, such as FMADDD, FNMSUBS, FMADD and WFMADB.
var fusedOp = regexp.MustCompile(`\((\S+\.go:\d+)\)\t(FN?M(ADD|SUB)[DS]?|WFN?M[AS]D?B?)\t`)

// fused returns the places, as file:line, where packages that may affect pixels contain fused operations if
// compiled for the processor arch.
func fused(t *testing.T, goTool, arch string) []string {
	args := []string{"build", "-trimpath", "-gcflags=-S"}
	for _, pkg := range deciding(t) {
		args = append(args, "./"+pkg)
	}
	cmd := exec.Command(goTool, args...)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch, "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var found []string
	for line := range bytes.Lines(out) {
		// Most lines contain no such letters, and the pattern is slow.
		if !bytes.Contains(line, []byte("\tF")) && !bytes.Contains(line, []byte("\tWF")) {
			continue
		}
		if m := fusedOp.FindSubmatch(line); m != nil {
			found = append(found, strings.TrimPrefix(string(m[1]), "pillbox/"))
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// inexactOp matches instructions that a kernel must not contain: fused operations, estimates of reciprocals and roots, and
// changes of the rounding mode.
var inexactOp = regexp.MustCompile(`(?m)^\s+(VF\w*(ADD|SUB)\w*|V?\w*RCP\w*|V?\w*RSQRT\w*|V?LDMXCSR|\w+_SAE|\w+\.R\w_SAE)\b.*`)

// TestKernelsAreExact checks that the kernels for amd64 contain no instruction that inexactOp matches.
func TestKernelsAreExact(t *testing.T) {
	for _, name := range []string{"internal/accel/kernels_amd64.s", "internal/sampler/kernels_amd64.s"} {
		code, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(code, []byte("VMULPD")) {
			t.Errorf("%s multiplies nothing: the check no longer sees anything", name)
		}
		for _, op := range inexactOp.FindAll(code, -1) {
			t.Errorf("%s: %s", name, bytes.TrimSpace(op))
		}
	}
	for _, op := range []string{"\tVFMADD213PD Y1, Y2, Y3", "\tVRCP14PD Z1, Z2", "\tVRSQRTPS X1, X2", "\tVADDPD.RN_SAE Z1, Z2, Z3"} {
		if !inexactOp.MatchString(op) {
			t.Errorf("%q is not noticed", op)
		}
	}
}

// TestWasmKernelsAreExact checks that the kernels for wasm contain no relaxed instructions, whose results may differ
// between machines. All other instructions round as IEEE 754 specifies.
func TestWasmKernelsAreExact(t *testing.T) {
	const name = "internal/accel/kernels.wasm"
	code, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	multiply := []byte{0xfd, 0xf2, 0x01} // f64x2.mul
	fused := []byte{0xfd, 0x87, 0x02}    // f64x2.relaxed_madd
	either := []byte{0xfd, 0x90, 0x02}   // f64x2.relaxed_max
	if !bytes.Contains(code, multiply) {
		t.Errorf("%s multiplies nothing: the check no longer sees anything", name)
	}
	if at := relaxedOp(code); at >= 0 {
		t.Errorf("%s: what may be a relaxed instruction at byte %d: % x", name, at, code[at:at+3])
	}
	if relaxedOp(multiply) >= 0 || relaxedOp(fused) != 0 || relaxedOp(either) != 0 {
		t.Error("relaxed instructions are not noticed, or others are taken for them")
	}
}

// relaxedOp returns the offset of a possible relaxed vector instruction, or -1. After the prefix byte of vector
// instructions, relaxed ones have numbers of at least 0x100, and others smaller ones (WebAssembly Core Specification 3.0,
// section 5.4).
func relaxedOp(code []byte) int {
	for at, c := range code {
		if number, n := binary.Uvarint(code[at+1:]); c == 0xfd && n > 0 && number >= 0x100 && number < 0x200 {
			return at
		}
	}
	return -1
}

func sourceLine(t *testing.T, at string) string {
	file, number, _ := strings.Cut(at, ":")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var n int
	fmt.Sscan(number, &n)
	lines := bytes.Split(data, []byte("\n"))
	if n < 1 || n > len(lines) {
		t.Fatalf("%s is not in the file", at)
	}
	return string(lines[n-1])
}

// forbidden lists the functions whose results differ between machines or between runs.
var forbidden = map[string]string{
	"math": "Sin Cos Sincos Tan Asin Acos Atan Atan2 Sinh Cosh Tanh Asinh Acosh Atanh Exp Exp2 Expm1 Log Log2 Log10 Log1p Pow Hypot Cbrt Gamma Erf",
	"time": "Now Since Until",
}

// randomPackages lists the packages whose random numbers can differ from run to run.
var randomPackages = []string{"math/rand", "math/rand/v2", "crypto/rand"}

// TestNothingDiffersBetweenMachines checks that machineDependent finds nothing in the packages that may affect
// pixels.
func TestNothingDiffersBetweenMachines(t *testing.T) {
	fset := token.NewFileSet()
	imp := compiledImporter(t, fset)
	for _, dir := range deciding(t) {
		problems := machineDependencies(t, imp, fset, dir, parseDir(t, fset, dir))
		if exempt[dir] != "" {
			if len(problems) == 0 {
				t.Errorf("package %s needs no exemption", dir)
			}
			continue
		}
		for _, problem := range problems {
			t.Errorf("%v: %s", fset.Position(problem.at), problem.what)
		}
	}
}

// TestMachineDependenciesAreFound checks what machineDependent finds in a source with one use of each kind of
// forbidden code, and with similar allowed code.
func TestMachineDependenciesAreFound(t *testing.T) {
	const source = `package planted

import (
	"math"
	"math/rand/v2" // found: imports math/rand/v2
	"time"
)

func planted(set map[string]float64, x float64) (sum float64, n int) {
	sum = math.Sin(x) // found: uses math.Sin
	log := math.Log   // found: uses math.Log
	sum += log(x) + math.Sqrt(x) + rand.Float64()
	for _, v := range set { // found: ranges over a map
		sum += v
	}
	// In any order: counting does not depend on it.
	for range set {
		n++
	}
	for _, v := range []float64{x} {
		sum += v
	}
	n += int(x) // found: converts a float to an integer
	// In range: x is a fraction.
	n += int(x)
	n += int(2.0) + int(int8(n))
	return sum + float64(time.Now().Second()), n // found: uses time.Now
}

func ClampInt(x float64) int { return int(x) }
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "planted.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	got := map[int]string{}
	for _, problem := range machineDependencies(t, compiledImporter(t, fset), fset, "planted", []*ast.File{file}) {
		got[fset.Position(problem.at).Line] = problem.what
	}
	number := 0
	for line := range strings.Lines(source) {
		number++
		_, want, planted := strings.Cut(strings.TrimSpace(line), "// found: ")
		if what := got[number]; !strings.HasPrefix(what, want) || planted != (what != "") {
			t.Errorf("line %d, %q: found %q", number, line, what)
		}
	}
}

// machineDependencies type-checks a package, and returns what machineDependent finds in its files.
func machineDependencies(t *testing.T, imp types.Importer, fset *token.FileSet, path string, files []*ast.File) (found []machineProblem) {
	t.Helper()
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: imp, Error: func(error) {}}
	if _, err := conf.Check(path, fset, files, info); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for _, f := range files {
		found = append(found, machineDependent(fset, info, f)...)
	}
	return found
}

// compiledImporter returns an importer of compiled packages: the root package, its dependencies, and those that the
// source of TestMachineDependenciesAreFound imports.
func compiledImporter(t *testing.T, fset *token.FileSet) types.Importer {
	out, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", ".", "math/rand/v2", "time").Output()
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	return importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(files[path]) })
}

func parseDir(t *testing.T, fset *token.FileSet, dir string) []*ast.File {
	pkg, err := build.ImportDir(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range pkg.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

type machineProblem struct {
	at   token.Pos
	what string
}

// machineDependent returns the places in f that may change pixels on other machines. A comment directly above a
// place can allow it. The comment must give a reason, and contain "in any order" for a range over a map, or "in
// range" for a conversion to an integer.
func machineDependent(fset *token.FileSet, info *types.Info, f *ast.File) (found []machineProblem) {
	report := func(n ast.Node, format string, args ...any) {
		found = append(found, machineProblem{n.Pos(), fmt.Sprintf(format, args...)})
	}
	function := ""
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			function = n.Name.Name
		case *ast.ImportSpec:
			if path := strings.Trim(n.Path.Value, `"`); slices.Contains(randomPackages, path) {
				report(n, "imports %s", path)
			}
		case *ast.SelectorExpr:
			if fn, ok := info.Uses[n.Sel].(*types.Func); ok && fn.Pkg() != nil {
				if slices.Contains(strings.Fields(forbidden[fn.Pkg().Path()]), fn.Name()) {
					report(n, "uses %s.%s, which is not the same everywhere", fn.Pkg().Path(), fn.Name())
				}
			}
		case *ast.RangeStmt:
			if _, isMap := info.TypeOf(n.X).Underlying().(*types.Map); isMap && !excused(fset, f, n, "in any order") {
				report(n, "ranges over a map, whose order is random")
			}
		case *ast.CallExpr:
			if function != "ClampInt" && len(n.Args) == 1 && info.Types[n.Fun].IsType() &&
				is(info.TypeOf(n.Fun), types.IsInteger) && is(info.TypeOf(n.Args[0]), types.IsFloat) && info.Types[n].Value == nil && !excused(fset, f, n, "in range") {
				report(n, "converts a float to an integer; use geom.ClampInt")
			}
		}
		return true
	})
	return found
}

func is(t types.Type, what types.BasicInfo) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&what != 0
}

// excused reports whether a comment that contains reason ends on the line before n.
func excused(fset *token.FileSet, f *ast.File, n ast.Node, reason string) bool {
	line := fset.Position(n.Pos()).Line
	return slices.ContainsFunc(f.Comments, func(c *ast.CommentGroup) bool {
		return fset.Position(c.End()).Line == line-1 && strings.Contains(strings.ToLower(c.Text()), reason)
	})
}
