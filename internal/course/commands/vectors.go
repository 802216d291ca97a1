package commands

import (
	"bufio"
	"context"
	"fmt"
	"image"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/course"
	"pillbox/internal/follow"
	"pillbox/internal/text"
	"pillbox/scene"
)

func newVectors(p *command.Env) *cobra.Command {
	e := &examining{Env: p}
	cmd := &cobra.Command{
		Use:   "vectors STAGE",
		Short: "Print the questions of a stage of the course",
		Long: `Print the questions of a stage of the course as JSON Lines, which 'render grade' sends
to your own tracer. The same seed gives the same questions.

The stages are ` + strings.Join(stageNames(), ", ") + `.`,
		Example: `  render vectors sphere
  render vectors box --count 10 --seed 7 | python3 tracer.py`,
		GroupID:           command.GroupCourse,
		Args:              cli.WantArgs(1, 1, "one stage"),
		ValidArgsFunction: cobra.FixedCompletions(stageNames(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := e.checkStage(cmd, args[0]); err != nil {
				return err
			}
			exam, err := e.exam(cmd, args[0])
			if err != nil {
				return err
			}
			if err := e.writeScenes(cmd, exam); err != nil {
				return err
			}
			w := bufio.NewWriter(p.Out)
			if err := exam.WriteQuestions(cmd.Context(), w, func() {}); err != nil {
				return err
			}
			return w.Flush()
		},
	}
	e.flags(cmd)
	return cmd
}

// stageNames returns the names of the course's stages in order, followed by the optional ones.
func stageNames() []string { return namesOf(course.AllStages()) }

func namesOf(stages []*course.Stage) []string {
	var names []string
	for _, s := range stages {
		names = append(names, s.Name)
	}
	return names
}

// examining holds the flags of a command that makes exams: lists of questions for the learner's program in
// a stage of the course.
type examining struct {
	*command.Env
	opt    course.Options
	scenes []string // file names
	size   image.Point
}

// flags adds the flags that select the questions of an exam.
func (e *examining) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(cli.Int(&e.opt.Count, 1, course.MaxCount), "count", "number of questions (default: that of the stage)")
	flags.Var(cli.Value(&e.opt.Seed, "N", parseSeed), "seed", "choose other questions (default: 0)")
	flags.Var(cli.Text(&e.opt.Folder, "FOLDER"), "folder", "folder for the scene files of mirror and picture, and for the pictures of picture")
	flags.Var(cli.Texts(&e.scenes, "FILE"), "scene", "in the stage picture, use this scene instead; repeat it for more scenes")
	flags.Var(cli.Int(&e.size.X, 1, scene.MaxSide), "width", "width of pictures of --scene in pixels; the height follows")
	e.ForceFlag(cmd)
	cli.Must(cmd.MarkFlagDirname("folder"))
	cli.Must(cmd.MarkFlagFilename("scene", "toml"))
	cli.NoCompletion(cmd, "count", "seed", "width")
}

// stage returns the stage with a name.
func (e *examining) stage(cmd *cobra.Command, name string) (*course.Stage, error) {
	s, ok := course.Find(name)
	if !ok {
		return nil, cli.Misuse(cmd, "no stage %q, want one of %s%s", name, strings.Join(stageNames(), ", "),
			text.DidYouMean(text.ClosestWord(name, stageNames()), "%q"))
	}
	return s, nil
}

// exam returns the exam of a stage.
func (e *examining) exam(cmd *cobra.Command, name string) (*course.Exam, error) {
	s, err := e.stage(cmd, name)
	if err != nil {
		return nil, err
	}
	if name == pictureStage {
		if err := e.loadScenes(cmd.Context()); err != nil {
			return nil, err
		}
	}
	return s.Exam(e.opt)
}

// Stages to which some flags are restricted.
const (
	mirrorStage  = "mirror"
	pictureStage = "picture"
)

// stageFlags returns the stages to which a flag applies, by the name of the flag. Flags that apply to all
// stages are not in the map.
func stageFlags() map[string][]string {
	return map[string][]string{
		"extra":  {allStages},
		"folder": {mirrorStage, pictureStage},
		"output": {pictureStage},
		"scene":  {pictureStage},
		"width":  {pictureStage},
	}
}

// checkStage returns an error for a flag that has no effect in the given stage.
func (e *examining) checkStage(cmd *cobra.Command, name string) error {
	for flag, stages := range stageFlags() {
		if _, ok := course.Find(name); ok && cli.Given(cmd, flag) && !slices.Contains(stages, name) {
			return cli.Misuse(cmd, "%s is for the stage %s, and the stage is %s", cli.FlagName(cmd.Flag(flag)), strings.Join(stages, " or "), name)
		}
	}
	rules := []cli.FlagRule{cli.Needs("width", "scene")}
	if name == pictureStage {
		rules = append(rules, cli.Excludes("scene", "count", "seed")) // with allStages, count and seed apply to the other stages
	}
	return cli.CheckFlags(cmd, rules...)
}

// loadScenes reads the user's scenes.
func (e *examining) loadScenes(ctx context.Context) error {
	e.opt.Scenes = nil
	for _, name := range e.scenes {
		s, err := e.Load(ctx, name, command.LoadOptions{})
		if err != nil {
			return err
		}
		if err := course.Usable(s); err != nil {
			return err
		}
		p, err := pillbox.Prepare(s, pillbox.Picture{Size: e.size})
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		e.opt.Scenes = append(e.opt.Scenes, follow.Of(p))
	}
	return nil
}

// writeScenes writes the scenes to which questions refer.
func (e *examining) writeScenes(cmd *cobra.Command, exam *course.Exam) error {
	if e.opt.Folder == "" || !exam.HasScenes() {
		return nil
	}
	for i := range exam.Len() {
		name, text, ok := exam.SceneFile(i)
		if old, err := os.ReadFile(name); !ok || err == nil && string(old) == text {
			continue
		}
		if err := e.CheckDerived(cmd, name); err != nil {
			return err
		}
		err := e.Files.Write(name, func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// parseSeed parses a number from 0 to 2^64 - 1.
func parseSeed(s string) (uint64, error) {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("must be a whole number from 0 to 2^64 - 1")
	}
	return n, nil
}
