package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path/filepath"
	"slices"
	"strings"

	"pillbox/convert"
	"pillbox/internal/archive"
	"pillbox/internal/cli"
	"pillbox/internal/convert/mesh"
	"pillbox/internal/farm"
	"pillbox/internal/osfile"
	"pillbox/scene"
)

// standardInput is the name, in messages, of a scene from standard input.
const standardInput = "<stdin>"

// loadOptions describe how a scene is read. The zero value reads the scene without a time.
type loadOptions struct {
	moment  secondsFlag // read the scene at this time, if given
	exact   bool        // keep all digits of numbers
	record  bool        // record the contents of files that the scene names
	unseen  bool        // the command renders no picture: omit warnings about the camera and the lights
	json    bool        // print problems as JSON on standard output
	outputs claims      // outputs of the command, which the scene must not read
	files   fs.FS       // the files that the scene may read; nil: those of program.folder

	archived bool // a scene from standard input must be an archive
	shares   bool // the command reads what follows the archive, so standard input remains open
}

// decode reads a scene. It also returns the source of the scene: its text and, if opt.record is set, the
// files that it names. If the scene is invalid, the error is [scene.Errors].
func (p *program) decode(ctx context.Context, name string, opt loadOptions) (*scene.Scene, *farm.Source, error) {
	src := new(farm.Source)
	stage := cli.NewStageProgress(&p.err, p.quiet, "loading "+name)
	defer stage.Clear()
	s, err := await(ctx, func() (*scene.Scene, error) { return p.decodeFile(name, opt, src, stage.Update) })
	if err != nil {
		return nil, nil, err
	}
	if opt.moment.given && s.Animation == nil {
		return nil, nil, &cli.Failure{Status: cli.StatusWrong, Err: fmt.Errorf("--time: %s has no [animation], and shows the same at any time", s.Name)}
	}
	if opt.moment.given {
		moving := s
		if s, err = await(ctx, func() (*scene.Scene, error) { return moving.At(opt.moment.seconds) }); err != nil {
			return nil, nil, err
		}
	}
	for _, f := range s.Files {
		if err := opt.outputs.check(f.Name); err != nil {
			return nil, nil, err
		}
	}
	return s, src, nil
}

// decodeFile reads a scene as its file describes it, without moving it to a time. It stores the source of
// the scene in src.
func (p *program) decodeFile(name string, opt loadOptions, src *farm.Source, progress func(done, all int64)) (*scene.Scene, error) {
	files := opt.files
	if files == nil {
		files = p.folder(name)
	}
	shown, files, err := p.read(name, opt, src, files)
	if err != nil {
		return nil, err
	}
	if opt.record {
		recorder := osfile.Record(files, scene.MaxBulkBytes)
		defer func() { src.Files = recorder.Files }()
		files = recorder
	}
	options := []scene.DecodeOption{scene.WithFiles(files), scene.WithProgress(progress)}
	if opt.exact {
		options = append(options, scene.WithAllDigits())
	}
	s, err := scene.Decode(shown, src.Data, options...)
	if err != nil && name != standard {
		if what := notScene(name, src.Data, err); what != "" {
			return nil, scene.Errors{{File: name, Code: scene.CodeSyntax, Severity: scene.SeverityError, Message: what}}
		}
	}
	return s, err
}

// read reads the text of a scene into src. It returns the name of the scene for messages, and the files
// that the scene may read: the parameter files. If the scene comes from an archive, the scene can also read
// the files of the archive, which hide files of the same names.
func (p *program) read(name string, opt loadOptions, src *farm.Source, files fs.FS) (string, fs.FS, error) {
	in, err := p.openInput(name)
	if err != nil {
		return "", nil, err
	}
	defer in.Close()
	if name != standard {
		src.Data, err = scene.Read(in)
		return name, files, err
	}
	head := make([]byte, archive.BlockBytes)
	n, _ := io.ReadFull(in, head) // an error occurs again below
	whole := io.MultiReader(bytes.NewReader(head[:n]), in)
	switch {
	case archive.Begins(head[:n]):
	case opt.archived || p.attached:
		return "", nil, &cli.Failure{Status: cli.StatusWrong, Err: errors.New("standard input must begin with an archive, a tar file whose first member is the scene")}
	default:
		src.Data, err = scene.Read(whole)
		p.in = bytes.NewReader(src.Data) // so that [program.source] can read it again
		return standardInput, files, err
	}
	p.archive, err = archive.Read(whole)
	if err != nil {
		return "", nil, &cli.Failure{Status: cli.StatusWrong, Err: err}
	}
	if p.attached && !opt.shares {
		go p.detach(in)
	}
	src.Data = p.archive.Scene
	return p.archive.Name, p.archive.Over(files), nil
}

// detach waits until standard input ends and then interrupts the command: the program that started the
// command has ended.
func (p *program) detach(in io.Reader) {
	_, _ = io.Copy(io.Discard, in)
	p.interrupt()
}

// notScene returns a message if an invalid scene is a file of another kind, such as a picture or a robot, rather than a
// scene with mistakes. Otherwise it returns "".
func notScene(name string, data []byte, err error) string {
	kind := http.DetectContentType(data)
	extension := strings.ToLower(filepath.Ext(name))
	switch _, imports := convert.ForFile(name); {
	case slices.Contains(mesh.Extensions(), extension):
		return fmt.Sprintf("not a scene but a mesh; 'render fit %s' makes a scene of solids around it", name)
	case imports:
		return fmt.Sprintf("not a scene; 'render import %s' makes a scene of it", name)
	case strings.HasPrefix(kind, "image/"):
		return "not a scene but a picture; scenes are TOML files, and 'render init' writes one"
	case extension == ".toml" || strings.HasPrefix(kind, "text/") && (extension == "" || !beginsWrong(data, err)):
		return ""
	}
	return "not a scene; scenes are TOML files, and 'render init' writes one"
}

// beginsWrong reports whether the first line that is neither blank nor a comment has a TOML syntax error.
func beginsWrong(data []byte, err error) bool {
	var problems scene.Errors
	if !errors.As(err, &problems) || len(problems) == 0 || problems[0].Code != scene.CodeSyntax {
		return false
	}
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			break
		}
	}
	return problems[0].Line == number
}

// folderOf returns the files that a scene may read: those in its folder or, if it comes from standard input, in the
// working directory.
func folderOf(name string) fs.FS { return scene.Folder(folderName(name)) }

// folderName returns the folder for [folderOf].
func folderName(scene string) string {
	if scene == standard {
		return "."
	}
	return filepath.Dir(scene)
}

// load reads a scene for a command that needs a valid one, and prints its problems.
func (p *program) load(ctx context.Context, name string, opt loadOptions) (*scene.Scene, error) {
	s, _, err := p.loadSource(ctx, name, opt)
	return s, err
}

// loadSource reads a scene for a command that needs a valid one, and prints its problems. It also returns the
// scene's source.
func (p *program) loadSource(ctx context.Context, name string, opt loadOptions) (*scene.Scene, *farm.Source, error) {
	s, src, err := p.decode(ctx, name, opt)
	screen := p.err
	if opt.json {
		screen = p.out
	}
	var problems scene.Errors
	if errors.As(err, &problems) {
		p.reportProblems(screen, problems, opt.json)
		return nil, nil, &cli.Failure{Status: cli.StatusWrong}
	}
	if err != nil {
		return nil, nil, err
	}
	warnings := s.Warnings
	if opt.unseen {
		warnings = slices.DeleteFunc(slices.Clone(warnings), func(e *scene.Error) bool { return e.Code.ConcernsPicture() })
	}
	if !p.quiet {
		p.reportProblems(screen, warnings, opt.json)
	}
	return s, src, nil
}
