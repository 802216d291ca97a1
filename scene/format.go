package scene

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/keytable"
	"pillbox/internal/text"
	"pillbox/internal/tomltext"
	"pillbox/problem"
	"pillbox/shade"
)

// The keys of the format, table by table. The keys of solids also depend on the kinds: see [kindTable].

func imageKeys() keytable.Keys[Image] {
	return keytable.Keys[Image]{About: "The picture.", List: []keytable.Key[Image]{
		{Name: "width", Form: keytable.IntegerForm(sides()), Unset: int64(1280), Unit: "pixels", Fixed: true,
			About: "width of the picture; `width` times `height` is at most 2^28",
			Field: func(i *Image) any { return &i.Width }},
		{Name: "height", Form: keytable.IntegerForm(sides()), Unset: int64(720), Unit: "pixels", Fixed: true,
			About: "height of the picture",
			Field: func(i *Image) any { return &i.Height }},
		{Name: "antialias", Form: keytable.IntegerForm(antialiases()), Unset: int64(1), Fixed: true,
			About: "number of rays along each side of a pixel: n x n rays per pixel",
			Field: func(i *Image) any { return &i.Antialias }},
		{Name: "antialias_mode", Form: keytable.SwitchForm("full", "adaptive"), Unset: "full", Fixed: true,
			About: "whether all pixels get n x n rays, or with `\"adaptive\"` only those that need them, such as those along edges, see [Antialiasing](#antialiasing)",
			Field: func(i *Image) any { return &i.Adaptive }},
		{Name: "background", Form: backgroundForm(), Unset: map[string]any{"top": defaultTop, "bottom": defaultBottom},
			About: "what rays see that hit no solid: a color, `\"transparent\"`, or a gradient from straight up (`top`) to straight down (`bottom`), see [Background](#background)",
			Field: func(i *Image) any { return &i.Background }},
	}}
}

func gradientKeys() keytable.Keys[shade.Gradient] {
	return keytable.Keys[shade.Gradient]{About: "A gradient between straight up and straight down.", List: []keytable.Key[shade.Gradient]{
		{Name: "top", Form: keytable.ColorForm(), Unset: defaultTop, About: "color straight up", Field: func(g *shade.Gradient) any { return &g.Top }},
		{Name: "bottom", Form: keytable.ColorForm(), Unset: defaultBottom, About: "color straight down", Field: func(g *shade.Gradient) any { return &g.Bottom }},
	}}
}

func hemisphereKeys() keytable.Keys[shade.Gradient] {
	return keytable.Keys[shade.Gradient]{About: "Light that depends on the direction in which a surface faces.", List: []keytable.Key[shade.Gradient]{
		{Name: "top", Form: keytable.AmbientForm(), Unset: defaultAmbient, About: "on surfaces that face straight up", Field: func(g *shade.Gradient) any { return &g.Top }},
		{Name: "bottom", Form: keytable.AmbientForm(), Unset: defaultAmbient, About: "on surfaces that face straight down", Field: func(g *shade.Gradient) any { return &g.Bottom }},
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

func cameraKeys() keytable.Keys[cameraTable] {
	isPerspective := func(c *cameraTable) bool { return c.Camera.Projection == camera.Perspective }
	isFixed := func(c *cameraTable) bool { return !c.framed }
	own := keytable.Keys[cameraTable]{About: "Where the picture is taken from. A scene without a camera is framed automatically.", List: []keytable.Key[cameraTable]{
		{Name: "projection", Form: keytable.WordForm([]string{camera.Perspective.String(), camera.Orthographic.String()}), Unset: camera.Perspective.String(),
			About: "whether rays spread from the position, or with `\"orthographic\"` are parallel",
			Field: func(c *cameraTable) any { return (*int)(&c.Camera.Projection) }},
		{Name: "position", Form: keytable.VectorForm(keytable.Coordinates()),
			About:   "the eye; for an orthographic camera the center of the plane on which its parallel rays start; *required* with `look_at` unless the camera [frames the solids](#framing)",
			Applies: isFixed, Field: func(c *cameraTable) any { return &c.fixed.Position }},
		{Name: "look_at", Form: keytable.VectorForm(keytable.Coordinates()),
			About:   "the point at the center of the picture; must differ from `position`",
			Applies: isFixed, Field: func(c *cameraTable) any { return &c.fixed.LookAt }},
		{Name: "up", Form: keytable.NonzeroForm(), Unset: vectorValue(camera.DefaultUp()),
			About: "the vector that points up in the picture; must not be parallel to the view",
			Field: func(c *cameraTable) any { return &c.Camera.Up }},
		{Name: "fov", Form: keytable.NumberForm(fovs()), Unset: float64(camera.DefaultFOV), Unit: "degrees",
			About:   "vertical field of view of a perspective camera",
			Applies: isPerspective, Field: func(c *cameraTable) any { return (*float64)(&c.Camera.FOV) }},
		{Name: "view_height", Form: keytable.NumberForm(keytable.Sizes()), Unset: camera.DefaultViewHeight,
			About:   "height of the view of an orthographic camera, in scene units; not for a camera that frames the solids",
			Applies: func(c *cameraTable) bool { return isFixed(c) && !isPerspective(c) }, Field: func(c *cameraTable) any { return &c.fixed.ViewHeight }},
	}}
	framing := framingKeys().Names()
	own.Rules = keytable.Together("position", "look_at")
	for _, fixed := range []string{"position", "look_at"} { // both are missing if the table has no key for framing
		own.Rules = append(own.Rules, keytable.RuleSet{{Needs: append([]string{"position", "look_at"}, framing...), Any: true, At: fixed, Code: problem.CodeMissingKey, Message: "missing"}})
	}
	var height keytable.RuleSet
	for _, key := range framing {
		own.Rules = append(own.Rules, keytable.RuleSet{keytable.Excludes(key, "position", fmt.Sprintf(keytable.Conflict, "position")), keytable.Excludes(key, "look_at", fmt.Sprintf(keytable.Conflict, "look_at"))})
		height = append(height, keytable.Excludes("view_height", key, fmt.Sprintf(keytable.Conflict, key)+", which makes the camera frame the solids: they decide its height"))
	}
	own.Rules = append(own.Rules, height)
	return own.With(framingKeys())
}

// framingKeys returns the keys of a camera that frames the solids.
func framingKeys() keytable.Keys[cameraTable] {
	isFramed := func(c *cameraTable) bool { return c.framed }
	return keytable.Keys[cameraTable]{List: []keytable.Key[cameraTable]{
		{Name: "direction", Form: keytable.NonzeroForm(), Unset: vectorValue(DefaultFraming().Direction),
			About:   "instead of `position` and `look_at`, one or more of `direction`, `fit`, `margin` and `fit_time`: the direction of the view, from the camera into the scene, such as `[0, 0, -1]`. The camera is as near as possible so that the solids fit into the picture, see [Framing](#framing)",
			Applies: isFramed, Field: func(c *cameraTable) any { return &c.Direction }},
		{Name: "fit", Form: fitForm(), Unset: fitAll, Fixed: true,
			About:   "what to show: `\"all\"` solids, or the name of a solid, placement, part or material, or an array of such names",
			Applies: isFramed, Field: func(c *cameraTable) any { return &c.rawFit }},
		{Name: "margin", Form: keytable.NumberForm(keytable.Limits{Max: MaxMargin}), Unset: defaultMargin,
			About:   "space between the solids and the edge of the picture, as a fraction of the picture's shorter side",
			Applies: isFramed, Field: func(c *cameraTable) any { return &c.Margin }},
		{Name: "fit_time", Form: keytable.SwitchForm("all", "each"), Unset: "all", Fixed: true,
			About:   "whether one camera shows the solids of all frames of an animation, or with `\"each\"` each frame is framed by itself",
			Applies: isFramed, Field: func(c *cameraTable) any { return &c.Each }},
	}}
}

// fitAll is the value of the key fit for all solids.
const fitAll = "all"

// fitForm is a form for an any: a name, or an array of names.
func fitForm() keytable.Form {
	return keytable.RawForm("Union[str, Sequence[str]]", func() *keytable.Schema {
		return keytable.AnyOf(keytable.Typed("string"), keytable.ListOf("", keytable.Typed("string")))
	})
}

func shadingKeys() keytable.Keys[Shading] {
	return keytable.Keys[Shading]{About: "What all surfaces have in common.", List: []keytable.Key[Shading]{
		{Name: "ambient", Form: hemisphereForm(), Unset: defaultAmbient,
			About: "light from all directions: a number is linear light, a color is sRGB. `{ top = .., bottom = .. }`, each a number or a color, gives the light on surfaces that face straight up and straight down, see [Shading](#how-a-picture-is-made)",
			Field: func(s *Shading) any { return &s.Ambient }},
		{Name: "shadows", Form: keytable.BooleanForm(), Unset: true,
			About: "whether solids cast shadows",
			Field: func(s *Shading) any { return &s.Shadows }},
		{Name: "bounces", Form: keytable.IntegerForm(bounces()), Unset: int64(4),
			About: "the largest number of reflections of a ray",
			Field: func(s *Shading) any { return &s.Bounces }},
		{Name: "samples", Form: keytable.PowerOfTwoForm(samples()), Unset: defaultSamples,
			About:   "how many rays each point of a surface casts to each [light with a size](#lights-with-a-size), and how many for [ambient occlusion](#ambient-occlusion), where such rays are needed: a power of two",
			Applies: func(s *Shading) bool { return s.Samples != 0 }, Field: func(s *Shading) any { return &s.Samples }},
		{Name: "color", Form: keytable.SwitchForm("lit", "flat"), Unset: "lit",
			About:   "whether light decides the colors, or with `\"flat\"` each surface shows its own color everywhere, as in a line drawing, without lights, shadows and mirrors, see [Outlines and flat colors](#outlines-and-flat-colors)",
			Applies: func(s *Shading) bool { return s.Flat }, Field: func(s *Shading) any { return &s.Flat }},
		{Name: "occlusion", Form: occlusionForm(), Fixed: true,
			About:   "the table `[shading.occlusion]`",
			Applies: func(s *Shading) bool { return s.Occlusion.Enabled }, Field: func(s *Shading) any { return &s.Occlusion }},
	}}
}

func occlusionForm() keytable.Form {
	f := keytable.TableForm(occlusionKeys(), func(o *Occlusion) { o.Enabled = true })
	f.Python = "Dict[str, Any]"
	return f
}

func occlusionKeys() keytable.Keys[Occlusion] {
	return keytable.Keys[Occlusion]{About: "Ambient occlusion: solids darken the ambient light of surfaces near them. The table may be empty.", List: []keytable.Key[Occlusion]{
		{Name: "distance", Form: keytable.NumberForm(keytable.Sizes()),
			About:   "how far from a surface solids darken it; without this key, solids at any distance do",
			Applies: func(o *Occlusion) bool { return o.Distance != 0 }, Field: func(o *Occlusion) any { return &o.Distance }},
	}}
}

func outlineKeys() keytable.Keys[Outline] {
	return keytable.Keys[Outline]{About: "Lines along the edges of the visible surfaces. The table may be empty.", List: []keytable.Key[Outline]{
		{Name: "width", Form: keytable.NumberForm(keytable.Limits{Min: 0.1, Max: MaxOutline}), Unset: 1.5, Unit: "pixels",
			About: "width of the lines, for a picture of the scene's own height; half of a line lies on each side of the edge",
			Field: func(o *Outline) any { return &o.Width }},
		{Name: "color", Form: keytable.ColorForm(), Unset: defaultInk,
			About: "color of the lines",
			Field: func(o *Outline) any { return &o.Color }},
		{Name: "silhouettes", Form: keytable.BooleanForm(), Unset: true,
			About: "whether lines follow the silhouettes: where a surface ends before the background or a more distant surface",
			Field: func(o *Outline) any { return &o.Silhouettes }},
		{Name: "creases", Form: keytable.BooleanForm(), Unset: true,
			About: "whether lines follow the creases: the edges of boxes and cylinders",
			Field: func(o *Outline) any { return &o.Creases }},
		{Name: "contacts", Form: keytable.BooleanForm(), Unset: true,
			About: "whether lines follow the contacts: where the surfaces of two solids meet",
			Field: func(o *Outline) any { return &o.Contacts }},
		{Name: "depth", Form: keytable.NumberForm(keytable.Limits{Max: geom.MaxSize}), Unset: 0.0,
			About: "silhouettes before a more distant surface are drawn only where the depth, along the viewing direction, changes by more than this",
			Field: func(o *Outline) any { return &o.Depth }},
		{Name: "hidden", Form: keytable.SwitchForm("none", "dashed"), Unset: "none",
			About: "whether dashed lines show the silhouettes and creases of solids behind other solids",
			Field: func(o *Outline) any { return &o.HiddenDashed }},
	}}
}

func fogKeys() keytable.Keys[Fog] {
	return keytable.Keys[Fog]{About: "Fog: a color that is mixed in by depth. The table may be empty.", List: []keytable.Key[Fog]{
		{Name: "near", Form: depthForm(), Unset: autoDepth,
			About: "the depth at which the fog begins, or with `\"auto\"` the depth of the nearest point of the solids, but at least 0. The depth is the distance from the camera along the viewing direction",
			Field: func(f *Fog) any { return &f.Near }},
		{Name: "far", Form: depthForm(), Unset: autoDepth,
			About: "the depth at which the fog reaches its strength, greater than `near`, or with `\"auto\"` the depth of the farthest point of the solids",
			Field: func(f *Fog) any { return &f.Far }},
		{Name: "color", Form: keytable.ColorForm(), Unset: "white",
			About: "color of the fog",
			Field: func(f *Fog) any { return &f.Color }},
		{Name: "strength", Form: keytable.NumberForm(keytable.Fractions()), Unset: 1.0,
			About: "share of the fog's color at the depth `far` and beyond; between `near` and `far` the share grows in proportion to the depth",
			Field: func(f *Fog) any { return &f.Strength }},
		{Name: "background", Form: keytable.BooleanForm(), Unset: false,
			About: "whether fog of the full strength also lies before the background",
			Field: func(f *Fog) any { return &f.Background }},
	}}
}

func sectionKeys() keytable.Keys[sectionTable] {
	hatched := func(s *sectionTable) bool { return s.Hatch.Enabled }
	names := func(field func(*sectionTable) *any) keytable.Key[sectionTable] {
		f := keytable.RawForm("Union[str, Sequence[str]]", func() *keytable.Schema {
			return keytable.AnyOf(keytable.Typed("string"), keytable.ListOf("", keytable.Typed("string")))
		})
		f.Text = func(_ *keytable.Writer, field any) string { return keytable.TextsText((*field.(*any)).([]string)) }
		return keytable.Key[sectionTable]{Form: f, Fixed: true,
			Applies: func(s *sectionTable) bool { return *field(s) != nil }, Field: func(s *sectionTable) any { return field(s) }}
	}
	on, except := names(func(s *sectionTable) *any { return &s.rawOn }), names(func(s *sectionTable) *any { return &s.rawExcept })
	on.Name, on.About = "on", "a name of a solid, placement, part or material, also `part.NAME` or `material.NAME`, or an array of such names: the section cuts only these solids. Without `on` and `except`, it cuts all or, in a part, those of the part"
	except.Name, except.About = "except", "instead of `on`: the section cuts all these solids but those with the given names"
	return keytable.Keys[sectionTable]{About: "A plane that cuts solids, to look inside. What lies on the side that the normal points to is taken away.", List: []keytable.Key[sectionTable]{
		{Name: "name", Form: nameForm(), Fixed: true,
			About:   "a name for messages and, except in a part, for the `target` of `[[animate]]`",
			Applies: func(s *sectionTable) bool { return s.Name != "" }, Field: func(s *sectionTable) any { return &s.Name }},
		{Name: "point", Form: keytable.VectorForm(keytable.Coordinates()), Required: true,
			About: "a point of the plane",
			Field: func(s *sectionTable) any { return &s.Point }},
		{Name: "normal", Form: unitForm(), Required: true,
			About: "the direction that the plane faces, of any length except zero: what lies on this side of the plane is taken away",
			Field: func(s *sectionTable) any { return unitVector{&s.Normal, &s.stated} }},
		{Name: "color", Form: keytable.ColorForm(),
			About: "color of the cut faces; without it, they have the color of the solid that is cut",
			Has:   func(s *sectionTable) *bool { return &s.HasColor }, Field: func(s *sectionTable) any { return &s.Color }},
		{Name: "hatch", Form: keytable.BooleanForm(), Unset: false,
			About: "whether parallel lines cover the cut faces, as in engineering drawings",
			Field: func(s *sectionTable) any { return &s.Hatch.Enabled }},
		{Name: "hatch_distance", Form: keytable.NumberForm(keytable.Sizes()), Unset: 0.1,
			About:   "distance from each line of the hatch to the next, in scene units",
			Applies: hatched, Field: func(s *sectionTable) any { return &s.Hatch.Distance }},
		{Name: "hatch_width", Form: keytable.NumberForm(keytable.Sizes()), Unset: 0.02,
			About:   "width of the lines of the hatch, less than their distance",
			Applies: hatched, Field: func(s *sectionTable) any { return &s.Hatch.Width }},
		{Name: "hatch_angle", Form: keytable.NumberForm(keytable.Finite()), Unset: 45.0, Unit: "degrees",
			About:   "angle between the lines of the hatch and the horizontal, seen from the side that is taken away; on a horizontal plane, the angle to the x axis",
			Applies: hatched, Field: func(s *sectionTable) any { return (*float64)(&s.Hatch.Angle) }},
		{Name: "hatch_color", Form: keytable.ColorForm(), Unset: defaultInk,
			About:   "color of the lines of the hatch",
			Applies: hatched, Field: func(s *sectionTable) any { return &s.Hatch.Color }},
		on, except,
		{Name: "light", Form: keytable.SwitchForm("cut", "whole"), Unset: "cut",
			About: "whether light passes through what is taken away, or with `\"whole\"` shadows are those of the whole solids",
			Field: func(s *sectionTable) any { return &s.LightWhole }},
	}, Rules: append(keytable.AtMostOne("on", "except"), keytable.RuleSet{
		keytable.NeedsAll("hatch_distance", "hatch", "requires hatch"),
		keytable.NeedsAll("hatch_width", "hatch", "requires hatch"),
		keytable.NeedsAll("hatch_angle", "hatch", "requires hatch"),
		keytable.NeedsAll("hatch_color", "hatch", "requires hatch"),
	})}
}

func animationKeys() keytable.Keys[Animation] {
	return keytable.Keys[Animation]{About: "The frames of a film of the scene. Frame i shows the time i / fps.", List: []keytable.Key[Animation]{
		{Name: "duration", Form: keytable.NumberForm(durations()), Required: true, Unit: "seconds",
			About: "length of the film",
			Field: func(a *Animation) any { return &a.Duration }},
		{Name: "fps", Form: keytable.NumberForm(rates()), Unset: DefaultFPS,
			About: "frames per second. Frame i shows the time i / fps; there are round(duration * fps) frames, at most 2^20",
			Field: func(a *Animation) any { return &a.FPS }},
		{Name: "golden", Form: secondsForm(MaxGoldens, readGoldenTimes),
			About: "ascending seconds, such as `[0, 1.5]`, at most 1,000, with at most 6 decimal places: times at which `render golden` [also keeps a picture](golden.md#animations), as NAME@1.5.png",
			Field: func(a *Animation) any { return &a.Golden }},
	}}
}

// animateTable holds the values of an [[animate]] table.
type animateTable struct {
	target, values any // read later
	times          []float64
	ease           int
}

func animateKeys() keytable.Keys[animateTable] {
	values := keytable.RawForm("Sequence[Any]", func() *keytable.Schema { return &keytable.Schema{Type: "array", MinItems: 1} })
	return keytable.Keys[animateTable]{List: []keytable.Key[animateTable]{
		{Name: "target", Form: keytable.ReferenceForm(), Required: true,
			About: "a path, a dot and a key, such as `\"camera.position\"` or `\"walker/arm.rotate\"`. The path is `camera`, `shading`, `image`, `fog`, the name of a section or light, or that of a solid or placement as in messages; the prefix `part.NAME/` means all copies of the part, see [Time](#time)",
			Field: func(a *animateTable) any { return &a.target }},
		{Name: "times", Form: secondsForm(0, readMoments), Required: true, Unit: "seconds",
			About: "ascending times",
			Field: func(a *animateTable) any { return &a.times }},
		{Name: "values", Form: values, Required: true,
			About: "the key's values at these times; the first value also holds before the first time, and the last value after the last time. Between two times numbers, vectors, colors and quaternions are mixed",
			Field: func(a *animateTable) any { return &a.values }},
		{Name: "ease", Form: keytable.WordForm(eases()), Unset: eases()[easeLinear],
			About: "how the value moves from one time to the next: `\"smooth\"` moves by 3u^2 - 2u^3, where u goes from 0 to 1 between two times; `\"step\"` holds each value until the next time",
			Field: func(a *animateTable) any { return &a.ease }},
	}}
}

// overlapsTable holds the values of [overlaps].
type overlapsTable struct{ allow [][2]string }

func overlapsKeys() keytable.Keys[overlapsTable] {
	allow := keytable.FormFor(readPatterns, nil, func(_ *keytable.Writer, pairs [][2]string) string {
		var texts []string
		for i := range pairs {
			texts = append(texts, keytable.TextsText(pairs[i][:]))
		}
		return tomltext.Array(texts...)
	}).Is("Sequence[Sequence[str]]", keytable.MixNothing, pairsOfPatterns)
	return keytable.Keys[overlapsTable]{About: "Which solids may overlap or touch without a note from check.", List: []keytable.Key[overlapsTable]{
		{Name: "allow", Form: allow,
			About: "at most 64 pairs of name patterns, such as `[[\"arm*\", \"hand\"], [\"atom*\", \"atom*\"]]`: solids with such names may overlap or touch each other. `*` matches any characters except `/`, `?` one character, `[a-z]` one in a range; the pattern `*` also matches solids without a name",
			Field: func(o *overlapsTable) any { return &o.allow }},
	}}
}

func materialKeys() keytable.Keys[shade.Material] {
	return keytable.Keys[shade.Material]{About: "A named surface.", List: []keytable.Key[shade.Material]{
		{Name: "color", Form: keytable.ColorForm(), Unset: defaultColor,
			About: "color of the matte part",
			Field: func(m *shade.Material) any { return &m.Albedo }},
		{Name: "mirror", Form: keytable.NumberForm(keytable.Fractions()), Unset: 0.0,
			About: "weight of the mirror; the matte part has the weight 1 - mirror",
			Field: func(m *shade.Material) any { return &m.Mirror }},
		{Name: "ghost", Form: materialGhostForm(),
			About:   ghostAbout,
			Applies: func(m *shade.Material) bool { return m.Ghost != nil }, Field: func(m *shade.Material) any { return &m.Ghost }},
		{Name: "checker", Form: checkerForm(),
			About:   "`{ color = .., size = .. }`, both *required*: squares on the faces of boxes, alternating between the color of the material and this one. Four squares meet at the center of each face, see [Checkers](#checkers)",
			Applies: func(m *shade.Material) bool { return m.Checker != nil }, Field: func(m *shade.Material) any { return &m.Checker }},
	}}
}

// checkerForm is a form for a *shade.Checker.
func checkerForm() keytable.Form {
	f := keytable.TableForm(checkerKeys(), func(*shade.Checker) {})
	pointer := f
	pointer.Python = "Checker"
	pointer.Read = func(t keytable.Table, key string, v any, field any) {
		if x, _, ok := checkerKeys().Read(t.Report.Table(t.Key(key)), v); ok {
			*field.(**shade.Checker) = &x
		}
	}
	pointer.Check = func(key string, field any) error { return f.Check(key, *field.(**shade.Checker)) }
	pointer.Text = func(w *keytable.Writer, field any) string { return f.Text(w, *field.(**shade.Checker)) }
	return pointer
}

func checkerKeys() keytable.Keys[shade.Checker] {
	return keytable.Keys[shade.Checker]{About: "Squares on the faces of boxes, alternating between the color of the material and this one. Four squares meet at the center of each face.", List: []keytable.Key[shade.Checker]{
		{Name: "color", Form: keytable.ColorForm(), Required: true,
			About: "color of every other square",
			Field: func(c *shade.Checker) any { return &c.Albedo }},
		{Name: "size", Form: keytable.NumberForm(keytable.Sizes()), Required: true,
			About: "length of the squares' edges",
			Field: func(c *shade.Checker) any { return &c.Size }},
	}}
}

// partLightKeys returns the keys of a light in a part. Lights of the scene can also have the key attach.
func partLightKeys() keytable.Keys[Light] {
	return lightKeys().Where(func(name string) bool { return name != "attach" })
}

func lightKeys() keytable.Keys[Light] {
	isPlaced := func(l *Light) bool { return !l.Directional }
	return keytable.Keys[Light]{List: []keytable.Key[Light]{
		{Name: "name", Form: nameForm(), Fixed: true,
			About:   "a name for messages and reports, unique among lights, solids and placements",
			Applies: func(l *Light) bool { return l.Name != "" }, Field: func(l *Light) any { return &l.Name }},
		{Name: "attach", Form: keytable.MarkForm(attachedToCamera),
			About:   "`\"camera\"`: the light moves with the camera, and its `position` is relative to the camera's. The x, y and z axes of its `position` and `direction` point to the right in the picture, up in the picture, and toward the viewer. Not in a part",
			Applies: func(l *Light) bool { return l.Attached }, Field: func(l *Light) any { return &l.Attached }},
		{Name: "position", Form: keytable.VectorForm(keytable.Coordinates()),
			About:   "the position of a point light or spot light",
			Applies: isPlaced, Field: func(l *Light) any { return &l.Position }},
		{Name: "direction", Form: unitForm(),
			About:   "the direction in which parallel light travels, or the axis of a spot light's cone",
			Applies: func(l *Light) bool { return l.Directional || l.IsSpot() }, Field: func(l *Light) any { return unitVector{&l.Direction, &l.stated} }},
		{Name: "radius", Form: keytable.NumberForm(lightRadii()), Unset: 0.0,
			About:   "the radius of the ball from which a point light or spot light shines: its shadows have [soft edges](#lights-with-a-size)",
			Applies: func(l *Light) bool { return isPlaced(l) && l.Radius != 0 }, Field: func(l *Light) any { return &l.Radius }},
		{Name: "angle", Form: keytable.NumberForm(lightAngles()), Unset: 0.0, Unit: "degrees",
			About:   "the angle that a directional light covers in the sky, for [soft edges](#lights-with-a-size) of its shadows; the sun covers 0.53 degrees",
			Applies: func(l *Light) bool { return l.Directional && l.Angle != 0 }, Field: func(l *Light) any { return (*float64)(&l.Angle) }},
		{Name: "cone", Form: keytable.NumberForm(cones()), Unit: "degrees",
			About:   "makes a spot light of a light with a position and a direction: the whole angle of its opening",
			Applies: (*Light).IsSpot, Field: func(l *Light) any { return (*float64)(&l.Cone.Angle) }},
		{Name: "edge", Form: keytable.NumberForm(edges()), Unset: 0.0, Unit: "degrees",
			About:   "how far inside the border of its cone a spot light reaches its full strength; at most half of `cone`",
			Applies: (*Light).IsSpot, Field: func(l *Light) any { return (*float64)(&l.Cone.Edge) }},
		{Name: "color", Form: keytable.ColorForm(), Unset: "white",
			About: "color of the light",
			Field: func(l *Light) any { return &l.Color }},
		{Name: "intensity", Form: keytable.NumberForm(intensities()), Unset: 1.0,
			About: "factor of the color. Light does not weaken with distance",
			Field: func(l *Light) any { return &l.Intensity }},
		{Name: "visible", Form: keytable.BooleanForm(), Unset: false,
			About:   "whether mirrors show the ball of a light with a radius, in its color: a highlight. The camera itself does not see it",
			Applies: func(l *Light) bool { return l.Visible }, Field: func(l *Light) any { return &l.Visible }},
	}, Rules: []keytable.RuleSet{{
		keytable.NeedsAny("position direction", "must have a position or a direction"),
		keytable.NeedsAll("cone", "position direction", "requires position and direction: only a spot light has a cone"),
		{With: []string{"position", "direction"}, Needs: []string{"cone"}, At: "direction", Code: problem.CodeConflict, Message: fmt.Sprintf(keytable.Conflict, "position") + " unless cone is set, for a spot light"},
		keytable.NeedsAll("edge", "cone", "requires cone"),
		keytable.NeedsAll("visible", "radius", "requires radius: mirrors show the ball of the light"),
		keytable.NeedsAll("radius", "position", "requires position: the size of a directional light is an angle"),
		keytable.Excludes("angle", "position", "only a directional light has an angle: the size of a light with a position is a radius, the opening of a spot light a cone"),
	}}}
}

// unitVector is a field for a vector of any length that is normalized, and for the vector in the file.
type unitVector struct{ unit, stated *geom.Vec3 }

// unitForm is a form for a unitVector.
func unitForm() keytable.Form {
	return keytable.Form{
		Read: func(t keytable.Table, key string, v any, field any) {
			x := field.(unitVector)
			*x.stated = t.Nonzero(key, v)
			*x.unit, _ = geom.Direction(*x.stated)
		},
		Check: func(key string, field any) error {
			if d := *field.(unitVector).unit; !isUnit(d) {
				return fmt.Errorf("%s: must have length 1, got %v", key, d)
			}
			return nil
		},
		Text: func(w *keytable.Writer, field any) string {
			x := field.(unitVector)
			d, ok := unnormalized(*x.unit, *x.stated)
			if !ok {
				w.Fail(fmt.Errorf("found no vector that normalizes to the direction %v", *x.unit))
			}
			return tomltext.Vector(d)
		},
	}.Is("Vector", keytable.MixVectors, keytable.NonzeroForm().Schema)
}

func labelKeys() keytable.Keys[partLabel] {
	on := keytable.RawForm("Union[str, Sequence[str]]", func() *keytable.Schema {
		return keytable.AnyOf(keytable.Typed("string"), keytable.ListOf("", keytable.Typed("string")))
	})
	on.Text = func(_ *keytable.Writer, field any) string { return keytable.TextsText((*field.(*any)).([]string)) }
	own := keytable.Keys[partLabel]{List: []keytable.Key[partLabel]{
		{Name: "text", Form: captionForm(true), Required: true,
			About: "the text, of up to 500 characters; `\\n` in the string begins a new line",
			Field: func(l *partLabel) any { return &l.Text }},
		{Name: "at", Form: keytable.VectorForm(keytable.Coordinates()),
			About:   "the point to which the label belongs",
			Applies: func(l *partLabel) bool { return l.rawOn == nil }, Field: func(l *partLabel) any { return &l.At }},
		{Name: "on", Form: on,
			About:   "instead of `at`: the name of a solid or placement, as in the `target` of `[[animate]]`, or an array of such names. The label belongs to the center of their bounds",
			Applies: func(l *partLabel) bool { return l.rawOn != nil }, Field: func(l *partLabel) any { return &l.rawOn }},
		{Name: "offset", Form: keytable.ShiftForm(keytable.Limits{Min: -MaxSide, Max: MaxSide}), Unset: []any{0.0, 0.0}, Unit: "pixels",
			About: "from the point to the text, to the right and down",
			Field: func(l *partLabel) any { return &l.Offset }},
		{Name: "anchor", Form: anchorForm(), Unset: "center",
			About: "the point of the text's box that lies at the offset from the point",
			Field: func(l *partLabel) any { return &l.Anchor }},
		{Name: "leader", Form: keytable.BooleanForm(), Unset: false,
			About: "whether a line connects the text with the point",
			Field: func(l *partLabel) any { return &l.Leader }},
		hiddenKey(func(l *partLabel) *Hidden { return &l.Hidden }),
	}, Rules: []keytable.RuleSet{{
		keytable.NeedsAny("at on", "must have at, a point, or on, the name of a solid or placement"),
		keytable.Excludes("on", "at", fmt.Sprintf(keytable.Conflict, "at")),
	}}}
	return own.With(keytable.Embedded(letteringKeys(defaultLettering), func(l *partLabel) *Lettering { return &l.Lettering }))
}

// anchorForm is a form for an Anchor.
func anchorForm() keytable.Form {
	f := keytable.WordForm(anchorWords())
	index := func(a *Anchor) int { return 3*(a.Y+1) + a.X + 1 }
	return keytable.Form{
		Read: func(t keytable.Table, key string, v any, field any) {
			i, _ := t.Word(key, v, f.Words)
			*field.(*Anchor) = Anchor{X: i%3 - 1, Y: i/3 - 1}
		},
		Check: func(key string, field any) error {
			if x := *field.(*Anchor); x.X*x.X > 1 || x.Y*x.Y > 1 {
				return fmt.Errorf("%s: must be -1, 0 or 1 in each direction, got %v", key, x)
			}
			return nil
		},
		Text:  func(w *keytable.Writer, field any) string { i := index(field.(*Anchor)); return f.Text(w, &i) },
		Words: f.Words,
	}.Is("str", keytable.MixNothing, f.Schema)
}

func hiddenKey[T any](field func(*T) *Hidden) keytable.Key[T] {
	return keytable.Key[T]{Name: "hidden", Form: keytable.WordForm(hiddenWords()), Unset: "draw",
		About: "how parts that solids hide are drawn: `\"draw\"` as all others, `\"dash\"` with dashed lines, `\"hide\"` not at all",
		Field: func(x *T) any { return (*int)(field(x)) }}
}

func dimensionKeys() keytable.Keys[partDimension] {
	spans := func(d *partDimension) bool { return d.rawOn == nil }
	measures := func(d *partDimension) bool { return d.rawOn != nil }
	own := keytable.Keys[partDimension]{List: []keytable.Key[partDimension]{
		{Name: "from", Form: keytable.VectorForm(keytable.Coordinates()),
			About:   "one end of the measured length; requires `to`",
			Applies: spans, Field: func(d *partDimension) any { return &d.From }},
		{Name: "to", Form: keytable.VectorForm(keytable.Coordinates()),
			About:   "the other end",
			Applies: spans, Field: func(d *partDimension) any { return &d.To }},
		{Name: "on", Form: keytable.ReferenceForm(),
			About:   "instead of `from` and `to`: the name of a solid to measure",
			Applies: measures, Field: func(d *partDimension) any { return &d.rawOn }},
		{Name: "across", Form: keytable.WordsForm(acrossWords()),
			About:   "what to measure of the solid: `\"diameter\"` of a sphere, twice its radius; `\"length\"` (the default) or `\"diameter\"` of a capsule or cylinder; `\"x\"`, `\"y\"` or `\"z\"` of a box, its edges along its own axes, twice the half extent (*required* for a box). The length of a capsule includes its round ends: the distance from `a` to `b` plus twice the radius. The length of a cylinder is the distance from `a` to `b`",
			Applies: measures, Field: func(d *partDimension) any { return &d.Across }},
		{Name: "offset", Form: keytable.VectorForm(keytable.Coordinates()), Unset: vectorValue(geom.Vec3{}),
			About: "from the measured length to the line, in scene units",
			Field: func(d *partDimension) any { return &d.Offset }},
		{Name: "text", Form: captionForm(false), Unset: lengthMark,
			About: "the text, in which the length replaces `{}`",
			Field: func(d *partDimension) any { return &d.Text }},
		hiddenKey(func(d *partDimension) *Hidden { return &d.Hidden }),
	}, Rules: []keytable.RuleSet{{
		keytable.Excludes("on", "from", fmt.Sprintf(keytable.Conflict, "from and to")),
		keytable.Excludes("on", "to", fmt.Sprintf(keytable.Conflict, "from and to")),
		keytable.NeedsAny("from to on", "must have from and to, or on, the name of a solid"),
		keytable.NeedsAll("across", "on", "requires on, the name of a solid"),
		keytable.Together("from", "to")[0][0], keytable.Together("from", "to")[1][0],
	}}}
	return own.
		With(keytable.Embedded(quantityKeys(), func(d *partDimension) *Quantity { return &d.Quantity })).
		With(keytable.Embedded(letteringKeys(defaultLettering), func(d *partDimension) *Lettering { return &d.Lettering }))
}

// pointForm is a form for a partPoint.
func pointForm() keytable.Form {
	return keytable.FormFor(readPoint,
		func(key string, x partPoint) error {
			if x.raw != nil || len(x.On) > 0 {
				return nil
			}
			return keytable.CheckVector(key, x.At, keytable.Coordinates())
		},
		func(_ *keytable.Writer, x partPoint) string {
			switch names := x.raw.(type) {
			case string:
				return tomltext.Quote(names)
			case []string:
				return keytable.TextsText(names)
			}
			return tomltext.Vector(x.At)
		},
	).Is("Point", keytable.MixNothing, func() *keytable.Schema {
		return keytable.AnyOf(keytable.VectorIn(keytable.Coordinates()), keytable.Typed("string"), keytable.ListOf("", keytable.Typed("string")))
	})
}

// pointAbout ends the meanings of keys that are points.
const pointAbout = ": a point, or the name of a solid or placement, or an array of such names, for the center of their bounds. `\"arm.a\"` is the point `a` of the capsule or cylinder `arm`"

// strokeKeys returns the keys for the look of a line.
func strokeKeys(heads Heads) keytable.Keys[Stroke] {
	dash := keytable.Form{
		Read: func(t keytable.Table, key string, v any, field any) {
			s, d := field.(*Stroke), readDashes(t, key, v)
			s.HasDash, s.Dash = d.on, d.lengths
		},
		Check: func(key string, field any) error {
			s := field.(*Stroke)
			if s.Dash == [2]float64{} {
				return nil
			}
			return cmp.Or(keytable.CheckNumber(key, s.Dash[0], dashLengths()), keytable.CheckNumber(key, s.Dash[1], dashLengths()))
		},
		Text: func(_ *keytable.Writer, field any) string {
			s := field.(*Stroke)
			if s.Dash == [2]float64{} {
				return strconv.FormatBool(s.HasDash)
			}
			return tomltext.Array(tomltext.Number(s.Dash[0]), tomltext.Number(s.Dash[1]))
		},
	}.Is("Union[bool, Sequence[float]]", keytable.MixNothing, func() *keytable.Schema {
		return keytable.AnyOf(keytable.Typed("boolean"), keytable.ArrayOfN(2, keytable.NumberIn(dashLengths())))
	})
	return keytable.Keys[Stroke]{List: []keytable.Key[Stroke]{
		{Name: "width", Form: keytable.NumberForm(lineWidths()), Unset: 1.5, Unit: "pixels",
			About: "width of lines, for a picture of the scene's own height",
			Field: func(s *Stroke) any { return &s.Width }},
		{Name: "dash", Form: dash, Unset: false,
			About: "whether the line is dashed; `[dash, gap]` are the lengths of dashes and gaps in pixels, by default 4 and 3 times the width",
			Field: func(s *Stroke) any { return s }},
		{Name: "heads", Form: keytable.WordForm(headsWords()), Unset: headsWords()[heads],
			About: "which ends have arrowheads",
			Field: func(s *Stroke) any { return (*int)(&s.Heads) }},
		{Name: "head", Form: keytable.NumberForm(dashLengths()), Unit: "pixels",
			About:   "length of arrowheads; without it, 6 times the width. An arrowhead is not longer than its line, and two thirds as wide as long",
			Applies: func(s *Stroke) bool { return s.HeadLength != 0 }, Field: func(s *Stroke) any { return &s.HeadLength }},
	}}
}

// depthKeys returns the keys that say how solids hide a drawing.
func depthKeys() keytable.Keys[depthTable] {
	return keytable.Keys[depthTable]{List: []keytable.Key[depthTable]{
		{Name: "depth", Form: keytable.BooleanForm(), Unset: false,
			About: "whether it lies in the scene, where solids hide it; otherwise it is drawn over all solids",
			Field: func(d *depthTable) any { return &d.depth }},
		{Name: "hidden", Form: keytable.SwitchForm("dash", "hide"), Unset: "dash",
			About:   "how parts that solids hide are drawn: `\"dash\"` with dashed lines, `\"hide\"` not at all; requires `depth = true`",
			Applies: func(d *depthTable) bool { return d.depth }, Field: func(d *depthTable) any { return &d.hides }},
	}, Rules: []keytable.RuleSet{{keytable.NeedsAll("hidden", "depth", "requires depth = true")}}}
}

func lineKeys() keytable.Keys[partLine] { return lineKeysWith(HeadsNone) }

func arrowKeys() keytable.Keys[partLine] { return lineKeysWith(HeadsEnd) }

// lineKeysWith returns the keys of lines that have the given heads by default.
func lineKeysWith(heads Heads) keytable.Keys[partLine] {
	own := keytable.Keys[partLine]{List: []keytable.Key[partLine]{
		{Name: "from", Form: pointForm(), Required: true, About: "where the line begins" + pointAbout,
			Field: func(l *partLine) any { return &l.from }},
		{Name: "to", Form: pointForm(), Required: true, About: "where the line ends, like `from`",
			Field: func(l *partLine) any { return &l.to }},
		{Name: "color", Form: keytable.ColorForm(), Unset: defaultInk, About: "color of the line",
			Field: func(l *partLine) any { return &l.Color }},
	}}
	return own.
		With(keytable.Embedded(strokeKeys(heads), func(l *partLine) *Stroke { return &l.Stroke })).
		With(keytable.Embedded(depthKeys(), func(l *partLine) *depthTable { return &l.depthTable }))
}

func angleKeys() keytable.Keys[partAngle] {
	own := keytable.Keys[partAngle]{List: []keytable.Key[partAngle]{
		{Name: "at", Form: pointForm(), Required: true, About: "the vertex of the angle" + pointAbout,
			Field: func(a *partAngle) any { return &a.at }},
		{Name: "from", Form: pointForm(), Required: true, About: "a point on the leg at which the arc begins, like `at`",
			Field: func(a *partAngle) any { return &a.from }},
		{Name: "to", Form: pointForm(), Required: true, About: "a point on the other leg, like `at`",
			Field: func(a *partAngle) any { return &a.to }},
		{Name: "radius", Form: keytable.NumberForm(keytable.Sizes()),
			About:   "radius of the arc, in scene units; without it, a third of the shorter leg",
			Applies: func(a *partAngle) bool { return a.Radius != 0 }, Field: func(a *partAngle) any { return &a.Radius }},
		{Name: "text", Form: optionalCaptionForm(), Unset: lengthMark,
			About: "the text at the arc, in which the angle replaces `{}`, such as `\"θ = {}\"`; an empty text draws only the arc",
			Field: func(a *partAngle) any { return &a.Text }},
		{Name: "unit", Form: keytable.SwitchForm("degrees", "radians"), Unset: "degrees",
			About: "unit of the number",
			Field: func(a *partAngle) any { return &a.Radians }},
		{Name: "digits", Form: keytable.IntegerForm(keytable.Limits{Min: 0, Max: MaxDigits}),
			About: "number of decimal places; without it, 1, or up to 3 for radians, without zeros at the end",
			Has:   func(a *partAngle) *bool { return &a.HasDigits }, Field: func(a *partAngle) any { return &a.Digits }},
	}}
	return own.
		With(keytable.Embedded(strokeKeys(HeadsNone), func(a *partAngle) *Stroke { return &a.Stroke })).
		With(keytable.Embedded(depthKeys(), func(a *partAngle) *depthTable { return &a.depthTable })).
		With(keytable.Embedded(letteringKeys(defaultLettering), func(a *partAngle) *Lettering { return &a.Lettering }))
}

func markerKeys() keytable.Keys[partMarker] {
	own := keytable.Keys[partMarker]{List: []keytable.Key[partMarker]{
		{Name: "at", Form: pointForm(), Required: true, About: "where the marker is" + pointAbout,
			Field: func(m *partMarker) any { return &m.at }},
		{Name: "shape", Form: keytable.WordForm(shapeWords()), Unset: shapeWords()[ShapeDot],
			About: "the sign. A dot, a square, a diamond and a triangle are filled",
			Field: func(m *partMarker) any { return (*int)(&m.Shape) }},
		{Name: "size", Form: keytable.NumberForm(keytable.Limits{Min: 1, Max: MaxLettering}), Unset: 8.0, Unit: "pixels",
			About: "width and height, for a picture of the scene's own height",
			Field: func(m *partMarker) any { return &m.Size }},
		{Name: "width", Form: keytable.NumberForm(lineWidths()), Unset: 1.5, Unit: "pixels",
			About: "width of the lines of a circle, a plus and a cross",
			Field: func(m *partMarker) any { return &m.Width }},
		{Name: "color", Form: keytable.ColorForm(), Unset: defaultInk, About: "color of the marker",
			Field: func(m *partMarker) any { return &m.Color }},
	}}
	return own.With(keytable.Embedded(depthKeys(), func(m *partMarker) *depthTable { return &m.depthTable }))
}

func titleKeys() keytable.Keys[Title] {
	return keytable.Keys[Title]{About: "A text at the top or bottom of the picture.", List: []keytable.Key[Title]{
		{Name: "text", Form: captionForm(true), Required: true,
			About: "the text, of up to 500 characters; `\\n` in the string begins a new line",
			Field: func(x *Title) any { return &x.Text }},
		{Name: "side", Form: keytable.SwitchForm("top", "bottom"), Unset: "top",
			About: "whether the text is at the top of the picture, or with `\"bottom\"` at the bottom",
			Field: func(x *Title) any { return &x.Bottom }},
	}}.With(keytable.Embedded(letteringKeys(24), func(x *Title) *Lettering { return &x.Lettering }))
}

func axesKeys() keytable.Keys[Axes] {
	texts := keytable.FormFor(readAxisTexts,
		func(key string, texts [3]string) error {
			for _, s := range texts {
				if err := checkCaption(key, s, false); err != nil {
					return err
				}
			}
			return nil
		},
		func(_ *keytable.Writer, texts [3]string) string { return keytable.TextsText(texts[:]) },
	).Is("Sequence[str]", keytable.MixNothing, func() *keytable.Schema { return keytable.ArrayOfN(3, captionForm(false).Schema()) })
	own := keytable.Keys[Axes]{About: "Arrows along the axes of the scene.", List: []keytable.Key[Axes]{
		{Name: "at", Form: keytable.VectorForm(keytable.Coordinates()), Unset: vectorValue(geom.Vec3{}),
			About:   "where the axes start",
			Applies: func(x *Axes) bool { return x.Corner == "" }, Field: func(x *Axes) any { return &x.At }},
		{Name: "length", Form: keytable.NumberForm(keytable.Sizes()), Unset: 1.0,
			About: "length of the axes, in scene units or, in a corner, in pixels",
			Field: func(x *Axes) any { return &x.Length }},
		{Name: "corner", Form: keytable.WordsForm(cornerWords()),
			About:   "puts the axes into a corner of the picture; there they show only directions. Requires `length`, and not together with `at`",
			Applies: func(x *Axes) bool { return x.Corner != "" }, Field: func(x *Axes) any { return &x.Corner }},
		{Name: "texts", Form: texts, Unset: []any{"x", "y", "z"},
			About: "names of the axes",
			Field: func(x *Axes) any { return &x.Texts }},
		hiddenKey(func(x *Axes) *Hidden { return &x.Hidden }),
	}, Rules: []keytable.RuleSet{
		{keytable.Excludes("at", "corner", fmt.Sprintf(keytable.Conflict, "corner"))},
		{{With: []string{"corner"}, Needs: []string{"length"}, At: "length", Code: problem.CodeMissingKey, Message: "required in a corner: the length of the axes in pixels"}},
	}}
	own = own.With(keytable.Embedded(letteringKeys(defaultLettering), func(x *Axes) *Lettering { return &x.Lettering }))
	color := &own.List[slices.IndexFunc(own.List, func(k keytable.Key[Axes]) bool { return k.Name == "color" })]
	color.Has, color.Unset = func(x *Axes) *bool { return &x.HasColor }, nil
	color.About = "color of all axes; without it, x is red, y green and z blue"
	return own
}

func scaleBarKeys() keytable.Keys[ScaleBar] {
	return keytable.Keys[ScaleBar]{About: "A line of a known length, with its length as a number.", List: []keytable.Key[ScaleBar]{
		{Name: "length", Form: keytable.NumberForm(keytable.Sizes()), Required: true,
			About: "length of the bar, in scene units",
			Field: func(b *ScaleBar) any { return &b.Length }},
		{Name: "depth", Form: keytable.NumberForm(keytable.Sizes()),
			About:   "distance from the camera, along the view, at which the bar has its length; *required* with a perspective camera, where a length has no single scale, and without effect otherwise",
			Applies: func(b *ScaleBar) bool { return b.Depth != 0 }, Field: func(b *ScaleBar) any { return &b.Depth }},
		{Name: "corner", Form: keytable.WordsForm(cornerWords()), Unset: "bottom-left",
			About: "the corner of the picture in which the bar is",
			Field: func(b *ScaleBar) any { return &b.Corner }},
	}}.
		With(keytable.Embedded(quantityKeys(), func(b *ScaleBar) *Quantity { return &b.Quantity })).
		With(keytable.Embedded(letteringKeys(defaultLettering), func(b *ScaleBar) *Lettering { return &b.Lettering }))
}

// legendTable holds the values of [legend].
type legendTable struct {
	materials, sections, texts []string
	Legend
}

func legendKeys() keytable.Keys[legendTable] {
	captions := keytable.TextsForm()
	captions.Schema = func() *keytable.Schema { return keytable.ListOf("", captionForm(false).Schema()) }
	return keytable.Keys[legendTable]{About: "The colors of materials and the hatches of sections, with their names.", List: []keytable.Key[legendTable]{
		{Name: "materials", Form: keytable.TextsForm(),
			About: "names of materials; without them and `sections`, all materials with a name that solids have",
			Field: func(g *legendTable) any { return &g.materials }},
		{Name: "sections", Form: keytable.TextsForm(),
			About: "names of sections, whose entries show their hatches and follow those of the materials",
			Field: func(g *legendTable) any { return &g.sections }},
		{Name: "texts", Form: captions,
			About: "texts to show in place of these names, first those of the materials; requires `materials` or `sections`",
			Field: func(g *legendTable) any { return &g.texts }},
		{Name: "corner", Form: keytable.WordsForm(cornerWords()), Unset: "top-right",
			About: "the corner of the picture in which the legend is",
			Field: func(g *legendTable) any { return &g.Corner }},
	}, Rules: []keytable.RuleSet{{{With: []string{"texts"}, Needs: []string{"materials", "sections"}, Any: true, At: "texts", Code: problem.CodeMissingKey, Message: "requires materials or sections"}}}}.
			With(keytable.Embedded(letteringKeys(defaultLettering), func(g *legendTable) *Lettering { return &g.Lettering }))
}

func colormapKeys() keytable.Keys[colormapTable] {
	hasBar := func(c *colormapTable) bool { return c.bar }
	bounds := keytable.ShiftForm(keytable.Finite())
	bounds.Check = func(key string, field any) error { return checkRange(key, *field.(*[2]float64)) }
	own := keytable.Keys[colormapTable]{About: "The colors of values, with a color bar. The table may be empty.", List: []keytable.Key[colormapTable]{
		{Name: "name", Form: colormapForm(), Unset: shade.Colormaps()[0].Name(),
			About: "the colors: `\"viridis\"` from violet to yellow, `\"magma\"` from black to light yellow, or `\"coolwarm\"` from blue through gray to red, for values on both sides of a middle",
			Field: func(c *colormapTable) any { return &c.Map }},
		{Name: "range", Form: bounds,
			About: "`[low, high]`: the values of the first and the last color, ascending; without it, the least and the greatest value of all solids, and of all frames. Values outside have the color of the nearer end",
			Has:   func(c *colormapTable) *bool { return &c.hasRange }, Field: func(c *colormapTable) any { return &c.Range }},
		{Name: "label", Form: optionalCaptionForm(), Unset: "",
			About:   "a text above the color bar, such as the name of the quantity",
			Applies: func(c *colormapTable) bool { return c.bar && c.Label != "" }, Field: func(c *colormapTable) any { return &c.Label }},
		{Name: "unit", Form: optionalCaptionForm(), Unset: "",
			About:   "the unit of the values, in parentheses after the label",
			Applies: func(c *colormapTable) bool { return c.bar && c.Unit != "" }, Field: func(c *colormapTable) any { return &c.Unit }},
		{Name: "bar", Form: keytable.BooleanForm(), Unset: true,
			About: "whether the picture has a color bar",
			Field: func(c *colormapTable) any { return &c.bar }},
		{Name: "length", Form: keytable.NumberForm(dashLengths()), Unit: "pixels",
			About:   "length of the color bar, for a picture of the scene's own height; without it, two fifths of the height",
			Applies: func(c *colormapTable) bool { return c.bar && c.Length != 0 }, Field: func(c *colormapTable) any { return &c.Length }},
		{Name: "corner", Form: keytable.WordsForm(cornerWords()), Unset: "bottom-right",
			About:   "the corner of the picture in which the color bar is",
			Applies: hasBar, Field: func(c *colormapTable) any { return &c.Corner }},
	}}
	lettering := keytable.Embedded(letteringKeys(defaultLettering), func(c *colormapTable) *Lettering { return &c.Lettering })
	for i := range lettering.List {
		inner := lettering.List[i].Applies
		lettering.List[i].Applies = func(c *colormapTable) bool { return c.bar && inner(c) }
	}
	return own.With(lettering)
}

// colormapForm is a form for a shade.Colormap: its name.
func colormapForm() keytable.Form {
	var names []string
	for _, m := range shade.Colormaps() {
		names = append(names, m.Name())
	}
	f := keytable.WordsForm(names)
	g := keytable.FormFor(
		func(t keytable.Table, key string, v any) shade.Colormap {
			i, _ := t.Word(key, v, names)
			return shade.Colormaps()[i]
		},
		func(key string, m shade.Colormap) error { name := m.Name(); return f.Check(key, &name) },
		func(_ *keytable.Writer, m shade.Colormap) string { return tomltext.Quote(m.Name()) },
	).Is("str", keytable.MixNothing, f.Schema)
	g.Words = names
	return g
}

// letteringKeys returns the keys for the size and the colors of texts.
func letteringKeys(size float64) keytable.Keys[Lettering] {
	return keytable.Keys[Lettering]{List: []keytable.Key[Lettering]{
		{Name: "size", Form: letteringForm(), Unset: size, Unit: "pixels",
			About: "size of the text, for a picture of the scene's own height; or `\"8pt\"`, 8 points in print, see [Sizes of texts](#sizes-of-texts)",
			Field: func(l *Lettering) any { return l }},
		{Name: "color", Form: keytable.ColorForm(), Unset: defaultInk,
			About: "color of text and lines",
			Field: func(l *Lettering) any { return &l.Color }},
		{Name: "halo", Form: keytable.ColorForm(),
			About: "color of a border around the letters; without it, they have none",
			Has:   func(l *Lettering) *bool { return &l.HasHalo }, Field: func(l *Lettering) any { return &l.Halo }},
	}}
}

// quantityKeys returns the keys for the format of a length.
func quantityKeys() keytable.Keys[Quantity] {
	return keytable.Keys[Quantity]{List: []keytable.Key[Quantity]{
		{Name: "factor", Form: keytable.NumberForm(keytable.Sizes()), Unset: 1.0,
			About: "factor from scene units to the unit",
			Field: func(q *Quantity) any { return &q.Factor }},
		{Name: "unit", Form: optionalCaptionForm(), Unset: "",
			About:   "the unit to write after the number",
			Applies: func(q *Quantity) bool { return q.Unit != "" }, Field: func(q *Quantity) any { return &q.Unit }},
		{Name: "digits", Form: keytable.IntegerForm(keytable.Limits{Min: 0, Max: MaxDigits}),
			About: "number of decimal places; without it, up to 3, or as many as 2 significant digits need, without zeros at the end. A length that would be written as 0, but is not 0, gets more",
			Has:   func(q *Quantity) *bool { return &q.HasDigits }, Field: func(q *Quantity) any { return &q.Digits }},
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

func placeKeys() keytable.Keys[placeTable] {
	own := keytable.Keys[placeTable]{List: []keytable.Key[placeTable]{
		{Name: "part", Form: keytable.ReferenceForm(), Required: true, Fixed: true,
			About: "the name of the part",
			Field: func(p *placeTable) any { return &p.part }},
		{Name: "name", Form: nameForm(), Fixed: true,
			About: "prefix of the names of the solids: `index/bone`; unique among the placements, solids and lights of the scene or of the part that contains the placement",
			Field: func(p *placeTable) any { return &p.name }},
		{Name: "position", Form: keytable.VectorForm(keytable.Coordinates()), Unset: vectorValue(geom.Vec3{}),
			About: "where the part's origin goes",
			Field: func(p *placeTable) any { return &p.position }},
	}}.With(keytable.Embedded(turnKeys(), func(p *placeTable) *turnTable { return &p.turn }))
	return own.With(keytable.Keys[placeTable]{List: []keytable.Key[placeTable]{
		{Name: "scale", Form: keytable.NumberForm(keytable.Sizes()), Unset: 1.0,
			About: "factor of all lengths of the part",
			Field: func(p *placeTable) any { return &p.scale }},
		{Name: "material", Form: keytable.ReferenceForm(),
			About: "the name of a material, for solids of the part that have neither a material nor a color",
			Field: func(p *placeTable) any { return &p.material }},
		{Name: "color", Form: keytable.ColorForm(),
			About: "instead of a material: the color of a matte surface",
			Field: func(p *placeTable) any { return &p.color }},
		{Name: "ghost", Form: ghostForm(),
			About: "makes the solids of the part [ghosts](#ghosts) with this share of the surface's color. Replaces the share of their materials, not that which a solid or an inner placement states. Greater than 0; 1 makes ordinary surfaces",
			Field: func(p *placeTable) any { return &p.ghost }},
		{Name: "count", Form: keytable.IntegerForm(counts()), Unset: int64(1), Fixed: true,
			About: "number of copies. With `count = 1`, the name of the copy is that of the placement, without a number",
			Field: func(p *placeTable) any { return &p.count }},
		{Name: "step", Form: keytable.RawForm("Step", func() *keytable.Schema { return keytable.SchemaOf(stepKeys()) }), Fixed: true,
			About: "`{ position = [x, y, z], axis = [x, y, z], angle = degrees }`: how each copy is moved and turned from the one before",
			Field: func(p *placeTable) any { return &p.step }},
	}, Rules: append(keytable.AtMostOne("material", "color"), keytable.RuleSet{keytable.NeedsAll("step", "count", "requires count")})})
}

func stepKeys() keytable.Keys[step] {
	about := "The offset from each copy to the next: copy i is turned by i times angle about axis, through the origin of the enclosing scene or part, and then moved by i times position."
	return keytable.Keys[step]{About: about, List: []keytable.Key[step]{
		{Name: "position", Form: keytable.VectorForm(keytable.Coordinates()), Unset: vectorValue(geom.Vec3{}),
			About: "how far the next copy is moved",
			Field: func(s *step) any { return &s.position }},
		{Name: "axis", Form: keytable.NonzeroForm(),
			About: "axis of a rotation about the origin; requires `angle`",
			Has:   func(s *step) *bool { return &s.turns }, Field: func(s *step) any { return &s.axis }},
		{Name: "angle", Form: keytable.NumberForm(keytable.Finite()), Unit: "degrees",
			About: "angle of the rotation about `axis`",
			Has:   func(s *step) *bool { return &s.turns }, Field: func(s *step) any { return (*float64)(&s.angle) }},
	}, Rules: keytable.Together("axis", "angle")}
}

// turnTable holds the values of the keys of a rotation.
type turnTable struct {
	degrees, axis    geom.Vec3
	angle            float64
	quaternion, axes geom.Mat3
}

// turnKeys returns the forms of a rotation. A table has at most one of them.
func turnKeys() keytable.Keys[turnTable] {
	return keytable.Keys[turnTable]{List: []keytable.Key[turnTable]{
		{Name: "rotate", Form: keytable.VectorForm(keytable.Finite()),
			About: "degrees `[x, y, z]` about the x, then the y, then the z axis",
			Field: func(r *turnTable) any { return &r.degrees }},
		{Name: "axis", Form: keytable.NonzeroForm(),
			About: "axis of a rotation, of any length except zero; requires `angle`",
			Field: func(r *turnTable) any { return &r.axis }},
		{Name: "angle", Form: keytable.NumberForm(keytable.Finite()), Unit: "degrees",
			About: "angle of the rotation about `axis`",
			Field: func(r *turnTable) any { return &r.angle }},
		{Name: "quaternion", Form: keytable.QuaternionForm(),
			About: "rotation `[w, x, y, z]`, of any length except zero",
			Field: func(r *turnTable) any { return &r.quaternion }},
		{Name: "axes", Form: keytable.AxesForm(),
			About: "the turned x, y and z axes, used as written: unit vectors, perpendicular to each other, to 14 digits. They may be left-handed; such axes mirror a part",
			Field: func(r *turnTable) any { return &r.axes }},
	}, Rules: slices.Concat(keytable.Together("axis", "angle"), keytable.AtMostOne("rotate", "axis angle", "quaternion", "axes"))}
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
func solidKeys(k Kind) keytable.Keys[solidTable] { return solidKeysByKind()[k] }

var solidKeysByKind = sync.OnceValue(func() (all [kindCount]keytable.Keys[solidTable]) {
	for _, k := range Kinds() {
		all[k] = measureKeys(k)
		if k.row().traits().turns {
			all[k] = all[k].With(keytable.Embedded(turnKeys(), func(s *solidTable) *turnTable { return &s.turn }))
		}
		all[k] = all[k].With(surfaceKeys())
	}
	return all
})

// measureKeys returns the keys of a kind's measures.
func measureKeys(k Kind) keytable.Keys[solidTable] {
	var all keytable.Keys[solidTable]
	for _, m := range k.row().keys() {
		f := keytable.VectorForm(m.limits)
		if !m.isVector() {
			f = keytable.NumberForm(m.limits)
		}
		f.Read = func(t keytable.Table, _ string, v any, field any) { m.read(t, v, field.(*measures)) }
		all.List = append(all.List, keytable.Key[solidTable]{Name: m.key, Form: f, Required: true, About: m.about, Field: func(s *solidTable) any { return &s.measures }})
	}
	return all
}

// surfaceKeys returns the keys that any solid may have.
func surfaceKeys() keytable.Keys[solidTable] {
	return keytable.Keys[solidTable]{List: []keytable.Key[solidTable]{
		{Name: "name", Form: nameForm(), Fixed: true,
			About: "a name for messages and reports; unique",
			Field: func(s *solidTable) any { return &s.name }},
		{Name: "material", Form: keytable.ReferenceForm(),
			About: "the name of a material",
			Field: func(s *solidTable) any { return &s.material }},
		{Name: "color", Form: keytable.ColorForm(), Unset: defaultColor,
			About: "instead of a material: the color of a matte surface",
			Field: func(s *solidTable) any { return &s.color }},
		{Name: "value", Form: keytable.NumberForm(keytable.Finite()),
			About: "instead of a color or material: a number that the [`[colormap]`](#colormap) turns into the color",
			Has:   func(s *solidTable) *bool { return &s.hasValue }, Field: func(s *solidTable) any { return &s.value }},
		{Name: "ghost", Form: ghostForm(),
			About: ghostAbout + ". Replaces that of the material",
			Field: func(s *solidTable) any { return &s.ghost }},
	}, Rules: append(keytable.AtMostOne("material", "color"), keytable.RuleSet{
		keytable.Excludes("value", "material", fmt.Sprintf(valueConflict, "material")),
		keytable.Excludes("value", "color", fmt.Sprintf(valueConflict, "color")),
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

func bulkKeys() keytable.Keys[bulkTable] {
	return keytable.Keys[bulkTable]{List: []keytable.Key[bulkTable]{
		{Name: "file", Form: keytable.ReferenceForm(), Required: true,
			About: "a CSV file in the scene's folder or below it, of at most 1 GiB",
			Field: func(b *bulkTable) any { return &b.file }},
		{Name: "shape", Form: keytable.WordForm(KindNames()), Required: true,
			About: "the kind of solid in each row. It decides the columns: " + columnsDoc() + ". All may have color, r g b, value, material, name. A row uses at most one way to state a rotation or a surface",
			Field: func(b *bulkTable) any { return &b.shape }},
		{Name: "radius", Form: keytable.NumberForm(keytable.Sizes()),
			About: "radius of " + text.Series(withKey("radius"), "and") + ". This key and those below are the defaults for columns that the file lacks and for empty fields",
			Field: func(b *bulkTable) any { return &b.radius }},
		{Name: "half_extents", Form: keytable.VectorForm(keytable.Sizes()),
			About: "half the lengths of the edges of " + text.Series(withKey("half_extents"), "and"),
			Field: func(b *bulkTable) any { return &b.halfExtents }},
		{Name: "material", Form: keytable.ReferenceForm(),
			About: "the name of a material",
			Field: func(b *bulkTable) any { return &b.material }},
		{Name: "color", Form: keytable.ColorForm(), Unset: defaultColor,
			About: "instead of a material: the color of a matte surface",
			Field: func(b *bulkTable) any { return &b.color }},
	}, Rules: keytable.AtMostOne("material", "color")}
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
func later[T any](keys func() keytable.Keys[T]) func() keytable.Description {
	return func() keytable.Description { return keys() }
}

// formatForm is the form of the version of the format.
func formatForm() keytable.Form {
	return keytable.RawForm("int", func() *keytable.Schema { return &keytable.Schema{Enum: []any{formatVersion}} })
}

// fileKeys returns the keys of a scene file outside tables, and its tables.
var fileKeys = sync.OnceValue(func() keytable.Keys[rawFile] {
	one := func(name, python string, keys func() keytable.Description, field func(*rawFile) any) keytable.Key[rawFile] {
		return keytable.Key[rawFile]{Name: name, Form: keytable.RawForm(python, func() *keytable.Schema { return keytable.SchemaOf(keys()) }), Field: field}
	}
	named := func(python, about string, keys func() keytable.Description) keytable.Form {
		return keytable.RawForm(python, func() *keytable.Schema {
			return &keytable.Schema{Description: about, Type: "object", OtherKeys: keytable.SchemaOf(keys())}
		})
	}
	return keytable.Keys[rawFile]{List: []keytable.Key[rawFile]{
		{Name: "format", Form: formatForm(), Unset: formatVersion,
			About: "version of the format",
			Field: func(f *rawFile) any { return &f.format }},
		{Name: "include", Form: keytable.RawForm("Sequence[str]", func() *keytable.Schema { return keytable.ListOf("", keytable.Typed("string")) }),
			About: "files whose parts, materials and theme the scene may use, in its folder or below. They must not contain other tables",
			Field: func(f *rawFile) any { return &f.include }},
		{Name: "up", Form: keytable.SwitchForm("y", "z"), Unset: "y",
			About: "the axis that points up in the world. It decides whether an export to a format whose own up axis is fixed rotates the scene; it does not affect the picture, and the camera has an up vector of its own",
			Field: func(f *rawFile) any { return &f.zUp }},
		one("theme", "", later(themeKeys), func(f *rawFile) any { return &f.theme }),
		one("image", "Image", later(imageKeys), func(f *rawFile) any { return &f.image }),
		one("camera", "Camera", later(cameraKeys), func(f *rawFile) any { return &f.camera }),
		one("shading", "Shading", later(shadingKeys), func(f *rawFile) any { return &f.shading }),
		one("outline", "Outline", later(outlineKeys), func(f *rawFile) any { return &f.outline }),
		one("fog", "Fog", later(fogKeys), func(f *rawFile) any { return &f.fog }),
		{Name: "section", Form: keytable.RawForm("Section", func() *keytable.Schema { return keytable.ListOf("", &keytable.Schema{Ref: "#/definitions/section"}) }),
			About: "planes that cut solids, to look inside: at most 8, including those of placements",
			Field: func(f *rawFile) any { return &f.section }},
		one("overlaps", "Overlaps", later(overlapsKeys), func(f *rawFile) any { return &f.overlaps }),
		{Name: "material", Form: named("Material", "Surfaces by name: [material.NAME].", later(materialKeys)),
			Field: func(f *rawFile) any { return &f.material }},
		{Name: "part", Form: named("Part", "Sets of solids and lights by name, which placements copy: [part.NAME].", later(partKeys)),
			Field: func(f *rawFile) any { return &f.part }},
		one("animation", "Animation", later(animationKeys), func(f *rawFile) any { return &f.animation }),
		{Name: "animate", Form: keytable.RawForm("Animate", func() *keytable.Schema { return keytable.ListOf("", keytable.SchemaOf(animateKeys())) }),
			About: "keys whose values change over time",
			Field: func(f *rawFile) any { return &f.animate }},
		one("title", "Title", later(titleKeys), func(f *rawFile) any { return &f.title }),
		one("axes", "Axes", later(axesKeys), func(f *rawFile) any { return &f.axes }),
		one("scale_bar", "ScaleBar", later(scaleBarKeys), func(f *rawFile) any { return &f.scaleBar }),
		one("legend", "Legend", later(legendKeys), func(f *rawFile) any { return &f.legend }),
		one("colormap", "Colormap", later(colormapKeys), func(f *rawFile) any { return &f.colormap }),
	}}.With(keytable.Embedded(contentKeys("light"), func(f *rawFile) *partTable { return &f.partTable }))
})

func partKeys() keytable.Keys[partTable] {
	k := contentKeys("part_light")
	k.About = "A set of solids and lights with its own coordinates."
	k.List = append(k.List, keytable.Key[partTable]{
		Name: "section", Form: keytable.RawForm("", func() *keytable.Schema { return keytable.ListOf("", &keytable.Schema{Ref: "#/definitions/section"}) }),
		About: "planes that cut the solids of the part",
		Field: func(p *partTable) any { return &p.section },
	})
	return k
}

// contentKeys returns the tables that parts and the scene have in common. light is the name of the definition of the
// schema for their lights.
func contentKeys(light string) (all keytable.Keys[partTable]) {
	array := func(name, definition, about string, field func(*partTable) any) {
		form := keytable.RawForm("", func() *keytable.Schema {
			return keytable.ListOf("", &keytable.Schema{Ref: "#/definitions/" + definition})
		})
		all.List = append(all.List, keytable.Key[partTable]{Name: name, Form: form, About: about, Field: field})
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
func includedKeys() keytable.Keys[rawFile] {
	return fileKeys().Where(func(name string) bool { return slices.Contains([]string{"format", "material", "part", "theme"}, name) })
}

// vectorValue returns a vector as a value in a file.
func vectorValue(v geom.Vec3) any { return []any{v.X, v.Y, v.Z} }

// tablesByName returns all tables except those of the file itself and of parts, by their paths. It is the list for
// docs/scene.md, the Python package and the [[animate]] tables.
func tablesByName() map[string]keytable.Description {
	all := map[string]keytable.Description{
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

// rotation returns the rotation of a table with the given keys, in any of its forms, or the identity if the table has
// none.
func (r *turnTable) rotation(g keytable.RawTable) geom.Mat3 {
	switch {
	case g.Has("rotate"):
		return geom.RotationXYZ(geom.Angle(r.degrees.X), geom.Angle(r.degrees.Y), geom.Angle(r.degrees.Z))
	case g.Has("axis"):
		rotation, _ := geom.RotationAxis(r.axis, geom.Angle(r.angle))
		return rotation
	case g.Has("quaternion"):
		return r.quaternion
	case g.Has("axes"):
		return r.axes
	}
	return geom.Identity()
}

// valueConflict is the message for a value beside a color or material.
const valueConflict = keytable.Conflict + ": the value decides the color; remove one of the two"
