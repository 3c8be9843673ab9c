"""What is shown of settings and of texts that quote them."""

from __future__ import annotations

import pytest

from dbt.adapters.deltaspark.session.secrets import (
    MASK,
    cause,
    is_secret,
    known_secrets,
    masked,
    shown,
)

SECRET_NAMES = """\
fs.azure.account.key.shop.dfs.core.windows.net
fs.azure.account.key.file.blob.core.windows.net
fs.azure.account.oauth2.client.secret.type.dfs.core.windows.net
fs.azure.account.oauth2.refresh.token
fs.azure.sas.container.account.blob.core.windows.net
fs.azure.sas.fixed.token
fs.azure.encryption.encoded.client-provided-key
fs.gs.auth.service.account.private.key
fs.gs.auth.service.account.private.key.id
fs.gs.encryption.key
spark.hadoop.fs.s3a.access.key
spark.hadoop.fs.s3a.secret.key
spark.hadoop.fs.s3a.session.token
spark.hadoop.fs.s3a.bucket.partition.secret.key
spark.hadoop.fs.s3a.server-side-encryption.key
spark.hadoop.fs.s3a.encryption.key
spark.hadoop.javax.jdo.option.ConnectionPassword
spark.hadoop.parquet.encryption.key.list
spark.authenticate.secret
spark.ssl.keyPassword
spark.ssl.keyStorePassword
spark.sql.catalog.lake.credential
spark.sql.catalog.lake.token
spark.mine.key
AWS_SECRET_ACCESS_KEY
awsSecretAccessKey
apikey
db_pwd
passphrase
sig
""".splitlines()
HARMLESS_NAMES = """\
spark.sql.mapKeyDedupPolicy
spark.sql.legacy.dataset.nameNonStructGroupingKeyAsValue
spark.cassandra.keyspace
spark.mine.partition.key
spark.mine.primaryKey
spark.redaction.regex
spark.ssl.keyStore
spark.ssl.keyStoreType
spark.io.encryption.keySizeBits
spark.io.encryption.keygen.algorithm
spark.network.crypto.keyLength
spark.kerberos.keytab
spark.security.credentials.renewalRatio
spark.hadoop.fs.s3a.aws.credentials.provider
spark.hadoop.fs.s3a.path.style.access
spark.hadoop.fs.s3a.server-side-encryption-algorithm
spark.hadoop.fs.gs.auth.access.token.provider.impl
spark.hadoop.fs.gs.auth.service.account.json.keyfile
spark.hadoop.hadoop.security.credential.provider.path
spark.hadoop.javax.jdo.option.ConnectionUserName
spark.hadoop.parquet.encryption.column.keys
spark.hadoop.my.tokenizer
spark.sql.shuffle.partitions
spark.master
key
""".splitlines()


@pytest.mark.parametrize("name", SECRET_NAMES)
def test_a_setting_of_this_name_is_masked(name: str) -> None:
    assert is_secret(name)
    assert shown(name, "hunter2") == MASK


@pytest.mark.parametrize("name", HARMLESS_NAMES)
def test_a_setting_of_this_name_is_shown(name: str) -> None:
    assert not is_secret(name)
    assert shown(name, "value") == "value"


@pytest.mark.parametrize(
    ("setting", "seen"),
    [
        ("jdbc:postgresql://h/db?user=u&password=hun ter,2)&ssl=1", "user=u&password=*****&ssl=1"),
        ("jdbc:sqlserver://h:1433;database=d;password={hun;ter2};x=1", ";password=*****;x=1"),
        ("jdbc:mysql://u:hunter2@h/db", "jdbc:mysql://u:*****@h/db"),
        ("jdbc:mysql://u:hun/ter@2@h/db", "jdbc:mysql://u:*****@h/db"),
        ("jdbc:oracle:thin:scott/hunter2@//h:1521/s", "jdbc:oracle:thin:scott/*****@//h:1521/s"),
        ("jdbc:oracle:thin:scott/hun@ter2@h:1521:s", "jdbc:oracle:thin:scott/*****@h:1521:s"),
        ("jdbc:db2://h:50000/d:user=u;pwd=hunter2;", "user=u;pwd=*****;"),
        ("sc://h:15002/;token=hunter2;user_id=me", "sc://h:15002/;token=*****;user_id=me"),
        ("https://hunter2@repo/maven", "https://*****@repo/maven"),
        ("https://a.blob.core.windows.net/c?sv=1&sig=hun%2Fter2", "?sv=1&sig=*****"),
        ("DefaultEndpointsProtocol=https;AccountKey=hunter2==", ";AccountKey=*****"),
        ("s3a://AKIA:hunter2@bucket/x", "s3a://AKIA:*****@bucket/x"),
        ('X required username="u" password="hunter2";', 'username="u" password=*****;'),
        ("-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----", "KEY----------"),
    ],
)
def test_a_secret_is_masked_by_its_place_in_a_setting(setting: str, seen: str) -> None:
    assert "hun" not in str(shown("url", setting)).lower().replace("https", "")
    assert seen in shown("url", setting).replace(f"KEY-----{MASK}-----", "KEY----------")


@pytest.mark.parametrize(
    "setting",
    [
        "thrift://hive:9083",
        "thrift://hive1:9083,thrift://hive2:9083",
        "hdfs://nn:8020/user@realm",
        "abfss://container@account.dfs.core.windows.net/tables",
        "gs://bucket/tables",
        "jdbc:oracle:thin:@//h:1521/service",
        "jdbc:derby:;databaseName=/p/derby;create=true",
        "local[*]",
    ],
)
def test_places_without_a_secret_are_shown_whole(setting: str) -> None:
    assert shown("metastore", setting) == setting
    assert masked(f"cannot reach {setting}") == f"cannot reach {setting}"


@pytest.mark.parametrize(
    "text",
    [
        "Cannot resolve (t.customer_key = s.customer_key) given input columns",
        "(t.token = s.token) is not true",
        "file:/w/shop.db/orders/customer_key=7/part-0.parquet is not there",
        "[PARSE_SYNTAX_ERROR] unexpected token: 'select'",
        "primary key: id",
    ],
)
def test_errors_about_rows_and_sql_stay_readable(text: str) -> None:
    assert masked(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "{'spark.hadoop.fs.s3a.secret.key': 'hunter2', 'a': 1} is not of type 'string'",
        '{"fs.azure.account.key.x": "hunter2"}',
        "spark.hadoop.fs.s3a.secret.key=hunter2",
        "spark.hadoop.fs.s3a.secret.key = hunter2",
        "fs.azure.account.key.x: hunter2",
        "no connection to jdbc:mysql://h/d?user=u&password=hunter2, username = u",
    ],
)
def test_a_text_that_quotes_a_setting_has_its_secret_masked(text: str) -> None:
    assert "hunter2" not in masked(text)
    assert MASK in masked(text)


def test_values_of_secret_environment_variables_are_masked_wherever_they_stand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DBT_ENV_SECRET_LAKE", "hunter2")
    assert masked("xhunter2y") == "x*****y"
    assert shown("warehouse", "s3a://b/hunter2") == "s3a://b/*****"
    monkeypatch.setenv("DBT_ENV_SECRET_LAKE", " ")
    assert masked("a b") == "a b"


def test_secrets_that_a_profile_holds_are_known_with_those_in_its_urls() -> None:
    settings = {
        "metastore": "jdbc:postgresql://h/hive?password=p%40ssword",
        "spark.hadoop.fs.s3a.secret.key": "wJalrXUtnFEMI",
        "spark.sql.shuffle.partitions": "8",
        "spark.mine.token.enabled": "true",
    }
    known = known_secrets(settings.items())
    assert known == ("p%40ssword", "p@ssword", "wJalrXUtnFEMI")
    assert masked("found p@ssword in xwJalrXUtnFEMIy", known) == "found ***** in x*****y"


def test_a_short_secret_that_is_a_word_of_other_names_is_masked_where_it_stands_alone() -> None:
    text = "org.apache.hadoop.hive.ql: no login for 'hive' at hive_metastore with hive."
    seen = "org.apache.hadoop.hive.ql: no login for '*****' at hive_metastore with *****."
    assert masked(text, ("hive",)) == seen


def test_an_error_is_no_cause_where_its_text_or_its_own_causes_have_a_secret() -> None:
    plain, telling = ValueError("no such host"), ValueError("denied: //u:hunter2@h")
    assert cause(plain) is plain
    assert cause(telling) is None
    plain.__cause__ = telling
    assert cause(plain) is None


def test_dictionaries_and_lists_are_shown_by_their_names_and_items() -> None:
    found = shown("spark_config", {"spark.ui.port": 4040, "spark.x.password": 12345})
    assert found == {"spark.ui.port": 4040, "spark.x.password": MASK}
    assert shown("jars", ["https://u:hunter2@h/a.jar"]) == ["https://u:*****@h/a.jar"]
