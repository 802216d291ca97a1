package viewer

import (
	"encoding/json"
	"errors"
	"html"
	"image"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// small has the places of the real template.
const small = `<title>{{TITLE}}</title><main style="--width: {{WIDTH}}px; --ratio: {{WIDTH}} / {{HEIGHT}}"><img src="{{STILL}}"><script type="application/json">{{SCENE}}</script>`

// TestPage checks that titles and texts with any signs end no element of the page, and are whole after reading it.
func TestPage(t *testing.T) {
	seconds := 1.5
	s := Scene{Title: `a "b" <c> & {{SCENE}}`, Text: "# </script><!-- {{STILL}} & \" \u2028\nname = 'x'\n", Size: image.Pt(30, 20), Time: &seconds, Still: []byte("picture")}
	page, err := Page(small, s)
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`^<title>([^<]*)</title><main style="--width: 30px; --ratio: 30 / 20"><img src="data:image/png;base64,cGljdHVyZQ=="><script type="application/json">([^<]*)</script>$`).FindStringSubmatch(page)
	if m == nil {
		t.Fatalf("the page is %s", page)
	}
	var about struct {
		Text          string
		Width, Height int
		Time          float64
	}
	if err := json.Unmarshal([]byte(m[2]), &about); err != nil || about.Text != s.Text || about.Width != 30 || about.Height != 20 || about.Time != seconds {
		t.Errorf("the page has the scene %+v, %v", about, err)
	}
	if got := html.UnescapeString(m[1]); got != s.Title {
		t.Errorf("the title is %q", got)
	}

	fragment, err := Fragment(small, s)
	if err != nil {
		t.Fatal(err)
	}
	m = regexp.MustCompile(`^<div [^>]*><img alt="[^"]*" src="data:image/png;base64,cGljdHVyZQ==" [^>]*><iframe title="[^"]*" sandbox="allow-scripts" [^>]*srcdoc="([^"]*)"></iframe></div>\n$`).FindStringSubmatch(fragment)
	if m == nil {
		t.Fatalf("the fragment is %s", fragment)
	}
	if got := html.UnescapeString(m[1]); got != strings.Replace(page, s.still(), "", 1) {
		t.Errorf("the frame has the page %s", got)
	}
}

// TestCheck checks that a page whose engine would refuse each request is an error, and that escapes of the text count.
func TestCheck(t *testing.T) {
	const room = 1 << 21
	ball := "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n"
	for want, s := range map[string]Scene{
		"the text of a scene in a page must have at most 1966080 bytes as JSON, got 2097": {Text: strings.Repeat("#", room)},
		"the text of a scene in a page must have at most 1966080 bytes as JSON, got 2200": {Text: ball + strings.Repeat("\n", 1_100_000)},
		"a page cannot show this scene: a picture must have at most 8388608 pixels":       {Text: ball, Size: image.Pt(1<<12, 1<<11+1)},
		"a page cannot show this scene: a picture must have at most 134217728 samples":    {Text: "image = { width = 3000, height = 2000, antialias = 16 }\n" + ball},
		"a page cannot show this scene: the scene has errors":                             {Text: "part.p.sphere = [{ center = [0, 0, 0], radius = 1 }]\nplace = [{ part = 'p', count = 262145, step = { translate = [3, 0, 0] } }]\n"},
	} {
		if err := Check(t.Context(), s); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if err := Check(t.Context(), Scene{Text: ball + "#" + strings.Repeat("<", room-requestBytes-200), Size: image.Pt(1<<12, 1<<11)}); err != nil {
		t.Error(err)
	}
}

// TestSources checks that the template in web/viewer has the places that this package fills, and that the committed viewer is
// empty: a commit must not contain a built one.
func TestSources(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "web", "viewer", "viewer.html"))
	if err != nil {
		t.Fatal(err)
	}
	filled, err := Page(string(data), Scene{Size: image.Pt(1, 1)})
	if err != nil {
		t.Fatal(err)
	}
	left := regexp.MustCompile(`{{[A-Z]+}}`).FindAllString(filled, -1)
	if got := strings.Join(left, " "); got != "{{STYLE}} {{WHY}} {{WORKER}} {{ENGINE}} {{SCRIPT}} {{NOTICE}}" {
		t.Errorf("scripts/web must fill %s", got)
	}
	if _, err := Template(); !errors.Is(err, ErrAbsent) {
		t.Errorf("the viewer is built in: %v", err)
	}
}
