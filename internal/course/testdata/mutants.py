"""Runs mutants of the course's Python solution: programs that differ from it in one place.

    mutants.py SOLUTION STAGE EXAMS POOL EVERY

EXAMS is a file of questions, JSON Lines, with a blank line after each exam. POOL holds more questions
that the protocol allows. Every mutant of a function that the stage uses answers the exams, until it passes one.
Each answer that differs from the solution's is written as [mutant, exam, id, answer], and the reply, a line, is
"wrong" or "right". A mutant that passes an exam answers the pool, too, which is exam -1. The result of each mutant
is one line, [mutant, {...}]. EVERY is 1 for all mutants, n for each n-th.

Python 3.9 or later on any system; no module that only Unix has.
"""
import ast
import copy
import json
import math
import struct
import sys


# Helpers that mutants call.

def f32(x):
    """Rounds to 32 bits, also within lists and tuples."""
    if isinstance(x, (tuple, list)):
        return tuple(map(f32, x))
    return struct.unpack("f", struct.pack("f", x))[0]


def snap(x):
    """Rounds to nine decimals."""
    if isinstance(x, (tuple, list)):
        return tuple(map(snap, x))
    return round(x, 9)


def isqrt(x):
    """Returns the integer part of a square root."""
    return math.isqrt(x)


HELPERS = {"f32": f32, "snap": snap, "isqrt": isqrt}

# Mutations of expressions: each yields replacements of one node.

COMPARISONS = [ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq]
EPSILONS = [1e-3, 1e-6, 1e-9, 1e-12]


def number(x):
    return ast.UnaryOp(ast.USub(), ast.Constant(-x)) if x < 0 else ast.Constant(x)


def call(name, *args):
    return ast.Call(ast.Name(name, ast.Load()), list(args), [])


def attribute(name, *args):
    return ast.Call(ast.Attribute(ast.Name("math", ast.Load()), name, ast.Load()), list(args), [])


def binary(a, op, b):
    return ast.BinOp(a, op, b)


def is_number(node):
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def is_text(node):
    return isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, str))


def of_compare(node):
    yield ast.Constant(True)
    yield ast.Constant(False)
    sides = [node.left] + node.comparators
    for i, op in enumerate(node.ops):
        if isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)):
            flipped = {ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In}[type(op)]()
            yield ast.Compare(node.left, node.ops[:i] + [flipped] + node.ops[i + 1:], node.comparators)
            continue
        for other in COMPARISONS:
            if not isinstance(op, other):
                yield ast.Compare(node.left, node.ops[:i] + [other()] + node.ops[i + 1:], node.comparators)
        if len(node.ops) > 1:
            yield ast.Compare(sides[i], [op], [sides[i + 1]])
        if is_text(sides[i]) or is_text(sides[i + 1]):
            continue
        for eps in EPSILONS:
            for sign in (ast.Add(), ast.Sub()):
                moved = list(node.comparators)
                moved[i] = binary(moved[i], sign, ast.Constant(eps))
                yield ast.Compare(node.left, node.ops, moved)
        for factor in (1 + 1e-6, 1 - 1e-6, 1 + 1e-9, 1 - 1e-9):
            moved = list(node.comparators)
            moved[i] = binary(moved[i], ast.Mult(), ast.Constant(factor))
            yield ast.Compare(node.left, node.ops, moved)


def of_bool(node):
    yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    for v in node.values:
        yield v


def factors(node):
    """Returns the factors of a product."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return factors(node.left) + factors(node.right)
    return [node]


def product(nodes):
    out = nodes[0]
    for n in nodes[1:]:
        out = binary(out, ast.Mult(), n)
    return out


def of_difference(node):
    """Comparisons that divide, take roots, or compute with floats."""
    a, b = node.left, node.right
    yield binary(b, ast.Sub(), a)
    yield binary(call("float", a), ast.Sub(), call("float", b))
    yield binary(attribute("sqrt", a), ast.Sub(), attribute("sqrt", b))
    yield binary(call("isqrt", a), ast.Sub(), call("isqrt", b))
    all_ = factors(b)
    for i in range(len(all_)):
        rest = all_[:i] + all_[i + 1:]
        if not rest:
            continue
        yield binary(binary(a, ast.FloorDiv(), all_[i]), ast.Sub(), product(rest))
        yield binary(binary(a, ast.Div(), all_[i]), ast.Sub(), product(rest))
        yield binary(call("round", binary(a, ast.Div(), all_[i])), ast.Sub(), product(rest))
        yield binary(attribute("sqrt", binary(a, ast.Div(), all_[i])), ast.Sub(), attribute("sqrt", product(rest)))


def of_binary(node):
    a, b = node.left, node.right
    swaps = {ast.Add: [ast.Sub, ast.Mult], ast.Sub: [ast.Add], ast.Mult: [ast.Div, ast.Add, ast.FloorDiv], ast.Div: [ast.Mult, ast.FloorDiv], ast.Pow: [ast.Mult]}
    for other in swaps.get(type(node.op), []):
        yield binary(a, other(), b)
    yield a
    yield b
    if isinstance(node.op, ast.Div):
        yield binary(b, ast.Div(), a)
    if isinstance(node.op, ast.Sub):
        yield from of_difference(node)
    if isinstance(node.op, (ast.Mult, ast.Pow)):
        yield binary(call("float", a), node.op, b)
    yield from of_value(node)


def of_value(node):
    """Changed values of a computation."""
    yield ast.UnaryOp(ast.USub(), node)
    yield call("abs", node)
    yield call("f32", node)
    yield call("snap", node)


def of_unary(node):
    yield node.operand


def of_constant(node):
    x = node.value
    if isinstance(x, bool):
        yield ast.Constant(not x)
    elif isinstance(x, int):
        for y in sorted({0, 1, 2, x + 1, x - 1, -x} - {x}):
            yield number(y)
    elif isinstance(x, float):
        for y in (0.0, x * 1.001, x * 0.999, x * 1.1, x / 1.1, 2 * x, x / 2, x * 1e3, x / 1e3, x * 1e12):
            yield number(y)


def of_call(node):
    args = node.args
    for i in range(len(args) - 1):
        yield ast.Call(node.func, args[:i] + [args[i + 1], args[i]] + args[i + 2:], node.keywords)
    for a in args:
        if not isinstance(a, ast.Starred):
            yield a
    if isinstance(node.func, ast.Name):
        for name in {"max": ["min"], "min": ["max"], "add": ["sub"], "sub": ["add"], "dot": ["cross"], "int": ["round", "math.ceil"]}.get(node.func.id, []):
            yield ast.Call(ast.parse(name, mode="eval").body, args, node.keywords)
    yield from of_value(node)


def of_choice(node):
    yield node.body
    yield node.orelse


def of_list(node):
    for i in range(len(node.elts)):
        yield type(node)(node.elts[:i] + node.elts[i + 1:], node.ctx)
        if i > 0:
            yield type(node)(node.elts[:i - 1] + [node.elts[i], node.elts[i - 1]] + node.elts[i + 1:], node.ctx)


def of_statement(node):
    yield ast.Pass()
    if isinstance(node, ast.AugAssign):
        other = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
        yield ast.AugAssign(node.target, other, node.value)
    if isinstance(node, ast.If):
        yield ast.If(ast.Constant(True), node.body, node.orelse)
        yield ast.If(ast.Constant(False), node.body, node.orelse)


MUTATIONS = {
    ast.Compare: of_compare, ast.BoolOp: of_bool, ast.BinOp: of_binary, ast.UnaryOp: of_unary,
    ast.Constant: of_constant, ast.Call: of_call, ast.IfExp: of_choice, ast.Tuple: of_list, ast.List: of_list,
    ast.Assign: of_statement, ast.AugAssign: of_statement, ast.Expr: of_statement, ast.If: of_statement,
    ast.Continue: of_statement, ast.Return: of_statement,
}


def places(root):
    """Yields every node below root, and a function that replaces it."""
    for parent in ast.walk(root):
        for field, value in ast.iter_fields(parent):
            if isinstance(value, ast.AST):
                yield value, parent, field, None
            elif isinstance(value, list):
                for i, v in enumerate(value):
                    if isinstance(v, ast.AST):
                        yield v, parent, field, i


def put(parent, field, i, node):
    if i is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[i] = node


def stored(node):
    """Reports whether a node is the target of an assignment, or a string."""
    return isinstance(getattr(node, "ctx", None), ast.Store) or is_text(node) or (isinstance(node, ast.Expr) and is_text(node.value))


def mutants(definition):
    """Yields the mutants of a function or class, each with a description."""
    for node, parent, field, i in list(places(definition)):
        if stored(node) or type(node) not in MUTATIONS:
            continue
        before = ast.unparse(node).split("\n")[0]
        seen = {ast.unparse(node)}
        for new in MUTATIONS[type(node)](node):
            if ast.unparse(new) in seen:
                continue
            seen.add(ast.unparse(new))
            new = ast.fix_missing_locations(ast.copy_location(copy.deepcopy(new), node))
            put(parent, field, i, new)
            yield "line %d: %s -> %s" % (node.lineno, before, ast.unparse(new).split("\n")[0])
            put(parent, field, i, node)


class Solution:
    def __init__(self, path, stage):
        with open(path, encoding="utf-8") as f:
            tree = ast.parse(f.read())
        tree.body = [s for s in tree.body if ast.unparse(s) != "main()"]
        self.names = {"__name__": "solution", **HELPERS}
        exec(compile(tree, path, "exec"), self.names)
        self.original = dict(self.names)
        self.definitions = [d for d in tree.body if isinstance(d, (ast.FunctionDef, ast.ClassDef)) and d.name != "main"]
        self.stage = stage

    def answer(self, q):
        if self.stage in ("sphere", "box", "capsule", "cylinder"):
            return self.names["answer_line"](q, self.stage)
        return self.names["answer_" + self.stage](q)

    def used(self, q):
        """Returns the definitions that a question runs."""
        lines = set()

        def trace(frame, event, _):
            if event == "call" and frame.f_globals is self.names:
                lines.add(frame.f_code.co_firstlineno)

        sys.setprofile(trace)
        self.answer(q)
        sys.setprofile(None)
        return [d for d in self.definitions if any(d.lineno <= n <= d.end_lineno for n in lines)]


class Questions:
    """Questions with the right answers. run lists, for each definition of the solution, the questions that use it.
    The questions on which a mutant failed most recently come first."""

    def __init__(self, solution, lines):
        self.all = [json.loads(line) for line in lines]
        self.right = [solution.answer(q) for q in self.all]
        self.run = {d: [] for d in solution.definitions}
        for i, q in enumerate(self.all):
            for d in solution.used(q):
                self.run[d].append(i)


class Search:
    def __init__(self, solution, exams, pool, every):
        self.solution, self.every = solution, every
        self.exams = [Questions(solution, exam) for exam in exams]
        self.pool = Questions(solution, pool)

    def judge(self, *record):
        print(json.dumps(record), flush=True)
        return sys.stdin.readline().strip() == "wrong"

    def failure(self, d, name, exam, questions):
        """Returns the number of a question on which a mutant of the definition d fails, and its answer; None if it passes."""
        for place, i in enumerate(questions.run[d]):
            q = questions.all[i]
            try:
                given = self.solution.answer(q)
                failed = given != questions.right[i] and self.judge(name, exam, q["id"] if exam >= 0 else i, json.dumps(given))
            except Exception as e:
                given, failed = repr(e), True
            if failed:
                questions.run[d].insert(0, questions.run[d].pop(place))
                return i, given
        return None

    def test(self, d, name):
        """Writes the result of a mutant: the first exam that it passes, and where it differs if it passes one."""
        result = {"passed": [], "differs": ""}
        for k, exam in enumerate(self.exams):
            if self.failure(d, name, k, exam) is None:
                result["passed"] = [k]
                where = self.failure(d, name, -1, self.pool)
                if where is not None:
                    result["differs"] = "%s %s" % (json.dumps(self.pool.all[where[0]]), where[1])
                break
        print(json.dumps([name, result]), flush=True)

    def mutants(self):
        for d in self.solution.definitions:
            if any(q.run[d] for q in [*self.exams, self.pool]):
                for name in mutants(d):
                    if self.solution.stage == "overlap" or " float(" not in name:  # elsewhere all numbers are floats
                        yield d, name
                self.solution.names[d.name] = self.solution.original[d.name]

    def run(self):
        for count, (d, name) in enumerate(self.mutants(), 1):
            if count % self.every:
                continue
            try:
                exec(compile(ast.Module([d], []), "mutant", "exec"), self.solution.names)
            except (SyntaxError, ValueError):
                continue
            self.test(d, d.name + ", " + name)


def main():
    path, stage, exams, pool, every = sys.argv[1:]
    with open(exams, encoding="utf-8") as f:
        exams = [part.splitlines() for part in f.read().split("\n\n") if part.strip()]
    with open(pool, encoding="utf-8") as f:
        pool = f.read().splitlines()
    Search(Solution(path, stage), exams, pool, int(every)).run()


main()
