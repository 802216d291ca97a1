package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pillbox/internal/geom2"
	"pillbox/internal/ink"
	"pillbox/scene"
)

// reach is the largest distance that texts move to avoid others, in steps of half their size.
const reach = 16

// shifts returns the shifts that are tried to avoid lines and other texts, in steps: the shortest first, and of equally
// long ones upward before downward.
func shifts() []ink.Point {
	var all []ink.Point
	for y := -reach; y <= reach; y++ {
		for x := -reach; x <= reach; x++ {
			if x*x+y*y <= reach*reach {
				all = append(all, ink.Point{X: float64(x), Y: float64(y)})
			}
		}
	}
	length2 := func(p ink.Point) float64 { return float64(p.X*p.X) + float64(p.Y*p.Y) }
	slices.SortStableFunc(all, func(p, q ink.Point) int { return cmp.Compare(length2(p), length2(q)) })
	return all
}

// block is what is moved to a free place: a text, or texts that belong together.
type block struct {
	kind    string    // of its entries
	index   int       // of the annotation, in the scene's list of its kind
	letters geom2.Box // an area that contains it is its background
	room    geom2.Box // the letters and the space around, which lines and the rooms of other blocks stay out of
	size    float64

	// leader returns the ends of the line that will connect the shifted block with its point. It is nil if there is no such line.
	leader func(shift ink.Point) (from, to ink.Point)

	corners []ink.Point // shifts that are tried if no near place is free
}

// block returns the block of a text in the box b.
func (t *lettered) block(b geom2.Box, index int) *block {
	return &block{kind: t.kind, index: index, letters: t.letters(b), room: t.room(b), size: t.size}
}

// later adds a text whose place is found when all lines are drawn. The lines of the text's annotation are those that were
// drawn since there were as many as first. The function fill completes the item of the text.
func (l *layout) later(first int, t *lettered, b geom2.Box, index int, fill func(*item)) {
	l.pending = append(l.pending, pendingText{l.lines[first:len(l.lines):len(l.lines)], func() *item {
		it := l.write(t, b.Moved(l.place(t.block(b, index))), scene.Anchor{})
		it.index = index
		fill(it)
		return it
	}})
}

// placeTogether moves a box with texts and what belongs to them to a free place. Lines and other texts stay out of it and of the space
// around, a multiple of the size of the texts. If no place near the box is free, the box moves to another corner of the picture. If the
// corners are not free either, it stays where it is or, if it would cover other texts there, is not to be drawn: placeTogether returns
// false. Both give a warning.
func (l *layout) placeTogether(kind string, box geom2.Box, around, size float64) (geom2.Box, bool) {
	b := &block{kind: kind, letters: box, room: box.Inset(-float64(around * size)), size: size}
	b.corners = append(l.cornersFor(box.Inset(-float64(margin*size))), l.cornersFor(b.room)...)
	shift, best := l.find(b)
	if best == placeNone && slices.ContainsFunc(l.covered, box.Overlaps) {
		best = placeDropped
	} else {
		l.reserve(b, shift)
	}
	l.warn(b, best)
	return box.Moved(shift), best != placeDropped
}

// cornersFor returns the shifts that move a room to the corners of the picture: the nearest first, and of equally near ones the left
// and the upper one first.
func (l *layout) cornersFor(room geom2.Box) (shifts []ink.Point) {
	p := l.picture()
	for _, x := range [2]float64{math.Ceil(p.Min.X - room.Min.X), math.Floor(p.Max.X - room.Max.X)} { // whole pixels, inside
		for _, y := range [2]float64{math.Ceil(p.Min.Y - room.Min.Y), math.Floor(p.Max.Y - room.Max.Y)} {
			shifts = append(shifts, ink.Point{X: x, Y: y})
		}
	}
	slices.SortStableFunc(shifts, func(p, q ink.Point) int { return cmp.Compare(p.Dot(p), q.Dot(q)) })
	return shifts
}

// obstacle is a part of a line or area that texts avoid.
type obstacle struct {
	part   ink.Part
	bounds geom2.Box
	dotOf  int // the number of the label, from 1, to whose leader the dot belongs; 0 for other obstacles
}

// mostWork limits the work of comparing texts with obstacles: how often the part of an obstacle beside a text is computed. Looking at the
// bounds of several obstacles, such as scanned, counts as one computation, because it takes about as long.
const (
	mostWork = 1 << 27
	scanned  = 4
)

// place reserves the place in the picture that [layout.find] finds for a block, adds a warning unless it is free, and returns how far the
// block moves there.
func (l *layout) place(b *block) ink.Point {
	shift, best := l.find(b)
	l.reserve(b, shift)
	l.warn(b, best)
	return shift
}

// reserve reserves the place of a block that moves by a shift.
func (l *layout) reserve(b *block, shift ink.Point) {
	l.placed = append(l.placed, b.room.Moved(shift))
	l.covered = append(l.covered, b.letters.Moved(shift))
}

// Kinds of places of a block.
const (
	placeDropped = iota // no place is left, and the block is not drawn
	placeNone           // meets other texts or the edge of the picture
	placeOnLine         // meets a line
	placeFree
)

// find returns how far a block moves to a place in the picture, and the kind of the place. It is the nearest place where the block meets
// neither lines nor other texts. If every place meets a line, it is the nearest one where the block meets no other text. If every place
// meets a text, the block stays where it is. The corners of the block come after all other places.
func (l *layout) find(b *block) (shift ink.Point, best int) {
	step := b.size / 2
	near := b.room.Inset(-float64((reach + 1) * step))
	var others []geom2.Box
	for _, o := range l.placed {
		if o.Overlaps(near) {
			others = append(others, o)
		}
	}
	best = placeNone
	try := func(by ink.Point, others []geom2.Box, meetsLine func() bool) bool {
		moved := b.room.Moved(by)
		if !l.picture().Holds(moved) || slices.ContainsFunc(others, moved.Overlaps) {
			return false
		}
		if best == placeNone {
			shift, best = by, placeOnLine
		}
		if meetsLine() || l.leaderMeets(b, by) {
			return false
		}
		shift, best = by, placeFree
		return true
	}
	meetsLine := l.crossed(b, near, step)
	for _, s := range l.shifts {
		if try(s.Scale(step), others, func() bool { return meetsLine(s) }) {
			return shift, best
		}
	}
	for _, s := range b.corners {
		if try(s, l.placed, func() bool { return l.meets(b.room.Moved(s)) }) {
			break
		}
	}
	return shift, best
}

// meets reports whether an obstacle meets a box.
func (l *layout) meets(b geom2.Box) bool {
	l.work += int64(len(l.obstacles)) / scanned
	return slices.ContainsFunc(l.obstacles, func(o obstacle) bool {
		if l.work > mostWork || b.Min.Y > o.bounds.Max.Y || b.Max.Y < o.bounds.Min.Y {
			return false
		}
		l.work++
		from, to := o.part.Across(b.Min.Y, b.Max.Y)
		return from <= b.Max.X && b.Min.X <= to
	})
}

// crossed returns a function that reports whether lines or areas meet the room of a block that is moved by a shift. Areas that hold
// all letters of the unmoved block are its background. Most blocks stay where they are, so the function looks at a row of shifts only when
// it is first asked for one of them.
func (l *layout) crossed(b *block, near geom2.Box, step float64) func(shift ink.Point) bool {
	l.addObstacles()
	l.work += int64(len(l.obstacles)) / scanned
	var around []*obstacle
	for i := range l.obstacles {
		if o := &l.obstacles[i]; o.bounds.Overlaps(near) && !o.holds(b.letters) && !o.belongsTo(b) {
			around = append(around, o)
		}
	}
	var rows [2*reach + 1]uint64 // a bit for each step to the right
	var known [2*reach + 1]bool
	return func(shift ink.Point) bool {
		row := int(shift.Y) + reach
		if !known[row] {
			rows[row], known[row] = l.row(around, b.room.Moved(ink.Point{Y: float64(shift.Y * step)}), step), true
		}
		return rows[row]>>(int(shift.X)+reach)&1 != 0
	}
}

// row returns a bit for each shift to the right with which an obstacle meets a box. If the work exceeds its limit, which a later call
// of err reports, bits are missing.
func (l *layout) row(around []*obstacle, b geom2.Box, step float64) (bits uint64) {
	l.work += int64(len(around)) / scanned
	for _, o := range around {
		if l.work > mostWork {
			return bits
		}
		if b.Min.Y > o.bounds.Max.Y || b.Max.Y < o.bounds.Min.Y {
			continue
		}
		l.work++
		from, to := o.part.Across(b.Min.Y, b.Max.Y)
		first := max(-reach, math.Ceil((from-b.Max.X)/step))
		last := min(reach, math.Floor((to-b.Min.X)/step))
		if first <= last {
			bits |= (1<<(int(last)-int(first)+1) - 1) << (int(first) + reach)
		}
	}
	return bits
}

// addObstacles adds the lines that were drawn since the last call.
func (l *layout) addObstacles() {
	for ; l.avoided < len(l.lines); l.avoided++ {
		l.addObstacle(l.lines[l.avoided], 0)
	}
}

// addObstacle adds a mark that texts avoid. The argument dotOf is that of [obstacle].
func (l *layout) addObstacle(m ink.Mark, dotOf int) {
	ink.Parts(m, func(p ink.Part) {
		o := obstacle{part: p, dotOf: dotOf}
		if o.bounds = p.Bounds(); o.bounds.Overlaps(l.picture()) {
			l.obstacles = append(l.obstacles, o)
		}
	})
}

// belongsTo reports whether the obstacle is the dot of the label whose text is the block.
func (o *obstacle) belongsTo(b *block) bool {
	return b.kind == kindLabel && o.dotOf == b.index+1
}

// holds reports whether the obstacle, which is convex, contains a box.
func (o *obstacle) holds(b geom2.Box) bool {
	if !o.bounds.Holds(b) {
		return false
	}
	for _, y := range [2]float64{b.Min.Y, b.Max.Y} {
		if from, to := o.part.Across(y, y); from > b.Min.X || to < b.Max.X {
			return false
		}
	}
	return true
}

// leaderMeets reports whether the leader of a block that is moved by a shift meets the room of another text.
func (l *layout) leaderMeets(b *block, shift ink.Point) bool {
	if b.leader == nil {
		return false
	}
	from, to := b.leader(shift)
	around := geom2.Nowhere().Include(from, b.size).Include(to, b.size)
	l.work += int64(len(l.placed)) / scanned
	var meets bool
	line := ink.Line{Points: []ink.Point{from, to}, Width: float64(lineWidth * b.size)}
	for _, o := range l.placed {
		if !o.Overlaps(around) {
			continue
		}
		ink.Parts(&line, func(p ink.Part) {
			left, right := p.Across(o.Min.Y, o.Max.Y)
			meets = meets || left < o.Max.X && o.Min.X < right
		})
	}
	return meets
}

// warn adds a warning unless the place of a block is free.
func (l *layout) warn(b *block, place int) {
	var message string
	width, height := b.room.Width(), b.room.Height()
	tooLarge := width > float64(l.Size.X) || height > float64(l.Size.Y)
	switch {
	case place == placeFree || tooLarge && (b.kind == kindTitle || b.kind == kindLabel): // package scene warns about large ones
		return
	case place == placeDropped:
		message = "is not drawn, because it would cover other texts, and neither a place near it nor a corner is free; use a larger picture, a smaller size or fewer annotations"
	case tooLarge:
		message = fmt.Sprintf("is cut: it needs %.0f x %.0f pixels, and the picture has %d x %d", math.Ceil(width), math.Ceil(height), l.Size.X, l.Size.Y)
	case place == placeOnLine:
		message = "a line crosses or nearly touches the text, or its own line another text, because no place near it is free; move the text, or use a smaller size"
	default:
		message = "the text overlaps another text or the edge of the picture, because no place near it is free; move it, or use a smaller size"
	}
	l.flaws = append(l.flaws, scene.AnnotationFlaw{Table: b.kind, Index: b.index, Message: message})
}
