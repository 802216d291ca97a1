package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pillbox/scene"
)

func (p *program) goldenCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "golden COMMAND",
		Short: "Check scenes against accepted pictures",
		Long: `Check that scenes still give the pictures that were accepted, see what changed, and
accept it.

The picture of scenes/NAME.toml is golden/NAME.png, and golden/NAME.scene.toml is
the scene as it was when that picture was accepted. The folder golden/NAME.scene
holds the files of its bulk tables. A scene elsewhere has its folder golden
beside it. All of that belongs into version control.

Every pixel counts, unless a file golden/NAME.golden.toml says otherwise:

  reason = "the clock shows the time of the test"
  tolerance = { max_channel = 2, max_pixels = 10 }
  masks = [[0, 0, 64, 32], "hand"]

A mask is a rectangle [x0, y0, x1, y1] or the name of a solid, where it is seen.

SCENE is a scene's path, or its name if it lies in scenes/.`,
		GroupID:                    groupPictures,
		SuggestionsMinimumDistance: 2,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
				return misuse(cmd, "no command %q; did you mean '%s'?", args[0], strings.Join(near, "' or '"))
			}
			return misuse(cmd, "no command %q", args[0])
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			cmd.SetOut(p.err)
			_ = cmd.Help()
			return &failure{status: statusWrong}
		},
	}
	cmd.AddCommand(
		p.goldenCheckCommand(),
		p.goldenPendingCommand(),
		p.goldenReviewCommand(),
		p.goldenReportCommand(),
		p.goldenAcceptCommand(),
	)
	return cmd
}

// goldens is what the commands about references have in common.
type goldens struct {
	*program
	suite
}

// flags adds what all of these commands take.
func (g *goldens) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&g.golden, "golden", "", "keep the accepted pictures in `DIR`")
	must(cmd.MarkFlagDirname("golden"))
	cmd.ValidArgsFunction = sceneFiles
}

// checkPage reports a file, to which verdicts are to go, that cannot be written or would replace
// one of the references'. The files of bulk tables are known only when their scenes are read.
func (g *goldens) checkPage(cmd *cobra.Command, name string, refs []reference) error {
	for i := range refs {
		if copies := refs[i].copies(); liesIn(copies, name) {
			return misuse(cmd, "output %s lies in %s, which is for copies of accepted files", name, copies)
		}
	}
	return g.checkOutput(cmd, name, inputs(refs)...)
}

// judgements judges references, several at once, and yields what f makes of each.
func (g *goldens) judgements(ctx context.Context, refs []reference, f func(*judgement)) iter.Seq[*judgement] {
	return inOrder(refs, func(r reference) *judgement {
		j := judge(ctx, r)
		f(j)
		return j
	})
}

// tell prints why a judgement failed.
func (g *goldens) tell(j *judgement) {
	var problems scene.Errors
	if errors.As(j.err, &problems) {
		const asJSON = false
		g.printProblems(g.err, problems, asJSON)
		return
	}
	g.explain(j.err)
}

// acceptCommand returns the command line that accepts a reference.
func (s suite) acceptCommand(r *reference) string {
	words := []string{"render", "golden", "accept"}
	if s.golden != "" {
		words = append(words, "--golden", s.golden)
	}
	arg := r.scene
	if arg == "" || filepath.Dir(arg) == scenesFolder {
		arg = r.name
	}
	if strings.HasPrefix(arg, "-") {
		words = append(words, "--")
	}
	words = append(words, arg)
	for i, w := range words {
		words[i] = shellQuoted(w)
	}
	return strings.Join(words, " ")
}

// shellQuoted returns word so that a shell takes it as it is.
func shellQuoted(word string) string {
	const harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+/.,:@"
	if word != "" && strings.Trim(word, harmless) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// detail tells what belongs to a verdict; it continues the line that begins with it.
func (j *judgement) detail() string {
	switch j.verdict {
	case changed:
		return fmt.Sprintf(": %v", j.diff)
	case resized:
		got, want := j.diff.Got, j.diff.Want
		return fmt.Sprintf(": %d x %d, want %d x %d", got.X, got.Y, want.X, want.Y)
	case tolerated:
		if j.diff.Differing == 0 {
			return fmt.Sprintf(": no pixel differs outside the masks (%s)", oneLine(j.rules.Reason))
		}
		return fmt.Sprintf(": %v (%s)", j.diff, oneLine(j.rules.Reason))
	case unknown:
		return ": no picture was accepted yet"
	case missing:
		return fmt.Sprintf(": %s was accepted, but there is no %s", j.accepted(), j.picture())
	case orphan:
		return fmt.Sprintf(": %s has no scene; accepting removes it", j.first())
	case failed:
		return fmt.Sprintf(": %v", j.err)
	default:
		return ""
	}
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// tally counts verdicts.
type tally map[verdict]int

// String tells the counts, the worst first.
func (t tally) String() string {
	total := 0
	var parts []string
	for _, v := range worstFirst() {
		if n := t[v]; n > 0 {
			total += n
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	return fmt.Sprintf("%s: %s", plural(total, "golden"), strings.Join(parts, ", "))
}

// pass reports whether all passed.
func (t tally) pass() bool {
	for v, n := range t {
		if n > 0 && !v.passes() {
			return false
		}
	}
	return true
}
