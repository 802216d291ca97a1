// Package loopback decides whether an address or a Host header means this machine.
//
// A server on a loopback address that needs no token must refuse other hosts: a page of another site can make the name of
// its own server resolve to 127.0.0.1, and could then read what the local server sends.
package loopback

import (
	"net"
	"net/netip"
	"strings"
)

// Names reports whether a host, with or without a port, is a loopback address or localhost, which nobody's DNS can
// control. An IPv6 address may be in brackets.
func Names(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	} else {
		name = strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
	}
	if strings.EqualFold(name, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.IsLoopback()
}
