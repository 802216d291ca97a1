package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"pillbox/internal/parallel"
)

// released lists the systems that releases are built for.
var released = []string{"linux/amd64", "darwin/amd64", "windows/amd64", "linux/arm64", "darwin/arm64", "windows/arm64"}

// pageProducts are the products that contain the page's JavaScript.
var pageProducts = []string{"render", "page"}

// works returns everything that the products contain, Pillbox first. root is the root of the repository; systems are those
// of the programs.
func works(root string, systems []string) ([]work, error) {
	own, err := licensesOf(root, root)
	if err != nil {
		return nil, err
	}
	own = slices.DeleteFunc(own, func(l license) bool { return l.file == textFile })
	modules, err := linked(root, systems)
	if err != nil {
		return nil, err
	}
	bundled, err := bundled(root)
	if err != nil {
		return nil, err
	}
	signs, err := readLicense(filepath.Join(root, "internal", "typeface", "LICENSE-signs"), root)
	if err != nil {
		return nil, err
	}
	all := []string{"render", "renderfarm", "page"}
	list := []work{
		{name: "Pillbox", products: all, licenses: own},
		{name: "DejaVu Sans, some of its glyphs", products: all, licenses: []license{signs}},
	}
	for _, m := range modules {
		if m.name == "golang.org/x/sys" {
			// Go has the same license. Not all installations of Go contain it.
			list = append(list, work{name: "Go, runtime and standard library", products: all, licenses: m.licenses})
		}
	}
	return slices.Concat(list, modules, bundled), nil
}

// linked returns the Go modules that are linked into the products.
func linked(root string, systems []string) ([]work, error) {
	found := make(map[string]*work)
	for _, p := range []struct {
		name              string
		packages, systems []string
	}{
		{"render", []string{"./cmd/render"}, systems},
		{"renderfarm", []string{"./cmd/renderfarm"}, systems},
		{"page", []string{"./internal/play/wasm", "./internal/course/wasm"}, []string{"js/wasm"}},
	} {
		lists := make([][]dependency, len(p.systems))
		err := parallel.Each(context.Background(), parallel.Workers(0), len(lists), func(_ context.Context, i int) (err error) {
			lists[i], err = dependencies(root, p.systems[i], p.packages)
			return err
		})
		if err != nil {
			return nil, err
		}
		for _, d := range slices.Concat(lists...) {
			if found[d.module] == nil {
				found[d.module] = &work{name: d.module, version: d.version}
			}
			if err := found[d.module].addLicenses(d, p.name); err != nil {
				return nil, err
			}
		}
	}
	var list []work
	for _, w := range found {
		list = append(list, *w)
	}
	slices.SortFunc(list, func(a, b work) int { return strings.Compare(a.name, b.name) })
	return list, nil
}

// addLicenses adds the licenses of a package to those of its module.
func (w *work) addLicenses(d dependency, product string) error {
	if !slices.Contains(w.products, product) {
		w.products = append(w.products, product)
	}
	licenses, err := licensesOf(d.folder, d.top)
	if err != nil {
		return err
	}
	for _, l := range licenses {
		if !slices.Contains(w.licenses, l) {
			w.licenses = append(w.licenses, l)
		}
	}
	return nil
}

// dependency is a package of another module. top is the folder of the module.
type dependency struct{ module, version, top, folder string }

// dependencies returns the packages of other modules that programs for a system contain.
func dependencies(root, system string, packages []string) ([]dependency, error) {
	const format = `{{with .Module}}{{if not .Main}}{{.Path}}{{"\t"}}{{.Version}}{{"\t"}}{{.Dir}}{{"\t"}}{{$.Dir}}{{end}}{{end}}`
	cmd := exec.Command("go", append([]string{"list", "-deps", "-f", format}, packages...)...)
	cmd.Dir = root
	goos, goarch, _ := strings.Cut(system, "/")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", cmd, err, problems.String())
	}
	var all []dependency
	for line := range strings.Lines(string(out)) {
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(f) == 4 {
			all = append(all, dependency{f[0], f[1], f[2], f[3]})
		}
	}
	return all, nil
}

// licenseFile matches the names of files with licenses.
var licenseFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice)`)

// licensesOf returns the licenses in a folder and in its parent folders up to top. A license can apply to a part of a
// module only.
func licensesOf(folder, top string) ([]license, error) {
	patterns := []string{"*", "licenses/ftl.txt"} // Freetype-Go offers a choice: Pillbox uses it under the FreeType License
	if strings.Contains(filepath.ToSlash(folder), "/font/gofont/") {
		patterns = append(patterns, "../ttfs/README") // the license of the Go fonts
	}
	var all []license
	for {
		for _, pattern := range patterns {
			files, err := filepath.Glob(filepath.Join(folder, pattern))
			if err != nil {
				return nil, err
			}
			for _, f := range files {
				if pattern == "*" && !licenseFile.MatchString(filepath.Base(f)) {
					continue
				}
				if info, err := os.Stat(f); err != nil || !info.Mode().IsRegular() {
					continue
				}
				l, err := readLicense(f, top)
				if err != nil {
					return nil, err
				}
				all = append(all, l)
			}
		}
		if folder == top {
			return all, nil
		}
		folder = filepath.Dir(folder)
	}
}

func readLicense(file, top string) (license, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return license{}, err
	}
	name, err := filepath.Rel(top, file)
	return license{filepath.ToSlash(name), tidied(inUTF8(text))}, err
}

// inUTF8 returns a text in UTF-8. A text that is not in UTF-8 is in Latin-1, as the license of FreeType is.
func inUTF8(text []byte) []byte {
	if utf8.Valid(text) {
		return text
	}
	runes := make([]rune, len(text))
	for i, b := range text {
		runes[i] = rune(b)
	}
	return []byte(string(runes))
}

// bundled returns the JavaScript libraries in the page. The lock file has their versions, and LICENSES.txt, which
// scripts/web writes, their licenses.
func bundled(root string) ([]work, error) {
	data, err := os.ReadFile(filepath.Join(root, "web", "codemirror", "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version string
			Dev     bool // a tool that the page does not contain
		}
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		return nil, fmt.Errorf("package-lock.json: %w", err)
	}
	licenses, err := os.ReadFile(filepath.Join(root, "web", "page", "vendor", "LICENSES.txt"))
	if err != nil {
		return nil, err
	}
	var list []work
	for name, p := range lock.Packages {
		name, isPackage := strings.CutPrefix(name, "node_modules/")
		if !isPackage || p.Dev {
			continue
		}
		text := section(string(licenses), name)
		if text == "" {
			return nil, fmt.Errorf("LICENSES.txt has no license of %s: run scripts/web", name)
		}
		list = append(list, work{name, p.Version, pageProducts, []license{{"LICENSE", text}}})
	}
	slices.SortFunc(list, func(a, b work) int { return strings.Compare(a.name, b.name) })
	return list, nil
}

// section returns the part of LICENSES.txt below a line that contains only the name, up to the next line that begins
// with "== ".
func section(text, name string) string {
	_, after, _ := strings.Cut("\n"+text, "\n== "+name+"\n")
	text, _, _ = strings.Cut(after, "\n== ")
	return tidied([]byte(text))
}
