package golden

import (
	"cmp"
	"image"
	"slices"
)

// MaxClusters is the largest number of clusters that [Diff.Clusters] lists. Noise can have millions.
const MaxClusters = 1 << 14

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

// A clusterer joins runs into 8-connected clusters. The method is union-find over the runs of neighboring rows
// (Rosenfeld and Pfaltz, "Sequential Operations in Digital Picture Processing", JACM 13(4), 1966). A cluster that no run
// of the last row touches is complete, so the memory follows from the width of the image.
type clusterer struct {
	y      int32     // the row of the runs in above
	above  []joined  // the runs of the last row
	free   []joined  // memory for the runs of the next row
	open   []Cluster // the clusters of these runs, and clusters that were merged into them
	parent []int32   // of each open cluster, the cluster that it was merged into, or itself
	index  []int32   // memory for finish
	kept   []Cluster // memory for finish
	list   []Cluster // the largest complete ones, and others
	count  int       // of complete clusters
}

// joined is a run with the index of its open cluster, or of one that was merged into it.
type joined struct {
	run
	cluster int32
}

// addRuns adds runs, which must follow the earlier ones in row-major order.
func (c *clusterer) addRuns(runs []run) {
	for len(runs) > 0 {
		n := slices.IndexFunc(runs, func(r run) bool { return r.y != runs[0].y })
		if n < 0 {
			n = len(runs)
		}
		c.row(runs[:n])
		runs = runs[n:]
	}
}

// row adds all runs of one row.
func (c *clusterer) row(runs []run) {
	if runs[0].y != c.y+1 {
		c.finish(c.free[:0])
	}
	row := c.free[:0]
	first := 0 // the first run above that could touch this run or a later one
	for _, r := range runs {
		for first < len(c.above) && c.above[first].x1 < r.x0 {
			first++
		}
		cluster := int32(-1)
		for k := first; k < len(c.above) && c.above[k].x0 <= r.x1; k++ {
			if cluster < 0 {
				cluster = c.find(c.above[k].cluster)
			} else {
				cluster = c.union(cluster, c.above[k].cluster)
			}
		}
		if cluster < 0 {
			cluster = int32(len(c.open))
			c.open = append(c.open, Cluster{First: image.Pt(int(r.x0), int(r.y))})
			c.parent = append(c.parent, cluster)
		}
		c.open[cluster].addRun(r)
		row = append(row, joined{r, cluster})
	}
	c.y = runs[0].y
	c.finish(row)
}

// finish completes the clusters that no run of the given row belongs to, and makes this row the last one.
func (c *clusterer) finish(row []joined) {
	index := slices.Grow(c.index[:0], len(c.open))[:len(c.open)] // one more than the new index of each cluster that stays open
	clear(index)
	open := c.kept[:0]
	for i := range row {
		old := c.find(row[i].cluster)
		if index[old] == 0 {
			open = append(open, c.open[old])
			index[old] = int32(len(open))
		}
		row[i].cluster = index[old] - 1
	}
	for i, cluster := range c.open {
		if c.parent[i] == int32(i) && index[i] == 0 {
			c.complete(cluster)
		}
	}
	c.above, c.free = row, c.above
	c.open, c.kept = open, c.open
	c.index, c.parent = index, c.parent[:0]
	for i := range open {
		c.parent = append(c.parent, int32(i))
	}
}

func (c *clusterer) complete(cluster Cluster) {
	c.count++
	if c.list = append(c.list, cluster); len(c.list) >= 2*MaxClusters {
		c.cut()
	}
}

// cut sorts the list and drops all but the largest clusters.
func (c *clusterer) cut() {
	slices.SortFunc(c.list, func(a, b Cluster) int {
		return cmp.Or(b.Pixels-a.Pixels, a.First.Y-b.First.Y, a.First.X-b.First.X)
	})
	c.list = c.list[:min(len(c.list), MaxClusters)]
}

// clusters returns the largest clusters of all runs, and the number of other ones.
func (c *clusterer) clusters() (largest []Cluster, more int) {
	c.finish(nil)
	c.cut()
	return c.list, c.count - len(c.list)
}

// find returns the cluster that a cluster was merged into.
func (c *clusterer) find(i int32) int32 {
	for c.parent[i] != i {
		c.parent[i] = c.parent[c.parent[i]]
		i = c.parent[i]
	}
	return i
}

// union merges two clusters, and returns the one that contains both: the one whose first pixel is earlier.
func (c *clusterer) union(i, j int32) int32 {
	i, j = c.find(i), c.find(j)
	if i == j {
		return i
	}
	if before(c.open[j].First, c.open[i].First) {
		i, j = j, i
	}
	c.open[i].merge(c.open[j])
	c.parent[j] = i
	return i
}

// before reports whether p comes before q in row-major order.
func before(p, q image.Point) bool { return cmp.Or(cmp.Compare(p.Y, q.Y), cmp.Compare(p.X, q.X)) < 0 }

func (c *Cluster) addRun(r run) {
	c.merge(Cluster{
		Bounds: image.Rect(int(r.x0), int(r.y), int(r.x1), int(r.y)+1),
		Pixels: int(r.x1 - r.x0),
		Max:    int(r.max),
		MaxAt:  image.Pt(int(r.maxX), int(r.y)),
	})
}

// merge adds the pixels of d, whose first pixel must not be earlier than that of c.
func (c *Cluster) merge(d Cluster) {
	c.Bounds = c.Bounds.Union(d.Bounds)
	c.Pixels += d.Pixels
	if d.Max > c.Max || d.Max == c.Max && before(d.MaxAt, c.MaxAt) {
		c.Max, c.MaxAt = d.Max, d.MaxAt
	}
}
