package animate

// Rebuild returns a PNG file with the chunks heads, which come before the pixels, and an IDAT chunk with the data
// pixels. Each of heads is a chunk's type followed by its data.
func Rebuild(heads [][]byte, pixels []byte) []byte {
	out := []byte(pngSignature)
	for _, h := range heads {
		out = appendChunk(out, string(h[:4]), h[4:])
	}
	return appendChunk(appendChunk(out, "IDAT", pixels), "IEND", nil)
}
