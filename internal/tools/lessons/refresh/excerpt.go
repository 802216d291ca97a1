package main

import (
	"fmt"
	"slices"
	"strings"
)

// gap is the line that marks omitted lines.
const gap = "  ..."

// excerpt returns the sections of an output whose headings begin with one of the words in only. If only is empty, it
// returns all lines. A heading is a line with a blank line (or the start of the output) above it and a blank line
// below it, followed by lines with a deeper indentation. A section ends before the next heading, or before the next
// line that is not indented more deeply than its heading. excerpt returns an error if a word begins no heading,
// unless the output is empty.
func excerpt(text string, only []string) ([]string, error) {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return nil, nil
	}
	lines := strings.Split(text, "\n")
	if len(only) == 0 {
		return lines, nil
	}
	var out []string
	end := 0 // of the previous section
	found := make([]bool, len(only))
	for i := 0; i < len(lines); i++ {
		k := slices.IndexFunc(only, func(s string) bool { return isHeading(lines, i) && strings.HasPrefix(strings.TrimSpace(lines[i]), s) })
		if k < 0 {
			continue
		}
		if slices.ContainsFunc(lines[end:i], notBlank) {
			out = append(out, gap, "")
		}
		found[k] = true
		end = sectionEnd(lines, i)
		out = append(out, lines[i:end]...)
		i = end - 1
	}
	for k, ok := range found {
		if !ok {
			return nil, fmt.Errorf("the output has no section %q", only[k])
		}
	}
	for len(out) > 0 && !notBlank(out[len(out)-1]) {
		out = out[:len(out)-1]
	}
	if slices.ContainsFunc(lines[end:], notBlank) {
		out = append(out, "", gap)
	}
	return out, nil
}

// chosenLines returns the lines of an output that begin with one of the given words, and the more deeply indented
// lines that directly follow them. The chosen lines are indented by two spaces. chosenLines returns an error if a
// word begins no line.
func chosenLines(text string, words []string) ([]string, error) {
	var out []string
	found := make([]bool, len(words))
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		k := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(strings.TrimSpace(lines[i])+" ", w+" ") })
		if k < 0 {
			continue
		}
		found[k] = true
		indent := depth(lines[i])
		out = append(out, "  "+strings.TrimSpace(lines[i]))
		for i+1 < len(lines) && notBlank(lines[i+1]) && depth(lines[i+1]) > indent {
			i++
			out = append(out, strings.Repeat(" ", 2+depth(lines[i])-indent)+strings.TrimSpace(lines[i]))
		}
	}
	for k, ok := range found {
		if !ok {
			return nil, fmt.Errorf("the output has no line that begins with %q", words[k])
		}
	}
	return out, nil
}

func notBlank(line string) bool { return strings.TrimSpace(line) != "" }

// depth returns the indentation of a line.
func depth(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

func isHeading(lines []string, i int) bool {
	return notBlank(lines[i]) && (i == 0 || !notBlank(lines[i-1])) &&
		i+2 < len(lines) && !notBlank(lines[i+1]) && depth(lines[i+2]) > depth(lines[i])
}

// sectionEnd returns the index of the line after the section whose heading is line i.
func sectionEnd(lines []string, i int) int {
	for j := i + 1; j < len(lines); j++ {
		if isHeading(lines, j) || notBlank(lines[j]) && depth(lines[j]) <= depth(lines[i]) {
			return j
		}
	}
	return len(lines)
}
