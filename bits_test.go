package pillbox_test

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var long = flag.Bool("long", false, "run the checks that take long, too")

// deciding lists the packages whose floats decide pixels.
var deciding = []string{"geom", "shapes", "camera", "shade", "internal/accel", "internal/follow", "scene", "."}

// TestNoFusedProducts reads the compiler's assembly for machines that have a fused
// multiply-add and finds every place where a product was fused into a sum. The only ones
// allowed are calls of math.FMA, which is exact everywhere. The cure is a conversion,
// float64(x*y) + z.
func TestNoFusedProducts(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("the go command is not in the path")
	}
	targets := []string{"arm64"}
	if *long {
		targets = append(targets, "ppc64le", "riscv64", "s390x")
	}
	for _, arch := range targets {
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

// fusedOp matches the mnemonics of fused operations on all four machines: FMADDD and
// FNMSUBS, for example, and FMADD and WFMADB.
var fusedOp = regexp.MustCompile(`\((\S+\.go:\d+)\)\t(FN?M(ADD|SUB)[DS]?|WFN?M[AS]D?B?)\t`)

// fused returns the places, file:line, of fused operations in the deciding packages.
func fused(t *testing.T, goTool, arch string) []string {
	args := []string{"build", "-trimpath", "-gcflags=-S"}
	for _, pkg := range deciding {
		args = append(args, "./"+pkg)
	}
	cmd := exec.Command(goTool, args...)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch, "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var found []string
	for _, m := range fusedOp.FindAllSubmatch(out, -1) {
		found = append(found, strings.TrimPrefix(string(m[1]), "pillbox/"))
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// inexactOp matches what a kernel must not contain: fused operations, estimates of
// reciprocals and of roots, and rounding control.
var inexactOp = regexp.MustCompile(`(?m)^\s+(VF\w*(ADD|SUB)\w*|V?\w*RCP\w*|V?\w*RSQRT\w*|V?LDMXCSR|\w+_SAE|\w+\.R\w_SAE)\b.*`)

// TestKernelsAreExact looks for such operations in the kernels of the deciding packages.
func TestKernelsAreExact(t *testing.T) {
	const name = "internal/accel/kernels_amd64.s"
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
	for _, op := range []string{"\tVFMADD213PD Y1, Y2, Y3", "\tVRCP14PD Z1, Z2", "\tVRSQRTPS X1, X2", "\tVADDPD.RN_SAE Z1, Z2, Z3"} {
		if !inexactOp.MatchString(op) {
			t.Errorf("%q is not noticed", op)
		}
	}
}

// TestWasmKernelsAreExact looks in the kernels for wasm for relaxed instructions, which may fuse, or choose either of
// two results: all others round as IEEE 754 has it.
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

// relaxedOp returns where what may be a relaxed vector instruction is, or -1. Those have numbers from 0x100 on behind
// the byte of all vector instructions (WebAssembly Core Specification 3.0, section 5.4), and the others less.
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

// forbidden holds the functions whose results differ between machines or runs.
var forbidden = map[string]string{
	"math": "Sin Cos Sincos Tan Asin Acos Atan Atan2 Sinh Cosh Tanh Asinh Acosh Atanh Exp Exp2 Expm1 Log Log2 Log10 Log1p Pow Hypot Cbrt Gamma Erf",
	"time": "Now Since Until",
}

// randomPackages give numbers without a seed in the source.
var randomPackages = []string{"math/rand", "math/rand/v2", "crypto/rand"}

// TestNothingDiffersBetweenMachines looks through the deciding packages for what could.
func TestNothingDiffersBetweenMachines(t *testing.T) {
	fset := token.NewFileSet()
	imp := compiledImporter(t, fset)
	for _, dir := range deciding {
		files := parseDir(t, fset, dir)
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
		conf := types.Config{Importer: imp, Error: func(error) {}}
		if _, err := conf.Check(dir, fset, files, info); err != nil {
			t.Fatalf("%s: %v", dir, err)
		}
		for _, f := range files {
			for _, problem := range machineDependent(info, f) {
				t.Errorf("%v: %s", fset.Position(problem.at), problem.what)
			}
		}
	}
}

// compiledImporter returns an importer of what the go command has compiled: all that this package needs.
func compiledImporter(t *testing.T, fset *token.FileSet) types.Importer {
	out, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", ".").Output()
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

// machineDependent returns what in a file may give other pixels elsewhere. A range over a
// map is let through if the comment right above it says "in any order" and why.
func machineDependent(info *types.Info, f *ast.File) (found []machineProblem) {
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
			if _, isMap := info.TypeOf(n.X).Underlying().(*types.Map); isMap && !anyOrder(f, n) {
				report(n, "ranges over a map, whose order is random")
			}
		case *ast.CallExpr:
			if function != "ClampInt" && len(n.Args) == 1 && info.Types[n.Fun].IsType() &&
				is(info.TypeOf(n.Fun), types.IsInteger) && is(info.TypeOf(n.Args[0]), types.IsFloat) && info.Types[n].Value == nil {
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

// anyOrder reports whether a comment ends right above the statement and says that the
// order does not matter.
func anyOrder(f *ast.File, n *ast.RangeStmt) bool {
	for _, c := range f.Comments {
		if c.End() < n.Pos() && n.Pos()-c.End() < 8 && strings.Contains(c.Text(), "any order") {
			return true
		}
	}
	return false
}
