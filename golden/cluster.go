package golden

import (
	"cmp"
	"image"
	"slices"
)

// A run is a sequence of adjacent changed pixels in row y: those with x0 <= x < x1. Its fields are narrow because
// a noisy image can have millions of runs.
type run struct {
	y, x0, x1 int32
	maxX      int32 // first pixel with the largest difference
	max       uint8
}

// appendPixel adds the changed pixel (x, y) to runs; pixels come in row-major order.
func appendPixel(runs []run, x, y, peak int) []run {
	if n := len(runs); n > 0 && runs[n-1].y == int32(y) && runs[n-1].x1 == int32(x) {
		last := &runs[n-1]
		last.x1++
		if uint8(peak) > last.max {
			last.max, last.maxX = uint8(peak), int32(x)
		}
		return runs
	}
	return append(runs, run{int32(y), int32(x), int32(x) + 1, int32(x), uint8(peak)})
}

// clusters joins runs into 8-connected clusters. The runs must be in row-major order. The method is union-find
// over the runs of neighboring rows (Rosenfeld and Pfaltz, "Sequential Operations in Digital Picture
// Processing", JACM 13(4), 1966).
func clusters(runs []run) []Cluster {
	if len(runs) == 0 {
		return nil
	}
	sets := join(runs)
	index := make([]int32, len(runs)) // index of the cluster, stored at the root of each set
	var all []Cluster
	for i, r := range runs {
		root := sets.find(int32(i))
		if root == int32(i) { // the root is a set's first run, so its cluster starts here
			index[i] = int32(len(all))
			all = append(all, Cluster{First: image.Pt(int(r.x0), int(r.y))})
		}
		all[index[root]].add(r)
	}
	slices.SortFunc(all, func(a, b Cluster) int {
		return cmp.Or(b.Pixels-a.Pixels, a.First.Y-b.First.Y, a.First.X-b.First.X)
	})
	return all
}

func (c *Cluster) add(r run) {
	c.Bounds = c.Bounds.Union(image.Rect(int(r.x0), int(r.y), int(r.x1), int(r.y)+1))
	c.Pixels += int(r.x1 - r.x0)
	if int(r.max) > c.Max {
		c.Max, c.MaxAt = int(r.max), image.Pt(int(r.maxX), int(r.y))
	}
}

// join puts runs that touch into one set. It goes through the runs in order. While run i is processed, the
// index above is that of the first run that could touch run i or a later one: all earlier runs lie more
// than one row above run i, or end too far to the left of it.
func join(runs []run) sets {
	s := make(sets, len(runs))
	above := 0
	for i, r := range runs {
		s[i] = int32(i)
		for runs[above].y < r.y-1 || runs[above].y == r.y-1 && runs[above].x1 < r.x0 {
			above++
		}
		for j := above; runs[j].y == r.y-1 && runs[j].x0 <= r.x1; j++ {
			s.union(int32(i), int32(j))
		}
	}
	return s
}

// sets is a union-find forest: the index of each run's parent. A root is its own parent.
type sets []int32

func (s sets) find(i int32) int32 {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// union joins two sets. It keeps the smaller root, so the root of a set is always its first run.
func (s sets) union(i, j int32) {
	i, j = s.find(i), s.find(j)
	s[max(i, j)] = min(i, j)
}
