//go:build !no_play

package main

import "pillbox/internal/play/commands"

func init() { wings = append(wings, commands.Wing()) }
