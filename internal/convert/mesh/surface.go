package mesh

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // textures
	_ "image/png"  // textures
	"io"
	"path"
	"strings"
	"unicode"

	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/internal/osfile"
	"pillbox/scene"
	"pillbox/shade"
)

// surface is what a mesh file states about the color of some of its polygons. At most one of color, texture and library is
// stated; names of files are relative to the mesh file.
type surface struct {
	color   model.Color
	texture string // a picture
	library string // a file of materials, which contains a material with the name
	name    string
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
// several is their mean by area, in linear light. Notes state that, and which files could not be read.
func (l *Library) Color(name string, m *Mesh, where scene.Error) model.Color {
	var sum shade.Color
	var area float64
	colors := make(map[model.Color]bool)
	for _, s := range m.surfaces {
		c, err := l.colorOf(s.surface, m.file)
		if err != nil {
			l.Scene.Account.Note("color of a mesh", fmt.Sprintf("not shown: %s: %v", name, err), where)
			continue
		}
		if c == "" || !(s.area > 0) {
			continue
		}
		colors[c] = true
		sum, area = sum.Add(linear(c).Scale(s.area)), area+s.area
	}
	if len(colors) > 1 {
		l.Scene.Account.Note("mesh", fmt.Sprintf("shown in the mean of its %d colors: %s", len(colors), name), where)
	}
	if area == 0 {
		return ""
	}
	return model.Linear(sum.R/area, sum.G/area, sum.B/area)
}

// linear returns the linear light of a color.
func linear(c model.Color) shade.Color {
	var r, g, b uint8
	fmt.Sscanf(string(c), "#%02x%02x%02x", &r, &g, &b)
	return shade.FromSRGB8(r, g, b)
}

// colorOf returns the color of a surface of the mesh in a file, "" if it is unknown.
func (l *Library) colorOf(s surface, file string) (model.Color, error) {
	switch {
	case s.library != "":
		library, err := l.materials(path.Join(path.Dir(file), s.library))
		if err != nil {
			return "", fmt.Errorf("%s %w", s.library, err)
		}
		found, ok := library[s.name]
		if !ok {
			return "", fmt.Errorf("%s has no material %q", s.library, s.name)
		}
		return l.colorOf(found, path.Join(path.Dir(file), s.library))
	case s.texture != "":
		c, err := l.Texture(path.Join(path.Dir(file), s.texture))
		if err != nil {
			return "", fmt.Errorf("%s %w", s.texture, err)
		}
		return c, nil
	}
	return s.color, nil
}

// maxTextureBytes is the largest size of a file with a texture.
const maxTextureBytes = 64 << 20

// Texture returns the mean color, in linear light, of the picture in the first candidate that exists. Transparent pixels
// count by their alpha. The error describes the problem without naming the file.
func (l *Library) Texture(candidates ...string) (model.Color, error) {
	file, err := l.find(candidates)
	if err != nil {
		return "", err
	}
	r, ok := l.textures[file]
	if !ok {
		r.color, r.err = l.readTexture(file)
		if l.textures == nil {
			l.textures = make(map[string]textureResult)
		}
		l.textures[file] = r
	}
	return r.color, r.err
}

// textureResult is the result of reading a texture.
type textureResult struct {
	color model.Color
	err   error
}

func (l *Library) readTexture(file string) (model.Color, error) {
	data, err := l.contents(file, maxTextureBytes)
	if err != nil {
		return "", err
	}
	img, _, err := osfile.Decode(bytes.NewReader(data), int64(len(data)))
	if errors.Is(err, image.ErrFormat) {
		return "", errors.New("is neither a PNG nor a JPEG")
	}
	if err != nil {
		return "", fmt.Errorf("cannot be read: %w", err)
	}
	c, ok := meanColor(img)
	if !ok {
		return "", errors.New("is transparent")
	}
	return c, nil
}

// contents returns the contents of a file in the source's folder, and adds its name to the files of the scene.
func (l *Library) contents(file string, most int64) ([]byte, error) {
	f, err := l.Source.Folder.Open(file)
	if err != nil {
		return nil, errors.New("cannot be opened")
	}
	defer f.Close()
	l.Scene.Files = append(l.Scene.Files, l.name(file))
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, errors.New("cannot be read")
	}
	if int64(len(data)) > most {
		return nil, fmt.Errorf("must have at most %d MiB", most>>20)
	}
	return data, nil
}

// meanColor returns the mean color of a picture in linear light. It returns false if all pixels are transparent. It adds
// integers, so that the result does not depend on the order of pixels.
func meanColor(img image.Image) (model.Color, bool) {
	var weights [3][256]uint64 // of the values of each channel: the sum of alpha
	var total uint64
	for bounds, y := img.Bounds(), img.Bounds().Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
			for k, v := range [...]uint8{c.R, c.G, c.B} {
				weights[k][v] += uint64(c.A)
			}
			total += uint64(c.A)
		}
	}
	if total == 0 {
		return "", false
	}
	var mean [3]float64
	for k := range mean {
		for v, w := range weights[k] {
			gray := shade.FromSRGB8(uint8(v), 0, 0).R
			mean[k] += float64(gray * (float64(w) / float64(total)))
		}
	}
	return model.Linear(mean[0], mean[1], mean[2]), true
}

// maxLibraryBytes is the largest size of a file with materials.
const maxLibraryBytes = 16 << 20

// materials returns the materials in a file in Wavefront's format, by name.
func (l *Library) materials(file string) (map[string]surface, error) {
	r, ok := l.libraries[file]
	if !ok {
		if l.libraries == nil {
			l.libraries = make(map[string]libraryResult)
		}
		r.materials, r.err = l.readMaterials(file)
		l.libraries[file] = r
	}
	return r.materials, r.err
}

// libraryResult is the result of reading a file of materials.
type libraryResult struct {
	materials map[string]surface
	err       error
}

func (l *Library) readMaterials(file string) (map[string]surface, error) {
	found, err := l.find([]string{file})
	if err != nil {
		return nil, err
	}
	text, err := l.contents(found, maxLibraryBytes)
	if err != nil {
		return nil, err
	}
	all := make(map[string]surface)
	name := ""
	for row := range rows(bytes.TrimPrefix(text, []byte("\ufeff"))) {
		words := bytes.Fields(row)
		if len(words) < 2 {
			continue
		}
		s := all[name]
		switch string(words[0]) {
		case "newmtl":
			name = rest(row)
			continue
		case "Kd":
			var rgb [3]float64
			for i := range rgb {
				if rgb[i], err = number(string(words[min(i+1, len(words)-1)])); err != nil {
					return nil, fmt.Errorf("has an invalid color %q", row)
				}
			}
			s.color = model.RGB(rgb[0], rgb[1], rgb[2])
		case "map_Kd":
			s.texture = slashes(string(words[len(words)-1])) // options come first
		}
		all[name] = s
	}
	return all, nil
}

// rest returns what follows the first word of a line, without the white space around it.
func rest(row []byte) string {
	row = bytes.TrimSpace(row)
	if i := bytes.IndexFunc(row, unicode.IsSpace); i >= 0 {
		return string(bytes.TrimSpace(row[i:]))
	}
	return ""
}

// slashes returns the name of a file with slashes, whatever system wrote it.
func slashes(name string) string { return strings.ReplaceAll(name, `\`, "/") }
