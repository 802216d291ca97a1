package conformance_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pillbox/internal/fixture/effort"
)

// faults are deliberate mistakes for this code. Each replaces text in one file, and names the test that must then
// fail.
var faults = []struct {
	name     string
	file     string
	old, new string
	pkg      string // package whose tests are run
	caughtBy string // a test that fails, or a prefix of the names of several tests
}{
	{"a product that may fuse", "geom/vec.go",
		"return float64(v.X*w.X) + float64(v.Y*w.Y)", "return v.X*w.X + float64(v.Y*w.Y)",
		"./internal/conformance", "TestNoFusedProducts"},
	{"a function that differs between machines", "camera/camera.go",
		"2 * (c.FOV / 2).Tan()", "2 * math.Tan(float64(c.FOV)*math.Pi/360)",
		"./internal/conformance", "TestNothingDiffersBetweenMachines"},
	{"a wrong quadrant", "geom/angle.go",
		"sin, cos = cos, -sin", "sin, cos = -cos, sin",
		"./geom", "TestAngleSinCos"},
	{"a discriminant with the wrong sign of r^2", "shapes/sphere.go",
		"disc := float64(r*r) - f.AddScaled(b, d).Norm2()", "disc := f.AddScaled(b, d).Norm2() - float64(r*r)",
		"./shapes", "TestSphere"},
	{"a tangent line that misses", "shapes/sphere.go",
		"if !(disc >= 0)", "if !(disc > 0)",
		"./shapes", "TestSphere"},
	{"an unsquared radius", "shapes/sphere.go",
		"<= s.Radius*s.Radius", "<= s.Radius",
		"./shapes", "TestSphereTouches"},
	{"a flipped normal", "shapes/sphere.go",
		"RoundNormal(p, s.Radius, r.Dir)", "RoundNormal(p.Neg(), s.Radius, r.Dir)",
		"./shapes", "TestSphere"},
	{"min and max in a slab test", "shapes/box.go",
		"if t > f.t {", "if t = max(t, f.t); t != f.t {",
		"./shapes", "TestBox"},
	{"zero treated as positive in a slab test", "shapes/box.go",
		"if inv < 0 {", "if d < 0 {",
		"./shapes", "TestBox"},
	{"nearly parallel treated as parallel", "shapes/capsule.go",
		"ParallelSine = 0x1p-52", "ParallelSine = 0x1p-20",
		"./shapes", "TestCapsule"},
	{"an axis of length zero", "shapes/capsule.go",
		"if length <= MinAxis*c.Radius {", "if length < 0 {",
		"./shapes", "TestCapsule"},
	{"a seam that loses its ball", "shapes/capsule.go",
		"x.near = (height - y) / dy", "return chord{}, false",
		"./shapes", "TestCapsule"},
	{"a cylinder without end", "shapes/cylinder.go",
		"if x.in > x.near {", "if false {",
		"./shapes", "TestCylinder"},
	{"a disc in whose plane a line misses", "shapes/cylinder.go",
		"if x.out < x.far {", "if !(x.out >= x.far) {",
		"./shapes", "TestCylinder"},
	{"a disc with the normal of the other", "shapes/cylinder.go",
		"math.Copysign(1, -x.dy)", "math.Copysign(1, x.dy)",
		"./shapes", "TestCylinder"},
	{"a rim with the normal of the side", "shapes/cylinder.go",
		"x.tangent = x.near == x.far", "if x.tangent = x.near == x.far; b+h == x.out { x.out = math.NaN() }",
		"./shapes", "TestCylinder"},
	{"an axis that a line is nearly parallel to", "shapes/cylinder.go",
		"parallel := a < ParallelSine*ParallelSine", "parallel := a < 0x1p-40",
		"./shapes", "TestCylinder"},
	{"bounds of a cylinder that lose digits", "shapes/cylinder.go",
		"geom.Vec3{Y: u.Y, Z: u.Z}.Norm()", "math.Sqrt(1-float64(u.X*u.X))",
		"./shapes", "TestBounds"},
	{"a segment that ends before the disc it touches", "shapes/cylinder.go",
		"if lo > hi {", "if lo >= hi {",
		"./shapes", "TestCylinderTouches"},
	{"a plane that hides what is just above it", "internal/accel/hemisphere.go",
		"k := outward.Dot(p) + slack", "k := outward.Dot(p) - 0x1p-30",
		"./internal/accel", "TestMayOcclude"},
	{"a distance that ends too early", "internal/accel/hemisphere.go",
		"return p.Sub(b.Center).Norm() - b.Radius", "return p.Sub(b.Center).Norm()",
		"./internal/accel", "TestMayOcclude"},
	{"a box whose turn does not count", "internal/accel/hemisphere.go",
		"b.Rotation.TransposeMulVec(p.Sub(b.Center))", "p.Sub(b.Center)",
		"./internal/accel", "TestMayOcclude"},
	{"a solid that hides the sky from its own surface", "internal/accel/hemisphere.go",
		"own := bvh.primOf(object)", "own := noPrim",
		"./internal/accel", "TestMayOcclude"},
	{"a normal that faces away from an open sky", "internal/follow/occlusion.go",
		"s.ForLight().MayOcclude(h.Point, n,", "s.ForLight().MayOcclude(h.Point, n.Neg(),",
		"./internal/tracer", "TestSkyDecisionIsExact"},
	{"an open sky inside a solid", "internal/follow/occlusion.go",
		"return h.Inside || s.ForLight()", "return s.ForLight()",
		"./internal/tracer", "TestSkyDecisionIsExact"},
	{"rays into the sky that stay behind", "internal/tracer/occlusion.go",
		"if !t.traceSky() {\n\t\treturn false\n\t}\n\tfor", "for",
		"./internal/tracer", "TestSkyDecisionIsExact"},
	{"a solid that hides the sky from its own point", "internal/accel/sky.go",
		"if at != t.own {", "if at >= 0 {",
		"./internal/accel", "TestBlockedSky"},
	{"a leaf that is forgotten for rays into the sky", "internal/accel/sky.go",
		"leaves |= 1 << k", "leaves = 1 << k",
		"./internal/accel", "TestBlockedSky"},
	{"a penumbra that cancels another", "internal/tracer/adaptive.go",
		"mix(hash^uint64(uint32(at.X))", "mix(uint64(uint32(at.X))",
		"./internal/tracer", "TestAdaptiveTellsPenumbrasApart"},
	{"a part of the sky without directions", "shade/occlusion.go",
		"if p.All == 0 {", "if p.All < 0 {",
		"./internal/follow", "TestSkyIsOpenExactly"},
	{"a sky that mirrors see from the wrong pixel", "internal/tracer/occlusion.go",
		"i = t.levels[depth].parent[i]", "_ = t.levels[depth].parent[i]",
		"./internal/tracer", "TestPacketsEqualFollower"},
	{"a dropped tie-break", "internal/accel/ray.go",
		"t == best.t && !bvh.winsTie(at, best.prim)", "t == best.t && best.prim == noPrim",
		"./internal/accel", "TestNearestTieGoesToSmallerNumber"},
	{"a tie-break dropped in packets", "internal/accel/packet.go",
		"t < pt.rays.t[i] || pt.bvh.winsTie(at, hitPrim(pt.rays.met[i]))", "t < pt.rays.t[i]",
		"./internal/accel", "TestNearestTieGoesToSmallerNumber"},
	{"bounds without slack", "internal/accel/bvh.go",
		"slackFactor * shapes.Slack", "0 * shapes.Slack",
		"./internal/accel", "TestWorldEqualsBrute"},
	{"half of the slack", "internal/accel/bvh.go",
		"slackFactor * shapes.Slack", "slackFactor / 2 * shapes.Slack",
		"./internal/accel", "TestSlackIsTight"},
	{"shafts that end too early", "internal/accel/bvh.go",
		"reachFactor * (b", "reachFactor / 2 * (b",
		"./internal/accel", "TestShaftsReachEveryHit"},
	{"bounds of pairs widened by half", "internal/accel/pairs.go",
		"5.5 * 0x1p-46", "2.75 * 0x1p-46",
		"./internal/accel", "TestPairSlackIsTight"},
	{"pairs widened by the smaller solid's rounding", "internal/accel/pairs.go",
		"pairSlack * bvh.reach", "pairSlack * bounds[a].MaxAbs()",
		"./internal/accel", "TestPairsOfTinyAndHuge"},
	{"half of a projection's margin", "internal/accel/projection.go",
		"marginFactor * 0x1p-53", "marginFactor / 2 * 0x1p-53",
		"./internal/accel", "TestMarginIsTight"},
	{"half of what directions lose by skew", "internal/accel/projection.go",
		"(1 - shortestLoss)", "(1 - shortestLoss/2)",
		"./internal/accel", "TestShortestIsTight"},
	{"a light that is passed by", "internal/tracer/packet.go",
		"dist = append(dist, reach)", "dist = append(dist, reach*1e9)",
		".", "TestGolden"},
	{"a neighbor that blocks where the ray leaves it", "internal/accel/accel.go",
		"case s == either && far > 0:", "case far > 0:",
		"./internal/accel", "TestDepartures"},
	{"a pixel sampled at its corner", "geom/packet.go",
		"(float64(p.X0+i)+0.5)/p.Density", "float64(p.X0+i)/p.Density",
		"./camera", "TestMiddlePixelLooksAtTarget"},
	{"a threshold rounded the wrong way", "shade/srgb.go",
		"int64(bits-math.Float64bits(encodeThreshold[below])) >> 63", "int64(bits-math.Float64bits(encodeThreshold[below])-1) >> 63",
		"./shade", "TestSRGBTables"},
	{"a mirror that forgets its matte part", "shade/shade.go",
		"c.Scale(1 - t).Add(d.Scale(t))", "c.Add(d.Scale(t))",
		"./shade", "TestMix"},
	{"color averaged over transparent samples, too", "internal/tracer/pixels.go",
		"return mean(sum, seen), seen", "return mean(sum, float64(t.Antialias*t.Antialias)), seen",
		".", "TestTransparentAveragesPremultiplied"},
	{"a tile that starts one pixel late", "internal/tracer/tracer.go",
		"Mul(j.tileSize).Add(j.prepared.Region.Min)", "Mul(j.tileSize).Add(j.prepared.Region.Min).Add(image.Pt(1, 0))",
		".", "TestGolden"},
	{"an inside hit lit from outside", "internal/tracer/packet.go",
		"case h.Inside && !room.Holds", "case false && !room.Holds",
		".", "TestGolden"},
	{"lights that cancel each other", "internal/tracer/packet.go",
		"lightHash(light)", "uint64(1)<<(light%64)",
		"./internal/tracer", "TestAdaptiveTellsManyLightsApart"},
	{"an explanation that adds up colors as they are", "explain/explain.go",
		"AddTimes(s.Color.ClampTo(s.Alpha), x.Weight)", "AddTimes(s.Color, x.Weight)",
		"./explain", "TestPixelsOfRandomScenesEqualRender"},
	{"an orthographic eye that is ignored", "internal/follow/interaction.go",
		"Eye: s.World.Enclosing(r.Origin)", "Eye: nil",
		"./internal/follow", "TestCameraKnowsWhatIsAroundTheEye"},
	{"an orthographic eye that is ignored, seen from the packets", "internal/follow/interaction.go",
		"Eye: s.World.Enclosing(r.Origin)", "Eye: nil",
		"./internal/tracer", "TestPacketsEqualFollower"},
	{"a packet of which no ray starts inside solids", "internal/tracer/packet.go",
		"t.insideSolids = t.packet.Parallel && t.World.Near(t.packet.Origins())", "t.insideSolids = false",
		"./internal/tracer", "TestPacketsEqualFollower"},
	{"a mirror ray that forgets that it is inside", "internal/follow/interaction.go",
		"Inside: q.Hit.Inside,", "Inside: false,",
		"./internal/tracer", "TestPacketsEqualFollower"},
	{"a packet's mirror rays that forget that they are inside", "internal/tracer/packet.go",
		"d.Object, d.Inside = h.Object, h.Inside", "d.Object, d.Inside = h.Object, false",
		"./internal/tracer", "TestPacketsEqualFollower"},
	{"a mirror that reflects once too often", "internal/follow/interaction.go",
		"q.Depth < s.Scene.Shading.Bounces", "q.Depth <= s.Scene.Shading.Bounces",
		"./internal/tracer", "TestPacketsEqualFollower"},
	{"an explained inside hit lit from outside", "internal/follow/light.go",
		"q.Hit.Inside && !room.Holds(q.Hit.Object)", "false && !room.Holds(0)",
		"./internal/tracer", "TestPacketsEqualFollower"},
	{"a tolerance that what reaches it exceeds", "internal/regress/pixels.go",
		"most > f.tolerance", "most >= f.tolerance",
		"./internal/regress", "TestExplainCountsAsTheComparison"},
	{"a tile left midway that stays on the film", "internal/tracer/tracer.go",
		"j.pixels.erase(tile)", "_ = tile",
		"./internal/tracer", "TestRenderEndsAnywhere"},
	{"a tile left midway that counts as done", "internal/tracer/tracer.go",
		"if !w.render(tile) || j.ended() {", "if w.render(tile); false {",
		"./internal/tracer", "TestRenderEndsAnywhere"},
	{"rays that are traced on after they were canceled", "internal/accel/stream.go",
		"if s.tree.isCanceled() {", "if false {",
		"./internal/accel", "TestCancelable"},
	{"context not checked between lights", "internal/tracer/packet.go",
		"if t.ctx.Err() != nil {\n\t\t\treturn false", "if false {\n\t\t\treturn false",
		"./internal/tracer", "TestRenderLooksAtItsContextOften"},
}

// TestFaultsMatchTheCode checks that the text that each fault replaces exists. Unlike TestPlantedFaults, it is fast
// and always runs.
func TestFaultsMatchTheCode(t *testing.T) {
	for _, f := range faults {
		sound, err := os.ReadFile(f.file)
		if err != nil {
			t.Error(err)
		} else if !bytes.Contains(sound, []byte(f.old)) {
			t.Errorf("%s: %s has no %q", f.name, f.file, f.old)
		}
	}
}

// TestPlantedFaults inserts faults into a copy of the module, and checks that the fault's test fails. Only campaigns try
// all of them.
func TestPlantedFaults(t *testing.T) {
	if !effort.IsAll() {
		t.Skip("plants faults and runs the tests on each; needs -effort all")
	}
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	for i, f := range faults {
		if i%9 != 0 && !effort.IsCampaign() {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			file := filepath.Join(root, f.file)
			sound, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			faulty := bytes.Replace(sound, []byte(f.old), []byte(f.new), 1)
			if !bytes.Contains(sound, []byte(`"math"`)) && strings.Contains(f.new, "math.") {
				faulty = bytes.Replace(faulty, []byte("import (\n"), []byte("import (\n\t\"math\"\n"), 1)
			}
			if err := os.WriteFile(file, faulty, 0o666); err != nil {
				t.Fatal(err)
			}
			defer os.WriteFile(file, sound, 0o666)

			if out, ok := passes(t, root, f.pkg, f.caughtBy); ok {
				t.Errorf("%s: not caught by %s\n%s", f.file, f.caughtBy, out)
			}
		})
	}
}

// ranAndFailed matches the line that go test prints for a package whose tests were compiled and failed or panicked.
var ranAndFailed = regexp.MustCompile(`(?m)^FAIL\t\S+\t[0-9.]+s$`)

// passes runs the tests of the package pkg whose names begin with name, with -effort all if they have this flag. ok reports whether
// they pass, and out is their output.
func passes(t *testing.T, root, pkg, name string) (out []byte, ok bool) {
	list := exec.Command("go", "list", "-f", `{{join .TestImports " "}} {{join .XTestImports " "}}`, pkg)
	list.Dir = root
	imports, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	// With vet, the command would read every affected package once more.
	cmd := exec.Command("go", "test", "-vet=off", "-run", "^"+name, pkg)
	if bytes.Contains(imports, []byte("pillbox/internal/fixture/effort")) {
		cmd.Args = append(cmd.Args, "-effort", "all")
	}
	cmd.Dir = root
	out, err = cmd.CombinedOutput()
	if err != nil && !ranAndFailed.Match(out) {
		t.Fatalf("the tests did not run: %v\n%s", err, out)
	}
	return out, err == nil
}
