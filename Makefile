VENV := .venv
PYTHON := $(VENV)/bin/python
STAMP := $(VENV)/.installed
JARS := $(VENV)/.jars
# A system Python: 3.10 to 3.13. Say which with `make test SYSTEM_PYTHON=python3.12`.
SYSTEM_PYTHON ?= python3
WORKERS ?= 2
CASES ?= 200
KILLS ?= 30
SEED ?=
FIRST ?= 0
MERGES ?= 200
MODELS ?= 60
ROWS ?= 5000000
OVER_CONNECT ?= tests/functional tests/engine/test_golden.py tests/engine/*/remote_*.py
PROCESSES ?=
SECONDS ?= 120

.PHONY: demo test tests test-all test-conformance conformance-of-dbt-spark check lint bench bench-merge bench-changes bench-small bench-project golden values fuzz foreign
.PHONY: limited places test-connect test-cluster test-catalogs test-s3 interleavings counters faults growth warm clean
.DEFAULT_GOAL := test

$(STAMP): setup.py pyproject.toml
	test -x $(PYTHON) || $(SYSTEM_PYTHON) -m venv $(VENV)
	$(PYTHON) -m pip install --quiet --upgrade pip setuptools wheel
	$(PYTHON) -m pip install --quiet -e '.[test,demo,bench]'
	rm -f $(JARS)
	touch $(STAMP)

# Delta's jars, downloaded once: two test processes must not both start with that. And the archive of
# classes from which a JVM starts in less time.
$(JARS): $(STAMP)
	cd $(VENV) && CI=true bin/python -c "from dbt.adapters.deltaspark.session import SessionSettings, open_session; \
	  open_session(SessionSettings(master='local[1]', spark_config=(('spark.sql.catalogImplementation', 'in-memory'),)))"
	cd $(VENV) && bin/python -m dbt.adapters.deltaspark.session.archiving >archiving.log 2>&1 || cat archiving.log
	touch $(JARS)

demo: $(JARS)  ## build the example project on real data, then merge new data into it
	$(PYTHON) integration_tests/run_demo.py

test: lint $(JARS)  ## lint, then the tests; of many like ones a share that moves with the commit
	TESTS=share $(PYTHON) -m pytest -n $(WORKERS) --dist loadscope --durations=10 tests

tests: lint $(JARS)  ## lint, then each test
	$(PYTHON) -m pytest -n $(WORKERS) --dist loadscope --durations=10 tests

test-all: tests limited test-conformance golden values fuzz foreign interleavings counters faults growth warm places  ## all that there is, in moderate sizes: five hours

CONFORMANCE := $(VENV)/conformance
SUITE := $(PYTHON) -m pytest -q -n $(WORKERS) --dist loadscope tests/conformance --junitxml
test-conformance: $(JARS)  ## dbt's own suite, twice on one warehouse, the second time in a random order; writes docs/conformance.md
	rm -rf $(CONFORMANCE) && mkdir $(CONFORMANCE)
	WAREHOUSE=$(abspath $(CONFORMANCE)) $(SUITE) $(CONFORMANCE)/first.xml
	WAREHOUSE=$(abspath $(CONFORMANCE)) SEED=$(or $(SEED),$(shell date +%s)) $(SUITE) $(CONFORMANCE)/second.xml --no-loadscope-reorder
	$(PYTHON) tests/conformance/report.py deltaspark $(CONFORMANCE)/first.xml

conformance-of-dbt-spark: $(JARS)  ## the same with dbt-spark: a column that the next test-conformance adds to the page
	mkdir -p $(CONFORMANCE)
	-ADAPTER=spark $(SUITE) $(CONFORMANCE)/dbt_spark.xml
	$(PYTHON) tests/conformance/report.py spark $(CONFORMANCE)/dbt_spark.xml

places: test-connect test-cluster test-catalogs test-s3  ## wherever Spark, its catalog and its tables are

PLACES := $(VENV)/.places
$(PLACES): $(STAMP)
	$(PYTHON) -m pip install --quiet -e '.[places]'
	touch $(PLACES)

# So many minutes, then as by Ctrl-C, which ends the servers, too.
WITHIN = timeout --foreground -s INT -k 60 $(1)m

test-connect: $(JARS)  ## a Spark Connect server on loopback: two projects, functional tests, golden cases, its own tests
	$(call WITHIN,60) $(PYTHON) -m pytest -q tests/places/anywhere.py -k 'embedded or connect'
	PYTHONPATH=tests/engine $(call WITHIN,60) $(PYTHON) tests/places/over_connect.py -q -n $(WORKERS) --dist loadscope $(OVER_CONNECT)

test-cluster: $(JARS)  ## a master and two workers on loopback, executors killed in merges; two projects there, by spark-submit, in a notebook
	KILLS=$(KILLS) $(call WITHIN,45) $(PYTHON) -m pytest -q tests/places/cluster.py
	$(call WITHIN,45) $(PYTHON) -m pytest -q tests/places/anywhere.py -k 'cluster or submit or notebook'

test-catalogs: $(JARS)  ## a catalog in PostgreSQL, and a Hive metastore, on loopback: two projects, processes at once
	$(call WITHIN,30) $(PYTHON) -m pytest -q tests/places/catalogs.py

test-s3: $(JARS) $(PLACES)  ## tables in an S3 on loopback: two projects, two processes at one table
	$(call WITHIN,15) $(PYTHON) -m pytest -q tests/places/s3.py

check: lint  ## lint, types and the tests that need no Java: a minute
	$(PYTHON) -m pytest -q tests/unit

lint: $(STAMP)
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy

bench: bench-merge bench-changes bench-small bench-project  ## what the figures of the README are measured with

bench-merge: $(JARS)
	$(PYTHON) benchmarks/bench_merge.py --memory

bench-changes: $(JARS)
	$(PYTHON) benchmarks/bench_changes.py

bench-small: $(JARS)
	$(PYTHON) benchmarks/bench_small.py

bench-project: $(JARS)  ## a dbt project of 51 nodes, beside dbt-spark and dbt-duckdb: an hour
	$(PYTHON) benchmarks/bench_project.py --count

limited: $(JARS)  ## every strategy and mode under --empty, --sample, the times of a run, retry and fail-fast: no row goes by absence
	$(PYTHON) -m pytest -q -n $(WORKERS) --dist loadscope tests/functional/test_limited.py

golden: $(JARS)  ## every golden case in every form, each proven by Delta's own MERGE; forty minutes
	GOLDEN=all $(PYTHON) -m pytest -n $(WORKERS) --dist loadscope tests/engine/test_golden.py

values: $(JARS)  ## values of every kind as keys and payload against Delta's own commands
	VALUES=all $(PYTHON) -m pytest -n $(WORKERS) --dist loadscope tests/engine/test_values.py

fuzz: $(JARS)  ## random merges against Delta's own: make fuzz CASES=1000 SEED=7
	$(PYTHON) tests/engine/fuzz.py --workers $(WORKERS) --first $(FIRST) --cases $(CASES) $(if $(SEED),--seed $(SEED))

foreign: $(JARS)  ## our changes to tables by Spark and delta-rs, against a scan of all rows: make foreign CASES=300 SEED=7
	$(PYTHON) tests/engine/foreign.py --workers $(WORKERS) --first $(FIRST) --cases $(CASES) $(if $(SEED),--seed $(SEED))

growth: $(JARS)  ## what a process holds does not grow: make growth MERGES=1000 MODELS=300 ROWS=50000000
	PYTHONPATH=tests/growth $(PYTHON) tests/growth/growth.py --merges $(MERGES)
	PYTHONPATH=tests/growth $(PYTHON) tests/growth/growth.py --models $(MODELS)
	PYTHONPATH=tests/growth $(PYTHON) tests/growth/growth.py --rows $(ROWS)

warm: $(JARS)  ## dbt processes over one warm Spark, some killed: make warm PROCESSES=50
	cd tests/growth && ../../$(PYTHON) warm.py $(if $(PROCESSES),--processes $(PROCESSES)) $(if $(SEED),--seed $(SEED))

faults: $(JARS)  ## processes killed in the middle of a change: make faults KILLS=300 SEED=1
	PYTHONPATH=tests/engine $(PYTHON) tests/faults/kills.py --workers $(WORKERS) --kills $(KILLS) $(if $(SEED),--seed $(SEED))

interleavings: $(JARS)  ## writers inside of each other: make interleavings CASES=1000 SEED=7
	$(PYTHON) tests/engine/interleave.py --workers $(WORKERS) --first $(FIRST) --cases $(CASES) $(if $(SEED),--seed $(SEED))

counters: $(JARS)  ## processes that add to one table: make counters PROCESSES=8 SECONDS=600
	$(PYTHON) tests/engine/counters.py $(if $(PROCESSES),--processes $(PROCESSES)) --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
