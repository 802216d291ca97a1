// Command typecheck checks the types of all packages and their tests for other systems. Compiling them for a system takes
// minutes of processor time, because the standard library and the modules are compiled, too. This takes seconds: of
// those, it reads only the declarations.
//
//	go run ./internal/tools/typecheck windows/amd64 plan9/amd64
//
// It runs in a folder of the module, and it neither compiles, links nor vets.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	for _, target := range os.Args[1:] {
		if err := check(target); err != nil {
			fmt.Fprintf(os.Stderr, "typecheck: %s: %v\n", target, err)
			os.Exit(1)
		}
		fmt.Printf("the types fit on %s, with tests\n", target)
	}
}

// listed is a package as go list prints it.
type listed struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	ImportMap  map[string]string
	Module     *struct {
		Main      bool
		GoVersion string
	}
}

// check checks all packages of the module in the current folder, and the packages that they import, for a target such as
// "windows/amd64".
func check(target string) error {
	system, processor, _ := strings.Cut(target, "/")
	sizes := types.SizesFor("gc", processor)
	if sizes == nil {
		return errors.New("must be a system and a processor, such as windows/amd64")
	}
	// Packages come after those that they import.
	list := exec.Command("go", "list", "-deps", "-test", "-json=ImportPath,Dir,GoFiles,ImportMap,Module", "./...")
	list.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0")
	list.Stderr = os.Stderr
	printed, err := list.Output()
	if err != nil {
		return err
	}
	checked := map[string]*types.Package{"unsafe": types.Unsafe}
	for packages := json.NewDecoder(bytes.NewReader(printed)); ; {
		var p listed
		if err := packages.Decode(&p); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if p.ImportPath == "unsafe" || strings.HasSuffix(p.ImportPath, ".test") {
			continue // a main program that go test writes
		}
		if checked[p.ImportPath], err = p.check(sizes, checked); err != nil {
			return err
		}
	}
}

// check checks one package after those that it imports.
func (p *listed) check(sizes types.Sizes, checked map[string]*types.Package) (*types.Package, error) {
	var problems []error
	config := types.Config{
		Importer: importer(func(path string) (*types.Package, error) {
			if mapped := p.ImportMap[path]; mapped != "" {
				path = mapped
			}
			if imported := checked[path]; imported != nil {
				return imported, nil
			}
			return nil, fmt.Errorf("no package %q", path)
		}),
		Sizes:            sizes,
		IgnoreFuncBodies: p.Module == nil || !p.Module.Main,
		Error:            func(err error) { problems = append(problems, err) },
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		config.GoVersion = "go" + p.Module.GoVersion
	}
	files := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, file)
	}
	// The path of a package that is compiled for a test ends in the name of the test.
	path, _, _ := strings.Cut(p.ImportPath, " ")
	result, _ := config.Check(path, files, parsed, nil)
	return result, errors.Join(problems...)
}

// importer finds the packages that a package imports.
type importer func(path string) (*types.Package, error)

func (i importer) Import(path string) (*types.Package, error) { return i(path) }
