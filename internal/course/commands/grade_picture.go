package commands

import (
	"context"
	"fmt"

	"pillbox/internal/cli"
	"pillbox/internal/course"
)

// drawCanvas makes the learner's command answer one question for each pixel of a picture, and draws the
// resulting picture beside the right one. The parameter failure is the error of the stage's exam, or nil if
// the exam was passed.
//
// If drawing fails, drawCanvas returns the error of drawing. Otherwise it returns failure or, if failure is
// nil, an error if the command fails or the picture is wrong.
func (g *grading) drawCanvas(ctx context.Context, r *result, failure error) error {
	c, trouble, err := g.paint(ctx, r.exam.Stage)
	if err != nil {
		return err
	}
	r.picture = &c
	img := c.Draw()
	if err := g.Save(*g.canvas, img); err != nil {
		return err
	}
	if !g.json {
		g.Out.Printf("\nPicture %s: ", g.canvas.Name)
		g.printSpans(c.Report())
	}
	g.NoteDrawing(*g.canvas, img.Bounds().Size())
	switch {
	case failure != nil:
		return failure
	case trouble != nil:
		return &cli.Failure{Status: cli.StatusFile, Err: fmt.Errorf("for the picture: %w", g.commandError(r.exam, trouble))}
	case c.First != nil:
		return &cli.Failure{Status: cli.StatusDifferent}
	}
	return nil
}

// paint runs the learner's command on the canvas of a stage: the exam with one question for each pixel of a
// picture. The scene files of the questions are in a new temporary folder.
func (g *grading) paint(ctx context.Context, stage *course.Stage) (c course.Comparison, trouble, err error) {
	folder, err := g.Files.TempFolder(tempPrefix)
	if err != nil {
		return c, nil, err
	}
	defer g.Files.RemoveFolder(folder)
	e := *g
	e.opt.Folder = folder
	canvas, err := stage.Canvas(e.opt)
	if err != nil {
		return c, nil, err
	}
	if err := e.writeScenes(e.cmd, canvas.Exam); err != nil {
		return c, nil, err
	}
	if _, trouble, err = g.runExam(ctx, canvas.Exam); err != nil {
		return c, nil, err
	}
	c, err = canvas.Compare(ctx)
	return c, trouble, err
}

// pictureRecord contains what --json prints about a picture.
type pictureRecord struct {
	File    string        `json:"file"`
	Width   int           `json:"width"`
	Height  int           `json:"height"`
	Differ  int           `json:"differ"`  // number of pixels that differ or have no answer
	Missing int           `json:"missing"` // of these, number of pixels without an answer
	First   *course.Pixel `json:"first,omitempty"`
}

// pictureRecord returns the record of a result's picture; nil if it has none.
func (g *grading) pictureRecord(r *result) *pictureRecord {
	if r.picture == nil {
		return nil
	}
	size := r.picture.Want.Rect.Size()
	return &pictureRecord{g.canvas.Name, size.X, size.Y, len(r.picture.Wrong), r.picture.Missing, r.picture.First}
}
