package scene

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing/fstest"

	"pillbox/geom"
	"pillbox/shapes/shapetest"
)

// This file generates random scenes of nested parts and implements their expansion a second time, with
// 200-bit numbers, independently of the package's code.

// partsScene is a scene under construction. parts[0] is the scene itself, and each part places only later ones.
type partsScene struct {
	rng   *rand.Rand
	parts []randomPart
}

type randomPart struct {
	own    [kindCount][]randomSolid
	places []randomPlace
	bulk   []randomSolid // of one kind
	file   int           // 0: the scene's own file; otherwise the number of an included file
}

type randomSolid struct {
	kind     Kind
	points   [2]geom.Vec3 // a center, or the ends of an axis
	sizes    geom.Vec3    // a radius, or half extents
	rotation randomRotation
	name     string
	surface  string // "" or a line with a material or a color
}

type randomPlace struct {
	part     int
	name     string
	position geom.Vec3
	rotation randomRotation
	scale    float64
	surface  string
	count    int
	step     geom.Vec3
	axis     geom.Vec3
	angle    float64 // none if the axis is zero
}

// randomRotation is a rotation in one of the forms of the scene format.
type randomRotation struct {
	form   string // a key, or ""
	values []float64
}

func newPartsScene(seed uint64) *partsScene {
	s := &partsScene{rng: rand.New(rand.NewPCG(seed, 14))}
	s.parts = make([]randomPart, 2+s.rng.IntN(5))
	for i := range s.parts {
		p := &s.parts[i]
		if i > 0 {
			p.file = s.rng.IntN(3)
		}
		for n := range s.rng.IntN(4) {
			x := s.solid(Kind(s.rng.IntN(int(kindCount))))
			if s.rng.IntN(2) == 0 {
				x.name = fmt.Sprintf("solid %d", n)
			}
			p.own[x.kind] = append(p.own[x.kind], x)
		}
		if s.rng.IntN(3) == 0 {
			k := Kind(s.rng.IntN(int(kindCount)))
			for n := range s.rng.IntN(4) {
				x := s.solid(k)
				x.rotation = s.rotation("", "quaternion")
				x.surface = s.oneOf("", "color = \"teal\"\n", "material = \"steel\"\n")
				x.name = fmt.Sprintf("row %d", n)
				p.bulk = append(p.bulk, x)
			}
		}
		for n := range s.rng.IntN(4) {
			if i+1 < len(s.parts) {
				pl := s.place(i)
				if s.rng.IntN(3) > 0 {
					pl.name = fmt.Sprintf("place/%d", n)
				}
				p.places = append(p.places, pl)
			}
		}
	}
	return s
}

func (s *partsScene) oneOf(words ...string) string { return words[s.rng.IntN(len(words))] }

// number returns a random number from lo to hi, with few digits or with all digits of a float64.
func (s *partsScene) number(lo, hi float64) float64 {
	x := shapetest.Uniform(s.rng, lo, hi)
	if s.rng.IntN(2) == 0 {
		x = math.Round(4*x) / 4
	}
	return x
}

func (s *partsScene) vector(half float64) geom.Vec3 {
	return geom.Vec3{X: s.number(-half, half), Y: s.number(-half, half), Z: s.number(-half, half)}
}

func (s *partsScene) angle() float64 {
	return []float64{90, -180, 45, s.number(-720, 720)}[s.rng.IntN(4)]
}

func (s *partsScene) rotation(forms ...string) randomRotation {
	d := shapetest.Direction(s.rng)
	if s.rng.IntN(3) == 0 {
		d = geom.Vec3{Y: -2}
	}
	switch form := s.oneOf(forms...); form {
	case "rotate":
		return randomRotation{form, []float64{s.angle(), s.angle(), s.angle()}}
	case "axis":
		return randomRotation{form, []float64{d.X, d.Y, d.Z, s.angle()}}
	case "quaternion":
		return randomRotation{form, []float64{s.number(-1, 1), d.X, d.Y, d.Z}}
	case "axes":
		m := shapetest.Rotation(s.rng)
		return randomRotation{form, []float64{m.X.X, m.X.Y, m.X.Z, m.Y.X, m.Y.Y, m.Y.Z, m.Z.X, m.Z.Y, m.Z.Z}}
	}
	return randomRotation{}
}

func (s *partsScene) surface() string {
	return s.oneOf("", "", "material = \"steel\"\n", "color = \"teal\"\n", "color = [0.1, 0.25, 0.7]\n")
}

func (s *partsScene) solid(k Kind) randomSolid {
	x := randomSolid{kind: k, points: [2]geom.Vec3{s.vector(3), s.vector(3)}, surface: s.surface()}
	x.sizes = geom.Vec3{X: s.number(0.25, 2), Y: s.number(0.25, 2), Z: s.number(0.25, 2)}
	if k == KindBox {
		x.rotation = s.rotation("", "rotate", "axis", "quaternion", "axes")
	}
	return x
}

func (s *partsScene) place(around int) randomPlace {
	pl := randomPlace{
		part:     around + 1 + s.rng.IntN(len(s.parts)-around-1),
		position: s.vector(5),
		rotation: s.rotation("", "rotate", "axis", "quaternion", "axes"),
		scale:    s.number(0.5, 2),
		surface:  s.surface(),
		count:    1,
	}
	if s.rng.IntN(2) == 0 {
		pl.count, pl.step = 2+s.rng.IntN(4), s.vector(2)
		if r := s.rotation("", "axis"); r.form != "" {
			pl.axis, pl.angle = geom.Vec3{X: r.values[0], Y: r.values[1], Z: r.values[2]}, r.values[3]
		}
	}
	return pl
}

// files returns the scene as the file x.toml, and the files that it includes and its bulk files.
func (s *partsScene) files() fstest.MapFS {
	files := make(fstest.MapFS)
	texts := [3]strings.Builder{}
	texts[0].WriteString("include = [\"one.toml\", \"below/two.toml\"]\ncamera = { position = [9, 8, 30], look_at = [0, 0, 0] }\n")
	texts[0].WriteString("[[light]]\ndirection = [-1, -2, -3.5]\n[material.steel]\nmirror = 0.25\ncolor = [0.3, 0.35, 0.4]\n")
	for i := range s.parts {
		p := &s.parts[i]
		b, path := &texts[p.file], ""
		if i > 0 {
			path = fmt.Sprintf("part.p%d.", i)
			fmt.Fprintf(b, "[part.p%d]\n", i)
		}
		for k := range kindCount {
			for _, x := range p.own[k] {
				fmt.Fprintf(b, "[[%s%s]]\n%s", path, k, x.table())
			}
		}
		for _, pl := range p.places {
			fmt.Fprintf(b, "[[%splace]]\n%s", path, pl.table())
		}
		if len(p.bulk) > 0 {
			name := fmt.Sprintf("p%d.csv", i)
			fmt.Fprintf(b, "[[%sbulk]]\nfile = %q\nshape = %q\n", path, name, p.bulk[0].kind.String())
			files[[...]string{"", "", "below/"}[p.file]+name] = &fstest.MapFile{Data: []byte(rowsOf(p.bulk))}
		}
	}
	files["x.toml"] = &fstest.MapFile{Data: []byte(texts[0].String())}
	files["one.toml"] = &fstest.MapFile{Data: []byte(texts[1].String())}
	files["below/two.toml"] = &fstest.MapFile{Data: []byte(texts[2].String())}
	return files
}

func written(x float64) string { return strconv.FormatFloat(x, 'e', -1, 64) }

func list(x ...float64) string {
	var texts []string
	for _, v := range x {
		texts = append(texts, written(v))
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

func listOfVector(v geom.Vec3) string { return list(v.X, v.Y, v.Z) }

func (x *randomSolid) table() string {
	text := x.surface + x.rotation.table()
	if x.name != "" {
		text += fmt.Sprintf("name = %q\n", x.name)
	}
	switch x.kind {
	case KindSphere:
		return text + fmt.Sprintf("center = %s\nradius = %s\n", listOfVector(x.points[0]), written(x.sizes.X))
	case KindCapsule, KindCylinder:
		return text + fmt.Sprintf("a = %s\nb = %s\nradius = %s\n", listOfVector(x.points[0]), listOfVector(x.points[1]), written(x.sizes.X))
	}
	return text + fmt.Sprintf("center = %s\nhalf_extents = %s\n", listOfVector(x.points[0]), listOfVector(x.sizes))
}

func (r randomRotation) table() string {
	switch v := r.values; r.form {
	case "axis":
		return fmt.Sprintf("axis = %s\nangle = %s\n", list(v[:3]...), written(v[3]))
	case "axes":
		return fmt.Sprintf("axes = [%s, %s, %s]\n", list(v[:3]...), list(v[3:6]...), list(v[6:]...))
	case "":
		return ""
	default:
		return fmt.Sprintf("%s = %s\n", r.form, list(v...))
	}
}

func (pl *randomPlace) table() string {
	text := fmt.Sprintf("part = \"p%d\"\nposition = %s\nscale = %s\n", pl.part, listOfVector(pl.position), written(pl.scale))
	text += pl.surface + pl.rotation.table()
	if pl.name != "" {
		text += fmt.Sprintf("name = %q\n", pl.name)
	}
	if pl.count > 1 {
		text += fmt.Sprintf("count = %d\nstep = { position = %s", pl.count, listOfVector(pl.step))
		if pl.axis != (geom.Vec3{}) {
			text += fmt.Sprintf(", axis = %s, angle = %s", listOfVector(pl.axis), written(pl.angle))
		}
		text += " }\n"
	}
	return text
}

func rowsOf(solids []randomSolid) string {
	columns := []string{"x,y,z,radius", "ax,ay,az,bx,by,bz,radius", "x,y,z,hx,hy,hz,qw,qx,qy,qz", "ax,ay,az,bx,by,bz,radius"}
	text := columns[solids[0].kind] + ",name,color,material\n"
	for _, x := range solids {
		p, q, h := x.points[0], x.points[1], x.sizes
		row := []float64{p.X, p.Y, p.Z}
		switch x.kind {
		case KindSphere:
			row = append(row, h.X)
		case KindCapsule, KindCylinder:
			row = append(row, q.X, q.Y, q.Z, h.X)
		case KindBox:
			row = append(row, h.X, h.Y, h.Z)
		}
		for _, v := range row {
			text += written(v) + ","
		}
		if x.kind == KindBox {
			for i := range 4 {
				if x.rotation.form != "" {
					text += written(x.rotation.values[i])
				}
				text += ","
			}
		}
		text += x.name
		switch x.surface {
		case "":
			text += ",,\n"
		case "color = \"teal\"\n":
			text += ",teal,\n"
		default:
			text += ",,steel\n"
		}
	}
	return text
}

// The rest of this file is arithmetic with 200 bits.

const bigBits = 200

type bigVec [3]*big.Float

type bigMat [3]bigVec // columns

func bigOf(x float64) *big.Float { return new(big.Float).SetPrec(bigBits).SetFloat64(x) }

func bigZero() *big.Float { return bigOf(0) }

func mulBig(x, y *big.Float) *big.Float { return bigZero().Mul(x, y) }

func addBig(x, y *big.Float) *big.Float { return bigZero().Add(x, y) }

func bigVecOf(v geom.Vec3) bigVec { return bigVec{bigOf(v.X), bigOf(v.Y), bigOf(v.Z)} }

func (v bigVec) add(w bigVec) bigVec {
	return bigVec{addBig(v[0], w[0]), addBig(v[1], w[1]), addBig(v[2], w[2])}
}

func (v bigVec) times(s *big.Float) bigVec {
	return bigVec{mulBig(v[0], s), mulBig(v[1], s), mulBig(v[2], s)}
}

func (v bigVec) norm() *big.Float {
	sum := bigZero()
	for _, x := range v {
		sum.Add(sum, mulBig(x, x))
	}
	return sum.Sqrt(sum)
}

func (m bigMat) times(v bigVec) bigVec {
	return m[0].times(v[0]).add(m[1].times(v[1])).add(m[2].times(v[2]))
}

func (m bigMat) product(n bigMat) bigMat {
	return bigMat{m.times(n[0]), m.times(n[1]), m.times(n[2])}
}

func bigIdentity() bigMat { return bigMatOf(1, 0, 0, 0, 1, 0, 0, 0, 1) }

func bigMatOf(x ...float64) bigMat {
	var m bigMat
	for i := range 9 {
		m[i/3][i%3] = bigOf(x[i])
	}
	return m
}

// bigSinCos returns the sine and the cosine of an angle in degrees, computed by their power series.
func bigSinCos(degrees *big.Float) (sin, cos *big.Float) {
	// 62 decimals of pi are more than 200 bits.
	pi, _, err := big.ParseFloat("3.14159265358979323846264338327950288419716939937510582097494459", 10, bigBits, big.ToNearestEven)
	if err != nil {
		panic(err)
	}
	turns, _ := bigZero().Quo(degrees, bigOf(360)).Int(nil)
	x := bigZero().Sub(degrees, mulBig(new(big.Float).SetPrec(bigBits).SetInt(turns), bigOf(360)))
	x.Quo(x.Mul(x, pi), bigOf(180))
	sin, cos = bigZero(), bigZero()
	term := bigOf(1)
	for n := 0; n < 120; n++ {
		switch n % 4 {
		case 0:
			cos.Add(cos, term)
		case 1:
			sin.Add(sin, term)
		case 2:
			cos.Sub(cos, term)
		case 3:
			sin.Sub(sin, term)
		}
		term = bigZero().Quo(mulBig(term, x), bigOf(float64(n+1)))
	}
	return sin, cos
}

// bigAxis returns the rotation about an axis by an angle in degrees, computed by Rodrigues' formula.
func bigAxis(axis bigVec, degrees *big.Float) bigMat {
	s, c := bigSinCos(degrees)
	u := axis.times(bigZero().Quo(bigOf(1), axis.norm()))
	k := bigZero().Sub(bigOf(1), c)
	var m bigMat
	for column := range 3 {
		for row := range 3 {
			x := mulBig(mulBig(u[row], u[column]), k)
			if row == column {
				x.Add(x, c)
			} else if sine := mulBig(u[3-row-column], s); (row-column+3)%3 == 1 {
				x.Add(x, sine)
			} else {
				x.Sub(x, sine)
			}
			m[column][row] = x
		}
	}
	return m
}

func (r randomRotation) matrix() bigMat {
	v := r.values
	unit := func(i int) bigVec { return bigIdentity()[i] }
	switch r.form {
	case "rotate":
		m := bigAxis(unit(0), bigOf(v[0]))
		m = bigAxis(unit(1), bigOf(v[1])).product(m)
		return bigAxis(unit(2), bigOf(v[2])).product(m)
	case "axis":
		return bigAxis(bigVec{bigOf(v[0]), bigOf(v[1]), bigOf(v[2])}, bigOf(v[3]))
	case "quaternion":
		return bigQuaternion(v)
	case "axes":
		return bigMatOf(v...)
	}
	return bigIdentity()
}

// bigQuaternion returns the rotation v -> q v q* / |q|^2 as a matrix.
func bigQuaternion(q []float64) bigMat {
	var m bigMat
	square := bigZero()
	for _, x := range q {
		square.Add(square, mulBig(bigOf(x), bigOf(x)))
	}
	for i := range 3 {
		e := [4]*big.Float{bigZero(), bigZero(), bigZero(), bigZero()}
		e[1+i] = bigOf(1)
		p := quaternionProduct(quaternionProduct([4]*big.Float{bigOf(q[0]), bigOf(q[1]), bigOf(q[2]), bigOf(q[3])}, e),
			[4]*big.Float{bigOf(q[0]), bigOf(-q[1]), bigOf(-q[2]), bigOf(-q[3])})
		for row := range 3 {
			m[i][row] = bigZero().Quo(p[1+row], square)
		}
	}
	return m
}

func quaternionProduct(a, b [4]*big.Float) (c [4]*big.Float) {
	signs := [4][4]struct {
		index int
		sign  float64
	}{
		{{0, 1}, {1, -1}, {2, -1}, {3, -1}},
		{{1, 1}, {0, 1}, {3, 1}, {2, -1}},
		{{2, 1}, {3, -1}, {0, 1}, {1, 1}},
		{{3, 1}, {2, 1}, {1, -1}, {0, 1}},
	}
	for i := range 4 {
		c[i] = bigZero()
		for j, term := range signs[i] {
			c[i].Add(c[i], mulBig(mulBig(a[j], b[term.index]), bigOf(term.sign)))
		}
	}
	return c
}

// bigSolid is a solid with its position in the scene, computed with 200 bits.
type bigSolid struct {
	points  [2]bigVec
	sizes   bigVec
	axes    bigMat
	name    string
	surface string  // the line with a material or color that applies
	steps   int     // number of nested frames
	turned  float64 // sum of the angles of all steps, in degrees
	reach   float64 // sum of the lengths of all vectors that were added to get a point
}

// bigFrame is the frame of a part in the scene, computed with 200 bits.
type bigFrame struct {
	scale    *big.Float
	rotation bigMat
	position bigVec
	surface  string
	prefix   string
	named    bool
	steps    int
	turned   float64
	reach    float64
}

func (f *bigFrame) point(p bigVec) bigVec { return f.rotation.times(p.times(f.scale)).add(f.position) }

// expand returns the solids of the scene by kind, in the order of the scene format.
func (s *partsScene) expand() (all [kindCount][]bigSolid) {
	scene := &bigFrame{scale: bigOf(1), rotation: bigIdentity(), position: bigVecOf(geom.Vec3{}), named: true}
	s.expandPart(&all, 0, scene)
	return all
}

func (s *partsScene) expandPart(all *[kindCount][]bigSolid, part int, f *bigFrame) {
	p := &s.parts[part]
	for k := range kindCount {
		for _, x := range p.own[k] {
			all[k] = append(all[k], f.solid(x))
		}
	}
	for _, pl := range p.places {
		for i := range pl.count {
			s.expandPart(all, pl.part, f.copyOf(&pl, i))
		}
	}
	for _, x := range p.bulk {
		all[x.kind] = append(all[x.kind], f.solid(x))
	}
}

// copyOf returns the frame of copy i of the placement pl inside the frame f. The placement scales, rotates and
// moves the part. Then i steps rotate and move it.
func (f *bigFrame) copyOf(pl *randomPlace, i int) *bigFrame {
	n := bigOf(float64(i))
	step := bigIdentity()
	if pl.axis != (geom.Vec3{}) {
		step = bigAxis(bigVecOf(pl.axis), mulBig(n, bigOf(pl.angle)))
	}
	position := step.times(bigVecOf(pl.position)).add(bigVecOf(pl.step).times(n))
	scale, _ := f.scale.Float64()
	in := &bigFrame{
		scale:    mulBig(f.scale, bigOf(pl.scale)),
		rotation: f.rotation.product(step.product(pl.rotation.matrix())),
		position: f.point(position),
		surface:  f.surface,
		named:    f.named && pl.name != "",
		steps:    f.steps + 2,
		turned:   f.turned + math.Abs(float64(i)*pl.angle),
		reach:    f.reach + scale*(pl.position.Norm()+float64(i)*pl.step.Norm()),
	}
	if pl.surface != "" {
		in.surface = pl.surface
	}
	if in.named {
		in.prefix = f.prefix + pl.name + "/"
		if pl.count > 1 {
			in.prefix = fmt.Sprintf("%s%s[%d]/", f.prefix, pl.name, i)
		}
	}
	return in
}

func (f *bigFrame) solid(x randomSolid) bigSolid {
	scale, _ := f.scale.Float64()
	s := bigSolid{
		sizes:   bigVecOf(x.sizes).times(f.scale),
		axes:    f.rotation.product(x.rotation.matrix()),
		surface: x.surface,
		steps:   f.steps,
		turned:  f.turned,
		reach:   f.reach + scale*max(x.points[0].Norm(), x.points[1].Norm()),
	}
	for i, p := range x.points {
		s.points[i] = f.point(bigVecOf(p))
	}
	if s.surface == "" {
		s.surface = f.surface
	}
	if f.named && x.name != "" {
		s.name = f.prefix + x.name
	}
	return s
}
