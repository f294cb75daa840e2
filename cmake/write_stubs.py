"""Write the type stubs of damier._core: write_stubs.py MODULE MODULE_DIR OUTPUT_DIR NANOBIND_DIR."""

import importlib
import pathlib
import sys
import types

module_name, module_dir, output_dir, nanobind_dir = sys.argv[1:]
sys.path[:0] = [module_dir, str(pathlib.Path(nanobind_dir).parent)]

from nanobind.stubgen import StubGen  # noqa: E402

core = importlib.import_module(module_name)
output = pathlib.Path(output_dir)
output.mkdir(parents=True, exist_ok=True)
submodules = {name: item for name, item in vars(core).items() if isinstance(item, types.ModuleType)}
sys.modules["damier._core"] = core
for name, module in {"__init__": core, **submodules}.items():
    sys.modules[module.__name__] = module
    generator = StubGen(module=module, quiet=True)
    generator.put(module)
    text = generator.get().replace("__hash__: None = None", "__hash__: None  # type: ignore[assignment]")
    (output / f"{name}.pyi").write_text(text)
