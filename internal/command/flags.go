package command

import (
	"fmt"
	"image"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/internal/cli"
	"pillbox/internal/picture"
	"pillbox/scene"
)

// PictureFlags adds the flags that determine which part of the picture is rendered, and how.
func PictureFlags(cmd *cobra.Command, opt *pillbox.Options) {
	flags := cmd.Flags()
	flags.Var(cli.Int(&opt.Size.X, 1, scene.MaxSide), "width", "picture width in pixels; without --height, the height follows")
	flags.Var(cli.Int(&opt.Size.Y, 1, scene.MaxSide), "height", "picture height in pixels; without --width, the width follows")
	flags.Var(cli.Int(&opt.Antialias, 1, scene.MaxAntialias), "antialias", "cast N x N rays per pixel")
	flags.Var(cli.Value(&opt.Region, regionForm, parseRegion), "region", "render only these pixels, the last column and row excluded")
	flags.Var(cli.Int(&opt.Workers, 1, math.MaxInt32), "workers", "render on N threads; does not affect the image (default: one per processor)")
	cli.NoCompletion(cmd, "width", "height", "antialias", "region", "workers")
}

// TimeFlag adds the flag --time to cmd. Without the flag, moment is nil.
func TimeFlag(cmd *cobra.Command, moment **float64) {
	cmd.Flags().Var(cli.Optional(moment, "SECONDS", ParseSeconds), "time", "use the scene at this time of its animation; by default, without animation")
	cli.NoCompletion(cmd, "time")
}

// ViewFlag adds the flag --view to cmd, which takes the name of a view of [scene.Scene.From].
func ViewFlag(cmd *cobra.Command, view *string) {
	cmd.Flags().Var(cli.Word(view, "SIDE", scene.ViewNames()), "view", "show all solids from a side instead of through the scene's camera: "+strings.Join(scene.ViewNames(), ", "))
	cli.Must(cmd.RegisterFlagCompletionFunc("view", cobra.FixedCompletions(scene.ViewNames(), cobra.ShellCompDirectiveNoFileComp)))
}

// ThemeFlag adds the flag --theme to cmd, which takes the name of a file with a theme for the scene.
func ThemeFlag(cmd *cobra.Command, theme *string) {
	cmd.Flags().Var(cli.Text(theme, "FILE"), "theme", "use the theme in FILE, or in FILE.toml beside the scene, instead of the scene's own")
	cli.Must(cmd.MarkFlagFilename("theme", "toml"))
}

// ParseSeconds parses a time in seconds, as flags take it.
func ParseSeconds(s string) (float64, error) {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !(0 <= x && x <= scene.MaxSeconds) {
		return 0, fmt.Errorf("must be seconds, 0 to %.0f", scene.MaxSeconds)
	}
	return x, nil
}

const regionForm = "X0,Y0,X1,Y1"

// parseRegion parses a rectangle of pixels.
func parseRegion(s string) (image.Rectangle, error) {
	parts := strings.Split(s, ",")
	if len(parts) != 4 {
		return image.Rectangle{}, fmt.Errorf("must be %s", regionForm)
	}
	var n [4]int
	for i, part := range parts {
		var err error
		if n[i], err = strconv.Atoi(strings.TrimSpace(part)); err != nil || n[i] < 0 {
			return image.Rectangle{}, fmt.Errorf("must be %s, pixels counted from 0", regionForm)
		}
	}
	if n[0] >= n[2] || n[1] >= n[3] {
		return image.Rectangle{}, fmt.Errorf("must be %s with X0 < X1 and Y0 < Y1", regionForm)
	}
	return image.Rect(n[0], n[1], n[2], n[3]), nil
}

// OutputFlag adds -o.
func OutputFlag(cmd *cobra.Command, name *string, usage string) {
	cmd.Flags().VarP(cli.Text(name, "FILE"), "output", "o", usage)
	PictureFlag(cmd, "output")
}

// DPIFlag adds --dpi.
func DPIFlag(cmd *cobra.Command, dpi *int) {
	cmd.Flags().Var(cli.Int(dpi, 1, picture.MaxDPI), "dpi", "store a resolution of N pixels per inch in the file, for printing; affects only texts with a size in points (default: none)")
	cli.NoCompletion(cmd, "dpi")
}

// JSONFlag adds --json.
func JSONFlag(cmd *cobra.Command, on *bool, usage string) {
	cmd.Flags().BoolVar(on, "json", false, usage)
}
