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

func TestHasUTF8(t *testing.T) {
	for _, test := range []struct {
		environment map[string]string
		want        bool
	}{
		{map[string]string{"LANG": "en_US.UTF-8"}, true},
		{map[string]string{"LANG": "C.utf8"}, true},
		{map[string]string{"LANG": "en_US.UTF-8", "LC_ALL": "C"}, false},
		{map[string]string{"LANG": "C", "LC_CTYPE": "UTF-8"}, true},
		{map[string]string{"LANG": "de_DE.UTF-8", "LC_CTYPE": "POSIX"}, false},
		{map[string]string{"LANG": "de_DE.ISO-8859-1"}, false},
	} {
		if got := hasUTF8(func(key string) string { return test.environment[key] }); got != test.want {
			t.Errorf("%v: %v, want %v", test.environment, got, test.want)
		}
	}
}
