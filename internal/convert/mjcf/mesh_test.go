package mjcf_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"pillbox/geom"
)

// makeFitExample returns a model with shapes that are fitted to meshes, by every method. The meshes are irregular
// tetrahedra and octahedra, moved, rotated and scaled.
func makeFitExample(seed uint64, rays int) example {
	r := rand.New(rand.NewPCG(seed, 82))
	vector := func(size float64) string {
		return fmt.Sprintf("%.6f %.6f %.6f", size*(2*r.Float64()-1), size*(2*r.Float64()-1), size*(2*r.Float64()-1))
	}
	one := func(words ...string) string { return words[r.IntN(len(words))] }
	maybe := func(format string, args ...any) string {
		if r.IntN(2) == 0 {
			return ""
		}
		return fmt.Sprintf(format, args...)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<mujoco><compiler fitaabb='%s'/><default>%s</default><asset>\n", one("true", "false"), maybe("<mesh scale='0.9 1.1 0.7'/>"))
	const meshes = 4
	for i := range meshes {
		fmt.Fprintf(&b, "<mesh name='m%d' vertex='", i)
		x, y, z := 0.4+r.Float64(), 1.6+r.Float64(), 3+r.Float64()
		faces := ""
		if r.IntN(2) == 0 { // a pyramid, which is not point-symmetric
			fmt.Fprintf(&b, "0 0 0 %.4f 0.1 0 0.2 %.4f 0 0.1 0.3 %.4f", x, y, z)
			faces = "0 2 1 0 1 3 0 3 2 1 2 3"
		} else {
			fmt.Fprintf(&b, "%.4f 0 0 %.4f 0 0 0 %.4f 0 0.1 %.4f 0 0 0.2 %.4f 0 0 %.4f", x, -x*1.1, y, -y, z, -z*0.8)
			faces = "0 2 4 2 1 4 1 3 4 3 0 4 2 0 5 1 2 5 3 1 5 0 3 5"
		}
		fmt.Fprintf(&b, "'%s", maybe(" face='%s'", faces))
		fmt.Fprintf(&b, "%s%s", maybe(" refpos='%s'", vector(1)), maybe(" refquat='%.3f %s'", 1+r.Float64(), vector(1)))
		fmt.Fprintf(&b, "%s inertia='%s'/>\n", maybe(" scale='%.3f %.3f %.3f'", 0.5+r.Float64(), -0.5-r.Float64(), -0.5-r.Float64()), one("legacy", "exact", "convex", "shell"))
	}
	b.WriteString("</asset><worldbody>\n")
	for i := range 6 {
		fmt.Fprintf(&b, "<body pos='%s' quat='%.3f %s'><geom type='%s' mesh='m%d'%s%s%s/></body>\n",
			vector(3), r.Float64(), vector(1), one("sphere", "capsule", "box", "cylinder"), i%meshes,
			maybe(" pos='%s'", vector(1)), maybe(" euler='%s'", vector(90)), maybe(" fitscale='0.8'"))
	}
	for range 3 {
		fmt.Fprintf(&b, "<geom type='cylinder' size='%.4f %.4f' pos='%s' quat='%.3f %s'/>\n", 0.2+r.Float64(), 0.1+r.Float64(), vector(4), r.Float64(), vector(1))
		fmt.Fprintf(&b, "<geom type='cylinder' size='%.4f' fromto='%s %s'/>\n", 0.2+r.Float64(), vector(4), vector(4))
	}
	b.WriteString("</worldbody></mujoco>")
	e := example{text: b.String()}
	for range rays {
		point := func(size float64) geom.Vec3 {
			return geom.Vec3{X: size * (2*r.Float64() - 1), Y: size * (2*r.Float64() - 1), Z: size * (2*r.Float64() - 1)}
		}
		from := point(1).Unit().Scale(12)
		e.rays = append(e.rays, [2]geom.Vec3{from, point(3).Sub(from).Unit()})
	}
	return e
}
