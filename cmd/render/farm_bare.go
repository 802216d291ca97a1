//go:build js || plan9

package main

import (
	"context"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/internal/cli"
	"pillbox/internal/farm"
	"pillbox/scene"
)

// farmFlags are none here: the libraries for farms do not know this system.
type farmFlags struct{}

func (*farmFlags) add(*cobra.Command) {}
func (*farmFlags) wanted() bool       { return false }

func farmRules() []cli.FlagRule { return nil }

type crew struct{}

func (*program) join(context.Context, *farmFlags, *scene.Scene, *farm.Source, []farm.Shot) (*crew, error) {
	return &crew{}, nil
}

func (*crew) picture(context.Context, int, pillbox.Options) (*pillbox.Film, error) { return nil, nil }
func (*crew) leave(error)                                                          {}
