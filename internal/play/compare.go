package play

import "pillbox/explain"

// compared is the part of an explanation that answers a question, for the shown scene and for the supposed one.
type compared struct {
	Shown    explain.Blocks `json:"shown"`
	Supposed explain.Blocks `json:"supposed"`
}

// derivation returns the part of the explanation that answers a prediction, after the definitions of its symbols.
func (q *question) derivation(p *prediction) explain.Blocks {
	if q.mistaken != nil {
		return q.mistaken.derivation()
	}
	x := q.explanation
	if object, ok := explain.Solid(q.moment.scene, p.Object); ok && p.Object != "" && q.path != nil {
		switch y := x.(type) {
		case *explain.Pixel:
			x = y.WithSolid(object)
		case *explain.Ray:
			x = y.WithSolid(object)
		}
	}
	document := x.Document(explain.Usual)
	if q.path == nil {
		return document.Blocks()[1:]
	}
	top := len(document.Select().Blocks()) // the title and the blocks directly below it
	var list explain.Blocks
	for i, b := range document.Select(deciding(p.Kind)...).Blocks() {
		_, isEquations := b.(explain.Equations)
		_, isHeading := b.(explain.Heading)
		aboutOne := p.Object != "" // whether the ray was tested against the solid decides under which headings its roots are
		if isEquations || i >= top && !(isHeading && aboutOne) {
			list = append(list, b)
		}
	}
	return list
}

// decidingSolid returns the name of the solid whose derivation answers a prediction: the solid of the prediction, or the only
// solid of the scene if the ray hits nothing.
func (q *question) decidingSolid(p *prediction) string {
	s := q.moment.scene
	if p.Kind == predictHit && q.path != nil && !q.path.IsSolid() && s.Objects.Len() == 1 {
		return s.Path(0)
	}
	return p.Object
}

// deciding returns the sections of an explanation that answer a kind of question.
func deciding(kind predictionKind) []explain.Section {
	switch kind {
	case predictCrossings, predictInside, predictPart:
		return []explain.Section{explain.SectionTests, explain.SectionLine}
	case predictHit:
		return []explain.Section{explain.SectionTests, explain.SectionHit, explain.SectionColor, explain.SectionLine}
	case predictLight, predictSky:
		return []explain.Section{explain.SectionHit, explain.SectionLights}
	case predictMirror:
		return []explain.Section{explain.SectionHit, explain.SectionMirror}
	case predictTests:
		return []explain.Section{explain.SectionTree}
	case predictSamples:
		return []explain.Section{explain.SectionSamples, explain.SectionPixel}
	case predictSide:
		return []explain.Section{explain.SectionCamera}
	}
	return []explain.Section{explain.SectionLights, explain.SectionMirror, explain.SectionColor, explain.SectionPixel}
}
