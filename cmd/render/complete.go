package main

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

const sceneExtension = ".toml"

// sceneFiles completes scene files.
func sceneFiles(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return []cobra.Completion{sceneExtension[1:]}, cobra.ShellCompDirectiveFilterFileExt
}

// imageFiles completes images.
func imageFiles(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return []cobra.Completion{"png", "jpg", "jpeg", "tiff", "tif", "bmp"}, cobra.ShellCompDirectiveFilterFileExt
}

// sceneOrImageFiles completes scenes and images.
func sceneOrImageFiles(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	images, directive := imageFiles(cmd, args, prefix)
	return append(images, "toml"), directive
}

// scenesBesideCommands completes the first argument with scene files; Cobra adds the names of commands. It
// lists the files itself: if it asked the shell to complete files by extension, the shell would take the
// names of commands for extensions.
func scenesBesideCommands(_ *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return completeFiles("", prefix, sceneExtension)
}

// completeFiles returns the folders, and the files with the given extension, whose paths begin with prefix.
// It puts word before each path. For example, word is "depth=" for --aov depth=FILE, because shells cannot
// complete a file after such a word.
func completeFiles(word, prefix, extension string) ([]cobra.Completion, cobra.ShellCompDirective) {
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
