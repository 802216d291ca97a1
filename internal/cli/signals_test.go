package cli

import (
	"os"
	"testing"
)

func TestWatchSignals(t *testing.T) {
	signals := make(chan os.Signal)
	calls := make(chan string)
	go watch(signals, func() { calls <- "first" }, func() { calls <- "second" })
	for _, want := range []string{"first", "second"} {
		signals <- os.Interrupt
		if got := <-calls; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
