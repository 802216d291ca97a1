package animate

// Rebuild returns a PNG file made of the chunks in heads, followed by an IDAT chunk with the data in pixels. Each
// element of heads is the four-letter type of a chunk, followed by the chunk's data.
func Rebuild(heads [][]byte, pixels []byte) []byte {
	out := []byte(pngSignature)
	for _, h := range heads {
		out = appendChunk(out, string(h[:4]), h[4:])
	}
	return appendChunk(appendChunk(out, "IDAT", pixels), "IEND", nil)
}

// Undrawn lists the fields of a scene that digests skip.
func Undrawn() map[string]string { return undrawn() }
