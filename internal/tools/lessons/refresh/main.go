// Refresh updates the numbers and pictures of the lessons, or checks that they are up to date.
//
// A lesson is a Markdown page. Its console blocks contain commands, each in a line that begins
// with "$ ", followed by their output; its pictures are files that those commands write. Refresh
// runs every command in a folder that contains only the scenes, and updates outputs and pictures.
// With -check it changes nothing and lists what is out of date.
//
// Messages count the lines of a page from 1. A comment before a block,
//
//	<!-- only: Tested | Closest hit -->
//
// reduces each output to the sections whose headings begin with one of these words, and
//
//	<!-- lines: t_near | t_far -->
//
// to the lines that begin with one of these words, and the lines that continue them. Pictures are
// compared by their pixels. The exit status is 0, or 1 if -check finds something out of date, or 2 if a page or a
// command is wrong.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

const (
	statusStale = 1
	statusWrong = 2
)

func main() {
	check := flag.Bool("check", false, "change nothing; name what is stale")
	folder := flag.String("lessons", "docs/lessons", "the `folder` of the pages, as seen from the module's root, where this must run")
	flag.Parse()
	stale, err := refresh(*folder, *check)
	for _, s := range stale {
		fmt.Println(s)
	}
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "lessons:", err)
		os.Exit(statusWrong)
	case *check && len(stale) > 0:
		fmt.Fprintln(os.Stderr, "lessons: stale, run scripts/lessons")
		os.Exit(statusStale)
	}
}

// refresh updates all pages of a folder and returns descriptions of what was out of date. The error joins all errors.
func refresh(folder string, check bool) (stale []string, err error) {
	pages, err := filepath.Glob(filepath.Join(folder, "*.md"))
	if err != nil {
		return nil, err
	}
	if len(pages) == 0 {
		return nil, fmt.Errorf("no pages in %s", folder)
	}
	run, err := newRunner(folder)
	if err != nil {
		return nil, err
	}
	defer run.close()
	w := &work{folder: folder, check: check, run: run}
	var wrong []error
	for _, name := range pages {
		wrong = append(wrong, w.page(name))
	}
	return w.stale, errors.Join(append(wrong, w.orphans())...)
}

// work holds the state of refresh.
type work struct {
	folder string
	check  bool
	run    *runner
	made   []string // names of all generated pictures
	stale  []string
}

// page refreshes one page and its pictures.
func (w *work) page(name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	old, err := parse(name, string(data))
	if err != nil {
		return err
	}
	fresh, changed, err := old.refreshed(w.run.output)
	made, listed := w.run.pictures()
	w.made = append(w.made, made...)
	if err := errors.Join(err, listed); err != nil {
		return err
	}
	for _, b := range changed {
		w.stale = append(w.stale, fmt.Sprintf("%s:%d: the output of `%s` has changed", name, b.line, b.commands[0].line))
	}
	for _, picture := range made {
		if err := w.picture(name, picture); err != nil {
			return err
		}
	}
	if !w.check && len(changed) > 0 {
		if err := os.WriteFile(name, []byte(fresh.text()), 0o666); err != nil {
			return err
		}
	}
	return fresh.verify(w.folder, made)
}

// picture compares a generated picture with the stored one, and replaces the stored one if it is out of date.
func (w *work) picture(page, name string) error {
	fresh := filepath.Join(w.run.dir, name)
	kept := filepath.Join(w.folder, name)
	same, err := samePicture(fresh, kept)
	if err != nil {
		return err
	}
	if !same {
		w.stale = append(w.stale, fmt.Sprintf("%s: the picture %s has changed", page, name))
	}
	if !same && !w.check {
		data, err := os.ReadFile(fresh)
		if err != nil {
			return err
		}
		if err := os.WriteFile(kept, data, 0o666); err != nil {
			return err
		}
	}
	return os.Remove(fresh) // so that it is not taken for one of the next page
}

// orphans returns an error if the folder contains a picture that no page generates.
func (w *work) orphans() error {
	found, err := filepath.Glob(filepath.Join(w.folder, "*.png"))
	if err != nil {
		return err
	}
	for _, file := range found {
		if !slices.Contains(w.made, filepath.Base(file)) {
			return fmt.Errorf("%s: no command of any page makes this picture", file)
		}
	}
	return nil
}
