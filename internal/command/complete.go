package command

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/picture"
)

// SceneExtension is how the names of scene files end.
const SceneExtension = ".toml"

// SceneFiles completes scene files.
func SceneFiles(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return []cobra.Completion{SceneExtension[1:]}, cobra.ShellCompDirectiveFilterFileExt
}

// ImageFiles completes images.
func ImageFiles(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return pictureExtensions(), cobra.ShellCompDirectiveFilterFileExt
}

// PictureFlag makes a flag complete the files of pictures, and files with other extensions, without dots.
func PictureFlag(cmd *cobra.Command, flag string, others ...string) {
	cli.Must(cmd.MarkFlagFilename(flag, append(pictureExtensions(), others...)...))
}

// pictureExtensions returns the extensions of pictures, without dots.
func pictureExtensions() []string {
	all := picture.Extensions()
	for i := range all {
		all[i] = strings.TrimPrefix(all[i], ".")
	}
	return all
}

// SceneOrImageFiles completes scenes and images.
func SceneOrImageFiles(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	images, directive := ImageFiles(cmd, args, prefix)
	return append(images, "toml"), directive
}

// ScenesBesideCommands completes the first argument with scene files; Cobra adds the names of commands. It
// lists the files itself: if it asked the shell to complete files by extension, the shell would take the
// names of commands for extensions.
func ScenesBesideCommands(_ *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return CompleteFiles("", prefix, SceneExtension)
}

// CompleteFiles returns the folders, and the files with the given extension, whose paths begin with prefix.
// It puts word before each path. For example, word is "depth=" for --aov depth=FILE, because shells cannot
// complete a file after such a word.
func CompleteFiles(word, prefix, extension string) ([]cobra.Completion, cobra.ShellCompDirective) {
	dir, start := filepath.Split(prefix)
	entries, err := os.ReadDir(cmp.Or(dir, "."))
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	directive := cobra.ShellCompDirectiveNoFileComp
	var found []cobra.Completion
	for _, e := range entries {
		name := e.Name()
		hidden := strings.HasPrefix(name, ".") && start == ""
		switch {
		case hidden || !strings.HasPrefix(name, start):
		case e.IsDir():
			found = append(found, word+dir+name+"/")
			directive |= cobra.ShellCompDirectiveNoSpace // the user continues to type the path
		case strings.EqualFold(filepath.Ext(name), extension):
			found = append(found, word+dir+name)
		}
	}
	return found, directive
}
