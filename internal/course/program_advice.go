package course

import "sync"

// counsel is the advice about a slip. lesson is the page about it, if that is not the page of the stage.
type counsel struct{ advice, lesson string }

// slipAdvice returns the advice about slips whose names do not suffice. The keys are the names.
var slipAdvice = sync.OnceValue(func() map[string]counsel {
	all := make(map[string]counsel)
	for name, advice := range plainAdvice() {
		all[name] = counsel{advice: advice}
	}
	const epsilon = "traps.md#a-fixed-epsilon"
	near := counsel{nearAdvice, epsilon}
	all[fixedNear], all[fixedNear+", and the far crossing does not count then"] = near, near
	for _, name := range [...]string{wideFaces, smallFaces} {
		all[name] = counsel{"A point near an edge then lies in two faces or in none, and whether it is near depends on the scene. Intersect the three slabs instead: the line is inside the box where it is inside all of them.", epsilon}
	}
	all[longBody] = counsel{"A line that passes an end then crosses a body that is not there. Compare the height with 0 and the length themselves: beyond them, the balls decide.", epsilon}
	for _, s := range shadowSlips() {
		all[plainName(s.name)] = counsel{s.advice, s.lesson}
	}
	return all
})

// nearAdvice is the advice about [fixedNear], for rays that start anywhere and for those that start on a solid.
const nearAdvice = "0.001 may be larger than a whole solid. Compare with 0. Where a ray starts on a solid, skip this solid instead."

// plainAdvice returns the advice about slips whose lesson is that of the stage.
func plainAdvice() map[string]string {
	return map[string]string{
		"rays go through pixel corners instead of centers":                   "A pixel is a square; its ray goes through the center, at + 0.5.",
		"the width minus one is used":                                        "Dividing by W - 1 and H - 1 stretches the picture: there are W pixels, all of the same width.",
		"the width minus one is used, with + 0.5":                            "Dividing by W - 1 and H - 1 stretches the picture: there are W pixels, all of the same width.",
		"the center of the picture is rounded to a whole pixel":              "W / 2 may lie in the middle of a pixel. Divide as floats, not as integers.",
		"row and column are exchanged":                                       "pixel is column, then row: X, Y.",
		"x is mirrored":                                                      "Right is forward × up. The other order gives left: the handedness is wrong.",
		"the picture is upside down":                                         "Row 0 is at the top, and y points up: y falls while the row number grows. And the direction up is right × forward, in this order.",
		"the handedness is wrong":                                            "Right is forward × up, and up is right × forward. With up × forward, both point the other way.",
		"the camera looks backward":                                          "forward points from position to look_at: look_at - position.",
		"the camera looks backward, but its picture is not mirrored":         "forward points from position to look_at: look_at - position.",
		"the tangent is halved instead of the angle":                         "The angle is halved, and the tangent doubled: 2 tan(fov / 2). tan(fov) / 2 is something else.",
		"the ray starts on the image plane":                                  "A perspective ray starts at the camera's position.",
		"only the centers of the axes are tested":                            "The distance of capsules is the distance of their axes, which are segments, not of their centers.",
		"only the ends of the axes are tested":                               "Axes may cross, and skew axes may be closest between their ends: then the common perpendicular decides.",
		onlyCorners:                                                          "The closest point of an axis may lie between its ends: project each end onto the other axis.",
		cutQuotient:                                                          "4900 / 1000 is more than 4: multiply the other side of the comparison instead of dividing.",
		cutFoot:                                                              "4900 / 1000 is more than 4: multiply the other side of the comparison instead of dividing.",
		cutPerpendicular:                                                     "4900 / 1000 is more than 4: multiply the other side of the comparison instead of dividing.",
		"the parameter is clamped to the length":                             "On the segment the parameter of a + t (b - a) runs from 0 at a to 1 at b. Only with a unit vector does it run to the length.",
		"only the ends are tested":                                           "The closest point may lie between the ends: project the center onto the segment.",
		"the point is not relative to a":                                     "t (b - a) is the vector from a to the closest point: add a.",
		"crossings behind the origin are omitted":                            "This stage asks for the whole line: t may be negative. A later stage selects the crossings ahead.",
		"crossings behind the origin are omitted, but not one at the origin": "This stage asks for the whole line: t may be negative. A later stage selects the crossings ahead.",
		"a solid behind the origin is said to be missed":                     "This stage asks for the whole line: t may be negative. A later stage selects the crossings ahead.",
		"the crossings are in the wrong order":                               "The crossing with the smaller t comes first, in all three lists.",
		"the crossings are in the wrong order, except for the normals":       "The crossing with the smaller t comes first, in all three lists.",
		"the crossings are in the wrong order, only in the list t":           "The crossing with the smaller t comes first, in all three lists.",
		"the normals are in the wrong order":                                 "The normals are in the order of the points: the first belongs to the crossing with the smaller t.",
		"only the first crossing is reported":                                "The whole line counts: where it crosses the surface twice, report both crossings.",
		"only the last crossing is reported":                                 "The whole line counts: where it crosses the surface twice, report both crossings.",
		"the normal is turned toward the ray":                                "This stage requires outward normals, even where the line leaves. A later stage turns them toward the viewer.",
		"touching is taken for missing":                                      "A line that touches the surface has a point in common with it: a discriminant of 0 is a hit, and so is a line in a face. Use < and >, not <= and >=.",
		largeSquares:                                                         "b² - (f · f - r²), as in the quadratic formula, and r² - (|f|² - b²) are such differences: from far away all digits are lost. Compute the distance of the line from the center: l = f + b d, and disc = r² - |l|².",
		"the roots are not halved":                                           "With the coefficients 1, 2b and c of t² + 2bt + c = 0 the roots are -b ± √(b² - c); the formula with (2b)² - 4c divides by 2.",
		"the box's axes are ignored":                                         "The slabs are those of the box's own axes: transform origin and direction into its frame first.",
		"one NaN invalidates all slabs":                                      "A ray in a face gives 0 · ∞ or 0 / 0, which is NaN. Write comparisons that ignore NaN, or handle a direction of 0 as a separate case.",
		"a direction of 0 is replaced by a tiny number":                      "A line within a face then enters or leaves the slab at its origin, at t = 0. If the direction along an axis is 0, compare |o'| with h instead.",
		"the slabs are joined instead of intersected":                        "The line is in the box while it is in all three slabs: from the largest of the entries to the smallest of the exits.",
		"the first entry is used instead of the last":                        "The line is in the box only while it is in all three slabs: it enters the box where it enters the last of them.",
		"the last exit is used instead of the first":                         "The line is in the box only while it is in all three slabs: it leaves the box where it leaves the first of them.",
		"the normal is always that of the positive face":                     "The face through which the line enters faces the ray: its normal is the axis times the opposite of the direction's sign.",
		"the ends are left open":                                             "Beyond the ends of the axis the balls around a and b decide. Without them the capsule is an open tube.",
		"the discs are left out: the ends are open":                          "The two discs close the cylinder. A line that enters or leaves through an end crosses the plane of a disc, no more than the radius from its center.",
		"sphere: n = p - 2 c: the center is subtracted twice":                "The normal is the vector from the center to the point: p - c, made a unit vector. Subtract the center once: not in a function that is given p - c already.",
		"the direction is moved like a point: the center, or the end a of the axis, is subtracted from it": "A direction has no place: only points, such as the ray's origin, are moved into the frame of the solid.",
		"only the ball at the end nearer to the origin is tested":                                          "A line can cross both balls, or only the farther one, wherever its origin is: test both.",
		"the body reaches beyond the ends":                                                                 "The straight part of a capsule ends at a and b. The radius comes on top of its length, as the balls.",
		"the roots are not sorted":                                                                         "Three round parts have up to six roots, in any order: t_near is the smallest of all, t_far the largest.",
		"heights are measured from the wrong end":                                                          "With u from a to b, the height of a point p is (p - a) · u: 0 at a and L at b.",
		"the cylinder has no end":                                                                          "Crossings of the infinite cylinder below height 0 or above height L do not count: the ends of the solid decide there.",
		"the ends are round":                                                                               "A cylinder ends in flat discs. Round ends are those of a capsule.",
		"the height and the length have different units":                                                   "Along the unit axis, the heights of the side run from 0 to L, not to 1. Along b - a itself, they run from 0 to L², not to L.",
		"lines parallel to the discs are never outside":                                                    "If a line is parallel to the discs, it is between them either always or never: compare its height with 0 and L.",
		"the normal of the side is used on the discs":                                                      "The normal of a disc is the direction of the axis, outward. Remember which part the line crosses.",
		"the normal of the side leans along the axis":                                                      "On the side the normal points from the axis to the point: remove the part along the axis.",
		"a directional light is taken to be 1 away":                                                        "A directional light is infinitely far away: any solid ahead blocks it.",
		"the sign of the root is dropped":                                                                  "A root of -2 lies behind the origin, not 2 ahead.",
		"a miss is not null, but 0":                                                                        "Where the ray hits nothing, t is null. 0 and -1 are distances.",
		"a miss is not null, but -1":                                                                       "Where the ray hits nothing, t is null. 0 and -1 are distances.",
		"from inside, the hit is at the origin":                                                            "A ray that starts inside meets the surface where it leaves the solid: at the far root.",
		"the root of the least magnitude is chosen":                                                        "A root below 0 lies behind the origin, however near it is. Choose the smallest root that is greater than 0.",
		"negative roots become 0":                                                                          "A root below 0 lies behind the origin. Skip it instead of moving it to the origin.",
		"solids are counted from 1":                                                                        "object is the index in the list, and the first index is 0.",
		"solids are counted by kind":                                                                       "object is the index in the whole list of spheres, capsules and boxes.",
		"the first solid in the list that is hit is chosen":                                                "Go through all solids and keep the one with the smallest t.",
		"the last solid in the list that is hit is chosen":                                                 "Keep a solid only if its t is smaller than the smallest so far, and then store its t as the new smallest.",
		"the farthest solid is chosen":                                                                     "The closest hit has the smallest t that is greater than 0.",
		"the cut face has no edge":                                                                         "A plane has no end, but the cut face does: it ends at the surface of the solid. Use s only if it is inside the interval of the solid.",
		"the side that is taken away is kept":                                                              "The normal of a section points to what is taken away. The line enters the kept side where d · N is negative.",
		"the crossings are sorted after the cut":                                                           "If t_near > t_far after the cut, nothing is left on the line. Sorting the two hides this: decide about a miss first.",
		"the intervals are joined instead of intersected":                                                  "What is left is both in the solid and on the kept side: the larger of the two entries, the smaller of the two exits.",
		"planes that the line crosses outside of the solid are ignored":                                    "If s is not between t_near and t_far, the section takes away nothing of the interval, or all of it. max and min find out which.",
		"crossings are discarded instead of intervals cut":                                                 "If a crossing lies on the side that is taken away, the line still crosses the cut face. Otherwise the solid looks hollow.",
		"the cut face has the normal of the solid":                                                         "Whichever interval has the end also has the normal: that of the section if the line enters or leaves at s.",
		"lines parallel to a section always miss":                                                          "If d · N is 0, all of the line is on the side of its origin. If f · N <= 0, the section takes nothing of it away.",

		// mirror
		"there are no mirrors":                                                                     "Follow the reflected ray and mix: (1 - m) matte + m mirror.",
		"one bounce too many":                                                                      "With bounces = n a ray is reflected n times: stop where depth >= bounces, counted from 0.",
		"one bounce too few":                                                                       "With bounces = n a ray is reflected n times: stop where depth >= bounces, counted from 0.",
		"after the last bounce, solids are black in mirrors":                                       "After the last bounce there is no mirror term: the matte color counts in full.",
		"after the last bounce, mirrors are black":                                                 "After the last bounce there is no mirror term: the matte color counts in full.",
		"after the last bounce, the mirror term is black: (1 - m) matte":                           "After the last bounce there is no mirror term: the matte color counts in full.",
		"a ray that is reflected inside a solid skips this solid":                                  "A ray that is reflected inside a solid can hit the far side of that solid; skip the solid only if the ray is outside.",
		"r = d + 2 (d · n) n, a plus in place of the minus":                                        "r = d - 2 (d · n) n, with a minus: d · n is negative where the normal faces the ray.",
		"r = d - (d · n) n: the factor 2 is missing":                                               "r = d - 2 (d · n) n. Without the 2 the ray runs along the surface.",
		"r = -d: the ray goes straight back":                                                       "A mirror reverses only the part of the direction along the normal: r = d - 2 (d · n) n, not -d.",
		"r = 2 (d · n) n - d, the opposite direction":                                              "r = d - 2 (d · n) n. The form 2 (d · n) n - d is for a vector that points away from the surface, as in Phong's formula; d points toward it.",
		"m matte + (1 - m) mirror: the weights are exchanged":                                      "color = (1 - m) matte + m mirror: a mirror of 1 shows nothing of its own.",
		"matte + m mirror: the matte color is not multiplied by 1 - m":                             "The matte part has the weight 1 - m. Otherwise a mirror reflects more light than it receives.",
		"the mirror is tinted: multiplied by the albedo":                                           "The color of the reflected ray is not multiplied by the albedo.",
		"only the mirror is seen: no matte color":                                                  "color = (1 - m) matte + m mirror.",
		"the background depends on the direction of the camera ray, not of the reflected ray":      "A reflected ray that hits nothing sees the background in its own direction.",
		"the background follows the world's y, not the camera's up":                                "up in (1 + d · up) / 2 is the camera's, with length 1.",
		"the camera's up in the background is not made a unit vector":                              "up in (1 + d · up) / 2 is the camera's, divided by its length.",
		"top and bottom are exchanged":                                                             "(1 + d · up) / 2 is the share of top, 1 straight up.",
		"the share of top is d · up, at least 0, in place of (1 + d · up) / 2":                     "The share of top is (1 + d · up) / 2, from 0 straight down to 1 straight up.",
		"the share of top is d · up, in place of (1 + d · up) / 2":                                 "The share of top is (1 + d · up) / 2, from 0 straight down to 1 straight up.",
		"the background is mixed before it is made linear":                                         "Make top and bottom linear first, and mix them then.",
		"the reflected ray starts at the eye":                                                      "The reflected ray starts at the point where the ray hits the mirror.",
		"the normal is not turned where the ray is inside a solid":                                 "The normal faces the ray: from inside of a solid, the outward normal must be reversed.",
		"nothing casts a shadow in mirrors":                                                        "At reflected points, too, test for every light whether a solid blocks it.",
		"(1 - m) matte + m² mirror":                                                                "color = (1 - m) matte + m mirror: multiply what the mirror shows by m once.",
		"what the mirror shows is limited to 1":                                                    "Light has no upper limit: only a pixel is limited to 1.",
		"the background is black":                                                                  "A ray that hits nothing sees the background, mixed by (1 + d · up) / 2.",
		"the background does not change with the direction: only its bottom is seen":               "Top and bottom are mixed by (1 + d · up) / 2.",
		"the background does not change with the direction: only its top is seen":                  "Top and bottom are mixed by (1 + d · up) / 2.",
		"the background does not change with the direction: the average of top and bottom is seen": "Top and bottom are mixed by (1 + d · up) / 2.",

		// light
		"ambient: missing":                      "Ambient light reaches every surface, lit or not.",
		"only the first light is used":          "Every light adds its part: go through the whole list.",
		withoutGamma:                            "Colors in questions and pictures are sRGB: make them linear before you compute, and encode the result.",
		powerCurves:                             "The sRGB curve is linear near 0, and a power of 2.4 above. A power of 2.2 is only an approximation, in both directions.",
		"the color is limited to 1":             "Light has no upper limit: color is not clamped. Only what a picture stores is.",
		"the intensity is decoded like a color": "intensity is a linear factor: only colors are sRGB.",
		"ambient light is decoded like a color": "ambient is a linear amount of light: only colors are sRGB.",
		"only the last light counts":            "Every light adds its part: add to the sum instead of replacing it.",
	}
}
