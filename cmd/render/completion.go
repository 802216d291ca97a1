package main

import (
	"strings"

	"github.com/spf13/cobra"
)

func (p *program) completionCommand() *cobra.Command {
	shells := []cobra.Completion{"bash", "fish", "powershell", "zsh"}
	want := strings.Join(shells[:3], ", ") + " or " + shells[3]
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a script that completes commands, flags and scenes",
		Long:  "Print a script that completes commands, flags and scenes in a shell: " + want + ".",
		Example: `  source <(render completion bash)
  render completion zsh > "${fpath[1]}/_render"
  render completion fish > ~/.config/fish/completions/render.fish
  render completion powershell | Out-String | Invoke-Expression`,
		GroupID:   groupProgram,
		ValidArgs: shells,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || cobra.OnlyValidArgs(cmd, args) != nil {
				return misuse(cmd, "want %s, got %s", want, quoted(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			const descriptions = true
			switch root := cmd.Root(); args[0] {
			case "bash":
				return root.GenBashCompletionV2(p.out, descriptions)
			case "fish":
				return root.GenFishCompletion(p.out, descriptions)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(p.out)
			default:
				return root.GenZshCompletion(p.out)
			}
		},
	}
}
