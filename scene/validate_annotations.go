package scene

import (
	"cmp"
	"fmt"
	"slices"

	"pillbox/internal/keytable"
)

// validateAnnotations returns an error if an annotation cannot be drawn.
func (s *Scene) validateAnnotations() error {
	a := &s.Annotations
	if n := a.count(); n > MaxAnnotations {
		return fmt.Errorf("a scene has at most %d annotations, got %d", MaxAnnotations, n)
	}
	for i := range a.Labels {
		l := partLabel{Label: a.Labels[i]}
		if err := cmp.Or(labelKeys().Check("", &l), s.checkRanges(l.On)); err != nil {
			return fmt.Errorf("label[%d].%w", i, err)
		}
	}
	for i := range a.Dimensions {
		d := partDimension{Dimension: a.Dimensions[i]}
		err := dimensionKeys().Check("", &d)
		if err == nil && d.Across != "" {
			err = s.checkAcross(&d.Dimension)
		}
		if err != nil {
			return fmt.Errorf("dimension[%d].%w", i, err)
		}
	}
	if err := s.validateDrawing(); err != nil {
		return err
	}
	return cmp.Or(checkOptional("title.", titleKeys(), a.Title), checkOptional("axes.", axesKeys(), a.Axes),
		checkOptional("scale_bar.", scaleBarKeys(), a.ScaleBar), a.Legend.check())
}

// validateDrawing returns an error if a line, an angle or a marker cannot be drawn.
func (s *Scene) validateDrawing() error {
	a := &s.Annotations
	for i := range a.Lines {
		x := tableOfLine(a.Lines[i], unnamed)
		err := cmp.Or(lineKeys().Check("", &x), checkHidden(x.Hidden), s.checkPoint("from", &x.From), s.checkPoint("to", &x.To))
		if err != nil {
			return fmt.Errorf("line[%d].%w", i, err)
		}
	}
	for i := range a.Angles {
		x := tableOfAngle(a.Angles[i], unnamed)
		err := cmp.Or(angleKeys().Check("", &x), checkHidden(x.Hidden), s.checkPoint("at", &x.At), s.checkPoint("from", &x.From), s.checkPoint("to", &x.To))
		if err != nil {
			return fmt.Errorf("angle[%d].%w", i, err)
		}
	}
	for i := range a.Markers {
		x := tableOfMarker(a.Markers[i], unnamed)
		if err := cmp.Or(markerKeys().Check("", &x), checkHidden(x.Hidden), s.checkPoint("at", &x.At)); err != nil {
			return fmt.Errorf("marker[%d].%w", i, err)
		}
	}
	return nil
}

func checkHidden(h Hidden) error {
	if h < HiddenDraw || h > HiddenHide {
		return fmt.Errorf("hidden: must be one of %v", hiddenWords())
	}
	return nil
}

// checkPoint returns an error if a point of an annotation refers to solids that the scene does not have.
func (s *Scene) checkPoint(key string, x *Point) error {
	if err := s.checkRanges(x.On); err != nil {
		return fmt.Errorf("%s.%w", key, err)
	}
	if x.Anchor == "" {
		return nil
	}
	if len(x.On) != 1 || x.On[0].Count != 1 {
		return fmt.Errorf("%s: an anchor requires one solid, got %v", key, x.On)
	}
	if kind, _ := s.Of(x.On[0].First); !slices.Contains(kind.Anchors(), x.Anchor) {
		return fmt.Errorf("%s: must be one of %v for a %s, got %q", key, kind.Anchors(), kind, x.Anchor)
	}
	return nil
}

func (s *Scene) checkRanges(on []Range) error {
	for _, r := range on {
		if n := s.Objects.Len(); r.First < 0 || r.Count < 1 || r.First > n || r.Count > n-r.First {
			return fmt.Errorf("on: must be numbers of the scene's %d solids, got %+v", n, r)
		}
	}
	return nil
}

func (s *Scene) checkAcross(d *Dimension) error {
	if err := s.checkRanges([]Range{{d.Solid, 1}}); err != nil {
		return err
	}
	kind, _ := s.Of(d.Solid)
	if known := kind.row().traits().lengths; !slices.Contains(known, d.Across) {
		return fmt.Errorf("across: must be one of %v for a %s, got %q", known, kind, d.Across)
	}
	return nil
}

func (g *Legend) check() error {
	if g == nil {
		return nil
	}
	err := legendKeys().Check("legend.", &legendTable{Legend: *g})
	for _, x := range g.Entries {
		err = cmp.Or(err, checkCaption("legend.texts", x.Text, false), keytable.CheckColor("legend.color", x.Color))
	}
	return err
}
