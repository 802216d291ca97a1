package scene

import (
	"math"
	"slices"
	"sync"
	"unicode/utf8"

	"pillbox/geom"
	"pillbox/internal/keytable"
	"pillbox/internal/tomltext"
	"pillbox/shade"
	"pillbox/shapes"
)

// Most solids of large scenes have plain tables: a header and keys with numbers, arrays of numbers or words. This
// file reads plain tables directly into solids, in chunks of the file, on all processors. A table that contains
// anything else, or has an error, is not plain: it is decoded and read like all other tables. The result is the same.

// plainKey is a key with numbers that a plain table may have.
type plainKey struct {
	name   string
	slot   int   // slot of the first number; the others follow
	shape  []int // shape of the array, as in [tomltext.Plain.Numbers]
	limits keytable.Limits
	needed bool
}

// plainKind describes the plain tables of a kind of solids.
type plainKind struct {
	name     string
	row      kindRow
	directed bool       // the axis must have a direction
	keys     []plainKey // in addition to name, material and color
}

func plainKindOf(k Kind) plainKind {
	vector := []int{3}
	p := plainKind{name: k.String(), row: k.row()}
	p.directed = p.row.traits().directed
	for _, m := range p.row.keys() {
		key := plainKey{name: m.key, slot: m.slot, limits: m.limits, needed: true}
		if m.isVector() {
			key.shape = vector
		}
		p.keys = append(p.keys, key)
	}
	if p.row.traits().turns {
		p.keys = append(p.keys,
			plainKey{"rotate", slotDegrees, vector, keytable.Finite(), false},
			plainKey{"axis", slotAxis, vector, keytable.Finite(), false},
			plainKey{"angle", slotAngle, nil, keytable.Finite(), false},
			plainKey{"quaternion", slotQuaternion, []int{4}, keytable.Finite(), false},
			plainKey{"axes", slotAxes, []int{3, 3}, keytable.Finite(), false})
	}
	p.keys = append(p.keys, plainKey{"value", slotValue, nil, keytable.Finite(), false})
	return p
}

// Bits of plainTable.seen for keys that are not numbers. The bits of the slots come before them.
const (
	bitName = slots + iota
	bitMaterial
)

// plainSolids are the solids of a chunk of plain tables. They are valid, except that materials may be
// unknown.
type plainSolids struct {
	own   [kindCount]solids // shapes and objects
	words tables            // names, and materials defined by a color
	named []string          // names of materials

	indices []uint32       // indices of the named materials in the tables of objects, set by resolve
	values  map[string]any // the decoded tables, if they are needed
}

// namedMaterial is set in the index of a solid's material if the other bits are an index of plainSolids.named.
const namedMaterial = 1 << 31

// plainReader reads chunks of plain tables, one at a time.
type plainReader struct {
	tomltext.Plain
	kinds [kindCount]plainKind
	light channelLight

	plainSolids                   // solids of the chunk
	materials   map[string]uint32 // indices in named, by name
	start       int               // of the table
	table       plainTable        // the table that is being read
}

// plainTable holds the values of a table's keys.
type plainTable struct {
	begun    bool
	kind     Kind
	seen     uint64 // a bit for each key, at its first slot
	numbers  numbers
	color    shade.Color
	name     []byte
	material uint32
}

func newPlainReader() *plainReader {
	r := &plainReader{materials: make(map[string]uint32)}
	for k := range kindCount {
		r.kinds[k] = plainKindOf(k)
	}
	return r
}

// read reads the plain tables at the beginning of text. The result rest is the offset of the first table that is not
// plain.
func (r *plainReader) read(text []byte) (made *plainSolids, rest int) {
	r.reset(text)
	for plain := true; plain && r.Next(); {
		if r.IsHeader() {
			plain = r.finish() && r.begin()
		} else {
			plain = r.table.begun && r.key()
		}
	}
	if rest = r.start; r.Whole() && r.finish() {
		rest = len(text)
	}
	return r.plainSolids.clone(), rest
}

// reset prepares the reader for a text. It reuses memory.
func (r *plainReader) reset(text []byte) {
	r.Plain.Reset(text)
	for k := range kindCount {
		r.own[k].objects = r.own[k].objects[:0]
		r.kinds[k].row.empty(&r.own[k])
	}
	r.words.names, r.words.materials, r.named = r.words.names[:0], r.words.materials[:0], r.named[:0]
	clear(r.materials)
	r.start, r.table = 0, plainTable{}
}

// clone returns a copy without unused capacity.
func (p *plainSolids) clone() *plainSolids {
	c := *p
	for k := range kindCount {
		c.own[k].objects = slices.Clone(p.own[k].objects)
		k.row().clone(&c.own[k])
	}
	c.words = tables{names: slices.Clone(p.words.names), materials: slices.Clone(p.words.materials)} // no plain table has a ghost
	c.words.joinNames()
	c.named = slices.Clone(p.named)
	return &c
}

// begin begins a table, and reports whether it is a table of a solid.
func (r *plainReader) begin() bool {
	r.start = r.Start()
	name := r.Name()
	k := slices.IndexFunc(r.kinds[:], func(p plainKind) bool { return p.name == string(name) })
	r.table = plainTable{begun: true, kind: Kind(k)}
	return k >= 0
}

// key reads a key, and reports whether it is plain and valid.
func (r *plainReader) key() bool {
	t, name := &r.table, r.Name()
	keys := r.kinds[t.kind].keys
	for i := range keys {
		if k := &keys[i]; k.name == string(name) {
			return t.first(k.slot) && r.numbers(k)
		}
	}
	switch string(name) {
	case "name":
		return t.first(bitName) && r.name()
	case "material":
		return t.first(bitMaterial) && r.material()
	case "color":
		return t.first(slotColor) && r.color()
	}
	return false
}

// first records that the table has the key of a bit, and returns whether this is its first occurrence.
func (t *plainTable) first(bit int) bool {
	again := t.has(bit)
	t.seen |= 1 << bit
	return !again
}

func (t *plainTable) has(bit int) bool { return t.seen>>bit&1 != 0 }

func (r *plainReader) numbers(k *plainKey) bool {
	n := 1
	for _, side := range k.shape {
		n *= side
	}
	x := r.table.numbers[k.slot:][:n]
	return r.Numbers(x, k.shape...) && !slices.ContainsFunc(x, func(x float64) bool { return !k.limits.Contain(x) })
}

func (r *plainReader) name() (ok bool) {
	r.table.name, ok = r.Text()
	return ok && len(r.table.name) > 0 && utf8.RuneCount(r.table.name) <= MaxName
}

func (r *plainReader) material() bool {
	name, ok := r.Text()
	if !ok {
		return false
	}
	i, known := r.materials[string(name)]
	if !known {
		i = uint32(len(r.named))
		r.named = append(r.named, string(name))
		r.materials[r.named[i]] = i
	}
	r.table.material = i | namedMaterial
	return true
}

func (r *plainReader) color() (ok bool) {
	if name, isText := r.Text(); isText {
		r.table.color, ok = keytable.ParseColor(string(name))
		return ok
	}
	n := &r.table.numbers
	ok = r.numbers(&plainKey{slot: slotColor, shape: []int{3}, limits: keytable.Fractions()})
	r.table.color = shade.Color{R: r.light.of(n[slotColor]), G: r.light.of(n[slotColor+1]), B: r.light.of(n[slotColor+2])}
	return ok
}

// channelLight is a cache of the linear light of sRGB channels, by hash. Most channels are multiples of
// 1/255, and converting one takes longer than reading it.
type channelLight [1 << channelBits]struct {
	channel uint64 // bits of the channel
	light   float64
}

const channelBits = 9

func (c *channelLight) of(channel float64) float64 {
	bits := math.Float64bits(channel)
	slot := &c[bits*hashFactor>>(64-channelBits)]
	if slot.channel != bits {
		slot.channel, slot.light = bits, shade.FromSRGB(channel, 0, 0).R
	}
	return slot.light
}

// finish adds the solid of the table, if a table was begun. It returns false and adds nothing if the
// table lacks a key, has keys that exclude each other, or has an invalid rotation or axis.
func (r *plainReader) finish() bool {
	t := &r.table
	if !t.begun {
		return true
	}
	kind := &r.kinds[t.kind]
	for i := range kind.keys {
		if k := &kind.keys[i]; k.needed && !t.has(k.slot) {
			return false
		}
	}
	g, ok := t.rotation()
	if !ok || t.has(bitMaterial) && t.has(slotColor) || t.has(slotValue) && (t.has(bitMaterial) || t.has(slotColor)) {
		return false
	}
	m := t.numbers.measures()
	if kind.directed && m.axisFlaw() != "" {
		return false
	}
	s := &r.own[t.kind]
	kind.row.addSolid(s, m, t.numbers.rotation(g))
	s.objects = append(s.objects, object{r.words.addName(string(t.name)), r.surface()})
	t.begun = false
	return true
}

// rotation returns the form of rotation that the table has: none or one. It returns false if the table has several or
// an invalid one.
func (t *plainTable) rotation() (g given, ok bool) {
	g = given{degrees: t.has(slotDegrees), axis: t.has(slotAxis), quaternion: t.has(slotQuaternion), axes: t.has(slotAxes)}
	forms := 0
	for _, is := range []bool{g.degrees, g.axis, g.quaternion, g.axes} {
		if is {
			forms++
		}
	}
	n := &t.numbers
	switch {
	case forms > 1 || g.axis != t.has(slotAngle):
		return g, false
	case g.axis:
		return g, n.vector(slotAxis) != (geom.Vec3{})
	case g.quaternion:
		return g, n.quaternion() != [4]float64{}
	case g.axes:
		return g, shapes.IsRotation(n.axes())
	}
	return g, true
}

// surface returns the index of the table's material. Without the flag namedMaterial, this is an index of
// r.words.materials, and with the flag an index of the list of names of materials.
func (r *plainReader) surface() uint32 {
	switch t := &r.table; {
	case t.has(bitMaterial):
		return t.material
	case t.has(slotColor):
		return r.words.addMaterial(shade.Material{Albedo: t.color})
	case t.has(slotValue):
		return r.words.addMaterial(valued(t.numbers[slotValue], nil))
	}
	albedo, _ := keytable.ParseColor(defaultColor)
	return r.words.addMaterial(shade.Material{Albedo: albedo})
}

// parseOwn parses the scene's own file. It returns all tables but the plain ones, which it stores in
// l.plain.
func (l *loader) parseOwn(data []byte) (root map[string]any) {
	text := l.progress.section(int64(len(data)))
	defer text.end()
	if l.decodesAll {
		return parseFile(&l.Report, data)
	}
	readers := sync.Pool{New: func() any { return newPlainReader() }}
	read := func(chunk []byte) (made *plainSolids, n int) {
		r := readers.Get().(*plainReader)
		defer readers.Put(r)
		made, n = r.read(chunk)
		text.read(n)
		return made, n
	}
	return parseFileWith(&l.Report, data, func(data []byte, arrays ...string) (root map[string]any, err error) {
		root, l.plain, err = tomltext.ParsePlain(data, arrays, read)
		l.tables.grow(l.plainWords())
		return root, err
	})
}

// plainWords returns the number of names and materials in all chunks of plain tables. It counts
// duplicates.
func (l *loader) plainWords() (names, materials int) {
	for i := range l.plain {
		words := &l.plain[i].Read.words
		names += len(words.names)
		materials += len(words.materials)
	}
	return names, materials
}

// plainChunk is a chunk of plain tables of the scene's own file.
type plainChunk = tomltext.PlainChunk[*plainSolids]

// tableRun is a run of consecutive tables of one kind: those of a chunk of plain tables, or a range of
// the decoded tables.
type tableRun struct {
	kind     Kind
	plain    *plainChunk
	from, to int
}

// tableRuns returns the tables of a kind in the order of the file. decoded is the number of those that
// are not plain.
func (l *loader) tableRuns(p *part, k Kind, decoded int) (runs []tableRun) {
	from := 0
	if p == l.scene.root {
		for i := range l.plain {
			c := &l.plain[i]
			to := c.Before[k.String()]
			runs = append(runs, tableRun{from: from, to: to}, tableRun{kind: k, plain: c})
			from = to
		}
	}
	return append(runs, tableRun{from: from, to: decoded})
}

func (r *tableRun) len() int {
	if r.plain != nil {
		return len(r.plain.Read.own[r.kind].objects)
	}
	return r.to - r.from
}

// values returns the values of the run's tables. decoded holds the values of all tables that are not plain.
func (r *tableRun) values(decoded []any) []any {
	if r.plain == nil {
		return decoded[r.from:r.to]
	}
	list, _ := keytable.TablesOf(r.decoded())
	return list
}

// decoded decodes plain tables and returns their values.
func (r *tableRun) decoded() any {
	read := r.plain.Read
	if read.values == nil {
		read.values, _ = tomltext.Parse(r.plain.Text) // no error: it was read before
	}
	return read.values[r.kind.String()]
}

// takePlain moves the solids of a chunk to s, starting at index i. It returns false if a material is
// unknown.
func (l *loader) takePlain(s *solids, i int, run *tableRun) bool {
	read := run.plain.Read
	if !read.resolve(l.materials) {
		return false
	}
	own := &read.own[run.kind]
	run.kind.row().set(s, i, own) // has is not set, because solids of the scene itself are not in a placement
	for j, o := range own.objects {
		s.objects[i+j] = object{l.tables.addName(read.words.name(o)), l.plainMaterial(read, o.material)}
		s.valid[i+j] = true
	}
	*own = solids{objects: own.objects}
	return true
}

// resolve finds the named materials, and returns false if one is unknown.
func (p *plainSolids) resolve(known *materials) bool {
	if p.indices != nil {
		return len(p.indices) == len(p.named)
	}
	p.indices = make([]uint32, 0, len(p.named))
	for _, name := range p.named {
		index, ok := uint32(0), known == nil
		if !ok {
			index, ok = known.use(name)
		}
		if !ok {
			return false
		}
		p.indices = append(p.indices, index)
	}
	return true
}

// plainMaterial returns the index of a material in the tables of objects, given its index i in p.
func (l *loader) plainMaterial(p *plainSolids, i uint32) uint32 {
	if i&namedMaterial != 0 {
		return p.indices[i&^namedMaterial]
	}
	return l.tables.addMaterial(p.words.materials[i])
}
