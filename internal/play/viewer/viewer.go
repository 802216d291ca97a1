// Package viewer makes pages that show one scene without a network: the picture, which readers can turn, and the
// explanations of its pixels, which the engine of the playground computes in the page.
//
// The file viewer.html of this folder is empty. scripts/web --viewer makes the real one from the sources in web/viewer and
// the engine, and a file for go build -overlay that puts it into a program. So commits need not contain megabytes of
// compiled code, and a program from go build alone has no viewer.
package viewer

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"image"
	"strconv"
	"strings"

	"pillbox/internal/play"
	"pillbox/internal/text"
)

//go:embed viewer.html
var built string

// ErrAbsent reports that the program was built without the viewer.
var ErrAbsent = errors.New("this program was built without the viewer, which releases and wheels contain")

// Template returns the page that the functions of this package fill. The error is [ErrAbsent] if the program has none.
func Template() (string, error) {
	if built == "" {
		return "", ErrAbsent
	}
	return built, nil
}

// Scene is what a page shows.
type Scene struct {
	Title string
	Text  string      // of a scene that reads no files
	Size  image.Point // of the picture
	Time  *float64    // in seconds of the animation; nil: without animation
	Still []byte      // the picture as PNG, which the page shows until its engine has started
}

// Page returns a page in HTML that contains everything it needs.
func Page(template string, s Scene) (string, error) { return fill(template, s, s.still()) }

// Fragment returns HTML for another page, such as a notebook: the picture and, over it, a transparent frame with the page.
// So the picture remains where frames or scripts are removed.
func Fragment(template string, s Scene) (string, error) {
	page, err := fill(template, s, "")
	if err != nil {
		return "", err
	}
	title := html.EscapeString(s.Title)
	return fmt.Sprintf(`<div style="position: relative; max-width: %dpx"><img alt="%s" src="%s" style="display: block; width: 100%%">`+
		`<iframe title="%s" sandbox="allow-scripts" style="position: absolute; inset: 0; width: 100%%; height: 100%%; border: 0; color-scheme: light" srcdoc="%s"></iframe></div>`+"\n",
		s.Size.X, title, s.still(), title, strings.NewReplacer("&", "&amp;", `"`, "&quot;").Replace(page)), nil
}

// still returns the address of the picture.
func (s *Scene) still() string {
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(s.Still)
}

// requestBytes is the room for the other fields of a request, and for a text that grows when the reader turns the camera.
const requestBytes = 1 << 17

// Check returns an error if the engine of a page would refuse a scene, which needs no picture yet. A size of zero is that of
// the scene.
func Check(ctx context.Context, s Scene) error {
	request, err := s.request(false)
	if err != nil {
		return err
	}
	e := play.New(play.Options{})
	if most := e.Limits.Body - requestBytes; len(request) > most {
		return fmt.Errorf("the text of a scene in a page must have at most %s as JSON, got %d", text.Count(most, "byte"), len(request))
	}
	if _, err := e.Answer(ctx, "plan", request, nil); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return fmt.Errorf("a page cannot show this scene: %w", err)
	}
	return nil
}

// request returns the fields of every request about a scene as JSON. For a page, it escapes <, which could end the element.
func (s *Scene) request(forPage bool) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(forPage)
	err := enc.Encode(struct {
		Text   string   `json:"text"`
		Width  int      `json:"width"`
		Height int      `json:"height"`
		Time   *float64 `json:"time,omitempty"`
	}{s.Text, s.Size.X, s.Size.Y, s.Time})
	return bytes.TrimSpace(b.Bytes()), err
}

// fill puts a scene and the address of its picture into a template.
func fill(template string, s Scene, still string) (string, error) {
	about, err := s.request(true)
	if err != nil {
		return "", err
	}
	return strings.NewReplacer(
		"{{TITLE}}", html.EscapeString(s.Title),
		"{{WIDTH}}", strconv.Itoa(s.Size.X),
		"{{HEIGHT}}", strconv.Itoa(s.Size.Y),
		"{{STILL}}", still,
		"{{SCENE}}", string(about),
	).Replace(template), nil
}
