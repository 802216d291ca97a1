package scene

import (
	"fmt"
	"slices"
	"strings"

	"pillbox/internal/text"
)

// speller looks for the words that unknown ones probably stand for, until it has compared
// maxCompared pairs of words: a file may have ten thousand wrong names and as many right ones.
type speller struct {
	compared int
	stopped  bool
}

// maxCompared lets a file of 1,000 materials have 250 different wrong names. The longest words
// take a few microseconds each.
const maxCompared = 1 << 18

// suggest adds to e the known word nearest to the given one, if any is near, and returns it. The
// first error that gets none because the speller has stopped says so.
func (s *speller) suggest(e *Error, word string, known []string) string {
	if s.stopped {
		return ""
	}
	if s.compared += len(known); s.compared > maxCompared {
		s.stopped = true
		e.Message += " (from here on no similar word is looked for: there are too many)"
		return ""
	}
	e.Suggestion = text.Nearest(word, known)
	return e.Suggestion
}

// listed returns words, at least one, as a list that is cut where it gets long.
func listed(words []string) string {
	const most = 12
	if rest := len(words) - most; rest > 1 {
		return fmt.Sprintf("%s and %d more", strings.Join(words[:most], ", "), rest)
	}
	return strings.Join(words, ", ")
}

// otherWord returns what to say of a key that other programs use for solids, and the known key
// that stands for it, if any does. It says nothing of other words, nor where solids are unknown.
func otherWord(key string, known []string) (says, suggestion string) {
	if !slices.Contains(known, KindBox.String()) {
		return "", ""
	}
	const has = "unknown key: Pillbox has spheres, capsules and boxes; "
	switch strings.TrimSuffix(strings.ToLower(key), "s") {
	case "ball", "orb":
		return "unknown key", KindSphere.String()
	case "pill", "rod":
		return "unknown key", KindCapsule.String()
	case "boxe", "cube", "cuboid", "block", "brick", "aabb", "obb":
		return "unknown key", KindBox.String()
	case "plane", "floor", "ground", "quad", "rectangle", "disc", "disk":
		return has + "a plane is a wide, thin box", KindBox.String()
	case "cylinder", "cone", "tube":
		return has + "a capsule is a cylinder with round ends", KindCapsule.String()
	case "mesh", "meshe", "triangle", "polygon", "torus", "ellipsoid":
		return has + "anything else has to be put together from these", ""
	}
	return "", ""
}
