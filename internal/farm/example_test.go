package farm_test

import (
	"bytes"
	"context"
	"fmt"

	"pillbox"
	"pillbox/internal/farm"
	"pillbox/scene"
)

// ExampleAssemble assembles a picture from shards that two machines have rendered.
func ExampleAssemble() {
	text := []byte("image = { width = 80, height = 60 }\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n")
	s, err := scene.Decode("ball.toml", text)
	if err != nil {
		fmt.Println(err)
		return
	}
	source := farm.Source{Data: text}
	shot, err := farm.NewShot(s, pillbox.Options{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	shots := []farm.Shot{shot}
	var files []farm.File
	for i := range 2 {
		var file bytes.Buffer
		shard := farm.Shard{Plan: farm.Plan{Scene: source.Hash(), Shots: shots, Cell: farm.ShardCell(shots, 2)}, Index: i, Count: 2}
		if err := farm.WriteShard(context.Background(), &file, &shard, s, farm.ShardOptions{}); err != nil {
			fmt.Println(err)
			return
		}
		files = append(files, farm.File{Name: fmt.Sprint(i), ReaderAt: bytes.NewReader(file.Bytes()), Size: int64(file.Len())})
	}
	whole, err := farm.Assemble(files)
	if err != nil {
		fmt.Println(err)
		return
	}
	got, err := whole.Picture(context.Background(), 0, pillbox.Options{})
	want, _ := pillbox.Render(context.Background(), s, pillbox.Options{})
	fmt.Println(pillbox.Hash(got.Image) == pillbox.Hash(want.Image), err)
	// Output: true <nil>
}
