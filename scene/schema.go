package scene

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pillbox/internal/text"
)

// Schema returns the JSON Schema of the scene format, for editors that complete and check scenes. It
// uses only what draft 4 and later drafts have in common, so that any tool can read it. [Decode] checks
// more, for example that names are unique.
func Schema() []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(fileSchema()); err != nil {
		panic(fmt.Sprintf("scene: encoding the schema: %v", err)) // cannot happen for plain values
	}
	return b.Bytes()
}

// fileSchema lists every table and key of the format with its meaning, valid values and default. The structs in raw.go
// have the same keys.
func fileSchema() *schema {
	about := fmt.Sprintf("A scene of %s. The file has at most %d MiB.", text.Series(plurals(), "and"), MaxBytes>>20)
	file := tableOf(about, properties{
		"format": (&schema{Enum: []any{formatVersion}}).doc("Version of the format.").or(formatVersion),
		"up":     oneOf(upAxes()...).doc("The axis that points up in the world. It decides whether an export to a format whose own up axis is fixed rotates the scene; it does not affect the picture, and the camera has an up vector of its own.").or(defaultUpAxis),

		"image": tableOf("The picture.", properties{
			"width":          integerIn(sides()).doc("Width in pixels. Width times height is at most 2^28.").or(defaultWidth),
			"height":         integerIn(sides()).doc("Height in pixels.").or(defaultHeight),
			"antialias":      integerIn(antialiases()).doc("n: n x n rays per pixel.").or(defaultAntialias),
			"antialias_mode": oneOf(antialiasModes()...).doc("Whether all pixels get n x n rays, or only those where the ray through the center is not enough.").or(defaultAntialiasMode),
			"background":     anyOf(colorForm(), oneOf(transparent), gradientForm()).doc("What rays see that hit no solid.").or(defaultBackground()),
		}),

		"camera": tableOf("Where the picture is taken from. A scene without a camera is framed automatically.", properties{
			"projection":  oneOf(projections()...).doc("Whether rays spread from the position or are parallel.").or(defaultProjection),
			"position":    vectorIn(coordinates()).doc("The eye; for an orthographic camera the center of the plane on which its parallel rays start."),
			"look_at":     vectorIn(coordinates()).doc("The point at the center of the picture. Must differ from position."),
			"up":          nonzero(3).doc("The vector that points up in the picture. Must not be parallel to the view.").or(defaultUp()),
			"fov":         numberIn(fovs()).doc("Vertical field of view of a perspective camera, in degrees.").or(defaultFOV),
			"view_height": numberIn(sizes()).doc("Height of the view of an orthographic camera, in scene units.").or(defaultViewHeight),
		}).requiring("position", "look_at"),

		"shading": tableOf("What all surfaces have in common.", properties{
			"ambient": anyOf(numberIn(fractions()), colorForm(), hemisphereForm()).doc("Light from all directions. A number is linear light, a color is sRGB.").or(defaultAmbient),
			"shadows": typed("boolean").doc("Whether solids cast shadows.").or(defaultShadows),
			"bounces": integerIn(bounces()).doc("The largest number of reflections of a ray.").or(defaultBounces),
			"samples": powersOfTwo(samples()).doc("How many points on each light with a size, and directions of ambient occlusion, are tested at each point of a surface if they are needed.").or(defaultSamples),
			"color":   oneOf(colorWords()...).doc("Whether light decides the colors, or each surface shows its own color everywhere, as in a line drawing: no lights, shadows or mirrors.").or(defaultShading),
			"occlusion": tableOf("Ambient occlusion: solids darken the ambient light of surfaces near them. The table may be empty.", properties{
				"distance": numberIn(sizes()).doc("How far from a surface solids darken it. Without it, solids at any distance do."),
			}),
		}),

		"outline": tableOf("Lines along the edges of the visible surfaces. The table may be empty.", properties{
			"width":       numberIn(outlineWidths()).doc("Width of the lines in pixels of a picture of the scene's own height. Half of a line lies on each side of the edge.").or(defaultOutline),
			"color":       colorForm().doc("Color of the lines.").or(defaultInk),
			"silhouettes": typed("boolean").doc("Whether lines follow the silhouettes: where a surface ends before the background or a more distant surface.").or(defaultFollows),
			"creases":     typed("boolean").doc("Whether lines follow the creases: the edges of boxes and cylinders.").or(defaultFollows),
			"contacts":    typed("boolean").doc("Whether lines follow the contacts: where the surfaces of two solids meet.").or(defaultFollows),
		}),

		"animation": tableOf("The frames of a film of the scene. Frame i shows the time i / fps.", properties{
			"duration": numberIn(durations()).doc("Length of the film in seconds."),
			"fps":      numberIn(rates()).doc("Frames per second.").or(DefaultFPS),
			"golden":   arrayOfSeconds().doc("Ascending seconds with at most 6 decimal places: golden check also compares the pictures at these times, as NAME@1.5.png."),
		}).requiring("duration"),

		"animate": listOf("Keys whose values change over time.", tableOf("", properties{
			"target": typed("string").doc("A path, a dot and a key, such as camera.position or walker/arm.rotate. The path is camera, shading, image, the name of a light, or that of a solid or placement as in messages; the prefix part.NAME/ means all copies of the part."),
			"times":  arrayOfSeconds().doc("Ascending seconds. The first value also holds before, the last one afterwards."),
			"values": (&schema{Type: "array", MinItems: 1}).doc("The key's values at these times. Between two times numbers, vectors, colors and quaternions are mixed."),
			"ease":   oneOf(eases()...).doc("How the value moves from one to the next.").or(defaultEase),
		}).requiring("target", "times", "values")),

		"overlaps": tableOf("Which solids may overlap or touch without a note from check.", properties{
			"allow": pairsOfPatterns().doc("Pairs of patterns of names, such as [\"arm*\", \"hand\"]: solids with such names may overlap or touch each other. * matches any characters except /, ? matches one."),
		}),

		"material": {
			Description: "Surfaces by name: [material.NAME].",
			Type:        "object",
			OtherKeys: tableOf("A named surface.", properties{
				"color":  colorForm().doc("Color of the matte part.").or(defaultColor),
				"mirror": numberIn(fractions()).doc("Weight of the mirror. The matte part has the weight 1 - mirror.").or(defaultMirror),
				"checker": tableOf("Squares on the faces of boxes, alternating between the color of the material and this one. Four squares meet at the center of each face.", properties{
					"color": colorForm().doc("Color of every other square."),
					"size":  numberIn(sizes()).doc("Length of the squares' edges."),
				}).requiring("color", "size"),
			}),
		},

		"title": tableOf("A text at the top or bottom of the picture.", properties{
			"text": captionForm().doc("The text; several lines are separated by \\n."),
			"side": oneOf(sideWords()...).doc("Where the title is.").or(defaultTitleSide),
		}.with(letteringForms(defaultTitleSize))).requiring("text"),

		"axes": tableOf("Arrows along the axes of the scene.", properties{
			"at":     vectorIn(coordinates()).doc("Where the axes start.").or(defaultOrigin()),
			"length": numberIn(sizes()).doc("Length of the axes, in scene units or, in a corner, in pixels.").or(defaultAxis),
			"corner": oneOf(cornerWords()...).doc("Puts the axes into a corner of the picture, where they show only directions. Requires length. Not together with at."),
			"texts":  arrayOfN(3, captionForm()).doc("Names of the axes.").or(defaultAxisTexts()),
			"hidden": hiddenForm(),
		}.with(letteringForms(defaultLettering)).with(properties{"color": colorForm().doc("Color of all axes. Without it, x is red, y green and z blue.")})).needing("corner", "length").excluding("corner", "at"),

		"scale_bar": tableOf("A line of a known length in the scene.", properties{
			"length": numberIn(sizes()).doc("Length of the bar in scene units."),
			"depth":  numberIn(sizes()).doc("Distance from the camera, along the view, at which the bar has its length. Required with a perspective camera."),
			"corner": oneOf(cornerWords()...).doc("Where the bar is.").or(defaultBarCorner),
		}.with(quantityForms()).with(letteringForms(defaultLettering))).requiring("length"),

		"legend": tableOf("A list of materials with their colors.", properties{
			"materials": listOf("Names of materials. Without it, all named materials of solids.", typed("string")),
			"texts":     listOf("Texts to show in place of the names of materials. Requires materials.", captionForm()),
			"corner":    oneOf(cornerWords()...).doc("Where the legend is.").or(defaultLegend),
		}.with(letteringForms(defaultLettering))).needing("texts", "materials"),

		"include": listOf("Files whose parts and materials the scene may use, in its folder or below. They must not contain other tables.", typed("string")),

		"part": {
			Description: "Sets of solids and lights by name, which placements copy: [part.NAME].",
			Type:        "object",
			OtherKeys:   tableOf("A set of solids and lights with its own coordinates.", contents("part_light")),
		},
	}.with(contents("light")))
	file.Schema = "http://json-schema.org/draft-04/schema#"
	file.Title = "Pillbox scene"
	file.Definitions = definitions()
	return file
}

// plurals returns the words for several solids of each kind, such as "spheres".
func plurals() (words []string) {
	for _, k := range Kinds() {
		words = append(words, k.Plural())
	}
	return words
}

// contents returns the schemas of the tables that both parts and the scene can have. lightName is the name of the
// definition of their lights: lights of the scene have keys that lights of parts lack.
func contents(lightName string) properties {
	all := properties{
		"light": arrayOf("A point light has a position, parallel light a direction, a spot light both and a cone. A scene without a light has one at the eye.", lightName),
		"place": arrayOf("Copies of parts.", "place"),
		"bulk":  arrayOf("Solids by the thousand, each a row of a CSV file. The other keys are the defaults for columns and fields that the file does not have.", "bulk"),
	}
	all["label"] = arrayOf("A text at a point, or on solids.", "label")
	all["dimension"] = arrayOf("A line with arrows and a length.", "dimension")
	for _, k := range Kinds() {
		all[k.String()] = arrayOf(k.row().traits().about, k.String())
	}
	return all
}

// definitions returns the schemas that others refer to.
func definitions() properties {
	all := properties{
		"color": {
			Description: `"#rgb", "#rrggbb", a CSS color name, or [r, g, b] with 0 to 1. Every color is sRGB.`,
			AnyOf: []*schema{
				oneOf(colorNames()...),
				{Type: "string", Pattern: "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"},
				vectorIn(fractions()),
			},
		},

		"light": lightForm().with(properties{
			"attach": oneOf(attachedToCamera).doc("The light moves with the camera. The axes of its position or direction point to the right and up in the picture, and toward the viewer; its position is relative to the camera's."),
		}),
		"part_light": lightForm(),

		"label": tableOf("", properties{
			"text":   captionForm().doc("The text; several lines are separated by \\n."),
			"at":     vectorIn(coordinates()).doc("The point that the label is at."),
			"on":     anyOf(typed("string"), listOf("", typed("string"))).doc("Name of the solid or placement that the label is on, or several names. The label is at the center of their bounds."),
			"offset": arrayOfN(2, numberIn(shifts())).doc("From the point to the text: pixels to the right and down.").or(defaultOffset()),
			"anchor": oneOf(anchorWords()...).doc("The point of the text's box that lies at the offset from the point.").or(defaultAnchor),
			"leader": typed("boolean").doc("Whether a line connects the text with the point.").or(defaultLeader),
			"hidden": hiddenForm(),
		}.with(letteringForms(defaultLettering))).requiring("text").exactly([]string{"at"}, []string{"on"}),

		"dimension": tableOf("", properties{
			"from":   vectorIn(coordinates()).doc("One end of the measured length."),
			"to":     vectorIn(coordinates()).doc("The other end."),
			"on":     typed("string").doc("Name of a solid to measure, instead of from and to."),
			"across": oneOf(acrossWords()...).doc("What to measure of the solid: the diameter of a sphere, the length or diameter of a capsule or cylinder, the x, y or z edge of a box."),
			"offset": vectorIn(coordinates()).doc("From the measured length to the line, in scene units.").or(defaultOrigin()),
			"text":   captionForm().doc("The text, in which {} stands for the length.").or(defaultPattern),
			"hidden": hiddenForm(),
		}.with(quantityForms()).with(letteringForms(defaultLettering))).exactly([]string{"from", "to"}, []string{"on"}).needing("across", "on"),

		"place": tableOf("", properties{
			"part":     typed("string").doc("Name of the part."),
			"name":     nameForm().doc("Prefix of the names of the solids: index/bone. Unique among the placements and solids of the same table."),
			"position": vectorIn(coordinates()).doc("Where the part's origin goes.").or(defaultOrigin()),
			"scale":    numberIn(sizes()).doc("Factor of all lengths of the part.").or(defaultScale),
			"material": typed("string").doc("Name of a material, for the part's solids that have neither material nor color. Not together with color."),
			"color":    colorForm().doc("Color of a matte surface, for the part's solids that have neither material nor color. Not together with material."),
			"count":    integerIn(counts()).doc("Number of copies.").or(defaultCount),
			"step": tableOf("The offset from each copy to the next: copy i is turned by i times angle about axis, through the origin of the enclosing scene or part, and then moved by i times position.", properties{
				"position": vectorIn(coordinates()).doc("How far the next copy is moved.").or(defaultOrigin()),
				"axis":     nonzero(3).doc("Axis of a rotation about the origin. Requires angle."),
				"angle":    numberIn(finite()).doc("Degrees about axis."),
			}).together("axis", "angle"),
		}.with(rotationForms("part's origin"))).turned().requiring("part").excluding("material", "color").needing("step", "count"),

		"bulk": tableOf("", properties{
			"file":         typed("string").doc("The file, in the scene's folder or below it, of at most 1 GiB."),
			"shape":        oneOf(KindNames()...).doc("The kind of solid in each row. It decides the columns: " + columnsDoc() + ". All may have color, r g b, material, name. A row uses at most one way to state a rotation or a surface."),
			"radius":       numberIn(sizes()).doc("Radius of " + text.Series(withKey("radius"), "and") + "."),
			"half_extents": vectorIn(sizes()).doc("Half the lengths of the edges of " + text.Series(withKey("half_extents"), "and") + "."),
			"material":     typed("string").doc("Name of a material. Not together with color."),
			"color":        colorForm().doc("Color of a matte surface. Not together with material.").or(defaultColor),
		}).requiring("file", "shape").excluding("material", "color"),
	}
	for _, k := range Kinds() {
		all[k.String()] = solid(k)
	}
	return all
}

// lightForm returns the keys that lights of the scene and of parts have in common.
func lightForm() *schema {
	return tableOf("", properties{
		"name":      nameForm().doc("A name for messages and reports. Unique among lights, solids and placements."),
		"position":  vectorIn(coordinates()).doc("Position of a point light or spot light."),
		"direction": nonzero(3).doc("The direction in which parallel light travels, or the axis of a spot light's cone."),
		"radius":    numberIn(lightRadii()).doc("Radius of the ball from which a point light or spot light shines: shadows have soft edges.").or(defaultLightRadius),
		"angle":     numberIn(lightAngles()).doc("The angle in degrees that a directional light covers in the sky: shadows have soft edges. That of the sun is 0.53.").or(defaultLightAngle),
		"cone":      numberIn(cones()).doc("Makes a spot light of a light with a position and a direction: the whole angle of its opening, in degrees."),
		"edge":      numberIn(edges()).doc("How many degrees inside its cone a spot light reaches its full strength. At most half of cone.").or(defaultEdge),
		"color":     colorForm().doc("Color of the light.").or(defaultLightColor),
		"intensity": numberIn(intensities()).doc("Factor of the color. Light does not weaken with distance.").or(defaultIntensity),
	}).exactly([]string{"position"}, []string{"direction"}, []string{"position", "direction", "cone"}).needing("edge", "cone").needing("radius", "position").excluding("angle", "position")
}

// captionForm returns the schema of a text that is drawn.
func captionForm() *schema { return &schema{Type: "string", MinLength: 1} }

func hiddenForm() *schema {
	return oneOf(hiddenWords()...).doc("How the parts that solids hide are drawn: as all others, with dashed lines, or not at all.").or(defaultHidden)
}

// letteringForms returns the keys for the size and the colors of texts.
func letteringForms(size float64) properties {
	return properties{
		"size":  numberIn(letterings()).doc("Size of the text in pixels of a picture of the scene's own height.").or(size),
		"color": colorForm().doc("Color of texts and lines.").or(defaultInk),
		"halo":  colorForm().doc("Color of a border around the letters. Without it, they have none."),
	}
}

// quantityForms returns the keys for the format of a length.
func quantityForms() properties {
	return properties{
		"factor": numberIn(sizes()).doc("Factor from scene units to the unit.").or(defaultFactor),
		"unit":   typed("string").doc("Unit to write after the number.").or(defaultUnit),
		"digits": integerIn(digits()).doc("Number of decimal places. Without it, up to 3, without zeros at the end."),
	}
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

// solid returns the schema of a kind of solids.
func solid(k Kind) *schema {
	own, required := properties{}, []string{}
	for _, m := range k.row().keys() {
		required = append(required, m.key)
		if own[m.key] = numberIn(m.limits).doc(m.about); m.isVector() {
			own[m.key] = vectorIn(m.limits).doc(m.about)
		}
	}
	maps.Copy(own, properties{
		"name":     nameForm().doc("A name for messages and reports. Unique."),
		"material": typed("string").doc("Name of a material. Not together with color."),
		"color":    colorForm().doc("Color of a matte surface. Not together with material.").or(defaultColor),
	})
	s := tableOf("", own).excluding("material", "color")
	if k.row().traits().turns {
		maps.Copy(own, rotationForms("center"))
		s.turned()
	}
	return s.requiring(required...)
}

// rotationForms returns the keys of a rotation about the named point.
func rotationForms(about string) properties {
	return properties{
		"rotate":     vectorIn(finite()).doc("Degrees about the x, then the y, then the z axis."),
		"axis":       nonzero(3).doc(fmt.Sprintf("Axis of a rotation about the %s. Requires angle.", about)),
		"angle":      numberIn(finite()).doc("Degrees about axis."),
		"quaternion": nonzero(4).doc("Rotation [w, x, y, z], of any length except zero."),
		"axes":       arrayOfN(3, vectorIn(finite())).doc("The turned x, y and z axes: unit vectors, perpendicular to each other. They may be left-handed."),
	}
}

// The method turned adds the rule that a solid has at most one form of a rotation.
func (s *schema) turned() *schema {
	s.together("axis", "angle")
	forms := []string{"rotate", "axis", "quaternion", "axes"}
	for i, a := range forms {
		for _, b := range forms[:i] {
			s.excluding(b, a)
		}
	}
	return s
}

func hemisphereForm() *schema {
	light := func() *schema { return anyOf(numberIn(fractions()), colorForm()) }
	return tableOf("Light that depends on the direction in which a surface faces.", properties{
		"top":    light().doc("On surfaces that face straight up.").or(defaultAmbient),
		"bottom": light().doc("On surfaces that face straight down.").or(defaultAmbient),
	})
}

func gradientForm() *schema {
	return tableOf("A gradient between straight up and straight down.", properties{
		"top":    colorForm().doc("Color straight up.").or(defaultTop),
		"bottom": colorForm().doc("Color straight down.").or(defaultBottom),
	})
}

func arrayOfSeconds() *schema { return &schema{Type: "array", Items: numberIn(moments()), MinItems: 1} }

func pairsOfPatterns() *schema {
	pair := &schema{Type: "array", Items: typed("string"), MinItems: 2, MaxItems: 2}
	return &schema{Type: "array", Items: pair, MaxItems: MaxAllowedOverlaps}
}

func colorForm() *schema { return &schema{Ref: "#/definitions/color"} }

func nameForm() *schema { return &schema{Type: "string", MinLength: 1} }

// schema is the subset of JSON Schema that the format needs.
type schema struct {
	Schema       string              `json:"$schema,omitempty"`
	Title        string              `json:"title,omitempty"`
	Description  string              `json:"description,omitempty"`
	Type         string              `json:"type,omitempty"`
	Default      any                 `json:"default,omitempty"`
	Enum         []any               `json:"enum,omitempty"`
	Pattern      string              `json:"pattern,omitempty"`
	MinLength    int                 `json:"minLength,omitempty"`
	Minimum      *float64            `json:"minimum,omitempty"`
	Maximum      *float64            `json:"maximum,omitempty"`
	MinItems     int                 `json:"minItems,omitempty"`
	MaxItems     int                 `json:"maxItems,omitempty"`
	Items        *schema             `json:"items,omitempty"`
	Properties   properties          `json:"properties,omitempty"`
	OtherKeys    any                 `json:"additionalProperties,omitempty"` // false or a *schema
	Required     []string            `json:"required,omitempty"`
	Dependencies map[string][]string `json:"dependencies,omitempty"`
	Not          *schema             `json:"not,omitempty"`
	AllOf        []*schema           `json:"allOf,omitempty"`
	AnyOf        []*schema           `json:"anyOf,omitempty"`
	OneOf        []*schema           `json:"oneOf,omitempty"`
	Ref          string              `json:"$ref,omitempty"`
	Definitions  properties          `json:"definitions,omitempty"`
}

type properties map[string]*schema

// The method with adds more properties to the schema.
func (s *schema) with(more properties) *schema {
	s.Properties.with(more)
	return s
}

// The method with adds more properties to p.
func (p properties) with(more properties) properties {
	maps.Copy(p, more)
	return p
}

// tableOf returns the schema of a table with only the given keys.
func tableOf(description string, p properties) *schema {
	return &schema{Description: description, Type: "object", Properties: p, OtherKeys: false}
}

// arrayOf returns the schema of an array whose elements have the named definition.
func arrayOf(description, definition string) *schema {
	return listOf(description, &schema{Ref: "#/definitions/" + definition})
}

func listOf(description string, item *schema) *schema {
	return &schema{Description: description, Type: "array", Items: item}
}

// doc adds a description.
func (s *schema) doc(description string) *schema {
	if s.Ref != "" {
		s = &schema{AllOf: []*schema{s}} // draft 4 ignores the keywords next to a $ref
	}
	s.Description = description
	return s
}

func typed(name string) *schema { return &schema{Type: name} }

func anyOf(forms ...*schema) *schema { return &schema{AnyOf: forms} }

func oneOf(words ...string) *schema {
	s := typed("string")
	for _, w := range words {
		s.Enum = append(s.Enum, w)
	}
	return s
}

func integerIn(l limits) *schema {
	s := numberIn(l)
	s.Type = "integer"
	return s
}

// powersOfTwo allows the powers of two from 1 to l.max. l must contain 1.
func powersOfTwo(l limits) *schema {
	s := typed("integer")
	for n := int64(1); l.contain(float64(n)); n *= 2 {
		s.Enum = append(s.Enum, n)
	}
	return s
}

func numberIn(l limits) *schema {
	s := typed("number")
	if l == finite() {
		return s // all numbers in JSON are finite
	}
	s.Minimum, s.Maximum = &l.min, &l.max
	if l.open {
		// The drafts disagree on exclusiveMinimum, so exclude the limits as values.
		s.Not = &schema{Enum: []any{l.min, l.max}}
	}
	return s
}

func vectorIn(l limits) *schema { return arrayOfN(3, numberIn(l)) }

func arrayOfN(n int, item *schema) *schema {
	return &schema{Type: "array", Items: item, MinItems: n, MaxItems: n}
}

// nonzero returns the schema of an array of n numbers that are not all 0.
func nonzero(n int) *schema {
	s := arrayOfN(n, numberIn(finite()))
	s.Not = &schema{Enum: []any{make([]float64, n)}}
	return s
}

// The method or sets the default of a key.
func (s *schema) or(v any) *schema {
	s.Default = v
	return s
}

func (s *schema) requiring(keys ...string) *schema {
	s.Required = keys
	return s
}

// The method exactly requires a table to have all keys of one of the sets, and none of the keys that only other sets
// have.
func (s *schema) exactly(sets ...[]string) *schema {
	for _, set := range sets {
		form := &schema{Required: set}
		for _, key := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(sets...)))) {
			if !slices.Contains(set, key) {
				form.excluding(key)
			}
		}
		s.OneOf = append(s.OneOf, form)
	}
	return s
}

// The method together requires that a table has both of two keys, or neither.
func (s *schema) together(a, b string) *schema {
	return s.needing(a, b).needing(b, a)
}

// The method needing requires that a table with the given key also has the key other.
func (s *schema) needing(key, other string) *schema {
	if s.Dependencies == nil {
		s.Dependencies = make(map[string][]string)
	}
	s.Dependencies[key] = []string{other}
	return s
}

// The method excluding forbids tables that have all of the given keys together.
func (s *schema) excluding(keys ...string) *schema {
	if s.Not == nil {
		s.Not = new(schema)
	}
	s.Not.AnyOf = append(s.Not.AnyOf, &schema{Required: keys})
	return s
}
