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

// TestBundleIsCurrent compares the sources of the bundles with a sum of the sources they were built from.
// scripts/web --check compares the bundles themselves.
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

// TestNothingInline holds the page to its policy, which allows no inline script or style, and no
// other host.
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

// TestModulesAreThere follows the imports of every module, and the links of the page.
func TestModulesAreThere(t *testing.T) {
	link := regexp.MustCompile(`(?:from|import|importScripts\() ?'(\.[^']+)'|(?:src|href)="([^"#]+)"|new URL\('([^']+)', import`)
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
