"""What dbt shows of an error that has been through the adapter, without a Spark."""

from __future__ import annotations

import multiprocessing
import traceback
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from dbt_common.exceptions import DbtDatabaseError

from dbt.adapters.deltaspark.connections import DeltaSparkConnectionManager
from dbt.adapters.deltaspark.credentials import DeltaSparkCredentials
from dbt.adapters.deltaspark.engine.errors import add_note


def test_the_notes_of_an_error_that_dbt_knows_are_told_once_and_without_secrets(
    tmp_path: Path,
) -> None:
    credentials = DeltaSparkCredentials.from_dict({"schema": "shop"})
    profile: Any = SimpleNamespace(credentials=credentials, project_root=tmp_path)
    manager = DeltaSparkConnectionManager(profile, multiprocessing.get_context("spawn"))
    error = DbtDatabaseError("the clone failed")
    add_note(error, "its rows are in token=hunter2")
    with (
        pytest.raises(DbtDatabaseError) as caught,
        manager.exception_handler("create table"),
        manager.exception_handler("a part of it"),
    ):
        raise error
    assert caught.value.msg == "the clone failed\nits rows are in token=*****"
    assert "hunter2" not in "".join(traceback.format_exception(caught.value))
