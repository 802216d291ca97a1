package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

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
	kind   string // of its entries
	index  int    // of the annotation among those of its kind in the scene
	glyphs box    // from the top of the capitals to the baseline; leaders of other texts stay out of it
	box    box    // in which there are to be no lines
	room   box    // which other texts stay out of
	size   float64

	// leader returns the ends of the line that will connect the moved block with its point. It is nil if there is no such line.
	leader func(moved box) (from, to ink.Point)
}

// block returns the block of a text in the box b.
func (t *lettered) block(b box, index int) *block {
	lines := b
	lines.max.Y += float64(descent * t.size)
	return &block{kind: t.kind, index: index, glyphs: b, box: lines, room: t.room(b), size: t.size}
}

// later adds a text whose place is found when all lines are drawn. The lines of the text's annotation are those that were
// drawn since there were as many as first. The function fill completes the item of the text.
func (l *layout) later(first int, t *lettered, b box, index int, fill func(*item)) {
	l.pending = append(l.pending, pendingText{l.lines[first:len(l.lines):len(l.lines)], func() *item {
		it := l.write(t, b.moved(l.place(t.block(b, index))), scene.Anchor{})
		it.index = index
		fill(it)
		return it
	}})
}

// placedText is the place of a block: its boxes in the picture.
type placedText struct{ glyphs, room box }

// obstacle is a part of a line or area that texts avoid.
type obstacle struct {
	part   ink.Part
	bounds box
}

// mostWork limits how many rows of shifts are compared with obstacles.
const mostWork = 1 << 27

// place reserves the nearest place for a block where it meets no line and no other text, and does not leave the picture.
// It returns how far the block moves there. If there is no such place, place adds a warning. Then the block has a place where
// it meets lines but no texts, or does not move if there is none either.
func (l *layout) place(b *block) ink.Point {
	step := b.size / 2
	near := b.room.grown(float64((reach + 1) * step))
	var others []box
	for _, o := range l.placed {
		if o.room.overlaps(near) {
			others = append(others, o.room)
		}
	}
	meetsLine := l.crossed(b, near, step)
	shift, best := ink.Point{}, placeNone
	for _, s := range l.shifts {
		moved := b.room.moved(s.Scale(step))
		if !l.picture().holds(moved) || slices.ContainsFunc(others, moved.overlaps) {
			continue
		}
		if best == placeNone {
			shift, best = s.Scale(step), placeOnLine
		}
		if !meetsLine.has(s) && !l.leaderMeets(b, s.Scale(step)) {
			shift, best = s.Scale(step), placeFree
			break
		}
	}
	l.placed = append(l.placed, placedText{b.glyphs.moved(shift), b.room.moved(shift)})
	l.warn(b, best)
	return shift
}

// Kinds of places of a block.
const (
	placeNone   = iota // meets other texts or the edge of the picture
	placeOnLine        // meets a line
	placeFree
)

// rows holds a bit for each shift: a row for each step down, and in it a bit for each step to the right.
type rows [2*reach + 1]uint64

func (r *rows) has(s ink.Point) bool { return r[int(s.Y)+reach]>>(int(s.X)+reach)&1 != 0 }

// crossed returns the shifts with which lines or areas meet a block. Areas that hold the whole unmoved block are its
// background.
func (l *layout) crossed(b *block, near box, step float64) (all rows) {
	l.addObstacles()
	l.work += int64(len(l.obstacles) / 16)
	for i := range l.obstacles {
		o := &l.obstacles[i]
		if !o.bounds.overlaps(near) || o.holds(b.box) {
			continue
		}
		for y := -reach; y <= reach; y++ {
			down := float64(float64(y) * step)
			top, bottom := b.box.min.Y+down, b.box.max.Y+down
			if top > o.bounds.max.Y || bottom < o.bounds.min.Y {
				continue
			}
			l.work++
			from, to := o.part.Across(top, bottom)
			first := max(-reach, math.Ceil((from-b.box.max.X)/step))
			last := min(reach, math.Floor((to-b.box.min.X)/step))
			if first <= last {
				all[y+reach] |= (1<<(int(last)-int(first)+1) - 1) << (int(first) + reach)
			}
		}
		if l.work > mostWork {
			return all // a later call of err reports it
		}
	}
	return all
}

// addObstacles adds the lines that were drawn since the last call.
func (l *layout) addObstacles() {
	for ; l.avoided < len(l.lines); l.avoided++ {
		ink.Parts(l.lines[l.avoided], func(p ink.Part) {
			o := obstacle{part: p}
			if o.bounds.min, o.bounds.max = p.Bounds(); o.bounds.overlaps(l.picture()) {
				l.obstacles = append(l.obstacles, o)
			}
		})
	}
}

// holds reports whether the obstacle, which is convex, contains a box.
func (o *obstacle) holds(b box) bool {
	if !o.bounds.holds(b) {
		return false
	}
	for _, y := range [2]float64{b.min.Y, b.max.Y} {
		if from, to := o.part.Across(y, y); from > b.min.X || to < b.max.X {
			return false
		}
	}
	return true
}

// leaderMeets reports whether the leader of a block that is moved by a shift meets another text.
func (l *layout) leaderMeets(b *block, shift ink.Point) bool {
	if b.leader == nil {
		return false
	}
	from, to := b.leader(b.glyphs.moved(shift))
	around := box{ink.Point{X: min(from.X, to.X), Y: min(from.Y, to.Y)}, ink.Point{X: max(from.X, to.X), Y: max(from.Y, to.Y)}}
	l.work += int64(len(l.placed) / 16)
	var meets bool
	line := ink.Line{Points: []ink.Point{from, to}, Width: float64(lineWidth * b.size)}
	for _, o := range l.placed {
		if !o.glyphs.overlaps(around.grown(b.size)) {
			continue
		}
		ink.Parts(&line, func(p ink.Part) {
			left, right := p.Across(o.glyphs.min.Y, o.glyphs.max.Y)
			meets = meets || left < o.glyphs.max.X && o.glyphs.min.X < right
		})
	}
	return meets
}

// warn adds a warning unless the place of a block is free.
func (l *layout) warn(b *block, place int) {
	message := ""
	width, height := b.room.max.X-b.room.min.X, b.room.max.Y-b.room.min.Y
	tooLarge := width > float64(l.Size.X) || height > float64(l.Size.Y)
	switch {
	case place == placeFree || tooLarge && (b.kind == kindTitle || b.kind == kindLabel): // package scene warns about large ones
		return
	case tooLarge:
		message = fmt.Sprintf("is cut: it needs %.0f x %.0f pixels, and the picture has %d x %d", math.Ceil(width), math.Ceil(height), l.Size.X, l.Size.Y)
	case place == placeOnLine:
		message = "a line crosses the text, because no place near it is free; move the text, or use a smaller size"
	default:
		message = "the text overlaps another text or the edge of the picture, because no place near it is free; move it, or use a smaller size"
	}
	l.flaws = append(l.flaws, scene.AnnotationFlaw{Table: b.kind, Index: b.index, Message: message})
}
