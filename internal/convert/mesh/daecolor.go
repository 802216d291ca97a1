package mesh

import (
	"net/url"
	"strings"

	"pillbox/internal/convert/markup"
	"pillbox/internal/convert/model"
)

// bindings returns the materials that an instance of a geometry gives to the symbols of its polygons.
func (d *dae) bindings(instance *markup.Element) map[string]*markup.Element {
	bound := make(map[string]*markup.Element)
	if common := descend(instance, "bind_material", "technique_common"); common != nil {
		for _, m := range children(common, "instance_material") {
			bound[m.Get("symbol")] = d.find(m, "target")
		}
	}
	return bound
}

// surfaceOf returns the surface of polygons. A symbol that the instance does not bind is taken for the ID of a material.
func (d *dae) surfaceOf(polygons *markup.Element) surface {
	symbol := polygons.Get("material")
	material, ok := d.bound[symbol]
	if !ok && symbol != "" {
		material = d.ids[symbol]
	}
	if material == nil || material.Name != "material" {
		return surface{}
	}
	profile := descend(d.find(material.Child("instance_effect"), "url"), "profile_COMMON")
	technique := descend(profile, "technique")
	if technique == nil {
		return surface{}
	}
	for _, model := range [...]struct{ name, channel string }{{"phong", "diffuse"}, {"lambert", "diffuse"}, {"blinn", "diffuse"}, {"constant", "emission"}} {
		if channel := descend(technique, model.name, model.channel); channel != nil {
			return d.channel(profile, channel)
		}
	}
	return surface{}
}

// channel returns the color or the texture of a channel of an effect.
func (d *dae) channel(profile, channel *markup.Element) surface {
	if c := channel.Child("color"); c != nil {
		if x, err := floats(c); err == nil && len(x) >= 3 {
			return surface{color: model.RGB(x[0], x[1], x[2])}
		}
		return surface{}
	}
	if t := channel.Child("texture"); t != nil {
		return surface{texture: d.picture(profile, t.Get("texture"))}
	}
	return surface{}
}

// picture returns the file of a texture. The name is that of a sampler, whose surface names an image; some files name the
// image directly. The result is "" if there is no such file.
func (d *dae) picture(profile *markup.Element, name string) string {
	if e := descend(parameter(profile, name), "sampler2D"); e != nil {
		switch {
		case e.Child("source") != nil:
			name = trimmed(e.Child("source"))
		case e.Child("instance_image") != nil: // COLLADA 1.5
			name = strings.TrimPrefix(e.Child("instance_image").Get("url"), "#")
		}
	}
	if e := descend(parameter(profile, name), "surface", "init_from"); e != nil {
		name = trimmed(e)
	}
	from := descend(d.ids[name], "init_from")
	if from == nil {
		return ""
	}
	file := trimmed(from)
	if ref := from.Child("ref"); ref != nil { // COLLADA 1.5
		file = trimmed(ref)
	}
	if plain, err := url.PathUnescape(file); err == nil {
		file = plain
	}
	file, _ = cutFile(file)
	return slashes(file)
}

// parameter returns the parameter of an effect with a name, or nil.
func parameter(profile *markup.Element, name string) *markup.Element {
	for _, p := range children(profile, "newparam") {
		if p.Get("sid") == name {
			return p
		}
	}
	return nil
}

func trimmed(e *markup.Element) string { return strings.TrimSpace(e.Text) }
