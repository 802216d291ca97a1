//go:build !linux

package pages

func advise([]uint8) {}
