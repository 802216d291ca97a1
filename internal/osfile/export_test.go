package osfile

// DecodeWithin is for tests.
var DecodeWithin = decode
