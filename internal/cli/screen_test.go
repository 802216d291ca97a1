package cli

import "testing"

func TestWantsColor(t *testing.T) {
	for _, test := range []struct {
		environment map[string]string
		want        bool
	}{
		{map[string]string{"TERM": "xterm"}, true},
		{map[string]string{"TERM": "xterm", "NO_COLOR": "1"}, false},
		{map[string]string{"TERM": "xterm", "NO_COLOR": ""}, true},
		{map[string]string{"TERM": "dumb"}, false},
	} {
		if got := wantsColor(func(key string) string { return test.environment[key] }); got != test.want {
			t.Errorf("%v: %v, want %v", test.environment, got, test.want)
		}
	}
}
