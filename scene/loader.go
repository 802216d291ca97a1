package scene

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/keytable"
	"pillbox/internal/osfile"
	"pillbox/internal/text"
	"pillbox/internal/tomltext"
	"pillbox/problem"
	"pillbox/shade"
)

// Load reads and decodes a scene file, which must be a regular file. If it cannot be read, the error is
// an [*fs.PathError]. Otherwise Load returns the result of [Decode] with the path as the name, and with
// the files in the scene's [Folder].
func Load(path string) (*Scene, error) {
	data, err := ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Decode(path, data, WithFiles(Folder(filepath.Dir(path))))
}

// ReadFile is [Read] for a regular file. For any other file it returns an [*fs.PathError] without
// opening the file, because opening a pipe may block.
func ReadFile(path string) ([]byte, error) {
	file, err := osfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return Read(file)
}

// Read reads a scene file for [Decode]. It reads at most [MaxBytes] + 1 bytes, so it returns even for a
// device or a pipe that never ends; from the additional byte, Decode detects that the file is too
// large.
func Read(r io.Reader) ([]byte, error) {
	var b bytes.Buffer
	if file, ok := r.(fs.File); ok {
		if info, err := file.Stat(); err == nil {
			b.Grow(int(min(info.Size(), MaxBytes+1)) + bytes.MinRead) // otherwise the buffer would be copied as it grows
		}
	}
	_, err := b.ReadFrom(io.LimitReader(r, MaxBytes+1))
	return b.Bytes(), err
}

// Decode decodes a scene file. The name identifies the file in messages and becomes Scene.Name. If the
// scene is invalid, Decode returns [Errors] with every problem that it found, including warnings. The
// warnings of a valid scene are in Scene.Warnings. Decode does not keep data. Without [WithFiles] it
// reads no files, and a scene that refers to files is invalid. Decode runs on all processors; their
// number does not affect the result.
func Decode(name string, data []byte, options ...DecodeOption) (*Scene, error) {
	l := loader{mostPlaced: MaxPlaced}
	for _, set := range options {
		set(&l)
	}
	return l.decode(name, data)
}

// DecodeOption changes how [Decode] reads a scene.
type DecodeOption func(*loader)

// WithFiles allows a scene to refer to files, by their paths relative to the given folder. In messages,
// the folder of the scene's name precedes these paths.
func WithFiles(folder fs.FS) DecodeOption { return func(l *loader) { l.files = folder } }

// WithMaxPlaced limits the number of solids, and of lights, that placements may make, for scenes from
// untrusted sources. The default and largest limit is [MaxPlaced], and [MaxPlacedLights] for lights.
// Other solids need no such limit: their number is limited by the size of the file.
func WithMaxPlaced(solids int) DecodeOption {
	return func(l *loader) { l.mostPlaced = min(solids, MaxPlaced) }
}

// WithAllDigits keeps the digits of the centers, ends and radii of spheres and capsules that a float64 cannot
// represent, also in bulk files. Then package overlap is exact for them. Rows with such numbers take two to three
// times as long to read. A number with more than [exact.MaxPlaces] decimal places is an error. In parts and
// placements, every number counts as the shortest decimal of its float64.
func WithAllDigits() DecodeOption { return func(l *loader) { l.long = &longNumbers{} } }

// WithOptionalCamera is for programs that show no picture. Decode and [Scene.At] then drop a camera that is degenerate, with
// a warning. If the solids cannot be framed automatically, the scene gets a camera at the origin.
func WithOptionalCamera() DecodeOption { return func(l *loader) { l.optionalCamera = true } }

// decode decodes a scene with a loader in which only the options are set.
func (l *loader) decode(name string, data []byte) (*Scene, error) {
	l.Report = keytable.Report{File: name, Speller: keytable.NewSpeller(sceneWords())}
	l.scene, l.tables, l.opened = &Scene{Name: name}, new(tables), make(map[File]bool)
	root := l.parseOwn(data)
	if root == nil {
		return nil, l.Report.InOrder()
	}
	l.labeled = make(map[*part]*labels)
	l.document(root)
	problems := l.allProblems()
	switch {
	case l.failed():
		return nil, problems
	case l.Huge != nil:
		return nil, keytable.WithPositions(name, l.Text, []*keytable.Problem{l.Huge})
	}
	l.scene.Warnings = problems
	l.unshare()
	loaded := l.scene
	l.forget()
	return loaded, nil
}

// allProblems returns the problems of all files: the scene's own, those that it includes, and those
// of bulk tables.
func (l *loader) allProblems() problem.Errors {
	var problems problem.Errors
	for _, src := range l.sources {
		problems = append(problems, src.InOrder()...)
	}
	problems = append(problems, l.bulkProblems()...)
	if l.materials != nil {
		l.materials.suggest(problems, l.Speller)
	}
	return problems
}

// failed reports whether there are errors in any file.
func (l *loader) failed() bool {
	return slices.ContainsFunc(l.sources, func(s *source) bool { return s.Errors > 0 })
}

// unshare gives each solid a material of its own if that makes rendering faster. It does nothing for
// scenes with parts or animation, whose data has indices of materials, too.
func (l *loader) unshare() {
	s := l.scene
	if s.motion == nil && len(l.parts) == 0 {
		s.Objects.unshare()
		l.tables.materials = s.Objects.materials
	}
}

// forget releases memory that only loading needs. The parts of the scene would keep it, because their
// tables refer to the loader's report.
func (l *loader) forget() {
	l.tables.recent, l.scene.Objects.recent = nil, nil
	l.sources[0].Text = nil // callers that need positions have the text
	for _, src := range l.sources {
		*src.Report = keytable.Report{File: src.File, Text: src.Text}
	}
	for _, b := range l.bulks {
		b.texts, b.columns, b.warnings, b.speller = nil, nil, nil, nil
	}
	*l = loader{Report: l.Report}
}

// loader converts the raw tables of a file to a Scene and collects the problems.
type loader struct {
	keytable.Report // of the scene's own file
	scene           *Scene
	tables          *tables // names and materials of all objects except those that placements make
	files           fs.FS   // nil if the scene must not read files
	opened          map[File]bool
	labeled         map[*part]*labels
	long            *longNumbers // nil unless digits are kept
	progress        *progress
	mostPlaced      int          // limit of the number of solids that placements make
	decodesAll      bool         // for tests: do not read any table as a plain table
	plain           []plainChunk // of the scene's own file
	sources         []*source    // the scene's own file, and those that it includes
	onlyIncludable  bool         // the scene's own file has only tables that included files may have
	lacksInclude    bool         // an included file could not be read
	lacksParts      bool         // some parts are unknown

	optionalCamera bool       // see [WithOptionalCamera]
	theme          *namedFile // see [WithTheme]
	replaced       *source    // the included file with the theme that this one replaces, or nil
	rawFit         any        // the value of the camera's key fit

	materials  *materials // nil if the materials are unknown
	parts      map[string]*part
	partNames  []string // sorted
	bulks      []*bulk  // of all parts
	incomplete bool     // a bulk file could not be read
	attached   []attachedLight
	raws       map[*part]partTable // of all parts
	valid      []bool              // by object number, whether the solid is valid
	inspector  inspector

	sectionTables []tableOfSection // those of scene.Sections, in the same order

	partsOfSolids map[string]string // for each name of a solid or placement, the first part that has it; see partOfSolid
}

// document reads a whole file. Solids come last: they refer to materials and parts, and the
// inspector needs the camera and the lights before them.
func (l *loader) document(root map[string]any) {
	own := &source{Report: &l.Report, folder: "."}
	root = withoutForeignTables(l.Table(""), root)
	own.raw, _, _ = fileKeys().Read(l.Table(""), root)
	l.onlyIncludable = len(foreignKeys(root)) == 0
	l.sources = []*source{own}
	l.lacksInclude = l.LacksNames
	l.include(own.raw.include)
	l.chooseTheme()
	l.applyTheme()

	l.scene.root = &part{table: l.Table(""), tables: l.tables}
	l.raws = make(map[*part]partTable)
	reportFormat(l.Table(""), own.raw.format)
	l.scene.ZUp = own.raw.zUp
	l.image(own.raw.image)
	l.camera(own.raw.camera)
	l.scene.Shading, _, _ = shadingKeys().Read(l.Table("shading"), own.raw.shading)
	overlaps, _, _ := overlapsKeys().Read(l.Table("overlaps"), own.raw.overlaps)
	l.scene.AllowedOverlaps = overlaps.allow
	l.readMaterials()
	l.outline(own.raw.outline)
	l.fog(own.raw.fog)
	l.sections(own.raw.section)
	l.annotations(&own.raw)
	l.colormap(own.raw.colormap)
	l.readParts()
	l.part(l.scene.root, own, own.raw.partTable)
	for _, name := range l.partNames {
		l.uniqueNames(l.parts[name])
	}
	l.uniqueNames(l.scene.root)
	l.measure()
	l.aimAnnotations()
	fit := l.aimFraming()
	l.animation(own)
	l.colorValues()
	l.aimSections()
	l.expand()
	l.limitSections()
	l.keepDecimals()
	l.uniquePlacedNames()

	l.noSolids()
	l.unusedMaterials()
	l.unusedCheckers()
	l.unusedOcclusion()
	l.unusedByFlat()
	l.unusedFog()
	l.idleSections()
	l.unusedParts()
	l.fitFraming(fit)
	l.framing()
	l.idleGhosts()
	l.legendOfUsed()
	l.fitScaleBar()
	l.unseen()
	l.thinSolids()
	l.placeAttached()
	l.inspectPlacedLights()
	l.inspect()
	l.idleSpots()
	if l.scene.Moves() {
		l.scene.film = &film{scene: l.scene}
	}
}

// framing reports a scene whose solids cannot be framed automatically: they are too far from the origin, or too small for
// their distance from it.
func (l *loader) framing() {
	if l.scene.Camera != nil || l.failed() {
		return
	}
	if l.optionalCamera {
		l.scene.provideCamera()
		return
	}
	_, err := l.scene.View(l.scene.Image.Width, l.scene.Image.Height)
	switch {
	case err == nil:
	case l.scene.Framing != nil:
		l.Table("camera").Missing("", problem.CodeDegenerateCamera, "the solids cannot be framed: %v", err)
	default:
		l.Table("").Missing("", problem.CodeDegenerateCamera, "the solids cannot be framed and need a [camera]: %v", err)
	}
}

// provideCamera gives a scene a camera if it has none and its solids cannot be framed automatically.
func (s *Scene) provideCamera() {
	if s.Camera != nil {
		return
	}
	if _, err := s.View(s.Image.Width, s.Image.Height); err != nil {
		s.Framing = nil
		s.Camera = &camera.Camera{LookAt: geom.Vec3{Z: -1}, Up: camera.DefaultUp(), FOV: camera.DefaultFOV, ViewHeight: camera.DefaultViewHeight}
	}
}

// noSolids warns about a scene that shows only its background.
func (l *loader) noSolids() {
	if l.failed() || l.incomplete || l.scene.Objects.Len() > 0 {
		return
	}
	if l.isTheme() {
		l.Table("").Warn("", problem.CodeNoSolids, "the file is a theme, not a scene: name it in a scene's include, or with --theme")
		return
	}
	l.Table("").Warn("", problem.CodeNoSolids, "the scene has no solids: the picture shows only the background")
}

// reportFormat reports a version of the format that is unknown.
func reportFormat(t keytable.Table, v any) {
	if v != nil && v != any(formatVersion) {
		t.Wrong("format", problem.CodeUnknownFormat, "must be %d, the only format", formatVersion)
	}
}

func (l *loader) image(v any) {
	t := l.Table("image")
	img, _, _ := imageKeys().Read(t, v)
	if img.Width*img.Height > MaxPixels {
		// This happens only if the file has both keys: the default of one key times the maximum of the other is
		// within the limit.
		t.Wrong("height", problem.CodeTooManyPixels, "width times height must be at most %d", MaxPixels).
			Got("%d x %d", img.Width, img.Height)
	}
	l.scene.Image = img
}

func (l *loader) camera(v any) {
	t := l.Table("camera")
	c, given, ok := readOnce(t, v, cameraKeys)
	if !ok {
		return
	}
	fixed := c.camera()
	if c.framed = slices.ContainsFunc(FramingKeys(), func(key string) bool { return given.Has(key) }); c.framed {
		l.scene.Framing, l.rawFit = &c.Framing, given["fit"]
	} else {
		l.scene.Camera = &fixed
	}
	if !t.Valid() {
		return
	}
	switch {
	case fixed.Projection == camera.Perspective && given.Has("view_height"):
		t.Warn("view_height", problem.CodeUnusedKey, "has no effect on a perspective camera")
	case fixed.Projection == camera.Orthographic && given.Has("fov"):
		t.Warn("fov", problem.CodeUnusedKey, "has no effect on an orthographic camera")
	}
	l.view(t, given.Has("up"))
}

// readOnce reads a table that a file can have only once. It returns nil and false if the file does not have the table or
// v is not a table.
func readOnce[T any](t keytable.Table, v any, keys func() keytable.Keys[T]) (x *T, g keytable.RawTable, ok bool) {
	if v == nil {
		return nil, nil, false
	}
	x = new(T)
	k := keys()
	if g, ok = k.ReadInto(t, v, x); !ok {
		return nil, nil, false
	}
	return x, g, true
}

// view reports a degenerate camera, and passes a valid one with a fixed position to the inspector.
func (l *loader) view(t keytable.Table, hasUp bool) {
	img := &l.scene.Image
	width, height := max(1, img.Width), max(1, img.Height) // an invalid side is 0
	var view *camera.View
	var err error
	if c := l.scene.Camera; c != nil {
		view, err = c.View(width, height)
	} else {
		f := l.scene.Framing
		_, err = camera.NewFit(f.Camera, f.Direction, width, height, camera.Inset{})
	}
	switch {
	case err == nil && (view == nil || l.Broken["image"]): // the position or the size of the picture is unknown
	case err == nil:
		l.inspector.setView(t, view, img.Width, img.Height)
	case l.optionalCamera:
		l.scene.Camera, l.scene.Framing = nil, nil
		t.Warn("", problem.CodeDegenerateCamera, "ignored: %v", err)
	case errors.Is(err, camera.ErrSamePoint):
		t.Wrong("look_at", problem.CodeDegenerateCamera, "must differ from position")
	case errors.Is(err, camera.ErrUpParallel) && hasUp:
		t.Wrong("up", problem.CodeDegenerateCamera, "must not be parallel to the view")
	case errors.Is(err, camera.ErrUpParallel):
		t.Missing("up", problem.CodeDegenerateCamera, "required here: the default is parallel to the view")
	default:
		t.Missing("", problem.CodeDegenerateCamera, "%v", err)
	}
}

// attachedToCamera is the only valid value of a light's key attach.
const attachedToCamera = "camera"

// attachedLight is a light whose position depends on the view.
type attachedLight struct {
	keytable.Table
	Light
}

// placeAttached gives the inspector the positions of the lights that are attached to the camera.
func (l *loader) placeAttached() {
	if len(l.attached) == 0 || l.failed() {
		return
	}
	view, err := l.scene.View(l.scene.Image.Width, l.scene.Image.Height)
	if err != nil {
		return // the error is reported elsewhere
	}
	for i := range l.attached {
		a := &l.attached[i]
		l.inspector.addPoint(lightPoint(a.Table, a.InScene(view)))
	}
}

// readMaterials reads the [material.NAME] tables of all sources.
func (l *loader) readMaterials() {
	keys := materialKeys()
	all := newMaterials()
	all.lost = l.lost("material")
	files := make(map[string]string) // the file of each material, by name
	known := !l.lacksInclude
	for _, src := range l.sources {
		tables, ok := src.named("material", src.raw.material)
		known = known && ok
		for _, n := range tables {
			if first, duplicate := files[n.name]; duplicate {
				n.table.WrongKey("", problem.CodeDuplicateName, "a material of this name is already in %s", text.EscapeName(first))
				continue
			}
			files[n.name] = src.File
			if n.values == nil {
				all.addMaterial(n.name, 0) // so that solids that refer to it cause no further errors
				continue
			}
			surface, _, _ := keys.Read(n.table, n.values)
			l.checkGhost(n.table, &surface)
			if l.framesMaterial(n.name) || l.sources[0].raw.section != nil { // the index identifies the material
				all.addMaterial(n.name, l.tables.ownMaterial(surface))
			} else {
				all.addMaterial(n.name, l.tables.addMaterial(surface))
			}
			l.scene.Materials = append(l.scene.Materials, Material{n.name, surface})
		}
	}
	slices.Sort(all.names)
	slices.SortFunc(l.scene.Materials, func(a, b Material) int { return cmp.Compare(a.Name, b.Name) })
	if known {
		l.materials = all
	}
}

// unusedMaterials reports all unused materials of the scene's own file in one warning, because a file may begin with
// a whole collection. It reports nothing if some solid has an unknown material or could not be read, since that solid
// may use any of them.
func (l *loader) unusedMaterials() {
	if l.isTheme() || l.incomplete || l.lacksSolids() || l.materials == nil || len(l.materials.unknown) > 0 {
		return
	}
	var unused []string
	own, _ := l.sources[0].raw.material.(map[string]any)
	for _, m := range l.scene.Materials {
		if _, here := own[m.Name]; here && !l.materials.named[m.Name].used.Load() {
			unused = append(unused, tomltext.QuoteKey(m.Name))
		}
	}
	l.warnUnused("material", problem.CodeUnusedMaterial, "no solid has this material", unused)
}

// unusedCheckers reports the checkers of materials that are used, but only by solids other than boxes.
func (l *loader) unusedCheckers() {
	if l.failed() {
		return
	}
	shown := l.scene.shownCheckers()
	own, _ := l.sources[0].raw.material.(map[string]any)
	for i := range l.scene.Materials {
		m := &l.scene.Materials[i]
		if _, here := own[m.Name]; here && m.Checker != nil && l.materials.named[m.Name].used.Load() && !shown[m.Checker] {
			l.Table("material."+tomltext.QuoteKey(m.Name)).Warn("checker", problem.CodeUnusedKey, "has no effect: no box has this material")
		}
	}
}

// unusedOcclusion reports ambient occlusion without ambient light.
func (l *loader) unusedOcclusion() {
	s := &l.scene.Shading
	if !l.failed() && !l.scene.Moves() && s.Occlusion.Enabled && !s.Flat && s.Ambient == (shade.Gradient{}) {
		l.Table("shading").Warn("occlusion", problem.CodeUnusedKey, "has no effect: the scene has no ambient light")
	}
}

// shownCheckers returns the checkers of the materials of boxes, as a set.
func (s *Scene) shownCheckers() map[*shade.Checker]bool {
	shown := make(map[*shade.Checker]bool)
	for i := range s.Boxes {
		if c := s.Objects.Material(s.Number(KindBox, i)).Checker; c != nil {
			shown[c] = true
		}
	}
	return shown
}

// uniquePlacedNames reports placements that give a solid or light the same name as another solid or light.
// Names are unique within each part, so this happens only if a name contains a slash or an index.
func (l *loader) uniquePlacedNames() {
	s := l.scene
	if l.failed() || len(s.root.places) == 0 {
		return
	}
	holders := make(map[string]int)
	reported := make(map[*place]bool)
	report := func(pl *place, what, name, holder string) {
		if !reported[pl] {
			reported[pl] = true
			pl.table.Wrong("name", problem.CodeDuplicateName, "gives a %s the name %q, but %s has it too", what, text.Shorten(name), holder)
		}
	}
	lights := make(map[string]int)
	for i := range s.Lights {
		name := s.Lights[i].Name
		first, duplicate := lights[name]
		if duplicate && name != "" {
			report(s.root.lightOrigin(i).placed[0].place, "light", name, s.lightHolder(first))
			continue
		}
		lights[name] = i
	}
	for number := range s.Objects.Len() {
		name := s.Objects.Name(number)
		if name == "" {
			continue
		}
		pl := s.outermostPlace(number)
		if i, duplicate := lights[name]; duplicate && pl != nil {
			report(pl, "solid", name, s.lightHolder(i))
		} else if duplicate { // then the light is placed
			report(s.root.lightOrigin(i).placed[0].place, "light", name, s.Key(number))
		}
		first, duplicate := holders[name]
		if !duplicate {
			holders[name] = number
			continue
		}
		if pl == nil { // then the first solid comes from a placement
			pl, first = s.outermostPlace(first), number
		}
		from, _ := s.Origin(first)
		report(pl, "solid", name, fmt.Sprintf("%s[%d]", from.Table, from.Index))
	}
}
