"""Small installed packages: a module and its metadata in a folder on the path, as pip installs them."""

from __future__ import annotations

from pathlib import Path


def install(folder: Path, package: str, module: str, **features: str) -> None:
    """Installs `package` with one module; `features` are names of features, each with the object that makes it."""
    module_name = package.replace("-", "_")
    (folder / f"{module_name}.py").write_text(module)
    metadata = folder / f"{module_name}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    entries = [f"{name} = {module_name}:{made_by}" for name, made_by in features.items()]
    (metadata / "entry_points.txt").write_text("\n".join(["[ttsr_ls.features]", *entries, ""]))
    (metadata / "RECORD").write_text("")
