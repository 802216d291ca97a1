package commands

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pillbox/convert"
)

// FlagFormats returns the formats to which a flag applies, by the name of the flag. Flags that apply to all
// formats are not in the map.
func FlagFormats() map[string][]string {
	molecules := []string{"bcif", "gro", "mmcif", "mol2", "pdb", "pqr", "sdf", "xyz"}
	withGhosts := append([]string{"mjcf", "urdf"}, molecules...)
	slices.Sort(withGhosts)
	withResidues := []string{"bcif", "gro", "mmcif", "mol2", "pdb", "pqr"}
	withCells := []string{"bcif", "gro", "mmcif", "mol2", "pdb", "pqr", "xyz"}
	return map[string][]string{
		"approximate":  {"mjcf", "nff", "urdf"},
		"groups":       {"mjcf"},
		"sites":        {"mjcf"},
		"keyframe":     {"mjcf"},
		"qpos":         {"mjcf"},
		"root":         {"mjcf", "urdf"},
		"fit":          {"mjcf", "urdf"},
		"strict":       {"mjcf", "urdf"},
		"camera":       {"mjcf", "urdf"},
		"geometry":     {"urdf"},
		"joint":        {"urdf"},
		"ghost":        withGhosts,
		"style":        molecules,
		"color":        molecules,
		"look":         molecules,
		"label":        withResidues,
		"model":        molecules,
		"select":       molecules,
		"assembly":     {"bcif", "mmcif", "pdb"},
		"cell":         withCells,
		"fill-cell":    withCells,
		"no-water":     withResidues,
		"no-hydrogens": molecules,
	}
}

// FormatNames returns the names of the formats.
func FormatNames() (names []string) {
	for _, f := range convert.Formats() {
		names = append(names, f.Name)
	}
	return names
}

// formatsWithExtensions returns each format with its extensions, such as "mjcf (.xml, .mjcf)".
func formatsWithExtensions() (list []string) {
	for _, f := range convert.Formats() {
		list = append(list, fmt.Sprintf("%s (%s)", f.Name, strings.Join(f.Extensions, ", ")))
	}
	return list
}

// listFormats returns a line for each format.
func listFormats() string {
	var lines []string
	for _, f := range convert.Formats() {
		lines = append(lines, fmt.Sprintf("  %-10s%s (%s)", f.Name, f.Title, strings.Join(f.Extensions, ", ")))
	}
	return strings.Join(lines, "\n")
}

// importFiles completes files of all formats.
func importFiles(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var extensions []cobra.Completion
	for _, f := range convert.Formats() {
		for _, e := range f.Extensions {
			extensions = append(extensions, strings.TrimPrefix(e, "."))
		}
	}
	return extensions, cobra.ShellCompDirectiveFilterFileExt
}
