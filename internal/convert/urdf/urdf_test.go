package urdf_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/internal/convert/model/modeltest"
	"pillbox/internal/convert/urdf"
	"pillbox/problem"
	"pillbox/scene"
)

func read(text string, opt urdf.Options) (*model.Scene, error) {
	return urdf.Read(model.Source{Name: "r.urdf", Text: strings.NewReader(text)}, opt)
}

// load reads the robot in text, writes it as a scene, and loads that scene.
func load(t *testing.T, text string, opt urdf.Options) (*scene.Scene, *model.Scene) {
	t.Helper()
	m, err := read(text, opt)
	if err != nil {
		t.Fatal(err)
	}
	return modeltest.Load(t, m), m
}

func arm(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/arm.urdf")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// named returns the index, among the solids of one kind, of the solid with the given name.
func named(t *testing.T, s *scene.Scene, name string) int {
	t.Helper()
	for number := range s.Objects.Len() {
		if s.Objects.Name(number) == name {
			_, index := s.Of(number)
			return index
		}
	}
	t.Fatalf("no solid has the name %s", name)
	return 0
}

// TestReadArm checks that each joint moves all links below it. The expected positions were computed by hand.
func TestReadArm(t *testing.T) {
	quarter := math.Pi / 2
	s, m := load(t, arm(t), urdf.Options{Joints: map[string]float64{"shoulder": quarter, "elbow": -quarter, "slide": 0.1, "left": 0.02}})
	if got := m.Account.Notes().Error(); got != "" {
		t.Errorf("account: %s", got)
	}
	// The shoulder rotates z to x, and the elbow rotates back. All of it is rotated by 0.5 about z.
	out := geom.Vec3{X: math.Cos(0.5), Y: math.Sin(0.5)}
	side := geom.Vec3{X: -math.Sin(0.5), Y: math.Cos(0.5)}
	shoulder := geom.Vec3{Z: 0.4}
	elbow := shoulder.AddScaled(0.65, out)
	palm := elbow.AddScaled(0.65, out)
	for _, c := range []struct {
		name      string
		got, want geom.Vec3
	}{
		{"end of the upper arm", s.Capsules[named(t, s, "base/upper/bone")].B, shoulder.AddScaled(0.6, out)},
		{"elbow", s.Spheres[0].Center, elbow},
		{"end of the lower arm", s.Capsules[named(t, s, "base/upper/lower/bone")].B, elbow.AddScaled(0.5, out)},
		{"palm", s.Boxes[named(t, s, "base/upper/lower/hand/palm")].Center, palm},
		{"left finger", s.Boxes[2].Center, palm.AddScaled(0.06, out).AddScaled(0.05, side)},
		{"right finger", s.Boxes[3].Center, palm.AddScaled(0.06, out).AddScaled(-0.05, side)},
	} {
		if c.got.Sub(c.want).Norm() > 1e-11 {
			t.Errorf("%s is at %v, want %v", c.name, c.got, c.want)
		}
	}
	if c := s.Objects.Material(1).Albedo; c == s.Objects.Material(0).Albedo {
		t.Errorf("collisions of different links have the color %v", c)
	}
}

// TestReadOrigin checks that roll, pitch and yaw are angles about fixed axes, like those of the key rotate in a
// scene.
func TestReadOrigin(t *testing.T) {
	s, _ := load(t, `<robot><link name="a"><collision><origin xyz="1 2 3" rpy="0.3 -0.7 1.1"/><geometry><box size="2 4 6"/></geometry></collision></link></robot>`, urdf.Options{})
	degrees := func(x float64) geom.Angle { return geom.Angle(x * 180 / math.Pi) }
	want := geom.RotationXYZ(degrees(0.3), degrees(-0.7), degrees(1.1))
	b := s.Boxes[0]
	if b.Rotation.X.Sub(want.X).Norm() > 1e-11 || b.Rotation.Y.Sub(want.Y).Norm() > 1e-11 || b.HalfExtents != (geom.Vec3{X: 1, Y: 2, Z: 3}) || b.Center != b.HalfExtents {
		t.Errorf("%+v, want the axes %v", b, want)
	}
}

// TestReadQuaternion checks that quat_xyzw means the same as rpy, and that a file in UTF-16 is read.
func TestReadQuaternion(t *testing.T) {
	const robot = `<robot version="1.1"><link name="a"><collision><origin xyz="1 2 3" %s/><geometry><capsule radius="1" length="4"/></geometry></collision></link></robot>`
	want, _ := load(t, fmt.Sprintf(robot, `rpy="0.3 -0.7 1.1"`), urdf.Options{})
	q := model.Turn(geom.Vec3{Z: 1}, geom.Angle(1.1*180/math.Pi)).Mul(model.Turn(geom.Vec3{Y: 1}, geom.Angle(-0.7*180/math.Pi))).Mul(model.Turn(geom.Vec3{X: 1}, geom.Angle(0.3*180/math.Pi)))
	text := fmt.Sprintf(robot, fmt.Sprintf(`quat_xyzw="%g %g %g %g"`, 2*q.X, 2*q.Y, 2*q.Z, 2*q.W))
	wide := "\xfe\xff"
	for i := range len(text) {
		wide += "\x00" + text[i:i+1]
	}
	for _, text := range []string{text, wide} {
		if got, _ := load(t, text, urdf.Options{Strict: true}); got.Capsules[0].A.Sub(want.Capsules[0].A).Norm() > 1e-10 || got.Capsules[0].B.Sub(want.Capsules[0].B).Norm() > 1e-10 {
			t.Errorf("%+v, want %+v", got.Capsules, want.Capsules)
		}
	}
	for _, wrong := range []string{`quat_xyzw="0 0 0 0"`, `quat_xyzw="0 0 1"`, `quat_xyzw="0 0 0 1" rpy="0 0 1"`} {
		if _, err := read(fmt.Sprintf(robot, wrong), urdf.Options{Strict: true}); err == nil {
			t.Errorf("%s: no error", wrong)
		}
	}
}

// TestReadTexture checks that a note reports a texture that cannot be read.
func TestReadTexture(t *testing.T) {
	s, m := load(t, `<robot><link name="a"><visual><geometry><sphere radius="1"/></geometry><material name="x"><texture filename="wood.png"/></material></visual></link></robot>`, urdf.Options{Visual: true})
	if got := m.Account.Notes().Error(); s.Objects.Len() != 1 || !strings.Contains(got, "note: 1 texture of a material not shown: wood.png ") {
		t.Errorf("%d solids, notes %s", s.Objects.Len(), got)
	}
}

// TestReadUnknownMaterial checks that a shape with an unknown material is shown, and that the material is reported once.
func TestReadUnknownMaterial(t *testing.T) {
	const shape = `<visual><geometry><sphere radius="1"/></geometry><material name="x"/></visual>`
	s, m := load(t, `<robot><link name="a">`+shape+shape+`</link></robot>`, urdf.Options{Visual: true})
	if notes := m.Account.Notes(); s.Objects.Len() != 2 || len(notes) != 1 || !strings.Contains(notes.Error(), "shown without a material") {
		t.Errorf("%d solids, notes %v", s.Objects.Len(), notes)
	}
}

func TestReadGeometry(t *testing.T) {
	visual, m := load(t, arm(t), urdf.Options{Visual: true})
	if visual.Objects.Len() != 2 || len(visual.Materials) != 2 || m.Account.Notes().Error() != "r.urdf:9:17: note: 1 mesh skipped (--approximate shows what contains it)" {
		t.Errorf("%d visual solids, %d materials, %v", visual.Objects.Len(), len(visual.Materials), m.Account.Notes())
	}
	round, m := load(t, arm(t), urdf.Options{Approximate: true})
	if c := round.Cylinders[0]; c.A.Sub(geom.Vec3{Z: 0.05}).Norm() > 1e-12 || len(m.Account.Notes()) > 0 {
		t.Errorf("the cylinder is %v, %v", c, m.Account.Notes())
	}
}

func TestReadErrors(t *testing.T) {
	link := func(names ...string) (text string) {
		for _, n := range names {
			text += fmt.Sprintf(`<link name=%q/>`, n)
		}
		return text
	}
	joint := func(name, parent, child, rest string) string {
		return fmt.Sprintf(`<joint name=%q type="revolute"><parent link=%q/><child link=%q/>%s</joint>`, name, parent, child, rest)
	}
	solid := func(geometry string) string {
		return "<link name=\"a\"><collision><geometry>\n" + geometry + "</geometry></collision></link>"
	}
	for _, c := range []struct{ body, want string }{
		{"", "r.urdf:1:1: robot: must have a <link>"},
		{"<link/>", `r.urdf:2:1: link.name: is missing`},
		{link("a", "a"), `r.urdf:2:29: link.name: must be unique among links, got "a"`},
		{link("a", "b"), `r.urdf:2:29: link.name: has no parent, and neither has link "a" at line 2: a robot has one root, got "b"`},
		{link("a", "b") + joint("j", "a", "c", ""), `r.urdf:2:96: child.link: must be the name of a link, got "c"`},
		{link("alpha", "b") + joint("j", "alpa", "b", ""), "did you mean `alpha`?"},
		{link("a", "b", "c") + joint("j", "a", "c", "") + joint("k", "b", "c", ""), `has a parent already, by joint "j"`},
		{link("a", "b") + joint("j", "a", "b", "") + joint("k", "b", "a", ""), `joint.name: belongs to a ring of links`},
		{link("r", "a", "b", "t") + joint("j", "a", "b", "") + joint("k", "b", "a", "") + joint("l", "b", "t", ""), `a ring of links`},
		{link("a", "b") + joint("j", "a", "b", `<axis xyz="0 0 0"/>`), `axis.xyz: must not be zero`},
		{link("a", "b") + joint("j", "a", "b", `<mimic joint="j"/>`), `mimic.joint: follows itself`},
		{link("a", "b") + joint("j", "a", "b", `<mimic joint="x"/>`), `mimic.joint: must be the name of a joint`},
		{link("a", "b") + strings.Replace(joint("j", "a", "b", ""), "revolute", "revolut", 1), "joint.type: must be revolute, continuous, prismatic, fixed, floating, planar or spherical, got \"revolut\", did you mean `revolute`?"},
		{solid(`<box/>`), "r.urdf:3:1: box.size: is missing"},
		{solid(`<box size="1 -2 1"/>`), `r.urdf:3:12: box.size: must be 0, or from 2e-15 to 2e+15, got "1 -2 1"`},
		{solid(`<box size="${w} 1"/>`), `r.urdf:3:12: box.size: must be numbers: expressions of xacro are expanded by the program xacro, got "${w} 1"`},
		{solid(`<box size="1, 1, 1"/>`), `r.urdf:3:12: box.size: must be numbers with spaces between them, without commas, got "1, 1, 1"`},
		{solid(`<box size="1 1_0 1"/>`), `box.size: must be numbers of at most 1e+15 in magnitude`},
		{`<xacro:macro name="leg"><link name="a"/></xacro:macro>`, `r.urdf:2:1: macro: belongs to xacro`},
		{`<link name="a"><visual/></link>`, `robot: has no collision geometry; use --geometry visual`},
		{solid(`<box size="1 ${a} 1"/>`), `box.size: must be numbers`},
		{solid(`<sphere radius='-1'/>`), `r.urdf:3:17: sphere.radius: must be 0, or from 1e-15 to 1e+15, got "-1"`},
		{solid(`<sphere radius="nan"/>`), `sphere.radius: must be numbers of at most 1e+15 in magnitude, got "nan"`},
		{solid(`<sphere radius="1 2"/>`), `sphere.radius: must be 1 number, got "1 2"`},
		{"<link name=\"a\">\n</robot>", "r.urdf:3:9: is no XML: element <link> closed by </robot>"},
		{"<link name=\"&x;\"/>", "is no XML: invalid character entity &x;"},
		{"\xff", "is no XML: invalid UTF-8"},
	} {
		_, err := read("<robot>\n"+c.body+"</robot>", urdf.Options{Strict: true})
		var found *problem.Error
		if !errors.As(err, &found) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\ngives %v\nwant %s", c.body, err, c.want)
		}
	}
	for text, want := range map[string]string{
		"":                         "is no XML: there is no element",
		"<mujoco/>":                "must be <robot>",
		"<robot/><robot/>":         "one outermost element",
		"<robot>":                  "unexpected EOF",
		strings.Repeat("<a>", 600): "at most 500 deep",
	} {
		if _, err := read(text, urdf.Options{Strict: true}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20s gives %v, want %s", text, err, want)
		}
	}
	for name, want := range map[string]string{"sholder": `did you mean "shoulder"?`, "x": `no joint "x"`} {
		if _, err := read(arm(t), urdf.Options{Joints: map[string]float64{name: 1}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("joint %s gives %v, want %s", name, err, want)
		}
	}
}

// TestReadTolerates checks that an invalid element is skipped with a warning, and that everything else is read.
func TestReadTolerates(t *testing.T) {
	const robot = `<robot>
<link name="a"><collision><origin xyz="0 0 1"/><geometry><sphere radius="1"/></geometry></collision></link>
<link name="b"><collision><geometry><box size="1 1 1"/></geometry></collision>
<visual><geometry><box size="1 1 1"/></geometry><material name="red"><color rgba="1 0 0 1"/></material></visual></link>
<joint name="j" type="revolute"><origin xyz="2 0 0"/><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>
<joint name="k" type="fixed"><parent link="b"/><child link="c"/></joint>
<link name="c"><collision><geometry><sphere radius="2"/></geometry></collision></link>
</robot>`
	for _, c := range []struct {
		old, new string
		solids   int
		warnings []string
	}{
		{`radius="1"`, `radius="one"`, 2, []string{"sphere.radius: must be numbers"}},
		{`radius="1"`, ``, 2, []string{"sphere.radius: is missing"}},
		{`xyz="0 0 1"`, `xyz="0 0"`, 3, []string{"origin.xyz: must be 3 numbers"}},
		{`xyz="2 0 0"`, `xyz="2 0 x"`, 3, []string{"origin.xyz: must be numbers"}},
		{`xyz="2 0 0"`, `xyz="2, 0, 0"`, 3, []string{"origin.xyz: must be numbers with spaces"}},
		{`<axis xyz="0 0 1"/>`, `<axis xyz="0 0 0"/>`, 3, []string{"axis.xyz: must not be zero"}},
		{`<axis xyz="0 0 1"/>`, `<mimic joint="none"/>`, 3, []string{"mimic.joint: must be the name of a joint"}},
		{`type="revolute"`, `type="hinge"`, 3, []string{"joint.type: must be revolute"}},
		{`type="revolute"`, ``, 3, []string{"joint.type: is missing"}},
		{`<parent link="b"/>`, `<parent link="x"/>`, 3, []string{"parent.link: must be the name of a link", `link.name: has no parent, and neither has link "a"`}},
		{`<parent link="b"/>`, ``, 3, []string{"joint: must have a <parent>", "has no parent"}},
		{`rgba="1 0 0 1"`, `rgba="red"`, 3, []string{"color.rgba: must be 3 to 4 numbers"}},
		{`<geometry><box size="1 1 1"/></geometry></collision>`, `</collision>`, 2, []string{"collision: must have a <geometry>"}},
		{`<link name="a">`, `<link/><link name="a">`, 3, []string{"link.name: is missing"}},
		{`<link name="a">`, `<link name="b"/><link name="a">`, 2, []string{"link.name: must be unique among links"}},
	} {
		text := strings.Replace(robot, c.old, c.new, 1)
		s, m := load(t, text, urdf.Options{})
		notes := m.Account.Notes()
		if s.Objects.Len() != c.solids || len(notes) != len(c.warnings) {
			t.Errorf("%s for %s: %d solids, notes %v", c.new, c.old, s.Objects.Len(), notes)
			continue
		}
		for i, want := range c.warnings {
			if got := notes[i]; got.Severity != problem.SeverityWarning || got.Line < 2 || !strings.Contains(got.Error(), want) {
				t.Errorf("%s for %s: %v, want %s", c.new, c.old, got, want)
			}
		}
		if _, err := read(text, urdf.Options{Strict: true}); err == nil {
			t.Errorf("%s for %s: no error in strict reading", c.new, c.old)
		}
	}
}

// TestReadCamera checks the pose of a Gazebo camera sensor, which looks along its x axis, with z up. Joints must
// move the link of the sensor.
func TestReadCamera(t *testing.T) {
	const robot = `<robot name="r"><link name="a"><collision><geometry><sphere radius="1"/></geometry></collision></link>
<link name="b"/><joint name="j" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0 0 2"/><axis xyz="0 0 1"/></joint>
<gazebo><plugin/></gazebo>
<gazebo reference="b"><sensor type="ray" name="eye"/>
  <sensor type="camera" name="eye"><pose>1 0 0 0 0.5 0</pose>
    <camera name="c"><horizontal_fov>1.2</horizontal_fov><image><width>640</width><height>480</height></image></camera></sensor>
  <sensor type="depth" name="other"><camera/></sensor></gazebo></robot>`
	_, m := load(t, robot, urdf.Options{Camera: "eye", Joints: map[string]float64{"j": math.Pi / 2}})
	c := m.Camera
	ahead := c.LookAt.Sub(c.Position).Unit()
	down := geom.Vec3{Y: math.Cos(0.5), Z: -math.Sin(0.5)} // a positive pitch looks down
	fov := 2 * math.Atan(math.Tan(0.6)*480/640) * 180 / math.Pi
	if c.Position.Sub(geom.Vec3{Y: 1, Z: 2}).Norm() > 1e-12 || ahead.Sub(down).Norm() > 1e-12 || c.Up.Sub(geom.Vec3{Y: math.Sin(0.5), Z: math.Cos(0.5)}).Norm() > 1e-12 ||
		math.Abs(c.FOV.Degrees()-fov) > 1e-9 || m.Width != 640 || m.Height != 480 {
		t.Errorf("camera %+v of %d x %d, want along %v with a field of view of %v", *c, m.Width, m.Height, down, fov)
	}
	if _, m = load(t, robot, urdf.Options{Camera: "other"}); m.Width != 320 || m.Height != 240 || m.Camera.Position != (geom.Vec3{Z: 2}) {
		t.Errorf("a camera without values is %+v of %d x %d", *m.Camera, m.Width, m.Height)
	}
	if _, m = load(t, robot, urdf.Options{}); m.Camera != nil {
		t.Errorf("a camera that nobody requested: %+v", *m.Camera)
	}
	for from, to := range map[string]string{
		"1 0 0 0 0.5 0":             "1 0 0",
		"<pose>":                    `<pose relative_to="a">`,
		"<horizontal_fov>1.2":       "<horizontal_fov>3.2",
		"<width>640":                "<width>0.5",
		`<gazebo reference="b">`:    `<gazebo reference="c">`,
		`type="camera" name="eye">`: `type="camera" name="eyes">`,
		"<height>480":               "<height>1e5",
	} {
		if _, err := read(strings.Replace(robot, from, to, 1), urdf.Options{Camera: "eye"}); err == nil {
			t.Errorf("%s: no error", to)
		} else if strings.Contains(to, "eyes") && !strings.Contains(err.Error(), `did you mean "eyes"?`) {
			t.Error(err)
		}
	}
}

// TestReadEmptyShapes checks that shapes without volume, which some files use as placeholders, are skipped and
// counted. A capsule without length must become a ball.
func TestReadEmptyShapes(t *testing.T) {
	s, m := load(t, `<robot><link name="a"><collision><geometry>
<box size="1 1 0"/><sphere radius="0"/><cylinder radius="0" length="0"/><cylinder radius="1" length="0"/><capsule radius="1" length="0"/>
</geometry></collision></link></robot>`, urdf.Options{Approximate: true})
	if s.Objects.Len() != 1 || len(s.Capsules) != 1 || s.Capsules[0].A != s.Capsules[0].B || s.Capsules[0].Radius != 1 {
		t.Errorf("%+v", s.Objects)
	}
	var notes []string
	for _, n := range m.Account.Notes() {
		notes = append(notes, n.Message)
	}
	if got, want := strings.Join(notes, "; "), "1 empty box skipped; 1 empty sphere skipped; 2 empty cylinders skipped"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestReadLongChain checks a robot whose links nest more deeply than placements in a scene can.
func TestReadLongChain(t *testing.T) {
	var b strings.Builder
	b.WriteString("<robot>")
	for i := range 100 {
		fmt.Fprintf(&b, `<link name="l%d"><collision><geometry><sphere radius="1"/></geometry></collision></link>`, i)
		if i > 0 {
			fmt.Fprintf(&b, `<joint name="j%[1]d" type="fixed"><origin xyz="1 0 0" rpy="0 0 0.1"/><parent link="l%[2]d"/><child link="l%[1]d"/></joint>`, i, i-1)
		}
	}
	s, _ := load(t, b.String()+"</robot>", urdf.Options{})
	var want geom.Vec3
	for i := range 99 {
		want = want.Add(geom.Vec3{X: math.Cos(float64(i) * 0.1), Y: math.Sin(float64(i) * 0.1)})
	}
	if got := s.Spheres[99].Center; len(s.Spheres) != 100 || got.Sub(want).Norm() > 1e-9 {
		t.Errorf("the last of %d is at %v, want %v", len(s.Spheres), got, want)
	}
}

// FuzzRead checks that no input causes a panic, that errors have a position, and that every written scene can be
// loaded.
func FuzzRead(f *testing.F) {
	text, err := os.ReadFile("testdata/arm.urdf")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text), true)
	f.Add(`<robot><link name="a/b"><collision name="c"><origin rpy="1 2 3"/><geometry><capsule radius="1" length="2"/><box size="1e-9 1e9 1"/></geometry></collision></link></robot>`, false)
	f.Fuzz(func(t *testing.T, text string, flag bool) {
		m, err := read(text, urdf.Options{Visual: flag, Approximate: flag})
		var found *problem.Error
		if err != nil && (!errors.As(err, &found) || found.Line < 1 && found.Code != problem.CodeTooLarge) {
			t.Fatalf("error %#v", err)
		}
		modeltest.Check(t, m, err)
	})
}

func Example() {
	robot := `<robot><link name="base"><collision><geometry><sphere radius="0.5"/></geometry></collision></link></robot>`
	s, err := urdf.Read(model.Source{Name: "ball.urdf", Text: strings.NewReader(robot)}, urdf.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Places[0].Name, s.Places[0].Part.Spheres[0].Radius)
	// Output: base 0.5
}

// TestTransparentMaterialsAreGhosts checks that the alpha of a material's color becomes a ghost, also where another element
// refers to the material by its name. An invisible or too large alpha does not.
func TestTransparentMaterialsAreGhosts(t *testing.T) {
	visual := func(material string) string {
		return `<visual><geometry><sphere radius="1"/></geometry>` + material + `</visual>`
	}
	s, _ := load(t, `<robot><material name="glass"><color rgba="0 0 1 .25"/></material><link name="a">`+
		visual(`<material name="glass"/>`)+visual(`<material name=""><color rgba="1 0 0 .5"/></material>`)+visual(`<material name="solid"><color rgba="1 0 0 1"/></material>`)+
		visual(`<material name=""><color rgba="1 0 0 0"/></material>`)+visual("")+`</link></robot>`, urdf.Options{Visual: true})
	var got []float64
	for i := range s.Objects.Len() {
		share := 1.0
		if g := s.Objects.Material(i).Ghost; g != nil {
			share = g.Share
		}
		got = append(got, share)
	}
	if want := []float64{0.25, 0.5, 1, 1, 1}; !slices.Equal(got, want) {
		t.Errorf("shares %v, want %v", got, want)
	}
}

// TestGhost checks that the geometry that the option Ghost selects is in the hull, beside the other geometry or alone.
func TestGhost(t *testing.T) {
	const robot = `<robot><material name="ghost"><color rgba="1 0 0 .5"/></material><link name="a">` +
		`<visual name="v"><geometry><sphere radius="1"/></geometry><material name="ghost"/></visual>` +
		`<collision name="c"><geometry><sphere radius="2"/></geometry></collision></link><link name="b"/>` +
		`<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint></robot>`
	for _, c := range []struct {
		options urdf.Options
		want    map[string]float64 // shares by name
	}{
		{urdf.Options{Visual: true, Ghost: "collision"}, map[string]float64{"a/v": 0.5, "a/c": model.HullShare}},
		{urdf.Options{Ghost: "visual"}, map[string]float64{"a/v": model.HullShare, "a/c": 0.5}},
		{urdf.Options{Ghost: "collision"}, map[string]float64{"a/c": model.HullShare}},
		{urdf.Options{Visual: true, Ghost: "visual"}, map[string]float64{"a/v": model.HullShare}},
	} {
		s, _ := load(t, robot, c.options)
		got := make(map[string]float64)
		for i := range s.Objects.Len() {
			got[s.Objects.Name(i)] = s.Objects.Material(i).Ghost.Share
		}
		if !maps.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.options, got, c.want)
		}
		var names []string
		for _, m := range s.Materials {
			names = append(names, m.Name)
		}
		if want := []string{"ghost", "ghost-2"}[2-len(c.want):]; len(c.want) == 2 && !slices.Equal(names, want) {
			t.Errorf("%+v: materials %q, want %q", c.options, names, want)
		}
	}
	_, err := read(`<robot><link name="a"><visual><geometry><sphere radius="1"/></geometry></visual></link></robot>`, urdf.Options{Visual: true, Ghost: "collision"})
	if err == nil || !strings.Contains(err.Error(), "has no collision geometry for --ghost") {
		t.Errorf("without collision geometry: %v", err)
	}
}
