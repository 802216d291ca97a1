package scene

import (
	"maps"
	"math"
	"slices"
	"strings"

	"pillbox/shade"
)

// Object holds the properties of a solid other than its geometry.
type Object struct {
	Name     string // "" if the file gives none
	Material shade.Material
}

// Objects holds an [Object] for each solid of a scene, by object number. It is immutable, may be
// copied, and is safe for concurrent use. It is compact: if materials repeat, a solid without a name
// takes eight bytes, without pointers for the garbage collector.
type Objects struct {
	list []object
	tables
	unshared bool // whether the index of each solid's material is its object number
}

// object is an [Object] as indices in tables.
type object struct {
	name     uint32 // index counted from 1, or 0 for no name
	material uint32
}

// tables hold the names and materials of objects. All parts of a scene share one tables value. The tables of the
// expanded scene begin with the entries of this value. So an object of a part has the same two indices in the
// expanded scene.
type tables struct {
	names     []string
	materials []shade.Material
	owned     owned   // materials that no other ones are merged with
	ghosts    bool    // whether any material is a ghost
	recent    *recent // nil before the first material is added and after the last
}

// NewObjects returns the objects for a scene made in Go, one for each solid in the order of the object
// numbers.
func NewObjects(list ...Object) Objects {
	o := Objects{list: make([]object, len(list))}
	for i := range list {
		o.list[i] = object{o.addName(list[i].Name), o.addMaterial(list[i].Material)}
	}
	o.recent = nil
	o.unshare()
	return o
}

// Len returns the number of objects.
func (o *Objects) Len() int { return len(o.list) }

// Name returns the name of the solid with the given number, 0 <= number < o.Len(), or "" if it has none.
func (o *Objects) Name(number int) string { return o.name(o.list[number]) }

// Material returns the material of the solid with the given number, 0 <= number < o.Len(). Do not
// modify it: other solids may share it.
func (o *Objects) Material(number int) *shade.Material {
	if !o.unshared {
		number = int(o.list[number].material)
	}
	return &o.materials[number]
}

// HasGhosts reports whether any stored material is a ghost.
func (o *Objects) HasGhosts() bool { return o.ghosts }

// IsGhost reports whether the solid with the given number is a ghost, 0 <= number < o.Len().
func (o *Objects) IsGhost(number int) bool { return o.ghosts && o.Material(number).Ghost != nil }

// Materials returns the number of stored materials. Solids may share a material, and equal materials
// may be stored several times.
func (o *Objects) Materials() int { return len(o.materials) }

// Of returns the object with the given number, 0 <= number < o.Len().
func (o *Objects) Of(number int) Object { return o.object(o.list[number]) }

// With returns a copy of o in which the object with the given number is x, 0 <= number < o.Len().
func (o *Objects) With(number int, x Object) Objects {
	list := o.List()
	list[number] = x
	return NewObjects(list...)
}

// List returns all objects. The caller owns the slice.
func (o *Objects) List() []Object {
	all := make([]Object, o.Len())
	for i := range all {
		all[i] = o.Of(i)
	}
	return all
}

// unshare stores materials so that the index of each solid's material is the solid's object number. It does so only
// if most solids have different materials anyway. This saves looking up an index, which takes about 20 ns per hit
// in a scene of a million such solids. Nothing else may refer to materials by index.
func (o *Objects) unshare() {
	if len(o.materials) <= o.Len()/2 {
		return
	}
	own := make([]shade.Material, o.Len())
	for i := range own {
		own[i] = o.materials[o.list[i].material]
		o.list[i].material = uint32(i)
	}
	o.materials, o.unshared = own, true
}

func (t *tables) name(o object) string {
	if o.name == 0 {
		return ""
	}
	return t.names[o.name-1]
}

func (t *tables) object(o object) Object { return Object{t.name(o), t.materials[o.material]} }

// addName adds a name and returns its index for an object: 0 if the name is empty.
func (t *tables) addName(name string) uint32 {
	if name == "" {
		return 0
	}
	t.names = append(t.names, name)
	return uint32(len(t.names))
}

// addMaterial returns the index of an equal material that was added recently, or adds the material.
func (t *tables) addMaterial(m shade.Material) uint32 {
	if t.recent == nil {
		t.recent = new(recent)
	}
	slot := t.recent.slot(&m)
	t.ghosts = t.ghosts || m.Ghost != nil
	if i := int(*slot); i >= len(t.materials) || t.materials[i] != m || t.owned.has(*slot) {
		*slot = uint32(len(t.materials))
		t.materials = append(t.materials, m)
	}
	return *slot
}

// ownMaterial adds a material and returns its index, which no other material gets, even if it is equal.
func (t *tables) ownMaterial(m shade.Material) uint32 {
	i := t.appendMaterial(m)
	t.owned.addMaterial(i, i)
	return i
}

// derive returns the index of a material that differs from the one with the given index only in the ghost. If that one is
// owned, so is the result.
func (t *tables) derive(from uint32, ghost *shade.Ghost) uint32 {
	m := t.materials[from]
	m.Ghost = ghost
	named, isOwned := t.owned.named[from]
	if !isOwned {
		return t.addMaterial(m)
	}
	k := derivation{named, m.Surface()}
	if i, known := t.owned.derived[k]; known {
		return i
	}
	i := t.appendMaterial(m)
	t.owned.addMaterial(i, named)
	t.owned.derived[k] = i
	return i
}

func (t *tables) appendMaterial(m shade.Material) uint32 {
	t.ghosts = t.ghosts || m.Ghost != nil
	t.materials = append(t.materials, m)
	return uint32(len(t.materials) - 1)
}

// grow makes room for more entries.
func (t *tables) grow(names, materials int) {
	t.names, t.materials = slices.Grow(t.names, names), slices.Grow(t.materials, materials)
}

// join appends the entries of other tables.
func (t *tables) join(more *tables) {
	t.names = append(t.names, more.names...)
	t.materials = append(t.materials, more.materials...)
	t.ghosts = t.ghosts || more.ghosts
}

// clipped returns tables with the entries of t. Appending to them does not modify t.
func (t *tables) clipped() tables {
	return tables{names: slices.Clip(t.names), materials: slices.Clip(t.materials), owned: t.owned.clone(), ghosts: t.ghosts}
}

// owned are materials by which solids can be found: those that have a name and those derived from them.
type owned struct {
	named   map[uint32]uint32 // for the index of each, that of the material with the name
	derived map[derivation]uint32
}

// derivation identifies a material that is derived from the one with the index named.
type derivation struct {
	named   uint32
	surface shade.Surface
}

// addMaterial adds the material with the index i, which is derived from the one with the index named, or is this one.
func (o *owned) addMaterial(i, named uint32) {
	if o.named == nil {
		o.named, o.derived = make(map[uint32]uint32), make(map[derivation]uint32)
	}
	o.named[i] = named
}

func (o *owned) has(i uint32) bool {
	_, has := o.named[i]
	return has
}

func (o *owned) clone() owned { return owned{maps.Clone(o.named), maps.Clone(o.derived)} }

// joinNames copies the names to one string, so that they do not keep the text of the file in memory.
func (t *tables) joinNames() {
	all, start := strings.Join(t.names, ""), 0
	for i, name := range t.names {
		end := start + len(name)
		t.names[i], start = all[start:end], end
	}
}

// recent is a small cache of the indices of materials, by hash. A map of all materials would be slow in
// scenes in which every solid has a color of its own, and most other scenes have few materials.
type recent [1 << recentBits]uint32

const recentBits = 10

// hashFactor is the factor of hashes: 2^64 / φ. Source: Knuth, "The Art of Computer Programming", volume 3, section
// 6.4.
const hashFactor = 0x9e3779b97f4a7c15

// slot returns the entry for a material. Its index may be that of another material.
func (r *recent) slot(m *shade.Material) *uint32 {
	const odd = 0xc2b2ae3d27d4eb4f // any odd number, so that the hash depends on the order of the channels
	h := math.Float64bits(m.Albedo.R)
	h = h*odd + math.Float64bits(m.Albedo.G)
	h = h*odd + math.Float64bits(m.Albedo.B)
	h = h*odd + math.Float64bits(m.Mirror)
	return &r[h*hashFactor>>(64-recentBits)]
}
