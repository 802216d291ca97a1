// Package filmfile handles the files of a film: the format that a file name selects, the names of numbered frames, and
// video files, which the program ffmpeg writes.
//
// A number format such as %04d in the base name of a file is replaced by the number of a frame.
package filmfile

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"pillbox/internal/text"
)

// Format is the format of a film.
type Format uint8

// The formats.
const (
	GIF    Format = iota
	APNG          // an animated PNG
	MP4           // needs ffmpeg
	WebM          // needs ffmpeg
	Frames        // a PNG for each frame, with its number in the name
)

// Extensions returns the extensions of the formats that store a whole film in one file.
func Extensions() []string { return []string{".gif", ".png", ".mp4", ".webm"} }

// IsVideo reports whether ffmpeg writes the format. Videos have no transparency.
func (f Format) IsVideo() bool { return f == MP4 || f == WebM }

// Parse returns the format that the name of an output selects. If the name selects none, the error states what is wrong
// with the name.
func Parse(name string) (Format, error) {
	numbers := numberPattern().FindAllString(name, -1)
	ext := strings.ToLower(filepath.Ext(name))
	switch {
	case len(numbers) > 1:
		return 0, fmt.Errorf("output must have one number, got %q", name)
	case len(numbers) == 1 && ext != ".png":
		return 0, fmt.Errorf("numbered frames must end in .png, got %q", name)
	case len(numbers) == 1 && numberPattern().MatchString(filepath.Dir(name)):
		return 0, fmt.Errorf("the number must be in the name of the files, not of their folder, got %q", name)
	case len(numbers) == 1:
		return Frames, nil
	}
	switch ext {
	case ".gif":
		return GIF, nil
	case ".png":
		return APNG, nil
	case ".mp4":
		return MP4, nil
	case ".webm":
		return WebM, nil
	}
	return 0, fmt.Errorf("output must end in %s, or be -, got %q", text.Series(Extensions(), "or"), name)
}

// IsNumbered reports whether a name contains the number of a frame.
func IsNumbered(name string) bool { return numberPattern().MatchString(name) }

// Frame returns the name of the file of a frame with the given number. If name contains no number format, it is the name
// of the whole film, and Frame returns it unchanged.
func Frame(name string, number int) string {
	format := numberPattern().FindString(name)
	if format == "" {
		return name
	}
	return strings.Replace(name, format, fmt.Sprintf(format, number), 1)
}

// numberPattern matches a number format such as %04d.
func numberPattern() *regexp.Regexp { return regexp.MustCompile(`%(0?[1-9][0-9]?)?d`) }
