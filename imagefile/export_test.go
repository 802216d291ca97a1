package imagefile

// DecodeWithin is for tests.
var DecodeWithin = decode
