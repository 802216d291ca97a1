//go:build !js && !plan9

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/farm"
	"pillbox/internal/text"
)

func (p *program) statusCommand() *cobra.Command {
	return p.listingCommand(listing{
		use: "status URL", short: "List jobs and workers", json: "print them as a JSON object",
		part:  func(s *farm.Status) any { return s },
		table: showStatus,
	})
}

// listing describes a command that prints a part of a farm's status.
type listing struct {
	use, short, json string // json describes --json

	part  func(*farm.Status) any // what --json prints
	table func(io.Writer, *farm.Status)
}

func (p *program) listingCommand(l listing) *cobra.Command {
	var a farm.Access
	var asJSON bool
	cmd := &cobra.Command{
		Use:   l.use,
		Short: l.short,
		Args:  cli.WantArgs(1, 1, "the URL of a server"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := p.status(cmd, args[0], a)
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(p.out).Encode(l.part(s))
			}
			w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
			l.table(w, s)
			return w.Flush()
		},
	}
	accessFlags(cmd, &a)
	cmd.Flags().BoolVar(&asJSON, "json", false, l.json)
	return cmd
}

// status returns the jobs and workers of the farm with the given URL.
func (p *program) status(cmd *cobra.Command, url string, a farm.Access) (*farm.Status, error) {
	f, err := p.connect(cmd.Context(), cmd, url, a)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s, err := f.Status(cmd.Context())
	return s, cli.Unavailable(err)
}

// showJobs prints a table of jobs.
func showJobs(w io.Writer, jobs []farm.JobStatus) {
	fmt.Fprintln(w, "JOB\tSCENE\tSTATE\tPRIORITY\tUNITS\tDONE\tFAILED\tRUNNING\tWAITING\tTIME LEFT")
	for _, j := range jobs {
		left := "unknown"
		if j.Left >= 0 {
			left = time.Duration(j.Left * float64(time.Second)).Round(time.Second).String()
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%s\n", text.Escape(j.ID), text.Escape(j.Name), j.State, j.Priority, j.Units, j.Done, j.Failed, j.Running, j.Waiting, left)
	}
}

// showStatus prints tables of jobs and workers.
func showStatus(w io.Writer, s *farm.Status) {
	showJobs(w, s.Jobs)
	fmt.Fprintln(w, "\nWORKER\tSLOTS\tRUNNING\tUNITS DONE\tPIXELS/S PER SLOT\tUP")
	for _, k := range s.Workers {
		running := 0
		for _, n := range k.Running {
			running += n
		}
		rate := "-"
		if k.Busy > 0 {
			rate = fmt.Sprintf("%.0f", float64(k.Pixels)/k.Busy)
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\t%v\n", text.Escape(k.ID), k.Slots, running, k.Units, rate, time.Duration(k.Uptime)*time.Second)
	}
}
