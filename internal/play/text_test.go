package play_test

import "unicode/utf16"

func utf16s(s string) []uint16 { return utf16.Encode([]rune(s)) }

func text16(units []uint16) string { return string(utf16.Decode(units)) }
