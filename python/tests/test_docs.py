"""Every public name is documented, with an example that runs."""

import doctest
import importlib
import pkgutil

import pytest

import pillbox

MODULES = [m.name for m in pkgutil.iter_modules(pillbox.__path__, "pillbox.")]


@pytest.mark.filterwarnings("ignore::pillbox.SceneWarning")
@pytest.mark.parametrize("name", MODULES)
def test_doctests(name):
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


@pytest.mark.parametrize("name", pillbox.__all__)
def test_public_names_have_examples(name):
    thing = getattr(pillbox, name)
    assert ">>>" in (thing.__doc__ or ""), name


def test_public_methods_are_documented():
    for name in pillbox.__all__:
        thing = getattr(pillbox, name)
        for member, value in vars(thing).items() if isinstance(thing, type) else ():
            if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                assert value.__doc__, f"{name}.{member}"
