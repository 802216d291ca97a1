package conformance_test

import (
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pillbox/internal/course"
	"pillbox/scene"
)

// pages returns the text of each page of the documentation, by file name.
func pages(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{"README.md": "", "CONTRIBUTING.md": ""}
	err := filepath.WalkDir("docs", func(name string, d fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".md" {
			found[filepath.ToSlash(name)] = ""
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 10 {
		t.Fatalf("only %d pages", len(found))
	}
	for name := range found {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found[name] = string(data)
	}
	return found
}

// anchors returns the anchors that GitHub and GitLab generate for the page's headings: lower case, with hyphens for
// spaces and without punctuation.
func anchors(page string) map[string]bool {
	found := make(map[string]bool)
	punctuation := regexp.MustCompile(`[^\p{L}\p{N}_\- ]`)
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(page, -1) {
		heading := punctuation.ReplaceAllString(strings.ToLower(m[1]), "")
		found[strings.ReplaceAll(heading, " ", "-")] = true
	}
	return found
}

// TestDocsLinks checks that every link to a file or heading of the project has a target.
func TestDocsLinks(t *testing.T) {
	all := pages(t)
	seen := 0
	for name, page := range all {
		for _, m := range regexp.MustCompile(`\]\(([^)\s]+)\)`).FindAllStringSubmatch(page, -1) {
			link, err := url.Parse(m[1])
			if err != nil || link.Scheme != "" {
				continue
			}
			seen++
			target := name
			if link.Path != "" {
				target = path.Join(path.Dir(name), link.Path)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", name, m[1], err)
			}
			if link.Fragment != "" && !anchors(all[target])[link.Fragment] {
				t.Errorf("%s links to %s, a heading that is not there", name, m[1])
			}
		}
	}
	if seen < 60 {
		t.Errorf("only %d links found", seen)
	}
}

// TestCourseLessons checks that the lessons to which stages and known mistakes of the course refer exist,
// including the headings in them.
func TestCourseLessons(t *testing.T) {
	all := pages(t)
	check := func(what, lesson string) {
		page, heading, _ := strings.Cut(lesson, "#")
		text, ok := all["docs/lessons/"+page]
		if !ok || heading != "" && !anchors(text)[heading] {
			t.Errorf("%s names the lesson %s, which does not exist", what, lesson)
		}
	}
	for _, stage := range course.AllStages() {
		check(stage.Name, stage.Lesson)
		for _, m := range stage.Mistakes() {
			check(stage.Name+": "+m.Name, m.Lesson)
		}
	}
}

// TestDocsReachable checks that every page can be reached from the README.
func TestDocsReachable(t *testing.T) {
	all := pages(t)
	reached := map[string]bool{"README.md": true}
	for todo := []string{"README.md"}; len(todo) > 0; todo = todo[1:] {
		for _, m := range regexp.MustCompile(`\]\(([^)#\s]+\.md)`).FindAllStringSubmatch(all[todo[0]], -1) {
			if next := path.Join(path.Dir(todo[0]), m[1]); !reached[next] {
				reached[next] = true
				todo = append(todo, next)
			}
		}
	}
	for name := range all {
		if !reached[name] {
			t.Errorf("no link leads to %s", name)
		}
	}
}

// TestReadmeIsShort checks that the README has at most a certain length.
func TestReadmeIsShort(t *testing.T) {
	const most = 160
	if n := strings.Count(pages(t)["README.md"], "\n"); n > most {
		t.Errorf("README.md has %d lines, want at most %d: the reference is in docs", n, most)
	}
}

// TestReadmeShowsParts checks that the README shows the picture of the scene made of parts, and states the correct
// length of its file.
func TestReadmeShowsParts(t *testing.T) {
	if readme := pages(t)["README.md"]; !strings.Contains(readme, "](golden/chess.png)") || !strings.Contains(readme, "under 150 lines") {
		t.Error("README.md does not show golden/chess.png and say how short its scene is")
	}
	data, err := os.ReadFile("scenes/chess.toml")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(data), "\n"); n >= 150 {
		t.Errorf("scenes/chess.toml has %d lines, README.md says under 150", n)
	}
}

// TestDocsScenes checks that the complete scenes in the documentation are valid. A scene is complete if it refers
// to the schema.
func TestDocsScenes(t *testing.T) {
	seen := 0
	for name, page := range pages(t) {
		for _, m := range regexp.MustCompile("(?s)```toml\n(#:schema .*?)```").FindAllStringSubmatch(page, -1) {
			seen++
			s, err := scene.Decode(name, []byte(m[1]))
			if err != nil {
				t.Error(err)
			} else if len(s.Warnings) > 0 {
				t.Error(s.Warnings)
			}
		}
	}
	if seen == 0 {
		t.Error("no page shows a scene")
	}
}

// TestDocsLibraryIsTested checks that all Go code in docs/library.md also occurs in examples, which are compiled and
// run.
func TestDocsLibraryIsTested(t *testing.T) {
	var examples strings.Builder
	for _, name := range []string{"render_test.go", "golden/example_test.go", "exact/example_test.go", "explain/example_test.go"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		examples.WriteString(strings.Join(strings.Fields(string(data)), " "))
	}
	code := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(pages(t)["docs/library.md"], -1)
	if len(code) == 0 {
		t.Error("docs/library.md shows no code")
	}
	for _, m := range code {
		if !strings.Contains(examples.String(), strings.Join(strings.Fields(m[1]), " ")) {
			t.Errorf("no example has the code\n%s", m[1])
		}
	}
}

// TestDocsDesignNamesEveryPackage checks that docs/design.md names every package and every script.
func TestDocsDesignNamesEveryPackage(t *testing.T) {
	design := pages(t)["docs/design.md"]
	for pkg := range packages(t) {
		if !strings.Contains(design, "[`"+pkg+"`](") {
			t.Errorf("docs/design.md does not say what package %s holds", pkg)
		}
	}
	scripts, err := os.ReadDir("scripts")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scripts {
		if !s.IsDir() && !strings.Contains(design, "[scripts/"+s.Name()+"](") {
			t.Errorf("docs/design.md does not say what scripts/%s does", s.Name())
		}
	}
}
