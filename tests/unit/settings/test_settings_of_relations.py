"""Whose settings a relation has that a model's SQL makes."""

from __future__ import annotations

import pytest
from jinja2 import Undefined
from models import spec

from dbt.adapters.deltaspark.settings import read_table, spec_of

MODEL = {
    **spec({"location_root": "/root"}),
    "database": "spark_catalog",
    "schema": "Mart",
    "alias": "orders",
}


@pytest.mark.parametrize(
    ("relation", "location"),
    [
        ("`spark_catalog`.`mart`.`orders`", "/root/Mart/orders"),
        ("mart.Orders", "/root/Mart/orders"),
        ("`mart`.`orders__dbt_tmp`", "/root/Mart/orders"),
        ("`mart`.`orders__dbt_backup`", "/root/Mart/orders"),
        ("`mart`.`orders_of_today`", None),
        ("`other`.`orders`", None),
        ("`other`.`mart`.`orders`", None),
        ("orders", None),
    ],
)
def test_a_relation_is_the_models_by_its_name(relation: str, location: str | None) -> None:
    model = read_table(spec_of(relation, MODEL))
    assert (model.table.location, model.problems) == (location, ())


def test_a_macro_without_a_model_has_no_settings() -> None:
    operation = {**MODEL, "schema": Undefined(), "alias": "made", "config": Undefined()}
    assert read_table(spec_of("`mart`.`made`", operation)).problems == ()
