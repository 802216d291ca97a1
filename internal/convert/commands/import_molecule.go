package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"pillbox/convert"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/convert/selection"
	"pillbox/internal/text"
)

// moleculeFlags adds the flags for molecules.
func (c *importing) moleculeFlags(cmd *cobra.Command) {
	flags, m := cmd.Flags(), &c.opt.Molecule
	flags.Var(cli.Text(&m.Select, "ATOMS"), "select", "show only these atoms of a molecule, such as 'chain A and not water'")
	flags.Var(cli.Text(&m.Assembly, "NAME"), "assembly", "show this biological assembly, or list all of the file (list)")
	flags.Var(cli.Word(&c.style, "", styles), "style", "how to show a molecule (default: spacefill)")
	flags.Var(cli.Word(&c.color, "", colorings), "color", "color atoms by this property (default: element; for tubes, chain)")
	flags.Var(cli.Int(&m.Model, 1, math.MaxInt32), "model", "show this model, frame or record of the file, from 1")
	flags.BoolVar(&m.NoWater, "no-water", false, "skip water")
	flags.BoolVar(&m.NoHydrogens, "no-hydrogens", false, "skip hydrogen")
	flags.Var(cli.List(&c.labels, "chain,ligand", parseLabel), "label", "label the chains or the ligands of a molecule, or both")
	flags.Var(cli.Word(&c.look, "", looks), "look", "light and background of a molecule's picture (default: plain)")
	flags.BoolVar(&m.Cell, "cell", false, "show the edges of a crystal's unit cell")
	flags.BoolVar(&m.FillCell, "fill-cell", false, "show all symmetry images of the atoms in the unit cell")
}

// styles and colorings are the values of flags for convert.Style and convert.Coloring, in the order of
// their constants. "spheres", the last style, means the same as "spacefill", the first. looks contains the
// values of --look.
var (
	styles    = []string{"spacefill", "sticks", "balls-and-sticks", "tube", "spheres"}
	colorings = []string{"element", "chain", "residue", "bfactor", "position"}
	looks     = []string{"plain", "print"}
)

// setMolecule sets the options for molecules from the values of the flags.
func (c *importing) setMolecule() error {
	m := &c.opt.Molecule
	if c.cmd.Flags().Changed("select") {
		if _, err := selection.Parse(m.Select); err != nil {
			return cli.Misuse(c.cmd, "--select: %v", err)
		}
	}
	m.Style = convert.Style(max(0, slices.Index(styles, c.style)) % (len(styles) - 1))
	m.Color = convert.Coloring(max(0, slices.Index(colorings, c.color)))
	m.NameChains, m.NameLigands = slices.Contains(c.labels, "chain"), slices.Contains(c.labels, "ligand")
	m.Print = c.look == "print"
	if m.Style == convert.Tube && c.color == "" {
		m.Color = convert.ByChain
	}
	return nil
}

func parseLabel(s string) (string, error) {
	if s != "chain" && s != "ligand" {
		return "", errors.New("must be chain, ligand or chain,ligand")
	}
	return s, nil
}

// listAssemblies is the value of --assembly that lists all assemblies instead of importing one.
const listAssemblies = "list"

// printAssemblies prints the biological assemblies of the file.
func (c *importing) printAssemblies(ctx context.Context, format convert.Format) error {
	list, err := importFile(ctx, c, func(src convert.Source) ([]convert.Assembly, error) { return format.Assemblies(src, c.opt) })
	if err != nil {
		return c.problemsOf(err)
	}
	return c.WriteOutput(ctx, command.Standard, func(w io.Writer) error {
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "ASSEMBLY\tCOPIES\tATOMS\tCHAINS\tDETAILS")
		for _, a := range list {
			fmt.Fprintf(table, "%s\t%d\t%d\t%s\t%s\n", text.Escape(a.Name), a.Copies, a.Atoms, chainList(a.Units), text.Escape(a.Details))
		}
		return table.Flush()
	})
}

// chainList returns the names of chains, shortened if there are many.
func chainList(names []string) string {
	const most = 12
	if n := len(names); n > most {
		names = append(names[:most:most], fmt.Sprintf("and %d more", n-most))
	}
	return text.Escape(strings.Join(names, " "))
}
