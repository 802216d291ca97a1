package mesh

import (
	"errors"
	"fmt"
	"path"

	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/internal/text"
	"pillbox/problem"
	"pillbox/shade"
)

// surface is what a mesh file states about the color of some of its polygons. At most one field is stated.
type surface struct {
	color    model.Color
	texture  string // a picture, relative to the mesh file
	material string // in one of the libraries of the mesh
}

// painted is a surface with the area of the polygons that have it.
type painted struct {
	surface
	area float64
}

// paint adds the area of a triangle to its surface.
func (b *builder) paint(p, q, r geom.Vec3) {
	if b.surface == (surface{}) {
		return
	}
	i, ok := b.surfaceAt[b.surface]
	if !ok {
		i = len(b.mesh.surfaces)
		b.mesh.surfaces = append(b.mesh.surfaces, painted{surface: b.surface})
		b.surfaceAt[b.surface] = i
	}
	b.mesh.surfaces[i].area += q.Sub(p).Cross(r.Sub(p)).Norm()
}

// Color returns the color of a mesh, or "" if the file of the mesh states none that can be read. The color of a mesh with
// several is their mean by area, in linear light. Notes state that, and which files could not be read, once for each file.
func (l *Library) Color(name string, m *Mesh, where problem.Error) model.Color {
	c, ok := l.colors[m.file]
	if !ok {
		if l.colors == nil {
			l.colors = make(map[string]model.Color)
		}
		c = l.meanOfSurfaces(name, m, where)
		l.colors[m.file] = c
	}
	return c
}

func (l *Library) meanOfSurfaces(name string, m *Mesh, where problem.Error) model.Color {
	var sum shade.Color
	var area float64
	colors := make(map[model.Color]bool)
	var problems surfaceProblems
	library := l.libraryOf(m)
	for _, s := range m.surfaces {
		c, err := l.colorOf(s.surface, m, library)
		if err != nil {
			problems.addProblem(c, err)
		}
		if c == "" || !(s.area > 0) {
			continue
		}
		colors[c] = true
		sum, area = sum.Add(linear(c).Scale(s.area)), area+s.area
	}
	for _, p := range problems {
		l.Scene.Account.NoteMany(p.noun, fmt.Sprintf("not shown: %s: %s", name, p.reason()), p.count, where)
	}
	if len(colors) > 1 {
		l.Scene.Account.Note("mesh", fmt.Sprintf("shown in the mean of its %d colors: %s", len(colors), name), where)
	}
	if area == 0 {
		return ""
	}
	return model.Linear(sum.R/area, sum.G/area, sum.B/area)
}

// surfaceProblems lists why surfaces of a mesh lack their colors or textures. Problems of a kind are one element.
type surfaceProblems []surfaceProblem

type surfaceProblem struct {
	noun    string
	missing bool // a material is missing
	first   string
	count   int
	differ  bool // the problems are not all the same
}

// addProblem adds the problem of a surface. The color in which the surface is shown all the same is "" if it has none.
func (all *surfaceProblems) addProblem(shown model.Color, err error) {
	var missing missingError
	p := surfaceProblem{noun: "color of a mesh", missing: errors.As(err, &missing), first: err.Error(), count: 1}
	if shown != "" {
		p.noun = "texture of a mesh"
	}
	for i := range *all {
		if q := &(*all)[i]; q.noun == p.noun && q.missing == p.missing {
			q.count++
			q.differ = q.differ || q.first != p.first
			return
		}
	}
	*all = append(*all, p)
}

// reason describes the problems.
func (p *surfaceProblem) reason() string {
	if p.differ {
		return p.first + " (this is the first of them)"
	}
	return p.first
}

// linear returns the linear light of a color.
func linear(c model.Color) shade.Color {
	x := c.Bytes()
	return shade.FromSRGB8(x[0], x[1], x[2])
}

// colorOf returns the color of a surface of a mesh, "" if it is unknown. If there is also an error, it is about a texture
// that the color replaces.
func (l *Library) colorOf(s surface, m *Mesh, library *library) (model.Color, error) {
	switch {
	case s.material != "":
		found, err := library.find(s.material)
		if err != nil {
			return "", err
		}
		return l.colorOfMaterial(found)
	case s.texture != "":
		c, err := l.Texture(path.Join(path.Dir(m.file), s.texture))
		if err != nil {
			return "", fmt.Errorf("%s %w", text.Shorten(s.texture), err)
		}
		return c, nil
	}
	return s.color, nil
}
