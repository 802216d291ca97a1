package accel

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestKernelsNeedNoMoreThanAVX2 checks that the kernels run on every machine with AVX2. Instructions with mask
// registers or more than sixteen vector registers need AVX-512. The assembler accepts them, but they would crash on
// other machines.
func TestKernelsNeedNoMoreThanAVX2(t *testing.T) {
	beyond := regexp.MustCompile(`\b([XY](1[6-9]|2[0-9]|3[01])|Z[0-9]+|K[0-7])\b`)
	if !beyond.MatchString("\tVMULPD Y10, Y13, Y16") {
		t.Fatal("the expression finds nothing")
	}
	for _, name := range []string{"kernels_amd64.s", "../sampler/kernels_amd64.s"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if beyond.MatchString(line) {
				t.Errorf("%s:%d:%s needs AVX-512", name, i+1, line)
			}
		}
	}
}
