package commands

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

const jointForm = "NAME=VALUE"

// The kinds of geometry of robots.
const (
	collision = "collision"
	visual    = "visual"
)

// addJoint returns joints with the position that s gives to one of them.
func addJoint(joints map[string]float64, s string) (map[string]float64, error) {
	i := strings.LastIndexByte(s, '=')
	if i < 1 {
		return nil, fmt.Errorf("must be %s", jointForm)
	}
	x, err := parseFinite(s[i+1:])
	if err != nil {
		return nil, errors.New("must end in a number, radians or meters")
	}
	if joints == nil {
		joints = make(map[string]float64)
	}
	joints[s[:i]] = x
	return joints, nil
}

func parseGroup(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > 5 {
		return 0, errors.New("must be numbers from 0 to 5")
	}
	return n, nil
}

func parseFinite(s string) (float64, error) {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, errors.New("must be numbers")
	}
	return x, nil
}
