package urdf_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
	"testing/fstest"

	"pillbox/internal/convert/model"
	"pillbox/internal/convert/urdf"
)

// stripes returns a picture of which the given number of eight columns is white and the others are black.
func stripes(white int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, 8, 8))
	for i := range 64 {
		gray := color.NRGBA{A: 0xff}
		if i%8 < white {
			gray = color.NRGBA{0xff, 0xff, 0xff, 0xff}
		}
		img.SetNRGBA(i%8, i/8, gray)
	}
	return img
}

func encoded(t *testing.T, img image.Image, asJPEG bool) *fstest.MapFile {
	t.Helper()
	var b bytes.Buffer
	err := png.Encode(&b, img)
	if asJPEG {
		b.Reset()
		err = jpeg.Encode(&b, img, &jpeg.Options{Quality: 100})
	}
	if err != nil {
		t.Fatal(err)
	}
	return &fstest.MapFile{Data: b.Bytes()}
}

// dae returns a COLLADA file of a tetrahedron: two faces have the symbol A, the other two, of the same areas, B. The scene
// binds A to the effect a and B to b.
func dae(a, b string) string {
	effect := func(id, diffuse string) string {
		return `<effect id="` + id + `-fx"><profile_COMMON><newparam sid="` + id + `-surface"><surface type="2D"><init_from>pic-` + id + `</init_from></surface></newparam>` +
			`<newparam sid="` + id + `-sampler"><sampler2D><source>` + id + `-surface</source></sampler2D></newparam>` +
			`<technique sid="common"><phong><emission><color>1 1 1 1</color></emission><diffuse>` + diffuse + `</diffuse></phong></technique></profile_COMMON></effect>`
	}
	return `<COLLADA><library_images><image id="pic-a"><init_from>./img/a%20b.png</init_from></image><image id="pic-b"><init_from>img\b.jpg</init_from></image></library_images>
<library_effects>` + effect("a", a) + effect("b", b) + `</library_effects>
<library_materials><material id="ma"><instance_effect url="#a-fx"/></material><material id="mb"><instance_effect url="#b-fx"/></material></library_materials>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array>1 1 1 -1 -1 1 -1 1 -1 1 -1 -1</float_array></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles material="A"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3</p></triangles>
<polylist material="B"><input semantic="VERTEX" source="#v" offset="0"/><vcount>3 3</vcount><p>0 3 2 1 2 3</p></polylist></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"><bind_material><technique_common>
<instance_material symbol="A" target="#ma"/><instance_material symbol="B" target="#mb"/></technique_common></bind_material></instance_geometry></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>`
}

const tetrahedronOBJ = "mtllib arm.mtl\nv 1 1 1\nv -1 -1 1\nv -1 1 -1\nv 1 -1 -1\nusemtl dark red\nf 1 3 2\nf 1 2 4\nusemtl textured\nf 1 4 3\nf 2 3 4\n"

// TestMeshColors checks the color of meshes: that of COLLADA's effects and Wavefront's materials, the mean color of
// textures in linear light, and the mean by area of several. A material in the robot takes precedence.
func TestMeshColors(t *testing.T) {
	const red, blue, white = "<color>1 0 0 1</color>", "<color>0 0 1 1</color>", "<color>1 1 1 1</color>"
	texture := func(id string) string { return `<texture texture="` + id + `-sampler" texcoord="UV"/>` }
	for _, c := range []struct {
		what, mesh, obj, material, mtl string
		want                           model.Color
		note                           string
	}{
		{what: "one color", mesh: dae(red, red), want: "#ff0000"},
		{what: "half red, half blue", mesh: dae(red, blue), want: "#bc00bc", note: "1 mesh shown in the mean of its 2 colors: m.dae"},
		{what: "white and nothing", mesh: dae(white, "<param ref='x'/>"), want: "#ffffff"},
		{what: "a quarter white", mesh: dae(texture("a"), texture("a")), want: "#898989"},
		{what: "JPEG, half white", mesh: dae("", texture("b")), want: "#bcbcbc"},
		{what: "texture and white", mesh: dae(white, texture("b")), want: "#e1e1e1", note: "1 mesh shown in the mean of its 2 colors"},
		{what: "the image itself", mesh: dae(`<texture texture="pic-a"/>`, `<texture texture="pic-a"/>`), want: "#898989"},
		{what: "no such picture", mesh: strings.ReplaceAll(dae(texture("a"), red), "a%20b.png", "c.png"), want: "#ff0000",
			note: "1 color of a mesh not shown: m.dae: ./img/c.png was not found in the model's folder"},
		{what: "no picture", mesh: strings.ReplaceAll(dae(texture("a"), red), "a%20b.png", "x.tga"), want: "#ff0000",
			note: "1 color of a mesh not shown: m.dae: ./img/x.tga is neither a PNG nor a JPEG"},
		{what: "the robot's material", mesh: dae(red, red), material: `<material name="m"><color rgba="0 1 0 1"/></material>`, want: "#00ff00"},
		{what: "the robot's texture", mesh: dae(red, red), material: `<material name="m"><texture filename="package://img/a b.png"/></material>`, want: "#898989",
			note: "1 texture of a material shown as its mean color"},
		{what: "a missing texture", mesh: dae(red, red), material: `<material name="m"><texture filename="none.png"/></material>`, want: "#ff0000",
			note: "1 texture of a material not shown: none.png was not found in the model's folder"},
		{what: "Wavefront", obj: tetrahedronOBJ, mtl: "newmtl dark red\nKd 0.5 0 0\r\nnewmtl textured\nmap_Kd -s 1 1 1 img/a\\b.jpg\n", want: "#a28989",
			note: "1 mesh shown in the mean of its 2 colors: m.obj"},
		{what: "no library", obj: tetrahedronOBJ, want: "",
			note: "2 colors of a mesh not shown: m.obj: arm.mtl was not found in the model's folder"},
		{what: "no material", obj: tetrahedronOBJ, mtl: "newmtl dark red\nKd 0.5 0 0\n", want: "#800000",
			note: `1 color of a mesh not shown: m.obj: arm.mtl has no material "textured"`},
	} {
		folder := fstest.MapFS{"img/a b.png": encoded(t, stripes(2), false), "img/b.jpg": encoded(t, stripes(4), true), "img/a/b.jpg": encoded(t, stripes(4), true),
			"img/x.tga": {Data: []byte("no picture")}}
		file := "m.dae"
		if c.obj != "" {
			file = "m.obj"
		}
		folder[file] = &fstest.MapFile{Data: []byte(c.mesh + c.obj)}
		if c.mtl != "" {
			folder["arm.mtl"] = &fstest.MapFile{Data: []byte(c.mtl)}
		}
		for _, visual := range []bool{false, true} { // collision geometry has the color of the visual
			robot := `<robot name="r"><link name="a"><visual><geometry><mesh filename="` + file + `"/></geometry>` + c.material +
				`</visual><collision><geometry><sphere radius="1"/></geometry></collision></link></robot>`
			m, err := urdf.Read(model.Source{Name: "r.urdf", Text: strings.NewReader(robot), Folder: folder}, urdf.Options{Approximate: true, Visual: visual})
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := m.Write(&b, model.Tables{}); err != nil {
				t.Fatal(err)
			}
			if has := strings.Contains(b.String(), `"`+string(c.want)+`"`); !has && c.want != "" {
				t.Errorf("%s, visual %v: want %s\n%s", c.what, visual, c.want, b.String())
			}
			if notes := fmt.Sprint(m.Account.Notes()); !strings.Contains(notes, c.note) {
				t.Errorf("%s: %s, want %s", c.what, notes, c.note)
			}
		}
	}
}
