package play

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"sort"
	"strings"

	"pillbox/explain"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/explain/diagram"
	"pillbox/internal/follow"
	"pillbox/internal/text"
	"pillbox/internal/tomltext"
)

type explainRequest struct {
	sceneRequest
	Pixel    *[2]int     `json:"pixel"`
	Ray      *[6]float64 `json:"ray"`
	Segment  *[6]float64 `json:"segment"`
	Capsules *[2]string  `json:"capsules"`
	Solid    string      `json:"solid"`
	Verbose  bool        `json:"verbose"`
	Columns  int         `json:"columns"`
}

type explainAnswer struct {
	Title       string          `json:"title"`
	Explanation json.RawMessage `json:"explanation"` // as explain --json has it
	Brief       string          `json:"brief"`
	Sections    []section       `json:"sections"`
	Solids      []solid         `json:"solids"`
	Lights      []light         `json:"lights"` // of where the path ends first
	Path        []stretch       `json:"path"`
}

// light is how a page speaks of a light.
type light struct {
	Light int        `json:"light"` // its number
	Label string     `json:"label"`
	Table *tablePath `json:"table"` // nil: the scene has none, and this one stands at the eye
}

// section is a part of an explanation as text.
type section struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// stretch is a straight piece of a path of light, in pixels of the picture.
type stretch struct {
	Kind   string     `json:"kind"`
	From   [2]float64 `json:"from"`
	To     [2]float64 `json:"to"`
	Fate   string     `json:"fate"`   // of a light's
	Object int32      `json:"object"` // that it ends at, or -1
	Light  int        `json:"light"`  // or -1
	Depth  int        `json:"depth"`  // how many mirrors came before
}

// The kinds of stretches.
const (
	stretchCamera  = "camera"
	stretchRay     = "ray"
	stretchMirror  = "mirror"
	stretchLight   = "light"
	stretchSegment = "segment"
)

// question is what is to be explained of a picture.
type question struct {
	*picture
	explanation explain.Explanation
	stage       *follow.Prepared
	title       string
	path        *follow.Path // nil: none
	first       string       // what the path begins with
}

func (e *Engine) question(ctx context.Context, r *explainRequest) (*question, error) {
	asked := 0
	for _, is := range [...]bool{r.Pixel != nil, r.Ray != nil, r.Segment != nil, r.Capsules != nil} {
		if is {
			asked++
		}
	}
	if asked != 1 {
		return nil, failure(StatusMalformed, "want one of pixel, ray, segment and capsules")
	}
	p, err := e.picture(ctx, &r.sceneRequest)
	if err != nil {
		return nil, err
	}
	if err := p.limitPaths(r); err != nil {
		return nil, err
	}
	prepared, err := p.prepare()
	if err != nil {
		return nil, err
	}
	q, err := p.ask(explain.New(prepared), r)
	if err != nil {
		return nil, err
	}
	return q, q.limitTold()
}

// ask finds the explanation.
func (p *picture) ask(t *explain.Tracer, r *explainRequest) (*question, error) {
	object := accel.None
	if r.Solid != "" {
		var ok bool
		if object, ok = explain.Solid(p.moment.scene, r.Solid); !ok {
			return nil, refused("no solid is named %q", r.Solid)
		}
	}
	q := &question{picture: p}
	switch {
	case r.Pixel != nil:
		at, err := p.pixel(r.Pixel[0], r.Pixel[1])
		if err != nil {
			return nil, err
		}
		x, err := t.Pixel(at)
		if err != nil {
			return nil, refused("%v", err)
		}
		if object != accel.None {
			x = x.WithSolid(object)
		}
		q.explanation, q.stage, q.title, q.path, q.first = x, follow.Of(x.Prepared()), x.Title(), x.Samples[0].Path, stretchCamera
	case r.Ray != nil:
		from, toward := halves(r.Ray)
		x, err := t.Ray(from, toward)
		if err != nil {
			return nil, refused("%v", err)
		}
		if object != accel.None {
			x = x.WithSolid(object)
		}
		q.explanation, q.stage, q.title, q.path, q.first = x, follow.Of(x.Prepared()), x.Title(), x.Path, stretchRay
	case r.Segment != nil:
		a, b := halves(r.Segment)
		x := t.Segment(geom.Segment{A: a, B: b})
		if object != accel.None {
			x = x.WithSolid(object)
		}
		q.explanation, q.stage, q.title = x, follow.Of(x.Prepared()), x.Title()
	default:
		return q, q.askCapsules(*r.Capsules)
	}
	return q, nil
}

// askCapsules explains how two capsules lie to each other.
func (q *question) askCapsules(names [2]string) error {
	s := q.moment.scene
	var pair [2]int32
	for i, name := range names {
		var ok bool
		if pair[i], ok = explain.Solid(s, name); !ok {
			return refused("no solid is named %q", name)
		}
	}
	x, err := explain.CapsulesOf(s, pair[0], pair[1])
	if err != nil {
		return refused("%v", err)
	}
	q.explanation, q.title = x, names[0]+" and "+names[1]
	return nil
}

func halves(n *[6]float64) (a, b geom.Vec3) {
	return geom.Vec3{X: n[0], Y: n[1], Z: n[2]}, geom.Vec3{X: n[3], Y: n[4], Z: n[5]}
}

func (e *Engine) explain(ctx context.Context, r *explainRequest) (*explainAnswer, error) {
	columns := r.Columns
	if columns == 0 {
		columns = 76
	}
	if columns < 40 || columns > 200 {
		return nil, failure(StatusMalformed, "columns must lie between 40 and 200, got %d", columns)
	}
	q, err := e.question(ctx, r)
	if err != nil {
		return nil, err
	}
	detail := explain.Usual
	if r.Verbose {
		detail = explain.Verbose
	}
	data, err := q.explanation.JSON(detail)
	if err != nil {
		return nil, err
	}
	a := &explainAnswer{
		Title:       q.title,
		Explanation: text.EscapeJSON(data),
		Sections:    []section{},
		Path:        q.stretches(r),
	}
	a.Solids, a.Lights = q.met(a.Path), q.lights()
	document := q.explanation.Document(detail)
	if q.path == nil {
		a.Brief = plain(document, columns)
		return a, nil
	}
	a.Brief = plain(q.explanation.Document(explain.Brief), columns)
	a.Sections = sections(document, columns)
	return a, context.Cause(ctx)
}

// sections returns the sections of a document that are there.
func sections(d *explain.Document, columns int) []section {
	list := []section{}
	none := plain(d.Select(), columns)
	sample := "" // the heading above all sections of a camera ray
	for _, name := range explain.Sections() {
		text := dedented(strings.Trim(strings.TrimPrefix(plain(d.Select(name), columns), none), "\n"))
		heading, inner, _ := strings.Cut(text, "\n")
		if name == explain.SectionCamera {
			sample = heading
		} else if heading == sample {
			text = dedented(strings.Trim(inner, "\n"))
			heading, inner, _ = strings.Cut(text, "\n")
		}
		if text == "" {
			continue
		}
		s := section{string(name), sectionTitles()[name], text}
		if s.Title == "" {
			s.Title = heading
		}
		if s.Title == heading && isIndented(inner) {
			s.Text = dedented(strings.Trim(inner, "\n"))
		}
		list = append(list, s)
	}
	return list
}

// sectionTitles returns the titles of sections that may have several headings: one for each solid, light or
// mirror ray. Of others the heading is the title.
func sectionTitles() map[explain.Section]string {
	return map[explain.Section]string{
		explain.SectionTree:   "Through the tree",
		explain.SectionTests:  "Solids that are tested",
		explain.SectionHit:    "Where it ends",
		explain.SectionLights: "Lights",
		explain.SectionMirror: "Mirror",
		explain.SectionColor:  "Color",
	}
}

// isIndented reports whether all lines begin with a space, but for empty ones.
func isIndented(s string) bool {
	for line := range strings.Lines(s) {
		if line[0] != ' ' && line[0] != '\n' {
			return false
		}
	}
	return true
}

// lights describes the lights of where the path ends first.
func (q *question) lights() []light {
	list := []light{}
	if q.path == nil {
		return list
	}
	sections := tomltext.Outline(q.text.bytes)
	for _, a := range q.path.Lights {
		if len(list) == maxNumbers {
			break
		}
		list = append(list, q.light(sections, a.Index))
	}
	return list
}

func (q *question) light(sections []tomltext.Section, number int) light {
	at := q.tableOf(sections, fmt.Sprintf("light[%d]", number))
	l := light{number, fmt.Sprintf("Light %d", number), at}
	if at == nil {
		l.Label += " (at the eye)"
		return l
	}
	is := q.moment.scene.Lights[number]
	kind := "point"
	if is.Directional {
		kind = "directional"
	}
	if is.Name != "" {
		l.Label += fmt.Sprintf(" %q", is.Name)
	}
	line := sort.SearchInts(q.text.lines, q.text.byte(at.From)+1) // as many begin before
	l.Label += fmt.Sprintf(" (%s, line %d)", kind, line)
	return l
}

// plain returns a document as text.
func plain(d *explain.Document, columns int) string {
	var b bytes.Buffer
	_ = d.WriteText(&b, explain.TextStyle{Columns: columns}) // a buffer has no errors
	return b.String()
}

// dedented returns lines without the spaces that all of them begin with.
func dedented(s string) string {
	lines := strings.Split(s, "\n")
	least := len(s)
	for _, line := range lines {
		if line != "" {
			least = min(least, len(line)-len(strings.TrimLeft(line, " ")))
		}
	}
	for i, line := range lines {
		if line != "" {
			lines[i] = line[least:]
		}
	}
	return strings.Join(lines, "\n")
}

// met returns the solids that a path meets.
func (q *question) met(path []stretch) []solid {
	var objects []int32
	seen := map[int32]bool{accel.None: true}
	for _, s := range path {
		if !seen[s.Object] && len(objects) < maxNumbers {
			seen[s.Object] = true
			objects = append(objects, s.Object)
		}
	}
	return q.solids(objects)
}

// stretches returns the path as it appears in the picture.
func (q *question) stretches(r *explainRequest) []stretch {
	w := &walker{list: []stretch{}}
	s := q.moment.scene
	view, err := s.View(q.size.X, q.size.Y)
	if err != nil {
		return w.list // without a picture there is none
	}
	w.projection = newProjection(s, view, q.size)
	switch {
	case r.Segment != nil:
		a, b := halves(r.Segment)
		w.add(stretch{Kind: stretchSegment, Object: accel.None, Light: -1}, a, b)
	case q.path != nil:
		w.path(q.path, q.first, q.pixelPlace(r))
	}
	return w.list
}

// pixelPlace returns the middle of the pixel that is explained, if one is.
func (q *question) pixelPlace(r *explainRequest) *[2]float64 {
	if r.Pixel == nil {
		return nil
	}
	return &[2]float64{float64(r.Pixel[0]) + 0.5, float64(r.Pixel[1]) + 0.5}
}

// walker lists the stretches of a path.
type walker struct {
	projection
	list []stretch
}

func (w *walker) add(s stretch, a, b geom.Vec3) {
	var ok bool
	if s.From, s.To, ok = w.segment(a, b); ok {
		w.list = append(w.list, s)
	}
}

// path adds a ray of a kind, the lights where it ends, and what a mirror there shows. A ray of the camera
// is a point.
func (w *walker) path(p *follow.Path, kind string, pixel *[2]float64) {
	ray := stretch{Kind: kind, Object: p.Hit.Object, Light: -1, Depth: p.Depth}
	end := p.Ray.At(w.longer)
	if p.IsSolid() {
		end = p.Hit.Point
	}
	if kind == stretchCamera && pixel != nil {
		ray.From, ray.To = *pixel, *pixel
		w.list = append(w.list, ray)
	} else {
		w.add(ray, p.Ray.Origin, end)
	}
	for i := range p.Lights {
		w.light(p, &p.Lights[i])
	}
	if p.Mirror != nil {
		w.path(p.Mirror, stretchMirror, nil)
	}
}

// light adds the way to a light, as far as it leads.
func (w *walker) light(p *follow.Path, a *follow.LightSample) {
	if a.Visibility == follow.FacesAway || a.Dir == (geom.Vec3{}) {
		return
	}
	way := geom.Ray{Origin: p.Hit.Point, Dir: a.Dir}
	length := min(a.Reach, w.longer)
	if a.Visibility == follow.Blocked {
		length = min(a.T, w.longer)
	}
	s := stretch{Kind: stretchLight, Fate: a.Visibility.String(), Object: a.Object, Light: a.Index, Depth: p.Depth}
	w.add(s, way.Origin, way.At(max(0, length)))
}

type diagramRequest struct {
	explainRequest
	Dark bool `json:"dark"`
}

type diagramAnswer struct {
	SVG     string `json:"svg"`
	Message string `json:"message"` // why there is none
}

// maxInset bounds the rays of the small picture in a diagram.
const maxInset = 20_000_000

func (e *Engine) diagram(ctx context.Context, r *diagramRequest) (*diagramAnswer, error) {
	q, err := e.question(ctx, &r.explainRequest)
	if err != nil {
		return nil, err
	}
	s, size := q.moment.scene, image.Pt(400, 150) // at most
	if rays := size.X * size.Y * 4 * (s.Shading.Bounces + 1) * (1 + len(s.Lights)); rays > maxInset && r.Pixel != nil {
		return &diagramAnswer{Message: "the scene has too many lights for a diagram here"}, nil
	}
	d, err := diagram.Draw(q.explanation, diagram.Options{Dark: r.Dark})
	if errors.Is(err, diagram.ErrNothing) {
		return &diagramAnswer{Message: err.Error()}, nil
	}
	if err != nil {
		return nil, refused("%v", err)
	}
	var b strings.Builder
	if err := d.WriteSVG(&b); err != nil {
		return nil, err
	}
	return &diagramAnswer{SVG: b.String()}, context.Cause(ctx)
}
