package picture

import (
	"context"
	"fmt"
	"image/png"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/aov"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/osfile"
	"pillbox/internal/text"
	"pillbox/pngfile"
	"pillbox/scene"
)

// viewFile is a view and the file to write it to.
type viewFile struct {
	kind aov.Kind
	name string
}

const viewForm = "NAME=FILE"

// parseView parses a view and its file.
func parseView(s string) (viewFile, error) {
	name, file, ok := strings.Cut(s, "=")
	if !ok || file == "" {
		return viewFile{}, fmt.Errorf("must be %s", viewForm)
	}
	kind, ok := aov.ParseKind(name)
	if !ok {
		return viewFile{}, fmt.Errorf("NAME must be %s%s", kindList(), suggestKind(name))
	}
	if ext := viewExtension(kind); !strings.EqualFold(filepath.Ext(file), ext) {
		return viewFile{}, fmt.Errorf("the file of %s must end in %s", kind, ext)
	}
	return viewFile{kind, file}, nil
}

// files returns the names of the files.
func viewFileNames(views []viewFile) []string {
	var names []string
	for _, v := range views {
		names = append(names, v.name)
	}
	return names
}

// viewExtension returns the file extension for a kind of view.
func viewExtension(k aov.Kind) string {
	if k.IsMeasure() {
		return ".pfm"
	}
	return ".png"
}

// kindNames returns the names of all views.
func kindNames() []string {
	var names []string
	for _, k := range aov.Kinds() {
		names = append(names, k.String())
	}
	return names
}

// kindList lists the names of all views in a sentence.
func kindList() string { return text.Series(kindNames(), "or") }

// suggestKind returns a text for an error message, such as " (did you mean 'depth'?)". It names the view whose name resembles
// the given one most. If no name resembles it, the text is "".
func suggestKind(name string) string {
	if near := text.ClosestWord(name, kindNames()); near != "" {
		return " (" + text.Guess("'"+near+"'") + ")"
	}
	return ""
}

// viewsFlag adds the flag --aov to cmd.
func (r *rendering) viewsFlag(cmd *cobra.Command) {
	cmd.Flags().Var(cli.Repeated(&r.views, viewForm, parseView), "aov", "also write a view, such as depth=d.pfm; repeat it for more views. Views: "+kindList())
	cli.Must(cmd.RegisterFlagCompletionFunc("aov", completeViews))
}

// completeViews completes the names of views, and then files for them.
func completeViews(_ *cobra.Command, _ []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if name, file, ok := strings.Cut(prefix, "="); ok {
		kind, ok := aov.ParseKind(name)
		if !ok {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return command.CompleteFiles(name+"=", file, viewExtension(kind))
	}
	var found []cobra.Completion
	for _, k := range aov.Kinds() {
		if strings.HasPrefix(k.String(), prefix) {
			found = append(found, cobra.CompletionWithDesc(k.String()+"=", k.Meaning()))
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// checkViews returns an error if a view's file cannot be written or is used twice.
func (r *rendering) checkViews() error {
	taken := map[string]string{}
	if r.output != command.Standard {
		taken[osfile.Canonical(r.output)] = "the picture"
	}
	if partial, ok := (command.Output{Name: r.output}).Partial(); ok {
		taken[osfile.Canonical(partial.Name)] = "the picture, if it is interrupted,"
	}
	for _, v := range r.views {
		if other, ok := taken[osfile.Canonical(v.name)]; ok {
			return cli.Misuse(r.cmd, "--aov: %s and %s would share the file %s", other, v.kind, v.name)
		}
		taken[osfile.Canonical(v.name)] = v.kind.String()
		if err := r.CheckOutput(r.cmd, v.name, r.scene); err != nil {
			return err
		}
	}
	return nil
}

// wantsColor reports whether the color view was requested.
func wantsColor(views []viewFile) bool {
	return slices.ContainsFunc(views, func(v viewFile) bool { return v.kind == aov.Color })
}

// saveViews writes the requested views. It renders those that the film does not contain already.
func (r *rendering) saveViews(ctx context.Context, sc *scene.Scene, film *pillbox.Film) error {
	known := map[aov.Kind]*aov.View{}
	if film.Linear != nil {
		known[aov.Color] = aov.ColorOf(film)
	}
	var kinds []aov.Kind
	for _, v := range r.views {
		if known[v.kind] == nil {
			kinds = append(kinds, v.kind)
		}
	}
	if len(kinds) > 0 {
		views, err := r.drawViews(ctx, kinds)
		if err != nil {
			return err
		}
		for _, v := range views {
			known[v.Kind] = v
		}
	}
	for _, v := range r.views {
		if err := r.Files.Write(v.name, func(w io.Writer) error { return encodeView(w, known[v.kind]) }); err != nil {
			return err
		}
	}
	return nil
}

// encodeView writes a view in the format for its kind.
func encodeView(w io.Writer, v *aov.View) error {
	if v.Kind.IsMeasure() {
		return v.WritePFM(w)
	}
	switch v.Kind {
	case aov.Normal, aov.Facing, aov.Shadow, aov.Occlusion:
		// The channels of these views are numbers, not colors. Package pngfile would declare them as sRGB, and a
		// program that converts colors to linear light would then change them.
		return png.Encode(w, v.Picture())
	}
	return pngfile.EncodeImage(w, v.Picture())
}

// drawViews renders views and shows the progress.
func (r *rendering) drawViews(ctx context.Context, kinds []aov.Kind) ([]*aov.View, error) {
	progress := r.NewProgress("views", r.prepared.Picture().Region.Size())
	defer progress.Clear()
	work := r.opt.Work
	work.Progress = func(done, _ int) { progress.Update(done) }
	return aov.Render(ctx, r.prepared, kinds, work)
}
