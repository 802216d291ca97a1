// Package farm renders a picture or a film on many machines.
//
// A [Plan] lists the shots of a scene (pictures, or the frames of a film) and says how each shot is cut into units. A
// unit is a rectangle of a shot, or the whole shot. The result of a unit is its pixels. They depend only on the scene
// with its files, the options of the shot, the rectangle and the source code of the renderer. So every machine gets the
// same bits, and a hash of these inputs, the key of the unit, identifies the result.
//
// There are two ways to distribute units to machines. Shards need no server: [WriteShard] renders one of n parts of a
// plan to a file, and [Assemble] combines the files. A [Farm] is a connection to a NATS server with JetStream, which
// queues units for each [Worker] and stores their results. The program that opens a [Job] is the coordinator of that
// job: it puts the units into the queue, checks results and assembles the pictures. Submitted jobs can also have
// another coordinator; see [Farm.Coordinate].
//
// Conventions: a hash is a SHA-256 in hexadecimal. Pixel (0, 0) is at the top left. Rectangles are half-open, [Min.X,
// Max.X) x [Min.Y, Max.Y). Shard files and messages can contain any bytes, so the readers check them and limit their
// sizes.
package farm

// Format is the version of the messages and of the shard files. It increases when either of them changes.
const Format = 3
