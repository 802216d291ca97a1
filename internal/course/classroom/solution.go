package classroom

import (
	"slices"
	"strings"

	"pillbox/internal/course"
	"pillbox/internal/text"
)

// program is a solution of the course in JavaScript, as a list of declarations.
type program struct {
	declared []declaration
	entries  map[string]string // by stage: the function that answers its questions, as an expression
}

// declaration is a function or constant of a program.
type declaration struct {
	name string
	text string   // with the comment above it
	uses []string // the words in it, without comments
}

// introduced maps the names of some functions to the stage whose solution contains them. The solutions of earlier stages
// only refer to these functions.
var introduced = map[string]string{"crossBox": "box", "crossCapsule": "capsule", "closest": "capsule", "crossCylinder": "cylinder"}

var (
	declarePattern = text.Pattern(`^(?:function|const) (\w+)`)
	entryPattern   = text.Pattern(`(?m)^  (\w+): (.+),$`)
	wordPattern    = text.Pattern(`[A-Za-z_]\w*`)
	commentPattern = text.Pattern(`//.*`)
)

// given lists the names of functions that the page provides. A solution need not define them.
var given = []string{"writePNG"}

// readProgram reads a program whose declarations begin at the margin and, if they have several lines, end with a line at
// the margin. The constant stages maps the names of stages to functions.
func readProgram(text string) *program {
	p := &program{entries: make(map[string]string)}
	var comment, body []string
	name := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		found := declarePattern().FindStringSubmatch(line)
		switch {
		case name == "" && found != nil:
			name, body = found[1], append(comment, line)
		case name != "":
			body = append(body, line)
		case strings.HasPrefix(line, "//"):
			comment = append(comment, line)
			continue
		}
		comment = nil
		if name == "" || strings.HasSuffix(line, "{") || strings.HasPrefix(line, " ") || line == "" {
			continue
		}
		p.declare(name, strings.Join(body, "\n"))
		name = ""
	}
	return p
}

func (p *program) declare(name, text string) {
	if name == "stages" {
		for _, m := range entryPattern().FindAllStringSubmatch(text, -1) {
			p.entries[m[1]] = m[2]
		}
		return
	}
	if !slices.Contains(given, name) {
		p.declared = append(p.declared, declaration{name, text, wordPattern().FindAllString(commentPattern().ReplaceAllString(text, ""), -1)})
	}
}

// needs returns the names of the declarations that a stage needs, directly or through others. Some of the names
// may not be declarations.
func (p *program) needs(stage string) []string {
	names := wordPattern().FindAllString(p.entries[stage], -1)
	for i := 0; i < len(names); i++ {
		at := slices.IndexFunc(p.declared, func(d declaration) bool { return d.name == names[i] })
		if at < 0 {
			continue
		}
		for _, word := range p.declared[at].uses {
			if !slices.Contains(names, word) {
				names = append(names, word)
			}
		}
	}
	return names
}

// solution returns the solution of a stage as text that can be pasted into a program in the page. It omits the
// declarations that solutions of earlier stages contain.
func (p *program) solution(stage string) string {
	var known []string
	for _, s := range course.AllStages() {
		if s.Name == stage {
			break
		}
		known = append(known, p.needs(s.Name)...)
	}
	needs := p.needs(stage)
	var out strings.Builder
	for _, d := range p.declared {
		isNew := !slices.Contains(known, d.name)
		if first, ok := introduced[d.name]; ok {
			isNew = first == stage
		}
		if !isNew || !slices.Contains(needs, d.name) {
			continue
		}
		if strings.Contains(d.text, "\n") && out.Len() > 0 {
			out.WriteString("\n")
		}
		out.WriteString(d.text + "\n")
		if strings.Contains(d.text, "\n") {
			out.WriteString("\n")
		}
	}
	text := strings.ReplaceAll(out.String(), "\n\n\n", "\n\n")
	return strings.TrimRight(text, "\n") + "\n\nanswer." + stage + " = " + p.entries[stage] + ";\n"
}
