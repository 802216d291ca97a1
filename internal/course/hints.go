package course

// HintCount is the number of hints of a stage.
const HintCount = 3

// Hints returns the hints of the stage. Each hint helps more than the one before. None contains the whole formula.
func (s *Stage) Hints() [HintCount]string { return hints()[s.Name] }

// hints returns the hints of all stages, by name. The chapters in docs/course have the same texts; a test compares them.
func hints() map[string][HintCount]string {
	return map[string][HintCount]string{
		"sphere": {
			"Draw the plane that contains the line and the center. In it, the sphere is a circle. Which point of the line is closest to the center?",
			"The vector from the center to the closest point is perpendicular to the line. That point, the center and a crossing form a right triangle: two of its sides are known.",
			"With f from the center to the origin, the closest point is at t = -(f · d). Both crossings are equally far from it: half a chord. Pythagoras gives this length from the radius and the distance from the center to the line.",
		},
		"box": {
			"A box is the space that three slabs have in common. A slab lies between two parallel planes. When is the line in one slab?",
			"In the box's own axes, every slab is a condition on one coordinate: it lies between -h and h. Coordinates along an axis are dot products with it, for the origin relative to the center and for the direction.",
			"The line crosses the two planes of a slab at two distances, the entry and the exit. Which plane comes first depends on the sign of the direction. The line is in the box from the largest entry to the smallest exit. Remember which slab has the largest entry: the line enters the box through its face.",
		},
		"capsule": {
			"A capsule is a straight body between two balls. You can already cross a line with a ball. What remains is the body.",
			"Look along the axis: the body is a circle, and the line is a line in the plane. Split the origin and the direction into parts along and across the axis; only the parts across matter for the circle.",
			"Roots of the circle count only where their height along the axis is from 0 to L. Collect these roots and those of both balls: the smallest is the first crossing, the largest the last. The normal comes from the closest point of the segment.",
		},
		"ahead": {
			"The line has two crossings. The ray is the half of the line with t > 0. Which crossings are left in each case: outside, inside, beyond?",
			"If the origin is inside, the first crossing is behind it, and the second one is ahead of it.",
			"Take the smaller root if it is greater than 0, otherwise the larger one if it is greater than 0, otherwise nothing.",
		},
		"segment": {
			"The segment touches the sphere if its point closest to the center is no farther away than the radius. Where is that point?",
			"On the whole line, the closest point is the foot of the perpendicular from the center: a projection. What if the foot lies beyond an end?",
			"Write the point as a + t (b - a). The projection of c - a onto b - a gives t, if you divide by the squared length of b - a. Keep t between 0 and 1; if a equals b, the point is a.",
		},
		"overlap": {
			"Two capsules overlap if the distance of their axes is less than the sum of their radii. Squares are integers, distances are not.",
			"The closest points of two segments are either both inside, joined by the common perpendicular, or at least one of them is an end.",
			"For an end, project it onto the other axis. Do not divide by the squared length; multiply the other side of the comparison by it. The common perpendicular has the direction n = u × v: its length is |w · n| / |n|. Square, and multiply both sides by n · n.",
		},
		"nearest": {
			"You have the first crossing ahead with one solid. Go through all solids, and keep the best so far.",
			"Start with no solid and an infinite distance. Keep a hit if it is nearer than the best so far. What must happen if two are equally near?",
			"Keep t, the index and the normal together. With t < best, the first of two equal solids stays. If the ray hits the surface from inside, reverse the normal.",
		},
		"camera": {
			"The camera needs three perpendicular directions: forward, right and up. Which two vectors does each cross product need?",
			"Imagine the picture on a plane at distance 1 in front of the camera. How high is it, if the angle between the rays through its upper and its lower edge is fov?",
			"A right triangle with the angle fov / 2 and the side 1 has the other side tan(fov / 2). Pixels are square. Count the pixel's center from the middle of the picture, x to the right and y up, and add that many pixels of R and U to F.",
		},
		"lambert": {
			"How bright is a sheet of paper in the sun if you tilt it? Which angle decides?",
			"The light of a beam spreads over a patch that grows as the surface turns away. The cosine of the angle between the normal and the direction to the light is a dot product. It is negative for lights behind the surface.",
			"Make all colors linear first. Add the ambient light and, for each light, color times intensity times the cosine, but at least 0. Multiply the sum by the albedo. Encode only what goes into the picture.",
		},
		"shadow": {
			"A light reaches the point if nothing lies between the two. You can already ask what a ray hits.",
			"Send a ray from the point toward the light. Which of its crossings lie between point and light? And can the solid of the point itself be in the way?",
			"A light with N · L <= 0 is behind the surface. Otherwise skip the solid of the point, which is convex, and look at where the ray enters each other solid: it blocks the light if 0 < t < the distance of the light. A directional light has no distance.",
		},
		"mirror": {
			"A ray that meets a mirror goes on in another direction. What it sees there is mixed with the matte color.",
			"Split the direction into a part along the normal and a part along the surface. The mirror turns one of them around.",
			"The part along the normal is (d · n) n. Subtract it once, and the ray runs along the surface; subtract it twice, and it is reflected. Follow the new ray with the depth plus 1. If the depth equals bounces, the color is the matte color alone.",
		},
		"picture": {
			"You have every part: a ray for each pixel, the color that it sees, and the 8-bit numbers that store this color. Write a loop over rows and columns.",
			"With antialias = n, a pixel has n x n rays, through the centers of n x n equal squares. Their colors are averaged. Before or after they are encoded?",
			"Clamp each sample to 0..1, add the linear numbers, divide by n², and encode once. Row 0 is the top, x runs fastest, and each pixel is red, green, blue.",
		},
		"cut": {
			"Along a line, the solid is one interval, and the kept side of a plane is all of the line before or after one point.",
			"The height of a point of the line above the plane is f · N + t (d · N). It is 0 where the line crosses the plane. The sign of d · N decides whether the line enters or leaves the kept side there.",
			"Start with the interval of the whole solid. Where the line enters a kept side, the entry may move to a larger t; where it leaves one, the exit may move to a smaller t. An end that moved has the normal of the section. If the entry is beyond the exit, nothing is left.",
		},
		"cylinder": {
			"A cylinder is the space that an infinite round tube and the slab between two planes have in common.",
			"You have the circle across the axis from the capsule, and the slab from the box. Each gives an entry and an exit.",
			"The line is in the cylinder from the later of the two entries to the earlier of the two exits. The part that decides has the normal: across the axis on the side, along it on a disc.",
		},
	}
}
