"""Compare our attention and layers with PyTorch's, in double precision. It fails where they differ by 1e-12 or more.

Run by hand, in an environment that has both; no test imports this file, and the project does not depend on torch:

    python -m pip install torch
    python tests/solutions/compare_with_pytorch.py
"""

from typing import Any

import numpy as np
import torch

from helpers.examples.example import draw_layer, seeded_layer, six_tokens
from helpers.parameters import Layer
from helpers.teach import solutions

LIMIT = 1e-12  # of the largest magnitude; double precision alone gives about 1e-15
torch.set_default_dtype(torch.float64)


def tensor(array: Any) -> torch.Tensor:
    """Return an array as a tensor; a column becomes flat, as PyTorch keeps its biases."""
    array = np.asarray(array)
    return torch.tensor(array[:, 0] if array.shape[1:] == (1,) else array)


def fill(attention: torch.nn.MultiheadAttention, layer: Layer) -> None:
    """Put the heads' parameters and omega_c into PyTorch's attention: q of all heads, then k, then v."""
    parts = {kind: [getattr(head, f"{kind}_{letter}") for letter in "qkv" for head in layer.heads] for kind in KINDS}
    with torch.no_grad():
        attention.in_proj_weight.copy_(tensor(np.concatenate(parts["omega"])))  # (3 D, D)
        attention.in_proj_bias.copy_(tensor(np.concatenate(parts["beta"])))  # (3 D,)
        attention.out_proj.weight.copy_(tensor(layer.omega_c))
        attention.out_proj.bias.zero_()  # omega_c has no bias here


KINDS = ("omega", "beta")
# PyTorch's names of the other parts: those of the table at the end of notebook 6.
NAMES = {
    "gamma1": "norm1.weight",
    "delta1": "norm1.bias",
    "W1": "linear1.weight",
    "b1": "linear1.bias",
    "W2": "linear2.weight",
    "b2": "linear2.bias",
    "gamma2": "norm2.weight",
    "delta2": "norm2.bias",
}


def their_attention(layer: Layer) -> torch.nn.MultiheadAttention:
    """Return PyTorch's multi-head attention with our parameters."""
    theirs = torch.nn.MultiheadAttention(layer.omega_c.shape[0], len(layer.heads), batch_first=True)
    fill(theirs, layer)
    return theirs


def their_layer(layer: Layer, *, norm_first: bool = False) -> torch.nn.TransformerEncoderLayer:
    """Return PyTorch's encoder layer with our parameters."""
    sizes = layer.omega_c.shape[0], len(layer.heads), layer.W1.shape[0]
    theirs = torch.nn.TransformerEncoderLayer(
        *sizes, dropout=0.0, activation="relu", batch_first=True, norm_first=norm_first
    )
    fill(theirs.self_attn, layer)
    with torch.no_grad():
        for ours, name in NAMES.items():
            theirs.get_parameter(name).copy_(tensor(getattr(layer, ours)))
    return theirs


def report(what: str, X: np.ndarray, ours: np.ndarray, *theirs: torch.nn.Module) -> None:
    """Run PyTorch's modules one after the other on the tokens as rows; print the largest difference, or fail."""
    rows = tensor(X.T)[None]  # (1, N, D)
    for module in theirs:
        rows = module(rows, rows, rows)[0] if isinstance(module, torch.nn.MultiheadAttention) else module(rows)
    difference = np.abs(rows.detach().numpy()[0].T - ours).max() / np.abs(ours).max()
    print(f"{what:<62} {difference:.1e} of the largest number")
    if not difference < LIMIT:
        raise SystemExit(f"expected less than {LIMIT:g}.")


def main() -> None:
    """Compare on drawn layers of 2 and 3 heads, on the seeded layer of notebook 6, and on three layers in a row."""
    multihead, transformer_layer, pre_norm_layer, stack = (
        solutions.function(name) for name in ("multihead", "transformer_layer", "pre_norm_layer", "stack")
    )
    rng = np.random.RandomState(40)
    cases = [
        (f"D = {D}, H = {H}", rng.normal(size=(D, 5)), draw_layer(rng, D, H, D_m=7)) for D, H in ((10, 2), (12, 3))
    ]
    for label, X, layer in [*cases, ("the seeded layer", six_tokens(), seeded_layer())]:
        report(f"{label}: MultiheadAttention", X, multihead(X, layer.heads, layer.omega_c), their_attention(layer))
        ours = {False: transformer_layer(X, layer), True: pre_norm_layer(X, layer)}
        for norm_first, output in ours.items():
            what = f"{label}: TransformerEncoderLayer(norm_first={norm_first})"
            report(what, X, output, their_layer(layer, norm_first=norm_first))
    layers = [draw_layer(rng, D=6, H=H, D_m=D_m) for H, D_m in ((3, 5), (2, 4), (1, 7))]
    X = rng.normal(size=(6, 4))
    report("three layers in a row", X, stack(X, layers), *map(their_layer, layers))


if __name__ == "__main__":
    main()
