package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"pillbox/internal/cli"
	"pillbox/internal/farm"
	"pillbox/internal/osfile"
	"pillbox/scene"
)

// standardInput is the name in messages of a scene read from there.
const standardInput = "<stdin>"

// decode reads a scene. An invalid one gives [scene.Errors]. The files that it names are looked
// for in its folder, those of a scene from standard input in the working directory.
func (p *program) decode(ctx context.Context, name string) (*scene.Scene, error) {
	s, _, err := p.decodeFile(ctx, name)
	return s, err
}

// decodeFile is decode, and returns what the file holds as well.
func (p *program) decodeFile(ctx context.Context, name string) (*scene.Scene, []byte, error) {
	var data []byte
	files := p.folder(name)
	recorder := osfile.Record(files, scene.MaxBulkBytes)
	if p.record {
		files = recorder
	}
	options := []scene.DecodeOption{scene.WithFiles(files)}
	if p.exact {
		options = append(options, scene.WithAllDigits())
	}
	s, err := await(ctx, func() (*scene.Scene, error) {
		in, err := p.openInput(name)
		if err != nil {
			return nil, err
		}
		defer in.Close()
		if data, err = scene.Read(in); err != nil {
			return nil, err
		}
		if name == standard {
			p.in = bytes.NewReader(data) // for [program.source]
			return scene.Decode(standardInput, data, options...)
		}
		return scene.Decode(name, data, options...)
	})
	if err != nil {
		return nil, nil, err
	}
	if p.record {
		p.recorded = &farm.Source{Data: data, Files: recorder.Files}
	}
	if p.moment.given {
		moving := s
		if s, err = await(ctx, func() (*scene.Scene, error) { return moving.At(p.moment.seconds) }); err != nil {
			return nil, nil, err
		}
	}
	for _, f := range s.Files {
		if err := p.checkInputs(f.Name); err != nil {
			return nil, nil, err
		}
	}
	return s, data, nil
}

// folderOf returns the files that a scene may name: those of its folder, or for standard input of the
// working directory.
func folderOf(name string) fs.FS { return scene.Folder(folderName(name)) }

// folderName returns the name of the folder of [folderOf].
func folderName(scene string) string {
	if scene == standard {
		return "."
	}
	return filepath.Dir(scene)
}

// load reads a scene for a command that needs a valid one, and prints its problems.
func (p *program) load(ctx context.Context, name string) (*scene.Scene, error) {
	const asJSON = false
	return p.loadReporting(ctx, name, asJSON)
}

// loadReporting is load for a command with --json: then problems go to standard output, as JSON.
func (p *program) loadReporting(ctx context.Context, name string, asJSON bool) (*scene.Scene, error) {
	s, err := p.decode(ctx, name)
	var problems scene.Errors
	if errors.As(err, &problems) {
		p.reportProblems(p.problemScreen(asJSON), problems, asJSON)
		return nil, &cli.Failure{Status: cli.StatusWrong}
	}
	if err != nil {
		return nil, err
	}
	if !p.quiet {
		p.reportProblems(p.problemScreen(asJSON), s.Warnings, asJSON)
	}
	return s, nil
}

func (p *program) problemScreen(asJSON bool) cli.Screen {
	if asJSON {
		return p.out
	}
	return p.err
}
