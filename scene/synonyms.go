package scene

import (
	"slices"

	"pillbox/internal/keytable"
)

// Notes for keys whose values mean something else than the values of other programs.
const (
	noteHalf       = "half_extents is half the size"
	noteDiameter   = "radius is half the diameter"
	noteEnds       = "a and b are the ends of the axis"
	noteFromTo     = "a is the first three numbers, b the last three"
	noteDegrees    = "rotate is in degrees about x, then y, then z"
	noteQuaternion = "quaternion is [w, x, y, z]"
	noteAxes       = "axes are three unit vectors"
	noteAxisAngle  = "axis needs angle, in degrees, beside it"
	noteAngle      = "angle is in degrees"
	noteFOV        = "fov is the vertical angle of view, in degrees"
	noteViewHeight = "view_height is the whole height of the view"
	noteLookAt     = "look_at is a point"
	noteDirection  = "direction is the way the light travels"
	noteCone       = "cone is the whole angle of the opening, in degrees"
	noteLightAngle = "angle is the whole angle that the light covers in the sky, in degrees"
	noteEdge       = "edge is how many degrees inside the cone the light reaches its full strength"
	noteAlpha      = "color has no alpha"
	noteGhost      = "ghost is the share of the surface in the color: 1 is opaque"
	noteMirror     = "mirror is the weight of the mirror, 0 to 1"
	noteAntialias  = "antialias = n casts n x n rays per pixel"
	notePlane      = "a plane is a wide, thin box"
	noteDisc       = "a disc is a short cylinder"
	noteTapered    = "a cylinder has one radius"
	noteOthers     = "build other shapes from spheres, capsules, boxes and cylinders"
)

// sceneWords returns what is known about the words of scene files.
func sceneWords() *keytable.Vocabulary {
	return &keytable.Vocabulary{Keys: synonyms, Columns: columnSynonyms, Solid: KindBox.String(), Home: placeOfKey}
}

// synonyms returns all synonyms. The words come from POV-Ray, OpenSCAD, three.js, MuJoCo, URDF, Blender, Unity, pbrt,
// Mitsuba, glTF, OpenGL and Bullet. If a word is listed for several keys, the first key that the table allows applies.
func synonyms() []keytable.Synonym {
	return keytable.Synonyms([][3]string{
		// Tables.
		{"sphere", "", "ball balls orb orbs atom atoms spheregeometry makesphere"},
		{"capsule", "", "pill pills rod rods stick sticks bond bonds spherocylinder capsulegeometry"},
		{"box", "", "boxe boxes cube cubes cuboid cuboids block blocks brick bricks aabb aabbs obb obbs boxgeometry makecube"},
		{"box", notePlane, "plane planes floor ground quad quads rectangle rectangles rect wall"},
		{"cylinder", "", "cylinder cylinders tube tubes pipe pipes cylindergeometry"},
		{"cylinder", noteDisc, "disc discs disk disks"},
		{"cylinder", noteTapered, "cone cones"},
		{"", noteOthers, "mesh meshes triangle triangles trianglemesh trimesh mesh2 polygon polygons polyhedron torus ellipsoid shape stl obj ply heightfield hfield sdf blob"},
		{"light", "", "lamp lamps lightsource sun sunlight pointlight distantlight directionallight spot spotlight emitter bulb"},
		{"camera", "", "cam view viewer eye sensor viewpoint"},
		{"image", "", "film output picture render resolution screen canvas frame"},
		{"shading", "", "globalsettings settings integrator renderer rendering world environment"},
		{"material", "", "mtl bsdf shader texture finish surface materials"},
		{"outline", "", "outlines contour contours silhouette silhouettes linework freestyle toon lineart strokes stroke edges"},
		{"section", "", "sections clip clipping clippingplane clippingplanes cutplane cut cutaway slice plane crosssection clippedby difference"},
		{"fog", "", "haze mist depthcue depthcueing atmosphere fogs"},
		{"colormap", "", "colorbar cmap colormaps colourmap lut palette colorscale"},
		{"theme", "", "style styles themes stylesheet"},
		{"part", "", "group union component module prefab object definition define declare link body class assembly"},
		{"place", "", "part instance instances objectinstance copy use node clone insert placement reference"},
		{"bulk", "", "csv particles pointcloud points cloud batch"},
		{"include", "", "import imports require load"},
		{"animation", "", "movie video timeline clip"},
		{"animate", "", "keyframe keyframes track tracks tween"},
		{"overlaps", "", "collision collisions contact contacts intersections"},
		{"format", "", "version"},

		// Where something is.
		{"look_at", "", "target lookat lookatpoint interest focus aim poi to at center centre pointofinterest aimat"},
		{"look_at", noteLookAt, "dir forward viewdirection lookdir"},
		{"center", "", "pos position location loc origin translate translation xyz at offset middle centroid point coordinates coords localposition"},
		{"position", "", "pos location loc origin translate translation xyz at offset center centre middle from eye lookfrom vantage viewpoint point coordinates coords localposition move"},
		{"a", "", "p0 start begin from point0 pointa enda base tail v0 bottom end0 center0 head1"},
		{"b", "", "end finish to pointb endb cap tip head v1 top end1 center1"},
		{"a", noteFromTo, "fromto"},
		{"a", noteEnds, "center centre pos position location origin translate points ends endpoints segment"},
		{"b", noteEnds, "axis height length direction halfheight halflength h l size rotate rotation quat quaternion axes euler rpy"},

		// How large it is.
		{"radius", "", "r rad radii"},
		{"radius", noteDiameter, "d diameter size width dia"},
		{"half_extents", noteHalf, "size sizes dimensions dimension dims extents extent lengths edges edge width height depth length sides scale scaling whd"},
		{"half_extents", "", "halfsize halfsizes half halfextent halfwidths halfdimensions halflengths radii"},
		{"scale", "", "size scaling factor uniformscale localscale s"},
		{"size", "", "scale edge width square squares period side length"},
		{"view_height", noteViewHeight, "height orthoscale orthosize orthographicsize size viewsize extent scale magnification"},

		// How it is turned.
		{"rotate", noteDegrees, "rotation rotations rot euler rpy eulerangles rotationeuler orientation orient angles turn localrotation hpr localeulerangles"},
		{"quaternion", noteQuaternion, "quat q wxyz xyzw rotationquaternion quaternions"},
		{"axes", noteAxes, "matrix basis frame xyaxes rotationmatrix rotmat transform"},
		{"axis", noteAxisAngle, "axisangle rotateaxis rotationaxis rotate rotation zaxis"},
		{"angle", noteAngle, "degrees deg theta radians rad"},
		{"up", "", "sky upvector vup updirection updir u"},
		{"fov", noteFOV, "fovy fovx vfov hfov fieldofview angle viewangle lens focallength focal yfov xfov aperture"},
		{"projection", "", "type mode kind ortho orthographic perspective model parallel"},

		// What it looks like.
		{"color", "", "colour albedo diffuse diffusecolor diffusecolour rgb kd basecolor basecolour pigment reflectance tint col diffusereflectance fill hex colors colours lightcolor l"},
		{"color", noteAlpha, "rgba"},
		{"value", "", "values scalar bfactor val"},
		{"range", "", "limits clim domain vmin vmax bounds"},
		{"material", "", "mat materialname appearance usemtl skin"},
		{"mirror", noteMirror, "reflection reflections reflectivity reflective reflect specular ks kr metallic metalness metal shiny shininess specularreflectance"},
		{"ghost", noteGhost, "alpha opacity transparency transparent translucent translucency transmit transmission filter"},
		{"checker", "", "checkers checkerboard chessboard squares pattern texture checkered"},
		{"name", "", "id label title tag identifier key"},

		// Images, light and shading.
		{"width", "", "w xres xresolution resx resolutionx sizex imagewidth pixels"},
		{"width", "width and height are two keys", "resolution size dimensions"},
		{"height", "", "h yres yresolution resy resolutiony sizey imageheight"},
		{"antialias", noteAntialias, "samples spp samplesperpixel aa antialiasing supersampling supersample msaa sampling pixelsamples samplecount"},
		{"antialias_mode", "", "adaptive samplingmethod sampler"},
		{"background", "", "backgroundcolor backgroundcolour bg bgcolor sky skycolor skysphere environment backdrop clearcolor world"},
		{"ambient", "", "ambientlight ambientcolor ambientcolour ambientintensity globalambient environment hemisphere"},
		{"shadows", "", "shadow castshadows castshadow shadowsenabled receiveshadow"},
		{"bounces", "", "maxdepth depth reflections bounce maxbounces recursion maxtracelevel tracelevel raydepth recursiondepth maxrecursion"},
		{"occlusion", "", "ao ambientocclusion ambientoccluder ssao skylight skydome"},
		{"distance", "", "radius maxdistance maxdist range reach length dist r aodistance aoradius"},
		{"samples", "", "lightsamples shadowsamples arealightsamples numsamples shadowrays softshadowsamples points samplecount"},
		{"radius", "", "bulbradius sourceradius lightradius lightsize softsize shadowsoftsize shadowradius softness"},
		{"angle", noteLightAngle, "angulardiameter angularsize angularradius sunangle sunsize sundiameter angdiam"},
		{"direction", "", "dir sundirection vector axis normal rotation rotate"},
		{"direction", noteDirection, "target lookat pointat to look aim forward"},
		{"intensity", "", "power energy strength brightness radiance irradiance lumens candela watts scale i multiplier"},
		{"cone", noteCone, "angle coneangle spotangle spotsize cutoff cutoffangle outerangle outerconeangle outercutoff beamangle beamwidth aperture fov totalwidth opening spread"},
		{"edge", noteEdge, "penumbra blend spotblend softness innerangle innerconeangle innercutoff conedelta conedeltaangle exponent tightness falloff smooth feather"},
		{"width", "", "thickness linewidth strokewidth linethickness weight"},
		{"silhouettes", "", "silhouette contour contours outer border borders external"},
		{"creases", "", "crease edges edge sharpedges featureedges folds ridges inner"},
		{"contacts", "", "contact intersections intersection joints seams meeting overlaps"},
		{"attach", "", "parent attached attachto headlight mode"},
		{"top", "", "sky zenith up upper skycolor start from color1 north"},
		{"bottom", "", "ground horizon nadir down lower groundcolor end to color2 south"},

		// Parts, files and time.
		{"part", "", "ref reference instance of use model child source prototype shape mesh geometry"},
		{"count", "", "n copies repeat repeats number instances times amount num"},
		{"step", "", "spacing stride delta increment pitch interval gap each"},
		{"shape", "", "type kind geometry primitive geom solid"},
		{"file", "", "path filename source src csv data url filepath uri"},
		{"duration", "", "seconds time end dur length totaltime"},
		{"fps", "", "framerate rate framespersecond frames"},
		{"golden", "", "goldens snapshots baseline baselines"},
		{"target", "", "key path property object channel attribute node"},
		{"times", "", "keyframes time t keys keytimes input frames seconds"},
		{"values", "", "value v data output"},
		{"ease", "", "easing interpolation interp curve mode interpolate"},
		{"allow", "", "allowed ignore exclude except permit pairs disable"},

		// Values that are words.
		{"orthographic", "", "ortho parallel isometric orthogonal"},
		{"perspective", "", "persp pinhole projective"},
		{"smooth", "", "cubic cubicspline smoothstep ease easeinout bezier sine hermite spline"},
		{"step", "", "constant hold stepped discrete none nearest"},
		{"linear", "", "lerp line"},
		{"full", "", "uniform regular grid all"},
		{"flat", "", "unlit constant none noshading emission emissive albedo"},
		{"lit", "", "lambert shaded diffuse lambertian light"},
	})
}

// columnSynonyms returns the synonyms of columns of bulk files.
func columnSynonyms() []keytable.Synonym {
	own := keytable.Synonyms([][3]string{
		{"x", "", "cx px posx positionx centerx xpos"},
		{"y", "", "cy py posy positiony centery ypos"},
		{"z", "", "cz pz posz positionz centerz zpos"},
		{"ax", "", "x1 x0 startx fromx x"}, {"ay", "", "y1 y0 starty fromy y"}, {"az", "", "z1 z0 startz fromz z"},
		{"bx", "", "x2 endx tox"}, {"by", "", "y2 endy toy"}, {"bz", "", "z2 endz toz"},
		{"hx", noteHalf, "sx sizex width dx w"}, {"hy", noteHalf, "sy sizey height dy h"}, {"hz", noteHalf, "sz sizez depth dz"},
		{"rx", "", "rotx rotationx roll anglex"}, {"ry", "", "roty rotationy pitch angley"}, {"rz", "", "rotz rotationz yaw anglez"},
		{"r", "", "red colorr"}, {"g", "", "green colorg"}, {"b", "", "blue colorb"},
	})
	common := slices.DeleteFunc(synonyms(), func(y keytable.Synonym) bool {
		return !slices.Contains([]string{columnRadius, columnColor, columnMaterial, columnName}, y.Key)
	})
	return append(own, common...)
}
