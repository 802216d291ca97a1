//go:build !js && !plan9

package commands

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/farm"
	"pillbox/internal/farm/local"
	"pillbox/scene"
)

// farmFlags are the flags of a command that can render on a farm.
type farmFlags struct {
	access farm.Access
	audit  float64
	detach bool

	priority int
}

func (f *farmFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(cli.Text(&f.access.URL, "URL"), "farm", "render on the workers of a farm, or with local:N in N processes here")
	flags.BoolVar(&f.detach, "detach", false, "only submit the work to the farm, and print the job; 'renderfarm fetch' gets the result")
	f.priority = farm.DefaultPriority
	flags.Var(cli.Int(&f.priority, farm.MinPriority, farm.MaxPriority), "priority", "get time of the farm's workers in this proportion to other jobs, 1 to 100")
	flags.Var(cli.Float(&f.audit, "SHARE", 0, 1), "audit", "render this share of the units on two workers of the farm, and compare them")
	flags.Var(cli.Text(&f.access.Creds, "FILE"), "creds", "NATS credentials for the farm")
	flags.Var(cli.Text(&f.access.TLSCA, "FILE"), "tls-ca", "certificate authorities for the farm's certificate")
	flags.Var(cli.Text(&f.access.TokenFile, "FILE"), "token-file", "the token for the farm")
	cli.NoCompletion(cmd, "farm")
	cli.NoCompletion(cmd, "audit", "priority")
	cli.UnderTopic(cmd, "farm", append(farmOnly(), "farm")...)
}

// farmOnly returns the flags that require --farm.
func farmOnly() []string {
	return []string{"audit", "priority", "creds", "tls-ca", "token-file", "detach"}
}

// wanted reports whether --farm was given.
func (f *farmFlags) wanted() bool { return f.access.URL != "" }

// detached reports whether the command does not wait for the farm.
func (f *farmFlags) detached() bool { return f.detach }

// farmJob is a job on a farm with its connection.
type farmJob struct {
	*command.Env
	farm  *farm.Farm
	job   *farm.Job
	local *local.Farm // nil if the farm is remote
	mute  bool        // the scene came from standard input, so no answer can be read from there
}

// enter connects to the farm that the flags name. If that is a local farm, enter starts it first.
func (d *delegate) enter(ctx context.Context, f *farmFlags, sc *scene.Scene) (*farmJob, error) {
	c := &farmJob{Env: d.Env, mute: sc.Name == command.StandardInput}
	access := f.access
	var err error
	if count, ok := strings.CutPrefix(access.URL, "local:"); ok {
		if access.Creds+access.TLSCA+access.TokenFile != "" || f.detach || f.priority != farm.DefaultPriority {
			return nil, &cli.Failure{Status: cli.StatusWrong, Err: errors.New("--farm local:N is for this command alone, without --creds, --tls-ca, --token-file, --detach and --priority")}
		}
		if c.local, err = startLocal(d.Env, count); err != nil {
			return nil, err
		}
		access = c.local.Access
	}
	access.Patience = time.Minute
	if !d.Quiet {
		access.Log = c.log
	}
	if c.farm, err = farm.Connect(ctx, "render", access); err != nil {
		c.leave(nil)
		if errors.Is(err, farm.ErrURL) {
			return nil, &cli.Failure{Status: cli.StatusWrong, Err: fmt.Errorf("--farm: %w", err)}
		}
		return nil, cli.Unavailable(err)
	}
	return c, nil
}

// join starts a job on a farm that renders shots: pictures of the scene sc, or parts of them. src is the
// source from which sc was read.
func (d *delegate) join(ctx context.Context, f *farmFlags, sc *scene.Scene, src *farm.Source, shots []farm.Shot) (*farmJob, error) {
	c, err := d.enter(ctx, f, sc)
	if err != nil {
		return nil, err
	}
	opt := farm.JobOptions{Name: sc.Name, Audit: f.audit, Priority: f.priority}
	if !d.Quiet {
		opt.Log = c.log
	}
	if c.job, err = c.farm.Open(ctx, src, sc, shots, opt); err != nil {
		c.leave(err)
		return nil, cli.Unavailable(err)
	}
	return c, nil
}

// submit starts a job on a farm that renders all shots of the shard s, and prints the job's identifier.
func (d *delegate) submit(ctx context.Context, f *farmFlags, sc *scene.Scene, src *farm.Source, s *farm.Shard) error {
	c, err := d.enter(ctx, f, sc)
	if err != nil {
		return err
	}
	defer c.farm.Close()
	j, err := c.farm.Open(ctx, src, sc, s.Plan.Shots, farm.JobOptions{Name: sc.Name, Output: s.Output, Detached: true, Audit: f.audit, Priority: f.priority})
	if err != nil {
		return cli.Unavailable(err)
	}
	j.Close()
	_, err = io.WriteString(d.Out, j.ID+"\n")
	return err
}

func (c *farmJob) log(text string) { c.Err.Printf("render: %s\n", text) }

// picture waits until the farm has rendered a shot, and returns the shot's film.
func (c *farmJob) picture(ctx context.Context, shot int, opt pillbox.Options) (*pillbox.Film, error) {
	if c.local != nil {
		var cancel func()
		ctx, cancel = c.local.While(ctx)
		defer cancel()
	}
	film, err := c.job.Picture(ctx, shot, opt)
	return film, cli.Unavailable(err)
}

// leave ends the connection to the farm, and the farm itself if it is a local one. err is the result of the
// work. A remote farm may still have the job. If err is nil, leave deletes the job and its results there,
// unless it was submitted with --detach. If the user interrupted the work, leave asks whether to keep the
// job running.
func (c *farmJob) leave(err error) {
	if c.job != nil {
		if err == nil && c.local == nil && !c.job.Detached() {
			c.forget()
		}
		if errors.Is(err, context.Canceled) && c.local == nil {
			c.offer()
		}
		c.job.Close()
	}
	if c.farm != nil {
		c.farm.Close()
	}
	if c.local != nil {
		c.local.Stop()
	}
}

// forget deletes the job and its results on the server.
func (c *farmJob) forget() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := c.job.Forget(ctx); err != nil {
		c.Warn("the server still has results of this job, and deletes them in some days: %v", err)
	}
}

// offer asks the user whether to keep the job running. If it cannot ask, it keeps the job.
func (c *farmJob) offer() {
	if c.Err.IsTerminal() && !c.mute {
		c.Err.Printf("leave the job running, so that the same command finds it done, or cancel it? [leave/cancel] ")
		answer, _ := bufio.NewReader(io.LimitReader(c.In, 64)).ReadString('\n')
		if strings.HasPrefix(strings.ToLower(strings.TrimSpace(answer)), "c") {
			if err := c.farm.Cancel(context.Background(), c.job.ID); err != nil {
				c.Err.Printf("render: %v\n", err)
			}
			return
		}
	}
	c.Err.Printf("render: the job goes on; the same command fetches it, 'renderfarm cancel URL %s' ends it\n", c.job.ID)
}

// startLocal starts a farm on this machine with count workers.
func startLocal(p *command.Env, count string) (*local.Farm, error) {
	n, err := strconv.Atoi(count)
	if err != nil || n < 1 || n > local.MaxWorkers {
		return nil, &cli.Failure{Status: cli.StatusWrong, Err: fmt.Errorf("--farm: must be local:N with N from 1 to %d, or a URL, got %q", local.MaxWorkers, "local:"+count)}
	}
	f, err := local.Start(n, p.Err)
	return f, cli.Unavailable(err)
}
