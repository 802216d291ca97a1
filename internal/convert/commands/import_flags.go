package commands

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// jointFlag is the value of a flag that sets the positions of joints.
type jointFlag struct{ joints map[string]float64 }

func (f *jointFlag) Set(s string) error {
	i := strings.LastIndexByte(s, '=')
	if i < 1 {
		return fmt.Errorf("must be %s", f.Type())
	}
	x, err := parseFinite(s[i+1:])
	if err != nil {
		return errors.New("must end in a number, radians or meters")
	}
	f.joints[s[:i]] = x
	return nil
}

func (f *jointFlag) String() string { return "" }

func (f *jointFlag) Type() string { return "NAME=VALUE" }

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
