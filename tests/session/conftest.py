"""A folder of this module's own, whose Spark stays warm, and ends with the module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from warm_users import Users

from dbt.adapters.deltaspark.session.class_archive import FOLDER


@pytest.fixture(scope="module")
def users(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Users]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FOLDER, str(tmp_path_factory.mktemp("cache")))
        users = Users(tmp_path_factory.mktemp("shop"))
        yield users
        users.end()
