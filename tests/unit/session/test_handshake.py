"""What a warm Spark has on disk."""

from __future__ import annotations

import stat
import subprocess
from pathlib import Path

from dbt.adapters.deltaspark.session import handshake


def test_git_takes_no_notice_of_the_secret_also_where_the_folder_is_older(tmp_path: Path) -> None:
    folder = tmp_path / "metastore/warm"
    folder.mkdir(mode=0o700, parents=True)
    handshake.make(folder)
    handshake.private(folder / handshake.FILE).close()
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    shown = subprocess.run(
        ["git", "status", "--porcelain", "-uall"], cwd=tmp_path, check=True, capture_output=True
    )
    assert shown.stdout == b""
    assert stat.S_IMODE((folder / ".gitignore").stat().st_mode) == 0o600
