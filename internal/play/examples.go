package play

import (
	"context"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pillbox/docs/lessons"
	"pillbox/scene"
	"pillbox/scenes"
)

type scenesAnswer struct {
	Scenes  []shippedScene `json:"scenes"`
	Lessons []lesson       `json:"lessons"`
}

type shippedScene struct {
	Name  string `json:"name"`
	Title string `json:"title"` // the first sentence of its first comment
	Text  string `json:"text"`
}

// lesson is a page of the lessons with its examples.
type lesson struct {
	Name     string    `json:"name"`
	Title    string    `json:"title"`
	Examples []example `json:"examples"`
}

// example is a scene and a query about it: a pixel, ray, segment or pair of capsules.
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
}

func (e *Engine) scenes(context.Context, *nothing) (*scenesAnswer, error) {
	return &scenesAnswer{shipped(), lessonList()}, nil
}

// shipped returns the shipped scenes that need no other files, with demo first.
var shipped = sync.OnceValue(func() []shippedScene {
	names, _ := fs.Glob(scenes.Files(), "*.toml") // the pattern is valid
	var list []shippedScene
	for _, file := range names {
		text := read(scenes.Files(), file)
		if _, err := scene.Decode(file, []byte(text)); err != nil {
			continue // it needs other files
		}
		list = append(list, shippedScene{strings.TrimSuffix(file, ".toml"), titleOf(text), text})
	}
	demo := slices.IndexFunc(list, func(s shippedScene) bool { return s.Name == "demo" })
	first := list[demo]
	return append([]shippedScene{first}, slices.Delete(list, demo, demo+1)...)
})

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

// lessonList returns the lessons in order. The examples of a lesson are the 'render explain' commands on its page.
var lessonList = sync.OnceValue(func() []lesson {
	var list []lesson
	for line := range strings.Lines(read(lessons.Files(), "README.md")) {
		l, ok := lessonOf(line)
		if !ok {
			continue
		}
		title := l.Title
		for line := range strings.Lines(read(lessons.Files(), l.Name+".md")) {
			if heading, ok := strings.CutPrefix(line, "## "); ok {
				title = strings.TrimSpace(heading)
			}
			words := strings.Fields(line)
			if len(words) < 5 || strings.Join(words[:3], " ") != "$ render explain" {
				continue
			}
			if name, ok := strings.CutSuffix(words[3], ".toml"); ok {
				x := example{Title: title, Scene: name, Text: read(lessons.Files(), words[3])}
				if x.ask(words[4:]) {
					l.Examples = append(l.Examples, x)
				}
			}
		}
		list = append(list, l)
	}
	return list
})

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
		case "--antialias":
			x.Antialias = int(numbersOf(value)[0])
		}
	}
	return asked
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
