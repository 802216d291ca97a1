//go:build !no_convert

package main

import "pillbox/internal/convert/commands"

func init() { wings = append(wings, commands.Wing()) }
