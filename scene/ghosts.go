package scene

import (
	"errors"
	"fmt"

	"pillbox/internal/keytable"
	"pillbox/internal/tomltext"
	"pillbox/problem"
	"pillbox/shade"
)

const (
	ghostAbout  = "makes a [ghost](#ghosts), which is transparent: where a ray enters the solid, its color is this share of the surface's color and the rest of what lies behind. Greater than 0; 1 is an ordinary surface"
	ghostMirror = "a ghost cannot be a mirror: remove ghost or mirror"
	ghostUnseen = "must be greater than 0: to hide a solid, remove it"
)

// ghostForm is a form for a float64: the share of a ghost.
func ghostForm() keytable.Form {
	f := keytable.NumberForm(keytable.Fractions())
	number := func(t keytable.Table, key string, v any) float64 {
		share := t.Number(key, v, keytable.Fractions())
		if x, ok := keytable.Number(v); ok && x == 0 {
			t.Wrong(key, problem.CodeOutOfRange, ghostUnseen)
		}
		return share
	}
	f.Read = func(t keytable.Table, key string, v any, field any) { *field.(*float64) = number(t, key, v) }
	f.Schema = func() *keytable.Schema {
		s := keytable.NumberIn(keytable.Fractions())
		s.Not = &keytable.Schema{Enum: []any{0}}
		return s
	}
	return f
}

// materialGhostForm is a form for a *shade.Ghost.
func materialGhostForm() keytable.Form {
	f := ghostForm()
	g := f
	g.Read = func(t keytable.Table, key string, v any, field any) {
		var share float64
		f.Read(t, key, v, &share)
		*field.(**shade.Ghost) = ghostOf(share, 0)
	}
	g.Check = func(key string, field any) error {
		if x := (*field.(**shade.Ghost)).Share; !(0 < x && x < 1) {
			return fmt.Errorf("%s: must be greater than 0 and less than 1, got %v", key, x)
		}
		return nil
	}
	g.Text = func(_ *keytable.Writer, field any) string { return tomltext.Number((*field.(**shade.Ghost)).Share) }
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
func (l *loader) checkGhost(t keytable.Table, m *shade.Material) {
	if m.Ghost == nil {
		return
	}
	m.Ghost.Hull = int64(len(l.scene.Materials)) + 1
	if m.Mirror > 0 {
		t.WrongKey("ghost", problem.CodeConflict, ghostMirror)
	}
}

// ghostly returns the index of the material that a solid has if its table states the share of a ghost, which is 0 if it does
// not. surface is the index of its material without this share.
func (l *loader) ghostly(t keytable.Table, surface uint32, share float64) uint32 {
	if share == 0 || int(surface) >= len(l.tables.materials) {
		return surface
	}
	m, hull := &l.tables.materials[surface], int64(0)
	if m.Ghost != nil {
		hull = m.Ghost.Hull
	}
	ghost := ghostOf(share, hull)
	if ghost != nil && m.Mirror > 0 {
		t.WrongKey("ghost", problem.CodeConflict, ghostMirror)
		return surface
	}
	return l.tables.derive(surface, ghost)
}

// withGhost returns the index of a material that differs from another one, with the given index, only in the ghost. A
// mirror stays as it is.
func (t *tables) withGhost(surface uint32, ghost *shade.Ghost) uint32 {
	if t.materials[surface].Mirror > 0 {
		return surface // a ghost cannot be a mirror
	}
	return t.derive(surface, ghost)
}

// shareOf returns the share of a surface in the color: 1 if it is no ghost.
func shareOf(g *shade.Ghost) float64 {
	if g == nil {
		return 1
	}
	return g.Share
}

// errGhostMirror is the error of a placement that makes a mirror a ghost.
var errGhostMirror = errors.New("both a ghost and a mirror: remove ghost or mirror")

// hulls gives the ghosts in the copies of the outermost placements hulls of their own.
type hulls struct {
	copies int64                  // number of copies of outermost placements so far
	index  map[placedGhost]uint32 // indices in the tables of objects, of the materials of the current copy
}

// placedGhost identifies the material of a ghost in a placement.
type placedGhost struct {
	surface uint32  // the index of its material, from the solid or the placement
	ghost   float64 // the share that the solid or the placement states
}

// next begins another copy of an outermost placement.
func (h *hulls) next() {
	h.copies++
	clear(h.index)
}

// of returns the index of the material of a solid in the current copy: the material with the index surface, as a ghost
// with the given share or, if that is 0, with that of the material. It returns an error if the result would be a ghost and
// a mirror.
func (h *hulls) of(t *tables, surface uint32, share float64) (uint32, error) {
	m := &t.materials[surface]
	if m.Ghost == nil && (share == 0 || share == 1) {
		return surface, nil
	}
	if share != 1 && m.Mirror > 0 {
		return 0, errGhostMirror
	}
	k := placedGhost{surface, share}
	if i, known := h.index[k]; known {
		return i, nil
	}
	if share == 0 {
		share = m.Ghost.Share
	}
	hull := h.copies << hullBits
	if m.Ghost != nil {
		hull += m.Ghost.Hull
	}
	i := t.derive(surface, ghostOf(share, hull))
	if h.index == nil {
		h.index = make(map[placedGhost]uint32)
	}
	h.index[k] = i
	return i, nil
}

// hullBits is the number of bits of a hull for the number of a named material. The bits above are for the copy.
const hullBits = 32
