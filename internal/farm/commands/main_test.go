package commands_test

import (
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/farm/commands"
)

func TestMain(m *testing.M) { programtest.Main(m, commands.Wing()) }
