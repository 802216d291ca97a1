package accel

import (
	"math/bits"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestKernelsNeedNoMoreThanAVX2 checks that the kernels run on every machine with AVX2, except those with the word Wide in their
// names. Instructions with mask registers or more than sixteen vector registers need AVX-512. The assembler accepts them, but
// they would crash on other machines.
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
		wide := false
		for i, line := range strings.Split(string(text), "\n") {
			if strings.HasPrefix(line, "TEXT") {
				wide = strings.Contains(line, "WideKernel(")
			}
			if !wide && beyond.MatchString(line) {
				t.Errorf("%s:%d:%s needs AVX-512", name, i+1, line)
			}
		}
	}
}

// TestWideRayMasks compares the results of the kernel with AVX-512 with those of the kernel with AVX2. The sets of blocked rays
// must be equal, and so must be the bits that are defined in the masks. TestRayMasks checks the results of one of them.
func TestWideRayMasks(t *testing.T) {
	if !haveWideKernels {
		t.Skip("no AVX-512")
	}
	defer func() { haveWideKernels = true }()
	rng := rand.New(rand.NewPCG(59, 2))
	var c maskCase
	var blocked, may int
	for range 5_000 {
		c.fill(rng)
		wide := c.find(t)
		haveWideKernels = false
		narrow := c.find(t)
		haveWideKernels = true
		if wide.blocked != narrow.blocked {
			t.Fatalf("of %d rays, %b are blocked, want %b", c.n, wide.blocked, narrow.blocked)
		}
		open := firstRays(c.n) &^ narrow.blocked
		blocked += bits.OnesCount64(uint64(narrow.blocked))
		for k := range c.near {
			if got, want := wide.masks[k]&open, narrow.masks[k]&open; got != want {
				t.Fatalf("%d rays, ball %d: the mask is %b, want %b", c.n, k, got, want)
			}
			may += bits.OnesCount64(uint64(wide.masks[k] & open))
		}
	}
	if blocked < 10_000 || may < 10_000 {
		t.Errorf("%d rays are blocked, and %d bits are set in masks", blocked, may)
	}
}
