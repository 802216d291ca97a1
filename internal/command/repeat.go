package command

import (
	"context"

	"pillbox/internal/cli"
	"pillbox/internal/osfile/watch"
)

// Repeat calls once, and returns when an input changes or ctx ends. If an input changes while once is
// running, repeat cancels the context current and waits until once has returned, so that only one scene is
// in memory at a time.
func Repeat(ctx context.Context, inputs *watch.Files, once func(current context.Context)) {
	current, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		once(current)
	}()
	select {
	case <-inputs.Changed():
		cancel()
		<-done
		return
	case <-done:
	}
	select {
	case <-inputs.Changed():
	case <-ctx.Done():
	}
}

// Clear clears the terminal.
func (p *Env) Clear() {
	const fromTheTop = "\x1b[H\x1b[2J"
	if p.Err.Color {
		p.Err.Printf("%s", cli.Fitted(fromTheTop))
	}
}
