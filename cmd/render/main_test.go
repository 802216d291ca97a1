package main

import (
	"testing"

	"pillbox/cmd/render/program/programtest"
)

func TestMain(m *testing.M) { programtest.Main(m, wings...) }
