//go:build !js && !plan9

// Package local runs a farm on this machine, in processes of the program renderfarm.
package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"

	"pillbox/internal/cli"
	"pillbox/internal/farm"
)

// MaxWorkers is the largest number of workers of a local farm.
const MaxWorkers = 256

// Farm is a server with workers on this machine. They end when Stop is called or the calling process ends.
type Farm struct {
	Access farm.Access // for connecting to the server

	in    io.Closer       // closing it ends the farm
	alive context.Context // ends when the farm has ended
}

// Start starts a farm with 1 to [MaxWorkers] workers and writes its messages to log. It needs the program renderfarm in the
// folder of this program or on the PATH.
func Start(workers int, log io.Writer) (*Farm, error) {
	program, err := cli.FindProgram("renderfarm")
	if err != nil {
		return nil, err
	}
	process := exec.Command(program, "local", strconv.Itoa(workers))
	process.Stderr = log
	cli.Isolate(process)
	out, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	in, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, err
	}
	f := &Farm{in: in}
	err = json.NewDecoder(out).Decode(&f.Access) // before Wait, which closes out
	var ended context.CancelCauseFunc
	f.alive, ended = context.WithCancelCause(context.Background())
	go func() {
		_ = process.Wait() // it reports its own errors
		ended(errors.New("the farm on this machine has ended"))
	}()
	if err != nil {
		f.Stop()
		return nil, fmt.Errorf("%s does not start", program)
	}
	return f, nil
}

// While returns a context that ends when ctx or the farm ends. Call cancel to release the context.
func (f *Farm) While(ctx context.Context) (while context.Context, cancel func()) {
	while, end := context.WithCancelCause(ctx)
	detach := context.AfterFunc(f.alive, func() { end(context.Cause(f.alive)) })
	return while, func() {
		detach()
		end(nil)
	}
}

// Stop ends the farm and waits until its processes have removed what they stored.
func (f *Farm) Stop() {
	f.in.Close()
	<-f.alive.Done()
}
