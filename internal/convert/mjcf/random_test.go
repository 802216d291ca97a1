package mjcf_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"pillbox/geom"
)

// generator generates random models that MuJoCo can read, with bodies, joints, geoms, default classes, frames,
// replicated elements and keyframes. The same seed gives the same model.
type generator struct {
	*rand.Rand
	strings.Builder
	degrees bool
	names   int
	qpos    []float64
	mpos    []float64
	mrot    []float64
	times   int  // how often the current elements are replicated
	copies  bool // whether anything was replicated
	free    int  // how many more joints the body may have
}

// example is a model with rays and joint positions.
type example struct {
	text     string
	keyframe bool // the positions come from a keyframe; otherwise from qpos, if any
	qpos     []float64
	rays     [][2]geom.Vec3 // origins and unit directions
}

func makeExample(seed uint64, rays int) example {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 81)), times: 1}
	g.degrees = g.IntN(2) == 0
	angle := "radian"
	if g.degrees {
		angle = "degree"
	}
	letters := []string{"x", "y", "z", "X", "Y", "Z"}
	sequence := letters[g.IntN(6)] + letters[g.IntN(6)] + letters[g.IntN(6)]
	fmt.Fprintf(g, "<mujoco model='m%d'>\n<compiler angle='%s' eulerseq='%s'/>\n", seed, angle, sequence)
	g.defaults()
	g.WriteString("<worldbody>\n")
	if g.IntN(2) == 0 {
		size := "0 0 1"
		if g.IntN(2) == 0 {
			size = "2.5 3 0.1"
		}
		fmt.Fprintf(g, "<geom type='plane' size='%s' pos='0 0 -2.5' axisangle='0 0 1 %s' group='0'/>\n", size, g.angle())
	}
	g.WriteString("<geom type='sphere' size='0.2' group='1'/>\n")
	g.contents(2)
	for range 1 + g.IntN(3) {
		g.body(3)
	}
	g.WriteString("</worldbody>\n")
	e := example{keyframe: !g.copies && g.IntN(2) == 0} // MuJoCo does not support keyframes of replicated bodies
	if g.IntN(3) > 0 {
		e.qpos = g.qpos
	}
	if e.keyframe {
		e.qpos = g.qpos
		fmt.Fprintf(g, "<keyframe><key name='other'/><key name='here' qpos='%s' mpos='%s' mquat='%s'/></keyframe>\n", numbers(g.qpos...), numbers(g.mpos...), numbers(g.mrot...))
	}
	g.WriteString("</mujoco>\n")
	e.text = g.String()
	for len(e.rays) < rays {
		o := g.vector().Scale(3)
		to := g.vector().Scale(1.2)
		if d, ok := geom.Direction(to.Sub(o)); ok && o.Z > -2.4 {
			e.rays = append(e.rays, [2]geom.Vec3{o, d})
		}
	}
	return e
}

func (g *generator) vector() geom.Vec3 {
	return geom.Vec3{X: g.NormFloat64(), Y: g.NormFloat64(), Z: g.NormFloat64()}
}

// numbers formats numbers exactly.
func numbers(x ...float64) string {
	var texts []string
	for _, x := range x {
		texts = append(texts, fmt.Sprint(x))
	}
	return strings.Join(texts, " ")
}

func (g *generator) vectorText(scale float64) string {
	v := g.vector().Scale(scale)
	return numbers(round3(v.X), round3(v.Y), round3(v.Z))
}

func round3(x float64) float64 { return math.Round(x*1000) / 1000 }

func (g *generator) angle() string {
	turn := g.Float64()*2 - 1
	if g.degrees {
		return numbers(round3(turn * 180))
	}
	return numbers(round3(turn * math.Pi))
}

// defaults writes the default classes a, b and c. Class b is inside class a.
func (g *generator) defaults() {
	first := true
	geom := func() string {
		text := "<geom"
		if first || g.IntN(2) == 0 { // the class main has all sizes
			text += fmt.Sprintf(" size='%s'", g.sizes(first))
			first = false
		}
		if g.IntN(2) == 0 {
			text += fmt.Sprintf(" type='%s'", []string{"sphere", "capsule", "box"}[g.IntN(3)])
		}
		if g.IntN(4) == 0 {
			text += g.orientation()
		}
		if g.IntN(4) == 0 {
			text += fmt.Sprintf(" group='%d'", g.IntN(6))
		}
		return text + "/>"
	}
	joint := func() string {
		text := "<joint"
		if g.IntN(2) == 0 {
			text += fmt.Sprintf(" axis='%s'", g.vectorText(1))
		}
		if g.IntN(2) == 0 {
			text += fmt.Sprintf(" pos='%s'", g.vectorText(0.3))
		}
		return text + "/>"
	}
	fmt.Fprintf(g, "<default>%s\n  <default class='a'>%s%s\n    <default class='b'>%s</default>\n  </default>\n  <default class='c'>%s</default>\n</default>\n",
		geom(), geom(), joint(), geom(), joint())
}

// sizes returns three random sizes. If all is false, it returns only the first one, two or three of them.
func (g *generator) sizes(all bool) string {
	s := []float64{0.3, 0.2, 0.4}
	for i := range s {
		s[i] = round3(0.1 + 0.4*g.Float64())
	}
	if !all {
		s = s[:1+g.IntN(3)]
	}
	return numbers(s...)
}

func (g *generator) class() string {
	if g.IntN(3) > 0 {
		return ""
	}
	return []string{"a", "b", "c"}[g.IntN(3)]
}

// attribute formats an attribute, or returns "" for an empty value.
func attribute(name, value string) string {
	if value == "" {
		return ""
	}
	return fmt.Sprintf(" %s='%s'", name, value)
}

func (g *generator) orientation() string {
	switch g.IntN(7) {
	case 0:
		return fmt.Sprintf(" quat='%s %s'", numbers(round3(g.NormFloat64())), g.vectorText(1))
	case 1:
		return fmt.Sprintf(" axisangle='%s %s'", g.vectorText(1), g.angle())
	case 2:
		return fmt.Sprintf(" euler='%s %s %s'", g.angle(), g.angle(), g.angle())
	case 3:
		return fmt.Sprintf(" xyaxes='%s %s'", g.vectorText(1), g.vectorText(1))
	case 4:
		return fmt.Sprintf(" zaxis='%s'", g.vectorText(1))
	case 5:
		return " zaxis='0 0 -1'"
	}
	return ""
}

func (g *generator) pose(scale float64) string {
	return fmt.Sprintf(" pos='%s'%s", g.vectorText(scale), g.orientation())
}

// contents writes geoms, frames and replicated elements.
func (g *generator) contents(depth int) {
	for range 1 + g.IntN(2) {
		g.geom()
	}
	if depth == 0 {
		return
	}
	switch g.IntN(5) {
	case 0:
		fmt.Fprintf(g, "<frame%s%s>\n", g.pose(0.5), attribute("childclass", g.class()))
		g.joints() // before those of other bodies, as in mjData.qpos
		g.contents(depth - 1)
		g.body(depth - 1)
		g.WriteString("</frame>\n")
	case 1:
		if g.times > 1 {
			break
		}
		g.times, g.copies = 2+g.IntN(3), true
		fmt.Fprintf(g, "<replicate count='%d' offset='%s' euler='%s %s %s' sep='-'%s>\n", g.times, g.vectorText(0.4), g.angle(), g.angle(), g.angle(), attribute("childclass", g.class()))
		free := g.free
		g.free = 0
		start := len(g.qpos)
		rot, pos := len(g.mrot), len(g.mpos)
		g.contents(depth - 1)
		g.body(depth - 1)
		g.WriteString("</replicate>\n")
		qpos, mpos, mrot := g.qpos[start:], g.mpos[pos:], g.mrot[rot:]
		for range g.times - 1 { // each copy has joints of its own; here they all have the same positions
			g.qpos = append(g.qpos, qpos...)
			g.mpos = append(g.mpos, mpos...)
			g.mrot = append(g.mrot, mrot...)
		}
		g.times, g.free = 1, free
	}
}

func (g *generator) geom() {
	kind := []string{"", "sphere", "capsule", "box", "ellipsoid"}[g.IntN(5)] // "": the type of the class
	size := ""
	switch {
	case kind == "ellipsoid": // a ball
		size = numbers(0.3, 0.3, 0.3)
	case g.IntN(3) > 0:
		size = g.sizes(false)
	}
	g.names++
	text := fmt.Sprintf("<geom name='g%d'%s%s%s", g.names, attribute("type", kind), attribute("size", size), attribute("class", g.class()))
	switch {
	case (kind == "capsule" || kind == "box") && g.IntN(2) == 0:
		text += fmt.Sprintf(" fromto='%s %s'", g.vectorText(0.6), g.vectorText(0.6))
	default:
		text += g.pose(0.6)
	}
	if g.IntN(6) == 0 {
		text += fmt.Sprintf(" group='%d'", g.IntN(6))
	}
	if g.IntN(12) == 0 {
		text += " rgba='1 0 0 0'"
	}
	fmt.Fprintf(g, "%s/>\n", text)
}

// body writes a body. Only children of the world may have free joints or motion capture. A body at depth 3 is
// always a child of the world, so only these bodies get them.
func (g *generator) body(depth int) {
	g.names++
	mocap := depth == 3 && g.IntN(6) == 0
	fmt.Fprintf(g, "<body name='b%d'%s%s", g.names, g.pose(0.7), attribute("childclass", g.class()))
	if mocap {
		g.WriteString(" mocap='true'")
		v, q := g.vector(), g.quaternion()
		g.mpos, g.mrot = append(g.mpos, v.X, v.Y, v.Z), append(g.mrot, q[:]...)
	}
	g.WriteString(">\n")
	outer := g.free
	g.free = 0
	switch {
	case mocap:
	case depth == 3 && g.IntN(3) == 0:
		g.WriteString([]string{"<freejoint/>\n", "<joint type='free'/>\n"}[g.IntN(2)])
		v, q := g.vector(), g.quaternion()
		g.qpos = append(append(g.qpos, v.X, v.Y, v.Z), q[:]...)
	default:
		g.free = 3
		g.joints()
	}
	g.WriteString("<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>\n")
	g.contents(depth - 1)
	for range g.IntN(3) {
		if depth > 1 {
			g.body(depth - 1)
		}
	}
	g.WriteString("</body>\n")
	g.free = outer
}

func (g *generator) quaternion() [4]float64 {
	return [4]float64{g.NormFloat64(), g.NormFloat64(), g.NormFloat64(), g.NormFloat64()}
}

// joints writes some joints, up to the number allowed for the body. Inside replicated elements, it is only called
// for bodies.
func (g *generator) joints() {
	for range g.IntN(3) {
		if g.free == 0 {
			return
		}
		g.free--
		g.names++
		text := fmt.Sprintf("<joint name='j%d' axis='%s'%s", g.names, g.vectorText(1), attribute("class", g.class()))
		if g.IntN(2) == 0 {
			text += fmt.Sprintf(" pos='%s'", g.vectorText(0.4))
		}
		switch g.IntN(4) {
		case 0:
			text += " type='ball'"
			q := g.quaternion()
			g.qpos = append(g.qpos, q[:]...)
			g.free = 0
		case 1:
			text += fmt.Sprintf(" type='slide' ref='%s'", numbers(round3(g.NormFloat64())))
			g.qpos = append(g.qpos, g.NormFloat64())
		default:
			text += fmt.Sprintf(" ref='%s'", g.angle())
			g.qpos = append(g.qpos, 2*g.NormFloat64())
		}
		fmt.Fprintf(g, "%s/>\n", text)
	}
}
