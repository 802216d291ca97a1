package play

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"pillbox/exact"
	"pillbox/explain"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/explain/derive"
	"pillbox/internal/explain/formula"
	"pillbox/internal/follow"
	"pillbox/internal/text"
	"pillbox/internal/tomltext"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes"
)

// prediction is a question about a ray, pixel, segment, pair of capsules or picture, for the reader to answer before the
// explanation. The answer is computed from the scene.
type prediction struct {
	Kind   predictionKind `json:"kind"`
	Object string         `json:"object,omitempty"` // the name of a solid, for crossings and inside
	Light  int            `json:"light,omitempty"`  // the number of a light, for light
	// Mistake is the name of a mistake with which the picture is rendered, for wrong.
	Mistake string    `json:"mistake,omitempty"`
	Set     []setting `json:"set,omitempty"` // a change of the scene that the question supposes
}

// setting is a key of the scene with a value.
type setting struct {
	Key   string `json:"key"`
	Value any    `json:"value"`
}

// predictionKind is the kind of a question.
type predictionKind string

const (
	predictHit       predictionKind = "hit"       // the solid that the ray hits first
	predictCrossings predictionKind = "crossings" // how often the ray's line crosses a solid
	predictPart      predictionKind = "part"      // on which part of a capsule the ray's line enters it
	predictInside    predictionKind = "inside"    // whether the ray starts inside a solid
	predictSide      predictionKind = "side"      // on which side of the picture's center the pixel's ray passes
	predictLight     predictionKind = "light"     // whether a light arrives at the first hit
	predictSky       predictionKind = "sky"       // how much of the sky is open
	predictMirror    predictionKind = "mirror"    // what the mirror shows
	predictColor     predictionKind = "color"     // brighter or darker after the change
	predictTests     predictionKind = "tests"     // how many of the solids the ray is tested against
	predictSamples   predictionKind = "samples"   // whether all samples of the pixel see the same
	predictTouches   predictionKind = "touches"   // how many solids the segment touches
	predictRelation  predictionKind = "relation"  // how two capsules lie relative to each other
	predictWrong     predictionKind = "wrong"     // how many pixels of the picture are wrong with a mistake of the renderer
)

type predictRequest struct {
	explainRequest
	Prediction prediction `json:"prediction"`
	Choice     *int       `json:"choice"` // missing: only ask
}

type predictAnswer struct {
	Given   []string `json:"given"` // the numbers of the scene that the question is about
	Text    string   `json:"text"`  // the question
	Line    *line    `json:"line"`  // the line of the ray, or the segment; nil for other questions
	Choices []choice `json:"choices"`
	Right   *bool    `json:"right,omitempty"`  // of Choice
	Answer  *int     `json:"answer,omitempty"` // the right choice, if the request has one
	Why     string   `json:"why,omitempty"`    // the numbers that decide it, in a sentence, if the request has a choice

	// Compared derives the answer for both scenes, if the request has a choice and supposes a change.
	Compared *compared `json:"compared,omitempty"`

	// Supposed is the text of the scene that the question supposes; "" if it supposes no change.
	Supposed string `json:"supposed,omitempty"`
	// Solid is the name of the solid that the explanation must derive to answer the question; "" if it need not.
	Solid string `json:"solid,omitempty"`
	// Sections are those of the explanation that answer the question, if the request has a choice.
	Sections []explain.Section `json:"sections,omitempty"`
}

// line is a straight line in the picture, in pixels.
type line struct {
	From [2]float64 `json:"from"`
	To   [2]float64 `json:"to"`
}

type choice struct {
	Text   string `json:"text"`
	Object *int32 `json:"object,omitempty"` // the solid that a click on the picture may choose; -1 for no solid
}

// posed is a prediction about a scene, with its answer.
type posed struct {
	text    string
	choices []choice
	answer  int
	why     string // the numbers that decide it, in a sentence
}

func (e *Engine) predict(ctx context.Context, r *predictRequest) (*predictAnswer, error) {
	text := r.Text
	before, err := e.ask(ctx, r)
	if err != nil {
		return nil, err
	}
	after := before
	if len(r.Prediction.Set) > 0 {
		if r.Text, err = applied(ctx, text, r.Prediction.Set); err != nil {
			return nil, err
		}
		if after, err = e.ask(ctx, r); err != nil {
			return nil, err
		}
	}
	if r.Choice != nil {
		if err := compareMistaken(ctx, before, after); err != nil {
			return nil, err
		}
	}
	p, err := pose(&r.Prediction, before, after)
	if err != nil {
		return nil, err
	}
	a := &predictAnswer{Given: before.given(&r.Prediction), Text: supposed(r.Prediction.Set) + p.text, Line: before.line(r), Choices: p.choices}
	if r.Choice != nil {
		if *r.Choice < 0 || *r.Choice >= len(p.choices) {
			return nil, failure(StatusMalformed, "choice must lie between 0 and %d, got %d", len(p.choices)-1, *r.Choice)
		}
		right := *r.Choice == p.answer
		a.Right, a.Answer, a.Why = &right, &p.answer, p.why
		a.Solid, a.Sections = after.decidingSolid(&r.Prediction), deciding(r.Prediction.Kind)
		if len(r.Prediction.Set) > 0 {
			a.Supposed = r.Text
			a.Compared = &compared{before.derivation(&r.Prediction), after.derivation(&r.Prediction)}
		}
	}
	return a, nil
}

// compareMistaken renders the pictures of questions about a mistake of the renderer. It does nothing for other questions.
func compareMistaken(ctx context.Context, before, after *question) error {
	if before.mistaken == nil {
		return nil
	}
	if err := before.mistaken.compare(ctx); err != nil || after == before {
		return err
	}
	return after.mistaken.compare(ctx)
}

// line returns the whole line of the ray in the picture, beyond all solids, or the segment. It returns nil for other
// questions, and if the line lies behind the camera.
func (q *question) line(r *predictRequest) *line {
	view, err := q.moment.scene.View(q.size.X, q.size.Y)
	if err != nil || q.mistaken != nil || r.Ray == nil && r.Segment == nil {
		return nil
	}
	projection := newProjection(q.moment.scene, view, q.size)
	var a, b geom.Vec3
	if r.Segment != nil {
		a, b = halves(r.Segment)
	} else {
		a, b = q.path.Ray.Origin, projection.beyond(q.path.Ray)
	}
	from, to, ok := projection.segment(a, b)
	if !ok {
		return nil
	}
	return &line{from, to}
}

// applied returns a scene's text with the keys in set changed to the given values.
func applied(ctx context.Context, text string, set []setting) (string, error) {
	t := newText(text)
	var changes []tomltext.Change
	for _, s := range set {
		changes = append(changes, tomltext.Change{Path: s.Key, Value: s.Value})
	}
	edits, err := editsFor(ctx, t.bytes, changes)
	if err != nil {
		return "", err
	}
	return string(tomltext.Apply(t.bytes, edits)), nil
}

// supposed returns the sentence that introduces a supposed change, such as "Suppose camera.fov were 60. ", or "" if set
// is empty.
func supposed(set []setting) string {
	sentence := ""
	for i, s := range set {
		sentence += [2]string{"Suppose ", ", and "}[min(i, 1)] + fmt.Sprintf("%s were %s", s.Key, written(s.Value))
	}
	if sentence != "" {
		sentence += ". "
	}
	return sentence
}

// pose returns the question and its answer. Both arguments contain the same query: before is about the scene of the
// text, and after is about the scene with the supposed change.
func pose(p *prediction, before, after *question) (*posed, error) {
	q := after.path
	isRay := q != nil
	switch p.Kind {
	case predictWrong:
		return after.mistaken.pose(), nil
	case predictTouches:
		if x, ok := after.explanation.(*explain.Segment); ok {
			return touches(x), nil
		}
	case predictRelation:
		if x, ok := after.explanation.(*explain.Pair); ok {
			return relation(x), nil
		}
	case predictSamples:
		if x, ok := after.explanation.(*explain.Pixel); ok {
			return samples(x), nil
		}
	case predictSide:
		if x, ok := after.explanation.(*explain.Pixel); ok {
			return side(x), nil
		}
	case predictHit:
		if isRay {
			return after.solidsFor("Which solid does the ray hit first?", q, accel.None), nil
		}
	case predictMirror:
		if isRay && q.Mirror != nil {
			mirror := q.Hit.Object
			if q.Hit.Inside {
				mirror = accel.None // seen from inside, a mirror shows itself
			}
			return after.solidsFor("What does the mirror show here?", q.Mirror, mirror), nil
		}
	case predictTests:
		if isRay {
			return tests(q, after.moment.scene), nil
		}
	case predictColor:
		if isRay && before.path != nil {
			return brighter(before, after), nil
		}
	case predictLight:
		if isRay && p.Light >= 0 && p.Light < len(q.Lights) {
			return after.arrives(&q.Lights[p.Light]), nil
		}
	case predictSky:
		if isRay && q.Occlusion != nil {
			return openSky(q.Occlusion), nil
		}
	case predictPart:
		if object, ok := explain.Solid(after.moment.scene, p.Object); ok && isRay {
			if _, ok := after.moment.scene.Solid(int(object)).(*shapes.Capsule); ok {
				return after.entered(object), nil
			}
		}
	case predictCrossings, predictInside:
		if object, ok := explain.Solid(after.moment.scene, p.Object); ok && isRay {
			return after.crossings(p.Kind, object), nil
		}
	}
	return nil, failure(StatusMalformed, "there is no question %q about this", p.Kind)
}

func choices(texts ...string) []choice {
	list := make([]choice, len(texts))
	for i, t := range texts {
		list[i].Text = t
	}
	return list
}

// mostChoices is the largest number of solids among the choices.
const mostChoices = 8

// solidsFor returns a question whose answer is the solid or the background at the end of a path. The choices are the
// first solids of the scene, the right solid and the background, but not the solid except, which the path cannot hit.
func (q *question) solidsFor(text string, path *follow.Path, except int32) *posed {
	answer := path.Hit.Object
	p := &posed{text: text, why: q.whyNothing()}
	if answer != accel.None {
		p.why = fmt.Sprintf("The closest hit is at t = %s.", brief(path.Hit.T))
	}
	s := q.moment.scene
	objects := []int32{}
	for i := int32(0); int(i) < s.Objects.Len() && len(objects) < mostChoices; i++ {
		if i != except && !s.Objects.IsGhost(int(i)) {
			objects = append(objects, i)
		}
	}
	if answer != accel.None && !slices.Contains(objects, answer) {
		objects[len(objects)-1] = answer
	}
	for _, object := range append(objects, accel.None) {
		name := "none: the background"
		if object != accel.None {
			name = s.Label(int(object))
		}
		if object == answer {
			p.answer = len(p.choices)
		}
		p.choices = append(p.choices, choice{name, &object})
	}
	return p
}

func (q *question) crossings(kind predictionKind, object int32) *posed {
	x, label := q.crossed(object), q.moment.scene.Label(int(object))
	if kind == predictInside {
		isInside := x.Crossings == 2 && x.Near.T < 0 && x.Far.T > 0
		return yesNo(fmt.Sprintf("Does the ray start inside %s?", label), isInside, q.whyCrossed(x))
	}
	return &posed{
		text:    fmt.Sprintf("How often does the line of the ray cross %s?", label),
		choices: choices("never", "once: it touches", "twice"),
		answer:  x.Crossings,
		why:     q.whyCrossed(x),
	}
}

// entered returns the question on which part of a capsule the line of the ray enters it.
func (q *question) entered(object int32) *posed {
	s := q.moment.scene
	parts := derive.CapsuleParts()
	p := &posed{text: fmt.Sprintf("Where does the line of the ray enter %s?", s.Label(int(object))), answer: len(parts)}
	for _, part := range parts {
		p.choices = append(p.choices, choice{Text: "on the " + part})
	}
	p.choices = append(p.choices, choice{Text: "nowhere"})
	d := derive.Ray(q.path.Ray)
	if c := derive.Of(s.Solid(int(object))).Chord(d); c.OK {
		p.answer = slices.Index(parts, c.NearPart)
	}
	p.why = q.whyCrossed(q.crossed(object))
	return p
}

// crossed returns where the line of the ray crosses a solid.
func (q *question) crossed(object int32) *explain.Line {
	if x, ok := q.explanation.(*explain.Pixel); ok {
		return x.WithSolid(object).Line
	}
	return q.explanation.(*explain.Ray).WithSolid(object).Line
}

// whyCrossed states where the line of the ray crosses a solid, or why it does not.
func (q *question) whyCrossed(x *explain.Line) string {
	switch x.Crossings {
	case 1:
		return fmt.Sprintf("The line touches it at t = %s.", brief(x.Near.T))
	case 2:
		return fmt.Sprintf("The line enters it at t = %s and leaves it at t = %s; the ray starts at t = 0.", brief(x.Near.T), brief(x.Far.T))
	}
	whole := q.moment.scene.Solid(int(x.Object))
	if span, ok := whole.Span(q.path.Ray); ok {
		return fmt.Sprintf("The line would cross the whole solid from t = %s to %s, but sections take this part away.", brief(span.Near.T), brief(span.Far.T))
	}
	d := derive.Ray(q.path.Ray)
	derive.Of(whole).Chord(d)
	return whyMissed(d.All())
}

// whyMissed states the comparison that ends a derivation without roots, and the values that it compares.
func whyMissed(steps []formula.Step) string {
	last := steps[len(steps)-1]
	var values []string
	for _, symbol := range last.Symbols() {
		for _, s := range slices.Backward(steps) {
			if s.Symbol == symbol {
				values = append(values, fmt.Sprintf("%s = %s = %s", symbol, s.Numbers, s.Result))
				break
			}
		}
	}
	note, _, _ := strings.Cut(last.Note, ":")
	return fmt.Sprintf("%s, so %s: %s.", strings.Join(values, " and "), last.Formula, note)
}

// whyNothing states why the ray hits no solid.
func (q *question) whyNothing() string {
	s := q.moment.scene
	if n := s.Objects.Len(); n != 1 {
		return fmt.Sprintf("The ray misses all %d solids.", n)
	}
	x := q.crossed(0)
	if x.Crossings == 0 {
		return q.whyCrossed(x)
	}
	return fmt.Sprintf("The line leaves the solid at t = %s, behind the start of the ray.", brief(x.Far.T))
}

func yesNo(text string, yes bool, why string) *posed {
	p := &posed{text: text, choices: choices("yes", "no"), why: why}
	if !yes {
		p.answer = 1
	}
	return p
}

// brief formats a number of an answer.
func brief(x float64) string { return fmt.Sprintf("%.4g", x) }

// arrives returns the question whether a light arrives, and if not, why. It offers only what can happen to this light.
func (q *question) arrives(a *follow.LightSample) *posed {
	p := &posed{text: fmt.Sprintf("Does light %d arrive at the point that the ray hits?", a.Index), why: q.whyLight(a)}
	offer := func(text string, visibilities ...follow.Visibility) {
		if slices.Contains(visibilities, a.Visibility) {
			p.answer = len(p.choices)
		}
		p.choices = append(p.choices, choice{Text: text})
	}
	offer("yes, it arrives", follow.Visible)
	if q.moment.scene.Shading.Shadows {
		offer("no, a solid blocks it", follow.Blocked, follow.Enclosed)
	}
	offer("no, the surface faces away from it", follow.FacesAway)
	if a.Light.IsSpot() {
		offer("no, the point is outside its cone", follow.Outside)
	}
	if a.Light.HasSize() && q.moment.scene.Shading.Shadows {
		offer("in part: solids hide some of it", follow.Partly)
	}
	return p
}

// whyLight states the numbers that decide whether a light arrives.
func (q *question) whyLight(a *follow.LightSample) string {
	switch a.Visibility {
	case follow.FacesAway:
		return fmt.Sprintf("The cosine N · L is %s, not above 0.", brief(a.Cos))
	case follow.Outside:
		off := math.Acos(min(1, max(-1, -a.Dir.Dot(a.Light.Direction)))) * 180 / math.Pi
		return fmt.Sprintf("The point is %s degrees off the axis of the light, and the cone ends at %s.", brief(off), brief(a.Light.Cone.Angle.Degrees()/2))
	case follow.Partly:
		return fmt.Sprintf("The share %s of the light is visible.", brief(a.Fraction))
	case follow.Blocked, follow.Enclosed:
		return fmt.Sprintf("The shadow ray meets %s at t = %s.", q.moment.scene.Label(int(a.Object)), brief(a.T))
	}
	return fmt.Sprintf("The cosine N · L is %s, and no solid blocks the light.", brief(a.Cos))
}

// openSky returns the question in which share of the sampled directions no solid hides the sky.
func openSky(o *follow.Occlusion) *posed {
	p := &posed{text: "How much of the sky is open above the point that the ray hits?", choices: choices("all of it", "more than 60 %", "about half", "less than 40 %")}
	open := o.Above.Open + o.Below.Open
	share := float64(open) / float64(len(o.Samples))
	p.why = fmt.Sprintf("%d of %d directions are open, the share %s.", open, len(o.Samples), brief(share))
	switch {
	case share == 1:
	case share > 0.6:
		p.answer = 1
	case share >= 0.4:
		p.answer = 2
	default:
		p.answer = 3
	}
	return p
}

// brighter returns the question whether the color of the pixel or ray gets brighter, gets darker or stays the same. It
// compares the luminances of the two colors.
func brighter(before, after *question) *posed {
	p := &posed{text: "What becomes of the color that the ray sees?", choices: choices("it gets brighter", "it gets darker", "it stays the same")}
	if _, ok := after.explanation.(*explain.Pixel); ok {
		p.text = "What becomes of the color of the pixel?"
	}
	a, b := before.linear(), after.linear()
	was, is := a.Luminance(), b.Luminance()
	switch {
	case is < was:
		p.answer = 1
	case is == was:
		p.answer = 2
	}
	p.why = fmt.Sprintf("In linear light, it was (%s, %s, %s) and becomes (%s, %s, %s): the luminance was %s and becomes %s.",
		brief(a.R), brief(a.G), brief(a.B), brief(b.R), brief(b.G), brief(b.B), brief(was), brief(is))
	return p
}

// linear returns the color of the pixel or ray in linear light. The question must be about one of them.
func (q *question) linear() shade.Color {
	if x, ok := q.explanation.(*explain.Pixel); ok {
		return x.Linear
	}
	return q.path.Color
}

// The function tests returns the question how many of the solids a ray is tested against: up to a quarter, up to
// half, or more.
func tests(q *follow.Path, s *scene.Scene) *posed {
	tested := q.Traversal.Tally().Solids
	all := s.Objects.Len()
	p := &posed{
		text:    fmt.Sprintf("The scene has %d solids. Against how many of them is the ray tested?", all),
		choices: choices("up to a quarter", "up to half", "more than half"),
		why:     fmt.Sprintf("It is tested against %d of %d.", tested, all),
	}
	switch {
	case 2*tested > all:
		p.answer = 2
	case 4*tested > all:
		p.answer = 1
	}
	return p
}

func samples(x *explain.Pixel) *posed {
	seen := map[shade.Color]int{}
	for _, s := range x.Samples {
		seen[s.Color]++
	}
	why := fmt.Sprintf("They see %s.", text.Count(len(seen), "color"))
	return yesNo(fmt.Sprintf("Do all %d samples of the pixel see the same color?", len(x.Samples)), len(seen) == 1, why)
}

// The function side returns the question whether the ray of a pixel leads to the left or to the right of the
// picture's center.
func side(x *explain.Pixel) *posed {
	p := &posed{text: "Where does the ray of this pixel lead?", choices: choices("left of the picture's center", "right of it", "straight ahead, neither left nor right")}
	across := x.Samples[0].Ray.Dir.Dot(follow.Of(x.Prepared()).View.Axes().X)
	p.why = fmt.Sprintf("Along the camera's axis to the right, its direction has the component %s.", brief(across))
	switch {
	case across > 0:
		p.answer = 1
	case across == 0:
		p.answer = 2
	}
	return p
}

func touches(x *explain.Segment) *posed {
	p := &posed{text: fmt.Sprintf("How many of the %d solids does the segment touch?", len(x.Solids))}
	for i := range len(x.Solids) + 1 {
		if p.choices = append(p.choices, choice{Text: fmt.Sprint(i)}); i == mostChoices {
			p.choices[i].Text = "more"
			break
		}
	}
	n := 0
	for _, s := range x.Solids {
		if s.Touches {
			n++
		}
	}
	p.answer = min(n, mostChoices)
	p.why = fmt.Sprintf("It touches %d of %d.", n, len(x.Solids))
	return p
}

func relation(x *explain.Pair) *posed {
	relations := []exact.Relation{exact.Apart, exact.Touching, exact.Overlapping}
	p := &posed{text: fmt.Sprintf("How do %s and %s lie?", x.Names[0], x.Names[1])}
	for _, r := range relations {
		p.choices = append(p.choices, choice{Text: r.String()})
	}
	p.answer = slices.Index(relations, x.Relation)
	for _, step := range x.Steps() {
		if step.Formula != "" && strings.HasSuffix(step.Note, x.Relation.String()) {
			p.why = fmt.Sprintf("In units of %s, %s: %s.", x.Unit(), strings.TrimSuffix(step.Note, ": "+x.Relation.String()), step.Numbers)
		}
	}
	return p
}
