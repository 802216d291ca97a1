package main

import (
	"context"

	"pillbox/internal/cli"
	"pillbox/internal/farm"
)

// detachRules returns the rules for flags that have no effect if the command does not wait for the job.
func detachRules() []cli.FlagRule {
	return []cli.FlagRule{cli.Needs("detach", "farm"), cli.Excludes("detach", "output", "aov", "stats", "force", "dpi", "workers")}
}

// runDetached submits the picture to the farm.
func (r *rendering) runDetached(ctx context.Context) error {
	sc, src, err := r.loadSource(ctx, r.scene, r.loading())
	if err == nil {
		err = refuseAnnotations(sc, "--detach")
	}
	if err != nil {
		return err
	}
	shot, err := farm.NewShot(sc, r.opt, r.moment.value())
	if err != nil {
		return err
	}
	return r.submit(ctx, &r.farm, sc, src, newShard(shardFlag{0, 1}, sc, src, []farm.Shot{shot}))
}

// runDetached submits the film to the farm.
func (a *animating) runDetached(ctx context.Context) error {
	sc, src, err := a.loadSource(ctx, a.scene, loadOptions{record: true})
	if err == nil {
		err = refuseAnnotations(sc, "--detach")
	}
	if err != nil {
		return err
	}
	s, err := a.filmShard(shardFlag{0, 1}, sc, src)
	if err != nil {
		return err
	}
	return a.submit(ctx, &a.farm, sc, src, s)
}
