package mesh

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"pillbox/geom"
	"pillbox/internal/convert/fit"
	"pillbox/internal/convert/markup"
	"pillbox/problem"
)

// readDAE reads all geometry to which the scene of a COLLADA file refers. If the file has no scene, it reads all
// geometry in the file.
func readDAE(name string, text []byte) (*builder, error) {
	root, err := markup.Parse(name, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	if root.Name != "COLLADA" {
		return nil, root.Wrong("", problem.CodeUnknownValue, "must be <COLLADA>")
	}
	d := &dae{builder: newBuilder(), ids: make(map[string]*markup.Element)}
	d.collect(root)
	unit, err := d.unit(root)
	if err != nil {
		return nil, err
	}
	world := affine{linear: geom.Mat3{X: geom.Vec3{X: unit}, Y: geom.Vec3{Y: unit}, Z: geom.Vec3{Z: unit}}}
	if s := d.find(descend(root, "scene", "instance_visual_scene"), "url"); s != nil {
		return d.builder, d.nodes(s, world, 0)
	}
	for _, library := range children(root, "library_geometries") {
		for _, g := range children(library, "geometry") {
			if err := d.geometry(g, world); err != nil {
				return nil, err
			}
		}
	}
	return d.builder, nil
}

type dae struct {
	*builder
	ids     map[string]*markup.Element
	visited int                        // number of nodes
	bound   map[string]*markup.Element // materials of the current instance of a geometry, by symbol
}

// collect stores e and all elements in it by ID. If several have the same ID, it stores the first.
func (d *dae) collect(e *markup.Element) {
	if id := e.Get("id"); id != "" && d.ids[id] == nil {
		d.ids[id] = e
	}
	for _, c := range e.Children {
		d.collect(c)
	}
}

// find returns the element that an attribute of e refers to, or nil.
func (d *dae) find(e *markup.Element, attr string) *markup.Element {
	if e == nil {
		return nil
	}
	return d.ids[strings.TrimPrefix(e.Get(attr), "#")]
}

// unit returns the length in meters of the file's unit.
func (d *dae) unit(root *markup.Element) (float64, error) {
	e := descend(root, "asset", "unit")
	if e == nil {
		return 1, nil
	}
	text := e.Get("meter")
	if text == "" {
		return 1, nil
	}
	meter, err := parseLocalNumber(text)
	if err != nil || !geom.IsSize(meter) {
		return 0, e.Wrong("meter", problem.CodeOutOfRange, "must be from %g to %g", geom.MinSize, geom.MaxSize)
	}
	return meter, nil
}

// descend follows a path of element names, and takes the first match of each. If a name has no match, it returns nil.
func descend(e *markup.Element, names ...string) *markup.Element {
	for _, name := range names {
		if e == nil {
			return nil
		}
		e = e.Child(name)
	}
	return e
}

// children returns all children with a name.
func children(e *markup.Element, name string) (all []*markup.Element) {
	for _, c := range e.Children {
		if c.Name == name {
			all = append(all, c)
		}
	}
	return all
}

// Limits for scenes whose nodes instantiate others.
const (
	maxNodeDepth = 100
	maxNodes     = 100_000
)

// nodes adds the geometry of the nodes in e and of those that they instantiate.
func (d *dae) nodes(e *markup.Element, in affine, depth int) error {
	if d.visited++; depth > maxNodeDepth || d.visited > maxNodes {
		return e.Wrong("", problem.CodeTooDeep, "nodes must nest at most %d deep and be at most %d, those that are referred to counted each time", maxNodeDepth, maxNodes)
	}
	for _, c := range e.Children {
		switch c.Name {
		case "matrix", "translate", "rotate", "scale":
			t, err := transform(c)
			if err != nil {
				return err
			}
			in = in.then(t)
		}
	}
	for _, c := range e.Children {
		var err error
		switch c.Name {
		case "node":
			err = d.nodes(c, in, depth+1)
		case "instance_node":
			if n := d.find(c, "url"); n != nil {
				err = d.nodes(n, in, depth+1)
			}
		case "instance_geometry":
			if g := d.find(c, "url"); g != nil {
				d.bound = d.bindings(c)
				err = d.geometry(g, in)
			}
		case "instance_controller": // a skin or morph of a geometry
			d.bound = d.bindings(c)
			if g := d.find(skinned(d.find(c, "url")), "source"); g != nil {
				err = d.geometry(g, in)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// skinned returns the skin or the morph of a controller, or nil.
func skinned(controller *markup.Element) *markup.Element {
	if controller == nil {
		return nil
	}
	if s := controller.Child("skin"); s != nil {
		return s
	}
	return controller.Child("morph")
}

// affine is the map p -> linear p + offset.
type affine struct {
	linear geom.Mat3
	offset geom.Vec3
}

// The method then returns the map that first applies b to a point and afterwards applies a.
func (a affine) then(b affine) affine {
	return affine{a.linear.Mul(b.linear), a.apply(b.offset)}
}

func (a affine) apply(p geom.Vec3) geom.Vec3 { return a.linear.MulVec(p).Add(a.offset) }

// transform parses a transformation element of a node.
func transform(e *markup.Element) (affine, error) {
	want := map[string]int{"matrix": 16, "translate": 3, "rotate": 4, "scale": 3}[e.Name]
	x, err := floats(e)
	if err != nil {
		return affine{}, err
	}
	if len(x) != want {
		return affine{}, e.Wrong("", problem.CodeWrongLength, "must be %d numbers, got %d", want, len(x))
	}
	a := affine{linear: geom.Identity()}
	switch e.Name {
	case "matrix": // by rows
		a.linear = geom.Mat3{X: geom.Vec3{X: x[0], Y: x[4], Z: x[8]}, Y: geom.Vec3{X: x[1], Y: x[5], Z: x[9]}, Z: geom.Vec3{X: x[2], Y: x[6], Z: x[10]}}
		a.offset = geom.Vec3{X: x[3], Y: x[7], Z: x[11]}
	case "translate":
		a.offset = geom.Vec3{X: x[0], Y: x[1], Z: x[2]}
	case "rotate":
		if m, ok := geom.RotationAxis(geom.Vec3{X: x[0], Y: x[1], Z: x[2]}, geom.Angle(x[3])); ok {
			a.linear = m
		}
	case "scale":
		a.linear = geom.Mat3{X: geom.Vec3{X: x[0]}, Y: geom.Vec3{Y: x[1]}, Z: geom.Vec3{Z: x[2]}}
	}
	return a, nil
}

// floats parses the numbers in an element's text.
func floats(e *markup.Element) ([]float64, error) {
	words := strings.Fields(e.Text)
	all := make([]float64, len(words))
	for i, word := range words {
		x, err := parseLocalNumber(word)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, e.Wrong("", problem.CodeWrongType, "must be finite numbers, got %q", word)
		}
		all[i] = x
	}
	return all, nil
}

// integers parses the non-negative integers in an element's text.
func integers(e *markup.Element) ([]int, error) {
	words := strings.Fields(e.Text)
	all := make([]int, len(words))
	for i, word := range words {
		n, err := strconv.Atoi(word)
		if err != nil || n < 0 {
			return nil, e.Wrong("", problem.CodeWrongType, "must be whole numbers that are not negative, got %q", word)
		}
		all[i] = n
	}
	return all, nil
}

// geometry adds the polygons of a geometry element.
func (d *dae) geometry(g *markup.Element, in affine) error {
	m := g.Child("mesh")
	if m == nil {
		m = g.Child("convex_mesh")
	}
	if m == nil {
		for _, c := range g.Children {
			if c.Name == "spline" || c.Name == "brep" {
				d.skip(c.Name)
			}
		}
		return nil
	}
	if of := d.find(m, "convex_hull_of"); of != nil {
		return d.hull(of, in)
	}
	for _, c := range m.Children {
		switch c.Name {
		case "triangles", "polylist", "polygons", "trifans", "tristrips":
			if err := d.primitives(c, in); err != nil {
				return err
			}
		case "lines", "linestrips":
			d.skip("list of lines")
		}
	}
	return nil
}

// hull adds the convex hull of another geometry, which must not be a hull itself.
func (d *dae) hull(of *markup.Element, in affine) error {
	if m := of.Child("convex_mesh"); m != nil && m.Get("convex_hull_of") != "" {
		return m.Wrong("convex_hull_of", problem.CodeCycle, "must not be a hull of a hull")
	}
	solid := &dae{builder: newBuilder(), ids: d.ids, bound: d.bound}
	if err := solid.geometry(of, in); err != nil {
		return err
	}
	points := solid.mesh.Vertices
	d.surface = surface{}
	if len(solid.mesh.surfaces) > 0 {
		d.surface = solid.mesh.surfaces[0].surface
	}
	for _, t := range fit.ConvexHull(points) {
		if why := d.polygon([]geom.Vec3{points[t[0]], points[t[1]], points[t[2]]}); why != "" {
			return of.Wrong("", problem.CodeOutOfRange, "%s", why)
		}
	}
	return nil
}

// primitives adds the polygons of one element of a geometry.
func (d *dae) primitives(e *markup.Element, in affine) error {
	points, offset, stride, err := d.positions(e)
	if err != nil || stride == 0 {
		return err
	}
	for i := range points {
		points[i] = in.apply(points[i])
	}
	d.surface = d.surfaceOf(e)
	var corners []geom.Vec3
	add := func(indices []int) error {
		corners = corners[:0]
		for i := offset; i < len(indices); i += stride {
			if indices[i] >= len(points) {
				return e.Wrong("", problem.CodeOutOfRange, "vertex %d is missing: there are %d", indices[i], len(points))
			}
			corners = append(corners, points[indices[i]])
		}
		return d.faces(e, corners)
	}
	counts, err := sizes(e)
	if err != nil {
		return err
	}
	for _, list := range lists(e) {
		indices, err := integers(list)
		if err != nil {
			return err
		}
		for len(indices) > 0 {
			n := len(indices)
			switch {
			case e.Name == "triangles":
				n = 3 * stride
			case e.Name == "polylist":
				if len(counts) == 0 {
					return e.Wrong("", problem.CodeWrongLength, "<vcount> has fewer polygons than <p>")
				}
				n, counts = counts[0]*stride, counts[1:]
				if n == 0 {
					continue
				}
			}
			if n > len(indices) {
				return list.Wrong("", problem.CodeWrongLength, "ends within a polygon")
			}
			if err := add(indices[:n]); err != nil {
				return err
			}
			indices = indices[n:]
		}
	}
	return nil
}

// faces adds a polygon, a fan or a strip of triangles with the given corners.
func (d *dae) faces(e *markup.Element, corners []geom.Vec3) error {
	why := ""
	if e.Name == "tristrips" {
		for i := 2; i < len(corners) && why == ""; i++ {
			a, b := i-2+i%2, i-1-i%2 // every second triangle of a strip has the opposite orientation
			why = d.polygon([]geom.Vec3{corners[a], corners[b], corners[i]})
		}
	} else {
		why = d.polygon(corners)
	}
	if why != "" {
		return e.Wrong("", problem.CodeOutOfRange, "%s", why)
	}
	return nil
}

// sizes returns the numbers of corners of the polygons of a polylist, or nil for other elements.
func sizes(e *markup.Element) ([]int, error) {
	if v := e.Child("vcount"); v != nil {
		return integers(v)
	}
	return nil, nil
}

// lists returns the lists of indices of an element. It ignores holes in polygons.
func lists(e *markup.Element) []*markup.Element {
	all := children(e, "p")
	for _, ph := range children(e, "ph") {
		all = append(all, children(ph, "p")...)
	}
	return all
}

// positions returns the vertices that an element of polygons uses. The element's list has stride indices for each
// corner; the index at offset refers to a vertex. The stride is 0 if the element has no vertices.
func (d *dae) positions(e *markup.Element) (points []geom.Vec3, offset, stride int, err error) {
	var vertices *markup.Element
	for _, input := range children(e, "input") {
		at, err := strconv.Atoi(input.Get("offset"))
		if err != nil || at < 0 || at > 1000 {
			return nil, 0, 0, input.Wrong("offset", problem.CodeOutOfRange, "must be a whole number from 0 to 1000")
		}
		stride = max(stride, at+1)
		if input.Get("semantic") == "VERTEX" {
			vertices, offset = d.find(input, "source"), at
		}
	}
	if vertices == nil {
		return nil, 0, 0, nil
	}
	for _, input := range children(vertices, "input") {
		if input.Get("semantic") == "POSITION" {
			points, err = d.source(d.find(input, "source"))
			return points, offset, stride, err
		}
	}
	return nil, 0, 0, nil
}

// source returns the points of a source element.
func (d *dae) source(e *markup.Element) ([]geom.Vec3, error) {
	if e == nil || e.Child("float_array") == nil {
		return nil, nil
	}
	x, err := floats(e.Child("float_array"))
	if err != nil {
		return nil, err
	}
	step, start := 3, 0
	if a := descend(e, "technique_common", "accessor"); a != nil {
		if step, err = whole(a, "stride", 3); err == nil {
			start, err = whole(a, "offset", 0)
		}
		if err != nil {
			return nil, err
		}
	}
	var points []geom.Vec3
	for i := start; i+3 <= len(x); i += max(step, 3) {
		points = append(points, geom.Vec3{X: x[i], Y: x[i+1], Z: x[i+2]})
	}
	return points, nil
}

// whole parses an attribute that is an integer from 0 to 2^30. The parameter without is the result if the
// attribute does not exist.
func whole(e *markup.Element, attr string, without int) (int, error) {
	text, ok := e.Attr(attr)
	if !ok {
		return without, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > 1<<30 {
		return 0, e.Wrong(attr, problem.CodeOutOfRange, "must be a whole number that is not negative")
	}
	return n, nil
}
