"""dbt's way in. `Plugin` is built when asked for: the engine can be imported without dbt."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dbt.adapters.base.plugin import AdapterPlugin

    Plugin: AdapterPlugin

_PACKAGE = Path(__file__).resolve().parent


def include_path(package: Path = _PACKAGE) -> Path:
    """Where the macros are: beside an installed adapter, or at the root of a checkout."""
    installed = package.parents[1] / "include" / package.name
    return installed if installed.is_dir() else package.parents[2]


def _plugin() -> AdapterPlugin:
    from dbt.adapters.base.plugin import AdapterPlugin

    from .credentials import DeltaSparkCredentials
    from .impl import DeltaSparkAdapter

    return AdapterPlugin(
        adapter=DeltaSparkAdapter,  # type: ignore[arg-type]  # dbt's protocol fits no adapter
        credentials=DeltaSparkCredentials,
        include_path=str(include_path()),
        dependencies=["spark"],
        project_name="dbt_deltaspark",
    )


def __getattr__(name: str) -> object:
    if name != "Plugin":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    plugin = globals()[name] = _plugin()
    return plugin
