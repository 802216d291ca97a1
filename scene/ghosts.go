package scene

import (
	"errors"
	"fmt"

	"pillbox/shade"
)

const (
	ghostAbout  = "makes a [ghost](#ghosts), which is transparent: where a ray enters the solid, its color is this share of the surface's color and the rest of what lies behind. Greater than 0; 1 is an ordinary surface"
	ghostMirror = "a ghost cannot be a mirror: remove ghost or mirror"
	ghostUnseen = "must be greater than 0: to hide a solid, remove it"
)

// ghostForm is a form for a float64: the share of a ghost.
func ghostForm() form {
	f := numberForm(fractions())
	number := func(t table, key string, v any) float64 {
		share := t.number(key, v, fractions())
		if x, ok := number(v); ok && x == 0 {
			t.wrong(key, CodeOutOfRange, ghostUnseen)
		}
		return share
	}
	f.read = func(t table, key string, v any, field any) { *field.(*float64) = number(t, key, v) }
	f.schema = func() *schema {
		s := numberIn(fractions())
		s.Not = &schema{Enum: []any{0}}
		return s
	}
	return f
}

// materialGhostForm is a form for a *shade.Ghost.
func materialGhostForm() form {
	f := ghostForm()
	g := f
	g.read = func(t table, key string, v any, field any) {
		var share float64
		f.read(t, key, v, &share)
		*field.(**shade.Ghost) = ghostOf(share, 0)
	}
	g.check = func(key string, field any) error {
		if x := (*field.(**shade.Ghost)).Share; !(0 < x && x < 1) {
			return fmt.Errorf("%s: must be greater than 0 and less than 1, got %v", key, x)
		}
		return nil
	}
	g.text = func(_ *tomlWriter, field any) string { return numberText((*field.(**shade.Ghost)).Share) }
	return g
}

// ghostOf returns a ghost with the share that a file states, or nil if the surface is ordinary.
func ghostOf(share float64, hull int64) *shade.Ghost {
	if share == 0 || share == 1 {
		return nil
	}
	return &shade.Ghost{Share: share, Hull: hull}
}

// checkGhost reports a material that is a ghost and a mirror. It numbers the hulls of named ghosts, so that each material
// has a hull of its own.
func (l *loader) checkGhost(t table, m *shade.Material) {
	if m.Ghost == nil {
		return
	}
	m.Ghost.Hull = int64(len(l.scene.Materials)) + 1
	if m.Mirror > 0 {
		t.wrongKey("ghost", CodeConflict, ghostMirror)
	}
}

// ghostly returns the index of the material that a solid has if its table states the share of a ghost, which is 0 if it does
// not. surface is the index of its material without this share.
func (l *loader) ghostly(t table, surface uint32, share float64) uint32 {
	if share == 0 || int(surface) >= len(l.tables.materials) {
		return surface
	}
	m, hull := l.tables.materials[surface], int64(0)
	if m.Ghost != nil {
		hull = m.Ghost.Hull
	}
	if m.Ghost = ghostOf(share, hull); m.Ghost != nil && m.Mirror > 0 {
		t.wrongKey("ghost", CodeConflict, ghostMirror)
		m.Ghost = nil
	}
	return l.tables.addMaterial(m)
}

// withGhost returns the index of a material that differs from another one, with the given index, only in the ghost. A
// mirror stays as it is.
func (t *tables) withGhost(surface uint32, ghost *shade.Ghost) uint32 {
	m := t.materials[surface]
	if m.Mirror > 0 {
		return surface // a ghost cannot be a mirror
	}
	m.Ghost = ghost
	return t.addMaterial(m)
}

// errGhostMirror is the error of a placement whose material is a mirror, for a ghost without a material.
var errGhostMirror = errors.New(ghostMirror)

// hulls gives the ghosts in the copies of the outermost placements hulls of their own.
type hulls struct {
	copies int64                  // number of copies of outermost placements so far
	index  map[placedGhost]uint32 // indices in the tables of objects, of the materials of the current copy
}

// placedGhost identifies the material of a ghost in a placement.
type placedGhost struct {
	own, surface uint32 // indices of its own material and that of the placement, which is the same if the solid has one
}

// next begins another copy of an outermost placement.
func (h *hulls) next() {
	h.copies++
	clear(h.index)
}

// of returns the index of the material of a solid in the current copy. surface is the material that the placement gives to a
// solid without one; for other solids it is the solid's own. An error is returned if the material would be a ghost and a
// mirror.
func (h *hulls) of(t *tables, own, surface uint32) (uint32, error) {
	m, ghost := t.materials[surface], t.materials[own].Ghost
	switch {
	case ghost == nil && m.Ghost == nil:
		return surface, nil
	case ghost == nil:
		ghost = m.Ghost
	case m.Mirror > 0:
		return 0, errGhostMirror
	}
	k := placedGhost{own, surface}
	if i, known := h.index[k]; known {
		return i, nil
	}
	hull := ghost.Hull
	if m.Ghost != nil {
		hull = m.Ghost.Hull
	}
	m.Ghost = &shade.Ghost{Share: ghost.Share, Hull: hull + h.copies<<hullBits}
	i := t.addMaterial(m)
	if h.index == nil {
		h.index = make(map[placedGhost]uint32)
	}
	h.index[k] = i
	return i, nil
}

// hullBits is the number of bits of a hull for the number of a named material. The bits above are for the copy.
const hullBits = 32

// isOfHull reports whether a surface is a ghost of the named material with the given hull, in any placement.
func isOfHull(g *shade.Ghost, named int64) bool { return g != nil && g.Hull&(1<<hullBits-1) == named }
