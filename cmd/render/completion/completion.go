// Package completion contains the command "render completion".
package completion

import (
	"bytes"
	_ "embed"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/text"
)

// descriptions is the argument with which Cobra's completion scripts also show the descriptions of commands
// and flags.
const descriptions = true

//go:embed completion.bash
var bashFunctions string

//go:embed completion.fish
var fishScript string

// writeBashCompletion writes the script for bash. It replaces Cobra's, which requires the package bash-completion and
// does not handle words with @.
func writeBashCompletion(w io.Writer, root *cobra.Command) error {
	var script bytes.Buffer
	if err := root.GenBashCompletionV2(&script, descriptions); err != nil {
		return err
	}
	ours := strings.NewReplacer(
		"_get_comp_words_by_ref", "__render_words",
		"_init_completion -n =:", "_init_completion -n =:@",
		"_filedir", "__render_files",
		`__render_handle_special_char "$cur" :`, `__render_cut "$cur"`,
		`__render_handle_special_char "$cur" =`, "",
	)
	_, err := io.WriteString(w, bashFunctions+ours.Replace(script.String()))
	return err
}

// writeZshCompletion writes the script for zsh. It corrects Cobra's, which interprets everything up to the last = as
// the name of a flag.
func writeZshCompletion(w io.Writer, root *cobra.Command) error {
	var script bytes.Buffer
	if err := root.GenZshCompletion(&script); err != nil {
		return err
	}
	_, err := io.WriteString(w, strings.Replace(script.String(), "=~ '-.*='", "=~ '^-[^=]*='", 1))
	return err
}

// New returns the command completion in an environment.
func New(p *command.Env) *cobra.Command {
	shells := []cobra.Completion{"bash", "fish", "powershell", "zsh"}
	want := text.Series(shells, "or")
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a script that completes commands, flags and scenes",
		Long:  "Print a script that completes commands, flags and scenes in a shell: " + want + ".",
		Example: `  source <(render completion bash)
  render completion zsh > "${fpath[1]}/_render"
  render completion fish > ~/.config/fish/completions/render.fish
  render completion powershell | Out-String | Invoke-Expression`,
		GroupID:   command.GroupProgram,
		ValidArgs: shells,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || cobra.OnlyValidArgs(cmd, args) != nil {
				return cli.Misuse(cmd, "want %s, got %s", want, cli.Quoted(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch root := cmd.Root(); args[0] {
			case "bash":
				return writeBashCompletion(p.Out, root)
			case "fish":
				_, err := io.WriteString(p.Out, fishScript)
				return err
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(p.Out)
			default:
				return writeZshCompletion(p.Out, root)
			}
		},
	}
}
