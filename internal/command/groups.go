package command

// The groups of commands in the help text.
const (
	GroupScenes   = "scenes"
	GroupPictures = "pictures"
	GroupCourse   = "course"
	GroupProgram  = "program"
)
