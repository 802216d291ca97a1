package scene

import (
	"maps"
	"reflect"
	"slices"
)

// The raw tables of a scene file. Every value is an any, so that a value of a wrong type can be
// reported together with all other problems. The value of a missing key is nil.
type (
	rawFile struct {
		Format    any `toml:"format"`
		Include   any `toml:"include"`
		Up        any `toml:"up"`
		Image     any `toml:"image"`
		Camera    any `toml:"camera"`
		Shading   any `toml:"shading"`
		Outline   any `toml:"outline"`
		Overlaps  any `toml:"overlaps"`
		Material  any `toml:"material"`
		Part      any `toml:"part"`
		Animation any `toml:"animation"`
		Animate   any `toml:"animate"`
		Title     any `toml:"title"`
		Axes      any `toml:"axes"`
		ScaleBar  any `toml:"scale_bar"`
		Legend    any `toml:"legend"`
		partTable
	}
	// includedTable has the keys that an included file may have.
	includedTable struct {
		Format   any `toml:"format"`
		Material any `toml:"material"`
		Part     any `toml:"part"`
	}
	// partTable has the keys that parts and the scene have in common.
	partTable struct {
		Solids [kindCount]any // the arrays of tables named after the kinds
		Light  any            `toml:"light"`
		Place  any            `toml:"place"`
		Bulk   any            `toml:"bulk"`

		Label     any `toml:"label"`
		Dimension any `toml:"dimension"`
	}
	labelTable struct {
		Text   any `toml:"text"`
		At     any `toml:"at"`
		On     any `toml:"on"`
		Offset any `toml:"offset"`
		Anchor any `toml:"anchor"`
		Leader any `toml:"leader"`
		Hidden any `toml:"hidden"`
		letteringKeys
	}
	dimensionTable struct {
		From   any `toml:"from"`
		To     any `toml:"to"`
		On     any `toml:"on"`
		Across any `toml:"across"`
		Offset any `toml:"offset"`
		Text   any `toml:"text"`
		Hidden any `toml:"hidden"`
		quantityKeys
		letteringKeys
	}
	titleTable struct {
		Text any `toml:"text"`
		Side any `toml:"side"`
		letteringKeys
	}
	axesTable struct {
		At     any `toml:"at"`
		Length any `toml:"length"`
		Corner any `toml:"corner"`
		Texts  any `toml:"texts"`
		Hidden any `toml:"hidden"`
		letteringKeys
	}
	scaleBarTable struct {
		Length any `toml:"length"`
		Depth  any `toml:"depth"`
		Corner any `toml:"corner"`
		quantityKeys
		letteringKeys
	}
	legendTable struct {
		Materials any `toml:"materials"`
		Texts     any `toml:"texts"`
		Corner    any `toml:"corner"`
		letteringKeys
	}
	// letteringKeys are the size and the colors of texts.
	letteringKeys struct {
		Size  any `toml:"size"`
		Color any `toml:"color"`
		Halo  any `toml:"halo"`
	}
	// quantityKeys are the format of a length.
	quantityKeys struct {
		Factor any `toml:"factor"`
		Unit   any `toml:"unit"`
		Digits any `toml:"digits"`
	}
	placeTable struct {
		Part     any `toml:"part"`
		Name     any `toml:"name"`
		Position any `toml:"position"`
		rotationKeys
		Scale    any `toml:"scale"`
		Material any `toml:"material"`
		Color    any `toml:"color"`
		Count    any `toml:"count"`
		Step     any `toml:"step"`
	}
	stepTable struct {
		Position any `toml:"position"`
		Axis     any `toml:"axis"`
		Angle    any `toml:"angle"`
	}
	imageTable struct {
		Width      any `toml:"width"`
		Height     any `toml:"height"`
		Antialias  any `toml:"antialias"`
		Mode       any `toml:"antialias_mode"`
		Background any `toml:"background"`
	}
	gradientTable struct {
		Top    any `toml:"top"`
		Bottom any `toml:"bottom"`
	}
	cameraTable struct {
		Projection any `toml:"projection"`
		Position   any `toml:"position"`
		LookAt     any `toml:"look_at"`
		Up         any `toml:"up"`
		FOV        any `toml:"fov"`
		ViewHeight any `toml:"view_height"`
	}
	shadingTable struct {
		Ambient any `toml:"ambient"`
		Shadows any `toml:"shadows"`
		Bounces any `toml:"bounces"`
		Samples any `toml:"samples"`
		Color   any `toml:"color"`

		Occlusion any `toml:"occlusion"`
	}
	occlusionTable struct {
		Distance any `toml:"distance"`
	}
	outlineTable struct {
		Width       any `toml:"width"`
		Color       any `toml:"color"`
		Silhouettes any `toml:"silhouettes"`
		Creases     any `toml:"creases"`
		Contacts    any `toml:"contacts"`
	}
	animationTable struct {
		Duration any `toml:"duration"`
		FPS      any `toml:"fps"`
		Golden   any `toml:"golden"`
	}
	animateTable struct {
		Target any `toml:"target"`
		Times  any `toml:"times"`
		Values any `toml:"values"`
		Ease   any `toml:"ease"`
	}
	overlapsTable struct {
		Allow any `toml:"allow"`
	}
	lightTable struct {
		Name      any `toml:"name"`
		Attach    any `toml:"attach"`
		Position  any `toml:"position"`
		Direction any `toml:"direction"`
		Radius    any `toml:"radius"`
		Angle     any `toml:"angle"`
		Cone      any `toml:"cone"`
		Edge      any `toml:"edge"`
		Color     any `toml:"color"`
		Intensity any `toml:"intensity"`
	}
	materialTable struct {
		Color   any `toml:"color"`
		Mirror  any `toml:"mirror"`
		Checker any `toml:"checker"`
	}
	checkerTable struct {
		Color any `toml:"color"`
		Size  any `toml:"size"`
	}
	// solidTable has the keys of a solid. Which measures exist depends on the kind: see fieldsOfSolid.
	solidTable struct {
		Measures [maxMeasures]any
		rotationKeys
		surfaceKeys
	}
	bulkTable struct {
		File        any `toml:"file"`
		Shape       any `toml:"shape"`
		Radius      any `toml:"radius"`
		HalfExtents any `toml:"half_extents"`
		Material    any `toml:"material"`
		Color       any `toml:"color"`
	}
	// rotationKeys are the forms of a rotation. A table may have only one of them.
	rotationKeys struct {
		Rotate     any `toml:"rotate"`
		Axis       any `toml:"axis"` // and angle
		Angle      any `toml:"angle"`
		Quaternion any `toml:"quaternion"`
		Axes       any `toml:"axes"`
	}
	// surfaceKeys may appear in any solid.
	surfaceKeys struct {
		Name     any `toml:"name"`
		Material any `toml:"material"`
		Color    any `toml:"color"`
	}
)

// The function or returns v, or its second argument if v is nil.
func or(v, otherwise any) any {
	if v == nil {
		return otherwise
	}
	return v
}

// fields fills an M, which is one of the structs for raw tables in this file.
type fields[M any] struct {
	m      *M // the last one filled
	keys   []string
	values []*any // pointers to the fields of m, one for each key
}

func fieldsOf[M any]() fields[M] {
	f := fields[M]{m: new(M)}
	f.add(reflect.ValueOf(f.m).Elem())
	return f
}

// fieldsOfSolid returns the fields of the tables of a kind of solids.
func fieldsOfSolid(k Kind) fields[solidTable] {
	f := fields[solidTable]{m: new(solidTable)}
	for i, m := range k.row().keys() {
		f.addKey(m.key, &f.m.Measures[i])
	}
	if k.row().traits().turns {
		f.add(reflect.ValueOf(&f.m.rotationKeys).Elem())
	}
	f.add(reflect.ValueOf(&f.m.surfaceKeys).Elem())
	return f
}

// add adds the keys of a struct and of structs embedded in it.
func (f *fields[M]) add(v reflect.Value) {
	for field, value := range v.Fields() {
		if field.Anonymous {
			f.add(value)
			continue
		}
		switch x := value.Addr().Interface().(type) {
		case *any:
			f.addKey(field.Tag.Get("toml"), x)
		case *[kindCount]any:
			for k := range kindCount {
				f.addKey(k.String(), &x[k])
			}
		}
	}
}

func (f *fields[M]) addKey(key string, value *any) {
	f.keys, f.values = append(f.keys, key), append(f.values, value)
}

// fill returns an M with the values of a TOML table, and reports unknown keys. A nil v counts as an
// empty table. If v is not a table, fill reports an error and returns false.
func (f fields[M]) fill(t table, v any) (m M, ok bool) {
	if v == nil {
		return m, true
	}
	if t.isBroken() {
		t.report.errors++ // so that the table, and the tables around it, count as invalid
	}
	values, ok := v.(map[string]any)
	if !ok {
		t.wrong("", CodeWrongType, "must be a table")
		return m, false
	}
	known := 0
	for i, key := range f.keys {
		value, ok := values[key]
		if ok {
			known++
		}
		*f.values[i] = value
	}
	if known < len(values) {
		for _, key := range slices.Sorted(maps.Keys(values)) {
			if !slices.Contains(f.keys, key) {
				t.unknown(key, values, f.keys)
			}
		}
	}
	return *f.m, true
}
