package main

import (
	"math"

	"pillbox/geom"
)

func sine(a geom.Angle) float64 { sin, _ := a.SinCos(); return sin }

func cosine(a geom.Angle) float64 { _, cos := a.SinCos(); return cos }

func squareRoot(x float64) float64 { return math.Sqrt(x) }

// remainder returns x modulo y, for positive numbers.
func remainder(x, y float64) float64 { return x - math.Floor(x/y)*y }
