package model

import (
	"fmt"
	"slices"
	"strings"

	"pillbox/internal/text"
)

// FreeCamera is the name that selects none of the file's cameras: writing the scene adds one that shows all solids.
const FreeCamera = "free"

// UnknownCamera returns the error for a camera that the file does not have. It lists the cameras in the file; the noun is
// what the file contains, such as "robot".
func UnknownCamera(noun, name string, cameras []string) error {
	const most = 20
	cameras = slices.DeleteFunc(slices.Clone(cameras), func(c string) bool { return c == "" })
	message := fmt.Sprintf("the %s has no camera %q", noun, name) + text.DidYouMean(text.ClosestWord(name, cameras), "%q")
	if len(cameras) == 0 {
		return fmt.Errorf("%s; it has no camera with a name; --camera %s shows all solids", message, FreeCamera)
	}
	list := strings.Join(cameras[:min(most, len(cameras))], ", ")
	if len(cameras) > most {
		list += ", ..."
	}
	return fmt.Errorf("%s; its cameras: %s; --camera %s shows all solids", message, list, FreeCamera)
}
