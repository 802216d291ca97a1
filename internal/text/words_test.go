package text

import (
	"fmt"
	"testing"
)

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 masks", 1: "1 mask", 2: "2 masks"} {
		if got := Count(n, "mask"); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestSeries(t *testing.T) {
	items := []string{"bash", "fish", "zsh"}
	for n, want := range []string{"", "bash", "bash or fish", "bash, fish or zsh"} {
		if got := Series(items[:n], "or"); got != want {
			t.Errorf("Series of %d = %q, want %q", n, got, want)
		}
	}
}

func Example() {
	fmt.Println(Count(1, "sphere"), "and", Count(2, "capsule"))
	fmt.Println("want", Series([]string{"red", "green", "blue"}, "or"))
	// Output:
	// 1 sphere and 2 capsules
	// want red, green or blue
}
