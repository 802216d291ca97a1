// Command notice writes the licenses of Pillbox and of everything that its programs, its page and its wheels contain.
// The file NOTICE lists the works with their versions, and internal/version embeds a compressed copy.
//
//	go run ./internal/tools/notice
//
// It runs in the root of the repository. It needs the modules that go mod download downloads, and nothing else: the licenses
// of the JavaScript libraries are those that scripts/web has bundled.
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"pillbox/internal/osfile"
)

// The files, relative to the root of the repository.
const (
	textFile       = "NOTICE"
	compressedFile = "internal/version/NOTICE.gz"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintf(os.Stderr, "notice: %v\n", err)
		os.Exit(1)
	}
}

func run() error {
	works, err := works(".", released)
	if err != nil {
		return err
	}
	text, err := notice(works)
	if err != nil {
		return err
	}
	var files osfile.Outputs
	if err := files.Write(textFile, func(to io.Writer) error { _, err := io.WriteString(to, text); return err }); err != nil {
		return err
	}
	var compressed bytes.Buffer
	if err := compress(&compressed, text); err != nil {
		return err
	}
	return files.Write(compressedFile, func(to io.Writer) error { _, err := compressed.WriteTo(to); return err })
}

func compress(to io.Writer, text string) error {
	z, err := gzip.NewWriterLevel(to, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(z, text); err != nil {
		return err
	}
	return z.Close()
}

// work is something that a product contains and that has a license.
type work struct {
	name, version string
	products      []string // the products that contain it
	licenses      []license
}

// license is the text of a license.
type license struct{ file, text string }

const introduction = `This file lists the works that Pillbox consists of, and the products that contain each. Then follow all licenses.

    render       the program, also in each Python wheel; it contains the page
    renderfarm   the program for farms
    page         the playground for static hosts

`

// notice returns the text of the file: a table of the works, and each distinct license once.
func notice(works []work) (string, error) {
	var b strings.Builder
	b.WriteString(introduction)
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "work\tlicense\tin\n")
	for _, w := range works {
		kinds, err := w.kinds()
		if err != nil {
			return "", err
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", w.title(), kinds, strings.Join(w.products, ", "))
	}
	if err := table.Flush(); err != nil {
		return "", err
	}
	var texts []string
	users := make(map[string][]string)
	for _, w := range works {
		for _, l := range w.licenses {
			if users[l.text] == nil {
				texts = append(texts, l.text)
			}
			users[l.text] = append(users[l.text], w.title()+": "+l.file)
		}
	}
	for _, text := range texts {
		fmt.Fprintf(&b, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 100), strings.Join(users[text], "\n"), text)
	}
	return b.String(), nil
}

// title returns the name of the work with its version.
func (w work) title() string { return strings.TrimSpace(w.name + " " + w.version) }

// kinds returns the names of the work's licenses, as SPDX abbreviates them.
func (w work) kinds() (string, error) {
	var kinds []string
	for _, l := range w.licenses {
		kind := kindOf(l.text)
		if kind == "" {
			return "", fmt.Errorf("%s: %s is an unknown license: add it to the list of kinds in internal/tools/notice if Pillbox may contain such a work", w.title(), l.file)
		}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	if kinds == nil {
		return "", fmt.Errorf("%s has no license", w.title())
	}
	return strings.Join(kinds, ", "), nil
}

// kinds lists phrases by which licenses are recognized; the first that the text contains counts.
var kinds = []struct{ phrase, name string }{
	{"Apache License Version 2.0", "Apache-2.0"},
	{"The FreeType Project LICENSE", "FTL"},
	{"The FreeType License, which is similar to the original BSD license", "FTL"},
	{"Bitstream Vera Fonts Copyright", "Bitstream-Vera"},
	{"Permission is hereby granted, free of charge, to any person obtaining a copy", "MIT"},
	{"Neither the name of", "BSD-3-Clause"},
	{"Redistribution and use in source and binary forms", "BSD-2-Clause"},
	{"MIT License, whose terms stand above", "MIT"},
}

// kindOf returns the name of a license, or "".
func kindOf(text string) string {
	words := strings.Join(strings.Fields(text), " ")
	for _, k := range kinds {
		if strings.Contains(words, k.phrase) {
			return k.name
		}
	}
	return ""
}

// tidied returns a license without carriage returns, trailing spaces and surrounding blank lines.
func tidied(text []byte) string {
	lines := strings.Split(string(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\f")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}
