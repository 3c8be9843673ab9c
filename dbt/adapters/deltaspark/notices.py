"""What the adapter tells of a project once a run, and what of its settings before a node runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

from dbt.adapters.base.meta import available
from dbt.adapters.events.types import AdapterEventInfo, AdapterEventWarning
from dbt.adapters.factory import get_adapter_package_names
from dbt_common.events.functions import fire_event, warn_or_error
from dbt_common.exceptions import CompilationError

from .catalog import CatalogAdapter
from .session import texts_of
from .settings import (
    CUSTOM,
    ConfigReader,
    ModelConfig,
    early_problems,
    is_later_batch,
    limits,
    namesakes,
    read_incremental,
    spec_of,
    warning_of_prefix,
    warnings_of_macros,
    window_of_own,
    without_semicolon,
)

if TYPE_CHECKING:
    from multiprocessing.context import SpawnContext

    from dbt.adapters.base.relation import BaseRelation

Spec = Mapping[str, Any]
"""A plain dict from macros/specs.sql."""


class NoticesAdapter(CatalogAdapter):
    """The part of the adapter that knows what it has told, and of what."""

    def __init__(self, config: Any, mp_context: SpawnContext) -> None:
        super().__init__(config, mp_context)
        self._told_once: set[str] = set()

    @available.parse(lambda *_, **__: False)
    def is_own_strategy(self, spec: Spec) -> bool:
        """Whether the model's strategy is a macro of the project's own, which may run."""
        return read_incremental(spec).strategy == CUSTOM and self.has_right_settings(spec)

    @available.parse(lambda *_, **__: False)
    def is_later_batch(self, batch: Spec | None, begin: Any) -> bool:
        """Whether the run, or the one that it tries again, had an earlier batch of the model."""
        args = self.config.args
        sample = getattr(getattr(args, "sample", None), "start", None)
        since = sample or getattr(args, "EVENT_TIME_START", None) or begin
        return batch is not None and since is not None and is_later_batch(batch, since)

    @available.parse_none
    def limited_by(self, node: Spec) -> str | None:
        """The flag of this run for which the node may read a part of the rows only."""
        flags = limits.RunFlags.of(self.config.args)
        return limits.limited_by(node, flags, self.get_macro_resolver())

    @available.parse(lambda *_, **__: "")
    def batch_window(self, spec: Spec, rows: BaseRelation) -> str:
        """SQL for the rows of the batch, for a microbatch strategy of the project's own."""
        with self.connections.working(f"columns of {rows}") as spark:
            return window_of_own(spec, spark.table(rows.render()).schema)

    @available.parse_list
    def listed(self, names: Any) -> list[str]:
        """Columns as `zorder` and its like take them: a list, or a list in one text."""
        return [*ConfigReader({"zorder": names}).columns("zorder")]

    @available.parse(lambda *_, **__: {})
    def spec_of(self, relation: BaseRelation | str, spec: Spec) -> dict[str, Any]:
        """The facts for a relation that SQL of the project's makes."""
        return spec_of(str(relation), spec)

    @available
    def without_semicolon(self, query: object) -> str:
        """What Jinja would write, as it may stand in another query. Raises where it is several."""
        found = without_semicolon(str(query))
        if (count := len(texts_of(found))) > 1:
            raise CompilationError(
                f"This is {count} statements, and a node is one query, which dbt puts into another"
                " statement. What is to run before it belongs in `pre_hook` or `sql_header`, what"
                " is to run after it in `post_hook`."
            )
        return found

    @available.parse(lambda *_, **__: True)
    def has_right_settings(self, spec: Spec) -> bool:
        """Whether nothing is wrong that shows before the columns are known."""
        return not early_problems(spec, strict=self.config.credentials.strict)

    @available.parse_list
    def macros_not_run(self, kind: str) -> list[str]:
        """Warnings of the project's macros that another adapter would run for a node of the kind.

        Of those that dispatch never finds it tells itself, once a run.
        """
        unseen = warning_of_prefix(self._own_macros)
        if unseen is not None and self._is_new(unseen):
            warn_or_error(AdapterEventWarning(name="deltaspark", base_msg=unseen))
        return [*warnings_of_macros(kind, self._own_macros)]

    @cached_property
    def _own_macros(self) -> frozenset[str]:
        """The project's, but for those that its nodes, hooks and macros call by themselves."""
        macros = getattr(self.get_macro_resolver(), "macros", {})
        called = {*self._called(macros)}
        project = self.config.project_name
        return frozenset(
            macro.name
            for unique_id, macro in macros.items()
            if macro.package_name == project and unique_id not in called
        )

    def _called(self, macros: Mapping[str, Any]) -> Iterator[str]:
        """By their ids. What dbt's own macros call is not counted: they may not be run."""
        manifest, of_dbt = self.get_macro_resolver(), get_adapter_package_names(self.type())
        nodes = (getattr(manifest, kind, {}).values() for kind in ("nodes", "functions"))
        callers = chain(*nodes, (m for m in macros.values() if m.package_name not in of_dbt))
        for caller in callers:
            yield from caller.depends_on.macros

    @available.parse_list
    def namesakes(self, node_id: object) -> list[str]:
        """Nodes whose relation is that node's but for case, which dbt minds and no catalog does."""
        return self._namesakes.get(str(node_id), [])

    @cached_property
    def _namesakes(self) -> dict[str, list[str]]:
        return namesakes(getattr(self.get_macro_resolver(), "nodes", {}).values())

    def _told(self, model: ModelConfig) -> ModelConfig:
        """Other platforms' keys are told of in one model."""
        model = self._of_profile(model)
        for notice in filter(self._is_new, model.notices):
            fire_event(AdapterEventInfo(name=self.type(), base_msg=f"{model.label}: {notice}"))
        told = (*model.warnings, *filter(self._is_new, (*model.foreign, *model.not_run)))
        return replace(model, warnings=told)

    def _of_profile(self, model: ModelConfig) -> ModelConfig:
        """With what the profile says for every model."""
        profile, model = self.config.credentials, limits.without_key_if_partial(model)
        model = model.made_strict if profile.strict else model
        return replace(model, conflict_retries=profile.conflict_retries, told=self._told_once)

    def _is_new(self, warning: str) -> bool:
        told = warning in self._told_once
        self._told_once.add(warning)
        return not told
