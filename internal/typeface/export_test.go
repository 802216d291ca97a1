package typeface

// Open returns the font in a file.
func Open(data []byte) *Face { return open("test", data) }
