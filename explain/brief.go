package explain

import (
	"bytes"
	"fmt"
	"slices"

	"pillbox/internal/accel"
	"pillbox/internal/explain/formula"
	"pillbox/internal/follow"
)

// BriefLines limits brief explanations: they omit more and more details until they have fewer than
// BriefLines lines in 80 columns. An explanation without further details to omit can be longer.
const BriefLines = 60

// briefColumns is the width, in columns, for which the lines of a brief explanation are counted.
const briefColumns = 80

// brevity is how much a brief explanation omits from its derivations. Each level also omits what
// the previous levels omit. A document uses the first level at which it has fewer than BriefLines
// lines, or else the last level.
type brevity uint8

const (
	inFull      brevity = iota // omits nothing that the result depends on
	noNotes                    // omits the meaning of derived symbols
	noCamera                   // omits how the camera ray is derived
	winnerFirst                // omits the numbers in formulas, except for the closest hit
	noNumbers                  // omits all numbers in formulas, and how the normal is derived
	rootsOnly                  // omits how the root of the closest hit is derived
	noAverage                  // omits how the samples of the pixel are averaged
	mostBrief   = noAverage
)

// briefDocument returns a brief explanation of a ray. It calls the function compose with increasing levels
// of brevity, until the document has fewer than BriefLines lines.
func (t *Tracer) briefDocument(compose func(w *briefWriter)) *Document {
	for b := inFull; ; b++ {
		w := &briefWriter{writer{&Document{}, t, Brief}, b}
		compose(w)
		if b == mostBrief || w.lines() < BriefLines {
			return w.Document
		}
	}
}

// briefWriter composes a brief explanation.
type briefWriter struct {
	writer
	brevity brevity
}

// lines counts the lines of the document.
func (w *briefWriter) lines() int {
	var text bytes.Buffer
	_ = w.WriteText(&text, TextStyle{Columns: briefColumns}) // a buffer has no errors
	return bytes.Count(text.Bytes(), []byte("\n"))
}

func (x *Pixel) brief() *Document {
	return x.tracer.briefDocument(func(w *briefWriter) {
		w.heading(1, x.Title())
		w.answer(x.Samples[0].traced())
		w.paragraph(w.summary(x))
		s := &x.Samples[0]
		w.section(2, SectionCamera, "The ray")
		w.shortened(w.rayThrough(x, s), winnerFirst)
		w.end(s.traced())
		w.crossings(s.traced(), x.Line)
		if w.brevity < noAverage {
			w.section(2, SectionPixel, "The pixel")
			w.shortened(w.pixelSteps(x), winnerFirst)
		}
	})
}

func (x *Ray) brief() *Document {
	return x.tracer.briefDocument(func(w *briefWriter) {
		w.heading(1, x.Title())
		w.answer(x.traced())
		w.paragraph(x.summary(&w.writer))
		w.equations(x.raySteps())
		w.end(x.traced())
		w.crossings(x.traced(), x.Line)
	})
}

// end writes the sections about the closest hit of a path, or about the background: the hit, its lights,
// its mirror rays and its color.
func (w *briefWriter) end(q *follow.Path) {
	if q.Hit.Object == accel.None {
		w.section(2, SectionColor, titleBackground)
		w.shortened(w.backgroundSteps(q), winnerFirst)
		return
	}
	w.section(2, SectionHit, titleHit+w.label(q.Hit.Object))
	w.shortened(w.winnerSteps(q), noNumbers)
	if items := w.lightItems(q); len(items) > 0 { // none in flat colors
		w.section(2, SectionLights, "Lights")
		w.list(firstOf(items, "lights"))
	}
	if q.Mirror != nil {
		w.section(2, SectionMirror, "Mirror rays")
		w.list(firstOf(w.mirrorItems(q), "mirror rays"))
	}
	w.section(2, SectionColor, "Color")
	w.shortened(w.colorSteps(q), winnerFirst)
}

// crossings lists where the line of a ray crosses the solid that the user chose with WithSolid, unless the ray hits
// this solid.
func (w *briefWriter) crossings(q *follow.Path, l *Line) {
	if l == nil || l.Object == q.Hit.Object {
		return
	}
	text := "no crossing"
	at := formula.Apart(formula.Readable, l.Near.T, l.Far.T)
	switch l.Crossings {
	case 1:
		text = "one crossing: the line touches at " + at[0]
	case 2:
		text = fmt.Sprintf("two crossings: the line enters at %s and leaves at %s", at[0], at[1])
	}
	w.section(2, SectionLine, w.lineTitle(l))
	w.list([]Item{{Text: text}})
}

// winnerSteps derives the root of the closest hit, and the point and the normal there.
func (w *briefWriter) winnerSteps(q *follow.Path) []formula.Step {
	root := "t_near"
	if q.Hit.Inside {
		root = "t_far"
	}
	var tested []formula.Step
	for _, s := range q.Traversal.Steps {
		if s.Solid != nil && s.Solid.Object == q.Hit.Object {
			tested = w.test(&q.SecondaryRay, cameraRay, s.Solid)
		}
	}
	isNeeded := neededFor(tested, root)
	if w.brevity >= rootsOnly {
		isNeeded = func(s formula.Step) bool { return s.Symbol == root }
	}
	steps := formula.Keep(tested, func(s formula.Step) bool { return isNeeded(s) || s.Verdict == formula.Accepts })
	surface := w.surfaceSteps(q)
	if w.brevity >= noNumbers {
		surface = formula.Keep(surface, isAnyOf("t", "p", "n", "N"))
	}
	return slices.Concat(steps, surface)
}

// isAnyOf returns a function that reports whether a step defines one of the symbols.
func isAnyOf(symbols ...string) func(formula.Step) bool {
	return func(s formula.Step) bool { return slices.Contains(symbols, s.Symbol) }
}

// neededFor returns a function that reports whether a step in the slice steps is needed to compute the final
// values of the given symbols.
func neededFor(steps []formula.Step, symbols ...string) func(formula.Step) bool {
	wanted := map[string]bool{}
	for _, s := range symbols {
		wanted[s] = true
	}
	type definition struct{ symbol, formula, result string }
	of := func(s formula.Step) definition { return definition{s.Symbol, s.Formula, s.Result} }
	needed := map[definition]bool{}
	for _, s := range slices.Backward(steps) {
		if s.Symbol == "" || !wanted[s.Symbol] || s.Hidden() {
			continue
		}
		delete(wanted, s.Symbol) // an earlier definition is needed only if this formula uses the symbol
		for _, symbol := range s.Symbols() {
			wanted[symbol] = true
		}
		needed[of(s)] = true
	}
	return func(s formula.Step) bool { return needed[of(s)] }
}

// rayThrough derives the camera ray of a sample.
func (w *briefWriter) rayThrough(x *Pixel, s *Sample) []formula.Step {
	steps := w.cameraSteps(x, s)
	if w.brevity < noCamera {
		return steps
	}
	return formula.Keep(steps, isAnyOf("o", "d"))
}

// pixelSteps derives the color of the pixel. Unless the brevity is inFull, it omits the sRGB values,
// which the summary contains.
func (w *briefWriter) pixelSteps(x *Pixel) []formula.Step {
	steps := w.averageSteps(x)
	if w.brevity == inFull {
		return steps
	}
	return formula.Keep(steps, func(s formula.Step) bool { return s.Symbol != "" || s.Formula == "" })
}

// shortened adds steps to the document, without the notes and numbers that the brevity omits. The parameter
// numbersUntil is the first level of brevity that omits the numbers in the formulas of these steps.
func (w *briefWriter) shortened(steps []formula.Step, numbersUntil brevity) {
	steps = slices.Clone(steps)
	for i := range steps {
		s := &steps[i]
		if w.brevity >= noNotes && s.Formula != "" && s.Verdict == "" {
			s.Note = ""
		}
		if w.brevity >= numbersUntil && s.Formula != "" {
			s.Numbers = s.Result
		}
	}
	w.equations(steps)
}

// mostItems is the largest number of lines in a list of lights or mirror rays.
const mostItems = 4

// firstOf returns at most mostItems items. If there are more, the last one states how many are omitted.
func firstOf(items []Item, what string) []Item {
	if len(items) <= mostItems {
		return items
	}
	return append(slices.Clone(items[:mostItems-1]), Item{Text: fmt.Sprintf("and %d more %s", len(items)-mostItems+1, what)})
}

// lightItems describes each light in a line. Lights that are visible come before those that are not.
func (w *briefWriter) lightItems(q *follow.Path) []Item {
	var arrive, others []Item
	for i := range q.Lights {
		a := &q.Lights[i]
		text := fmt.Sprintf("light %d, ", a.Index)
		switch a.Visibility {
		case follow.Visible, follow.Partly:
			if a.Light.HasSize() {
				text += "integrated cosine " + formula.Short(a.Received)
			} else {
				text += "cosine " + formula.Short(a.Cos)
			}
			if a.Share < 1 {
				text += fmt.Sprintf(", %s of its strength", formula.Short(a.Share))
			}
			if a.Visibility == follow.Partly {
				text += fmt.Sprintf(", %s visible (%s), the share %s", visibleText(a), w.hidersText(a), formula.Short(a.Fraction))
			}
			text += ": adds " + colorText(a.Irradiance)
			arrive = append(arrive, Item{Text: text, Verdict: Accepts})
			continue
		case follow.FacesAway:
			text += fmt.Sprintf("cosine %s: the surface faces away from it", formula.Short(a.Cos))
		case follow.Outside:
			text += "whose cone the point is outside of"
		case follow.Enclosed:
			text += fmt.Sprintf("outside %s, which blocks it from inside", w.label(a.Object))
		case follow.Blocked:
			if all := w.blockers(a); len(all) > 1 {
				text += "blocked by " + listed(all, "solids")
			} else {
				text += fmt.Sprintf("blocked by %s at %s", w.label(a.Object), formula.Short(a.T))
			}
		}
		others = append(others, Item{Text: text, Verdict: Rejects})
	}
	return append(arrive, others...)
}

// mirrorItems describes each mirror ray in a line.
func (w *briefWriter) mirrorItems(q *follow.Path) []Item {
	var items []Item
	for m := q.Mirror; m != nil; m = m.Mirror {
		items = append(items, Item{Text: fmt.Sprintf("mirror ray %d hits %s and returns %s", m.Depth, w.meets(m), seen(m))})
	}
	return items
}
