package commands_test

import (
	"flag"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/farm/commands"
)

var longTest = flag.Bool("long", false, "run long tests, too")

func TestMain(m *testing.M) { programtest.Main(m, commands.Wing()) }
