package animate

// Rebuild returns a PNG. Each of heads is a chunk before the pixels: its type and its data. pixels is the data of the
// IDAT chunk.
func Rebuild(heads [][]byte, pixels []byte) []byte {
	out := []byte(pngSignature)
	for _, h := range heads {
		out = appendChunk(out, string(h[:4]), h[4:])
	}
	return appendChunk(appendChunk(out, "IDAT", pixels), "IEND", nil)
}
