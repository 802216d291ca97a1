package scene

import (
	"fmt"
	"strings"
	"testing"
)

// TestFrameTimesAreBounded counts the frames that are checked and framed of long animations: frames with many tracks or
// annotations are fewer, and the cost of all together has a limit.
func TestFrameTimesAreBounded(t *testing.T) {
	const start = "[camera]\nposition = [0, 0, 9]\nlook_at = [0, 0, 0]\n[animation]\nduration = 1000\nfps = %d\n"
	ball, label, track := "", "", ""
	for i := range 900 {
		ball += fmt.Sprintf("[[sphere]]\nname = \"b%d\"\ncenter = [0, 0, 0]\nradius = 1\n", i)
		label += fmt.Sprintf("[[label]]\ntext = \"x\"\non = \"b%d\"\n", i)
		track += fmt.Sprintf("[[animate]]\ntarget = \"b%d.radius\"\ntimes = [0, 1]\nvalues = [1, 2]\n", i)
	}
	one := track[:strings.Index(track, "]\n[[")+2]
	for name, text := range map[string]string{"solids": ball + one, "labels": ball + label + one, "tracks": ball + track, "all": ball + label + track} {
		for _, fps := range []int{1, 1000} {
			s, err := Decode("s.toml", []byte(fmt.Sprintf(start, fps)+text))
			if err != nil {
				t.Fatal(err)
			}
			for _, most := range []float64{mostChecked, mostFramed} {
				frames := 0.0
				for range s.frameTimes(most) {
					frames++
				}
				cost := float64(s.Objects.Len() + 100*len(s.Annotations.Labels) + 1000*len(s.motion.tracks))
				if all := float64(s.Animation.Frames()); (frames-1)*cost > most || frames < min(all, most/cost/2-1) {
					t.Errorf("%s, %d frames per second: %v of %v frames at a cost of %v, want at most %v together", name, fps, frames, all, cost, most)
				}
			}
		}
	}
}
