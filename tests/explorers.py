"""The explorers on our own functions, and the states that their controls can be in."""

from hypothesis import strategies as st

from helpers.teach import solutions

# What each explorer is handed in its notebook, in this order.
TAKES = {
    "positions": ["equivariance_gap", "multihead", "sinusoids", "relative_bias", "attention_with_bias"],
    "scaling": ["scaled_scores", "entropy_cols"],
    "single_head": ["attention_weights"],
    "transformer_layer": ["multihead", "layer_norm", "mlp"],
    "two_heads": ["head_output"],
    "concatenation": ["two_heads", "stack_heads", "head_contributions"],
}

# What more it takes once an optional exercise is done.
OPTIONAL = {"positions": "rope", "scaling": "softmax_jacobian", "transformer_layer": "pre_norm_layer"}


def whole(name, **changed):
    """Return an explorer on our functions, that of its optional exercise among them, some of them changed."""
    return built(name, **{OPTIONAL[name]: solutions.function(OPTIONAL[name])} | changed)


def built(name, **changed):
    """Return an explorer on our functions, some of them changed."""
    from helpers import explore  # asked for here: most tests need no widgets

    functions = {function: solutions.function(function) for function in TAKES[name]} | changed
    return getattr(explore, name)(*functions.values())


def states(explorer):
    """Return a strategy for all states that the controls of an explorer can be in."""
    return st.fixed_dictionaries(
        {name: st.sampled_from(values(control)) for name, control in explorer.controls.items()}
    )


def values(control):
    """Return all values that a control can take, in their order."""
    if hasattr(control, "options"):
        return [value for _, value in control.options]
    if isinstance(control.value, bool):
        return [False, True]
    return [control.min + k * control.step for k in range(round((control.max - control.min) / control.step) + 1)]
