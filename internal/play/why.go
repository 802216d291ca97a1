package play

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"slices"
	"sort"
	"strings"

	"pillbox/explain"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/chart"
	"pillbox/internal/explain/diagram"
	"pillbox/internal/follow"
	"pillbox/internal/text"
	"pillbox/internal/tomltext"
	"pillbox/scene"
	"pillbox/shade"
)

type explainRequest struct {
	sceneRequest
	Change *change `json:"change"` // nil: none
	asked
}

// asked is what a page asks about a scene.
type asked struct {
	Pixel    *[2]int     `json:"pixel"`
	Ray      *[6]float64 `json:"ray"`
	Segment  *[6]float64 `json:"segment"`
	Capsules *[2]string  `json:"capsules"`
	Solid    string      `json:"solid"`
	Verbose  bool        `json:"verbose"`
	JSON     bool        `json:"json"`    // also the explanation as one JSON object
	Keep     string      `json:"keep"`    // a key of a solid: its numbers appear even if the ray misses the solid; "": none
	Diagram  *drawing    `json:"diagram"` // nil: none
	Trap     string      `json:"trap"`    // the name of a mistake that the visible picture has; "": none
}

// query returns the query of a page.
func (r *asked) query() explain.Query {
	q := explain.Query{Capsules: r.Capsules, Solid: r.Solid}
	if r.Pixel != nil {
		q.Pixel = &image.Point{X: r.Pixel[0], Y: r.Pixel[1]}
	}
	if r.Ray != nil {
		origin, toward := halves(r.Ray)
		q.Ray = &[2]geom.Vec3{origin, toward}
	}
	if r.Segment != nil {
		a, b := halves(r.Segment)
		q.Segment = &geom.Segment{A: a, B: b}
	}
	return q
}

type explainAnswer struct {
	Edits       []Edit          `json:"edits,omitempty"`       // of the text of the request, for its change
	Explanation json.RawMessage `json:"explanation,omitempty"` // as printed by explain --json
	Color       *[3]uint8       `json:"color"`                 // sRGB; nil: no pixel or ray is explained
	Hit         int32           `json:"hit"`                   // the solid that the ray hits, or -1
	Intro       explain.Blocks  `json:"intro"`                 // the blocks directly below the title: the answer in one sentence first
	Sections    []section       `json:"sections"`
	Solids      []solid         `json:"solids"`
	Lights      []light         `json:"lights"` // at the first hit
	Path        []pathSegment   `json:"path"`
	Diagram     *diagramAnswer  `json:"diagram,omitempty"`
	Mistaken    *mistakenPixel  `json:"mistaken,omitempty"` // the pixel with the mistake of the request
}

// light describes a light to a page, and whether the light reaches the first hit.
type light struct {
	Light   int        `json:"light"` // its number
	Name    string     `json:"name"`  // "" if it has none
	Label   string     `json:"label"`
	Table   *tablePath `json:"table"`   // nil: the default light at the eye
	Fate    string     `json:"fate"`    // its visibility
	Blocker int32      `json:"blocker"` // the solid that blocks it, or -1
}

// section is a part of an explanation that the page can unfold.
type section struct {
	Name   string         `json:"name"`
	Title  string         `json:"title"`
	Ray    string         `json:"ray"` // the ray that the whole section is about, as explain.RayName; "" if several or none
	Blocks explain.Blocks `json:"blocks"`
}

// pathSegment is a straight segment of a path, in pixels of the picture.
type pathSegment struct {
	Kind   string     `json:"kind"`
	Name   string     `json:"name"` // as explain.RayName; "" for a segment
	From   [2]float64 `json:"from"`
	To     [2]float64 `json:"to"`
	Fate   string     `json:"fate"`   // visibility of a shadow ray
	Object int32      `json:"object"` // the solid at its end, or -1
	Light  int        `json:"light"`  // number of the light, or -1
	Depth  int        `json:"depth"`  // number of reflections before it
}

// The kinds of segments.
const (
	kindCamera  = "camera"
	kindRay     = "ray"
	kindMirror  = "mirror"
	kindLight   = "light"
	kindSegment = "segment"
)

// question is a query about a picture, together with its answer.
type question struct {
	*picture
	explanation explain.Explanation
	path        *follow.Path // nil: none
	first       string       // the kind of the path's first segment
	mistaken    *mistaken    // nil for questions about an explanation
}

func (e *Engine) question(ctx context.Context, r *explainRequest) (*question, error) {
	query := r.query()
	if err := query.Validate(); err != nil {
		return nil, failure(StatusMalformed, "%v", err)
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
	q := &question{picture: p}
	q.explanation, err = explain.Explain(ctx, prepared, query)
	if invalid := (*explain.QueryError)(nil); errors.As(err, &invalid) {
		return nil, refused("%v", invalid.Err)
	}
	if err != nil {
		return nil, context.Cause(ctx)
	}
	switch x := q.explanation.(type) {
	case *explain.Pixel:
		q.path, q.first = follow.Of(x.Samples[0].Path), kindCamera
	case *explain.Ray:
		q.path, q.first = follow.Of(x.Path), kindRay
	}
	return q, q.limitLength()
}

func halves(n *[6]float64) (a, b geom.Vec3) {
	return geom.Vec3{X: n[0], Y: n[1], Z: n[2]}, geom.Vec3{X: n[3], Y: n[4], Z: n[5]}
}

func (e *Engine) explain(ctx context.Context, r *explainRequest) (*explainAnswer, error) {
	edits, err := e.apply(ctx, &r.sceneRequest, r.Change)
	if err != nil {
		return nil, err
	}
	q, err := e.question(ctx, r)
	if err != nil {
		return nil, err
	}
	a, err := q.answer(r)
	if err != nil {
		return nil, err
	}
	a.Edits = edits
	if a.Mistaken, err = q.mistakenPixel(ctx, &r.asked); err != nil {
		return nil, err
	}
	if r.Diagram != nil {
		a.Diagram, err = q.diagram(*r.Diagram)
		if f := FailureOf(err); err != nil && f.Status == StatusRefused {
			a.Diagram, err = &diagramAnswer{Message: f.Message}, nil // the explanation is complete without it
		}
		if err != nil {
			return nil, err
		}
	}
	return a, context.Cause(ctx)
}

// answer describes the answer, without a diagram.
func (q *question) answer(r *explainRequest) (*explainAnswer, error) {
	detail := explain.Usual
	if r.Verbose {
		detail = explain.Verbose
	}
	a := &explainAnswer{Hit: accel.None, Sections: []section{}, Path: q.segments(r)}
	if r.JSON {
		data, err := q.explanation.JSON(detail)
		if err != nil {
			return nil, err
		}
		a.Explanation = text.EscapeJSON(data)
	}
	a.Solids, a.Lights, a.Color = q.met(a.Path), q.lights(), q.color()
	document := q.explanation.Document(detail)
	if q.path == nil {
		a.Intro, a.Sections = parts(document.Blocks()[1:])
		return a, nil
	}
	a.Hit = q.path.Hit.Object
	a.Intro, a.Sections = document.Intro(), sections(document)
	if r.Keep != "" && !slices.ContainsFunc(a.Sections, func(s section) bool { return s.has(r.Keep) }) {
		a.Sections = sections(q.withSolidOf(r.Keep).Document(detail))
	}
	return a, nil
}

// has reports whether a section contains the value of a key of the scene.
func (s *section) has(key string) bool {
	for _, b := range s.Blocks {
		if e, ok := b.(explain.Equations); ok && slices.ContainsFunc(e.Steps, func(step explain.Step) bool { return step.Key == key }) {
			return true
		}
	}
	return false
}

// withSolidOf returns the explanation that also derives where the line of the ray crosses the solid with a key of the scene. It
// returns the explanation itself if no solid has the key.
func (q *question) withSolidOf(key string) explain.Explanation {
	s := q.moment.scene
	table := key[:max(0, strings.LastIndexByte(key, '.'))]
	for i := range s.Objects.Len() {
		if is, file, ok := s.Table(i); !ok || is != table || file != q.name {
			continue
		}
		switch x := q.explanation.(type) {
		case *explain.Pixel:
			return x.WithSolid(int32(i))
		case *explain.Ray:
			return x.WithSolid(int32(i))
		}
	}
	return q.explanation
}

// color returns the color of the pixel or ray; nil for other questions.
func (q *question) color() *[3]uint8 {
	switch x := q.explanation.(type) {
	case *explain.Pixel:
		return &[3]uint8{x.SRGB8.R, x.SRGB8.G, x.SRGB8.B}
	case *explain.Ray:
		return &[3]uint8{shade.EncodeSRGB8(x.Color.R), shade.EncodeSRGB8(x.Color.G), shade.EncodeSRGB8(x.Color.B)}
	}
	return nil
}

// parts splits the blocks below the title of a document without sections into parts. A part begins at each heading,
// and at a derivation before the first heading. The blocks before the first part are the intro.
func parts(blocks explain.Blocks) (intro explain.Blocks, list []section) {
	list = []section{}
	for _, b := range blocks {
		h, isHeading := b.(explain.Heading)
		_, isDerived := b.(explain.Equations)
		switch {
		case isHeading:
			list = append(list, section{Name: fmt.Sprintf("part%d", len(list)), Title: h.Text})
		case len(list) > 0:
			last := &list[len(list)-1]
			last.Blocks = append(last.Blocks, b)
		case isDerived:
			list = append(list, section{Name: "part0", Title: "The numbers", Blocks: explain.Blocks{b}})
		default:
			intro = append(intro, b)
		}
	}
	return intro, list
}

// sections splits a document into its sections.
func sections(d *explain.Document) []section {
	list := []section{}
	top := len(d.Select().Blocks()) // the title and the blocks directly below it
	for _, name := range explain.Sections() {
		blocks := d.Select(name).Blocks()[top:]
		if len(blocks) == 0 {
			continue
		}
		first := blocks[0].(explain.Heading)
		if first.Section == explain.SectionCamera && name != explain.SectionCamera { // starts the part about the first sample
			blocks = blocks[1:]
			first = blocks[0].(explain.Heading)
		}
		s := section{string(name), sectionTitle(name), sharedRay(blocks), blocks}
		if s.Title == "" {
			s.Title = first.Text
		}
		if s.Title == first.Text {
			s.Blocks = blocks[1:]
		}
		list = append(list, s)
	}
	return list
}

// sharedRay returns the ray that all headings are about, and "" if they are about several or none.
func sharedRay(blocks explain.Blocks) string {
	ray, headings := "", 0
	for _, b := range blocks {
		if h, ok := b.(explain.Heading); ok {
			if headings++; headings > 1 && h.Ray != ray {
				return ""
			}
			ray = h.Ray
		}
	}
	return ray
}

// sectionTitle returns the title of a section that may have several headings: one for each solid, light or mirror ray. It
// returns "" for other sections, whose title is their heading.
func sectionTitle(s explain.Section) string {
	return map[explain.Section]string{
		explain.SectionTree:   "Traversal of the tree",
		explain.SectionTests:  "Tested solids",
		explain.SectionHit:    "Closest hit",
		explain.SectionLights: "Lights",
		explain.SectionMirror: "Mirror",
		explain.SectionColor:  "Color",
	}[s]
}

// lights describes the lights at the first hit of the path.
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
		l := q.light(sections, a.Index)
		l.Fate, l.Blocker = a.Visibility.String(), a.Object
		list = append(list, l)
	}
	return list
}

func (q *question) light(sections []tomltext.Section, number int) light {
	l := light{Light: number, Label: fmt.Sprintf("Light %d", number)}
	s := q.moment.scene
	if len(s.Lights) == 0 {
		l.Label += " (at the eye)"
		return l
	}
	is := s.Lights[number]
	l.Name = is.Name
	kind := "point"
	switch {
	case is.Directional:
		kind = "directional"
	case is.IsSpot():
		kind = "spot"
	}
	if is.Name != "" {
		l.Label += fmt.Sprintf(" %q", is.Name)
	}
	if key, _, ok := s.LightTable(number); ok {
		l.Table = q.tableOf(sections, key)
	}
	if l.Table == nil { // it is in an included file
		l.Label += fmt.Sprintf(" (%s)", kind)
		return l
	}
	line := sort.SearchInts(q.text.lines, q.text.byte(l.Table.From)+1) // the number of lines that start before it
	l.Label += fmt.Sprintf(" (%s, line %d)", kind, line)
	return l
}

// met describes the solids at which the segments of a path end.
func (q *question) met(path []pathSegment) []solid {
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

// segments returns the path projected into the picture.
func (q *question) segments(r *explainRequest) []pathSegment {
	w := &walker{list: []pathSegment{}}
	s := q.moment.scene
	view, err := s.View(q.size.X, q.size.Y)
	if err != nil {
		return w.list // without a camera the path cannot be projected
	}
	w.projection = newProjection(s, view, q.size)
	switch {
	case r.Segment != nil:
		a, b := halves(r.Segment)
		w.addSegment(pathSegment{Kind: kindSegment, Object: accel.None, Light: -1}, a, b)
	case q.path != nil:
		w.path(q.path, q.first, q.pixelCenter(r))
	}
	return w.list
}

// pixelCenter returns the center of the explained pixel; nil for other queries.
func (q *question) pixelCenter(r *explainRequest) *[2]float64 {
	if r.Pixel == nil {
		return nil
	}
	return &[2]float64{float64(r.Pixel[0]) + 0.5, float64(r.Pixel[1]) + 0.5}
}

// walker collects the segments of a path.
type walker struct {
	projection
	list []pathSegment
}

func (w *walker) addSegment(s pathSegment, a, b geom.Vec3) {
	var ok bool
	if s.From, s.To, ok = w.segment(a, b); ok {
		w.list = append(w.list, s)
	}
}

// path adds a ray, and the shadow rays and the mirror ray from its end. A camera ray appears as a point in the
// picture, so it is added as a segment of length 0.
func (w *walker) path(p *follow.Path, kind string, pixel *[2]float64) {
	ray := pathSegment{Kind: kind, Name: explain.RayName(p.Depth, -1), Object: p.Hit.Object, Light: -1, Depth: p.Depth}
	end := w.beyond(p.Ray)
	if p.IsSolid() {
		end = p.Hit.Point
	}
	if kind == kindCamera && pixel != nil {
		ray.From, ray.To = *pixel, *pixel
		w.list = append(w.list, ray)
	} else {
		w.addSegment(ray, p.Ray.Origin, end)
	}
	for i := range p.Lights {
		w.light(p, &p.Lights[i])
	}
	if p.Mirror != nil {
		w.path(p.Mirror, kindMirror, nil)
	}
}

// light adds the shadow ray to a light, up to the point where a solid blocks it.
func (w *walker) light(p *follow.Path, a *follow.LightSample) {
	if a.Visibility == follow.FacesAway || a.Visibility == follow.Outside || a.Dir == (geom.Vec3{}) {
		return
	}
	ray := geom.Ray{Origin: p.Hit.Point, Dir: a.Dir}
	end := ray.At(max(0, min(a.Reach, w.longer)))
	if stop, ok := a.Stop(p.Hit.Point); ok && !a.Visibility.Arrives() {
		end = stop
	}
	s := pathSegment{Kind: kindLight, Name: explain.RayName(p.Depth, a.Index), Fate: a.Visibility.String(), Object: a.Object, Light: a.Index, Depth: p.Depth}
	w.addSegment(s, ray.Origin, end)
}

type diagramRequest struct {
	explainRequest
	drawing
}

// drawing is how a page wants a diagram.
type drawing struct {
	Dark  bool         `json:"dark"`
	Kind  diagram.Kind `json:"kind"`  // of [diagram.Possible]; "": one that suits the explanation
	Shown int          `json:"shown"` // the width in pixels at which only the plot is shown; 0: the whole diagram
}

type diagramAnswer struct {
	SVG     string         `json:"svg"`
	Kind    diagram.Kind   `json:"kind"`
	Kinds   []diagram.Kind `json:"kinds"`   // that can be drawn
	Alt     string         `json:"alt"`     // describes the diagram in a line
	Labels  []diagramLabel `json:"labels"`  // of symbols
	Message string         `json:"message"` // why there is no diagram
}

// diagramLabel is a symbol in a diagram. Coordinates are shares of the diagram's width and height.
type diagramLabel struct {
	Symbol string     `json:"symbol"`
	At     [2]float64 `json:"at"`  // the point that has the symbol
	Box    [4]float64 `json:"box"` // around the label: left, top, width, height
}

// marks returns the symbols among the labels of a diagram. The text of such a label is the symbol, or the symbol and its
// value.
func marks(d *chart.Drawing) []diagramLabel {
	list := []diagramLabel{}
	all := d.Bounds()
	for _, l := range d.Labels() {
		symbol, _, _ := strings.Cut(l.Text, " = ")
		if symbol = strings.Trim(symbol, "|"); strings.Contains(symbol, " ") {
			continue
		}
		x := func(v float64) float64 { return v / all.Width() }
		y := func(v float64) float64 { return v / all.Height() }
		list = append(list, diagramLabel{
			symbol, [2]float64{x(l.At.X), y(l.At.Y)},
			[4]float64{x(l.Box.Min.X), y(l.Box.Min.Y), x(l.Box.Width()), y(l.Box.Height())},
		})
	}
	return list
}

// maxInset limits the number of rays of the small picture in a diagram.
const maxInset = 20_000_000

func (e *Engine) diagram(ctx context.Context, r *diagramRequest) (*diagramAnswer, error) {
	q, err := e.question(ctx, &r.explainRequest)
	if err != nil {
		return nil, err
	}
	a, err := q.diagram(r.drawing)
	if err != nil {
		return nil, err
	}
	return a, context.Cause(ctx)
}

// diagram draws the answer.
func (q *question) diagram(r drawing) (*diagramAnswer, error) {
	if r.Shown < 0 || r.Shown > scene.MaxSide {
		return nil, failure(StatusMalformed, "shown must lie between 0 and %d, got %d", scene.MaxSide, r.Shown)
	}
	s, size := q.moment.scene, image.Pt(400, 150) // at most this size
	_, isPixel := q.explanation.(*explain.Pixel)
	if rays := size.X * size.Y * 4 * (s.Shading.Bounces + 1) * (1 + len(s.Lights)); rays > maxInset && isPixel && r.Shown == 0 {
		return &diagramAnswer{Message: "the scene has too many lights for a diagram here"}, nil
	}
	kinds := diagram.Possible(q.explanation)
	kind := cmp.Or(r.Kind, q.suitedKind(kinds))
	if kind != "" && !slices.Contains(diagram.Kinds(), kind) {
		return nil, failure(StatusMalformed, "there is no diagram %q", kind)
	}
	if kinds == nil {
		kind = ""
	} else if !slices.Contains(kinds, kind) {
		kind = diagram.Solid // the kind that was chosen is not possible for this scene or pixel
	}
	d, err := diagram.Draw(q.explanation, diagram.Options{Dark: r.Dark, Kind: kind, Width: r.Shown})
	if errors.Is(err, diagram.ErrNoSolids) {
		return &diagramAnswer{Message: err.Error()}, nil
	}
	if err != nil {
		return nil, refused("%v", err)
	}
	var b strings.Builder
	if err := d.WriteSVG(&b); err != nil {
		return nil, err
	}
	return &diagramAnswer{SVG: b.String(), Kind: kind, Kinds: kinds, Alt: d.Title, Labels: marks(d)}, nil
}

// suitedKind returns the kind of diagram that suits an explanation, among the kinds that can be drawn. For a point in
// a penumbra, this is the diagram of the part of the light that the point sees. For other points, it is the diagram
// of the solid and the ray.
func (q *question) suitedKind(kinds []diagram.Kind) diagram.Kind {
	if q.path == nil {
		return ""
	}
	partly := slices.ContainsFunc(q.path.Lights, func(a follow.LightSample) bool { return a.Visibility == follow.Partly })
	if partly && slices.Contains(kinds, diagram.Disc) {
		return diagram.Disc
	}
	return diagram.Solid
}
