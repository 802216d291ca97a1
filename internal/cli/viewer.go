package cli

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
)

// OpenViewer opens a file or a web address with the program that the user has chosen for its kind. The command
// that does so is started, and must be waited for by calling wait; it ends with ctx at the latest.
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

// openersOf returns the commands that open files on a system, the usual one first.
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
