package scene

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/text"
	"pillbox/internal/tomltext"
	"pillbox/shade"
)

// The keys of the format, table by table. The keys of solids also depend on the kinds: see [kindTable].

func imageKeys() keysOf[Image] {
	return keysOf[Image]{about: "The picture.", list: []key[Image]{
		{name: "width", form: integerForm(sides()), unset: int64(1280), unit: "pixels", fixed: true,
			about: "width of the picture; `width` times `height` is at most 2^28",
			field: func(i *Image) any { return &i.Width }},
		{name: "height", form: integerForm(sides()), unset: int64(720), unit: "pixels", fixed: true,
			about: "height of the picture",
			field: func(i *Image) any { return &i.Height }},
		{name: "antialias", form: integerForm(antialiases()), unset: int64(1), fixed: true,
			about: "number of rays along each side of a pixel: n x n rays per pixel",
			field: func(i *Image) any { return &i.Antialias }},
		{name: "antialias_mode", form: switchForm("full", "adaptive"), unset: "full", fixed: true,
			about: "whether all pixels get n x n rays, or with `\"adaptive\"` only those that need them, such as those along edges, see [Antialiasing](#antialiasing)",
			field: func(i *Image) any { return &i.Adaptive }},
		{name: "background", form: backgroundForm(), unset: map[string]any{"top": defaultTop, "bottom": defaultBottom},
			about: "what rays see that hit no solid: a color, `\"transparent\"`, or a gradient from straight up (`top`) to straight down (`bottom`), see [Background](#background)",
			field: func(i *Image) any { return &i.Background }},
	}}
}

func gradientKeys() keysOf[shade.Gradient] {
	return keysOf[shade.Gradient]{about: "A gradient between straight up and straight down.", list: []key[shade.Gradient]{
		{name: "top", form: colorForm(), unset: defaultTop, about: "color straight up", field: func(g *shade.Gradient) any { return &g.Top }},
		{name: "bottom", form: colorForm(), unset: defaultBottom, about: "color straight down", field: func(g *shade.Gradient) any { return &g.Bottom }},
	}}
}

func hemisphereKeys() keysOf[shade.Gradient] {
	return keysOf[shade.Gradient]{about: "Light that depends on the direction in which a surface faces.", list: []key[shade.Gradient]{
		{name: "top", form: ambientForm(), unset: defaultAmbient, about: "on surfaces that face straight up", field: func(g *shade.Gradient) any { return &g.Top }},
		{name: "bottom", form: ambientForm(), unset: defaultAmbient, about: "on surfaces that face straight down", field: func(g *shade.Gradient) any { return &g.Bottom }},
	}}
}

// cameraTable holds the values of [camera]: a camera with a fixed position or, if framed is set, a framing.
type cameraTable struct {
	framed bool
	fixed  camera.Camera // only its position and what it looks at, and the height of its view; the rest is in Framing
	Framing
	rawFit any // the value of the key fit, until it is resolved
}

// camera returns the camera with a fixed position.
func (c *cameraTable) camera() camera.Camera {
	x := c.Framing.Camera
	x.Position, x.LookAt, x.ViewHeight = c.fixed.Position, c.fixed.LookAt, c.fixed.ViewHeight
	return x
}

func cameraKeys() keysOf[cameraTable] {
	isPerspective := func(c *cameraTable) bool { return c.Camera.Projection == camera.Perspective }
	isFixed := func(c *cameraTable) bool { return !c.framed }
	own := keysOf[cameraTable]{about: "Where the picture is taken from. A scene without a camera is framed automatically.", list: []key[cameraTable]{
		{name: "projection", form: wordForm([]string{camera.Perspective.String(), camera.Orthographic.String()}), unset: camera.Perspective.String(),
			about: "whether rays spread from the position, or with `\"orthographic\"` are parallel",
			field: func(c *cameraTable) any { return (*int)(&c.Camera.Projection) }},
		{name: "position", form: vectorForm(coordinates()),
			about:   "the eye; for an orthographic camera the center of the plane on which its parallel rays start; *required* with `look_at` unless the camera [frames the solids](#framing)",
			applies: isFixed, field: func(c *cameraTable) any { return &c.fixed.Position }},
		{name: "look_at", form: vectorForm(coordinates()),
			about:   "the point at the center of the picture; must differ from `position`",
			applies: isFixed, field: func(c *cameraTable) any { return &c.fixed.LookAt }},
		{name: "up", form: nonzeroForm(), unset: vectorValue(camera.DefaultUp()),
			about: "the vector that points up in the picture; must not be parallel to the view",
			field: func(c *cameraTable) any { return &c.Camera.Up }},
		{name: "fov", form: numberForm(fovs()), unset: float64(camera.DefaultFOV), unit: "degrees",
			about:   "vertical field of view of a perspective camera",
			applies: isPerspective, field: func(c *cameraTable) any { return (*float64)(&c.Camera.FOV) }},
		{name: "view_height", form: numberForm(sizes()), unset: camera.DefaultViewHeight,
			about:   "height of the view of an orthographic camera, in scene units; not for a camera that frames the solids",
			applies: func(c *cameraTable) bool { return isFixed(c) && !isPerspective(c) }, field: func(c *cameraTable) any { return &c.fixed.ViewHeight }},
	}}
	framing := framingKeys().names()
	own.rules = together("position", "look_at")
	for _, fixed := range []string{"position", "look_at"} { // both are missing if the table has no key for framing
		own.rules = append(own.rules, ruleSet{{needs: append([]string{"position", "look_at"}, framing...), any: true, at: fixed, code: CodeMissingKey, message: "missing"}})
	}
	var height ruleSet
	for _, key := range framing {
		own.rules = append(own.rules, ruleSet{excludes(key, "position", fmt.Sprintf(conflict, "position")), excludes(key, "look_at", fmt.Sprintf(conflict, "look_at"))})
		height = append(height, excludes("view_height", key, fmt.Sprintf(conflict, key)+", which makes the camera frame the solids: they decide its height"))
	}
	own.rules = append(own.rules, height)
	return own.with(framingKeys())
}

// framingKeys returns the keys of a camera that frames the solids.
func framingKeys() keysOf[cameraTable] {
	isFramed := func(c *cameraTable) bool { return c.framed }
	return keysOf[cameraTable]{list: []key[cameraTable]{
		{name: "direction", form: nonzeroForm(), unset: vectorValue(DefaultFraming().Direction),
			about:   "instead of `position` and `look_at`, one or more of `direction`, `fit`, `margin` and `fit_time`: the direction of the view, from the camera into the scene, such as `[0, 0, -1]`. The camera is as near as possible so that the solids fit into the picture, see [Framing](#framing)",
			applies: isFramed, field: func(c *cameraTable) any { return &c.Direction }},
		{name: "fit", form: fitForm(), unset: fitAll, fixed: true,
			about:   "what to show: `\"all\"` solids, or the name of a solid, placement, part or material, or an array of such names",
			applies: isFramed, field: func(c *cameraTable) any { return &c.rawFit }},
		{name: "margin", form: numberForm(limits{max: MaxMargin}), unset: defaultMargin,
			about:   "space between the solids and the edge of the picture, as a fraction of the picture's shorter side",
			applies: isFramed, field: func(c *cameraTable) any { return &c.Margin }},
		{name: "fit_time", form: switchForm("all", "each"), unset: "all", fixed: true,
			about:   "whether one camera shows the solids of all frames of an animation, or with `\"each\"` each frame is framed by itself",
			applies: isFramed, field: func(c *cameraTable) any { return &c.Each }},
	}}
}

// fitAll is the value of the key fit for all solids.
const fitAll = "all"

// fitForm is a form for an any: a name, or an array of names.
func fitForm() form {
	return rawForm("Union[str, Sequence[str]]", func() *schema { return anyOf(typed("string"), listOf("", typed("string"))) })
}

func shadingKeys() keysOf[Shading] {
	return keysOf[Shading]{about: "What all surfaces have in common.", list: []key[Shading]{
		{name: "ambient", form: hemisphereForm(), unset: defaultAmbient,
			about: "light from all directions: a number is linear light, a color is sRGB. `{ top = .., bottom = .. }`, each a number or a color, gives the light on surfaces that face straight up and straight down, see [Shading](#how-a-picture-is-made)",
			field: func(s *Shading) any { return &s.Ambient }},
		{name: "shadows", form: booleanForm(), unset: true,
			about: "whether solids cast shadows",
			field: func(s *Shading) any { return &s.Shadows }},
		{name: "bounces", form: integerForm(bounces()), unset: int64(4),
			about: "the largest number of reflections of a ray",
			field: func(s *Shading) any { return &s.Bounces }},
		{name: "samples", form: powerOfTwoForm(samples()), unset: defaultSamples,
			about:   "how many rays each point of a surface casts to each [light with a size](#lights-with-a-size), and how many for [ambient occlusion](#ambient-occlusion), where such rays are needed: a power of two",
			applies: func(s *Shading) bool { return s.Samples != 0 }, field: func(s *Shading) any { return &s.Samples }},
		{name: "color", form: switchForm("lit", "flat"), unset: "lit",
			about:   "whether light decides the colors, or with `\"flat\"` each surface shows its own color everywhere, as in a line drawing, without lights, shadows and mirrors, see [Outlines and flat colors](#outlines-and-flat-colors)",
			applies: func(s *Shading) bool { return s.Flat }, field: func(s *Shading) any { return &s.Flat }},
		{name: "occlusion", form: occlusionForm(), fixed: true,
			about:   "the table `[shading.occlusion]`",
			applies: func(s *Shading) bool { return s.Occlusion.Enabled }, field: func(s *Shading) any { return &s.Occlusion }},
	}}
}

func occlusionForm() form {
	f := tableForm(occlusionKeys(), func(o *Occlusion) { o.Enabled = true })
	f.python = "Dict[str, Any]"
	return f
}

func occlusionKeys() keysOf[Occlusion] {
	return keysOf[Occlusion]{about: "Ambient occlusion: solids darken the ambient light of surfaces near them. The table may be empty.", list: []key[Occlusion]{
		{name: "distance", form: numberForm(sizes()),
			about:   "how far from a surface solids darken it; without this key, solids at any distance do",
			applies: func(o *Occlusion) bool { return o.Distance != 0 }, field: func(o *Occlusion) any { return &o.Distance }},
	}}
}

func outlineKeys() keysOf[Outline] {
	return keysOf[Outline]{about: "Lines along the edges of the visible surfaces. The table may be empty.", list: []key[Outline]{
		{name: "width", form: numberForm(limits{min: 0.1, max: MaxOutline}), unset: 1.5, unit: "pixels",
			about: "width of the lines, for a picture of the scene's own height; half of a line lies on each side of the edge",
			field: func(o *Outline) any { return &o.Width }},
		{name: "color", form: colorForm(), unset: defaultInk,
			about: "color of the lines",
			field: func(o *Outline) any { return &o.Color }},
		{name: "silhouettes", form: booleanForm(), unset: true,
			about: "whether lines follow the silhouettes: where a surface ends before the background or a more distant surface",
			field: func(o *Outline) any { return &o.Silhouettes }},
		{name: "creases", form: booleanForm(), unset: true,
			about: "whether lines follow the creases: the edges of boxes and cylinders",
			field: func(o *Outline) any { return &o.Creases }},
		{name: "contacts", form: booleanForm(), unset: true,
			about: "whether lines follow the contacts: where the surfaces of two solids meet",
			field: func(o *Outline) any { return &o.Contacts }},
		{name: "depth", form: numberForm(limits{max: geom.MaxSize}), unset: 0.0,
			about: "silhouettes before a more distant surface are drawn only where the depth, along the viewing direction, changes by more than this",
			field: func(o *Outline) any { return &o.Depth }},
		{name: "hidden", form: switchForm("none", "dashed"), unset: "none",
			about: "whether dashed lines show the silhouettes and creases of solids behind other solids",
			field: func(o *Outline) any { return &o.HiddenDashed }},
	}}
}

func fogKeys() keysOf[Fog] {
	return keysOf[Fog]{about: "Fog: a color that is mixed in by depth. The table may be empty.", list: []key[Fog]{
		{name: "near", form: depthForm(), unset: autoDepth,
			about: "the depth at which the fog begins, or with `\"auto\"` the depth of the nearest point of the solids, but at least 0. The depth is the distance from the camera along the viewing direction",
			field: func(f *Fog) any { return &f.Near }},
		{name: "far", form: depthForm(), unset: autoDepth,
			about: "the depth at which the fog reaches its strength, greater than `near`, or with `\"auto\"` the depth of the farthest point of the solids",
			field: func(f *Fog) any { return &f.Far }},
		{name: "color", form: colorForm(), unset: "white",
			about: "color of the fog",
			field: func(f *Fog) any { return &f.Color }},
		{name: "strength", form: numberForm(fractions()), unset: 1.0,
			about: "share of the fog's color at the depth `far` and beyond; between `near` and `far` the share grows in proportion to the depth",
			field: func(f *Fog) any { return &f.Strength }},
		{name: "background", form: booleanForm(), unset: false,
			about: "whether fog of the full strength also lies before the background",
			field: func(f *Fog) any { return &f.Background }},
	}}
}

func sectionKeys() keysOf[sectionTable] {
	hatched := func(s *sectionTable) bool { return s.Hatch.Enabled }
	names := func(field func(*sectionTable) *any) key[sectionTable] {
		f := rawForm("Union[str, Sequence[str]]", func() *schema { return anyOf(typed("string"), listOf("", typed("string"))) })
		f.text = func(_ *tomlWriter, field any) string { return textsText((*field.(*any)).([]string)) }
		return key[sectionTable]{form: f, fixed: true,
			applies: func(s *sectionTable) bool { return *field(s) != nil }, field: func(s *sectionTable) any { return field(s) }}
	}
	on, except := names(func(s *sectionTable) *any { return &s.rawOn }), names(func(s *sectionTable) *any { return &s.rawExcept })
	on.name, on.about = "on", "a name of a solid, placement, part or material, also `part.NAME` or `material.NAME`, or an array of such names: the section cuts only these solids. Without `on` and `except`, it cuts all or, in a part, those of the part"
	except.name, except.about = "except", "instead of `on`: the section cuts all these solids but those with the given names"
	return keysOf[sectionTable]{about: "A plane that cuts solids, to look inside. What lies on the side that the normal points to is taken away.", list: []key[sectionTable]{
		{name: "name", form: nameForm(), fixed: true,
			about:   "a name for messages and, except in a part, for the `target` of `[[animate]]`",
			applies: func(s *sectionTable) bool { return s.Name != "" }, field: func(s *sectionTable) any { return &s.Name }},
		{name: "point", form: vectorForm(coordinates()), required: true,
			about: "a point of the plane",
			field: func(s *sectionTable) any { return &s.Point }},
		{name: "normal", form: unitForm(), required: true,
			about: "the direction that the plane faces, of any length except zero: what lies on this side of the plane is taken away",
			field: func(s *sectionTable) any { return unitVector{&s.Normal, &s.stated} }},
		{name: "color", form: colorForm(),
			about: "color of the cut faces; without it, they have the color of the solid that is cut",
			has:   func(s *sectionTable) *bool { return &s.HasColor }, field: func(s *sectionTable) any { return &s.Color }},
		{name: "hatch", form: booleanForm(), unset: false,
			about: "whether parallel lines cover the cut faces, as in engineering drawings",
			field: func(s *sectionTable) any { return &s.Hatch.Enabled }},
		{name: "hatch_distance", form: numberForm(sizes()), unset: 0.1,
			about:   "distance from each line of the hatch to the next, in scene units",
			applies: hatched, field: func(s *sectionTable) any { return &s.Hatch.Distance }},
		{name: "hatch_width", form: numberForm(sizes()), unset: 0.02,
			about:   "width of the lines of the hatch, less than their distance",
			applies: hatched, field: func(s *sectionTable) any { return &s.Hatch.Width }},
		{name: "hatch_angle", form: numberForm(finite()), unset: 45.0, unit: "degrees",
			about:   "angle between the lines of the hatch and the horizontal, seen from the side that is taken away; on a horizontal plane, the angle to the x axis",
			applies: hatched, field: func(s *sectionTable) any { return (*float64)(&s.Hatch.Angle) }},
		{name: "hatch_color", form: colorForm(), unset: defaultInk,
			about:   "color of the lines of the hatch",
			applies: hatched, field: func(s *sectionTable) any { return &s.Hatch.Color }},
		on, except,
		{name: "light", form: switchForm("cut", "whole"), unset: "cut",
			about: "whether light passes through what is taken away, or with `\"whole\"` shadows are those of the whole solids",
			field: func(s *sectionTable) any { return &s.LightWhole }},
	}, rules: append(atMostOne("on", "except"), ruleSet{
		needsAll("hatch_distance", "hatch", "requires hatch"),
		needsAll("hatch_width", "hatch", "requires hatch"),
		needsAll("hatch_angle", "hatch", "requires hatch"),
		needsAll("hatch_color", "hatch", "requires hatch"),
	})}
}

func animationKeys() keysOf[Animation] {
	return keysOf[Animation]{about: "The frames of a film of the scene. Frame i shows the time i / fps.", list: []key[Animation]{
		{name: "duration", form: numberForm(durations()), required: true, unit: "seconds",
			about: "length of the film",
			field: func(a *Animation) any { return &a.Duration }},
		{name: "fps", form: numberForm(rates()), unset: DefaultFPS,
			about: "frames per second. Frame i shows the time i / fps; there are round(duration * fps) frames, at most 2^20",
			field: func(a *Animation) any { return &a.FPS }},
		{name: "golden", form: secondsForm(MaxGoldens, table.goldenTimes),
			about: "ascending seconds, such as `[0, 1.5]`, at most 1,000, with at most 6 decimal places: times at which `render golden` [also keeps a picture](golden.md#animations), as NAME@1.5.png",
			field: func(a *Animation) any { return &a.Golden }},
	}}
}

// animateTable holds the values of an [[animate]] table.
type animateTable struct {
	target, values any // read later
	times          []float64
	ease           int
}

func animateKeys() keysOf[animateTable] {
	values := rawForm("Sequence[Any]", func() *schema { return &schema{Type: "array", MinItems: 1} })
	return keysOf[animateTable]{list: []key[animateTable]{
		{name: "target", form: referenceForm(), required: true,
			about: "a path, a dot and a key, such as `\"camera.position\"` or `\"walker/arm.rotate\"`. The path is `camera`, `shading`, `image`, `fog`, the name of a section or light, or that of a solid or placement as in messages; the prefix `part.NAME/` means all copies of the part, see [Time](#time)",
			field: func(a *animateTable) any { return &a.target }},
		{name: "times", form: secondsForm(0, table.moments), required: true, unit: "seconds",
			about: "ascending times",
			field: func(a *animateTable) any { return &a.times }},
		{name: "values", form: values, required: true,
			about: "the key's values at these times; the first value also holds before the first time, and the last value after the last time. Between two times numbers, vectors, colors and quaternions are mixed",
			field: func(a *animateTable) any { return &a.values }},
		{name: "ease", form: wordForm(eases()), unset: eases()[easeLinear],
			about: "how the value moves from one time to the next: `\"smooth\"` moves by 3u^2 - 2u^3, where u goes from 0 to 1 between two times; `\"step\"` holds each value until the next time",
			field: func(a *animateTable) any { return &a.ease }},
	}}
}

// overlapsTable holds the values of [overlaps].
type overlapsTable struct{ allow [][2]string }

func overlapsKeys() keysOf[overlapsTable] {
	allow := formFor(table.patterns, nil, func(_ *tomlWriter, pairs [][2]string) string {
		var texts []string
		for i := range pairs {
			texts = append(texts, textsText(pairs[i][:]))
		}
		return tomltext.Array(texts...)
	}).is("Sequence[Sequence[str]]", mixNothing, pairsOfPatterns)
	return keysOf[overlapsTable]{about: "Which solids may overlap or touch without a note from check.", list: []key[overlapsTable]{
		{name: "allow", form: allow,
			about: "at most 64 pairs of name patterns, such as `[[\"arm*\", \"hand\"], [\"atom*\", \"atom*\"]]`: solids with such names may overlap or touch each other. `*` matches any characters except `/`, `?` one character, `[a-z]` one in a range; the pattern `*` also matches solids without a name",
			field: func(o *overlapsTable) any { return &o.allow }},
	}}
}

func materialKeys() keysOf[shade.Material] {
	return keysOf[shade.Material]{about: "A named surface.", list: []key[shade.Material]{
		{name: "color", form: colorForm(), unset: defaultColor,
			about: "color of the matte part",
			field: func(m *shade.Material) any { return &m.Albedo }},
		{name: "mirror", form: numberForm(fractions()), unset: 0.0,
			about: "weight of the mirror; the matte part has the weight 1 - mirror",
			field: func(m *shade.Material) any { return &m.Mirror }},
		{name: "ghost", form: materialGhostForm(),
			about:   ghostAbout,
			applies: func(m *shade.Material) bool { return m.Ghost != nil }, field: func(m *shade.Material) any { return &m.Ghost }},
		{name: "checker", form: checkerForm(),
			about:   "`{ color = .., size = .. }`, both *required*: squares on the faces of boxes, alternating between the color of the material and this one. Four squares meet at the center of each face, see [Checkers](#checkers)",
			applies: func(m *shade.Material) bool { return m.Checker != nil }, field: func(m *shade.Material) any { return &m.Checker }},
	}}
}

// checkerForm is a form for a *shade.Checker.
func checkerForm() form {
	f := tableForm(checkerKeys(), func(*shade.Checker) {})
	pointer := f
	pointer.python = "Checker"
	pointer.read = func(t table, key string, v any, field any) {
		if x, _, ok := checkerKeys().read(t.report.table(t.key(key)), v); ok {
			*field.(**shade.Checker) = &x
		}
	}
	pointer.check = func(key string, field any) error { return f.check(key, *field.(**shade.Checker)) }
	pointer.text = func(w *tomlWriter, field any) string { return f.text(w, *field.(**shade.Checker)) }
	return pointer
}

func checkerKeys() keysOf[shade.Checker] {
	return keysOf[shade.Checker]{about: "Squares on the faces of boxes, alternating between the color of the material and this one. Four squares meet at the center of each face.", list: []key[shade.Checker]{
		{name: "color", form: colorForm(), required: true,
			about: "color of every other square",
			field: func(c *shade.Checker) any { return &c.Albedo }},
		{name: "size", form: numberForm(sizes()), required: true,
			about: "length of the squares' edges",
			field: func(c *shade.Checker) any { return &c.Size }},
	}}
}

// partLightKeys returns the keys of a light in a part. Lights of the scene can also have the key attach.
func partLightKeys() keysOf[Light] {
	k := lightKeys()
	k.list = slices.DeleteFunc(k.list, func(k key[Light]) bool { return k.name == "attach" })
	return k
}

func lightKeys() keysOf[Light] {
	isPlaced := func(l *Light) bool { return !l.Directional }
	return keysOf[Light]{list: []key[Light]{
		{name: "name", form: nameForm(), fixed: true,
			about:   "a name for messages and reports, unique among lights, solids and placements",
			applies: func(l *Light) bool { return l.Name != "" }, field: func(l *Light) any { return &l.Name }},
		{name: "attach", form: markForm(attachedToCamera),
			about:   "`\"camera\"`: the light moves with the camera, and its `position` is relative to the camera's. The x, y and z axes of its `position` and `direction` point to the right in the picture, up in the picture, and toward the viewer. Not in a part",
			applies: func(l *Light) bool { return l.Attached }, field: func(l *Light) any { return &l.Attached }},
		{name: "position", form: vectorForm(coordinates()),
			about:   "the position of a point light or spot light",
			applies: isPlaced, field: func(l *Light) any { return &l.Position }},
		{name: "direction", form: unitForm(),
			about:   "the direction in which parallel light travels, or the axis of a spot light's cone",
			applies: func(l *Light) bool { return l.Directional || l.IsSpot() }, field: func(l *Light) any { return unitVector{&l.Direction, &l.stated} }},
		{name: "radius", form: numberForm(lightRadii()), unset: 0.0,
			about:   "the radius of the ball from which a point light or spot light shines: its shadows have [soft edges](#lights-with-a-size)",
			applies: func(l *Light) bool { return isPlaced(l) && l.Radius != 0 }, field: func(l *Light) any { return &l.Radius }},
		{name: "angle", form: numberForm(lightAngles()), unset: 0.0, unit: "degrees",
			about:   "the angle that a directional light covers in the sky, for [soft edges](#lights-with-a-size) of its shadows; the sun covers 0.53 degrees",
			applies: func(l *Light) bool { return l.Directional && l.Angle != 0 }, field: func(l *Light) any { return (*float64)(&l.Angle) }},
		{name: "cone", form: numberForm(cones()), unit: "degrees",
			about:   "makes a spot light of a light with a position and a direction: the whole angle of its opening",
			applies: (*Light).IsSpot, field: func(l *Light) any { return (*float64)(&l.Cone.Angle) }},
		{name: "edge", form: numberForm(edges()), unset: 0.0, unit: "degrees",
			about:   "how far inside the border of its cone a spot light reaches its full strength; at most half of `cone`",
			applies: (*Light).IsSpot, field: func(l *Light) any { return (*float64)(&l.Cone.Edge) }},
		{name: "color", form: colorForm(), unset: "white",
			about: "color of the light",
			field: func(l *Light) any { return &l.Color }},
		{name: "intensity", form: numberForm(intensities()), unset: 1.0,
			about: "factor of the color. Light does not weaken with distance",
			field: func(l *Light) any { return &l.Intensity }},
		{name: "visible", form: booleanForm(), unset: false,
			about:   "whether mirrors show the ball of a light with a radius, in its color: a highlight. The camera itself does not see it",
			applies: func(l *Light) bool { return l.Visible }, field: func(l *Light) any { return &l.Visible }},
	}, rules: []ruleSet{{
		needsAny("position direction", "must have a position or a direction"),
		needsAll("cone", "position direction", "requires position and direction: only a spot light has a cone"),
		{with: []string{"position", "direction"}, needs: []string{"cone"}, at: "direction", code: CodeConflict, message: fmt.Sprintf(conflict, "position") + " unless cone is set, for a spot light"},
		needsAll("edge", "cone", "requires cone"),
		needsAll("visible", "radius", "requires radius: mirrors show the ball of the light"),
		needsAll("radius", "position", "requires position: the size of a directional light is an angle"),
		excludes("angle", "position", "only a directional light has an angle: the size of a light with a position is a radius, the opening of a spot light a cone"),
	}}}
}

// unitVector is a field for a vector of any length that is normalized, and for the vector in the file.
type unitVector struct{ unit, stated *geom.Vec3 }

// unitForm is a form for a unitVector.
func unitForm() form {
	return form{
		read: func(t table, key string, v any, field any) {
			x := field.(unitVector)
			*x.stated = t.nonzero(key, v)
			*x.unit, _ = geom.Direction(*x.stated)
		},
		check: func(key string, field any) error {
			if d := *field.(unitVector).unit; !isUnit(d) {
				return fmt.Errorf("%s: must have length 1, got %v", key, d)
			}
			return nil
		},
		text: func(w *tomlWriter, field any) string {
			x := field.(unitVector)
			d, ok := unnormalized(*x.unit, *x.stated)
			if !ok {
				w.Fail(fmt.Errorf("found no vector that normalizes to the direction %v", *x.unit))
			}
			return tomltext.Vector(d)
		},
	}.is("Vector", mixVectors, nonzeroForm().schema)
}

func labelKeys() keysOf[partLabel] {
	on := rawForm("Union[str, Sequence[str]]", func() *schema { return anyOf(typed("string"), listOf("", typed("string"))) })
	on.text = func(_ *tomlWriter, field any) string { return textsText((*field.(*any)).([]string)) }
	own := keysOf[partLabel]{list: []key[partLabel]{
		{name: "text", form: captionForm(true), required: true,
			about: "the text, of up to 500 characters; `\\n` in the string begins a new line",
			field: func(l *partLabel) any { return &l.Text }},
		{name: "at", form: vectorForm(coordinates()),
			about:   "the point to which the label belongs",
			applies: func(l *partLabel) bool { return l.rawOn == nil }, field: func(l *partLabel) any { return &l.At }},
		{name: "on", form: on,
			about:   "instead of `at`: the name of a solid or placement, as in the `target` of `[[animate]]`, or an array of such names. The label belongs to the center of their bounds",
			applies: func(l *partLabel) bool { return l.rawOn != nil }, field: func(l *partLabel) any { return &l.rawOn }},
		{name: "offset", form: shiftForm(limits{min: -MaxSide, max: MaxSide}), unset: []any{0.0, 0.0}, unit: "pixels",
			about: "from the point to the text, to the right and down",
			field: func(l *partLabel) any { return &l.Offset }},
		{name: "anchor", form: anchorForm(), unset: "center",
			about: "the point of the text's box that lies at the offset from the point",
			field: func(l *partLabel) any { return &l.Anchor }},
		{name: "leader", form: booleanForm(), unset: false,
			about: "whether a line connects the text with the point",
			field: func(l *partLabel) any { return &l.Leader }},
		hiddenKey(func(l *partLabel) *Hidden { return &l.Hidden }),
	}, rules: []ruleSet{{
		needsAny("at on", "must have at, a point, or on, the name of a solid or placement"),
		excludes("on", "at", fmt.Sprintf(conflict, "at")),
	}}}
	return own.with(embedded(letteringKeys(defaultLettering), func(l *partLabel) *Lettering { return &l.Lettering }))
}

// anchorForm is a form for an Anchor.
func anchorForm() form {
	f := wordForm(anchorWords())
	index := func(a *Anchor) int { return 3*(a.Y+1) + a.X + 1 }
	return form{
		read: func(t table, key string, v any, field any) {
			i, _ := t.word(key, v, f.words)
			*field.(*Anchor) = Anchor{X: i%3 - 1, Y: i/3 - 1}
		},
		check: func(key string, field any) error {
			if x := *field.(*Anchor); x.X*x.X > 1 || x.Y*x.Y > 1 {
				return fmt.Errorf("%s: must be -1, 0 or 1 in each direction, got %v", key, x)
			}
			return nil
		},
		text:  func(w *tomlWriter, field any) string { i := index(field.(*Anchor)); return f.text(w, &i) },
		words: f.words,
	}.is("str", mixNothing, f.schema)
}

func hiddenKey[T any](field func(*T) *Hidden) key[T] {
	return key[T]{name: "hidden", form: wordForm(hiddenWords()), unset: "draw",
		about: "how parts that solids hide are drawn: `\"draw\"` as all others, `\"dash\"` with dashed lines, `\"hide\"` not at all",
		field: func(x *T) any { return (*int)(field(x)) }}
}

func dimensionKeys() keysOf[partDimension] {
	spans := func(d *partDimension) bool { return d.rawOn == nil }
	measures := func(d *partDimension) bool { return d.rawOn != nil }
	own := keysOf[partDimension]{list: []key[partDimension]{
		{name: "from", form: vectorForm(coordinates()),
			about:   "one end of the measured length; requires `to`",
			applies: spans, field: func(d *partDimension) any { return &d.From }},
		{name: "to", form: vectorForm(coordinates()),
			about:   "the other end",
			applies: spans, field: func(d *partDimension) any { return &d.To }},
		{name: "on", form: referenceForm(),
			about:   "instead of `from` and `to`: the name of a solid to measure",
			applies: measures, field: func(d *partDimension) any { return &d.rawOn }},
		{name: "across", form: wordsForm(acrossWords()),
			about:   "what to measure of the solid: `\"diameter\"` of a sphere, twice its radius; `\"length\"` (the default) or `\"diameter\"` of a capsule or cylinder; `\"x\"`, `\"y\"` or `\"z\"` of a box, its edges along its own axes, twice the half extent (*required* for a box). The length of a capsule includes its round ends: the distance from `a` to `b` plus twice the radius. The length of a cylinder is the distance from `a` to `b`",
			applies: measures, field: func(d *partDimension) any { return &d.Across }},
		{name: "offset", form: vectorForm(coordinates()), unset: vectorValue(geom.Vec3{}),
			about: "from the measured length to the line, in scene units",
			field: func(d *partDimension) any { return &d.Offset }},
		{name: "text", form: captionForm(false), unset: lengthMark,
			about: "the text, in which the length replaces `{}`",
			field: func(d *partDimension) any { return &d.Text }},
		hiddenKey(func(d *partDimension) *Hidden { return &d.Hidden }),
	}, rules: []ruleSet{{
		excludes("on", "from", fmt.Sprintf(conflict, "from and to")),
		excludes("on", "to", fmt.Sprintf(conflict, "from and to")),
		needsAny("from to on", "must have from and to, or on, the name of a solid"),
		needsAll("across", "on", "requires on, the name of a solid"),
		together("from", "to")[0][0], together("from", "to")[1][0],
	}}}
	return own.
		with(embedded(quantityKeys(), func(d *partDimension) *Quantity { return &d.Quantity })).
		with(embedded(letteringKeys(defaultLettering), func(d *partDimension) *Lettering { return &d.Lettering }))
}

// pointForm is a form for a partPoint.
func pointForm() form {
	return formFor(table.pointOf,
		func(key string, x partPoint) error {
			if x.raw != nil || len(x.On) > 0 {
				return nil
			}
			return checkVector(key, x.At, coordinates())
		},
		func(_ *tomlWriter, x partPoint) string {
			switch names := x.raw.(type) {
			case string:
				return tomltext.Quote(names)
			case []string:
				return textsText(names)
			}
			return tomltext.Vector(x.At)
		},
	).is("Point", mixNothing, func() *schema {
		return anyOf(vectorIn(coordinates()), typed("string"), listOf("", typed("string")))
	})
}

// pointAbout ends the meanings of keys that are points.
const pointAbout = ": a point, or the name of a solid or placement, or an array of such names, for the center of their bounds. `\"arm.a\"` is the point `a` of the capsule or cylinder `arm`"

// strokeKeys returns the keys for the look of a line.
func strokeKeys(heads Heads) keysOf[Stroke] {
	dash := form{
		read: func(t table, key string, v any, field any) {
			s, d := field.(*Stroke), t.dashOf(key, v)
			s.HasDash, s.Dash = d.on, d.lengths
		},
		check: func(key string, field any) error {
			s := field.(*Stroke)
			if s.Dash == [2]float64{} {
				return nil
			}
			return cmp.Or(checkNumber(key, s.Dash[0], dashLengths()), checkNumber(key, s.Dash[1], dashLengths()))
		},
		text: func(_ *tomlWriter, field any) string {
			s := field.(*Stroke)
			if s.Dash == [2]float64{} {
				return strconv.FormatBool(s.HasDash)
			}
			return tomltext.Array(tomltext.Number(s.Dash[0]), tomltext.Number(s.Dash[1]))
		},
	}.is("Union[bool, Sequence[float]]", mixNothing, func() *schema {
		return anyOf(typed("boolean"), arrayOfN(2, numberIn(dashLengths())))
	})
	return keysOf[Stroke]{list: []key[Stroke]{
		{name: "width", form: numberForm(lineWidths()), unset: 1.5, unit: "pixels",
			about: "width of lines, for a picture of the scene's own height",
			field: func(s *Stroke) any { return &s.Width }},
		{name: "dash", form: dash, unset: false,
			about: "whether the line is dashed; `[dash, gap]` are the lengths of dashes and gaps in pixels, by default 4 and 3 times the width",
			field: func(s *Stroke) any { return s }},
		{name: "heads", form: wordForm(headsWords()), unset: headsWords()[heads],
			about: "which ends have arrowheads",
			field: func(s *Stroke) any { return (*int)(&s.Heads) }},
		{name: "head", form: numberForm(dashLengths()), unit: "pixels",
			about:   "length of arrowheads; without it, 6 times the width. An arrowhead is not longer than its line, and two thirds as wide as long",
			applies: func(s *Stroke) bool { return s.HeadLength != 0 }, field: func(s *Stroke) any { return &s.HeadLength }},
	}}
}

// depthKeys returns the keys that say how solids hide a drawing.
func depthKeys() keysOf[depthTable] {
	return keysOf[depthTable]{list: []key[depthTable]{
		{name: "depth", form: booleanForm(), unset: false,
			about: "whether it lies in the scene, where solids hide it; otherwise it is drawn over all solids",
			field: func(d *depthTable) any { return &d.depth }},
		{name: "hidden", form: switchForm("dash", "hide"), unset: "dash",
			about:   "how parts that solids hide are drawn: `\"dash\"` with dashed lines, `\"hide\"` not at all; requires `depth = true`",
			applies: func(d *depthTable) bool { return d.depth }, field: func(d *depthTable) any { return &d.hides }},
	}, rules: []ruleSet{{needsAll("hidden", "depth", "requires depth = true")}}}
}

func lineKeys() keysOf[partLine] { return lineKeysWith(HeadsNone) }

func arrowKeys() keysOf[partLine] { return lineKeysWith(HeadsEnd) }

// lineKeysWith returns the keys of lines that have the given heads by default.
func lineKeysWith(heads Heads) keysOf[partLine] {
	own := keysOf[partLine]{list: []key[partLine]{
		{name: "from", form: pointForm(), required: true, about: "where the line begins" + pointAbout,
			field: func(l *partLine) any { return &l.from }},
		{name: "to", form: pointForm(), required: true, about: "where the line ends, like `from`",
			field: func(l *partLine) any { return &l.to }},
		{name: "color", form: colorForm(), unset: defaultInk, about: "color of the line",
			field: func(l *partLine) any { return &l.Color }},
	}}
	return own.
		with(embedded(strokeKeys(heads), func(l *partLine) *Stroke { return &l.Stroke })).
		with(embedded(depthKeys(), func(l *partLine) *depthTable { return &l.depthTable }))
}

func angleKeys() keysOf[partAngle] {
	own := keysOf[partAngle]{list: []key[partAngle]{
		{name: "at", form: pointForm(), required: true, about: "the vertex of the angle" + pointAbout,
			field: func(a *partAngle) any { return &a.at }},
		{name: "from", form: pointForm(), required: true, about: "a point on the leg at which the arc begins, like `at`",
			field: func(a *partAngle) any { return &a.from }},
		{name: "to", form: pointForm(), required: true, about: "a point on the other leg, like `at`",
			field: func(a *partAngle) any { return &a.to }},
		{name: "radius", form: numberForm(sizes()),
			about:   "radius of the arc, in scene units; without it, a third of the shorter leg",
			applies: func(a *partAngle) bool { return a.Radius != 0 }, field: func(a *partAngle) any { return &a.Radius }},
		{name: "text", form: optionalCaptionForm(), unset: lengthMark,
			about: "the text at the arc, in which the angle replaces `{}`, such as `\"θ = {}\"`; an empty text draws only the arc",
			field: func(a *partAngle) any { return &a.Text }},
		{name: "unit", form: switchForm("degrees", "radians"), unset: "degrees",
			about: "unit of the number",
			field: func(a *partAngle) any { return &a.Radians }},
		{name: "digits", form: integerForm(limits{min: 0, max: MaxDigits}),
			about: "number of decimal places; without it, 1, or up to 3 for radians, without zeros at the end",
			has:   func(a *partAngle) *bool { return &a.HasDigits }, field: func(a *partAngle) any { return &a.Digits }},
	}}
	return own.
		with(embedded(strokeKeys(HeadsNone), func(a *partAngle) *Stroke { return &a.Stroke })).
		with(embedded(depthKeys(), func(a *partAngle) *depthTable { return &a.depthTable })).
		with(embedded(letteringKeys(defaultLettering), func(a *partAngle) *Lettering { return &a.Lettering }))
}

func markerKeys() keysOf[partMarker] {
	own := keysOf[partMarker]{list: []key[partMarker]{
		{name: "at", form: pointForm(), required: true, about: "where the marker is" + pointAbout,
			field: func(m *partMarker) any { return &m.at }},
		{name: "shape", form: wordForm(shapeWords()), unset: shapeWords()[ShapeDot],
			about: "the sign. A dot, a square, a diamond and a triangle are filled",
			field: func(m *partMarker) any { return (*int)(&m.Shape) }},
		{name: "size", form: numberForm(limits{min: 1, max: MaxLettering}), unset: 8.0, unit: "pixels",
			about: "width and height, for a picture of the scene's own height",
			field: func(m *partMarker) any { return &m.Size }},
		{name: "width", form: numberForm(lineWidths()), unset: 1.5, unit: "pixels",
			about: "width of the lines of a circle, a plus and a cross",
			field: func(m *partMarker) any { return &m.Width }},
		{name: "color", form: colorForm(), unset: defaultInk, about: "color of the marker",
			field: func(m *partMarker) any { return &m.Color }},
	}}
	return own.with(embedded(depthKeys(), func(m *partMarker) *depthTable { return &m.depthTable }))
}

func titleKeys() keysOf[Title] {
	return keysOf[Title]{about: "A text at the top or bottom of the picture.", list: []key[Title]{
		{name: "text", form: captionForm(true), required: true,
			about: "the text, of up to 500 characters; `\\n` in the string begins a new line",
			field: func(x *Title) any { return &x.Text }},
		{name: "side", form: switchForm("top", "bottom"), unset: "top",
			about: "whether the text is at the top of the picture, or with `\"bottom\"` at the bottom",
			field: func(x *Title) any { return &x.Bottom }},
	}}.with(embedded(letteringKeys(24), func(x *Title) *Lettering { return &x.Lettering }))
}

func axesKeys() keysOf[Axes] {
	texts := formFor(table.axisTexts,
		func(key string, texts [3]string) error {
			for _, s := range texts {
				if err := checkCaption(key, s, false); err != nil {
					return err
				}
			}
			return nil
		},
		func(_ *tomlWriter, texts [3]string) string { return textsText(texts[:]) },
	).is("Sequence[str]", mixNothing, func() *schema { return arrayOfN(3, captionForm(false).schema()) })
	own := keysOf[Axes]{about: "Arrows along the axes of the scene.", list: []key[Axes]{
		{name: "at", form: vectorForm(coordinates()), unset: vectorValue(geom.Vec3{}),
			about:   "where the axes start",
			applies: func(x *Axes) bool { return x.Corner == "" }, field: func(x *Axes) any { return &x.At }},
		{name: "length", form: numberForm(sizes()), unset: 1.0,
			about: "length of the axes, in scene units or, in a corner, in pixels",
			field: func(x *Axes) any { return &x.Length }},
		{name: "corner", form: wordsForm(cornerWords()),
			about:   "puts the axes into a corner of the picture; there they show only directions. Requires `length`, and not together with `at`",
			applies: func(x *Axes) bool { return x.Corner != "" }, field: func(x *Axes) any { return &x.Corner }},
		{name: "texts", form: texts, unset: []any{"x", "y", "z"},
			about: "names of the axes",
			field: func(x *Axes) any { return &x.Texts }},
		hiddenKey(func(x *Axes) *Hidden { return &x.Hidden }),
	}, rules: []ruleSet{
		{excludes("at", "corner", fmt.Sprintf(conflict, "corner"))},
		{{with: []string{"corner"}, needs: []string{"length"}, at: "length", code: CodeMissingKey, message: "required in a corner: the length of the axes in pixels"}},
	}}
	own = own.with(embedded(letteringKeys(defaultLettering), func(x *Axes) *Lettering { return &x.Lettering }))
	color := &own.list[slices.IndexFunc(own.list, func(k key[Axes]) bool { return k.name == "color" })]
	color.has, color.unset = func(x *Axes) *bool { return &x.HasColor }, nil
	color.about = "color of all axes; without it, x is red, y green and z blue"
	return own
}

func scaleBarKeys() keysOf[ScaleBar] {
	return keysOf[ScaleBar]{about: "A line of a known length, with its length as a number.", list: []key[ScaleBar]{
		{name: "length", form: numberForm(sizes()), required: true,
			about: "length of the bar, in scene units",
			field: func(b *ScaleBar) any { return &b.Length }},
		{name: "depth", form: numberForm(sizes()),
			about:   "distance from the camera, along the view, at which the bar has its length; *required* with a perspective camera, where a length has no single scale, and without effect otherwise",
			applies: func(b *ScaleBar) bool { return b.Depth != 0 }, field: func(b *ScaleBar) any { return &b.Depth }},
		{name: "corner", form: wordsForm(cornerWords()), unset: "bottom-left",
			about: "the corner of the picture in which the bar is",
			field: func(b *ScaleBar) any { return &b.Corner }},
	}}.
		with(embedded(quantityKeys(), func(b *ScaleBar) *Quantity { return &b.Quantity })).
		with(embedded(letteringKeys(defaultLettering), func(b *ScaleBar) *Lettering { return &b.Lettering }))
}

// legendTable holds the values of [legend].
type legendTable struct {
	materials, sections, texts []string
	Legend
}

func legendKeys() keysOf[legendTable] {
	captions := textsForm()
	captions.schema = func() *schema { return listOf("", captionForm(false).schema()) }
	return keysOf[legendTable]{about: "The colors of materials and the hatches of sections, with their names.", list: []key[legendTable]{
		{name: "materials", form: textsForm(),
			about: "names of materials; without them and `sections`, all materials with a name that solids have",
			field: func(g *legendTable) any { return &g.materials }},
		{name: "sections", form: textsForm(),
			about: "names of sections, whose entries show their hatches and follow those of the materials",
			field: func(g *legendTable) any { return &g.sections }},
		{name: "texts", form: captions,
			about: "texts to show in place of these names, first those of the materials; requires `materials` or `sections`",
			field: func(g *legendTable) any { return &g.texts }},
		{name: "corner", form: wordsForm(cornerWords()), unset: "top-right",
			about: "the corner of the picture in which the legend is",
			field: func(g *legendTable) any { return &g.Corner }},
	}, rules: []ruleSet{{{with: []string{"texts"}, needs: []string{"materials", "sections"}, any: true, at: "texts", code: CodeMissingKey, message: "requires materials or sections"}}}}.
			with(embedded(letteringKeys(defaultLettering), func(g *legendTable) *Lettering { return &g.Lettering }))
}

func colormapKeys() keysOf[colormapTable] {
	hasBar := func(c *colormapTable) bool { return c.bar }
	bounds := shiftForm(finite())
	bounds.check = func(key string, field any) error { return checkRange(key, *field.(*[2]float64)) }
	own := keysOf[colormapTable]{about: "The colors of values, with a color bar. The table may be empty.", list: []key[colormapTable]{
		{name: "name", form: colormapForm(), unset: shade.Colormaps()[0].Name(),
			about: "the colors: `\"viridis\"` from violet to yellow, `\"magma\"` from black to light yellow, or `\"coolwarm\"` from blue through gray to red, for values on both sides of a middle",
			field: func(c *colormapTable) any { return &c.Map }},
		{name: "range", form: bounds,
			about: "`[low, high]`: the values of the first and the last color, ascending; without it, the least and the greatest value of all solids, and of all frames. Values outside have the color of the nearer end",
			has:   func(c *colormapTable) *bool { return &c.hasRange }, field: func(c *colormapTable) any { return &c.Range }},
		{name: "label", form: optionalCaptionForm(), unset: "",
			about:   "a text above the color bar, such as the name of the quantity",
			applies: func(c *colormapTable) bool { return c.bar && c.Label != "" }, field: func(c *colormapTable) any { return &c.Label }},
		{name: "unit", form: optionalCaptionForm(), unset: "",
			about:   "the unit of the values, in parentheses after the label",
			applies: func(c *colormapTable) bool { return c.bar && c.Unit != "" }, field: func(c *colormapTable) any { return &c.Unit }},
		{name: "bar", form: booleanForm(), unset: true,
			about: "whether the picture has a color bar",
			field: func(c *colormapTable) any { return &c.bar }},
		{name: "length", form: numberForm(dashLengths()), unit: "pixels",
			about:   "length of the color bar, for a picture of the scene's own height; without it, two fifths of the height",
			applies: func(c *colormapTable) bool { return c.bar && c.Length != 0 }, field: func(c *colormapTable) any { return &c.Length }},
		{name: "corner", form: wordsForm(cornerWords()), unset: "bottom-right",
			about:   "the corner of the picture in which the color bar is",
			applies: hasBar, field: func(c *colormapTable) any { return &c.Corner }},
	}}
	lettering := embedded(letteringKeys(defaultLettering), func(c *colormapTable) *Lettering { return &c.Lettering })
	for i := range lettering.list {
		inner := lettering.list[i].applies
		lettering.list[i].applies = func(c *colormapTable) bool { return c.bar && inner(c) }
	}
	return own.with(lettering)
}

// colormapForm is a form for a shade.Colormap: its name.
func colormapForm() form {
	var names []string
	for _, m := range shade.Colormaps() {
		names = append(names, m.Name())
	}
	f := wordsForm(names)
	g := formFor(
		func(t table, key string, v any) shade.Colormap {
			i, _ := t.word(key, v, names)
			return shade.Colormaps()[i]
		},
		func(key string, m shade.Colormap) error { name := m.Name(); return f.check(key, &name) },
		func(_ *tomlWriter, m shade.Colormap) string { return tomltext.Quote(m.Name()) },
	).is("str", mixNothing, f.schema)
	g.words = names
	return g
}

// letteringKeys returns the keys for the size and the colors of texts.
func letteringKeys(size float64) keysOf[Lettering] {
	return keysOf[Lettering]{list: []key[Lettering]{
		{name: "size", form: letteringForm(), unset: size, unit: "pixels",
			about: "size of the text, for a picture of the scene's own height; or `\"8pt\"`, 8 points in print, see [Sizes of texts](#sizes-of-texts)",
			field: func(l *Lettering) any { return l }},
		{name: "color", form: colorForm(), unset: defaultInk,
			about: "color of text and lines",
			field: func(l *Lettering) any { return &l.Color }},
		{name: "halo", form: colorForm(),
			about: "color of a border around the letters; without it, they have none",
			has:   func(l *Lettering) *bool { return &l.HasHalo }, field: func(l *Lettering) any { return &l.Halo }},
	}}
}

// quantityKeys returns the keys for the format of a length.
func quantityKeys() keysOf[Quantity] {
	return keysOf[Quantity]{list: []key[Quantity]{
		{name: "factor", form: numberForm(sizes()), unset: 1.0,
			about: "factor from scene units to the unit",
			field: func(q *Quantity) any { return &q.Factor }},
		{name: "unit", form: optionalCaptionForm(), unset: "",
			about:   "the unit to write after the number",
			applies: func(q *Quantity) bool { return q.Unit != "" }, field: func(q *Quantity) any { return &q.Unit }},
		{name: "digits", form: integerForm(limits{min: 0, max: MaxDigits}),
			about: "number of decimal places; without it, up to 3, or as many as 2 significant digits need, without zeros at the end. A length that would be written as 0, but is not 0, gets more",
			has:   func(q *Quantity) *bool { return &q.HasDigits }, field: func(q *Quantity) any { return &q.Digits }},
	}}
}

// placeTable holds the values of a [[place]] table.
type placeTable struct {
	name     string
	part     any // read later
	position geom.Vec3
	turn     turnTable
	scale    float64
	material any // read later
	color    shade.Color
	ghost    float64 // 0 if the table has no ghost
	count    int
	step     any // read later
}

func placeKeys() keysOf[placeTable] {
	own := keysOf[placeTable]{list: []key[placeTable]{
		{name: "part", form: referenceForm(), required: true, fixed: true,
			about: "the name of the part",
			field: func(p *placeTable) any { return &p.part }},
		{name: "name", form: nameForm(), fixed: true,
			about: "prefix of the names of the solids: `index/bone`; unique among the placements, solids and lights of the scene or of the part that contains the placement",
			field: func(p *placeTable) any { return &p.name }},
		{name: "position", form: vectorForm(coordinates()), unset: vectorValue(geom.Vec3{}),
			about: "where the part's origin goes",
			field: func(p *placeTable) any { return &p.position }},
	}}.with(embedded(turnKeys(), func(p *placeTable) *turnTable { return &p.turn }))
	return own.with(keysOf[placeTable]{list: []key[placeTable]{
		{name: "scale", form: numberForm(sizes()), unset: 1.0,
			about: "factor of all lengths of the part",
			field: func(p *placeTable) any { return &p.scale }},
		{name: "material", form: referenceForm(),
			about: "the name of a material, for solids of the part that have neither a material nor a color",
			field: func(p *placeTable) any { return &p.material }},
		{name: "color", form: colorForm(),
			about: "instead of a material: the color of a matte surface",
			field: func(p *placeTable) any { return &p.color }},
		{name: "ghost", form: ghostForm(),
			about: "makes the solids of the part [ghosts](#ghosts) with this share of the surface's color. Replaces the share of their materials, not that which a solid or an inner placement states. Greater than 0; 1 makes ordinary surfaces",
			field: func(p *placeTable) any { return &p.ghost }},
		{name: "count", form: integerForm(counts()), unset: int64(1), fixed: true,
			about: "number of copies. With `count = 1`, the name of the copy is that of the placement, without a number",
			field: func(p *placeTable) any { return &p.count }},
		{name: "step", form: rawForm("Step", func() *schema { return schemaOf(stepKeys()) }), fixed: true,
			about: "`{ position = [x, y, z], axis = [x, y, z], angle = degrees }`: how each copy is moved and turned from the one before",
			field: func(p *placeTable) any { return &p.step }},
	}, rules: append(atMostOne("material", "color"), ruleSet{needsAll("step", "count", "requires count")})})
}

func stepKeys() keysOf[step] {
	about := "The offset from each copy to the next: copy i is turned by i times angle about axis, through the origin of the enclosing scene or part, and then moved by i times position."
	return keysOf[step]{about: about, list: []key[step]{
		{name: "position", form: vectorForm(coordinates()), unset: vectorValue(geom.Vec3{}),
			about: "how far the next copy is moved",
			field: func(s *step) any { return &s.position }},
		{name: "axis", form: nonzeroForm(),
			about: "axis of a rotation about the origin; requires `angle`",
			has:   func(s *step) *bool { return &s.turns }, field: func(s *step) any { return &s.axis }},
		{name: "angle", form: numberForm(finite()), unit: "degrees",
			about: "angle of the rotation about `axis`",
			has:   func(s *step) *bool { return &s.turns }, field: func(s *step) any { return (*float64)(&s.angle) }},
	}, rules: together("axis", "angle")}
}

// turnTable holds the values of the keys of a rotation.
type turnTable struct {
	degrees, axis    geom.Vec3
	angle            float64
	quaternion, axes geom.Mat3
}

// turnKeys returns the forms of a rotation. A table has at most one of them.
func turnKeys() keysOf[turnTable] {
	return keysOf[turnTable]{list: []key[turnTable]{
		{name: "rotate", form: vectorForm(finite()),
			about: "degrees `[x, y, z]` about the x, then the y, then the z axis",
			field: func(r *turnTable) any { return &r.degrees }},
		{name: "axis", form: nonzeroForm(),
			about: "axis of a rotation, of any length except zero; requires `angle`",
			field: func(r *turnTable) any { return &r.axis }},
		{name: "angle", form: numberForm(finite()), unit: "degrees",
			about: "angle of the rotation about `axis`",
			field: func(r *turnTable) any { return &r.angle }},
		{name: "quaternion", form: quaternionForm(),
			about: "rotation `[w, x, y, z]`, of any length except zero",
			field: func(r *turnTable) any { return &r.quaternion }},
		{name: "axes", form: axesForm(),
			about: "the turned x, y and z axes, used as written: unit vectors, perpendicular to each other, to 14 digits. They may be left-handed; such axes mirror a part",
			field: func(r *turnTable) any { return &r.axes }},
	}, rules: slices.Concat(together("axis", "angle"), atMostOne("rotate", "axis angle", "quaternion", "axes"))}
}

// solidTable holds the values of a solid's table.
type solidTable struct {
	measures measures
	turn     turnTable
	name     string
	material any // read later
	color    shade.Color
	hasValue bool
	value    float64
	ghost    float64 // 0 if the table has no ghost
}

// solidKeys returns the keys of a kind of solids.
func solidKeys(k Kind) keysOf[solidTable] {
	keys := measureKeys(k)
	if k.row().traits().turns {
		keys = keys.with(embedded(turnKeys(), func(s *solidTable) *turnTable { return &s.turn }))
	}
	return keys.with(surfaceKeys())
}

// measureKeys returns the keys of a kind's measures.
func measureKeys(k Kind) keysOf[solidTable] {
	var all keysOf[solidTable]
	for _, m := range k.row().keys() {
		f := vectorForm(m.limits)
		if !m.isVector() {
			f = numberForm(m.limits)
		}
		f.read = func(t table, _ string, v any, field any) { m.read(t, v, field.(*measures)) }
		all.list = append(all.list, key[solidTable]{name: m.key, form: f, required: true, about: m.about, field: func(s *solidTable) any { return &s.measures }})
	}
	return all
}

// surfaceKeys returns the keys that any solid may have.
func surfaceKeys() keysOf[solidTable] {
	return keysOf[solidTable]{list: []key[solidTable]{
		{name: "name", form: nameForm(), fixed: true,
			about: "a name for messages and reports; unique",
			field: func(s *solidTable) any { return &s.name }},
		{name: "material", form: referenceForm(),
			about: "the name of a material",
			field: func(s *solidTable) any { return &s.material }},
		{name: "color", form: colorForm(), unset: defaultColor,
			about: "instead of a material: the color of a matte surface",
			field: func(s *solidTable) any { return &s.color }},
		{name: "value", form: numberForm(finite()),
			about: "instead of a color or material: a number that the [`[colormap]`](#colormap) turns into the color",
			has:   func(s *solidTable) *bool { return &s.hasValue }, field: func(s *solidTable) any { return &s.value }},
		{name: "ghost", form: ghostForm(),
			about: ghostAbout + ". Replaces that of the material",
			field: func(s *solidTable) any { return &s.ghost }},
	}, rules: append(atMostOne("material", "color"), ruleSet{
		excludes("value", "material", fmt.Sprintf(valueConflict, "material")),
		excludes("value", "color", fmt.Sprintf(valueConflict, "color")),
	})}
}

// bulkTable holds the values of a [[bulk]] table.
type bulkTable struct {
	file, material any // read later
	shape          int
	radius         float64
	halfExtents    geom.Vec3
	color          shade.Color
}

func bulkKeys() keysOf[bulkTable] {
	return keysOf[bulkTable]{list: []key[bulkTable]{
		{name: "file", form: referenceForm(), required: true,
			about: "a CSV file in the scene's folder or below it, of at most 1 GiB",
			field: func(b *bulkTable) any { return &b.file }},
		{name: "shape", form: wordForm(KindNames()), required: true,
			about: "the kind of solid in each row. It decides the columns: " + columnsDoc() + ". All may have color, r g b, value, material, name. A row uses at most one way to state a rotation or a surface",
			field: func(b *bulkTable) any { return &b.shape }},
		{name: "radius", form: numberForm(sizes()),
			about: "radius of " + text.Series(withKey("radius"), "and") + ". This key and those below are the defaults for columns that the file lacks and for empty fields",
			field: func(b *bulkTable) any { return &b.radius }},
		{name: "half_extents", form: vectorForm(sizes()),
			about: "half the lengths of the edges of " + text.Series(withKey("half_extents"), "and"),
			field: func(b *bulkTable) any { return &b.halfExtents }},
		{name: "material", form: referenceForm(),
			about: "the name of a material",
			field: func(b *bulkTable) any { return &b.material }},
		{name: "color", form: colorForm(), unset: defaultColor,
			about: "instead of a material: the color of a matte surface",
			field: func(b *bulkTable) any { return &b.color }},
	}, rules: atMostOne("material", "color")}
}

// columnsDoc describes the columns with numbers in bulk files of each kind.
func columnsDoc() string {
	var all []string
	for _, k := range Kinds() {
		columns := strings.Join(k.columnsOf(), " ")
		if k.row().traits().turns {
			columns += " and optionally rx ry rz, qw qx qy qz, ax_x ax_y ax_z to az_z"
		}
		all = append(all, columns)
	}
	return strings.Join(all, "; ")
}

// rawFile holds the tables and keys of a file as they are in the file.
type rawFile struct {
	format, include, theme any
	zUp                    bool

	image, camera, shading, outline, fog, section, overlaps, material, part, animation, animate any
	title, axes, scaleBar, legend, colormap                                                     any
	partTable
}

// partTable holds the tables that parts and the scene have in common.
type partTable struct {
	solids                               [kindCount]any // the arrays of tables named after the kinds
	light, place, bulk, label, dimension any
	line, arrow, angle, marker           any
	section                              any // of a part; those of the scene are in rawFile
}

// later returns a function that builds the keys of a table. Most files have few tables, and only a schema needs all keys.
func later[T any](keys func() keysOf[T]) func() tableOfKeys {
	return func() tableOfKeys { return keys() }
}

// fileKeys returns the keys of a scene file outside tables, and its tables.
func fileKeys() keysOf[rawFile] {
	one := func(name, python string, keys func() tableOfKeys, field func(*rawFile) any) key[rawFile] {
		return key[rawFile]{name: name, form: rawForm(python, func() *schema { return schemaOf(keys()) }), field: field}
	}
	named := func(python, about string, keys tableOfKeys) form {
		return rawForm(python, func() *schema { return &schema{Description: about, Type: "object", OtherKeys: schemaOf(keys)} })
	}
	return keysOf[rawFile]{list: []key[rawFile]{
		{name: "format", form: rawForm("int", func() *schema { return &schema{Enum: []any{formatVersion}} }), unset: formatVersion,
			about: "version of the format",
			field: func(f *rawFile) any { return &f.format }},
		{name: "include", form: rawForm("Sequence[str]", func() *schema { return listOf("", typed("string")) }),
			about: "files whose parts, materials and theme the scene may use, in its folder or below. They must not contain other tables",
			field: func(f *rawFile) any { return &f.include }},
		{name: "up", form: switchForm("y", "z"), unset: "y",
			about: "the axis that points up in the world. It decides whether an export to a format whose own up axis is fixed rotates the scene; it does not affect the picture, and the camera has an up vector of its own",
			field: func(f *rawFile) any { return &f.zUp }},
		one("theme", "", later(themeKeys), func(f *rawFile) any { return &f.theme }),
		one("image", "Image", later(imageKeys), func(f *rawFile) any { return &f.image }),
		one("camera", "Camera", later(cameraKeys), func(f *rawFile) any { return &f.camera }),
		one("shading", "Shading", later(shadingKeys), func(f *rawFile) any { return &f.shading }),
		one("outline", "Outline", later(outlineKeys), func(f *rawFile) any { return &f.outline }),
		one("fog", "Fog", later(fogKeys), func(f *rawFile) any { return &f.fog }),
		{name: "section", form: rawForm("Section", func() *schema { return listOf("", &schema{Ref: "#/definitions/section"}) }),
			about: "planes that cut solids, to look inside: at most 8, including those of placements",
			field: func(f *rawFile) any { return &f.section }},
		one("overlaps", "Overlaps", later(overlapsKeys), func(f *rawFile) any { return &f.overlaps }),
		{name: "material", form: named("Material", "Surfaces by name: [material.NAME].", materialKeys()),
			field: func(f *rawFile) any { return &f.material }},
		{name: "part", form: named("Part", "Sets of solids and lights by name, which placements copy: [part.NAME].", partKeys()),
			field: func(f *rawFile) any { return &f.part }},
		one("animation", "Animation", later(animationKeys), func(f *rawFile) any { return &f.animation }),
		{name: "animate", form: rawForm("Animate", func() *schema { return listOf("", schemaOf(animateKeys())) }),
			about: "keys whose values change over time",
			field: func(f *rawFile) any { return &f.animate }},
		one("title", "Title", later(titleKeys), func(f *rawFile) any { return &f.title }),
		one("axes", "Axes", later(axesKeys), func(f *rawFile) any { return &f.axes }),
		one("scale_bar", "ScaleBar", later(scaleBarKeys), func(f *rawFile) any { return &f.scaleBar }),
		one("legend", "Legend", later(legendKeys), func(f *rawFile) any { return &f.legend }),
		one("colormap", "Colormap", later(colormapKeys), func(f *rawFile) any { return &f.colormap }),
	}}.with(embedded(contentKeys("light"), func(f *rawFile) *partTable { return &f.partTable }))
}

func partKeys() keysOf[partTable] {
	k := contentKeys("part_light")
	k.about = "A set of solids and lights with its own coordinates."
	k.list = append(k.list, key[partTable]{
		name: "section", form: rawForm("", func() *schema { return listOf("", &schema{Ref: "#/definitions/section"}) }),
		about: "planes that cut the solids of the part",
		field: func(p *partTable) any { return &p.section },
	})
	return k
}

// contentKeys returns the tables that parts and the scene have in common. light is the name of the definition of the
// schema for their lights.
func contentKeys(light string) (all keysOf[partTable]) {
	array := func(name, definition, about string, field func(*partTable) any) {
		form := rawForm("", func() *schema { return listOf("", &schema{Ref: "#/definitions/" + definition}) })
		all.list = append(all.list, key[partTable]{name: name, form: form, about: about, field: field})
	}
	for _, k := range Kinds() {
		array(k.String(), k.String(), strings.TrimSuffix(k.row().traits().about, "."), func(p *partTable) any { return &p.solids[k] })
	}
	array("light", light, "a point light has a position, parallel light a direction, a spot light both and a cone. A scene without a light has one at the eye", func(p *partTable) any { return &p.light })
	array("place", "place", "copies of parts", func(p *partTable) any { return &p.place })
	array("bulk", "bulk", "solids by the thousand, each a row of a CSV file. The other keys are the defaults for columns and fields that the file does not have", func(p *partTable) any { return &p.bulk })
	array("label", "label", "a text at a point, or on solids", func(p *partTable) any { return &p.label })
	array("dimension", "dimension", "a line with arrows and a length", func(p *partTable) any { return &p.dimension })
	array("line", "line", "a line between two points", func(p *partTable) any { return &p.line })
	array("arrow", "arrow", "an arrow from a point to another one: a line with an arrowhead", func(p *partTable) any { return &p.arrow })
	array("angle", "angle", "an arc with an angle", func(p *partTable) any { return &p.angle })
	array("marker", "marker", "a sign at a point", func(p *partTable) any { return &p.marker })
	return all
}

// includedKeys returns the keys that an included file may have.
func includedKeys() keysOf[rawFile] {
	k := fileKeys()
	k.list = slices.DeleteFunc(k.list, func(k key[rawFile]) bool {
		return !slices.Contains([]string{"format", "material", "part", "theme"}, k.name)
	})
	return k
}

// vectorValue returns a vector as a value in a file.
func vectorValue(v geom.Vec3) any { return []any{v.X, v.Y, v.Z} }

// tablesByName returns all tables except those of the file itself and of parts, by their paths. It is the list for
// docs/scene.md, the Python package and the [[animate]] tables.
func tablesByName() map[string]tableOfKeys {
	all := map[string]tableOfKeys{
		"image": imageKeys(), "camera": cameraKeys(), "shading": shadingKeys(), occlusionPath: occlusionKeys(), "outline": outlineKeys(), "fog": fogKeys(), "section": sectionKeys(),
		"animation": animationKeys(), "animate": animateKeys(), "overlaps": overlapsKeys(), "light": lightKeys(), "label": labelKeys(),
		"dimension": dimensionKeys(), "line": lineKeys(), "arrow": arrowKeys(), "angle": angleKeys(), "marker": markerKeys(), "title": titleKeys(), "axes": axesKeys(), "scale_bar": scaleBarKeys(), "legend": legendKeys(), "colormap": colormapKeys(), "theme": themeKeys(),
		"material": materialKeys(), "material.checker": checkerKeys(), "place": placeKeys(), "place.step": stepKeys(), "bulk": bulkKeys(),
		"image.background": gradientKeys(), "shading.ambient": hemisphereKeys(), "": fileKeys(), "part": partKeys(),
	}
	for _, k := range Kinds() {
		all[k.String()] = solidKeys(k)
	}
	return all
}
