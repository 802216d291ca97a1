//go:build !no_farm

package main

import "pillbox/internal/farm/commands"

func init() { wings = append(wings, commands.Wing()) }
