package course

import (
	"strings"
	"sync"
)

// counsel is the advice about a slip. lesson is the page about it, if that is not the page of the stage.
type counsel struct{ advice, lesson string }

// slipAdvice returns the advice about the slip with the given name: what a right program does. The slip may have advice of its
// own. Otherwise, it is that of the first of [rules] with a phrase in the name, or the right formula if the name states a
// wrong one. formulas maps the left sides of the formulas of the textbook programs to the right sides.
func slipAdvice(name string, formulas map[string]string) counsel {
	if own, ok := ownAdvice()[name]; ok {
		return own
	}
	for _, r := range rules() {
		for words := range strings.SplitSeq(r.words, "~") {
			if strings.Contains(" "+name, " "+words) {
				return counsel{advice: r.advice}
			}
		}
	}
	left, _, _ := strings.Cut(name, " = ")
	if right := formulas[formulaOf(left)]; right != "" {
		return counsel{advice: "The right formula is " + formulaOf(left) + " = " + right + "."}
	}
	if _, right, ok := strings.Cut(name, " in place of "); ok {
		right, _, _ = strings.Cut(right, ": ")
		return counsel{advice: "Use " + right + "."}
	}
	return counsel{}
}

// addFormula adds the step to formulas if its name is a formula, such as "sphere: l = f + b d". See [slipAdvice].
func addFormula(formulas map[string]string, step string) {
	left, right, ok := strings.Cut(formulaOf(step), " = ")
	if right, _, _ = strings.Cut(right, ", "); ok && formulas[left] == "" {
		formulas[left] = right
	}
}

// ownAdvice returns the advice of slips that have advice of their own. The keys are the names.
var ownAdvice = sync.OnceValue(func() map[string]counsel {
	all := make(map[string]counsel)
	const epsilon = "traps.md#a-fixed-epsilon"
	near := counsel{nearAdvice, epsilon}
	all[fixedNear], all[fixedNear+", and the far crossing does not count then"] = near, near
	for _, name := range [...]string{wideFaces, smallFaces} {
		all[name] = counsel{"A point near an edge then lies in two faces or in none, and whether it is near depends on the scene. Intersect the three slabs instead: the line is inside the box where it is inside all of them.", epsilon}
	}
	all[longBody] = counsel{"A line that passes an end then crosses a body that is not there. Compare the height with 0 and the length themselves: beyond them, the balls decide.", epsilon}
	for _, s := range shadowSlips() {
		if s.advice != "" {
			all[plainName(s.name)] = counsel{s.advice, s.lesson}
		}
	}
	return all
})

// nearAdvice is the advice about [fixedNear], for rays that start anywhere and for those that start on a solid.
const nearAdvice = "0.001 may be larger than a whole solid. Compare with 0. Where a ray starts on a solid, skip this solid instead."

// A rule is what a right program does. It is the advice about slips whose names contain one of several phrases, which are
// separated by ~. A phrase begins where a word begins.
type rule struct{ words, advice string }

// rules returns the rules. The order matters: special rules come before general ones.
func rules() []rule {
	return []rule{
		// camera and picture
		{"box: axes", "axes[0] is the x axis of the box, axes[1] the y axis, axes[2] the z axis."},
		{"center of the picture is rounded", "W / 2 may lie in the middle of a pixel. Divide as floats, not as integers."},
		{"rays go through", "A pixel is a square; its ray goes through the center, at + 0.5."},
		{"width minus one is used~divided by W - 1~divided by H - 1~divided by H + 1", "Dividing by W - 1 and H - 1 stretches the picture: there are W pixels, all of the same width."},
		{"row and column are exchanged~x and y of a pixel are exchanged~x and y are exchanged", "pixel is column, then row: X, Y."},
		{"columns are one pixel~rows are one pixel", "Columns and rows are counted from 0: the center of the first pixel is at 0.5, 0.5."},
		{"pixels are written column by column", "A PNG is written row by row: x runs fastest."},
		{"x is mirrored", "Right is forward × up, and column 0 is at the left. The other order gives left: the handedness is wrong."},
		{"y is mirrored~the picture is upside down", "Row 0 is at the top, and y points up: y falls while the row number grows. And the direction up is right × forward, in this order."},
		{"handedness is wrong~R and U are exchanged", "Right is forward × up, and up is right × forward. With up × forward, both point the other way."},
		{"camera looks backward~rays point backward", "forward points from position to look_at: look_at - position."},
		{"the tangent is halved instead of the angle", "The angle is halved, and the tangent doubled: 2 tan(fov / 2). tan(fov) / 2 is something else."},
		{"ray starts on the image plane", "A perspective ray starts at the camera's position."},
		{"U is the camera's up~U = R × up", "The camera's up need not be perpendicular to its view. Use right × forward, R × F."},
		{"up is (0, 1, 0)", "Each camera has its own up, which need not be the world's y."},
		{"R is not made a unit vector~F is not made a unit vector", "look_at - position and the camera's up have any length and angle: divide F and R = F × up by their lengths before you use them."},
		{"W and the height H are exchanged~W / 2 and H / 2", "W is the number of columns, H the number of rows."},
		{"size of a pixel is", "Pixels are square: their size is the height of the picture divided by H, in both directions."},
		{"divided as integers~cut off to whole coordinates~W / H is divided", "Integers lose the remainder when they are divided. Divide as floats, or multiply the other side of a comparison."},
		{"fov is used for orthographic", "An orthographic camera has no angle: view_height is the height of its picture."},
		{"aspect ratio~view_height", "fov and view_height are vertical: the height of the picture follows from them, and the width is the height times W / H, once."},
		{"distance to look_at", "The image plane is one unit in front of the camera: only the direction of look_at counts, not its distance."},
		{"orthographic rays", "Rays of an orthographic camera are parallel to forward. They start at different points of the plane through its position."},
		{"the direction is F - offset~the direction is the offset~to the direction~from the direction once", "The direction of a perspective ray is F + offset, made a unit vector: the offset leads from the middle of the picture to the pixel."},
		{"samples of the diagonal~sample is missing~samples are at~samples are in~samples are spread~only the first sample~only the last sample", "A pixel has n × n samples, at ((i + 0.5) / n, (j + 0.5) / n) from its corner: the centers of n × n small squares. Divide as floats."},
		{"samples are not limited~divided by n, not~samples are encoded", "Limit each sample to 0..1, add up all n² linear samples, divide by n², and encode the result."},

		// overlap
		{"only the centers of the axes", "The distance of capsules is the distance of their axes, which are segments, not of their centers."},
		{"only the ends of the axes are tested", "Axes may cross, and skew axes may be closest between their ends: then the common perpendicular decides."},
		{onlyCorners + "~perpendicular on an axis is not tested", "The closest point of an axis may lie between its ends: project each end onto the other axis."},
		{cutQuotient + "~" + cutFoot + "~" + cutPerpendicular, "4900 / 1000 is more than 4: multiply the other side of the comparison instead of dividing."},
		{"z is ignored~x and y only", "Points with three numbers are in space: z counts like x and y."},
		{"skew axes are not tested", "The test for the plane is not enough in space: skew axes do not cross, but may be closest between their ends."},
		{"wrong end of the axis~an axis is an endless line for~a foot before the~a foot beyond the~beyond the second end, the", "An end is projected onto the other axis from its first end: f · w / |w|². Before 0 the first end is closest, and beyond 1 the second."},
		{"|f × w|~multiplied out~(f · w)² / |w|²", "The distance from an axis is |f × w| / |w|. Without roots and division: compare |f × w|² with (r1 + r2)² |w|²."},
		{"w · n~have length 0: skew axes", "The distance of skew axes is |w · n| / |n|, with n = u × v. Without roots and division: compare (w · n)² with (r1 + r2)² n · n."},
		{"common perpendicular alone", "The smallest of all distances decides: that of the feet, and those of the ends."},
		{"s is tested twice~t is tested twice~0 <= s~s <= 1~0 <= t~t <= 1~0 < s in~0 < t in~t < 1 in~s < 1 in~foot on the~the feet", "The common perpendicular counts only if both of its feet lie between the ends, or in them: 0 <= s <= 1 and 0 <= t <= 1. s belongs to the first axis, t to the second."},
		{"exchanged with those of the first", "Each capsule has ends of its own: check the names."},
		{"end q of the first capsule is taken", "q is a point, as p is: the axis is the vector q - p."},
		{"no end is tested~ends of the second capsule~ends of the first capsule~end of the second capsule~end of the first capsule", "Each of the four ends may be the closest: test both ends of both axes."},
		{"squared distance of a", "Compare the squared distance of the ends with (r1 + r2)²."},
		{"crossing axes~points in common count", "Axes that cross have the distance 0: the capsules overlap, or touch if both radii are 0."},
		{"the relation is reversed", "Capsules are apart if the distance of the axes is larger than r1 + r2, and overlap if it is smaller."},
		{"touching counts as~exactly r1 + r2", "If the distance is exactly r1 + r2, the capsules touch: that is neither apart nor an overlap."},
		{"parallel axes are always", "Parallel axes have no common perpendicular to test: their ends decide."},
		{"first test that is not", "The smallest of all distances decides: a touch that is found first does not exclude an overlap."},
		{"cross product of the axes", "x of a × b is a.y b.z - a.z b.y, y is a.z b.x - a.x b.z, and z is a.x b.y - a.y b.x."},
		{"the radii~r1 counts~only r1~only r2~r2 counts~r1 is doubled~r2 is doubled~radius counts~r1² + r2²~(r1 + r2)²", "The capsules touch at a distance of r1 + r2: check the names, and square the sum."},

		// segment
		{"parameter is clamped to the length", "On the segment the parameter of a + t (b - a) runs from 0 at a to 1 at b. Only with a unit vector does it run to the length."},
		{"only the ends are tested", "The closest point may lie between the ends: project the center onto the segment."},
		{"point is not relative to a", "t (b - a) is the vector from a to the closest point: add a."},
		{"closest point is a~closest point is b~closest point is (1~closest point is the center~closest point is that of", "The closest point is a + t (b - a), with t = (c - a) · (b - a) / |b - a|², limited to 0..1."},
		{"touches is~touches belongs~touches compares", "touches is true where the distance of the center from the closest point of the segment, between its ends or at one, is at most the radius."},

		// lines and solids
		{"behind the origin are omitted~solid behind the origin is said", "This stage asks for the whole line: t may be negative. A later stage selects the crossings ahead."},
		{"sorted as text", "Sort numbers by their values: in JavaScript, sort((a, b) => a - b)."},
		{"crossings are in the wrong order", "The crossing with the smaller t comes first, in all three lists."},
		{"normals are in the wrong order", "The normals are in the order of the points: the first belongs to the crossing with the smaller t."},
		{"only the first crossing is reported~only the last crossing is reported", "The whole line counts: where it crosses the surface twice, report both crossings."},
		{"the normal is turned toward the ray~the normals are turned toward the ray", "This stage requires outward normals, even where the line leaves. A later stage turns them toward the viewer."},
		{"touching is taken for missing", "A line that touches the surface has a point in common with it: a discriminant of 0 is a hit, and so is a line in a face. Use < and >, not <= and >=."},
		{largeSquares, "b² - (f · f - r²), as in the quadratic formula, and r² - (|f|² - b²) are such differences: from far away all digits are lost. Compute the distance of the line from the center: l = f + b d, and disc = r² - |l|²."},
		{"roots are not halved~factors of the quadratic", "With the coefficients 1, 2b and c of t² + 2bt + c = 0 the roots are -b ± √(b² - c); the formula with (2b)² - 4c divides by 2."},
		{"a root is", "A root of a t² + b t + c = 0 is (-b ± √(b² - 4 a c)) / (2 a): everything is divided, and by the whole product 2 a."},
		{"the direction is moved like a point", "A direction has no place: only points, such as the ray's origin, are moved into the frame of the solid."},
		{"the solid's center, or the end a", "Move the ray's origin into the frame of the solid: o - c, or o - a. Subtract it once, and leave the direction as it is."},
		{"t is measured", "t is the distance along the ray: the point is o + t d."},
		{"points are", "The point at t is o + t d."},
		{"have the same normal", "Each crossing has its own normal: compute it from the point of that crossing."},
		{"normal is the direction~normal is the opposite of the direction", "A normal belongs to the surface: it is perpendicular to it, whatever the ray."},
		{"divided by the radius twice", "The vector from the center, or from the axis, to the point is as long as the radius: divide it once, by the radius or by its own length."},
		{"is rounded to~are rounded to", "Write numbers with all digits, 17 for 64-bit floats."},
		{"stands for infinity", "What is large in one scene is small in another: begin with infinity."},
		{"distant hits", "There is no largest distance: start with infinity, not with some large number."},

		// box
		{"box's axes are ignored", "The slabs are those of the box's own axes: transform origin and direction into its frame first."},
		{"NaN invalidates", "A ray in a face gives 0 · ∞ or 0 / 0, which is NaN. Write comparisons that ignore NaN, or handle a direction of 0 as a separate case."},
		{"0 is replaced by a tiny number", "A line within a face then enters or leaves the slab at its origin, at t = 0. If the direction along an axis is 0, compare |o'| with h instead."},
		{"slabs are joined~middle slab", "The line is in the box while it is in all three slabs: from the largest of the entries to the smallest of the exits."},
		{"first entry is used instead", "The line is in the box only while it is in all three slabs: it enters the box where it enters the last of them."},
		{"last exit is used instead", "The line is in the box only while it is in all three slabs: it leaves the box where it leaves the first of them."},
		{"normal is always that of the positive face~sign of the normals depends~not depend on the direction's sign", "The face through which the line enters faces the ray: its normal is the axis times the opposite of the direction's sign. Where the line leaves, it is the axis times this sign."},
		{"last entry is not compared", "If the last entry lies beyond the first exit, the line misses the box."},
		{"search starts at 0~sought from 0", "The whole line counts: before the first slab it reaches from minus to plus infinity."},
		{"face is found with an epsilon", "Whether a point lies in a face is a matter of rounding, and of the size of the scene. Keep the slab through which the line enters, and the one through which it leaves: they have the faces."},
		{"turned back", "The normal of the face +x is the box's axis X, not (1, 0, 0)."},
		{"rows are used as columns", "A coordinate along an axis is the dot product with that axis. Using the axes as columns where they are rows rotates by the opposite angle."},
		{"into the box's frame", "The slabs are those of the box's own axes: both origin and direction need their coordinates along these."},
		{"half extents are~half extent of~half extent is used", "Each axis has its own half extent: half_extents[0] belongs to axes[0], and so on."},
		{"after the turn", "Subtract the center before you turn: o' is the dot product of the axis and o - c."},
		{"box: the slab of", "The box has three slabs: test each of them, with its own o', d' and h."},
		{"t0 and t1~t0 =~t1 =", "The line crosses the planes of a slab at t0 = (-h - o') / d' and t1 = (h - o') / d'. If d' is negative, exchange them."},
		{"slabs reach", "The center of a slab is that of the box: it reaches from -h to h, and half_extents has h."},
		{"points from the center", "The normal of a point of a box is that of its face: one of the axes, or its opposite."},
		{"largest local coordinate", "A box need not be a cube: if you find the face from the point, divide each coordinate by its half extent first."},
		{"of the face~the face is", "The face is the one through which the line enters: its letter is that of the box's axis, and its sign that of the outward normal. A line with a positive direction along an axis enters through the face at -h."},
		{"with h but not with -h", "A line parallel to a slab is outside if |o'| > h, on either side."},

		// sphere
		{"sphere: n = p - 2 c", "The normal is the vector from the center to the point: p - c, made a unit vector. Subtract the center once: not in a function that is given p - c already."},
		{"sphere: n =", "The normal is the vector from the center to the point, made a unit vector: (p - c) / |p - c|, or (p - c) / r."},
		{"said to miss if~said to be missed~negative far root~negative near root", "Whether a line misses does not depend on where its origin is. A crossing with a negative t lies behind the origin; the other one may lie ahead."},
		{"distance to the line is forgotten~without squares and root", "The farther the line is from the center, the shorter is its chord: h = √(r² - |l|²)."},
		{"roots are made positive~the sign of the root is dropped", "A root of -2 lies behind the origin, not 2 ahead."},
		{"both roots~near and far are exchanged~h ± b~b is missing", "The roots are b - h and b + h, the near one first: h = √disc, on both sides of the middle of the chord."},

		// capsule and cylinder
		{"ends are left open", "Beyond the ends of the axis the balls around a and b decide. Without them the capsule is an open tube."},
		{"discs are left out", "The two discs close the cylinder. A line that enters or leaves through an end crosses the plane of a disc, no more than the radius from its center."},
		{"ball at the end nearer", "A line can cross both balls, or only the farther one, wherever its origin is: test both."},
		{"reaches beyond the ends", "The straight part of a capsule ends at a and b. The radius comes on top of its length, as the balls."},
		{"balls are tested only if", "A line may cross the body once and a ball once: collect the crossings of all three parts, and take the smallest and the largest."},
		{"roots are not sorted~crossing found counts~two smallest~two largest~dropped before", "Three round parts have up to six roots, in any order: t_near is the smallest of all, t_far the largest."},
		{"heights are measured from the wrong end~a and b are exchanged", "With u from a to b, the height of a point p is (p - a) · u: 0 at a and L at b."},
		{"cylinder has no end~side has no end", "Crossings of the infinite cylinder below height 0 or above height L do not count: the ends of the solid decide there."},
		{"ends are round", "A cylinder ends in flat discs. Round ends are those of a capsule."},
		{"different units", "Along the unit axis, the heights of the side run from 0 to L, not to 1. Along b - a itself, they run from 0 to L², not to L."},
		{"parallel to the discs are never", "If a line is parallel to the discs, it is between them either always or never: compare its height with 0 and L."},
		{"normal of the side is used", "The normal of a disc is the direction of the axis, outward. Remember which part the line crosses."},
		{"for a line parallel to the discs~slab between the discs~the disc at a is put~disc at b is measured~taken for the middle", "Heights run from 0 at a to the length at b: the discs are at these two, and a line parallel to them is between them where 0 <= y <= length."},
		{"disc at a is forgotten~disc at b is forgotten~line enters is forgotten~line leaves is forgotten~discs are exchanged~and no disc", "A cylinder has a disc at each end. A line that is not parallel to them enters between them through one, with the normal away from the other, and leaves through the other."},
		{"normal of the disc~the part through which the line enters", "The normal of a disc points away from the other end: -u at a, u at b. Each crossing has the normal of its own part."},
		{"normal of the side", "On the side the normal points from the axis to the point: remove the part along the axis."},
		{"disc has no edge~compared with the squared radius", "A point of a disc is no farther than the radius from the end of the axis: compare the squared distance with r²."},
		{"parallel to the axis always", "A line parallel to the axis never crosses the side, but it crosses the discs if it is no farther than the radius from the axis."},
		{"divided by |d2|~disc is not divided~multiplied by |d2|²~include the division", "d2 is not a unit vector, since a part of d is missing: the middle of the chord is -(f2 · d2) / |d2|², and h = √(disc / |d2|²)."},
		{"body has no end~height is that~|height| is compared", "Each crossing of the body has a height of its own, y + t dy. It counts only between the ends, where 0 <= height <= length."},
		{"crossing of the body is forgotten", "A line may cross the body twice, once or never: compute the height of both crossings."},
		{"outer half of each ball", "The half of a ball beyond its end belongs to the surface: height < 0 at a, length < height at b."},
		{"ball at end~balls are at end~ball at the other end", "A capsule has a ball at each end of its axis. Test both."},
		{"crossing of each ball counts~crossing with a ball counts~leaves through a ball", "A line crosses a ball twice, and either crossing may be one of the capsule: collect both."},
		{"normal points from~normals at the~normal of the body", "The normal points away from the closest point of the axis, which is different for each point of the surface."},
		{"parallel to the axis is said", "A line along the axis crosses only the balls. Leave out the body, not the balls."},
		{"zero length", "An axis of zero length has no direction: the capsule is a ball."},
		{"near normal~far normal~normals are exchanged~are reversed", "Normals point outward: against the direction of the ray where the line enters, and along it where the line leaves."},

		// sections
		{"cut face has no edge", "A plane has no end, but the cut face does: it ends at the surface of the solid. Use s only if it is inside the interval of the solid."},
		{"side that is taken away is kept", "The normal of a section points to what is taken away. The line enters the kept side where d · N is negative."},
		{"sorted after the cut~as if nothing were cut~leaves nothing is ignored", "If t_near > t_far after the cut, nothing is left on the line. Sorting the two hides this: decide about a miss first."},
		{"intervals are joined", "What is left is both in the solid and on the kept side: the larger of the two entries, the smaller of the two exits."},
		{"planes that the line crosses outside", "If s is not between t_near and t_far, the section takes away nothing of the interval, or all of it. max and min find out which."},
		{"crossings are discarded", "If a crossing lies on the side that is taken away, the line still crosses the cut face. Otherwise the solid looks hollow."},
		{"has the normal of the solid", "Whichever interval has the end also has the normal: that of the section if the line enters or leaves at s."},
		{"parallel to a section always miss", "If d · N is 0, all of the line is on the side of its origin. If f · N <= 0, the section takes nothing of it away."},
		{"only the entry is cut~only the exit is cut", "A section may move the entry or the exit: where d · N is negative, the line enters the kept side at s, otherwise it leaves it there."},
		{"first section is used~last section is used~no section is used", "Every section takes something away: go through the whole list."},
		{"sections are numbered~called solid", "A crossing with a cut face has the index of its section, counted from 0."},

		// ahead and nearest
		{"a miss is not null", "Where the ray hits nothing, t is null. 0 and -1 are distances."},
		{"from inside, the hit is at the origin", "A ray that starts inside meets the surface where it leaves the solid: at the far root."},
		{"root of the least magnitude", "A root below 0 lies behind the origin, however near it is. Choose the smallest root that is greater than 0."},
		{"negative roots become 0", "A root below 0 lies behind the origin. Skip it instead of moving it to the origin."},
		{"far crossing counts where", "A solid blocks the light where the ray enters it: where it leaves a solid that begins behind the point, nothing is blocked."},
		{"near crossing counts~far crossing counts~smaller |t|~t is that of the far", "The hit is the smallest t that is greater than 0: the near crossing if it lies ahead, otherwise the far one."},
		{"solids are counted from 1", "object is the index in the list, and the first index is 0."},
		{"solids are counted by kind", "object is the index in the whole list of spheres, capsules and boxes."},
		{"first solid in the list that is hit~search stops at", "Go through all solids and keep the one with the smallest t."},
		{"last solid in the list that is hit", "Keep a solid only if its t is smaller than the smallest so far, and then store its t as the new smallest."},
		{"farthest solid~which solid is the closest", "The closest hit has the smallest t that is greater than 0."},
		{"index is that in~index 0 counts", "object is the index in the whole list, and 0 is the first solid. Mark a search that has found nothing with another value, such as null or -1."},
		{"spheres are skipped~capsules are skipped~boxes are skipped~cylinders are skipped", "All lists of solids count: go through each of them."},
		{"like all others~not hit from inside~do not see solids from inside", "A ray that starts inside a solid hits it where it leaves it: at the far crossing."},
		{"normal belongs to", "Keep the normal together with the closest hit: a later solid must not overwrite it."},
		{"normal is turned by~not turned~from inside, the normal", "The normal faces the ray: where n · d is positive, reverse it. From inside of a solid, that is always so."},

		// light
		{"only the first light is used~light is skipped~lights are skipped", "Every light adds its part: go through the whole list."},
		{"|n · L| in place~half Lambert~sine is used~angle is used~no cosine", "A surface receives the share max(0, n · L) of the light: the cosine of the angle, and nothing from behind. The absolute value of n · L lets light through from behind."},
		{"intensity is decoded", "intensity is a linear factor: only colors are sRGB."},
		{"ambient light is decoded", "ambient is a linear amount of light: only colors are sRGB."},
		{"intensity~color is ignored~cosine is multiplied before", "The light that arrives is color × intensity × max(0, n · L). Only the color is sRGB: make it linear first."},
		{"color is limited~light is limited~all light is limited", "Light has no upper limit: color is not clamped. Only what a picture stores is."},
		{"measured from (0, 0, 0)", "The vector to a point light is position - point, divided by its length."},
		{"srgb is that of the albedo", "srgb is the encoded color: the light that the surface reflects."},
		{"ambient: missing", "Ambient light reaches every surface, lit or not."},
		{"only the last light counts~brightest light~last light", "Every light adds its part: add to the sum instead of replacing it."},
		{"of matte and mirror~color is multiplied by the albedo once", "color = (1 - m) matte + m mirror."},
		{"mirror is tinted", "The color of the reflected ray is not multiplied by the albedo."},
		{"albedo", "A surface reflects the share albedo of all light, including ambient light: albedo (ambient + ...)."},
		{"ambient light~lights are averaged", "The light is a sum: ambient light, once, lit or not, and the part of each light."},
		{"same for all channels", "Red, green and blue are three separate sums."},
		{"srgb is rounded~srgb is multiplied~one step too", "Store the nearest of the 256 steps: floor(255 x + 0.5)."},
		{"wrap around", "Limit each color to 0..1 before you make a byte of it: a larger number loses its upper bits."},
		{withoutGamma, "Colors in questions and pictures are sRGB: make them linear before you compute, and encode the result."},
		{powerCurves, "The sRGB curve is linear near 0, and a power of 2.4 above. A power of 2.2 is only an approximation, in both directions."},
		{"srgb is~sRGB curve", "The sRGB curve encodes x as 12.92 x up to 0.0031308, and above as 1.055 x^(1/2.4) - 0.055. Encode once."},
		{"fall off", "Here the intensity of a light does not depend on the distance: do not divide by d²."},

		// shadow
		{"light is taken to be 1 away", "A directional light is infinitely far away: any solid ahead blocks it."},
		{"index of the light is compared~each light is tested only with", "Lights and solids have indices of their own: test each light with every solid but the point's own."},
		{"shadow ray has the direction~direction of the light's position", "The shadow ray runs from the point to the light: along position - point, or against the direction of a directional light, made a unit vector."},
		{"starts at the light", fromTheLight},
		{"overwrites~blocked only if all~search ends at", "A light is blocked if any solid blocks it: end the search with the first solid that does, and only with that."},
		{"all lights have~later lights, too~opposite order", "Each light has its own ray: answer for each of them, in the order of the list."},
		{"lights never arrive", "A light arrives if it is in front of the surface and nothing is in the way. Check the vector to it: position - point, or the opposite of direction."},
		{"mirrors cast no~cast no shadows", "Solids of every kind cast shadows, mirrors too: go through all of them."},
		{"|t| counts~compared with t²~half of the light's distance~only beyond it~beyond a point light", "A solid blocks a light if the ray enters it at 0 < t < distance. A directional light is infinitely far away."},
		{"even inside of it~inside a solid skips this solid", "A ray that starts inside a solid can hit the far side of that solid; skip the solid only if the ray is outside."},
		{"own solid~solid is skipped~solid that is skipped", "The point's own solid, and no other, is skipped if the ray starts outside of it: rounding decides whether the ray hits it at the start."},

		// mirror
		{"there are no mirrors", "Follow the reflected ray and mix: (1 - m) matte + m mirror."},
		{"nothing casts a shadow in mirrors~only cast in mirrors~light has shadows~have no shadows", "At every point, in mirrors too, test for every light whether a solid blocks it."},
		{"shadow rays start at the eye", "The ray to a light starts at the point where the ray hits the solid."},
		{"bounce too many~bounce too few~depth", "With bounces = n a ray is reflected n times: stop where depth >= bounces, counted from 0."},
		{"after the last bounce", "After the last bounce there is no mirror term: the matte color counts in full."},
		{"r = d + 2 (d · n) n, a plus", "r = d - 2 (d · n) n, with a minus: d · n is negative where the normal faces the ray."},
		{"r = d - (d · n) n", "r = d - 2 (d · n) n. Without the 2 the ray runs along the surface."},
		{"r = -d: the ray", "A mirror reverses only the part of the direction along the normal: r = d - 2 (d · n) n, not -d."},
		{"r = 2 (d · n) n - d", "r = d - 2 (d · n) n. The form 2 (d · n) n - d is for a vector that points away from the surface, as in Phong's formula; d points toward it."},
		{"r = ", "The reflected direction is r = d - 2 (d · n) n: the part of d along the normal is reversed."},
		{"of the camera ray is reflected", "Each mirror reflects the ray that arrives at it, which is the camera ray only at the first mirror."},
		{"weights are exchanged", "color = (1 - m) matte + m mirror: a mirror of 1 shows nothing of its own."},
		{"not multiplied by 1 - m", "The matte part has the weight 1 - m. Otherwise a mirror reflects more light than it receives."},
		{"+ m² mirror", "color = (1 - m) matte + m mirror: multiply what the mirror shows by m once."},
		{"what the mirror shows is limited", "Light has no upper limit: only a pixel is limited to 1."},
		{"only the mirror is seen~matte~mirrors with m~mirror of the first~every mirror reflects fully", "color = (1 - m) matte + m mirror, with all three linear."},
		{"camera ray, not of the reflected", "A reflected ray that hits nothing sees the background in its own direction."},
		{"follows the world's y", "up in (1 + d · up) / 2 is the camera's, with length 1."},
		{"background is not made a unit", "up in (1 + d · up) / 2 is the camera's, divided by its length."},
		{"top and bottom are exchanged", "(1 + d · up) / 2 is the share of top, 1 straight up."},
		{"share of top", "The share of top is (1 + d · up) / 2, from 0 straight down to 1 straight up."},
		{"background is mixed before", "Make top and bottom linear first, and mix them then."},
		{"the reflected ray starts", "The reflected ray starts at the point where the ray hits the mirror."},
		{"background is black~sees black", "A ray that hits nothing sees the background, mixed by (1 + d · up) / 2."},
		{"background does not change", "Top and bottom are mixed by (1 + d · up) / 2."},
		{"around the eye~hit another one where they leave", "Solids that contain the eye are hit where the ray leaves them, by camera rays. A reflected ray starts on a solid: outside of the others, it hits them where it enters."},
	}
}
