package explain

import (
	"bytes"
	"fmt"
	"slices"

	"pillbox/internal/accel"
	"pillbox/internal/explain/formula"
	"pillbox/internal/follow"
)

// BriefLines is more than a brief explanation has, in 80 columns or more.
const BriefLines = 60

// briefColumns is the width in which it is counted.
const briefColumns = 80

// brevity is how much a brief explanation leaves out of its derivations. It takes the least at which
// it is brief.
type brevity uint8

const (
	inFull      brevity = iota // nothing of what the result depends on
	noNotes                    // what it means, and what the camera is
	winnerFirst                // the formulas' numbers, but for those of the winner
	noNumbers                  // those, too, and how the normal is found: symbol, formula and result remain
	rootsOnly                  // all of the winner but the root and what becomes of it
	mostBrief   = rootsOnly
)

// briefDocument composes a brief explanation of a ray.
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
		w.paragraph(w.summary(x))
		s := &x.Samples[0]
		w.section(2, SectionCamera, "The ray")
		w.shortened(w.rayThrough(x, s), winnerFirst)
		w.end(s.Path)
		w.crossings(s.Path, x.Line)
		w.section(2, SectionPixel, "The pixel")
		w.shortened(w.pixelSteps(x), winnerFirst)
	})
}

func (x *Ray) brief() *Document {
	return x.tracer.briefDocument(func(w *briefWriter) {
		w.heading(1, x.Title())
		w.paragraph(x.summary(&w.writer))
		w.equations(x.raySteps())
		w.end(x.Path)
		w.crossings(x.Path, x.Line)
	})
}

// end derives how the color at the end of a path comes about.
func (w *briefWriter) end(q *follow.Path) {
	if q.Hit.Object == accel.None {
		w.section(2, SectionColor, "Nothing is met")
		w.shortened(w.backgroundSteps(q), winnerFirst)
		return
	}
	w.section(2, SectionHit, "The winner: "+w.label(q.Hit.Object))
	w.shortened(w.winnerSteps(q), noNumbers)
	w.section(2, SectionLights, "Lights")
	w.list(firstOf(w.lightItems(q), "lights"))
	if q.Mirror != nil {
		w.section(2, SectionMirror, "The mirror shows")
		w.list(firstOf(w.mirrorItems(q), "mirror rays"))
	}
	w.section(2, SectionColor, "Color")
	w.shortened(w.colorSteps(q), winnerFirst)
}

// crossings says in a line where the line of a ray crosses a solid that was asked for.
func (w *briefWriter) crossings(q *follow.Path, l *Line) {
	if l == nil || l.Object == q.Hit.Object {
		return
	}
	text := "no crossing"
	at := formula.Apart(formula.Readable, l.Near.T, l.Far.T)
	switch l.Crossings {
	case 1:
		text = "one crossing, t_near = t_far = " + at[0]
	case 2:
		text = fmt.Sprintf("two crossings, t_near = %s and t_far = %s", at[0], at[1])
	}
	w.section(2, SectionLine, w.lineTitle(l))
	w.list([]item{{text: text}})
}

// winnerSteps derives the root that counts, from what it depends on, and the point and the normal there.
func (w *briefWriter) winnerSteps(q *follow.Path) []formula.Step {
	root := "t_near"
	if q.Hit.Inside {
		root = "t_far"
	}
	var steps []formula.Step
	for _, s := range q.Walk.Steps {
		if s.Solid != nil && s.Solid.Object == q.Hit.Object {
			steps = w.test(&q.SecondaryRay, cameraRay, s.Solid)
		}
	}
	verdicts := slices.DeleteFunc(slices.Clone(steps), func(s formula.Step) bool { return s.Verdict != formula.Accepts })
	if w.brevity == rootsOnly {
		steps = slices.DeleteFunc(steps, func(s formula.Step) bool { return s.Symbol != root })
	} else {
		steps = lastOf(steps, root)
	}
	surface := w.surfaceSteps(q)
	if w.brevity >= noNumbers {
		surface = slices.DeleteFunc(surface, func(s formula.Step) bool { return !slices.Contains([]string{"p", "n", "N"}, s.Symbol) })
	}
	return slices.Concat(steps, verdicts, surface)
}

// lastOf returns the steps that the last values of some symbols depend on, and they themselves.
func lastOf(steps []formula.Step, symbols ...string) []formula.Step {
	wanted := map[string]bool{}
	for _, s := range symbols {
		wanted[s] = true
	}
	var out []formula.Step
	for _, s := range slices.Backward(steps) {
		if s.Symbol == "" || !wanted[s.Symbol] {
			continue
		}
		delete(wanted, s.Symbol) // what is defined twice depends on the definition before
		for _, symbol := range s.Symbols() {
			wanted[symbol] = true
		}
		out = append(out, s)
	}
	slices.Reverse(out)
	return out
}

// rayThrough derives the camera ray of a sample.
func (w *briefWriter) rayThrough(x *Pixel, s *Sample) []formula.Step {
	steps := lastOf(w.cameraSteps(x, s), "o", "d")
	if w.brevity == inFull {
		return steps
	}
	return slices.DeleteFunc(steps, func(s formula.Step) bool { return s.Formula == "" && s.Symbol != "o" && s.Symbol != "d" })
}

// pixelSteps derives what the picture shows; the summary has its sRGB.
func (w *briefWriter) pixelSteps(x *Pixel) []formula.Step {
	steps := w.developSteps(x)
	if w.brevity == inFull {
		return steps
	}
	return slices.DeleteFunc(steps, func(s formula.Step) bool { return s.Symbol == "" && s.Formula != "" })
}

// shortened writes steps without what the brevity leaves out: numbers from a given one on.
func (w *briefWriter) shortened(steps []formula.Step, numbersUntil brevity) {
	steps = slices.Clone(steps)
	for i := range steps {
		s := &steps[i]
		if w.brevity >= noNotes && s.Formula != "" && s.Verdict == "" {
			s.Note = ""
		}
		if w.brevity >= numbersUntil {
			s.Numbers = s.Result
		}
	}
	w.equations(steps)
}

// mostItems is how many lights and mirrors have a line each.
const mostItems = 4

// firstOf returns the first items and how many more there are.
func firstOf(items []item, what string) []item {
	if len(items) <= mostItems {
		return items
	}
	return append(slices.Clone(items[:mostItems-1]), item{text: fmt.Sprintf("and %d more %s", len(items)-mostItems+1, what)})
}

// lightItems says in a line each what lights do, those that arrive first.
func (w *briefWriter) lightItems(q *follow.Path) []item {
	var arrive, others []item
	for i := range q.Lights {
		a := &q.Lights[i]
		text := fmt.Sprintf("light %d, ", a.Index)
		switch a.Visibility {
		case follow.Visible:
			text += fmt.Sprintf("N · L = %s: adds E%d = %s", short(a.Cos), a.Index, colorText(a.Irradiance))
			arrive = append(arrive, item{text: text, verdict: formula.Accepts})
			continue
		case follow.FacesAway:
			text += fmt.Sprintf("N · L = %s: the surface faces away", short(a.Cos))
		case follow.Enclosed:
			text += fmt.Sprintf("outside %s, which blocks it from inside", w.label(a.Object))
		case follow.Blocked:
			text += fmt.Sprintf("blocked by %s at %s", w.label(a.Object), short(a.T))
		}
		others = append(others, item{text: text, verdict: formula.Rejects})
	}
	return append(arrive, others...)
}

// mirrorItems says in a line each what mirror rays meet.
func (w *briefWriter) mirrorItems(q *follow.Path) []item {
	var items []item
	for m := q.Mirror; m != nil; m = m.Mirror {
		items = append(items, item{text: fmt.Sprintf("mirror ray %d meets %s and brings back %s", m.Depth, w.meets(m), seen(m))})
	}
	return items
}
