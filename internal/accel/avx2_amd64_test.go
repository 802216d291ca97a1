package accel

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The kernels run wherever there is AVX2. What has more registers than sixteen, or masks, needs
// AVX-512, and stops the program elsewhere; the assembler takes it without a word.
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
