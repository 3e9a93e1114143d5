"""Sizes that vary: arithmetic of symbols, such as "2*s0 + 1", read without ever running it as code."""
import ast
import operator


def bounded(number):
    if not isinstance(number, int) or abs(number) >= 1 << 63:
        raise ValueError("it is no number of 64 bits")
    return number


def power(base, exponent):
    if exponent < 0 or (abs(base) > 1 and exponent > 63):
        raise ValueError("it is no number of 64 bits")
    return base ** (exponent if abs(base) > 1 else min(exponent, 2 + exponent % 2))


OPERATIONS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
              ast.Mod: operator.mod, ast.Pow: power}
FUNCTIONS = {"Max": max, "Min": min, "CeilDiv": lambda a, b: -(-a // b), "PythonMod": operator.mod}


def parsed(size):
    try:
        return ast.parse(size, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as failure:
        raise no_size(size, failure) from None


def no_size(size, failure):
    return ValueError("manifest.json: the size %.100r cannot be worked out (%.80s)" % (size, failure))


def symbols_in(sizes):
    trees = [parsed(size) for size in sizes or [] if isinstance(size, str)]
    return {node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name)}


def size_of(size, symbols):
    """A number, or an expression of symbols such as 2*s0 + 1; symbols without a value are 2."""
    if isinstance(size, int):
        return size

    def value(node):
        if isinstance(node, ast.Constant):
            return bounded(node.value)
        if isinstance(node, ast.Name):
            return 2 if symbols[node.id] is None else symbols[node.id]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -value(node.operand)
        if isinstance(node, ast.BinOp):
            return bounded(OPERATIONS[type(node.op)](value(node.left), value(node.right)))
        if isinstance(node, ast.Call) and node.func.id == "opaque":  # as text, and the number it was at the export
            return value(node.args[1])
        if isinstance(node, ast.Call):
            return bounded(FUNCTIONS[node.func.id](*map(value, node.args)))
        raise ValueError("it is no arithmetic")
    try:
        return value(parsed(size))
    except (ValueError, LookupError, ArithmeticError, AttributeError, TypeError, RecursionError, MemoryError) as failure:
        raise no_size(size, failure) from None
