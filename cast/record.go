package cast

import (
	"encoding/binary"
	"math"

	"pillbox/geom"
)

// The sizes of rows in the format [Records], in bytes.
const (
	HitBytes   = 72
	CountBytes = 16
)

// record encodes a hit: see [Records].
func (e *encoder) record(ray int64, h *Hit, err error) {
	point, normal := h.Point, h.Normal
	if math.IsInf(h.T, 1) {
		nan := math.NaN()
		point = geom.Vec3{X: nan, Y: nan, Z: nan}
		normal = point
	}
	order := binary.LittleEndian
	e.out = order.AppendUint64(e.out, uint64(ray))
	for _, x := range [...]float64{h.T, point.X, point.Y, point.Z, normal.X, normal.Y, normal.Z} {
		e.out = order.AppendUint64(e.out, math.Float64bits(x))
	}
	e.out = order.AppendUint32(e.out, uint32(h.Object))
	e.out = append(e.out, flag(h.Inside), flag(h.Touches), flag(err != nil), h.Face)
}

// countRecord encodes the number of crossings of a ray or segment: see [Records].
func (e *encoder) countRecord(ray int64, crossings int, touches bool, err error) {
	e.out = binary.LittleEndian.AppendUint64(e.out, uint64(ray))
	e.out = binary.LittleEndian.AppendUint32(e.out, uint32(crossings))
	e.out = append(e.out, 0, flag(touches), flag(err != nil), 0)
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}
