//go:build js || plan9

package commands

import (
	"context"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/internal/farm"
	"pillbox/scene"
)

// farmFlags is empty on this operating system, because the libraries for farms do not support it.
type farmFlags struct{}

func (*farmFlags) add(*cobra.Command) {}
func (*farmFlags) wanted() bool       { return false }
func (*farmFlags) detached() bool     { return false }

func farmOnly() []string { return nil }

type farmJob struct{}

func (*delegate) join(context.Context, *farmFlags, *scene.Scene, *farm.Source, []farm.Shot) (*farmJob, error) {
	return &farmJob{}, nil
}

func (*delegate) submit(context.Context, *farmFlags, *scene.Scene, *farm.Source, *farm.Shard) error {
	return nil
}

func (*farmJob) picture(context.Context, int, pillbox.Options) (*pillbox.Film, error) {
	return nil, nil
}
func (*farmJob) leave(error) {}
