package mjcf_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pillbox/geom"
	"pillbox/internal/convert/mjcf"
)

// TestReadAlign checks free joints with the attribute align, for which qpos is the pose of the inertial frame. The
// expected poses are those of MuJoCo 3.14.
func TestReadAlign(t *testing.T) {
	qpos := []float64{1, 2, 3, math.Sqrt(0.5), 0, math.Sqrt(0.5), 0}
	const box = `<geom type="box" size=".1 .2 .3" pos="1 0 0" euler="0 30 0"/>`
	own, aligned := geom.Vec3{X: 1, Y: 2, Z: 2}, geom.Vec3{X: 1, Y: 2, Z: 3}
	for _, c := range []struct {
		body            string
		plain, compiler geom.Vec3 // expected without and with the compiler's alignfree
	}{
		{`<freejoint align="true"/>` + box, aligned, aligned},
		{`<freejoint align="false"/>` + box, own, own},
		{`<freejoint/>` + box, own, aligned},
		{`<freejoint align="auto"/>` + box, own, aligned},
		{`<joint type="free"/>` + box, own, aligned},
		{`<freejoint align="true"/>` + box + `<geom size=".1" mass="0" group="5"/>`, aligned, aligned},
		{`<freejoint align="true"/>` + box + `<body pos="0 0 1"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>`, own, own},
		{`<freejoint align="true"/><inertial pos="0 1 0" euler="30 0 0" mass="1" diaginertia="1 2 3"/><geom type="box" size=".1 .2 .3" pos="1 0 0"/>`, geom.Vec3{X: 1.5, Y: 1.1339745962155614, Z: 2}, geom.Vec3{X: 1.5, Y: 1.1339745962155614, Z: 2}},
	} {
		for compiler, want := range map[string]geom.Vec3{"false": c.plain, "true": c.compiler} {
			text := `<mujoco><compiler alignfree="` + compiler + `"/><worldbody><body>` + c.body + `</body></worldbody></mujoco>`
			s := load(t, text, mjcf.Options{QPos: qpos})
			if got := s.Boxes[0].Center; got.Sub(want).Norm() > 1e-9 {
				t.Errorf("%s, alignfree %s: the box is at %v, want %v", c.body, compiler, got, want)
			}
			if s := load(t, text, mjcf.Options{}); s.Boxes[0].Center != (geom.Vec3{X: 1}) {
				t.Errorf("%s: without positions the box is at %v", c.body, s.Boxes[0].Center)
			}
		}
	}
	m := must(t, world(`<body><freejoint align="true"/>`+box+`<geom size="1"/></body>`), mjcf.Options{QPos: qpos}, nil)
	if notes := m.Account.Notes().Error(); !strings.Contains(notes, "1 body shown at the pose of its inertial frame, which is not computed") {
		t.Errorf("notes are %q", notes)
	}
}

// TestReadDeformable checks that numbers in qpos for the joints of a flexcomp are skipped, at their place in
// MuJoCo's order.
func TestReadDeformable(t *testing.T) {
	const flex = `<flexcomp name="f" type="grid" count="3 3 1"/>`
	text := world(`<body><joint/><geom size="1"/></body>` + flex + `<body pos="3 0 0"><joint type="slide"/><geom size="2"/></body>`)
	qpos := make([]float64, 29)
	qpos[28] = 5
	for i := 1; i < 28; i++ {
		qpos[i] = 100
	}
	m := must(t, text, mjcf.Options{QPos: qpos}, nil)
	if got := m.Places[1].Position; got != (geom.Vec3{X: 3, Z: 5}) {
		t.Errorf("the second body is at %v", got)
	}
	if notes := m.Account.Notes().Error(); !strings.Contains(notes, "1 flexcomp skipped with its numbers 1 to 27 of qpos") {
		t.Errorf("notes are %q", notes)
	}
	if m := must(t, text, mjcf.Options{QPos: []float64{0, 7}}, nil); m.Places[1].Position.Z != 7 {
		t.Errorf("without the flexcomp's positions, the second body is at %v", m.Places[1].Position)
	}
	keyed := strings.Replace(text, "</mujoco>", `<keyframe><key qpos="0`+strings.Repeat(" 100", 27)+` 6"/></keyframe></mujoco>`, 1)
	if m := must(t, keyed, mjcf.Options{Keyframe: "0"}, nil); m.Places[1].Position.Z != 6 {
		t.Errorf("at the keyframe, the second body is at %v", m.Places[1].Position)
	}
	for text, want := range map[string]string{
		text: "the model has 2 positions of joints (qpos), got 1",
		world(`<body><joint/><geom size="1"/></body>` + flex + flex): "besides those of 2 flexcomp and composite elements",
	} {
		n := 1
		if strings.Contains(want, "besides") {
			n = 9
		}
		if _, err := read(text, mjcf.Options{QPos: make([]float64, n)}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d positions give %v, want %s", n, err, want)
		}
	}
}

// TestReadKeyframesOfCopies checks the keyframes of attached models in which one element makes several joints, because
// it is replicated or in a model that is attached twice. Each joint must get its own position.
// For a model that is attached twice, the positions are those of MuJoCo 3.14, which rejects such keyframes of replicated
// joints.
func TestReadKeyframesOfCopies(t *testing.T) {
	const joint = `<body name="b"><joint name="j" type="slide"/><geom size=".1"/></body>`
	files := map[string]string{
		"row.xml": `<mujoco model="row"><worldbody><replicate count="2" offset="1 0 0"><replicate count="2" offset="0 1 0">` + joint + `</replicate></replicate></worldbody>
<keyframe><key name="k" qpos="1 2 3 4"/></keyframe></mujoco>`,
		"leaf.xml": `<mujoco model="leaf"><worldbody>` + joint + `</worldbody></mujoco>`,
		"two.xml": `<mujoco model="two"><asset><model name="leaf" file="leaf.xml"/></asset><worldbody><body name="first"><geom size=".1"/><attach model="leaf" prefix="l"/></body>
<frame name="f"><attach model="leaf" prefix="r"/></frame></worldbody><keyframe><key name="k" qpos="1 2"/></keyframe></mujoco>`,
	}
	for text, want := range map[string][]float64{
		`<attach model="row" prefix="x_"/>`: {1, 2, 3, 4},
		`<replicate count="2"><attach model="row" prefix="x_"/></replicate><attach model="row" prefix="y_"/>`: {1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0},
		`<attach model="two" prefix="x_"/>`:           {0, 2},
		`<attach model="two" frame="f" prefix="x_"/>`: {2},
	} {
		assets := `<mujoco><asset><model name="row" file="row.xml"/><model name="two" file="two.xml"/></asset><worldbody>`
		m := must(t, assets+text+`</worldbody></mujoco>`, mjcf.Options{Keyframe: "x_k"}, files)
		var got []float64
		for _, at := range m.Places {
			got = append(got, at.Position.Z)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the heights are %v, want %v", text, got, want)
		}
		if at := m.Places[0].Part.Places; len(at) == 1 && at[0].Position.Z != 1 {
			t.Errorf("%s: the inner height is %v, want 1", text, at[0].Position.Z)
		}
	}
}

// TestReadAttachedKeyframes checks that the keyframes of an attached model are available under their prefixed
// names. The numbers, names and positions are those of MuJoCo 3.14.
func TestReadAttachedKeyframes(t *testing.T) {
	files := map[string]string{"arm.xml": `<mujoco model="arm"><worldbody><body name="a" pos="0 0 1"><joint name="j1" type="slide"/><geom size=".1"/>
<body name="b" pos="1 0 0"><joint name="j2" type="slide" axis="1 0 0"/><geom size=".2"/></body></body><body name="c"><freejoint/><geom size=".3"/></body></worldbody>
<keyframe><key name="k" qpos="0.5 0.25 1 2 3 1 0 0 0"/></keyframe></mujoco>`}
	const text = `<mujoco><asset><model name="arm" file="arm.xml"/></asset><worldbody>
<body name="p"><joint name="h" type="slide"/><geom size=".1"/><attach model="arm" body="b" prefix="x_"/></body>
<body name="q"><joint type="slide" ref="0.3"/><geom size=".1"/></body><attach model="arm" prefix="y_"/></worldbody>
<keyframe><key name="own" qpos="9 8 7 6 5 0 0 0 1 0 0 0"/></keyframe></mujoco>`
	for key, want := range map[string]struct{ p, xb, q, ya, yb, yc geom.Vec3 }{
		"own": {geom.Vec3{Z: 9}, geom.Vec3{X: 9}, geom.Vec3{Z: 6.7}, geom.Vec3{Z: 7}, geom.Vec3{X: 6}, geom.Vec3{}},
		"x_k": {geom.Vec3{}, geom.Vec3{X: 1.25}, geom.Vec3{}, geom.Vec3{Z: 1}, geom.Vec3{X: 1}, geom.Vec3{}},
		"y_k": {geom.Vec3{}, geom.Vec3{X: 1}, geom.Vec3{}, geom.Vec3{Z: 1.5}, geom.Vec3{X: 1.25}, geom.Vec3{X: 1, Y: 2, Z: 3}},
		"2":   {geom.Vec3{}, geom.Vec3{X: 1}, geom.Vec3{}, geom.Vec3{Z: 1.5}, geom.Vec3{X: 1.25}, geom.Vec3{X: 1, Y: 2, Z: 3}},
	} {
		m := must(t, text, mjcf.Options{Keyframe: key}, files)
		at := m.Places
		got := want
		got.p, got.q, got.ya, got.yc = at[0].Position, at[1].Position, at[2].Position, at[3].Position
		got.xb, got.yb = at[0].Part.Places[0].Position, at[2].Part.Places[0].Position
		for i, d := range []geom.Vec3{got.p.Sub(want.p), got.xb.Sub(want.xb), got.q.Sub(want.q), got.ya.Sub(want.ya), got.yb.Sub(want.yb), got.yc.Sub(want.yc)} {
			if d.Norm() > 1e-12 {
				t.Errorf("%s: body %d of %+v, want %+v", key, i, got, want)
			}
		}
	}
	if _, err := read(text, mjcf.Options{Keyframe: "k"}, files); err == nil || !strings.Contains(err.Error(), `the model has 3 keyframes, and none is called "k"`) {
		t.Errorf("error %v", err)
	}
	files["arm.xml"] = strings.Replace(files["arm.xml"], "0.5 0.25", "0.5", 1)
	if _, err := read(text, mjcf.Options{Keyframe: "y_k"}, files); err == nil || !strings.Contains(err.Error(), "key.qpos: must be 9 numbers") {
		t.Errorf("error %v", err)
	}
}
