package scene

import (
	"errors"
	"maps"
	"os"
	"slices"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/shade"
	"pillbox/shapes"
)

// Load reads and parses a scene file. If it cannot be read, the error is that of
// [os.ReadFile]; otherwise Load is [Decode] with the path as the name.
func Load(path string) (*Scene, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Decode(path, data)
}

// Decode parses a scene. The name is used in messages only. If the scene is invalid, Decode
// returns [Errors]: every problem it found, warnings included, sorted by position. The
// warnings of a valid scene are in its Warnings. Decode does not keep data.
func Decode(name string, data []byte) (*Scene, error) {
	root, text, syntax := parse(data)
	if syntax != nil {
		return nil, stamped(name, text, []*problem{syntax})
	}
	l := loader{scene: &Scene{Name: name}}
	l.document(root)
	problems := l.located(name, text)
	if l.errors > 0 {
		return nil, problems
	}
	l.scene.Warnings = problems
	return l.scene, nil
}

// loader turns the mirror of a file into a Scene and collects the problems on the way.
type loader struct {
	report
	scene     *Scene
	materials map[string]*material
	named     map[string]table // the solid of each name
	inspector inspector
}

// material is a named surface, and whether a solid has it.
type material struct {
	shade.Material
	used bool
}

// document reads a whole file. Solids come last: they refer to materials and are looked at
// from the camera and the lights.
func (l *loader) document(root map[string]any) {
	d, _ := mirrorOf[document]().fill(l.table(""), root)
	l.format(d.Format)
	l.image(d.Image)
	l.camera(d.Camera)
	l.shading(d.Shading)
	each(l, "light", l.list("light", d.Light), l.light)
	l.readMaterials(d.Material)
	l.inspector.sort()
	l.solids(d)
	l.unusedMaterials()
	l.framing()
	l.inspector.conclude()
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
	m, _ := mirrorOf[imageTable]().fill(t, v)
	img := Image{
		Width:      t.integer("width", or(m.Width, defaultWidth), sides()),
		Height:     t.integer("height", or(m.Height, defaultHeight), sides()),
		Antialias:  t.integer("antialias", or(m.Antialias, defaultAntialias), antialiases()),
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
	m, ok := mirrorOf[cameraTable]().fill(t, v)
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
	if !t.sound() {
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

// view reports a degenerate camera and hands any other to the inspector.
func (l *loader) view(t table, hasUp bool) {
	c, img := l.scene.Camera, &l.scene.Image
	view, err := c.View(max(1, img.Width), max(1, img.Height)) // an invalid side is 0
	switch {
	case err == nil:
		l.inspector.look(t, view, img.Width, img.Height)
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
	m, _ := mirrorOf[shadingTable]().fill(t, v)
	l.scene.Shading = Shading{
		Ambient: t.ambient("ambient", or(m.Ambient, defaultAmbient)),
		Shadows: t.boolean("shadows", or(m.Shadows, defaultShadows)),
		Bounces: t.integer("bounces", or(m.Bounces, defaultBounces), bounces()),
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
		t.misplaced("direction", CodeConflict, "cannot stand beside position")
	case t.sound() && !light.Directional:
		l.inspector.add(point{Vec3: light.Position, table: t, code: CodeLightInside, noun: "light"})
	}
	l.scene.Lights = append(l.scene.Lights, light)
}

func (l *loader) readMaterials(v any) {
	all := l.table("material")
	tables, ok := v.(map[string]any)
	if v != nil && !ok {
		all.wrong("", CodeWrongType, "must be tables, each written [material.NAME]")
		return // with l.materials nil: no name is known to be unknown
	}
	fields := mirrorOf[materialTable]()
	l.materials = make(map[string]*material, len(tables))
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		values, ok := tables[name].(map[string]any)
		if !ok {
			all.wrong(quoteKey(name), CodeWrongType, "must be a table, written [material.NAME]")
			l.materials[name] = new(material) // solids may refer to it, enough is said
			continue
		}
		t := l.table(all.key(quoteKey(name)))
		m, _ := fields.fill(t, values)
		surface := shade.Material{
			Albedo: t.color("color", or(m.Color, defaultColor)),
			Mirror: t.number("mirror", or(m.Mirror, defaultMirror), fractions()),
		}
		l.materials[name] = &material{Material: surface}
		l.scene.Materials = append(l.scene.Materials, Material{name, surface})
	}
}

func (l *loader) unusedMaterials() {
	for _, m := range l.scene.Materials {
		if !l.materials[m.Name].used {
			l.table("material").warn(quoteKey(m.Name), CodeUnusedMaterial, "no solid has this material")
		}
	}
}

func (l *loader) solids(d document) {
	spheres, capsules, boxes := l.list("sphere", d.Sphere), l.list("capsule", d.Capsule), l.list("box", d.Box)
	s := l.scene
	s.Spheres = make([]shapes.Sphere, 0, len(spheres))
	s.Capsules = make([]shapes.Capsule, 0, len(capsules))
	s.Boxes = make([]shapes.Box, 0, len(boxes))
	s.Objects = make([]Object, 0, len(spheres)+len(capsules)+len(boxes))
	each(l, "sphere", spheres, l.sphere)
	each(l, "capsule", capsules, l.capsule)
	each(l, "box", boxes, l.box)
}

// each fills a mirror from every element of an array of tables and hands it to read.
func each[M any](l *loader, name string, list []any, read func(table, M)) {
	fields := mirrorOf[M]()
	for i, v := range list {
		t := l.element(name, i)
		if m, ok := fields.fill(t, v); ok {
			read(t, m)
		}
	}
}

func (l *loader) sphere(t table, m sphereTable) {
	x := shapes.Sphere{
		Center: t.vector("center", m.Center, coordinates()),
		Radius: t.number("radius", m.Radius, sizes()),
	}
	l.scene.Spheres = append(l.scene.Spheres, x)
	l.object(t, m.surfaceKeys)
	if t.sound() {
		l.inspector.inspect(t, &l.scene.Spheres[len(l.scene.Spheres)-1], x.Center, x.Radius)
	}
}

func (l *loader) capsule(t table, m capsuleTable) {
	x := shapes.Capsule{
		A:      t.vector("a", m.A, coordinates()),
		B:      t.vector("b", m.B, coordinates()),
		Radius: t.number("radius", m.Radius, sizes()),
	}
	l.scene.Capsules = append(l.scene.Capsules, x)
	l.object(t, m.surfaceKeys)
	if t.sound() {
		axis := geom.Segment{A: x.A, B: x.B}
		l.inspector.inspect(t, &l.scene.Capsules[len(l.scene.Capsules)-1], axis.At(0.5), float64(axis.Length()/2)+x.Radius)
	}
}

func (l *loader) box(t table, m boxTable) {
	x := shapes.Box{
		Center:      t.vector("center", m.Center, coordinates()),
		HalfExtents: t.vector("half_extents", m.HalfExtents, sizes()),
		Rotation:    t.rotation(m),
	}
	l.scene.Boxes = append(l.scene.Boxes, x)
	l.object(t, m.surfaceKeys)
	if t.sound() {
		l.inspector.inspect(t, &l.scene.Boxes[len(l.scene.Boxes)-1], x.Center, x.HalfExtents.Norm())
	}
}

// object reads what a solid has besides its geometry.
func (l *loader) object(t table, m surfaceKeys) {
	o := Object{Material: shade.Material{Albedo: t.color("color", or(m.Color, defaultColor))}}
	if m.Name != nil {
		o.Name = l.name(t, m.Name)
	}
	if m.Material != nil {
		o.Material = l.materialOf(t, m.Material)
	}
	if m.Material != nil && m.Color != nil {
		t.misplaced("color", CodeConflict, "cannot stand beside material")
	}
	l.scene.Objects = append(l.scene.Objects, o)
}

func (l *loader) name(t table, v any) string {
	name, ok := t.text("name", v)
	if !ok {
		return ""
	}
	if name == "" {
		t.wrong("name", CodeEmptyName, "must not be empty")
		return ""
	}
	if other, taken := l.named[name]; taken {
		t.wrong("name", CodeDuplicateName, "must be unique, but %s has it too", other.key(""))
		return name
	}
	if l.named == nil {
		l.named = make(map[string]table)
	}
	l.named[name] = t
	return name
}

func (l *loader) materialOf(t table, v any) shade.Material {
	name, ok := t.text("material", v)
	if !ok || l.materials == nil {
		return shade.Material{}
	}
	if m, ok := l.materials[name]; ok {
		m.used = true
		return m.Material
	}
	p := t.wrong("material", CodeUnknownMaterial, "must be the name of a [material.NAME]")
	p.suggest(name, slices.Sorted(maps.Keys(l.materials)))
	if m, ok := l.materials[p.Suggestion]; ok {
		m.used = true // as far as anyone can tell
	}
	return shade.Material{}
}
