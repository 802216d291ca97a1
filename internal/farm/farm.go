// Package farm renders a picture or a film on many machines.
//
// A [Plan] is shots of a scene, cut into units: rectangles, or whole frames. What a unit shows is a
// function of the scene with its files, the options, the rectangle and the source of the renderer alone, so its key
// is a hash of these, and any machine may render it, again and again, with the same bits. There are two ways to spread units.
// Shards need no server: [WriteShard] renders every n-th part of a plan to a file, and
// [Assemble] puts the files together. A [Farm] is a NATS server with JetStream, which hands units to every
// [Worker] that comes, and keeps results; a [Job] puts them together.
//
// Conventions: a hash is a SHA-256 in hexadecimal. Pixel (0, 0) is the top left; rectangles are half-open,
// [Min.X, Max.X) x [Min.Y, Max.Y). What comes from files and from others is checked and bounded: it may be
// anything.
package farm

// Format is the version of the messages and of the shard files. It rises when one of them changes.
const Format = 2
