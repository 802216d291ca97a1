package commands

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/picture"
	"pillbox/internal/play/viewer"
	"pillbox/internal/sniff"
	"pillbox/scene"
)

func newPage(p *command.Env) *cobra.Command {
	w := &paging{Env: p}
	cmd := &cobra.Command{
		Use:   "page SCENE [-o PAGE.html]",
		Short: "Write a scene as a page to turn and to ask, which needs no network",
		Long: `Write one HTML file that shows a scene. In a browser, readers turn the camera, and click a
pixel to see why it has its color. The file contains the renderer, about 3 MB, and needs
neither a server nor a network. Without scripts, it shows the picture.

The page goes to the scene's base name with .html in the current folder. If the scene
reads files or is animated, or with --view or --theme, the page has a table for every solid,
as from 'render export', and does not move.`,
		Example: `  render page scene.toml
  render page scene.toml -o figure.html --width 640`,
		DisableFlagsInUseLine: true,
		GroupID:               command.GroupPictures,
		Args:                  cli.WantArgs(1, 1, "one scene"),
		ValidArgsFunction:     command.SceneFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			w.cmd, w.scene = cmd, args[0]
			return w.run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.VarP(cli.Text(&w.output, "FILE"), "output", "o", "write the page to FILE, or to standard output if it is -")
	cli.Must(cmd.MarkFlagFilename("output", "html"))
	flags.Var(cli.Int(&w.size.X, 1, scene.MaxSide), "width", "picture width in pixels; without --height, the height follows")
	flags.Var(cli.Int(&w.size.Y, 1, scene.MaxSide), "height", "picture height in pixels; without --width, the width follows")
	flags.BoolVar(&w.fragment, "fragment", false, "write HTML for a part of another page: the picture, and the page in a frame over it")
	cli.NoCompletion(cmd, "width", "height")
	command.TimeFlag(cmd, &w.moment)
	command.ViewFlag(cmd, &w.view)
	command.ThemeFlag(cmd, &w.theme)
	return cmd
}

// paging holds the flags of one run of `render page`.
type paging struct {
	*command.Env
	cmd    *cobra.Command
	scene  string // file name
	output string // file name
	size   image.Point
	moment *float64
	view   string
	theme  string // file name

	fragment bool
}

func (w *paging) run(ctx context.Context) error {
	if !w.cmd.Flags().Changed("output") {
		picture := command.DefaultOutput(w.scene)
		w.output = strings.TrimSuffix(picture, filepath.Ext(picture)) + ".html"
	}
	if err := w.CheckFormat(w.cmd, w.output, sniff.HTML, w.scene); err != nil {
		return err
	}
	s, src, err := w.LoadSource(ctx, w.scene, command.LoadOptions{Moment: w.moment, View: w.view, Theme: w.theme})
	if err != nil {
		return err
	}
	page, err := w.page(ctx, s, src.Data)
	switch {
	case errors.Is(err, viewer.ErrAbsent):
		return &cli.Failure{Status: cli.StatusWrong, Err: err, Hint: "'scripts/web --viewer DIR' makes it, and 'go build -overlay DIR/overlay.json ./cmd/render' a program with it"}
	case err != nil && ctx.Err() == nil:
		return &cli.Failure{Status: cli.StatusWrong, Err: fmt.Errorf("%s: %w", s.Name, err)}
	case err != nil:
		return err
	}
	if err := w.WriteOutput(ctx, w.output, func(out io.Writer) error {
		_, err := io.WriteString(out, page)
		return err
	}); err != nil {
		return err
	}
	w.NoteFile(w.output, "%s: %d kB", w.output, len(page)/1000)
	return nil
}

// page returns the page with a scene, which was read from data.
func (w *paging) page(ctx context.Context, s *scene.Scene, data []byte) (string, error) {
	template, err := viewer.Template()
	if err != nil {
		return "", err
	}
	shown, err := w.shown(s, data)
	if err != nil {
		return "", err
	}
	if _, err := command.Await(ctx, func() (struct{}, error) { return struct{}{}, viewer.Check(ctx, shown) }); err != nil {
		return "", err
	}
	film, _, err := w.Draw(ctx, s, pillbox.Options{Picture: pillbox.Picture{Size: w.size}}, "rendering "+s.Name)
	if err != nil {
		return "", err
	}
	var still bytes.Buffer
	if err := picture.PNG.Encode(&still, film.Image, 0); err != nil {
		return "", err
	}
	shown.Size, shown.Still = film.Region.Size(), still.Bytes()
	if w.fragment {
		return viewer.Fragment(template, shown)
	}
	return viewer.Page(template, shown)
}

// shown returns what the page shows, without a picture. The text is data unless the page's engine would show another scene:
// it reads no files, and shows an animated scene at a time.
func (w *paging) shown(s *scene.Scene, data []byte) (viewer.Scene, error) {
	shown := viewer.Scene{Title: strings.TrimSuffix(path.Base(filepath.ToSlash(s.Name)), ".toml"), Text: string(data), Size: w.size, Time: w.moment}
	if isStill := s.Moves() && w.moment == nil; isStill || len(s.Files) > 0 || w.view != "" || w.theme != "" {
		var flat strings.Builder
		if err := s.WriteTOML(&flat); err != nil {
			return viewer.Scene{}, err
		}
		shown.Text, shown.Time = flat.String(), nil
	}
	return shown, nil
}
