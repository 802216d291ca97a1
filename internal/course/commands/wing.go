// Package commands contains the commands of the course for the program render.
package commands

import (
	"context"
	"errors"

	"pillbox/internal/command"
	"pillbox/internal/course/classroom"
)

// Wing adds the course to the program.
func Wing() command.Wing {
	return command.Wing{
		Name:     "course",
		Commands: []command.Constructor{{Name: "grade", New: newGrade}, {Name: "vectors", New: newVectors}},
		Requests: &command.Requests{Names: classroom.Names(), MaxBody: classroom.MaxBody, Answer: answer},
	}
}

// answer answers a request of the page about the course.
func answer(ctx context.Context, name string, body []byte) (data []byte, malformed string, err error) {
	data, err = classroom.Answer(ctx, name, body)
	var wrong *classroom.Error
	if errors.As(err, &wrong) {
		return nil, wrong.Message, nil
	}
	return data, "", err
}
