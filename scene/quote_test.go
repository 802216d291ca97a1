package scene

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pillbox/internal/text"
	"pillbox/problem"
)

// TestMessagesAreShort checks that messages quote at most 80 characters of a key, a value or a name.
func TestMessagesAreShort(t *testing.T) {
	const sphere = "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n"
	for _, scene := range []string{
		"@ = 1\n",
		"[@]\n",
		"[[sphere]]\n@ = 1\n",
		"[camera]\nprojection = '@'\nposition = '@'\nup = '@'\n",
		sphere + "name = '@'\nmaterial = '@'\ncolor = '#@'\n",
		sphere + "color = '@'\n",
		sphere + "name = 'b@'\n" + sphere + "name = 'b@'\n",
		"[material.@]\n[material.@b]\n" + sphere,
		"[part.@]\n[part.@b]\n" + sphere,
		"[[part.@.place]]\npart = '@'\n",
		"[[part.@.sphere]]\nradius = -1\n",
		"[[part.b.place]]\npart = 'b'\nname = '@'\n",
		"[[place]]\npart = '@'\nname = '@'\n",
		"[part.p]\n[[part.p.sphere]]\ncenter = [1e15, 0, 0]\nradius = 1\nname = '@'\n[[place]]\npart = 'p'\nname = '@'\nposition = [1e15, 0, 0]\n",
		"[[bulk]]\nfile = '@'\nshape = '@'\n",
		"include = ['@', '@']\n",
		"[[animate]]\ntarget = '@.@'\ntimes = [0]\nvalues = [1]\nease = '@'\n",
		sphere + "name = 'b@'\n[[animate]]\ntarget = 'b@.@'\ntimes = [0]\nvalues = [1]\n",
		"[overlaps]\nallow = [['@', '[@'], '@']\n",
		"[image]\nwidth = 1@\n",
		"[image]\nwidth = @\n",
		"[image]\nwidth = 1111-@\n",
		"[image]\n@\n",
		"[image]\n@ = \n",
		"[image]\n@ = 1\n@ = 2\n",
		"[@\n",
		"[image.@]\n[image.@]\n",
		"x = '@\n",
		"x = [\n@\n",
		"\"@ @ @\" = 1\n\"@ @ @\" = 1\n",
	} {
		for _, long := range []string{strings.Repeat("a", 990), strings.Repeat("9", 990), strings.Repeat("ö", 490)} {
			es, _ := problemsOf([]byte(strings.ReplaceAll(scene, "@", long)))
			for _, e := range es {
				line := e.Error()
				if strings.Contains(line, long[:2*text.MaxQuoted+2]) {
					t.Errorf("%s: %d characters: %s", scene, utf8.RuneCountInString(line), line)
				}
				if !utf8.ValidString(line) || strings.ContainsRune(line, utf8.RuneError) {
					t.Errorf("%s: %q", scene, line)
				}
			}
		}
	}
}

func TestErrorsGroups(t *testing.T) {
	es, _ := problemsOf([]byte("[image]\nx = 1\nwidth = 0\ny = 2\n[[sphere]]\ncenter = 1\nradius = 0\nz = 1\n"))
	groups := es.Groups()
	if len(groups) != 3 || groups[0] != (problem.Group{Severity: problem.SeverityError, Code: problem.CodeUnknownKey, Count: 3, First: es[0]}) ||
		groups[1] != (problem.Group{Severity: problem.SeverityError, Code: problem.CodeOutOfRange, Count: 2, First: es[1]}) || groups[2].Code != problem.CodeWrongType {
		t.Errorf("got %v of\n%v", groups, es)
	}
	if groups := (problem.Errors)(nil).Groups(); groups != nil {
		t.Errorf("no problems have groups %v", groups)
	}
}
