package suite

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pillbox/golden"
	"pillbox/internal/fixture"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/osfile"
	"pillbox/scene"
)

// reportProject creates a project with a scene for each verdict except "missing", and returns the report.
func reportProject(t *testing.T) string {
	t.Helper()
	project(t)
	fixture.Write(t, "scenes/tinted.toml", fixture.Pills)
	acceptAll(t)
	fixture.Edit(t, "scenes/pills.toml", "a = [-1, 0.5, 0]", "a = [-0.9, 0.5, 0]")
	fixture.Edit(t, "scenes/second.toml", "width = 40", "width = 41")
	fixture.Write(t, "scenes/broken.toml", "[[sphere]]\nname = \"ball\"\ncenter = [0, 0, 0]\nradius = -1\n\n[material.idle]\ncolor = \"red\"\n")
	fixture.Write(t, "scenes/later.toml", `# <script>alert("x")</script>`+fixture.Ball)
	fixture.Edit(t, "scenes/tinted.toml", "#d1495b", "#d2495b")
	fixture.Write(t, "golden/tinted.golden.toml", "reason = \"<b>tints</b> & hues\"\ntolerance = { max_channel = 2 }\n")
	writePicture(t, "golden/zombie.png", image.NewNRGBA(image.Rect(0, 0, 5, 4)))
	before := fixture.Snapshot(t)
	page := htmlReport(t)
	wantSnapshot(t, "MakeReport", before)
	fixture.Write(t, "report.html", page)
	return page
}

func htmlReport(t *testing.T) string {
	t.Helper()
	refs, err := Find(Options{})
	if err != nil {
		t.Fatal(err)
	}
	report, err := MakeReport(t.Context(), Options{}, refs, func(r *Reference) string { return "accept " + r.Argument() })
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := report.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestReport(t *testing.T) {
	page := reportProject(t)
	text := html.UnescapeString(page)
	var names []string
	for _, m := range regexp.MustCompile(`<h2>(.*?)</h2>`).FindAllStringSubmatch(page, -1) {
		names = append(names, m[1])
	}
	if got, want := strings.Join(names, " "), "broken pills second later zombie tinted"; got != want {
		t.Errorf("the page shows %s, want %s", got, want)
	}
	for _, want := range []string{
		"broken.toml:4:10: sphere[0].radius: must be positive and finite, got -1",
		`capsule[0].a[0] of "arm", -1 to -0.9: `,
		"FLIP, mean", "FLIP, 99th percentile", "FLIP, maximum", "largest channel difference",
		"41 x 30, want 40 x 30",
		"accept pills", "accept later", "accept zombie",
		"<b>tints</b> & hues",
		`<li data-rgb=`, `capsule "arm"</li>`,
		"1 identical:</span> ball",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, "<b>tints") {
		t.Error("text became markup")
	}
	if strings.Contains(page, "http:") || strings.Contains(page, "https:") || strings.Contains(page, "ZgotmplZ") {
		t.Error("the page refers to the network, or its template to what it must not")
	}
	sizes := make(map[image.Point]int)
	for _, m := range regexp.MustCompile(`src="data:image/png;base64,([^"]*)"`).FindAllStringSubmatch(page, -1) {
		sizes[decodePNG(t, html.UnescapeString(m[1])).Bounds().Size()]++
	}
	// Scenes pills and tinted each have want, got, changes and two maps; second has want and got; later has got.
	if sizes[image.Pt(48, 36)] != 10 || sizes[image.Pt(41, 30)] != 1 || sizes[image.Pt(40, 30)] != 2 || sizes[image.Pt(5, 4)] != 1 {
		t.Errorf("the page holds pictures of %v", sizes)
	}
}

// TestClustersOf checks that clusters of one pixel are summarized in one line below the table.
func TestClustersOf(t *testing.T) {
	cluster := func(pixels, largest int) golden.Cluster {
		return golden.Cluster{Pixels: pixels, Max: largest, MaxAt: image.Pt(largest, 1)}
	}
	many := slices.Repeat([]golden.Cluster{cluster(2, 3)}, 15)
	for _, test := range []struct {
		clusters []golden.Cluster
		shown    int
		rest     string
	}{
		{nil, 0, ""},
		{[]golden.Cluster{cluster(5, 9), cluster(1, 7)}, 2, ""},
		{[]golden.Cluster{cluster(5, 9), cluster(1, 7), cluster(1, 8), cluster(1, 2)}, 1, "and 3 single pixels, largest difference 8 at (8, 1)"},
		{many, 12, "and 3 smaller clusters"},
		{append(many, cluster(1, 1), cluster(1, 1)), 12, "and 3 smaller clusters, and 2 single pixels, largest difference 1 at (1, 1)"},
	} {
		shown, rest := clustersOf(&Result{Diff: golden.Diff{Clusters: test.clusters}})
		if len(shown) != test.shown || rest != test.rest {
			t.Errorf("%d clusters: %d and %q, want %d and %q", len(test.clusters), len(shown), rest, test.shown, test.rest)
		}
	}
}

// TestNewReportItemFails checks that a report shows the error in place of an item that cannot be drawn.
func TestNewReportItemFails(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 2, 2))
	r := &Result{
		Reference: Reference{Name: "a"},
		Verdict:   Changed,
		Got:       img, Want: img,
		Diff:    golden.Diff{Got: image.Pt(2, 2), Want: image.Pt(2, 2)},
		present: &scene.Scene{}, // has no camera, so its objects cannot be mapped
	}
	item := newReportItem(t.Context(), r, func(*Reference) string { return "accept a" })
	if item.Verdict != Failed || item.Class != classOf(Failed) || item.Accept != "" || item.Why != "" || item.Detail != r.Err.Error() {
		t.Errorf("a failed item: %+v", item)
	}
}

func TestReportOfNothing(t *testing.T) {
	project(t)
	if page := htmlReport(t); !strings.Contains(page, "Every scene gives the accepted picture.") || strings.Contains(page, "<article") {
		t.Errorf("%d bytes without what was wanted", len(page))
	}
}

// TestReportInBrowser opens the report from a file, without a network, and presses its keys. The test controls the
// clock that makes pictures blink.
func TestReportInBrowser(t *testing.T) {
	if !effort.IsAll() {
		t.Skip("needs -effort all: it starts a browser")
	}
	browser := chromium(t)
	page := reportProject(t)
	const script = `<script>
addEventListener("load", () => {
	const said = [];
	const say = (what, value) => said.push(what + " " + value);
	const press = key => dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
	const current = () => document.querySelector("article.current h2").textContent;
	const pills = document.querySelectorAll("article")[1];
	const shown = () => [...pills.querySelectorAll("figure")].filter(f => getComputedStyle(f).display !== "none" && getComputedStyle(f).visibility !== "hidden").map(f => f.className).join("+");
	say("pictures", [...document.images].filter(i => i.complete && i.naturalWidth > 0).length);
	say("first", current());
	press("p"); say("before", current());
	press("n"); say("next", current());
	const widths = new Set();
	for (const view of ["w", "s", "b", "d", "o"]) {
		press(view);
		for (const f of pills.querySelectorAll("figure")) if (getComputedStyle(f).display !== "none") widths.add(f.querySelector(".frame").getBoundingClientRect().width);
	}
	say("sizes", widths.size);
	press("w"); say("side", shown());
	press("d"); say("difference", shown());
	press("o"); say("objects", shown());
	const map = pills.querySelector("figure.objects"), r = map.querySelector("img").getBoundingClientRect();
	map.dispatchEvent(new MouseEvent("mousemove", {clientX: r.left + r.width * 24.5 / 48, clientY: r.top + r.height * 18.5 / 36}));
	say("under the mouse", map.querySelector("output").textContent);
	press("s"); say("slider", shown());
	press("b"); say("blink", shown());
	tick(); say("blinked", shown());
	press(" "); tick(); say("paused", shown());
	press(" "); tick(); say("resumed", shown());
	const button = pills.querySelector("button[data-view=blink]");
	say("Space is left to a button", button.dispatchEvent(new KeyboardEvent("keydown", {key: " ", bubbles: true, cancelable: true})));
	press("b"); say("blink off", pills.dataset.view);
	press("z"); say("zoomed", getComputedStyle(pills.querySelector(".pan")).transform !== "matrix(1, 0, 0, 1, 0, 0)");
	press("z"); say("whole", getComputedStyle(pills.querySelector(".pan")).transform === "matrix(1, 0, 0, 1, 0, 0)");
	const light = getComputedStyle(document.body).backgroundColor;
	press("t"); say("other theme", getComputedStyle(document.body).backgroundColor !== light);
	for (let i = 0; i < 9; i++) press("n");
	say("last", current());
	document.body.innerHTML = "<pre>" + said.join("\n") + "</pre>";
});
</script>`
	const want = `pictures 14
first broken
before broken
next pills
sizes 1
side want+got
difference changes
objects objects+objects
under the mouse (24, 18) capsule "arm"
slider want+got
blink want
blinked got
paused got
resumed want
Space is left to a button true
blink off side
zoomed true
whole true
other theme true
last tinted`
	const clock = `<script>let tick; setInterval = f => { tick = f; };</script>`
	fixture.Write(t, "driven.html", clock+page+script)
	// In a high window, several items begin above its middle.
	out, err := browse(t, browser, "driven.html", "--dump-dom", "--window-size=1200,1600")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	_, got, _ := strings.Cut(out, "<pre>")
	got, _, _ = strings.Cut(got, "</pre>")
	if got := html.UnescapeString(got); got != want {
		t.Errorf("the page says\n%s\nwant\n%s", got, want)
	}
}

// TestReportThemes takes a screenshot of the report in each color scheme, and checks that the background is dark
// or light as the scheme requires.
func TestReportThemes(t *testing.T) {
	if !effort.IsAll() {
		t.Skip("needs -effort all: it starts a browser")
	}
	browser := chromium(t)
	reportProject(t)
	for scheme, wantDark := range map[string]bool{"0": true, "1": false} {
		out, err := browse(t, browser, "report.html", "--screenshot=shot.png", "--hide-scrollbars",
			"--window-size=1200,1600", "--blink-settings=preferredColorScheme="+scheme)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		img, err := osfile.ReadPNG("shot.png")
		if err != nil || img.Bounds().Dx() != 1200 {
			t.Fatalf("the picture is %v, %v", img, err)
		}
		paper := color.GrayModel.Convert(img.At(3, 1500)).(color.Gray)
		if dark := paper.Y < 0x40; dark != wantDark {
			t.Errorf("the paper is %v in scheme %s", paper, scheme)
		}
	}
}

// browse opens the named file in the headless browser, and returns what the browser prints.
func browse(t *testing.T, browser, name string, args ...string) (string, error) {
	t.Helper()
	path, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), browser, slices.Concat([]string{
		"--headless", "--disable-gpu",
		"--no-sandbox", // the browser's sandbox does not work in containers
		"--host-resolver-rules=MAP * ~NOTFOUND",
		"--proxy-server=127.0.0.1:9",
		"--virtual-time-budget=2000",
		"--user-data-dir=" + t.TempDir(),
	}, args, []string{"file://" + filepath.ToSlash(path)})...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, stderr.String())
	}
	return string(out), err
}

// chromium returns the path of a browser that can run headless.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "headless-shell"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("needs chromium or google-chrome")
	return ""
}

func decodePNG(t *testing.T, data string) image.Image {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return img
}
