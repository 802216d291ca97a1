package animate

// Rebuild returns a PNG of chunks that come before the pixels, each behind its kind, and pixels.
func Rebuild(heads [][]byte, pixels []byte) []byte {
	out := []byte(pngSignature)
	for _, h := range heads {
		out = appendChunk(out, string(h[:4]), h[4:])
	}
	return appendChunk(appendChunk(out, "IDAT", pixels), "IEND", nil)
}
