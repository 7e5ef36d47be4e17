"""Make `onnx_node_cases.npz` from the node test cases that ship with the onnx package.

Run once, in an environment of its own (no test imports this file, and the project does not depend on onnx):

    python -m pip install onnx==1.20.1
    python tests/data/make_onnx_node_cases.py

The keys are described in README.md beside this file. The same onnx and zlib give the same bytes at every run.
"""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.backend.test
from onnx import numpy_helper

ONNX_VERSION = "1.20.1"
PREFIXES = ("test_softmax_", "test_layer_normalization_", "test_attention_")
TARGET = Path(__file__).with_name("onnx_node_cases.npz")


def is_wanted(case: str) -> bool:
    """Say whether a case belongs to the three operators and is not a second spelling of another case."""
    return case.startswith(PREFIXES) and "_expanded" not in case


def read_tensors(folder: Path, kind: str, node_names: list[str], graph_names: list[str]) -> dict[str, np.ndarray]:
    """Return the stored tensors of one kind ("input" or "output"), numbered as the node numbers them.

    The files are numbered as the graph's inputs, which leave absent optional ones out. The node keeps an empty
    name in the place of an absent one, so its numbering is the operator's own.
    """
    tensors = {}
    for number, name in enumerate(graph_names):
        tensor = onnx.load_tensor(str(folder / "test_data_set_0" / f"{kind}_{number}.pb"))
        tensors[f"{kind}_{node_names.index(name)}"] = numpy_helper.to_array(tensor)
    return tensors


def read_case(folder: Path) -> dict[str, np.ndarray]:
    """Return the arrays of one case by their short keys."""
    model = onnx.load(str(folder / "model.onnx"))
    (node,) = model.graph.node
    attributes: dict[str, Any] = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
    inputs, outputs = list(node.input), list(node.output)
    return {
        "op_type": np.array(node.op_type),
        "attributes": np.array(json.dumps(attributes, sort_keys=True)),
        "input_names": np.array(inputs),
        "output_names": np.array(outputs),
        **read_tensors(folder, "input", inputs, [value.name for value in model.graph.input]),
        **read_tensors(folder, "output", outputs, [value.name for value in model.graph.output]),
    }


def write_npz(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """Write what `np.savez_compressed` would, with the date and the system of every entry fixed."""
    with zipfile.ZipFile(path, "w") as archive:
        for key, array in arrays.items():
            entry = zipfile.ZipInfo(f"{key}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            entry.create_system = 3
            entry.compress_type = zipfile.ZIP_DEFLATED
            buffer = io.BytesIO()
            np.lib.format.write_array(buffer, array, version=(1, 0), allow_pickle=False)
            archive.writestr(entry, buffer.getvalue(), compresslevel=9)


def main() -> None:
    """Read every wanted case, in the order of the names, and write the archive."""
    if onnx.__version__ != ONNX_VERSION:
        raise SystemExit(f"this file describes onnx {ONNX_VERSION}, found {onnx.__version__}")
    nodes = Path(onnx.backend.test.__file__).parent / "data" / "node"
    cases = sorted(folder.name for folder in nodes.iterdir() if is_wanted(folder.name))
    arrays = {f"{case}/{key}": array for case in cases for key, array in read_case(nodes / case).items()}
    write_npz(TARGET, arrays)
    print(f"{len(cases)} cases, {len(arrays)} arrays, {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
