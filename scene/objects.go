package scene

import (
	"math"
	"slices"
	"strings"

	"pillbox/shade"
)

// Object is what a solid has besides its geometry.
type Object struct {
	Name     string // "" if the file gives none
	Material shade.Material
}

// Objects are what the solids of a scene have besides their geometry, by their numbers. They do not change, may be
// copied, and are safe for concurrent use. Where materials repeat, a solid without a name takes eight bytes, and
// none that the garbage collector looks at.
type Objects struct {
	list []object
	tables
	unshared bool // the index of a solid's material is its number
}

// object is an Object as indices of tables.
type object struct {
	name     uint32 // counted from 1; 0: none exists
	material uint32
}

// tables are the names and materials of objects. What parts have in theirs is in the same places in those
// of a scene that is expanded from them.
type tables struct {
	names     []string
	materials []shade.Material
	recent    *recent // once a material is added
}

// NewObjects returns what the solids of a scene that is made in Go have besides their geometry.
func NewObjects(list ...Object) Objects {
	o := Objects{list: make([]object, len(list))}
	for i := range list {
		o.list[i] = object{o.addName(list[i].Name), o.addMaterial(list[i].Material)}
	}
	o.recent = nil
	o.unshare()
	return o
}

// Len returns how many there are.
func (o *Objects) Len() int { return len(o.list) }

// Name returns the name of the solid with the given number, 0 <= number < o.Len(), or "" if it has none.
func (o *Objects) Name(number int) string { return o.name(o.list[number]) }

// Material returns the material of the solid with the given number, 0 <= number < o.Len(). It is not to be modified:
// others may share it.
func (o *Objects) Material(number int) *shade.Material {
	if !o.unshared {
		number = int(o.list[number].material)
	}
	return &o.materials[number]
}

// Materials returns how many materials are stored: several solids may share one, and equal ones may be stored
// several times.
func (o *Objects) Materials() int { return len(o.materials) }

// Of returns what the solid with the given number has, 0 <= number < o.Len().
func (o *Objects) Of(number int) Object { return o.object(o.list[number]) }

// With returns a copy of o in which the solid with the given number has x, 0 <= number < o.Len().
func (o *Objects) With(number int, x Object) Objects {
	list := o.List()
	list[number] = x
	return NewObjects(list...)
}

// List returns what each of the solids has. The slice is the caller's.
func (o *Objects) List() []Object {
	all := make([]Object, o.Len())
	for i := range all {
		all[i] = o.Of(i)
	}
	return all
}

// unshare gives each solid a material of its own, if most have one anyway: an index to look up before each material
// would cost rendering about 20 ns a hit among a million of such solids. Nothing else may have indices of the
// materials.
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

// addName adds a name, or none if it is empty, and returns its index in objects.
func (t *tables) addName(name string) uint32 {
	if name == "" {
		return 0
	}
	t.names = append(t.names, name)
	return uint32(len(t.names))
}

// addMaterial returns the index of a material that was used recently, or else adds it.
func (t *tables) addMaterial(m shade.Material) uint32 {
	if t.recent == nil {
		t.recent = new(recent)
	}
	slot := t.recent.slot(&m)
	if i := int(*slot); i >= len(t.materials) || t.materials[i] != m {
		*slot = uint32(len(t.materials))
		t.materials = append(t.materials, m)
	}
	return *slot
}

// grow makes room for more entries.
func (t *tables) grow(names, materials int) {
	t.names, t.materials = slices.Grow(t.names, names), slices.Grow(t.materials, materials)
}

// join adds the entries of other tables.
func (t *tables) join(more *tables) {
	t.names = append(t.names, more.names...)
	t.materials = append(t.materials, more.materials...)
}

// clipped returns tables that grow without a change to t.
func (t *tables) clipped() tables {
	return tables{names: slices.Clip(t.names), materials: slices.Clip(t.materials)}
}

// joinNames copies the names into one string, so that they do not keep the text around them in memory.
func (t *tables) joinNames() {
	all, start := strings.Join(t.names, ""), 0
	for i, name := range t.names {
		end := start + len(name)
		t.names[i], start = all[start:end], end
	}
}

// recent holds indices of materials that were used recently, by a hash: scenes in which every solid
// has a color of its own are not worth a map, and in most others the materials are few.
type recent [1 << recentBits]uint32

const recentBits = 10

// hashFactor is the factor of hashes: 2^64 / φ. Source: Knuth, "The Art of Computer Programming", volume 3, section 6.4.
const hashFactor = 0x9e3779b97f4a7c15

// slot returns where the index of a material is, if it is there.
func (r *recent) slot(m *shade.Material) *uint32 {
	const odd = 0xc2b2ae3d27d4eb4f // any odd number, so that the order of the channels counts
	h := math.Float64bits(m.Albedo.R)
	h = h*odd + math.Float64bits(m.Albedo.G)
	h = h*odd + math.Float64bits(m.Albedo.B)
	h = h*odd + math.Float64bits(m.Mirror)
	return &r[h*hashFactor>>(64-recentBits)]
}
