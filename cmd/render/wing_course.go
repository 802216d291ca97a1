//go:build !no_course

package main

import "pillbox/internal/course/commands"

func init() { wings = append(wings, commands.Wing()) }
