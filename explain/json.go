package explain

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"math/big"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/explain/formula"
	"pillbox/internal/follow"
	"pillbox/shade"
	"pillbox/shapes"
)

//go:embed explain.schema.json
var schema string

// Schema returns the JSON Schema of what [Explanation].JSON returns.
func Schema() []byte { return []byte(schema) }

// version is the version of the JSON format. It increases with changes that can break programs that read the
// format, but not when keys are added.
const version = 1

// head has the first keys of every explanation.
type head struct {
	Version int    `json:"version"`
	Query   string `json:"query"`
}

// sceneHead has the first keys of explanations about a scene.
type sceneHead struct {
	head
	Scene string `json:"scene"`
}

type pixelJSON struct {
	sceneHead
	Size      [2]int    `json:"size"`
	Antialias int       `json:"antialias"`
	Pixel     [2]int    `json:"pixel"`
	Ray       rayJSON   `json:"ray"`
	Hit       *hitJSON  `json:"hit"`
	Color     colorJSON `json:"color"`
	Alpha     uint8     `json:"alpha"`
	Weight    int       `json:"weight"`
	Covered   float64   `json:"covered,omitempty"`

	Rendered    *[4]uint8   `json:"rendered,omitempty"`
	Annotations []layerJSON `json:"annotations,omitempty"`

	Samples []sampleJSON `json:"samples"`
	Line    *lineJSON    `json:"line,omitempty"`
	Steps   []stepJSON   `json:"steps"`
}

// layerJSON describes what an annotation lays over a pixel.
type layerJSON struct {
	Kind    string   `json:"kind,omitempty"`
	Text    string   `json:"text,omitempty"`
	Halo    bool     `json:"halo,omitempty"`
	Color   [3]uint8 `json:"color"`
	Covered float64  `json:"covered"`
	Over    [4]uint8 `json:"over"`
}

type sampleJSON struct {
	Pixel  [2]int     `json:"pixel"`
	Sample [2]int     `json:"sample"`
	Camera []stepJSON `json:"camera,omitempty"`
	pathJSON
}

type rayQueryJSON struct {
	sceneHead
	Toward vectorArray     `json:"toward"`
	Points *pointsFromJSON `json:"points_of,omitempty"`
	pathJSON
	Line *lineJSON `json:"line,omitempty"`
}

// pointsFromJSON identifies a sample of a pixel: the sample whose points on lights and in the sky a ray
// uses.
type pointsFromJSON struct {
	Pixel  [2]int `json:"pixel"`
	Sample int    `json:"sample"`
	Cast   bool   `json:"cast"`
}

// lineJSON is where the line of a ray crosses a solid.
type lineJSON struct {
	solidJSON
	Crossings int           `json:"crossings"`
	Near      *crossingJSON `json:"near"`
	Far       *crossingJSON `json:"far"`
	Steps     []stepJSON    `json:"steps,omitempty"`
}

type crossingJSON struct {
	T      float64     `json:"t"`
	Point  vectorArray `json:"point"`
	Normal vectorArray `json:"normal"`
}

type pathJSON struct {
	Ray        rayJSON       `json:"ray"`
	Hit        *hitJSON      `json:"hit"`
	Color      colorJSON     `json:"color"`
	Seen       bool          `json:"seen"`
	Traversal  traversalJSON `json:"walk"`
	Tests      []testJSON    `json:"tests"`
	Irradiance *colorArray   `json:"irradiance,omitempty"`
	Albedo     *colorArray   `json:"albedo,omitempty"`
	Matte      *colorArray   `json:"matte,omitempty"`
	Occlusion  *skyJSON      `json:"occlusion,omitempty"`
	Lights     []lightJSON   `json:"lights,omitempty"`
	Mirror     *pathJSON     `json:"mirror,omitempty"`
	Fog        *fogJSON      `json:"fog,omitempty"`
	Ghosts     []ghostJSON   `json:"ghosts,omitempty"`
	Behind     *colorArray   `json:"behind,omitempty"`
	Surface    []stepJSON    `json:"surface,omitempty"`
	Steps      []stepJSON    `json:"steps,omitempty"`
}

// fogJSON is the fog before the end of a ray.
type fogJSON struct {
	Depth *finite    `json:"depth"`
	Share float64    `json:"share"`
	Color colorArray `json:"color"`
	Clear colorArray `json:"clear"`
}

type rayJSON struct {
	Origin    vectorArray `json:"origin"`
	Direction vectorArray `json:"direction"`
}

type hitJSON struct {
	solidJSON
	T      float64     `json:"t"`
	Point  vectorArray `json:"point"`
	Normal vectorArray `json:"normal"`
	Inside bool        `json:"inside"`

	Section *sectionJSON `json:"section,omitempty"`
}

// sectionJSON is the section on whose cut face a ray ends. Whole is the part of the ray's line in the whole solid.
type sectionJSON struct {
	Index int        `json:"index"`
	Name  string     `json:"name,omitempty"`
	Whole [2]float64 `json:"whole"`
}

// solidJSON identifies a solid.
type solidJSON struct {
	Object int32  `json:"object"`
	Kind   string `json:"kind"`
	Name   string `json:"name,omitempty"`
}

type colorJSON struct {
	Linear colorArray `json:"linear"`
	SRGB8  [3]uint8   `json:"srgb8"`
}

type traversalJSON struct {
	Nodes   int                 `json:"nodes"`
	Entered int                 `json:"entered"`
	Missed  int                 `json:"missed"`
	Farther int                 `json:"farther"`
	Solids  int                 `json:"solids"`
	Steps   []traversalStepJSON `json:"steps,omitempty"`
}

type traversalStepJSON struct {
	Outcome string      `json:"outcome"`
	Depth   int         `json:"depth"`
	Solids  int         `json:"solids"`
	Min     vectorArray `json:"min"`
	Max     vectorArray `json:"max"`
	T       *finite     `json:"t"`
	Limit   *finite     `json:"limit"`
}

type testJSON struct {
	solidJSON
	Outcome    string     `json:"outcome"`
	Near       *finite    `json:"near"`
	Far        *finite    `json:"far"`
	T          *finite    `json:"t"`
	Inside     bool       `json:"inside"`
	Best       *finite    `json:"best"`
	BestObject *int32     `json:"best_object"`
	Steps      []stepJSON `json:"steps,omitempty"`
}

type lightJSON struct {
	Index     int            `json:"index"`
	Name      string         `json:"name,omitempty"`
	Fate      string         `json:"fate"`
	Toward    vectorArray    `json:"toward"`
	Reach     *finite        `json:"reach"`
	Cos       float64        `json:"cos"`
	Share     *float64       `json:"share,omitempty"`
	Adds      colorArray     `json:"adds"`
	Area      *areaJSON      `json:"area,omitempty"`
	Blocker   *blockerJSON   `json:"blocker"`
	Traversal *traversalJSON `json:"walk,omitempty"`
	Tests     []testJSON     `json:"tests,omitempty"`
	Steps     []stepJSON     `json:"steps,omitempty"`
}

// areaJSON describes how much of a light with a size is visible from a point.
type areaJSON struct {
	Degrees  float64          `json:"degrees"`
	Received float64          `json:"received"`
	Fraction float64          `json:"fraction"`
	Visible  int              `json:"visible"`
	All      int              `json:"all"`
	Points   []visibilityJSON `json:"points,omitempty"`
	Hiders   []hiderJSON      `json:"hiders"`
}

// skyJSON describes how much of the sky is visible from a point.
type skyJSON struct {
	Reach      *finite          `json:"reach"`
	Above      skyPartJSON      `json:"above"`
	Below      skyPartJSON      `json:"below"`
	Directions []visibilityJSON `json:"directions,omitempty"`
	Hiders     []hiderJSON      `json:"hiders"`
}

type skyPartJSON struct {
	Open int `json:"open"`
	All  int `json:"all"`
}

type visibilityJSON struct {
	Toward   vectorArray  `json:"toward"`
	Weight   float64      `json:"weight"`
	HiddenBy *blockerJSON `json:"hidden_by"`
}

type hiderJSON struct {
	solidJSON
	Count   int     `json:"count"`
	Weight  float64 `json:"weight"`
	Nearest float64 `json:"nearest"`
}

type blockerJSON struct {
	solidJSON
	T *finite `json:"t"`
}

type stepJSON struct {
	Symbol  string          `json:"symbol,omitempty"`
	Formula string          `json:"formula,omitempty"`
	Numbers string          `json:"numbers,omitempty"`
	Value   any             `json:"value,omitempty"`
	Note    string          `json:"note,omitempty"`
	Verdict formula.Verdict `json:"verdict,omitempty"`
}

type segmentJSON struct {
	sceneHead
	Segment struct {
		A vectorArray `json:"a"`
		B vectorArray `json:"b"`
	} `json:"segment"`
	Solids []touchJSON `json:"solids"`
}

type touchJSON struct {
	solidJSON
	Touches bool       `json:"touches"`
	Steps   []stepJSON `json:"steps,omitempty"`
}

type pairJSON struct {
	head
	Capsules [2]capsuleJSON `json:"capsules"`
	Relation string         `json:"relation"`
	Exponent int            `json:"exponent"`
	Steps    []stepJSON     `json:"steps"`
}

type capsuleJSON struct {
	Name   string      `json:"name"`
	A      vectorArray `json:"a"`
	B      vectorArray `json:"b"`
	Radius float64     `json:"radius"`
}

type (
	vectorArray [3]float64
	colorArray  [3]float64
)

func arrayOf(v geom.Vec3) vectorArray {
	return vectorArray{unsigned(v.X), unsigned(v.Y), unsigned(v.Z)}
}

func channels(c shade.Color) colorArray { return colorArray{c.R, c.G, c.B} }

// unsigned returns x, and 0 for -0.
func unsigned(x float64) float64 { return x + 0 }

// finite is a number whose JSON is null if it is NaN, infinite or the largest float64 in magnitude.
type finite float64

func (x finite) MarshalJSON() ([]byte, error) {
	if f := float64(x); !(math.Abs(f) < math.MaxFloat64) {
		return []byte("null"), nil
	}
	return json.Marshal(unsigned(float64(x)))
}

func maybe(x float64) *finite {
	f := finite(x)
	return &f
}

// JSON implements [Explanation].
func (x *Pixel) JSON(detail Detail) ([]byte, error) {
	t := x.tracer
	first := x.Samples[0].traced()
	out := pixelJSON{
		sceneHead: t.head("pixel"),
		Size:      [2]int{x.Size.X, x.Size.Y},
		Antialias: x.Antialias,
		Pixel:     [2]int{x.At.X, x.At.Y},
		Ray:       rayOf(first.Ray),
		Hit:       t.hitOf(first),
		Color:     colorJSON{channels(x.Linear), [3]uint8{x.SRGB8.R, x.SRGB8.G, x.SRGB8.B}},
		Alpha:     x.SRGB8.A,
		Weight:    x.Weight,
		Covered:   x.Covered,
		Steps:     jsonSteps(t.averageSteps(x)),
	}
	if len(x.Annotations) > 0 {
		out.Rendered = &[4]uint8{x.Rendered.R, x.Rendered.G, x.Rendered.B, x.Rendered.A}
	}
	for _, l := range x.Annotations {
		out.Annotations = append(out.Annotations, layerJSON{
			l.Kind, l.Text, l.Halo, [3]uint8{l.Color.R, l.Color.G, l.Color.B}, l.Covered, [4]uint8{l.Over.R, l.Over.G, l.Over.B, l.Over.A},
		})
	}
	for i := range x.Samples {
		s := &x.Samples[i]
		j := jsonWriter{Tracer: t, derive: i == 0 || detail == Verbose, detail: detail}
		sample := sampleJSON{Pixel: out.Pixel, Sample: [2]int{s.Column, s.Row}, pathJSON: j.path(s.traced())}
		if j.derive {
			sample.Camera = jsonSteps(t.cameraSteps(x, s))
		}
		out.Samples = append(out.Samples, sample)
	}
	j := jsonWriter{Tracer: t, derive: true, detail: detail}
	out.Line = j.line(first, x.Line)
	return encode(out)
}

// JSON implements [Explanation].
func (x *Ray) JSON(detail Detail) ([]byte, error) {
	j := jsonWriter{Tracer: x.tracer, derive: true, detail: detail}
	var points *pointsFromJSON
	if x.tracer.usesPoints() {
		points = &pointsFromJSON{[2]int{x.At.X, x.At.Y}, x.Sample, x.Cast}
	}
	return encode(rayQueryJSON{x.tracer.head("ray"), arrayOf(x.Toward), points, j.path(x.traced()), j.line(x.traced(), x.Line)})
}

// JSON implements [Explanation].
func (x *Segment) JSON(detail Detail) ([]byte, error) {
	t := x.tracer
	out := segmentJSON{sceneHead: t.head("segment"), Solids: []touchJSON{}}
	out.Segment.A, out.Segment.B = arrayOf(x.A), arrayOf(x.B)
	for _, s := range x.Solids {
		touch := touchJSON{solidJSON: t.solidOf(s.Object), Touches: s.Touches}
		if x.derives(s, detail) {
			touch.Steps = jsonSteps(t.touchSteps(x.Segment, s.Object))
		}
		out.Solids = append(out.Solids, touch)
	}
	return encode(out)
}

// JSON implements [Explanation].
func (x *Pair) JSON(Detail) ([]byte, error) {
	capsule := func(i int) capsuleJSON {
		c := x.Decimals[i]
		return capsuleJSON{x.Names[i], c.P, c.Q, c.R}
	}
	return encode(pairJSON{
		head:     head{version, "capsules"},
		Capsules: [2]capsuleJSON{capsule(0), capsule(1)},
		Relation: x.Relation.String(),
		Exponent: x.Exponent,
		Steps:    jsonSteps(x.steps()),
	})
}

func encode(v any) ([]byte, error) {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("explanation as JSON: %w", err)
	}
	return append(onOneLine(data), '\n'), nil
}

// onOneLine writes each indented array of numbers, such as a vector, on one line. Strings in JSON contain no line
// breaks, so they stay the same.
func onOneLine(data []byte) (out []byte) {
	for {
		array := bytes.Index(data, []byte("[\n"))
		if array < 0 {
			return append(out, data...)
		}
		out, data = append(out, data[:array+1]...), data[array+1:]
		rest := bytes.TrimLeft(data, "-+.0123456789eE, \n")
		if bytes.HasPrefix(rest, []byte("]")) {
			numbers := bytes.Fields(data[:len(data)-len(rest)])
			out, data = append(out, bytes.Join(numbers, []byte(" "))...), rest
		}
	}
}

// jsonWriter composes the JSON about a ray.
type jsonWriter struct {
	*Tracer
	derive bool // includes derivations
	detail Detail
}

func (w *jsonWriter) path(q *follow.Path) pathJSON {
	kind := cameraRay
	if q.Depth > 0 {
		kind = mirrorRay
	}
	listed := 0
	if w.derive {
		listed = manyNodes
	}
	out := pathJSON{
		Ray:       rayOf(q.Ray),
		Hit:       w.hitOf(q),
		Color:     colorJSON{channels(q.Color), encoded(q.Color)},
		Seen:      q.Alpha > 0,
		Traversal: w.traversal(&q.Traversal, listed),
		Tests:     w.tests(&q.SecondaryRay, kind, &q.Traversal, derivedTests(&q.Traversal, w.detail)),
	}
	if f := q.Fog; f != nil {
		out.Fog = &fogJSON{maybe(f.Depth), f.Share, channels(w.prepared.Fog.Color), channels(f.Clear)}
	}
	if out.Ghosts = w.ghosts(q); len(out.Ghosts) > 0 {
		behind := channels(q.Behind)
		out.Behind = &behind
	}
	if q.Hit.Object == accel.None {
		if w.derive {
			out.Steps = jsonSteps(w.backgroundSteps(q))
		}
		return out
	}
	irradiance, albedo, matte := channels(q.Irradiance), channels(q.Albedo), channels(q.Matte)
	out.Irradiance, out.Albedo, out.Matte = &irradiance, &albedo, &matte
	out.Occlusion = w.sky(q.Occlusion)
	for i := range q.Lights {
		out.Lights = append(out.Lights, w.light(q, &q.Lights[i]))
	}
	if q.Mirror != nil {
		mirror := w.path(q.Mirror)
		out.Mirror = &mirror
	}
	if w.derive {
		out.Surface, out.Steps = jsonSteps(w.surfaceSteps(q)), jsonSteps(w.colorSteps(q))
	}
	return out
}

// line returns the JSON of l, or nil if l is nil.
func (w *jsonWriter) line(q *follow.Path, l *Line) *lineJSON {
	if l == nil {
		return nil
	}
	out := &lineJSON{
		solidJSON: w.solidOf(l.Object),
		Crossings: l.Crossings,
		Steps:     jsonSteps(w.lineSteps(q, l, isDerived(&q.Traversal, l.Object, w.detail))),
	}
	if l.Crossings > 0 {
		crossing := func(h shapes.Hit) *crossingJSON {
			return &crossingJSON{unsigned(h.T), arrayOf(q.Ray.At(h.T)), arrayOf(h.Normal)}
		}
		out.Near, out.Far = crossing(l.Near), crossing(l.Far)
	}
	return out
}

// traversal counts the steps of a traversal. It also lists the nodes if there are at most atMost or the explanation is
// verbose.
func (w *jsonWriter) traversal(traversal *follow.Traversal, atMost int) traversalJSON {
	n := traversal.Tally()
	out := traversalJSON{Nodes: n.Nodes, Entered: n.Entered, Missed: n.Missed, Farther: n.Farther + n.Beyond, Solids: n.Solids}
	if w.detail != Verbose && n.Nodes > atMost {
		return out
	}
	for _, s := range traversal.Steps {
		if n := s.Node; n != nil {
			out.Steps = append(out.Steps, traversalStepJSON{
				n.Outcome.String(), n.Depth, n.Solids, arrayOf(n.Bounds.Min), arrayOf(n.Bounds.Max), maybe(n.T), maybe(n.Limit),
			})
		}
	}
	return out
}

// tests returns the outcome for every solid that a ray was tested against. If w.derive is true, it contains the
// derivations of the tests for which the function derives returns true.
func (w *jsonWriter) tests(from *accel.SecondaryRay, kind rayKind, traversal *follow.Traversal, derives func(*accel.SolidStep) bool) []testJSON {
	out := []testJSON{}
	for _, step := range traversal.Steps {
		s := step.Solid
		if s == nil {
			continue
		}
		test := testJSON{
			solidJSON: w.solidOf(s.Object),
			Outcome:   s.Outcome.String(),
			Near:      maybe(s.Near),
			Far:       maybe(s.Far),
			T:         maybe(s.T),
			Inside:    s.Inside,
			Best:      maybe(s.Best),
		}
		if s.BestObject != accel.None {
			test.BestObject = &s.BestObject
		}
		if w.derive && derives(s) {
			test.Steps = jsonSteps(w.test(from, kind, s))
		}
		out = append(out, test)
	}
	return out
}

func (w *jsonWriter) light(q *follow.Path, a *follow.LightSample) lightJSON {
	out := lightJSON{
		Index:  a.Index,
		Fate:   a.Visibility.String(),
		Name:   w.nameOfLight(a.Index),
		Toward: arrayOf(a.Dir),
		Reach:  maybe(a.Reach),
		Cos:    a.Cos,
		Adds:   channels(a.Irradiance),
	}
	if a.Light.IsSpot() && a.Visibility != follow.FacesAway {
		out.Share = &a.Share
	}
	if a.Object != accel.None {
		out.Blocker = &blockerJSON{w.solidOf(a.Object), nil}
		if a.Visibility != follow.Enclosed {
			out.Blocker.T = maybe(a.T)
		}
	}
	if a.Light.HasSize() {
		points := lightPoints(a)
		out.Area = &areaJSON{
			Degrees:  2 * math.Atan2(a.Cap.Sin, a.Cap.Cos) * 180 / math.Pi,
			Received: a.Received,
			Fraction: a.Fraction,
			Visible:  visible(points),
			All:      len(points),
			Points:   w.samples(points),
			Hiders:   w.hiders(points),
		}
	}
	if a.Traversal != nil {
		traversal := w.traversal(a.Traversal, 0)
		from := q.SpawnRay(a.Dir)
		blocks := func(s *accel.SolidStep) bool { return w.detail == Verbose || s.Object == a.Object }
		out.Traversal, out.Tests = &traversal, w.tests(&from, shadowRay, a.Traversal, blocks)
	}
	if w.derive {
		out.Steps = jsonSteps(w.lightSteps(q, a))
	}
	return out
}

// sky returns the JSON of o, or nil if o is nil.
func (w *jsonWriter) sky(o *follow.Occlusion) *skyJSON {
	if o == nil {
		return nil
	}
	directions := skyDirections(o)
	return &skyJSON{
		Reach:      maybe(o.Reach),
		Above:      skyPartJSON{o.Above.Open, o.Above.All},
		Below:      skyPartJSON{o.Below.Open, o.Below.All},
		Directions: w.samples(directions),
		Hiders:     w.hiders(directions),
	}
}

// samples returns the JSON of samples, or nil if the explanation includes no derivations.
func (w *jsonWriter) samples(samples []visibilitySample) []visibilityJSON {
	if !w.derive {
		return nil
	}
	var out []visibilityJSON
	for _, s := range samples {
		j := visibilityJSON{Toward: arrayOf(s.dir), Weight: s.weight}
		if s.object != accel.None {
			j.HiddenBy = &blockerJSON{w.solidOf(s.object), maybe(s.t)}
		}
		out = append(out, j)
	}
	return out
}

func (w *jsonWriter) hiders(samples []visibilitySample) []hiderJSON {
	out := []hiderJSON{}
	for _, h := range hiders(samples) {
		out = append(out, hiderJSON{w.solidOf(h.object), h.count, h.weight, h.nearest})
	}
	return out
}

func (t *Tracer) head(query string) sceneHead {
	return sceneHead{head{version, query}, t.prepared.Scene.Name}
}

func rayOf(r geom.Ray) rayJSON { return rayJSON{arrayOf(r.Origin), arrayOf(r.Dir)} }

func (t *Tracer) solidOf(object int32) solidJSON {
	kind, _ := t.prepared.Scene.Of(int(object))
	return solidJSON{object, kind.String(), t.prepared.Scene.Objects.Name(int(object))}
}

// hitOf returns the JSON of a ray's hit, or nil if the ray hits nothing.
func (t *Tracer) hitOf(q *follow.Path) *hitJSON {
	if q.Hit.Object == accel.None {
		return nil
	}
	return &hitJSON{t.solidOf(q.Hit.Object), q.Hit.T, arrayOf(q.Hit.Point), arrayOf(q.Hit.Normal), q.Hit.Inside, t.faceOf(q)}
}

// faceOf returns the JSON of the section on whose cut face a ray ends, or nil.
func (t *Tracer) faceOf(q *follow.Path) *sectionJSON {
	i, ok := q.Hit.Section()
	if !ok {
		return nil
	}
	whole, _ := t.shape(q.Hit.Object).Span(q.Ray)
	return &sectionJSON{i, t.prepared.Scene.Sections[i].Name, [2]float64{unsigned(whole.Near.T), unsigned(whole.Far.T)}}
}

func encoded(c shade.Color) [3]uint8 {
	return [3]uint8{shade.EncodeSRGB8(c.R), shade.EncodeSRGB8(c.G), shade.EncodeSRGB8(c.B)}
}

// jsonSteps returns the JSON of the visible steps.
func jsonSteps(steps []formula.Step) []stepJSON {
	out := []stepJSON{}
	for _, s := range steps {
		if !s.Hidden() {
			out = append(out, stepJSON{s.Symbol, s.Formula, s.Numbers, jsonValue(s.Value), s.Note, s.Verdict})
		}
	}
	return out
}

// jsonValue returns a value for JSON. Infinities, NaN, and integers, which readers may round, become strings.
func jsonValue(v any) any {
	switch v := v.(type) {
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return fmt.Sprint(v) // +Inf, -Inf or NaN
		}
		return unsigned(v)
	case *big.Int:
		return v.String()
	case []any:
		return []any{jsonValue(v[0]), jsonValue(v[1]), jsonValue(v[2])}
	}
	return v
}
