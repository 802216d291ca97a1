package mjcf

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pillbox/internal/convert/markup"
	"pillbox/internal/convert/mesh"
	"pillbox/internal/convert/model"
	"pillbox/internal/text"
	"pillbox/problem"
)

// rgb holds the channels of an sRGB color, 0 to 1.
type rgb [3]float64

func (c rgb) times(d rgb) rgb { return rgb{c[0] * d[0], c[1] * d[1], c[2] * d[2]} }

func (c rgb) color() model.Color { return model.RGB(c[0], c[1], c[2]) }

// texture is a texture that MuJoCo generates, or one from a file.
type texture struct {
	kind    string // cube, 2d or skybox
	builtin string // fromFile: a file, whose mean color is colors[0]
	colors  [2]rgb

	file       string   // the name of a file that is not read yet; "": none
	candidates []string // the paths at which it may be found
	problem    error    // why it was not read
}

// Values of texture.builtin for a texture whose file was read, and of a material without a texture.
const (
	fromFile  = "file"
	noTexture = "no texture"
)

// finish is a material of the file.
type finish struct {
	name        string
	color       rgb
	alpha       float64
	reflectance float64
	texture     texture
	repeat      float64 // of the texture: per unit of length if uniform, otherwise per object
	uniform     bool

	where  problem.Error // the material's position
	isUsed bool          // a geom has the material; its texture is read
}

// assets reads textures, materials, meshes and models.
func (r *reader) assets(section *markup.Element, in *includer, depth int) error {
	for _, textures := range [...]bool{true, false} { // materials may refer to later textures
		for _, e := range section.Children {
			if (e.Name == "texture") != textures {
				continue
			}
			if err := r.tolerate(r.asset(e, in, depth)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *reader) asset(e *markup.Element, in *includer, depth int) error {
	class, err := r.classes.of(e, "class", r.classes.main)
	if err != nil {
		return err
	}
	switch e.Name {
	case "texture":
		return r.texture(e)
	case "material":
		return r.material(tagged(e, class))
	case "mesh":
		return r.meshAsset(tagged(e, class))
	case "model":
		return r.model(e, in, depth)
	}
	return nil
}

func (r *reader) texture(e *markup.Element) (err error) {
	t := texture{colors: [2]rgb{{0.8, 0.8, 0.8}, {0.5, 0.5, 0.5}}}
	if t.kind, err = e.Word("type", "cube", "2d", "skybox"); err != nil {
		return err
	}
	if t.builtin, err = e.Word("builtin", "none", "gradient", "checker", "flat"); err != nil {
		return err
	}
	for i, attr := range [...]string{"rgb1", "rgb2"} {
		x, err := e.Floats(attr, 3, 3)
		if err != nil {
			return err
		}
		copy(t.colors[i][:], x)
	}
	if t.kind == "skybox" {
		if r.scene.Background == nil { // a background of the model takes precedence over those of attached models
			r.background(t)
		}
		return nil
	}
	name := e.Get("name")
	if name == "" {
		name = stem(e.Get("file"))
	}
	if t.builtin == "none" || t.builtin == "" {
		r.textureFile(e, &t)
	}
	r.textures[name] = t
	return nil
}

// textureFile sets the file of a texture. A cube that has a file for each side has the color of the first one.
func (r *reader) textureFile(e *markup.Element, t *texture) {
	for _, attr := range [...]string{"file", "fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"} {
		if t.file = e.Get(attr); t.file != "" {
			t.candidates = r.candidates(t.file, r.compiler.textureDir, r.compiler.stripPath, r.foldersOf(e))
			return
		}
	}
}

// read reads the mean color of the texture's file, if it has one.
func (t *texture) read(meshes *mesh.Library) {
	if t.file == "" {
		return
	}
	mean, err := meshes.Texture(t.candidates...)
	if err != nil {
		t.problem = fmt.Errorf("%s %w", t.file, err)
		return
	}
	t.builtin = fromFile
	for i, x := range mean.Bytes() {
		t.colors[0][i] = float64(x) / 0xff
	}
}

// background sets the scene's background to the colors of a skybox texture, if the texture is a gradient or a single
// color.
func (r *reader) background(t texture) {
	switch top, bottom := t.colors[0].color(), t.colors[1].color(); t.builtin {
	case "gradient":
		r.scene.Background = &model.Gradient{Top: top, Bottom: bottom}
	case "flat":
		r.scene.Background = &model.Gradient{Top: top, Bottom: top}
	}
}

func (r *reader) material(t tag) (err error) {
	name := t.Get("name")
	if name == "" {
		return t.Wrong("name", problem.CodeMissingKey, "is missing")
	}
	if _, there := r.finishes[name]; there {
		return t.Wrong("name", problem.CodeDuplicateName, "must be unique among materials")
	}
	f := &finish{name: name, where: t.Where()}
	rgba := [4]float64{1, 1, 1, 1}
	if err := t.numbers("rgba", 3, rgba[:]); err != nil {
		return err
	}
	f.color, f.alpha = rgb(rgba[:3]), rgba[3]
	if f.reflectance, err = t.float("reflectance", 0); err != nil {
		return err
	}
	f.reflectance = max(0, min(f.reflectance, 1))
	repeat := [2]float64{1, 1}
	if err := t.numbers("texrepeat", 1, repeat[:]); err != nil {
		return err
	}
	f.repeat = repeat[0]
	if f.uniform, err = t.is("texuniform", off); err != nil {
		return err
	}
	f.texture = r.textureOf(t)
	if r.has(name) {
		f.name = strings.TrimPrefix(r.root.Get("model")+"/"+name, "/")
	}
	r.finishes[name] = f
	r.scene.Materials = append(r.scene.Materials, model.Material{Name: f.name, Color: f.plain(f.color)})
	return nil
}

// textureOf returns the texture of a material: that of its attribute, or of its first layer for colors.
func (r *reader) textureOf(t tag) texture {
	name := t.get("texture")
	for _, layer := range t.Children {
		if role := layer.Get("role"); layer.Name == "layer" && name == "" && (role == "rgb" || role == "rgba") {
			name = layer.Get("texture")
		}
	}
	if name == "" {
		return texture{builtin: noTexture}
	}
	return r.textures[name]
}

// use reads the texture of a material when the first geom uses it. A note states what happens to textures that MuJoCo does
// not generate.
func (r *reader) use(f *finish) {
	if f.isUsed {
		return
	}
	f.isUsed = true
	f.texture.read(r.meshes)
	switch {
	case f.texture.builtin == fromFile:
		i := slices.IndexFunc(r.scene.Materials, func(m model.Material) bool { return m.Name == f.name })
		r.scene.Materials[i].Color = f.plain(f.color)
		r.scene.Account.Note("texture of a material", "shown as its mean color", f.where)
	case f.texture.problem != nil:
		r.scene.Account.Note("texture of a material", "not shown: "+f.texture.problem.Error(), f.where)
	case f.texture.builtin == "" || f.texture.builtin == "none":
		r.scene.Account.Note("texture of a material", "not shown: the material has one color", f.where)
	}
}

// has reports whether the scene has a material with a name.
func (r *reader) has(name string) bool {
	return slices.ContainsFunc(r.scene.Materials, func(m model.Material) bool { return m.Name == name })
}

// plain returns a single color for the material: the given color times the average color of the material's texture.
func (f *finish) plain(color rgb) model.Color {
	a, b := f.texture.colors[0], f.texture.colors[1]
	switch f.texture.builtin {
	case "flat", fromFile:
		color = color.times(a)
	case "checker", "gradient":
		color = color.times(rgb{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2})
	}
	return color.color()
}

// look describes the surface of a geom: its color or its material.
type look struct {
	finish    *finish // nil: no material
	color     rgb
	colored   bool // the geom has a color of its own, which takes precedence over the material's
	invisible bool
	alpha     float64 // 1 or more if it is opaque
}

// look reads the color and the material of a geom.
func (r *reader) look(t tag) (l look, err error) {
	const gray = 0.5 // the default color of a geom, which means that it has no color of its own
	rgba := [4]float64{gray, gray, gray, 1}
	if err := t.numbers("rgba", 3, rgba[:]); err != nil {
		return l, err
	}
	l.color, l.colored = rgb(rgba[:3]), rgba != [4]float64{gray, gray, gray, 1}
	alpha := rgba[3]
	if name := t.get("material"); name != "" {
		f, ok := r.finishes[name]
		if !ok {
			if err := r.unknownMaterial(t, name); err != nil {
				return l, err
			}
		} else {
			r.use(f)
			l.finish = f
			if !l.colored {
				l.color, alpha = f.color, f.alpha
			}
		}
	}
	l.invisible, l.alpha = alpha <= 0, alpha
	return l, nil
}

// unknownMaterial reports a material that the file does not define. If the reader is strict, this is an error. Otherwise it
// is a warning, once for each material, and the geom has no material.
func (r *reader) unknownMaterial(t tag, name string) error {
	unknown := t.source("material").Wrong("material", problem.CodeUnknownMaterial, "must be the name of a material")
	unknown.Suggestion = text.ClosestWord(name, slices.Sorted(maps.Keys(r.finishes)))
	if r.Strict {
		return unknown
	}
	if !r.unknown[name] {
		r.unknown[name] = true
		unknown.Message += " (shown without a material)"
		r.scene.Account.Warn(unknown)
	}
	return nil
}

// label returns the name, and the color or the material, of a solid whose geom has the look l.
func (r *reader) label(l look, name string) model.Label {
	x := model.Label{Name: name}
	if 0 < l.alpha && l.alpha < 1 {
		x.Ghost = l.alpha
	}
	switch {
	case l.finish == nil:
		x.Color = l.color.color()
	case l.colored:
		x.Color = l.finish.plain(l.color)
	default:
		x.Material = l.finish.name
	}
	return x
}

// paved returns the label for a plane. If the plane's texture is a checker, the label's material has a checker pattern.
func (r *reader) paved(p plane) model.Label {
	f := p.look.finish
	if f == nil || f.texture.builtin != "checker" || f.texture.kind != "2d" {
		return p.label
	}
	size := 1.0 // a texture contains two by two squares
	if f.repeat > 0 {
		size = 1 / f.repeat
	}
	if !f.uniform && p.size[0] > 0 && p.size[1] > 0 {
		size *= p.size[0]
	}
	m := model.Material{
		Name: f.name, Color: p.look.color.times(f.texture.colors[0]).color(),
		Checker: &model.Checker{Color: p.look.color.times(f.texture.colors[1]).color(), Size: max(1e-15, min(size, 1e15))},
	}
	p.label.Color = ""
	p.label.Material = r.checkered(m)
	return p.label
}

// checkered adds a material with a checker and returns its name. The name is m.Name and "checker", with a number if
// another material has this name. If an equal material was added before, checkered returns the name of that material.
func (r *reader) checkered(m model.Material) string {
	for i, base := 1, m.Name+" checker"; ; i++ {
		if m.Name = base; i > 1 {
			m.Name += " " + strconv.Itoa(i)
		}
		at := slices.IndexFunc(r.scene.Materials, func(other model.Material) bool { return other.Name == m.Name })
		if at < 0 {
			r.scene.Materials = append(r.scene.Materials, m)
			return m.Name
		}
		if old := r.scene.Materials[at]; old.Checker != nil && *old.Checker == *m.Checker && old.Color == m.Color && old.Mirror == m.Mirror {
			return m.Name
		}
	}
}
