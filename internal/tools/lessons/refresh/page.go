package main

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// page is a lesson, split into prose and console blocks.
type page struct {
	name  string
	parts []part
}

// part is a block or, if block is nil, lines of prose.
type part struct {
	line  int // number of the first line
	prose []string
	block *block
}

// block is a fenced console block.
type block struct {
	line     int // number of its first command's line
	keep     keep
	commands []command
}

// keep selects the parts of an output to keep. It keeps all if both lists are empty.
type keep struct {
	only  []string // the sections whose headings begin with these words
	lines []string // the lines that begin with these words
}

// The method of returns the lines of an output that k keeps.
func (k keep) of(text string) ([]string, error) {
	if len(k.lines) > 0 {
		return chosenLines(text, k.lines)
	}
	return excerpt(text, k.only)
}

// command is a command line and its output.
type command struct {
	line   string
	output []string
}

const (
	fenceOpen  = "```console"
	fenceClose = "```"
	prompt     = "$ "
)

var keepComment = regexp.MustCompile(`^<!-- (only|lines): (.*) -->$`)

// parse splits a page into parts. The name is used in messages.
func parse(name, text string) (*page, error) {
	p := &page{name: name}
	var prose []string
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		prose = append(prose, lines[i])
		if lines[i] != fenceOpen {
			continue
		}
		end := slices.Index(lines[i:], fenceClose)
		if end < 0 {
			return nil, fmt.Errorf("%s:%d: the block has no end", name, i+1)
		}
		b, err := parseBlock(lines[i+1 : i+end])
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
		b.line = i + 2
		if i > 0 {
			if m := keepComment.FindStringSubmatch(lines[i-1]); m != nil {
				words := strings.Split(m[2], " | ")
				if m[1] == "only" {
					b.keep.only = words
				} else {
					b.keep.lines = words
				}
			}
		}
		p.parts = append(p.parts, part{line: i + 2 - len(prose), prose: prose}, part{line: b.line, block: b})
		i += end
		prose = []string{lines[i]}
	}
	p.parts = append(p.parts, part{line: len(lines) + 1 - len(prose), prose: prose})
	return p, nil
}

func parseBlock(lines []string) (*block, error) {
	b := &block{}
	for _, line := range lines {
		if c, ok := strings.CutPrefix(line, prompt); ok {
			b.commands = append(b.commands, command{line: c})
			continue
		}
		if len(b.commands) == 0 {
			return nil, fmt.Errorf("the block must begin with a command, got %q", line)
		}
		last := &b.commands[len(b.commands)-1]
		last.output = append(last.output, line)
	}
	if len(b.commands) == 0 {
		return nil, fmt.Errorf("the block holds no command")
	}
	return b, nil
}

// refreshed returns the page with the current output of its commands, and the blocks that were out of date.
func (p *page) refreshed(output func(command string) (string, error)) (fresh *page, stale []*block, err error) {
	fresh = &page{name: p.name}
	for _, old := range p.parts {
		if old.block == nil {
			fresh.parts = append(fresh.parts, old)
			continue
		}
		b := &block{line: old.line, keep: old.block.keep}
		same := true
		for _, c := range old.block.commands {
			text, err := output(c.line)
			if err != nil {
				return nil, nil, fmt.Errorf("%s:%d: %w", p.name, old.line, err)
			}
			lines, err := b.keep.of(text)
			if err != nil {
				return nil, nil, fmt.Errorf("%s:%d: `%s`: %w", p.name, old.line, c.line, err)
			}
			same = same && slices.Equal(lines, c.output)
			b.commands = append(b.commands, command{c.line, lines})
		}
		if !same {
			stale = append(stale, b)
		}
		fresh.parts = append(fresh.parts, part{line: old.line, block: b})
	}
	return fresh, stale, nil
}

// text returns the page as Markdown.
func (p *page) text() string {
	var out strings.Builder
	for _, x := range p.parts {
		for _, line := range x.prose {
			out.WriteString(line + "\n")
		}
		if x.block != nil {
			out.WriteString(x.block.text())
		}
	}
	return out.String()
}

func (b *block) text() string {
	var out strings.Builder
	for _, c := range b.commands {
		out.WriteString(prompt + c.line + "\n")
		for _, line := range c.output {
			out.WriteString(line + "\n")
		}
	}
	return out.String()
}

var (
	imageLink = regexp.MustCompile(`!\[([^\]]*)\]\(([^)]*)\)`)
	fileLink  = regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`) // the link's text may begin on the line before

	// computed matches numbers that only a command can have computed: numbers with many digits, and sRGB values. A number
	// below 1 must have three digits, because an author may well have chosen one with two.
	computed = regexp.MustCompile(`\b(?:[1-9]\d*\.\d{2,}|0\.0*[1-9]\d{2,}|sRGB \d+)`)
)

// verify returns an error if the page has one of these problems: it shows a picture without a description; it shows a
// picture that its commands do not generate; its commands generate a picture that it does not show; it links to a
// missing file; or its prose contains a number that no command prints. Formulas in fenced blocks may contain other
// numbers.
func (p *page) verify(folder string, made []string) error {
	numbers := map[string]bool{}
	for _, x := range p.parts {
		if x.block != nil {
			for _, n := range computed.FindAllString(x.block.text(), -1) {
				numbers[n] = true
			}
		}
	}
	var shown []string
	var wrong []error
	complain := func(line int, format string, args ...any) {
		wrong = append(wrong, fmt.Errorf("%s:%d: %w", p.name, line, fmt.Errorf(format, args...)))
	}
	for at, line := range p.sentences() {
		for _, m := range imageLink.FindAllStringSubmatch(line, -1) {
			if m[1] == "" {
				complain(at, "the picture %s needs a description", m[2])
			}
			if !slices.Contains(made, m[2]) {
				complain(at, "no command of this page makes the picture %s", m[2])
			}
			shown = append(shown, m[2])
		}
		for _, m := range fileLink.FindAllStringSubmatch(line, -1) {
			if slices.Contains(made, m[1]) {
				continue // a picture, which may not exist yet
			}
			if _, err := os.Stat(filepath.Join(folder, m[1])); err != nil {
				complain(at, "a link leads nowhere: %w", err)
			}
		}
		for _, n := range computed.FindAllString(line, -1) {
			if !numbers[n] {
				complain(at, "no command of this page prints the number %s", n)
			}
		}
	}
	for _, name := range made {
		if !slices.Contains(shown, name) {
			complain(1, "the picture %s is made but not shown", name)
		}
	}
	return errors.Join(wrong...)
}

// sentences yields the lines outside of fenced blocks, with their numbers.
func (p *page) sentences() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		fenced := false
		for _, x := range p.parts {
			for i, line := range x.prose {
				if strings.HasPrefix(line, fenceClose) {
					fenced = !fenced
				} else if !fenced && !yield(x.line+i, line) {
					return
				}
			}
		}
	}
}
