//go:build !linux

package pages

func inLarge(n int) []uint8 { return make([]uint8, n) }
