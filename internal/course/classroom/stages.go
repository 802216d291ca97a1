package classroom

import (
	"fmt"
	"io/fs"
	"strings"
	"sync"

	chapters "pillbox/docs/course"
	"pillbox/internal/course"
	"pillbox/internal/prose"
	"pillbox/internal/text"
)

// Stage is a stage of the course as the page shows it.
type Stage struct {
	Name     string                   `json:"name"`
	Title    string                   `json:"title"`
	Optional bool                     `json:"optional"`
	Task     []prose.Block            `json:"task"`
	Figure   Figure                   `json:"figure"`
	Protocol []prose.Block            `json:"protocol"` // of the question and the answer
	Hints    [course.HintCount]string `json:"hints"`
	Formula  []prose.Block            `json:"formula"` // with traps and a question
	Solution string                   `json:"solution"`
}

// Figure is a picture of a chapter.
type Figure struct {
	File string `json:"file"` // its name among the files of lessons.Figures
	Text string `json:"text"` // describes the picture
}

// Stages returns the stages in order, the optional ones last.
var Stages = sync.OnceValue(func() []Stage {
	protocol := sections(read("protocol.md"), "### ")
	conventions := sections(read("protocol.md"), "## ")["Questions"]
	conventions, _, _ = strings.Cut(conventions, "\n### ")
	program := readProgram(read("solutions/tracer.mjs"))
	var all []Stage
	for i, s := range course.AllStages() {
		text := read(fmt.Sprintf("%02d-%s.md", i+1, s.Name))
		title, _, _ := strings.Cut(text, "\n")
		begin, _, _ := strings.Cut(text, "\n## ")
		parts := sections(text, "## ")
		formula := ""
		for _, name := range [...]string{"The formula", "Traps", "Question"} {
			formula += "## " + name + "\n" + parts[name]
		}
		all = append(all, Stage{
			Name: s.Name, Title: strings.TrimLeft(title, "# .0123456789"), Optional: i >= len(course.Stages()),
			Task: taskOf(begin), Figure: figureOf(begin), Hints: s.Hints(), Formula: prose.Parse(formula),
			Protocol: prose.Parse(plain(protocol["`"+s.Name+"`"] + "\n## In all stages\n\n" + conventions)),
			Solution: program.solution(s.Name),
		})
	}
	return all
})

// read returns an embedded file, which must exist.
func read(name string) string {
	data, err := fs.ReadFile(chapters.Files(), name)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// sections returns the text below each heading of a level, such as "## ", up to the next heading of this or a higher level.
func sections(page, level string) map[string]string {
	all := make(map[string]string)
	name := ""
	for line := range strings.Lines(page) {
		heading, is := strings.CutPrefix(line, level)
		switch {
		case is:
			name = strings.TrimSpace(heading)
		case strings.HasPrefix(line, "#") && strings.Index(line, " ") < len(level):
			name = ""
		default:
			all[name] += line
		}
	}
	return all
}

// taskOf returns the task from the text at the beginning of a chapter. It omits the title and the paragraph about the
// command line.
func taskOf(begin string) []prose.Block {
	var task []prose.Block
	for _, b := range prose.Parse(begin) {
		if b.Type != prose.Heading && !mentions(b, "render grade") {
			task = append(task, b)
		}
	}
	return task
}

func mentions(b prose.Block, words string) bool {
	for _, s := range b.Spans {
		if strings.Contains(s.Text, words) {
			return true
		}
	}
	return false
}

var figurePattern = text.Pattern(`!\[([^\]]*)\]\(\.\./lessons/([^)]*)\)`)

func figureOf(begin string) Figure {
	found := figurePattern().FindStringSubmatch(begin)
	if found == nil {
		return Figure{}
	}
	return Figure{File: found[2], Text: found[1]}
}

// plain rewrites the parts of Markdown that package prose does not support: it turns tables into lists, and
// indented lines into code.
func plain(page string) string {
	var out strings.Builder
	above := ""
	for line := range strings.Lines(page) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		switch {
		case strings.HasPrefix(line, "|---"), strings.HasPrefix(line, "| ") && !strings.HasPrefix(above, "|"): // the head of a table
		case strings.HasPrefix(line, "| ") && len(cells) > 1:
			fmt.Fprintf(&out, "- %s: %s\n", strings.TrimSpace(cells[0]), strings.TrimSpace(strings.Join(cells[1:], "|")))
		case strings.HasPrefix(line, "    "):
			fmt.Fprintf(&out, "```\n%s\n```\n", strings.TrimSpace(line))
		default:
			out.WriteString(line)
		}
		above = line
	}
	return out.String()
}
