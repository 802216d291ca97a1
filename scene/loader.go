package scene

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"pillbox/camera"
	"pillbox/escape"
	"pillbox/geom"
	"pillbox/scene/tomltext"
	"pillbox/shade"
	"pillbox/shapes"
)

// Load reads and parses a scene file. If it cannot be read, the error is an [*fs.PathError];
// otherwise Load is [DecodeFS] with the path as the name and the [Folder] that the file lies
// in.
func Load(path string) (*Scene, error) {
	data, err := ReadFile(path)
	if err != nil {
		return nil, err
	}
	return DecodeFS(Folder(filepath.Dir(path)), path, data)
}

// ReadFile is [Read] of a file.
func ReadFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return Read(file)
}

// Read reads a scene file for [Decode]: all of it, or so much that Decode finds it larger than
// [MaxBytes]. So devices and pipes that never end do no harm.
func Read(r io.Reader) ([]byte, error) { return io.ReadAll(io.LimitReader(r, MaxBytes+1)) }

// Decode parses a scene. The name is used in messages only. If the scene is invalid, Decode
// returns [Errors]: every problem it found, warnings included. The warnings of a valid scene
// are in its Warnings. Decode does not keep data. It reads no files, so it refuses [[bulk]]
// tables.
func Decode(name string, data []byte) (*Scene, error) { return DecodeFS(nil, name, data) }

// DecodeFS is [Decode] for scenes that may have [[bulk]] tables, whose files are in files:
// their paths there are those in the tables. In messages, their names begin with the folder
// of the scene's name. DecodeFS uses as many goroutines as there are processors; the result
// does not depend on them.
func DecodeFS(files fs.FS, name string, data []byte) (*Scene, error) {
	text, _ := tomltext.Text(data) // parse reports what is not UTF-8
	root, syntax := parse(data)
	if syntax != nil && root == nil {
		return nil, withPositions(name, text, []*problem{syntax})
	}
	l := loader{scene: &Scene{Name: name}, files: files}
	l.document(root)
	problems := append(l.located(name, text), l.bulkProblems()...)
	if l.materials != nil {
		l.materials.suggest(problems, &l.speller)
	}
	switch {
	case l.errors > 0:
		return nil, problems
	case syntax != nil: // a number that is too large even where there are no limits
		return nil, withPositions(name, text, []*problem{syntax})
	}
	l.scene.Warnings = problems
	return l.scene, nil
}

// parse returns the values of a scene file and why it is not TOML, or nil. There are both if
// only numbers are wrong, which are too large.
func parse(data []byte) (root map[string]any, syntax *problem) {
	wrong := func(at tomltext.Extent, code Code, message string) *problem {
		return &problem{Error: Error{Severity: SeverityError, Code: code, Message: message}, extent: at}
	}
	if len(data) > MaxBytes {
		message := fmt.Sprintf("a scene must not be larger than %d MiB; [[bulk]] tables hold more", MaxBytes>>20)
		return nil, wrong(tomltext.Extent{}, CodeTooLarge, message)
	}
	root, err := tomltext.Parse(data, kindNames()...)
	var e *tomltext.SyntaxError
	if errors.As(err, &e) {
		return root, wrong(e.Extent, CodeSyntax, e.Message)
	}
	return root, nil
}

// loader turns a raw file into a Scene and collects the problems on the way.
type loader struct {
	report
	scene      *Scene
	files      fs.FS      // nil: there are none
	materials  *materials // nil: the file's materials are unknown
	bulks      []*bulk
	incomplete bool           // a bulk file could not be read
	first      [kinds + 1]int // the number of the first solid of each kind, and how many there are
	valid      []bool         // by number: nothing is wrong with the solid
	inspector  inspector
}

// document reads a whole file. Solids come last: they refer to materials, and the inspector needs
// the camera and the lights before them.
func (l *loader) document(root map[string]any) {
	d, _ := fieldsOf[rawFile]().fill(l.table(""), root)
	l.format(d.Format)
	l.image(d.Image)
	l.camera(d.Camera)
	l.shading(d.Shading)
	l.overlaps(d.Overlaps)
	each(l, "light", l.list("light", d.Light), l.light)
	l.readMaterials(d.Material)
	l.solids(d)
	l.uniqueNames()
	l.unusedMaterials()
	l.framing()
	l.inspect()
}

// framing reports a scene without a camera whose solids lie too far out, or are too small
// for how far out they lie, to be framed.
func (l *loader) framing() {
	if l.scene.Camera != nil || l.errors > 0 {
		return
	}
	if _, err := l.scene.View(l.scene.Image.Width, l.scene.Image.Height); err != nil {
		l.table("").missing("", CodeDegenerateCamera, "the solids cannot be framed and need a [camera]: %v", err)
	}
}

func (l *loader) format(v any) {
	if v != nil && v != any(formatVersion) {
		l.table("").wrong("format", CodeUnknownFormat, "must be %d, the only format there is", formatVersion)
	}
}

func (l *loader) image(v any) {
	t := l.table("image")
	m, _ := fieldsOf[imageTable]().fill(t, v)
	img := Image{
		Width:      t.integer("width", or(m.Width, defaultWidth), sides()),
		Height:     t.integer("height", or(m.Height, defaultHeight), sides()),
		Antialias:  t.integer("antialias", or(m.Antialias, defaultAntialias), antialiases()),
		Adaptive:   t.adaptive("antialias_mode", or(m.Mode, defaultAntialiasMode)),
		Background: t.background("background", or(m.Background, defaultBackground())),
	}
	if img.Width*img.Height > MaxPixels {
		// The default sides are small, so both are in the file.
		t.wrong("height", CodeTooManyPixels, "width times height must be at most %d", MaxPixels).
			got("%d x %d", img.Width, img.Height)
	}
	l.scene.Image = img
}

func (l *loader) camera(v any) {
	t := l.table("camera")
	m, ok := fieldsOf[cameraTable]().fill(t, v)
	if v == nil || !ok {
		return
	}
	c := &camera.Camera{
		Projection: t.projection("projection", or(m.Projection, defaultProjection)),
		Position:   t.vector("position", m.Position, coordinates()),
		LookAt:     t.vector("look_at", m.LookAt, coordinates()),
		Up:         t.nonzero("up", or(m.Up, defaultUp())),
		FOV:        geom.Angle(t.number("fov", or(m.FOV, defaultFOV), fovs())),
		ViewHeight: t.number("view_height", or(m.ViewHeight, defaultViewHeight), sizes()),
	}
	l.scene.Camera = c
	if !t.valid() {
		return
	}
	switch {
	case c.Projection == camera.Perspective && m.ViewHeight != nil:
		t.warn("view_height", CodeUnusedKey, "has no effect on a perspective camera")
	case c.Projection == camera.Orthographic && m.FOV != nil:
		t.warn("fov", CodeUnusedKey, "has no effect on an orthographic camera")
	}
	l.view(t, m.Up != nil)
}

// view reports a degenerate camera and gives any other to the inspector.
func (l *loader) view(t table, hasUp bool) {
	c, img := l.scene.Camera, &l.scene.Image
	view, err := c.View(max(1, img.Width), max(1, img.Height)) // an invalid side is 0
	switch {
	case err == nil:
		l.inspector.setView(t, view, img.Width, img.Height)
	case errors.Is(err, camera.ErrSamePoint):
		t.wrong("look_at", CodeDegenerateCamera, "must differ from position")
	case errors.Is(err, camera.ErrUpParallel) && hasUp:
		t.wrong("up", CodeDegenerateCamera, "must not be parallel to the view")
	case errors.Is(err, camera.ErrUpParallel):
		t.missing("up", CodeDegenerateCamera, "must be given, because the default is parallel to the view")
	default:
		t.missing("", CodeDegenerateCamera, "%v", err)
	}
}

func (l *loader) shading(v any) {
	t := l.table("shading")
	m, _ := fieldsOf[shadingTable]().fill(t, v)
	l.scene.Shading = Shading{
		Ambient: t.ambient("ambient", or(m.Ambient, defaultAmbient)),
		Shadows: t.boolean("shadows", or(m.Shadows, defaultShadows)),
		Bounces: t.integer("bounces", or(m.Bounces, defaultBounces), bounces()),
	}
}

func (l *loader) overlaps(v any) {
	t := l.table("overlaps")
	m, _ := fieldsOf[overlapsTable]().fill(t, v)
	if m.Allow != nil {
		l.scene.AllowedOverlaps = t.patterns("allow", m.Allow)
	}
}

func (l *loader) light(t table, m lightTable) {
	light := shade.Light{
		Color:     t.color("color", or(m.Color, defaultLightColor)),
		Intensity: t.number("intensity", or(m.Intensity, defaultIntensity), intensities()),
	}
	if m.Position != nil {
		light.Position = t.vector("position", m.Position, coordinates())
	}
	if m.Direction != nil {
		light.Directional = true
		light.Direction, _ = geom.Direction(t.nonzero("direction", m.Direction))
	}
	switch {
	case m.Position == nil && m.Direction == nil:
		t.missing("", CodeMissingKey, "must have a position or a direction")
	case m.Position != nil && m.Direction != nil:
		t.wrongKey("direction", CodeConflict, "cannot stand beside position")
	case t.valid() && !light.Directional:
		l.inspector.add(point{Vec3: light.Position, table: t, code: CodeLightInside, noun: "light"})
	}
	l.scene.Lights = append(l.scene.Lights, light)
}

func (l *loader) readMaterials(v any) {
	all := l.table("material")
	tables, ok := v.(map[string]any)
	if v != nil && !ok {
		all.wrong("", CodeWrongType, "must be tables, each written [material.NAME]")
		return
	}
	fields := fieldsOf[materialTable]()
	l.materials = &materials{named: make(map[string]*material, len(tables))}
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		values, ok := tables[name].(map[string]any)
		if !ok {
			all.wrong(tomltext.QuoteKey(name), CodeWrongType, "must be a table, written [material.NAME]")
			l.materials.add(name, shade.Material{}) // solids may refer to it, enough is said
			continue
		}
		t := l.table(all.key(tomltext.QuoteKey(name)))
		m, _ := fields.fill(t, values)
		surface := shade.Material{
			Albedo: t.color("color", or(m.Color, defaultColor)),
			Mirror: t.number("mirror", or(m.Mirror, defaultMirror), fractions()),
		}
		l.materials.add(name, surface)
		l.scene.Materials = append(l.scene.Materials, Material{name, surface})
	}
}

// unusedMaterials reports all of them in one warning: a file may begin with a whole collection.
// Where a name is unknown, or a bulk file, some solid probably refers to any of them.
func (l *loader) unusedMaterials() {
	if l.incomplete || l.materials == nil || len(l.materials.unknown) > 0 {
		return
	}
	var unused []string
	for _, m := range l.scene.Materials {
		if !l.materials.named[m.Name].used.Load() {
			unused = append(unused, tomltext.QuoteKey(m.Name))
		}
	}
	if len(unused) == 0 {
		return
	}
	message := "no solid has this material"
	if others := unused[1:]; len(others) > 0 {
		message += ", nor " + listed(others)
	}
	l.table("material").warn(unused[0], CodeUnusedMaterial, "%s", message)
}

// solids reads the tables of all kinds, and then appends the solids of bulk files.
func (l *loader) solids(d rawFile) {
	each(l, "bulk", l.list("bulk", d.Bulk), l.bulk)
	slices.SortStableFunc(l.bulks, func(a, b *bulk) int { return cmp.Compare(a.kind, b.kind) })
	spheres, capsules, boxes := l.list("sphere", d.Sphere), l.list("capsule", d.Capsule), l.list("box", d.Box)
	l.assignNumbers(len(spheres), len(capsules), len(boxes))
	each(l, "sphere", spheres, l.sphere)
	each(l, "capsule", capsules, l.capsule)
	each(l, "box", boxes, l.box)
	for _, b := range l.bulks {
		l.appendBulk(b)
	}
}

// assignNumbers gives all solids their numbers and makes room for them. There are the given numbers
// of tables for each kind.
func (l *loader) assignNumbers(tables ...int) {
	number := 0
	for k, n := range tables {
		l.first[k] = number
		number += n
		for _, b := range l.bulks {
			if b.kind == kind(k) {
				b.First = number
				number += b.Count
			}
		}
	}
	l.first[kinds] = number
	s := l.scene
	s.Spheres = make([]shapes.Sphere, l.first[capsuleKind]-l.first[sphereKind])
	s.Capsules = make([]shapes.Capsule, l.first[boxKind]-l.first[capsuleKind])
	s.Boxes = make([]shapes.Box, l.first[kinds]-l.first[boxKind])
	s.Objects = make([]Object, number)
	l.valid = make([]bool, number)
}

// each fills an M from every element of an array of tables and hands it to read.
func each[M any](l *loader, name string, list []any, read func(table, M)) {
	fields := fieldsOf[M]()
	for i, v := range list {
		t := l.element(name, i)
		if m, ok := fields.fill(t, v); ok {
			read(t, m)
		}
	}
}

func (l *loader) sphere(t table, m sphereTable) {
	l.scene.Spheres[t.index] = shapes.Sphere{
		Center: t.vector("center", m.Center, coordinates()),
		Radius: t.number("radius", m.Radius, sizes()),
	}
	l.object(t, sphereKind, m.surfaceKeys)
}

func (l *loader) capsule(t table, m capsuleTable) {
	l.scene.Capsules[t.index] = shapes.Capsule{
		A:      t.vector("a", m.A, coordinates()),
		B:      t.vector("b", m.B, coordinates()),
		Radius: t.number("radius", m.Radius, sizes()),
	}
	l.object(t, capsuleKind, m.surfaceKeys)
}

func (l *loader) box(t table, m boxTable) {
	l.scene.Boxes[t.index] = shapes.Box{
		Center:      t.vector("center", m.Center, coordinates()),
		HalfExtents: t.vector("half_extents", m.HalfExtents, sizes()),
		Rotation:    t.rotation(m.rotationKeys),
	}
	l.object(t, boxKind, m.surfaceKeys)
}

// object reads what a solid has besides its geometry.
func (l *loader) object(t table, k kind, m surfaceKeys) {
	number := l.first[k] + t.index
	o := &l.scene.Objects[number]
	o.Material = l.surface(t, m.Material, m.Color)
	if m.Name != nil {
		name, ok := t.text("name", m.Name)
		if ok && name == "" {
			t.wrong("name", CodeEmptyName, "must not be empty")
		}
		o.Name = name
	}
	l.valid[number] = t.valid()
}

// surface reads a material or a colour.
func (l *loader) surface(t table, material, color any) shade.Material {
	m := shade.Material{Albedo: t.color("color", or(color, defaultColor))}
	if material == nil {
		return m
	}
	if color != nil {
		t.wrongKey("color", CodeConflict, "cannot stand beside material")
	}
	return l.materialOf(t, material)
}

func (l *loader) materialOf(t table, v any) shade.Material {
	name, ok := t.text("material", v)
	if !ok || l.materials == nil {
		return shade.Material{}
	}
	m, ok := l.materials.use(name)
	if !ok {
		l.materials.reportUnknown(&t.wrong("material", CodeUnknownMaterial, unknownMaterial).Error, name)
	}
	return m
}

const unknownMaterial = "must be the name of a [material.NAME]"

// uniqueNames reports names that an earlier solid has.
func (l *loader) uniqueNames() {
	objects := l.scene.Objects
	n := 0
	for i := range objects {
		if objects[i].Name != "" {
			n++
		}
	}
	named := make(map[string]int, n)
	for number := range objects {
		name := objects[number].Name
		if name == "" {
			continue
		}
		if first, duplicate := named[name]; duplicate {
			l.duplicateName(number, first)
			continue
		}
		named[name] = number
	}
}

func (l *loader) duplicateName(number, first int) {
	const message = "must be unique, but %s has it too"
	l.valid[number] = false
	b, i := l.bulkOf(number)
	if b == nil {
		l.tableOf(number).wrong("name", CodeDuplicateName, message, l.label(first))
		return
	}
	l.errors++
	b.duplicates.add(func() *Error {
		return b.reread(i).wrong(b.index.name, columnName, CodeDuplicateName, message, l.label(first))
	})
}

// bulkOf returns the bulk table that a solid comes from, and its index there, or nil.
func (l *loader) bulkOf(number int) (b *bulk, i int) {
	for _, b := range l.bulks {
		if i := number - b.First; 0 <= i && i < b.Count {
			return b, i
		}
	}
	return nil, 0
}

// tableOf returns the table of a solid that does not come from a file.
func (l *loader) tableOf(number int) table {
	kind, index := l.scene.Kind(number)
	return l.element(kind, index)
}

// label returns the key of a solid and, if it comes from a file, where it stands there.
func (l *loader) label(number int) string {
	key := l.tableOf(number).key("")
	if b, i := l.bulkOf(number); b != nil {
		return fmt.Sprintf("%s at %s:%d", key, escape.Name(b.File), b.line(i))
	}
	return key
}
