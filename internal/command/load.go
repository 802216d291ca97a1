package command

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pillbox/internal/archive"
	"pillbox/internal/cli"
	"pillbox/internal/osfile"
	"pillbox/internal/sniff"
	"pillbox/problem"
	"pillbox/scene"
)

// StandardInput is the name, in messages, of a scene from standard input.
const StandardInput = "<stdin>"

// Source is the contents of a scene file, and of the files that it names, at one time.
type Source struct {
	Data  []byte        // contents of the scene file
	Files osfile.Memory // the files that it names, by their paths relative to its folder
}

// LoadOptions describe how a scene is read. The zero value reads the scene without a time.
type LoadOptions struct {
	Moment     *float64 // read the scene at this time; nil: without animation
	Theme      string   // the file with the theme, see [Env.readTheme]; "" for the scene's own
	ThemeHint  string   // is added to the message if there is no such file
	View       string   // show the scene from this side, see [scene.Scene.From]; "" for its own camera
	Exact      bool     // keep all digits of numbers
	Record     bool     // record the contents of files that the scene names
	Cameraless bool     // the command needs no camera
	Unseen     bool     // the command renders no picture: omit warnings about the camera and the lights
	Held       bool     // print no warnings: the command prints them with those about annotations, see Env.ReportWarnings
	JSON       bool     // print problems as JSON on standard output
	Files      fs.FS    // the files that the scene may read; nil: those of Env.Folder

	Archived bool // a scene from standard input must be an archive
	Shares   bool // the command reads what follows the archive, so standard input remains open
}

// Decode reads a scene. It also returns the source of the scene: its text and, if opt.record is set, the
// files that it names. If the scene is invalid, the error is [problem.Errors].
func (p *Env) Decode(ctx context.Context, name string, opt LoadOptions) (*scene.Scene, *Source, error) {
	src := new(Source)
	stage := cli.NewStageProgress(&p.Err, p.Quiet, "loading "+name)
	defer stage.Clear()
	s, err := Await(ctx, func() (*scene.Scene, error) { return p.decodeFile(name, opt, src, stage.Update) })
	if err != nil {
		return nil, nil, err
	}
	if opt.Moment != nil && s.Animation == nil {
		return nil, nil, &cli.Failure{Status: cli.StatusWrong, Err: fmt.Errorf("--time: %s has no [animation], and shows the same at any time", s.Name)}
	}
	if opt.View != "" {
		s, _ = s.From(opt.View) // the flag has checked the name
	}
	if opt.Moment != nil {
		moving := s
		if s, err = Await(ctx, func() (*scene.Scene, error) { return moving.At(*opt.Moment) }); err != nil {
			return nil, nil, err
		}
	}
	for _, f := range s.Files {
		if err := p.Protect(f.Name); err != nil {
			return nil, nil, err
		}
	}
	return s, src, nil
}

// decodeFile reads a scene as its file describes it, without moving it to a time. It stores the source of
// the scene in src.
func (p *Env) decodeFile(name string, opt LoadOptions, src *Source, progress func(done, all int64)) (*scene.Scene, error) {
	files := opt.Files
	if files == nil {
		files = p.Folder(name)
	}
	shown, files, err := p.read(name, opt, src, files)
	if err != nil {
		return nil, err
	}
	if opt.Record {
		recorder := osfile.Record(files, scene.MaxBulkBytes)
		defer func() { src.Files = recorder.Files }()
		files = recorder
	}
	options := []scene.DecodeOption{scene.WithFiles(files), scene.WithProgress(progress)}
	if opt.Cameraless {
		options = append(options, scene.WithOptionalCamera())
	}
	if opt.Exact {
		options = append(options, scene.WithAllDigits())
	}
	if opt.Theme != "" {
		theme, data, err := p.readTheme(name, opt)
		if err != nil {
			return nil, err
		}
		options = append(options, scene.WithTheme(theme, data))
	}
	if kind := osfile.KindOf(name); !slices.Contains([]string{"", sniff.TOML, sniff.CSV}, kind) && len(bytes.TrimSpace(src.Data)) == 0 {
		return nil, problem.Errors{{File: name, Code: problem.CodeSyntax, Severity: problem.SeverityError, Message: "the file is empty, and so neither " + kind + " nor a scene"}}
	}
	s, err := scene.Decode(shown, src.Data, options...)
	if err != nil && name != Standard {
		if what := p.notScene(name, src.Data, err); what != "" {
			return nil, problem.Errors{{File: name, Code: problem.CodeSyntax, Severity: problem.SeverityError, Message: what}}
		}
	}
	return s, err
}

// Panels reads the file of a figure with panels. It returns nil if the file is anything else or cannot be read; who then reads it
// as a scene gets the error. If the figure is invalid, the error is [problem.Errors].
func (p *Env) Panels(ctx context.Context, name string) (*scene.Panels, error) {
	shown, read := name, func() ([]byte, error) { return scene.ReadFile(name) }
	if name == Standard {
		shown, read = StandardInput, p.peekText
	}
	data, err := Await(ctx, read)
	if ctx.Err() != nil {
		return nil, err
	}
	if err != nil || !scene.HasPanels(data) {
		return nil, nil
	}
	return scene.DecodePanels(shown, data)
}

// peekText returns the text of standard input unless it is an archive. The text can be read again.
func (p *Env) peekText() ([]byte, error) {
	head := make([]byte, archive.BlockBytes)
	n, err := io.ReadFull(p.In, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	rest := p.In
	p.In = io.MultiReader(bytes.NewReader(head[:n]), rest)
	if archive.Begins(head[:n]) {
		return nil, nil
	}
	var whole bytes.Buffer
	data, err := scene.Read(io.TeeReader(p.In, &whole))
	p.In = io.MultiReader(&whole, rest)
	return data, err
}

// ThemeFiles returns the names of files in which --theme looks for the theme of a scene, the first one first.
func ThemeFiles(sceneName, theme string) []string {
	folder := FolderName(sceneName)
	return []string{theme, filepath.Join(folder, theme), filepath.Join(folder, theme+".toml")}
}

// readTheme reads the file of the flag --theme. It is the first of the [ThemeFiles] that exists. readTheme also returns its
// path.
func (p *Env) readTheme(sceneName string, opt LoadOptions) (path string, data []byte, err error) {
	theme, folder := opt.Theme, ""
	for _, path := range ThemeFiles(sceneName, theme) {
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err == nil && info.IsDir():
			folder = cmp.Or(folder, path)
		default:
			if data, err = scene.ReadFile(path); err != nil {
				return "", nil, fmt.Errorf("--theme: %w", err)
			}
			return path, data, p.Protect(path)
		}
	}
	if folder != "" {
		return "", nil, &cli.Failure{Status: cli.StatusFile, Err: fmt.Errorf("--theme: %s is a folder, want a file with a [theme]", folder)}
	}
	return "", nil, &cli.Failure{Status: cli.StatusFile, Err: fmt.Errorf("--theme: there is neither a file %s nor a file %s beside the scene%s", theme, strings.TrimSuffix(theme, ".toml")+".toml", opt.ThemeHint)}
}

// read reads the text of a scene into src. It returns the name of the scene for messages, and the files
// that the scene may read: the parameter files. If the scene comes from an archive, the scene can also read
// the files of the archive, which hide files of the same names.
func (p *Env) read(name string, opt LoadOptions, src *Source, files fs.FS) (string, fs.FS, error) {
	in, err := p.OpenInput(name)
	if err != nil {
		return "", nil, err
	}
	defer in.Close()
	if name != Standard {
		src.Data, err = scene.Read(in)
		return name, files, err
	}
	head := make([]byte, archive.BlockBytes)
	n, _ := io.ReadFull(in, head) // an error occurs again below
	whole := io.MultiReader(bytes.NewReader(head[:n]), in)
	switch {
	case archive.Begins(head[:n]):
	case opt.Archived || p.Attached:
		return "", nil, &cli.Failure{Status: cli.StatusWrong, Err: errors.New("standard input must begin with an archive, a tar file whose first member is the scene")}
	default:
		src.Data, err = scene.Read(whole)
		p.In = bytes.NewReader(src.Data) // so that [Env.Source] can read it again
		return StandardInput, files, err
	}
	p.archive, err = archive.Read(whole)
	if err != nil {
		return "", nil, &cli.Failure{Status: cli.StatusWrong, Err: err}
	}
	if p.Attached && !opt.Shares {
		go p.detach(in)
	}
	src.Data = p.archive.Scene
	return p.archive.Name, p.archive.Over(files), nil
}

// detach waits until standard input ends and then interrupts the command: the program that started the
// command has ended.
func (p *Env) detach(in io.Reader) {
	_, _ = io.Copy(io.Discard, in)
	p.Interrupt()
}

// notScene returns a message if an invalid scene is a file of another kind, such as a picture or a robot, rather than a
// scene with mistakes. Otherwise it returns "".
func (p *Env) notScene(name string, data []byte, err error) string {
	kind := http.DetectContentType(data)
	extension := strings.ToLower(filepath.Ext(name))
	for _, w := range p.Wings {
		if w.OtherFile != nil {
			if what := w.OtherFile(name); what != "" {
				return what
			}
		}
	}
	switch {
	case strings.HasPrefix(kind, "image/"):
		return "not a scene but a picture; scenes are TOML files, and 'render init' writes one"
	case extension == ".toml" || strings.HasPrefix(kind, "text/") && (extension == "" || !beginsWrong(data, err)):
		return ""
	}
	return "not a scene; scenes are TOML files, and 'render init' writes one"
}

// beginsWrong reports whether the first line that is neither blank nor a comment has a TOML syntax error.
func beginsWrong(data []byte, err error) bool {
	var problems problem.Errors
	if !errors.As(err, &problems) || len(problems) == 0 || problems[0].Code != problem.CodeSyntax {
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

// FolderOf returns the files that a scene may read: those in its folder or, if it comes from standard input, in the
// working directory.
func FolderOf(name string) fs.FS { return scene.Folder(FolderName(name)) }

// FolderName returns the folder for [FolderOf].
func FolderName(scene string) string {
	if scene == Standard {
		return "."
	}
	return filepath.Dir(scene)
}

// Load reads a scene for a command that needs a valid one, and prints its problems.
func (p *Env) Load(ctx context.Context, name string, opt LoadOptions) (*scene.Scene, error) {
	s, _, err := p.LoadSource(ctx, name, opt)
	return s, err
}

// LoadSource reads a scene for a command that needs a valid one, and prints its problems. It also returns the
// scene's source.
func (p *Env) LoadSource(ctx context.Context, name string, opt LoadOptions) (*scene.Scene, *Source, error) {
	s, src, err := p.Decode(ctx, name, opt)
	screen := p.Err
	if opt.JSON {
		screen = p.Out
	}
	var problems problem.Errors
	if errors.As(err, &problems) {
		p.ReportProblems(screen, problems, opt.JSON)
		return nil, nil, &cli.Failure{Status: cli.StatusWrong}
	}
	if err != nil {
		return nil, nil, err
	}
	warnings := s.Warnings
	if opt.Unseen {
		warnings = slices.DeleteFunc(slices.Clone(warnings), func(e *problem.Error) bool { return e.Code.ConcernsPicture() })
	}
	if !p.Quiet && !opt.Held {
		p.ReportProblems(screen, warnings, opt.JSON)
	}
	return s, src, nil
}
