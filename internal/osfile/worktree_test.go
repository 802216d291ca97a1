package osfile

import (
	"os"
	"path/filepath"
	"testing"
)

// TestInWorkTree checks paths in a work tree, from several working directories, and in work trees inside it.
func TestInWorkTree(t *testing.T) {
	top := t.TempDir()
	for _, dir := range []string{"repo/.git", "repo/p/scenes", "repo/sub/scenes", "outside"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"repo/p/scenes/b.toml", "repo/sub/.git", "outside/x.toml"} { // .git is a file in a submodule
		if err := os.WriteFile(filepath.Join(top, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"link": "repo/p", "repo/p/out": "../../outside"} {
		if err := os.Symlink(target, filepath.Join(top, link)); err != nil {
			t.Skip(err)
		}
	}
	for _, test := range []struct{ dir, name, want string }{
		{"repo", "p/scenes/b.toml", "p/scenes/b.toml"},
		{"repo/p", "scenes/b.toml", "p/scenes/b.toml"},
		{"repo/p/scenes", "b.toml", "p/scenes/b.toml"},
		{"repo/p/scenes", "../golden/gone.png", "p/golden/gone.png"},
		{"outside", "../repo/p/scenes/b.toml", "p/scenes/b.toml"},
		{"outside", filepath.Join(top, "repo/p/scenes/b.toml"), "p/scenes/b.toml"},
		{"outside", "../link/scenes/b.toml", "p/scenes/b.toml"},
		{"repo/sub", "scenes/c.toml", "scenes/c.toml"},
		{"repo", "p/out/x.toml", "p/out/x.toml"}, // its target is in no work tree
	} {
		t.Chdir(filepath.Join(top, test.dir))
		if got, ok := InWorkTree(test.name); got != test.want || !ok {
			t.Errorf("in %s, %s: %q, %v, want %q", test.dir, test.name, got, ok, test.want)
		}
	}
	t.Chdir(filepath.Join(top, "outside"))
	if _, ok := Within("../repo", "x.toml"); ok {
		t.Error("a file outside the folder is within it")
	}
	if got, ok := Within("../repo/p", "../link/scenes/b.toml"); got != "scenes/b.toml" || !ok {
		t.Errorf("got %q, %v", got, ok)
	}
}
