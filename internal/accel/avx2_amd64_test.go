package accel

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The kernels must run on every machine with AVX2. Instructions that use more than sixteen registers,
// or mask registers, need AVX-512 and would crash on other machines, but the assembler accepts them.
func TestKernelsNeedNoMoreThanAVX2(t *testing.T) {
	text, err := os.ReadFile("kernels_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	beyond := regexp.MustCompile(`\b([XY](1[6-9]|2[0-9]|3[01])|Z[0-9]+|K[0-7])\b`)
	if !beyond.MatchString("\tVMULPD Y10, Y13, Y16") {
		t.Fatal("the expression finds nothing")
	}
	for i, line := range strings.Split(string(text), "\n") {
		if beyond.MatchString(line) {
			t.Errorf("kernels_amd64.s:%d:%s needs AVX-512", i+1, line)
		}
	}
}
