package commands_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/convert/commands"
	"pillbox/internal/osfile"
)

// ballRobot is a robot with a ball and a mesh.
const ballRobot = `<robot name="ball"><link name="base"><collision name="hull"><geometry><sphere radius="0.5"/><mesh/></geometry></collision></link></robot>`

func TestImport(t *testing.T) {
	note := "ball.urdf:1:93: note: 1 mesh skipped (--approximate shows what contains it)\n"
	ray := "ox,oy,oz,dx,dy,dz\n0,0,9,0,0,-1\n"
	hit := "ray,t,x,y,z,nx,ny,nz,object,name,inside\n0,8.5,0,0,0.5,0,0,1,0,base/hull,false\n"
	programtest.InFolder(t, map[string]string{"ball.urdf": ballRobot, "other": ballRobot})
	for _, c := range []struct {
		args, output, stdin, note string
	}{
		{"import ball.urdf", "ball.toml", "", note},
		{"import ball.urdf -o a.toml --quiet", "a.toml", "", ""},
		{"import ball.urdf -o a.toml --force", "a.toml", "", note},
		{"import other --format urdf -o b.TOML", "b.TOML", "", strings.Replace(note, "ball.urdf", "other", 1)},
		{"import - --format urdf -o c.toml", "c.toml", ballRobot, strings.Replace(note, "ball.urdf", "<stdin>", 1)},
	} {
		if got := (programtest.Invocation{Stdin: strings.NewReader(c.stdin)}).Run(strings.Fields(c.args)...); got != (programtest.Outcome{Stderr: c.note}) {
			t.Errorf("%s: %+v", c.args, got)
		}
		if got := (programtest.Invocation{Stdin: strings.NewReader(ray)}).Run("cast", c.output); got != (programtest.Outcome{Stdout: hit}) {
			t.Errorf("%s: %+v", c.args, got)
		}
	}
	toml := programtest.Invocation{}.Run("import", "ball.urdf", "-o", "-", "--quiet")
	if got := (programtest.Invocation{Stdin: strings.NewReader(toml.Stdout)}).Run("check", "-"); got.Status != 0 || toml.Stderr != "" {
		t.Errorf("%+v, %+v", toml, got)
	}
}

// TestImportMJCF checks the flags of import for MJCF files, and a model that includes another file of its folder.
func TestImportMJCF(t *testing.T) {
	programtest.InFolder(t, map[string]string{
		"arm.xml":  `<mujoco><include file="more.xml"/><worldbody><body name="arm"><joint axis="0 1 0"/><geom name="bone" type="capsule" size=".1" fromto="0 0 0 0 0 1" group="4"/><site name="s" size=".1"/></body></worldbody></mujoco>`,
		"more.xml": `<mujoco><keyframe><key name="out" qpos="1.5707963267948966"/></keyframe></mujoco>`,
	})
	for _, args := range []string{"--keyframe out", "--qpos 1.5707963267948966"} {
		if got := (programtest.Invocation{}).Run(strings.Fields("import arm.xml --force -o arm.toml --groups 4 " + args)...); got != (programtest.Outcome{}) {
			t.Errorf("%s: %+v", args, got)
		}
		if got := (programtest.Invocation{Stdin: strings.NewReader("ox,oy,oz,dx,dy,dz\n0.5,0,9,0,0,-1\n")}).Run("cast", "arm.toml"); !strings.Contains(got.Stdout, ",arm/bone,") {
			t.Errorf("%s: %+v", args, got)
		}
	}
	for args, says := range map[string]string{
		"import arm.xml --joint a=1":             "--joint is for urdf, and the file is mjcf",
		"import arm.xml --groups 6":              "--groups: must be numbers from 0 to 5",
		"import arm.xml -o x.toml --qpos 1,2":    "the model has 1 positions of joints (qpos), got 2",
		"import arm.xml --qpos x":                "--qpos: must be numbers",
		"import arm.xml -o x.toml":               "nothing to show",
		"import arm.xml -o x.toml --camera c":    `no camera "c"`,
		"import arm.xml -o more.xml":             "must end in .toml",
		"import arm.xml -o x.toml --format urdf": "arm.xml:1:1: mujoco: must be <robot>",
		"import more.xml --keyframe other":       `none is called "other"`,
	} {
		if got := (programtest.Invocation{}).Run(strings.Fields(args)...); got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, says) {
			t.Errorf("%s: %+v, want %s", args, got, says)
		}
	}
}

// TestImportGhost checks that --ghost collision shows the visual geometry inside the ghost, unless --geometry says otherwise.
func TestImportGhost(t *testing.T) {
	programtest.InFolder(t, map[string]string{"arm.urdf": `<robot><link name="a"><visual><geometry><sphere radius="1"/></geometry></visual>` +
		`<collision><geometry><box size="1 1 1"/></geometry></collision></link></robot>`})
	for args, want := range map[string][2]int{ // numbers of visual and collision solids
		"--ghost collision":                      {1, 1},
		"--ghost visual":                         {1, 1},
		"--ghost collision --geometry collision": {0, 1},
		"--ghost visual --geometry visual":       {1, 0},
		"--ghost visual --geometry collision":    {1, 1},
	} {
		got := programtest.Invocation{}.Run(strings.Fields("import arm.urdf -o - " + args)...)
		if n := [2]int{strings.Count(got.Stdout, ".sphere]]"), strings.Count(got.Stdout, ".box]]")}; n != want || strings.Count(got.Stdout, `material = "ghost"`) != 1 {
			t.Errorf("%s: %v solids, want %v: %+v", args, n, want, got)
		}
	}
}

// TestImportBulk checks that import writes a scene and its bulk files together or writes neither.
func TestImportBulk(t *testing.T) {
	balls := `<robot><link name="base"><collision><geometry>` + strings.Repeat(`<sphere radius="1"/>`, 1001) + `</geometry></collision></link></robot>`
	programtest.InFolder(t, map[string]string{"balls.urdf": balls})
	if got := (programtest.Invocation{}).Run("import", "balls.urdf"); got != (programtest.Outcome{}) {
		t.Errorf("%+v", got)
	}
	if got := programtest.Names(t); len(got) != 3 || !got["balls-base-spheres.csv"] || !got["balls.toml"] {
		t.Errorf("files %v", got)
	}
	if got := (programtest.Invocation{}).Run("check", "balls.toml", "--overlaps", "off"); got.Status != 0 {
		t.Errorf("%+v", got)
	}
	if err := os.Mkdir("other-base-spheres.csv", 0o755); err != nil {
		t.Fatal(err)
	}
	if got := (programtest.Invocation{}).Run("import", "balls.urdf", "-o", "other.toml"); got.Status != cli.StatusFile || osfile.Exists("other.toml") {
		t.Errorf("%+v", got)
	}
	if n := len(programtest.Names(t)); n != 4 {
		t.Errorf("%d files, want no new one", n)
	}
	if got := (programtest.Invocation{}).Run("import", "balls.urdf", "-o", "balls-base-spheres.csv"); got.Status != cli.StatusWrong {
		t.Errorf("%+v", got)
	}
}

func TestImportRefuses(t *testing.T) {
	programtest.InFolder(t, map[string]string{"ball.urdf": ballRobot, "ball.toml": "", "bad.urdf": "<robot>\n<link name='ä' name2='1'><collision><geometry><sphere radius='x'/></geometry></collision></link></robot>", "none.urdf": "<robot><link name='a'/></robot>", "a.xyzzy": "", "m.xml": `<mujoco><worldbody><geom size="1"/></worldbody></mujoco>`})
	for _, c := range []struct {
		args   string
		status int
		says   string
	}{
		{"import", cli.StatusWrong, "want one file, got none"},
		{"import a.stl", cli.StatusWrong, "a.stl is a mesh; 'render fit a.stl' makes"},
		{"import a.xyzzy", cli.StatusWrong, `no format has the extension ".xyzzy"; import reads bcif (.bcif), gro (.gro), mjcf (.xml, .mjcf), `},
		{"import -", cli.StatusWrong, "standard input needs --format: bcif, gro, mjcf, "},
		{"import ball.urdf", cli.StatusWrong, "ball.toml is there already; '-o ball.toml --force' replaces it"},
		{"import ball.urdf -o x.png", cli.StatusWrong, `output must end in .toml, got "x.png"`},
		{"import ball.urdf --format pdf", cli.StatusWrong, `--format: must be `},
		{"import ball.urdf --joint elbow", cli.StatusWrong, `--joint: must be NAME=VALUE, got "elbow"`},
		{"import ball.urdf --joint elbow=inf", cli.StatusWrong, `--joint: must end in a number`},
		{"import ball.urdf --joint elbow=1 -o x.toml", cli.StatusWrong, `no joint "elbow"`},
		{"import bad.urdf", cli.StatusWrong, "bad.urdf:2:63: warning: sphere.radius: must be numbers of at most 1e+15 in magnitude (skipped), got \"x\"\n"},
		{"import bad.urdf --strict", cli.StatusWrong, "bad.urdf:2:63: sphere.radius: must be numbers of at most 1e+15 in magnitude, got \"x\"\n"},
		{"import ball.urdf -o x.toml --ghost visual", cli.StatusWrong, "has no visual geometry for --ghost"},
		{"import ball.urdf -o x.toml --ghost all", cli.StatusWrong, `--ghost: must be collision or visual, got "all"`},
		{"import m.xml -o x.toml --ghost 5", cli.StatusWrong, "has no visible geom in the groups of --ghost: 5"},
		{"import - --format mjcf -o - --ghost=", cli.StatusWrong, "--ghost: must be groups of geoms, such as 3 or 3,4"},
		{"import - --format mjcf -o - --ghost 6", cli.StatusWrong, "--ghost: must be numbers from 0 to 5"},
		{"import - --format xyz -o - --ghost watr", cli.StatusWrong, `--ghost: column 1: want a selection`},
		{"import ball.urdf --root x", cli.StatusWrong, "--root must contain the file's folder, got x"},
		{"import none.urdf", cli.StatusWrong, "nothing to show"},
		{"import gone.urdf", cli.StatusFile, "gone.urdf"},
		{"import ball.urdf -o ball.urdf/x.toml", cli.StatusFile, "ball.urdf/x.toml"},
	} {
		got := programtest.Invocation{}.Run(strings.Fields(c.args)...)
		if got.Status != c.status || !strings.Contains(got.Stderr, c.says) || got.Stdout != "" {
			t.Errorf("%s: %+v, want status %d and %s", c.args, got, c.status, c.says)
		}
	}
	if got := programtest.Names(t); len(got) != 6 {
		t.Errorf("files %v", got)
	}
	// A terminal shows the line with the problem, also for standard input.
	got := programtest.Invocation{ErrColumns: 80, Stdin: strings.NewReader("<robot>\n<link/></robot>")}.Run("import", "-", "--format", "urdf", "--strict", "-o", "x.toml")
	if !strings.Contains(got.Stderr, "<link/></robot>") {
		t.Errorf("%+v", got)
	}
}

// TestImportRoot checks that a model may include files from the folder --root.
func TestImportRoot(t *testing.T) {
	programtest.InFolder(t, map[string]string{
		"a/hand/hand.xml": `<mujoco><worldbody><include file="../arm/arm.xml"/><geom size="1"/></worldbody></mujoco>`,
		"a/arm/arm.xml":   `<mujocoinclude><body name="arm"><geom size="2"/><include file="bone.xml"/></body></mujocoinclude>`,
		"a/arm/bone.xml":  `<mujocoinclude><geom size="3"/></mujocoinclude>`,
	})
	got := programtest.Invocation{}.Run("import", "a/hand/hand.xml", "-o", "-")
	if got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, "--root DIR allows another folder") {
		t.Errorf("without --root: %+v", got)
	}
	got = programtest.Invocation{}.Run("import", "a/hand/hand.xml", "-o", "-", "--root", "a")
	if got.Status != cli.StatusDone || strings.Count(got.Stdout, "radius = ") != 3 {
		t.Errorf("with --root: %+v", got)
	}
	for name, says := range map[string]string{"../../../up.xml": "must be in the folder of --root or below it", "/up.xml": "must be relative to the folder of the model"} {
		programtest.WriteText(t, "a/hand/up.xml", `<mujoco><worldbody><include file="`+name+`"/></worldbody></mujoco>`)
		got := programtest.Invocation{}.Run("import", "a/hand/up.xml", "-o", "-", "--root", "a")
		if got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, says) || strings.Contains(got.Stderr, "allows another") {
			t.Errorf("%s: %+v, want %s", name, got, says)
		}
	}
	got = programtest.Invocation{}.Run("import", "a/hand/hand.xml", "-o", "-", "--root", "a/arm")
	if got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, "--root must contain the file's folder, got a/arm") {
		t.Errorf("with another folder: %+v", got)
	}
}

// TestImportMolecule checks the flags of import for molecules.
func TestImportMolecule(t *testing.T) {
	programtest.InFolder(t, map[string]string{"water.xyz": "3\n\nO 0 0 0\nH 0.76 0.59 0\nH -0.76 0.59 0\n3\n\nO 9 0 0\nH 9.76 0.59 0\nH 8.24 0.59 0\n"})
	for args, want := range map[string]string{
		"":                         "O1,",
		"--no-hydrogens":           "O1,",
		"--style sticks":           "0,,false",
		"--style balls-and-sticks": "O1,",
	} {
		if got := (programtest.Invocation{}).Run(strings.Fields("import water.xyz --force -o water.toml " + args)...); got != (programtest.Outcome{}) {
			t.Errorf("%s: %+v", args, got)
		}
		got := (programtest.Invocation{Stdin: strings.NewReader("ox,oy,oz,dx,dy,dz\n0,0,9,0,0,-1\n")}).Run("cast", "water.toml")
		if !strings.Contains(got.Stdout, ","+want) || got.Status != 0 {
			t.Errorf("%s: %+v", args, got)
		}
	}
	if got := (programtest.Invocation{}).Run("import", "water.xyz", "--model", "2", "-o", "second.toml"); got != (programtest.Outcome{}) {
		t.Errorf("%+v", got)
	}
	if got := (programtest.Invocation{Stdin: strings.NewReader("ox,oy,oz,dx,dy,dz\n9,0,9,0,0,-1\n")}).Run("cast", "second.toml"); !strings.Contains(got.Stdout, ",O1,") {
		t.Errorf("%+v", got)
	}
	for args, says := range map[string]string{
		"import water.xyz --model 3 -o x.toml": "--model: must be at most 2",
		"import water.xyz --style ball":        "must be spacefill, sticks, balls-and-sticks, tube",
		"import water.xyz --no-water":          "--no-water is for bcif, gro, mmcif, mol2, pdb and pqr, and the file is xyz",
	} {
		if got := (programtest.Invocation{}).Run(strings.Fields(args)...); got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, says) {
			t.Errorf("%s: %+v, want %q", args, got, says)
		}
	}
}

// dimer is a molecule whose biological assembly consists of two copies.
const dimer = `data_dimer
_pdbx_struct_assembly.id 1
_pdbx_struct_assembly.details author_defined_assembly
_pdbx_struct_assembly.oligomeric_details dimeric
_pdbx_struct_assembly_gen.assembly_id 1
_pdbx_struct_assembly_gen.oper_expression 1,2
_pdbx_struct_assembly_gen.asym_id_list A
loop_
_pdbx_struct_oper_list.id
_pdbx_struct_oper_list.matrix[1][1]
_pdbx_struct_oper_list.matrix[1][2]
_pdbx_struct_oper_list.matrix[1][3]
_pdbx_struct_oper_list.vector[1]
_pdbx_struct_oper_list.matrix[2][1]
_pdbx_struct_oper_list.matrix[2][2]
_pdbx_struct_oper_list.matrix[2][3]
_pdbx_struct_oper_list.vector[2]
_pdbx_struct_oper_list.matrix[3][1]
_pdbx_struct_oper_list.matrix[3][2]
_pdbx_struct_oper_list.matrix[3][3]
_pdbx_struct_oper_list.vector[3]
1 1 0 0 0 0 1 0 0 0 0 1 0
2 -1 0 0 20 0 -1 0 0 0 0 1 0
loop_
_atom_site.type_symbol
_atom_site.label_atom_id
_atom_site.label_comp_id
_atom_site.label_asym_id
_atom_site.label_seq_id
_atom_site.Cartn_x
_atom_site.Cartn_y
_atom_site.Cartn_z
C CA GLY A 1 0 0 0
C CA GLY A 2 3.8 0 0
O O HOH A . 0 5 0
`

// TestImportAssembly checks that import lists and shows biological assemblies, and applies selections and styles to
// them.
func TestImportAssembly(t *testing.T) {
	programtest.InFolder(t, map[string]string{"dimer.cif": dimer})
	want := "ASSEMBLY  COPIES  ATOMS  CHAINS  DETAILS\n1         2       6      A       dimeric, author defined assembly\n"
	if got := (programtest.Invocation{}).Run("import", "dimer.cif", "--assembly", "list"); got != (programtest.Outcome{Stdout: want}) {
		t.Errorf("%+v", got)
	}
	if n := len(programtest.Names(t)); n != 1 {
		t.Errorf("%d files after listing", n)
	}
	want = strings.Replace(want, " 6 ", " 4 ", 1)
	if got := (programtest.Invocation{Stdin: strings.NewReader(dimer)}).Run("import", "-", "--format", "mmcif", "--assembly", "list", "--select", "protein"); got != (programtest.Outcome{Stdout: want}) {
		t.Errorf("%+v", got)
	}
	for args, hit := range map[string]string{
		"":                           "1/A.GLY1.CA,",
		"--select water":             ",,",
		"--style tube":               ",,false",
		"--no-water --style spheres": "1/A.GLY1.CA,",
		"--color position":           "1/A.GLY1.CA,",
		"--label chain --look print": "1/A.GLY1.CA,",
	} {
		if got := (programtest.Invocation{}).Run(strings.Fields("import dimer.cif --force -o dimer.toml --assembly 1 " + args)...); got != (programtest.Outcome{}) {
			t.Errorf("%s: %+v", args, got)
		}
		got := (programtest.Invocation{Stdin: strings.NewReader("ox,oy,oz,dx,dy,dz\n0.1,0,9,0,0,-1\n")}).Run("cast", "dimer.toml")
		if !strings.Contains(got.Stdout, hit) || got.Status != 0 {
			t.Errorf("%s: %+v, want %s", args, got, hit)
		}
	}
	for args, says := range map[string]string{
		"--assembly 2":                 `--assembly: dimer.cif has no assembly "2"; it has 1`,
		"--select watr":                `--select: column 1: want a selection such as chain A, ligand or not water, got "watr"; did you mean "water"?`,
		"--select=":                    "--select: column 1: want a selection",
		"--cell":                       "--cell: dimer.cif has no unit cell",
		"--fill-cell":                  "--fill-cell: dimer.cif has no unit cell",
		"--label ligand":               "--label: dimer.cif has no ligands",
		"--label x":                    "--label: must be chain, ligand or chain,ligand",
		"--color bfactor":              "--color: dimer.cif has no B-factors",
		"--assembly list --format sdf": "--assembly is for bcif, mmcif and pdb, and the file is sdf",
	} {
		got := (programtest.Invocation{}).Run(strings.Fields("import dimer.cif -o other.toml " + args)...)
		if got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, says) {
			t.Errorf("%s: %+v, want %q", args, got, says)
		}
	}
	got := (programtest.Invocation{}).Run("import", "dimer.cif", "-o", "other.toml", "--select", "chain A B")
	if want := "dimer.cif: warning: --select: column 9: no atom has chain \"B\"\n"; got != (programtest.Outcome{Stderr: want}) {
		t.Errorf("%+v, want %s", got, want)
	}
}

// TestImportFlagsOfOtherFormats checks flags of import that apply only to some formats. Each must be an error with
// every other format.
func TestImportFlagsOfOtherFormats(t *testing.T) {
	programtest.InFolder(t, nil)
	values := map[string]string{"groups": "0", "keyframe": "k", "qpos": "1", "root": ".", "fit": "2", "camera": "c", "geometry": "visual",
		"joint": "j=1", "style": "sticks", "color": "chain", "model": "1", "select": "all", "assembly": "1", "look": "print", "label": "chain", "ghost": "0"} // for flags that take a value
	for flag, formats := range commands.FlagFormats() {
		args := []string{"import", "-", "-o", "-", "--" + flag}
		if value := values[flag]; value != "" {
			args = append(args, value)
		}
		refused := 0
		for _, format := range commands.FormatNames() {
			got := programtest.Invocation{Stdin: strings.NewReader("")}.Run(append(args, "--format", format)...)
			if strings.Contains(got.Stderr, "--"+flag+" is for ") == slices.Contains(formats, format) {
				t.Errorf("--%s, %s: %+v", flag, format, got)
			} else if got.Status == cli.StatusWrong {
				refused++
			}
		}
		if refused == 0 || len(formats) == 0 {
			t.Errorf("--%s is for %v", flag, formats)
		}
	}
}

// TestImportHelpMentionsTables checks that the help describes what happens to CSV files with -o -.
func TestImportHelpMentionsTables(t *testing.T) {
	help := programtest.Invocation{}.Run("help", "import").Stdout
	if !strings.Contains(help, "With -o -, which has no folder for CSV files") {
		t.Errorf("the help of import does not state what happens to CSV files without a folder: %s", help)
	}
}
