// Package geom defines vectors, rays, segments, rotations, bounds, angles and packets, which are grids
// of coherent rays.
//
// Conventions: coordinates are right-handed with y up, lengths are in scene units, angles
// have the type [Angle]. All types are plain values; all functions are pure and safe for
// concurrent use.
//
// # The same bits on every machine
//
// The Go specification lets a compiler fuse x*y + z into one operation with a single rounding. The compiler
// does this on arm64, ppc64le, riscv64, s390x and amd64 at GOAMD64=v3. An explicit conversion,
// float64(x*y) + z, forbids the fusion ("Floating-point operators" in the specification). So in this package,
// and wherever else floats decide a pixel, every product that feeds an addition or a subtraction is
// converted, although the conversion looks redundant.
//
// Addition, subtraction, multiplication, division, square root, Floor, Abs, Copysign, Mod
// and the explicit math.FMA are exact or correctly rounded everywhere. The transcendental
// functions of package math are not the same everywhere and never touch a pixel; [Angle]
// has its own.
//
// Nothing here compares with an absolute tolerance, so a scene scaled by a power of two gives the same
// picture. Coordinates should be at most 1e15 in magnitude and sizes between 1e-15 and 1e15; inside
// that range nothing overflows.
package geom
