package osfile

// DecodeWithin is Decode with another limit of pixels, for tests.
var DecodeWithin = decode
