package web_test

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"pillbox/web"
)

func ExampleFiles() {
	index, err := fs.ReadFile(web.Files(), "index.html")
	fmt.Println(strings.SplitN(string(index), "\n", 2)[0], err)
	// Output: <!doctype html> <nil>
}

// TestBundleIsCurrent compares the checksum of the bundles' sources with that of the sources from which they were
// built. The command scripts/web --check compares the bundles themselves.
func TestBundleIsCurrent(t *testing.T) {
	sum := sha256.New()
	for _, name := range []string{"codemirror/entry.js", "codemirror/xz.js", "codemirror/package-lock.json"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sum.Write(data)
	}
	want := fmt.Sprintf("%x", sum.Sum(nil))
	for _, name := range []string{"vendor/codemirror.js", "vendor/xz.js"} {
		bundle, err := fs.ReadFile(web.Files(), name)
		if err != nil {
			t.Fatal(err)
		}
		if first, _, _ := strings.Cut(string(bundle), "\n"); !strings.HasSuffix(first, want) {
			t.Errorf("%s begins with %q, want the sum %s: run scripts/web", name, first, want)
		}
	}
}

// TestNothingInline checks that the page follows its policy, which allows no inline script or style, and no other
// host.
func TestNothingInline(t *testing.T) {
	bad := regexp.MustCompile(`(?i)<style|\sstyle=|<script(?:\s+type="module")?>|\son[a-z]+=|javascript:|https?://`)
	namespace := "http://www.w3.org/2000/svg"
	err := fs.WalkDir(web.Files(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(name, "vendor/") {
			return err
		}
		data, err := fs.ReadFile(web.Files(), name)
		if err != nil {
			return err
		}
		text := strings.ReplaceAll(string(data), namespace, "")
		if found := bad.FindString(text); found != "" {
			t.Errorf("%s has %q", name, found)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestModulesAreThere checks that the imports of every module, and the links of the page, exist.
func TestModulesAreThere(t *testing.T) {
	link := regexp.MustCompile(`(?:from |import\(?|importScripts\()'(\.[^']+)'|(?:src|href)="([^"#]+)"|new URL\('([^']+)', import`)
	followed := 0
	err := fs.WalkDir(web.Files(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(name, "vendor/") {
			return err
		}
		data, err := fs.ReadFile(web.Files(), name)
		if err != nil {
			return err
		}
		for _, m := range link.FindAllStringSubmatch(string(data), -1) {
			target := path.Join(path.Dir(name), m[1]+m[2]+m[3])
			if target == "wasm_exec.js" {
				continue // comes with Go
			}
			if _, err := fs.Stat(web.Files(), target); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			followed++
		}
		return nil
	})
	if err != nil || followed < 50 {
		t.Errorf("%v after %d links", err, followed)
	}
}

// TestModulesArePreloaded checks that the page lists every module of its first view, so that the browser does not
// find them one after another. These are the modules that main.js imports, also dynamically, and all imports of
// these.
func TestModulesArePreloaded(t *testing.T) {
	const entry = "js/main.js"
	now, later := regexp.MustCompile(`(?m)from '(\.[^']+)'`), regexp.MustCompile(`import\('(\.[^']+)'\)`)
	read := func(name string) string {
		data, err := fs.ReadFile(web.Files(), name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	want := map[string]bool{}
	var follow func(name string)
	follow = func(name string) {
		if want[name] {
			return
		}
		want[name] = true
		text := read(name)
		found := now.FindAllStringSubmatch(text, -1)
		if name == entry {
			found = append(found, later.FindAllStringSubmatch(text, -1)...)
		}
		for _, m := range found {
			follow(path.Join(path.Dir(name), m[1]))
		}
	}
	follow(entry)
	delete(want, entry)
	for _, m := range regexp.MustCompile(`<link rel="modulepreload" href="([^"]+)">`).FindAllStringSubmatch(read("index.html"), -1) {
		if !want[m[1]] {
			t.Errorf("index.html preloads %s, which the first view does not need", m[1])
		}
		delete(want, m[1])
	}
	for name := range want {
		t.Errorf("index.html does not preload %s", name)
	}
}
