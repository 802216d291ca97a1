// Package gltf writes scenes as binary glTF 2.0, which 3D editors and viewers open.
//
// Every solid is a node with the solid's name, at the top level or, if the scene is rotated, in the root node. Nodes
// share the meshes of a ball, half a ball, an open cylinder, a closed cylinder, and a cube, which have radius or half
// edge 1. A capsule is a node with three child nodes, because scaling a single mesh would deform its ends. (If its two
// ends coincide, it is a ball.)
//
// Conventions: coordinates and colors are those of the scene, right-handed and linear. In glTF y is up. If another axis is
// up in the scene's camera, a root node rotates the scene. The formats are specified in "glTF 2.0" and KHR_lights_punctual
// (Khronos Group, 2021 and 2018).
package gltf

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/lightspunctual"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes"
)

// MaxSolids is the maximum number of solids in a file: a file has at most 4 GiB, and the nodes of a capsule
// take up to 1 KiB.
const MaxSolids = 4_000_000

// Options control how a scene is written. The zero value is right for most programs.
type Options struct {
	// Blender multiplies the intensity of all lights by 683, because Blender's importer divides it by 683 lumens per
	// watt. Other programs then show the scene overexposed.
	Blender bool
}

// lumensPerWatt is the constant by which Blender's importer of glTF divides intensities in its standard lighting mode:
// the luminous efficacy of light of 540 THz (BIPM, definition of the candela).
const lumensPerWatt = 683

// Write writes s as one binary glTF file. It returns an error if s is not valid, or has more than [MaxSolids] solids or
// a degenerate camera. If writing fails, it returns the error, and w may have received part of the file. Write holds
// the whole file in memory. [Notes] lists what the file shows differently.
func Write(w io.Writer, s *scene.Scene, opt Options) error {
	if n := s.Objects.Len(); n > MaxSolids {
		return fmt.Errorf("a glTF file holds at most %d solids, and the scene has %d", MaxSolids, n)
	}
	if err := s.Validate(); err != nil {
		return err
	}
	if len(s.Sections) > 0 {
		return errors.New("glTF files cannot cut solids: remove the [[section]] tables to export the whole solids")
	}
	view, err := s.View(s.Image.Width, s.Image.Height)
	if err != nil {
		return err
	}
	b := newBuilder(s, opt)
	b.camera(view)
	b.lights(view)
	b.solids()
	b.turn()
	out := bufio.NewWriterSize(w, 1<<16) // stores the first write error, which the encoder drops
	if err := gltf.NewEncoder(out).Encode(b.doc); err != nil {
		return err
	}
	return out.Flush()
}

// Notes lists what a file shows differently from Pillbox, as sentences without a period.
func Notes(s *scene.Scene) []string {
	notes := []string{"glTF has no ambient light and no background; each viewer uses its own"}
	var mirrors, checkers, points, edges bool
	for i := range s.Objects.Len() {
		m := s.Objects.Material(i)
		mirrors = mirrors || m.Mirror > 0
		checkers = checkers || m.Checker != nil
	}
	for i := range s.Lights {
		points = points || !s.Lights[i].Directional
		edges = edges || s.Lights[i].IsSpot() && s.Lights[i].Cone.Edge > 0
	}
	if mirrors {
		notes = append(notes, "mirrors are written as smooth metal")
	}
	if checkers {
		notes = append(notes, "checkers are written as one color, the mean of both")
	}
	if points || len(s.Lights) == 0 {
		notes = append(notes, "the light of a point light or spot light falls off with distance; it has its full brightness at the center of the solids")
	}
	if slices.ContainsFunc(s.Lights, func(l scene.Light) bool { return l.HasSize() }) {
		notes = append(notes, "lights are written without their size, which glTF does not have: shadows are hard")
	}
	if slices.ContainsFunc(s.Lights, func(l scene.Light) bool { return l.Visible }) {
		notes = append(notes, "mirrors do not show lights, which are points in glTF")
	}
	if s.Objects.HasGhosts() {
		notes = append(notes, "viewers draw all surfaces of ghosts, also those inside")
	}
	if s.Outline != nil {
		notes = append(notes, "the lines of the outline are not exported")
	}
	if s.Fog != nil {
		notes = append(notes, "fog is not exported")
	}
	if s.Shading.Flat {
		notes = append(notes, "flat colors are not exported: viewers light the solids")
	}
	if s.Shading.Occlusion.Enabled {
		notes = append(notes, "glTF has no ambient occlusion between solids")
	}
	if edges {
		notes = append(notes, "spot lights have the same edges, but viewers let them fall off along another curve")
	}
	return notes
}

// builder builds the glTF document of a scene.
type builder struct {
	Options
	scene     *scene.Scene
	doc       *gltf.Document
	center    geom.Vec3 // center of a sphere around all solids
	radius    float64
	shapes    map[form]*gltf.Primitive // without materials
	meshes    map[look]int
	materials map[shade.Surface]int
	names     map[shade.Surface]string
}

// look identifies a mesh: a form, such as a ball, with a material.
type look struct {
	form    form
	surface shade.Surface
}

func newBuilder(s *scene.Scene, opt Options) *builder {
	b := &builder{
		Options: opt, scene: s, doc: gltf.NewDocument(),
		shapes:    make(map[form]*gltf.Primitive),
		meshes:    make(map[look]int),
		materials: make(map[shade.Surface]int),
		names:     make(map[shade.Surface]string),
	}
	b.doc.Asset.Generator = "Pillbox"
	b.doc.Scenes[0].Name = "scene"
	b.center, b.radius = s.BoundingSphere()
	for _, m := range s.Materials {
		if b.names[m.Surface()] == "" { // of equal materials, the first one has the name
			b.names[m.Surface()] = m.Name
		}
	}
	return b
}

// The method node adds a node to the document and returns its index.
func (b *builder) node(n gltf.Node) int {
	b.doc.Nodes = append(b.doc.Nodes, &n)
	return len(b.doc.Nodes) - 1
}

// The method top adds a node at the top level.
func (b *builder) top(n gltf.Node) {
	i := b.node(n)
	b.doc.Scenes[0].Nodes = append(b.doc.Scenes[0].Nodes, i)
}

// The method turn rotates the scene so that its up direction becomes y, as in glTF. This is z if the scene says so,
// otherwise the up direction of the camera. The method does nothing if that direction is y already, or lies along no
// axis.
func (b *builder) turn() {
	up := b.scene.CameraFor(b.scene.Image.Width, b.scene.Image.Height).Up
	if b.scene.ZUp {
		up = geom.Vec3{Z: 1}
	}
	half := math.Sqrt(0.5)
	var rotation [4]float64 // x, y, z, w
	switch up, _ := geom.Direction(up); up {
	case geom.Vec3{Z: 1}:
		rotation = [4]float64{-half, 0, 0, half}
	case geom.Vec3{Z: -1}:
		rotation = [4]float64{half, 0, 0, half}
	case geom.Vec3{X: 1}:
		rotation = [4]float64{0, 0, half, half}
	case geom.Vec3{X: -1}:
		rotation = [4]float64{0, 0, -half, half}
	case geom.Vec3{Y: -1}:
		rotation = [4]float64{1, 0, 0, 0}
	default:
		return
	}
	root := b.node(gltf.Node{Name: "y up", Rotation: rotation, Children: b.doc.Scenes[0].Nodes})
	b.doc.Scenes[0].Nodes = []int{root}
}

func (b *builder) camera(view *camera.View) {
	image := b.scene.Image
	c := b.scene.CameraFor(image.Width, image.Height)
	aspect := float64(image.Width) / float64(image.Height)
	distance := view.Position().Sub(b.center).Norm()
	near := max((distance-b.radius)/2, b.radius/1000)
	far := 2*distance + 2*b.radius
	camera := &gltf.Camera{Name: "camera"}
	if view.Parallel() {
		camera.Orthographic = &gltf.Orthographic{Xmag: c.ViewHeight / 2 * aspect, Ymag: c.ViewHeight / 2, Zfar: far}
	} else {
		camera.Perspective = &gltf.Perspective{AspectRatio: &aspect, Yfov: c.FOV.Degrees() * (math.Pi / 180), Znear: near, Zfar: &far}
	}
	b.doc.Cameras = []*gltf.Camera{camera}
	b.top(gltf.Node{Name: "camera", Camera: gltf.Index(0), Translation: array(view.Position()), Rotation: quaternion(view.Axes())})
}

// lights writes the lights so that a white surface that faces a light is as bright as in Pillbox. In glTF, diffuse surfaces
// reflect albedo / pi of the irradiance, so strengths are multiplied by pi. In glTF, the light of a point light also
// decreases with the square of the distance, so it can be right only at one distance. This is the distance from the light
// to the center of the solids, but at least half the radius of the sphere around all solids.
func (b *builder) lights(view *camera.View) {
	var all lightspunctual.Lights
	for i, l := range b.scene.PlacedLights(view) {
		strength := l.Strength()
		brightest := max(strength.R, strength.G, strength.B)
		color := [3]float64{1, 1, 1}
		if brightest > 0 {
			color = [3]float64{strength.R / brightest, strength.G / brightest, strength.B / brightest}
		}
		intensity := math.Pi * brightest
		if b.Blender {
			intensity *= lumensPerWatt
		}
		light := &lightspunctual.Light{Type: lightspunctual.TypeDirectional, Color: &color, Intensity: &intensity}
		node := gltf.Node{Name: "light", Extensions: lightsExtension("light", i)}
		if i < len(b.scene.Lights) && b.scene.Lights[i].Name != "" {
			node.Name = b.scene.Lights[i].Name
		}
		light.Name = node.Name
		if l.Directional || l.IsSpot() {
			node.Rotation = quaternion(axesTo(l.Direction.Neg()))
		}
		if !l.Directional {
			distance := max(l.Position.Sub(b.center).Norm(), b.radius/2)
			light.Type = lightspunctual.TypePoint
			intensity *= distance * distance
			node.Translation = array(l.Position)
		}
		if l.IsSpot() {
			light.Type, light.Spot = lightspunctual.TypeSpot, spot(l.Cone)
		}
		all = append(all, light)
		b.top(node)
	}
	b.doc.Extensions = lightsExtension("lights", all)
	b.doc.ExtensionsUsed = []string{lightspunctual.ExtensionName}
}

// spot converts the cone of a spot light to glTF's inner and outer angle, measured from the axis in radians. In glTF, the
// inner angle must be less than the outer one. So a cone without a soft edge gets an edge of a millionth of its angle.
func spot(c shade.Cone) *lightspunctual.Spot {
	half := c.Angle.Degrees() / 2
	outer := half * (math.Pi / 180)
	inner := min(half-c.Edge.Degrees(), half*(1-1e-6)) * (math.Pi / 180)
	return &lightspunctual.Spot{InnerConeAngle: inner, OuterConeAngle: &outer}
}

// lightsExtension returns an entry for glTF's lights extension, an object with one key. The library can read this
// extension, but not write it.
func lightsExtension(key string, value any) gltf.Extensions {
	return gltf.Extensions{lightspunctual.ExtensionName: map[string]any{key: value}}
}

func (b *builder) solids() {
	for number := range b.scene.Objects.Len() {
		o := b.scene.Objects.Of(number)
		switch x := b.scene.Solid(number).(type) {
		case *shapes.Sphere:
			b.sphere(*x, o)
		case *shapes.Capsule:
			b.capsule(*x, o)
		case *shapes.Box:
			b.top(gltf.Node{Name: o.Name, Mesh: b.mesh(cube, o), Translation: array(x.Center), Rotation: quaternion(x.Rotation), Scale: array(x.HalfExtents)})
		case *shapes.Cylinder:
			b.cylinder(x, o)
		}
	}
}

func (b *builder) sphere(x shapes.Sphere, o scene.Object) {
	b.top(gltf.Node{Name: o.Name, Mesh: b.mesh(ball, o), Translation: array(x.Center), Scale: uniform(x.Radius)})
}

// capsule writes a node whose y axis is that of the capsule, with child nodes for its body and its ends. If the
// ends coincide, it writes a ball.
func (b *builder) capsule(x shapes.Capsule, o scene.Object) {
	half := x.B.Sub(x.A).Scale(0.5)
	axis, ok := geom.Direction(half)
	if !ok {
		b.sphere(shapes.Sphere{Center: x.A, Radius: x.Radius}, o)
		return
	}
	long := half.Norm()
	end, flipped := b.mesh(halfBall, o), [4]float64{1, 0, 0, 0} // rotation by half a turn about x
	body := b.node(gltf.Node{Mesh: b.mesh(cylinder, o), Scale: [3]float64{x.Radius, long, x.Radius}})
	far := b.node(gltf.Node{Mesh: end, Translation: [3]float64{0, long, 0}, Scale: uniform(x.Radius)})
	near := b.node(gltf.Node{Mesh: end, Translation: [3]float64{0, -long, 0}, Rotation: flipped, Scale: uniform(x.Radius)})
	b.top(gltf.Node{Name: o.Name, Children: []int{body, far, near}, Translation: array(x.A.Add(half)), Rotation: quaternion(turnedTo(axis))})
}

// cylinder writes a node whose y axis is that of the cylinder.
func (b *builder) cylinder(x *shapes.Cylinder, o scene.Object) {
	half := x.B.Sub(x.A).Scale(0.5)
	b.top(gltf.Node{Name: o.Name, Mesh: b.mesh(closedCylinder, o), Translation: array(x.A.Add(half)), Rotation: quaternion(turnedTo(half.Unit())),
		Scale: [3]float64{x.Radius, half.Norm(), x.Radius}})
}

// mesh returns the index of the mesh for a form with an object's material.
func (b *builder) mesh(f form, o scene.Object) *int {
	l := look{f, o.Material.Surface()}
	i, ok := b.meshes[l]
	if !ok {
		if b.shapes[f] == nil {
			b.shapes[f] = f.primitive(b.doc, steps(b.scene.Objects.Len()))
		}
		p := *b.shapes[f]
		p.Material = gltf.Index(b.material(o))
		i = len(b.doc.Meshes)
		b.doc.Meshes = append(b.doc.Meshes, &gltf.Mesh{Name: f.String(), Primitives: []*gltf.Primitive{&p}})
		b.meshes[l] = i
	}
	return gltf.Index(i)
}

// material returns the index of an object's material. Matte materials have roughness 1 and metalness 0. The weight of a
// mirror becomes its metalness, and 1 minus the weight its roughness. The share of a ghost becomes its alpha.
func (b *builder) material(o scene.Object) int {
	m := &o.Material
	i, ok := b.materials[m.Surface()]
	if !ok {
		c := m.Albedo
		if m.Checker != nil {
			c = c.Mix(m.Checker.Albedo, 0.5)
		}
		alpha := 1.0
		if m.Ghost != nil {
			alpha = m.Ghost.Share
		}
		i = len(b.doc.Materials)
		b.doc.Materials = append(b.doc.Materials, &gltf.Material{
			Name: b.names[m.Surface()],
			PBRMetallicRoughness: &gltf.PBRMetallicRoughness{
				BaseColorFactor: &[4]float64{c.R, c.G, c.B, alpha},
				MetallicFactor:  gltf.Float(m.Mirror),
				RoughnessFactor: gltf.Float(1 - m.Mirror),
			},
		})
		if m.Ghost != nil {
			b.doc.Materials[i].AlphaMode = gltf.AlphaBlend
		}
		b.materials[m.Surface()] = i
	}
	return i
}

func array(v geom.Vec3) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

func uniform(x float64) [3]float64 { return [3]float64{x, x, x} }

// axesTo returns axes whose z is a given direction.
func axesTo(z geom.Vec3) geom.Mat3 {
	side := geom.Vec3{X: 1}
	if math.Abs(z.X) > 0.5 {
		side = geom.Vec3{Y: 1}
	}
	x := side.Cross(z).Unit()
	return geom.Mat3{X: x, Y: z.Cross(x), Z: z}
}

// turnedTo returns a rotation from the y axis to a direction.
func turnedTo(y geom.Vec3) geom.Mat3 {
	axes := axesTo(y)
	return geom.Mat3{X: axes.Y, Y: axes.Z, Z: axes.X}
}

// quaternion converts a rotation to a unit quaternion x, y, z, w. Of the four possible formulas, it uses the formula
// that computes the component of the largest magnitude first, because this loses the least precision. Source: S. W.
// Shepperd, "Quaternion from Rotation Matrix", Journal of Guidance and Control 1 (1978).
func quaternion(m geom.Mat3) [4]float64 {
	x, y, z := m.X, m.Y, m.Z
	trace := x.X + y.Y + z.Z
	var q [4]float64
	switch max(trace, x.X, y.Y, z.Z) {
	case trace:
		q = [4]float64{y.Z - z.Y, z.X - x.Z, x.Y - y.X, 1 + trace}
	case x.X:
		q = [4]float64{1 + 2*x.X - trace, x.Y + y.X, x.Z + z.X, y.Z - z.Y}
	case y.Y:
		q = [4]float64{x.Y + y.X, 1 + 2*y.Y - trace, y.Z + z.Y, z.X - x.Z}
	default:
		q = [4]float64{x.Z + z.X, y.Z + z.Y, 1 + 2*z.Z - trace, x.Y - y.X}
	}
	length := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3])
	for i := range q {
		q[i] /= length
	}
	return q
}
