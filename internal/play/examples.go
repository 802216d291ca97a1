package play

import (
	"cmp"
	"context"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pillbox/docs/lessons"
	"pillbox/internal/explain/diagram"
	"pillbox/internal/play/broken"
	"pillbox/internal/prose"
	"pillbox/scenes"
)

type scenesAnswer struct {
	Scenes  []shippedScene `json:"scenes"`
	Lessons []lesson       `json:"lessons"`
}

type shippedScene struct {
	Name  string `json:"name"`
	Title string `json:"title"` // the first sentence of its first comment
	Topic string `json:"topic"` // of topics
	Text  string `json:"text"`
}

// lesson is a page of the lessons with its examples.
type lesson struct {
	Name     string    `json:"name"`
	Title    string    `json:"title"`
	More     bool      `json:"more,omitempty"` // a page beside the numbered lessons, such as the glossary
	Examples []example `json:"examples"`

	blocks []prose.Block
}

type lessonRequest struct {
	Name string `json:"name"`
}

// lessonAnswer is the page of a lesson.
type lessonAnswer struct {
	Blocks    []prose.Block    `json:"blocks"`    // the commands of the examples are blocks of the type example
	Questions []lessonQuestion `json:"questions"` // to answer before the examples are explained
}

// example is a scene and a query about it: a pixel, ray, segment or pair of capsules. An example without a query shows a
// mistake in the picture.
type example struct {
	Title     string      `json:"title"`
	Scene     string      `json:"scene"`
	Text      string      `json:"text"`
	Pixel     *[2]int     `json:"pixel,omitempty"`
	Ray       *[6]float64 `json:"ray,omitempty"`
	Segment   *[6]float64 `json:"segment,omitempty"`
	Capsules  *[2]string  `json:"capsules,omitempty"`
	Solid     string      `json:"solid,omitempty"`
	Width     int         `json:"width,omitempty"`
	Height    int         `json:"height,omitempty"`
	Antialias int         `json:"antialias,omitempty"`
	Trap      string      `json:"trap,omitempty"` // the name of a mistake with which the picture is rendered
	Figure    *figureFile `json:"figure,omitempty"`
}

// figureFile is the diagram that the command of an example draws.
type figureFile struct {
	File string       `json:"file"`
	Kind diagram.Kind `json:"kind"`
}

func (e *Engine) scenes(context.Context, *nothing) (*scenesAnswer, error) {
	return &scenesAnswer{shipped(), lessonList()}, nil
}

func (e *Engine) lesson(_ context.Context, r *lessonRequest) (*lessonAnswer, error) {
	list := lessonList()
	i := slices.IndexFunc(list, func(l lesson) bool { return l.Name == r.Name })
	if i < 0 {
		return nil, failure(StatusUnknown, "there is no lesson %q", r.Name)
	}
	return &lessonAnswer{list[i].blocks, append([]lessonQuestion{}, lessonQuestions()[r.Name]...)}, nil
}

// shipped returns the shipped scenes that need no other files, by topic, with demo first.
var shipped = sync.OnceValue(func() []shippedScene {
	names, _ := fs.Glob(scenes.Files(), "*.toml") // the pattern is valid
	var list []shippedScene
	for _, file := range names {
		name, text := strings.TrimSuffix(file, ".toml"), read(scenes.Files(), file)
		if slices.Contains(strings.Fields(withFiles), name) {
			continue
		}
		list = append(list, shippedScene{name, titleOf(text), topicOf(name), text})
	}
	place := func(s shippedScene) int {
		if s.Name == "demo" {
			return -1
		}
		return slices.IndexFunc(topics(), func(t topic) bool { return t.name == s.Topic })
	}
	slices.SortStableFunc(list, func(a, b shippedScene) int { return place(a) - place(b) })
	return list
})

// withFiles lists the shipped scenes that need other files. The page waits for the list of scenes before its first
// picture. Decoding all scenes to find out would take too long.
const withFiles = "bulk parts"

// testScenes is the topic of scenes that test a boundary case.
const testScenes = "Test scenes"

// topic is a group of shipped scenes in the page's list.
type topic struct{ name, scenes string }

// topics returns the topics in the order of the list. Scenes of no other topic are test scenes.
func topics() []topic {
	return []topic{
		{"Scenes", "demo still-life chess chain lamp wave checker"},
		{"Solids", "sphere capsule box cylinder axis-angle quaternion rotate"},
		{"Light and color", "shadows shadows-off light-point light-directional light-camera light-default ambient hemisphere occlusion penumbra penumbra-adaptive colors gradient transparent outline fog section ghost"},
		{"Mirrors", "mirror mirror-mirror"},
		{"Camera and samples", "perspective orthographic no-camera antialias adaptive"},
		{testScenes, ""},
	}
}

// topicOf returns the topic of a shipped scene.
func topicOf(scene string) string {
	for _, t := range topics() {
		if slices.Contains(strings.Fields(t.scenes), scene) {
			return t.name
		}
	}
	return testScenes
}

// read returns an embedded file, which must exist.
func read(files fs.FS, name string) string {
	data, err := fs.ReadFile(files, name)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// titleOf returns the first sentence of a scene's first comment.
func titleOf(text string) string {
	var words []string
	for line := range strings.Lines(text) {
		comment, is := strings.CutPrefix(strings.TrimSpace(line), "#")
		if strings.HasPrefix(comment, ":schema") || !is && len(words) == 0 && strings.TrimSpace(line) == "" {
			continue
		}
		if !is {
			break
		}
		words = append(words, strings.TrimSpace(comment))
	}
	title, _, _ := strings.Cut(strings.Join(words, " "), ". ")
	return strings.TrimSuffix(title, ".")
}

// lessonList returns the lessons in order, and then the other pages in the folder of the lessons, such as the glossary.
// The examples of a page are its 'render explain' commands, and its commands that draw a mistake.
var lessonList = sync.OnceValue(func() []lesson {
	var list []lesson
	names, _ := fs.Glob(lessons.Files(), "*.md") // the pattern is valid
	for line := range strings.Lines(read(lessons.Files(), "README.md")) {
		l, ok := lessonOf(line)
		if !ok {
			continue
		}
		list = append(list, l)
	}
	for _, file := range names {
		name := strings.TrimSuffix(file, ".md")
		if !slices.ContainsFunc(list, func(l lesson) bool { return l.Name == name }) {
			list = append(list, lesson{Name: name, More: true, Examples: []example{}})
		}
	}
	for i := range list {
		l := &list[i]
		blocks := prose.Parse(read(lessons.Files(), l.Name+".md"))
		l.Title = cmp.Or(l.Title, textOf(blocks[0].Spans))
		l.blocks = l.withExamples(blocks, l.Title)
	}
	return list
})

// textOf returns the text of spans.
func textOf(spans []prose.Span) string {
	text := ""
	for _, s := range spans {
		text += s.Text
	}
	return text
}

// withExamples adds the examples in the blocks to the lesson, and turns their commands into blocks of the type example.
// title is the heading above the blocks.
func (l *lesson) withExamples(blocks []prose.Block, title string) []prose.Block {
	var out []prose.Block
	for _, b := range blocks {
		switch {
		case b.Type == prose.Heading:
			title = textOf(b.Spans)
		case b.Type == prose.Details:
			b.Blocks = l.withExamples(b.Blocks, title)
		case b.Type == prose.Paragraph && b.Spans[0].Text == linkToPage:
			continue
		}
		before := len(out)
		for _, command := range b.Commands {
			if x, ok := exampleOf(command, title); ok {
				out = append(out, prose.Block{Type: prose.Example, Example: new(len(l.Examples))})
				l.Examples = append(l.Examples, x)
			}
		}
		if len(out) == before {
			out = append(out, b)
		}
	}
	return out
}

// exampleOf returns the example of a command. It returns false if the command is neither 'render explain' with a scene
// file and a query, nor a command that draws a mistake that the playground can make.
func exampleOf(command, title string) (example, bool) {
	words := strings.Fields(command)
	if rest, ok := strings.CutPrefix(command, "go run ./traps "); ok {
		name, _, _ := strings.Cut(rest, " ")
		m, ok := broken.Find(name)
		if !ok {
			return example{}, false
		}
		return example{Title: title, Scene: name, Text: m.Scene(), Trap: name}, true
	}
	if len(words) < 4 || words[0] != "render" || words[1] != "explain" {
		return example{}, false
	}
	name, ok := strings.CutSuffix(words[2], ".toml")
	if !ok {
		return example{}, false
	}
	x := example{Title: title, Scene: name, Text: read(lessons.Files(), words[2])}
	return x, x.ask(words[3:])
}

// linkToPage begins the paragraph of a lesson that links to the playground. The playground omits this paragraph.
const linkToPage = "This lesson in the playground"

// lessonOf parses a line of the list of lessons, "1. [Title](name.md)". It does not set the examples.
func lessonOf(line string) (l lesson, ok bool) {
	number, link, _ := strings.Cut(line, ". [")
	title, file, _ := strings.Cut(link, "](")
	name, _, ok := strings.Cut(file, ".md)")
	_, err := strconv.Atoi(number)
	return lesson{Name: name, Title: title, Examples: []example{}}, ok && err == nil
}

// ask sets the query from the flags of a command. It returns false if the flags contain none.
func (x *example) ask(flags []string) bool {
	asked := false
	flags = slices.DeleteFunc(flags, func(flag string) bool { return flag == "--brief" }) // it has no value
	for i := 0; i+1 < len(flags); i += 2 {
		value := flags[i+1]
		switch flags[i] {
		case "--pixel":
			n := numbersOf(value)
			x.Pixel, asked = &[2]int{int(n[0]), int(n[1])}, true
		case "--ray":
			x.Ray, asked = (*[6]float64)(numbersOf(value)), true
		case "--segment":
			x.Segment, asked = (*[6]float64)(numbersOf(value)), true
		case "--capsules":
			a, b, _ := strings.Cut(value, ",")
			x.Capsules, asked = &[2]string{a, b}, true
		case "--solid":
			x.Solid = value
		case "--width":
			x.Width = int(numbersOf(value)[0])
		case "--height":
			x.Height = int(numbersOf(value)[0])
		case "--diagram":
			x.figure().File = value
		case "--draw":
			x.figure().Kind = diagram.Kind(value)
		case "--antialias":
			x.Antialias = int(numbersOf(value)[0])
		}
	}
	return asked
}

// figure returns the diagram that the command draws.
func (x *example) figure() *figureFile {
	if x.Figure == nil {
		x.Figure = &figureFile{Kind: diagram.Solid}
	}
	return x.Figure
}

// numbersOf parses the value of a flag in a lesson, which must be valid.
func numbersOf(list string) []float64 {
	var numbers []float64
	for _, s := range strings.Split(list, ",") {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			panic(err)
		}
		numbers = append(numbers, x)
	}
	return numbers
}
