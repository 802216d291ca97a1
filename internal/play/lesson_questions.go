package play

// lessonQuestion is a prediction about an example of a lesson.
type lessonQuestion struct {
	Example    int        `json:"example"` // its number
	Prediction prediction `json:"prediction"`
}

// lessonQuestions returns the questions of each lesson, without answers. Answers are computed for the reader's scene.
func lessonQuestions() map[string][]lessonQuestion {
	about := func(kind predictionKind, object string) prediction { return prediction{Kind: kind, Object: object} }
	supposing := func(p prediction, key string, value any) prediction {
		p.Set = []setting{{key, value}}
		return p
	}
	mistaken := func(mistake string) prediction { return prediction{Kind: predictWrong, Mistake: mistake} }
	return map[string][]lessonQuestion{
		"camera": {
			{0, about(predictSide, "")},
			{0, about(predictHit, "")},
			{2, supposing(about(predictHit, ""), "camera.position", []any{-3, 0, 4})},
		},
		"sphere": {
			{0, about(predictCrossings, "ball")},
			{1, about(predictInside, "ball")},
			{2, about(predictCrossings, "ball")},
			{0, supposing(about(predictCrossings, "ball"), "sphere[0].radius", 0.5)},
		},
		"segment": {
			{0, about(predictTouches, "")},
			{2, about(predictTouches, "")},
			{0, supposing(about(predictTouches, ""), "sphere[0].radius", 2.1)},
		},
		"capsule": {
			{0, about(predictCrossings, "pill")},
			{0, about(predictPart, "pill")},
			{2, about(predictInside, "pill")},
			{0, supposing(about(predictCrossings, "pill"), "capsule[0].b", []any{0, -0.5, 0})},
		},
		"box": {
			{0, about(predictHit, "")},
			{1, about(predictCrossings, "block")},
			{0, supposing(about(predictCrossings, "block"), "box[0].half_extents", []any{2, 0.4, 1})},
		},
		"cylinder": {
			{0, about(predictCrossings, "drum")},
			{3, about(predictCrossings, "drum")},
			{0, supposing(about(predictHit, ""), "cylinder[0].radius", 0.2)},
		},
		"cut": {
			{0, about(predictCrossings, "ball")},
			{2, about(predictHit, "")},
			{0, supposing(about(predictHit, ""), "section[0].point", []any{-1.2, -1.6, 0})},
		},
		"exact": {
			{0, about(predictRelation, "")},
			{1, about(predictRelation, "")},
			{0, supposing(about(predictRelation, ""), "sphere[1].radius", 0.199)},
		},
		"lambert": {
			{0, about(predictLight, "")},
			{0, supposing(about(predictColor, ""), "light[0].direction", []any{0, 0, -1})},
			{0, supposing(about(predictLight, ""), "light[0].direction", []any{0, 0, 1})},
		},
		"shadows": {
			{0, about(predictLight, "")},
			{0, supposing(about(predictLight, ""), "light[0].position", []any{0, 1, 0})},
			{0, supposing(about(predictColor, ""), "light[0].position", []any{4, 5, 0})},
			{4, about(predictLight, "")},
		},
		"penumbra": {
			{0, about(predictLight, "")},
			{2, about(predictLight, "")},
			{3, supposing(about(predictColor, ""), "light[0].radius", 2.0)},
			{4, about(predictSky, "")},
			{4, supposing(about(predictSky, ""), "cylinder[0].radius", 0.5)},
		},
		"mirrors": {
			{0, about(predictHit, "")},
			{0, about(predictMirror, "")},
			{0, supposing(about(predictColor, ""), "shading.bounces", 0)},
		},
		"tree": {
			{0, about(predictHit, "")},
			{0, about(predictTests, "")},
			{1, about(predictTests, "")},
			{2, about(predictTests, "")},
		},
		"traps": {
			{0, mistaken("acne")},
			{0, supposing(mistaken("acne"), "shading.shadows", false)},
			{0, supposing(mistaken("acne"), "box[0].center", []any{0, -0.35, 0})},
			{1, mistaken("epsilon")},
			{2, mistaken("gamma")},
		},
		"antialiasing": {
			{0, about(predictSamples, "")},
			{0, supposing(about(predictColor, ""), "box[0].half_extents", []any{9, 0.6, 1})},
			{0, supposing(about(predictSamples, ""), "box[0].half_extents", []any{9, 4, 1})},
		},
	}
}
