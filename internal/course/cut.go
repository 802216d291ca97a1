package course

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"pillbox/geom"
	"pillbox/shapes"
)

// cutQuestion is a ray and a solid that sections cut. The answer is where the ray's line crosses the surface of what is
// left of the solid.
type cutQuestion struct {
	ray      geom.Ray
	shape    shapes.Shape     // whole
	sections []shapes.Section // element i has the index i
}

// MarshalJSON writes the ray's fields, the solid as an object with its type, and the sections.
func (q *cutQuestion) MarshalJSON() ([]byte, error) {
	type section struct {
		Point  triple `json:"point"`
		Normal triple `json:"normal"`
	}
	sections := make([]section, len(q.sections))
	for i, s := range q.sections {
		sections[i] = section{tripleOf(s.Point), tripleOf(s.Normal)}
	}
	return json.Marshal(struct {
		rayFields
		Solid    solid     `json:"solid"`
		Sections []section `json:"sections"`
	}{rayFieldsOf(q.ray), solid{q.shape}, sections})
}

// cutCrossings is an answer in the stage cut.
type cutCrossings struct {
	Count   int
	T       []float64
	Normals []geom.Vec3 `course:"unit"`
	Faces   []string    // [faceOfSolid] or what [faceOfSection] returns
}

// MarshalJSON encodes the answer as docs/course/protocol.md describes it.
func (c cutCrossings) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Count   int      `json:"count"`
		T       []any    `json:"t"`
		Normals []any    `json:"normals"`
		Faces   []string `json:"faces"`
	}{c.Count, finites(c.T, func(t float64) any { return t }), finites(c.Normals, anyTriple), append([]string{}, c.Faces...)})
}

// faceOfSolid is the name of the part of the surface that also belongs to the whole solid.
const faceOfSolid = "solid"

// faceOfSection returns the name of the cut face along section i. If i is negative, it returns [faceOfSolid].
func faceOfSection(i int) string {
	if i < 0 {
		return faceOfSolid
	}
	return fmt.Sprintf("section %d", i)
}

// cutStage returns the stage about the crossings of a line and a cut solid.
func cutStage() kind {
	return &stageOf[cutQuestion, cutCrossings]{
		asks: cutAsks(), solve: solveCut, read: readCut, judge: judgeCut, derive: deriveCut,
		scale:  func(q *cutQuestion) float64 { return q.leeway() / Leeway },
		slips:  cutSlips(),
		loosen: loosenCut, features: cutFeatures(), pixels: cutPixels(),
		books: books[cutQuestion, cutCrossings]{lesson: cutLesson, styles: solidStyles, run: (*program).cut},
	}
}

const cutLesson = "cut.md"

// solveCut returns where the line crosses the surface of what is left of the solid.
func solveCut(q *cutQuestion) cutCrossings {
	by, removed := shapes.Dissect(q.shape, q.sections)
	if removed {
		return cutCrossings{}
	}
	cut := &shapes.Cut{Whole: q.shape, By: by}
	span, ok := cut.Span(q.ray)
	if !ok {
		return cutCrossings{}
	}
	ends, _ := cut.Ends(q.ray)
	var c cutCrossings
	for i, h := range [...]shapes.Hit{span.Near, span.Far} {
		face := [...]int{ends.In, ends.Out}[i]
		if face >= 0 {
			face = by[face].Index
		}
		c.add(h, face)
		if span.Tangent {
			break
		}
	}
	return c
}

// add adds a crossing. The argument section is the index of the section on whose cut face it lies, or negative.
func (c *cutCrossings) add(h shapes.Hit, section int) {
	c.Count++
	c.T, c.Normals, c.Faces = append(c.T, h.T), append(c.Normals, h.Normal), append(c.Faces, faceOfSection(section))
}

// readCut decodes an answer.
func readCut(q *cutQuestion, r *reader) cutCrossings {
	c := cutCrossings{Count: r.integer("count", 0, 2)}
	why := fmt.Sprintf(" because count is %d", c.Count)
	c.T = r.numbers("t", c.Count, why)
	c.Normals = r.vecs("normals", c.Count, why)
	names := []string{faceOfSolid}
	for i := range len(q.sections) + 1 { // some programs count from 1
		names = append(names, faceOfSection(i))
	}
	c.Faces = r.words("faces", c.Count, why, names...)
	return c
}

// sectionOf returns the place in q.sections of the section that a face belongs to, or -1.
func (q *cutQuestion) sectionOf(face string) int {
	return slices.IndexFunc(q.sections, func(s shapes.Section) bool { return face == faceOfSection(s.Index) })
}

// leeway returns the length by which an answer may be off. It is that of the whole solid, see [leewayOf], unless a section
// has a point that is farther away.
func (q *cutQuestion) leeway() float64 {
	e := leewayOf(q.ray, q.shape)
	for _, s := range q.sections {
		e = max(e, Leeway*max(s.Point.MaxAbs(), s.Point.Sub(q.ray.Origin).Norm()))
	}
	return e
}

// chord returns where the line may cross what is left of the solid, within the leeway.
func (q *cutQuestion) chord() chord {
	return chordWithin(q.ray, q.leeway(), func(by float64) (shapes.Shape, bool) {
		whole, ok := grown(q.shape, by)
		cut := &shapes.Cut{Whole: whole, By: slices.Clone(q.sections)}
		for i := range cut.By {
			s := &cut.By[i]
			s.Point = s.Point.AddScaled(by, s.Normal)
		}
		return cut, ok
	})
}

// judgeCut returns the first error in the crossings of a line and a cut solid, or nil.
func judgeCut(q *cutQuestion, given cutCrossings) *problem {
	want, c := solveCut(q), q.chord()
	if c.refuses(given.Count) {
		return differ("count", strings.ReplaceAll(countWords(given.Count, want.Count), "the solid", "what is left of the solid"), want.Count, given.Count)
	}
	for i, t := range given.T {
		if c.at(i, given.Count).has(t) {
			continue
		}
		var right any
		if i < want.Count {
			right = want.T[i]
		}
		return differ(nth("t", i), fmt.Sprintf("is off by more than the leeway of %.2g", q.leeway()), right, t)
	}
	for i := range given.Count {
		if p := judgeCutFace(q, given, want, i); p != nil {
			return p
		}
	}
	return nil
}

// judgeCutFace returns the first error in the face and the normal of crossing i, whose distance is right, or nil. Where faces
// meet, each of them is right, with its normal.
func judgeCutFace(q *cutQuestion, given, want cutCrossings, i int) *problem {
	var wantFace any
	if i < want.Count {
		wantFace = want.Faces[i]
	}
	n := given.Normals[i]
	right, most := q.normalsOn(given.Faces[i], q.ray.At(given.T[i]), q.leeway())
	if len(right) == 0 {
		return differ(nth("faces", i), "is not the face at t", wantFace, given.Faces[i])
	}
	if !slices.ContainsFunc(right, func(m geom.Vec3) bool { return near(n, m, most) }) {
		return differ(nth("normals", i), normalWords(n, right[0]), tripleAt(want.Normals, i), tripleOf(n))
	}
	return nil
}

// normalsOn returns the outward normals of a face at the point p, and how far an answer may be off. It returns no normals
// if p is not on the face, within a few times the leeway e.
func (q *cutQuestion) normalsOn(face string, p geom.Vec3, e float64) (right []geom.Vec3, most float64) {
	if i := q.sectionOf(face); i >= 0 {
		if s := &q.sections[i]; math.Abs(s.Beyond(p)) <= 4*e {
			right = append(right, s.Normal)
		}
		return right, ulps
	}
	if face != faceOfSolid {
		return nil, ulps
	}
	if b, ok := q.shape.(*shapes.Box); ok {
		return facesAt(b, p, 4*e), ulps
	}
	away, radius := outward(q.shape, p)
	if math.Abs(away.Norm()-radius) <= 4*e {
		right = append(right, away.Unit())
	}
	return right, 4*e/radius + ulps
}

// loosenCut sets parts of a wrong answer to values that [alike] considers equal to anything: the normals and faces of
// crossings at a wrong distance.
func loosenCut(q *cutQuestion, a *cutCrossings) {
	c := q.chord()
	a.Normals, a.Faces = slices.Clone(a.Normals), slices.Clone(a.Faces)
	for i, t := range a.T {
		if !c.possible || !c.near.has(t) && !c.far.has(t) {
			a.Normals[i], a.Faces[i] = anything(), anyFace
		}
	}
}

// deriveCut returns the derivation of a question about a ray and a cut solid.
func deriveCut(q *cutQuestion) Derivation {
	d := deriveLine(&lineQuestion{q.ray, q.shape})
	for _, s := range q.sections {
		d.Stdin += fmt.Sprintf("[[section]]\npoint = %s\nnormal = %s\n", tomlVec(s.Point), tomlVec(s.Normal))
	}
	return d
}

// cutFeatures returns the features of questions about cut solids.
func cutFeatures() []feature[cutQuestion] {
	on := func(f func(c cutCrossings) bool) func(q *cutQuestion) bool {
		return func(q *cutQuestion) bool { return f(solveCut(q)) }
	}
	isCut := func(face string) bool { return face != faceOfSolid }
	divisions := func(f func(all []shapes.Division) bool) func(q *cutQuestion) bool {
		return func(q *cutQuestion) bool {
			var all []shapes.Division
			for i := range q.sections {
				all = append(all, q.sections[i].Divide(q.shape))
			}
			return f(all)
		}
	}
	return append([]feature[cutQuestion]{
		{"the line misses what is left", on(func(c cutCrossings) bool { return c.Count == 0 })},
		{"the line misses the whole solid", func(q *cutQuestion) bool { _, ok := q.shape.Span(q.ray); return !ok }},
		{"the line enters through a section", on(func(c cutCrossings) bool { return c.Count > 0 && isCut(c.Faces[0]) })},
		{"the line leaves through a section", on(func(c cutCrossings) bool { return c.Count > 0 && isCut(c.Faces[c.Count-1]) })},
		{"the line crosses a cut face", on(func(c cutCrossings) bool { return slices.ContainsFunc(c.Faces, isCut) })},
		{"there is one section", func(q *cutQuestion) bool { return len(q.sections) == 1 }},
		{"there are two sections", func(q *cutQuestion) bool { return len(q.sections) == 2 }},
		{"no section cuts the solid", divisions(func(all []shapes.Division) bool { return !slices.Contains(all, shapes.Divided) })},
		{"a section takes the whole solid away", divisions(func(all []shapes.Division) bool { return slices.Contains(all, shapes.Removed) })},
		{"the line is parallel to a section", func(q *cutQuestion) bool {
			return slices.ContainsFunc(q.sections, func(s shapes.Section) bool { return s.Normal.Dot(q.ray.Dir) == 0 })
		}},
		{"the whole solid lies behind the origin", func(q *cutQuestion) bool {
			span, ok := q.shape.Span(q.ray)
			return ok && span.Far.T < 0
		}},
	}, solidFeatures(func(q *cutQuestion) shapes.Shape { return q.shape }, "sphere", "capsule", "box")...)
}

// cutSlips returns the slips of the stage cut: errors with one number or vector of the question or answer.
func cutSlips() []change[cutQuestion, cutCrossings] {
	sections := func(of func(s *shapes.Section) *geom.Vec3) func(q *cutQuestion) []*geom.Vec3 {
		return func(q *cutQuestion) []*geom.Vec3 {
			q.sections = slices.Clone(q.sections)
			var all []*geom.Vec3
			for i := range q.sections {
				all = append(all, of(&q.sections[i]))
			}
			return all
		}
	}
	return append(slipsOf(cutLesson, []input[cutQuestion]{
		{what: "the ray's origin", vector: func(q *cutQuestion) []*geom.Vec3 { return []*geom.Vec3{&q.ray.Origin} }},
		{what: "the direction", vector: func(q *cutQuestion) []*geom.Vec3 { return []*geom.Vec3{&q.ray.Dir} }},
		{what: "a section's point", vector: sections(func(s *shapes.Section) *geom.Vec3 { return &s.Point })},
		{what: "a section's normal", vector: sections(func(s *shapes.Section) *geom.Vec3 { return &s.Normal })},
	}, asking[cutQuestion, cutCrossings]), resultSlips[cutQuestion](cutLesson, []input[cutCrossings]{
		{what: "the normals", vector: func(c *cutCrossings) []*geom.Vec3 { return pointers(c.Normals) }},
		{what: "t", number: func(c *cutCrossings) []*float64 { return pointers(c.T) }},
	})...)
}
