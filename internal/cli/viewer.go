package cli

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
)

// OpenViewer opens a file or a web address in the program that the user has configured for it. To do this, it starts a
// command of the operating system. The caller must call wait, which waits for this command to end. If ctx ends first, the
// command is killed.
func OpenViewer(ctx context.Context, name string) (wait func() error, err error) {
	var tried []string
	for _, opener := range openersOf(runtime.GOOS) {
		cmd := exec.CommandContext(ctx, opener[0], append(opener[1:], name)...)
		err := cmd.Start()
		if err == nil {
			return cmd.Wait, nil
		}
		if !errors.Is(err, exec.ErrNotFound) {
			return nil, err
		}
		tried = append(tried, strings.Join(opener, " "))
	}
	return nil, fmt.Errorf("no program to open files, tried %s", strings.Join(tried, ", "))
}

// openersOf returns the commands that open files on an operating system, the most common one first.
func openersOf(system string) [][]string {
	switch system {
	case "darwin":
		return [][]string{{"open"}}
	case "windows":
		return [][]string{{"rundll32", "url.dll,FileProtocolHandler"}}
	default:
		return [][]string{{"xdg-open"}, {"gio", "open"}, {"wslview"}}
	}
}
