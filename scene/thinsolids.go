package scene

import (
	"fmt"
	"math"
	"strconv"

	"pillbox/camera"
	"pillbox/problem"
	"pillbox/shapes"
)

// thinSolids warns if adaptive antialiasing loses parts of solids because they are narrower than a pixel. It reports
// the first one and the number of the others.
func (l *loader) thinSolids() {
	s := l.scene
	if !s.Image.Adaptive || s.Image.Antialias < 2 || l.failed() || l.incomplete || s.Moves() {
		return
	}
	view, err := s.View(s.Image.Width, s.Image.Height)
	if err != nil {
		return // the error is reported elsewhere
	}
	seen := frustumOf(view, s.Image.Width, s.Image.Height)
	cuts := s.cutsByNumber(false)
	chunks := make([]cappedList, len(l.valid)/inspected+1)
	l.inParts(func(part, from, to int) {
		for number := from; number < to; number++ {
			k, _ := s.Of(number)
			x := s.Solid(number)
			if _, isCut := cuts[number]; !isCut && !seen.excludes(k.row().ball(x)) && pixelsAcross(view, k, x) < 1 {
				chunks[part].addNumber(number)
			}
		}
	})
	var thin cappedList
	for _, c := range chunks {
		thin.join(c)
	}
	if thin.count == 0 {
		return
	}
	number := thin.first[0]
	k, _ := s.Of(number)
	width := strconv.FormatFloat(pixelsAcross(view, k, s.Solid(number)), 'g', 2, 64)
	message := fmt.Sprintf(`is at most %s pixels wide, and adaptive antialiasing loses parts of what is narrower than 1 pixel: antialias_mode = "full" shows all of it`, width)
	if thin.count > 1 {
		message += fmt.Sprintf(" and of %d more", thin.count-1)
	}
	l.warnOf(number, problem.CodeThin, message)
}

// pixelsAcross returns how many pixels wide a solid is in the picture where it is narrowest, or 1 if it reaches the
// plane of the eye. It is never too small: it assumes the depth at which the solid is nearest, and the largest angle
// between the viewing direction and a ray to the solid, because a perspective picture stretches what is far from its
// center.
func pixelsAcross(view *camera.View, k Kind, x shapes.Shape) float64 {
	center, radius := k.row().ball(x)
	nearest := view.Depth(center) - radius
	if !view.Parallel() && !(nearest > 0) {
		return 1
	}
	if view.Parallel() {
		return k.row().width(x, view.Axes().Z) / view.PixelAt(nearest)
	}
	toward := center.Sub(view.Position())
	distance := toward.Norm()
	// The cosine of the sum of the angle to the ball's center and that between its center and its border.
	cosine, half := view.Depth(center)/distance, radius/distance
	sine := math.Sqrt(max(0, 1-float64(cosine*cosine)))
	farthest := float64(cosine*math.Sqrt(max(0, 1-float64(half*half)))) - float64(sine*half)
	if !(farthest > 0) {
		return 1
	}
	return k.row().width(x, toward.Div(distance)) / (view.PixelAt(nearest) * farthest)
}
