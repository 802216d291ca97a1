// Package conformance holds tests of the module as a whole: that the same bits come out on every
// machine, which package imports which, where goroutines start, that the documentation is
// complete and true, and that planted faults are caught. It has no code of its own.
package conformance
