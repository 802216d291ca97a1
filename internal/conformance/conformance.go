// Package conformance contains tests of the module as a whole. They check that all machines compute the same bits, which
// package imports which, where goroutines start, that the documentation is complete and true, and that tests find planted
// faults. It contains no other code.
package conformance
