package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/animate"
	"pillbox/internal/cli"
	"pillbox/internal/text"
	"pillbox/internal/version"
	"pillbox/scene"
)

// A Constructor makes a command. The program makes only the commands that a run can need.
type Constructor struct {
	Name string // of the command
	New  func(*Env) *cobra.Command
}

// A Wing is a product beside the core that extends the program. OtherFile, Delegate and Requests may be nil.
type Wing struct {
	Name     string // such as "course"
	Commands []Constructor
	// OtherFile returns a message about a file that is not a scene but one that the wing can read, and "" for other
	// files.
	OtherFile func(name string) string
	// Delegate adds flags to a command that renders pictures or films, and returns what carries them out.
	Delegate func(*Env, *cobra.Command) Delegate
	// Requests are the requests of the playground's page that this wing answers.
	Requests *Requests
}

// Requests are requests of the playground's page that a wing answers.
type Requests struct {
	Names   []string // of all requests
	MaxBody int      // size of the largest request in bytes
	// Answer returns the answer to a request as JSON. For a malformed request, it returns the reason instead. If ctx ends, it
	// soon returns the cause. It is safe for concurrent use.
	Answer func(ctx context.Context, name string, body []byte) (data []byte, malformed string, err error)
}

// A Delegate renders the pictures of one command outside this process if the command's flags demand it.
type Delegate interface {
	// Rules returns the rules for the flags of the delegate.
	Rules() []cli.FlagRule
	// Replaces reports whether the delegate does everything that the command would do, with ReplacePicture or
	// ReplaceFilm.
	Replaces() bool
	ReplacePicture(context.Context, *PictureJob) error
	ReplaceFilm(context.Context, *FilmJob) error
	// Renders reports whether the delegate renders the pictures, which the command then writes.
	Renders() bool
	// Picture starts to render. The caller must call leave with the result of the command.
	Picture(ctx context.Context, s *scene.Scene, src *Source, job *PictureJob) (render RenderFunc, leave func(error), err error)
	// Film is like Picture. The delegate does not render frames for which skip returns true.
	Film(ctx context.Context, src *Source, f *animate.Film, skip func(i int, s *scene.Scene) bool) (render animate.RenderFunc, leave func(error), err error)
}

// A Job is what a command was told to write.
type Job struct {
	Command *cobra.Command
	Scene   string // name of the scene's file
	Output  string // of the flag -o; "": not given
}

// PictureJob is the job of a command that renders a picture.
type PictureJob struct {
	Job
	Options pillbox.Options
	Time    *float64 // nil: the scene's own state
	Load    LoadOptions
}

// FilmJob is the job of a command that renders a film.
type FilmJob struct {
	Job
	Plan   func(*scene.Scene) (*animate.Film, error) // returns the film of a scene
	Digest func(frame int, s *scene.Scene) string    // identifies what a frame shows
}

// here is the delegate of a program in which no wing renders elsewhere.
type here struct{}

func (here) Rules() []cli.FlagRule                             { return nil }
func (here) Replaces() bool                                    { return false }
func (here) ReplacePicture(context.Context, *PictureJob) error { return nil }
func (here) ReplaceFilm(context.Context, *FilmJob) error       { return nil }
func (here) Renders() bool                                     { return false }

func (here) Picture(context.Context, *scene.Scene, *Source, *PictureJob) (RenderFunc, func(error), error) {
	return nil, nil, nil
}

func (here) Film(context.Context, *Source, *animate.Film, func(int, *scene.Scene) bool) (animate.RenderFunc, func(error), error) {
	return nil, nil, nil
}

// Delegate returns the delegate for a command, to which it adds the delegate's flags.
func (p *Env) Delegate(cmd *cobra.Command) Delegate {
	for _, w := range p.Wings {
		if w.Delegate != nil {
			return w.Delegate(p, cmd)
		}
	}
	return here{}
}

// Requests returns the requests of the playground's page that wings answer.
func (p *Env) Requests() []*Requests {
	var all []*Requests
	for _, w := range p.Wings {
		if w.Requests != nil {
			all = append(all, w.Requests)
		}
	}
	return all
}

// MissingWings states which wings this program was built without, or returns "" if it has all.
func MissingWings() string {
	var names, tags []string
	for _, tag := range version.Tags() {
		if name, ok := strings.CutPrefix(tag, "no_"); ok {
			names, tags = append(names, name), append(tags, tag)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("this program was built without %s, that is with -tags %s", text.Series(names, "and"), strings.Join(tags, ","))
}
