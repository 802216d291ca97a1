//go:build darwin || freebsd || linux

package scene

import (
	"syscall"
	"testing"

	"pillbox/problem"
)

// TestSceneTooLarge decodes more bytes than a scene may have. The system provides them as pages that take no memory, because
// nothing reads them: to make them in the heap takes seconds.
func TestSceneTooLarge(t *testing.T) {
	data, err := syscall.Mmap(-1, 0, MaxBytes+1, syscall.PROT_READ, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip(err)
	}
	defer func() {
		if err := syscall.Munmap(data); err != nil {
			t.Error(err)
		}
	}()
	es, _ := problemsOf(data)
	const want = "x.toml:1:1: a scene must not be larger than 512 MiB; [[bulk]] tables hold more"
	if es.Error() != want || es[0].Code != problem.CodeTooLarge {
		t.Errorf("got %s [%s], want %s", es, es[0].Code, want)
	}
}
