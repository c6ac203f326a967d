"""Writes one table as pandas, polars, DuckDB and Hugging Face datasets do, each in every format that it has.

    write-tables.py FOLDER

FOLDER/files.json then says which columns each file holds.
"""

import datetime
import decimal
import gzip
import json
import sys
from pathlib import Path

import datasets
import duckdb
import pandas
import polars
import pyarrow
import pyarrow.parquet

out = Path(sys.argv[1])
rows = json.loads((out / "rows.json").read_text(encoding="utf-8"))
stated = {}


def wrote(name, without=()):
    """Notes a file, and one packed by gzip beside each text."""
    stated[name] = [column for column in table.column_names if column not in without]
    if not name.endswith(".parquet"):
        (out / f"{name}.gz").write_bytes(gzip.compress((out / name).read_bytes()))
        stated[f"{name}.gz"] = stated[name]


def column(name, kind, made=lambda value: value):
    return pyarrow.array([None if row[name] is None else made(row[name]) for row in rows], kind)


kinds = {
    "id": (pyarrow.string(),),
    "prompt": (pyarrow.string(),),
    "kind": (pyarrow.dictionary(pyarrow.int32(), pyarrow.string()),),
    "score": (pyarrow.float64(),),
    "half": (pyarrow.float32(),),
    "tiny": (pyarrow.int8(),),
    "count": (pyarrow.int32(),),
    "unsigned": (pyarrow.uint32(),),
    "whole": (pyarrow.int64(), int),
    "most": (pyarrow.uint64(), int),
    "passed": (pyarrow.bool_(),),
    "price": (pyarrow.decimal128(10, 2), decimal.Decimal),
    "long": (pyarrow.decimal128(38, 0), decimal.Decimal),
    "day": (pyarrow.date32(), datetime.date.fromisoformat),
    "made": (pyarrow.timestamp("us"), datetime.datetime.fromisoformat),
    "ratings": (pyarrow.list_(pyarrow.int64()),),
    "box": (pyarrow.struct({"left": pyarrow.float64(), "n": pyarrow.int64()}),),
}
table = pyarrow.table({name: column(name, *kind) for name, kind in kinds.items()})
nested = ["ratings", "box"]
times = ["day", "made"]

# pandas: whole numbers with a missing one become fractions in its own types, so those of Arrow are kept.
frame = table.to_pandas(types_mapper=pandas.ArrowDtype)
frame.to_csv(out / "pandas.csv", index=False)
wrote("pandas.csv", nested)
frame.to_csv(out / "pandas.tsv", index=False, sep="\t")
wrote("pandas.tsv", nested)
# Its JSON has times as milliseconds, and rounds decimals and what is beyond 64 bits with a sign.
unlike_json = [*times, "long", "price", "most", "unsigned"]
plain = frame.drop(columns=unlike_json)
plain.to_json(out / "pandas.json", orient="records", double_precision=15)
wrote("pandas.json", unlike_json)
plain.to_json(out / "pandas.jsonl", orient="records", lines=True, double_precision=15)
wrote("pandas.jsonl", unlike_json)
for compression in ["snappy", "gzip", "brotli", "zstd", "lz4", None]:
    name = f"pandas-{compression}.parquet"
    frame.to_parquet(out / name, compression=compression, index=False)
    wrote(name)
for version, page in [("1.0", "1.0"), ("2.4", "2.0"), ("2.6", "2.0")]:
    name = f"arrow-{version}-{page}.parquet"
    pyarrow.parquet.write_table(
        table, out / name, version=version, data_page_version=page, row_group_size=3
    )
    wrote(name)
flat = {"score": "BYTE_STREAM_SPLIT", "half": "BYTE_STREAM_SPLIT", "whole": "DELTA_BINARY_PACKED"}
flat |= {"unsigned": "DELTA_BINARY_PACKED", "id": "DELTA_BYTE_ARRAY", "prompt": "DELTA_LENGTH_BYTE_ARRAY"}
pyarrow.parquet.write_table(
    table, out / "arrow-encodings.parquet", use_dictionary=["kind"], column_encoding=flat
)
wrote("arrow-encodings.parquet")

# polars
pl = polars.from_arrow(table)
pl.drop(nested).write_csv(out / "polars.csv")
wrote("polars.csv", nested)
pl.drop(nested).write_csv(out / "polars.tsv", separator="\t")
wrote("polars.tsv", nested)
pl.write_json(out / "polars.json")
wrote("polars.json")
pl.write_ndjson(out / "polars.jsonl")
wrote("polars.jsonl")
for compression in ["zstd", "snappy", "gzip", "brotli", "lz4", "uncompressed"]:
    name = f"polars-{compression}.parquet"
    pl.write_parquet(out / name, compression=compression, row_group_size=4)
    wrote(name)

# DuckDB
connection = duckdb.connect()
connection.register("t", table)
columns = ", ".join(f'"{name}"' for name in table.column_names if name not in nested)
for name, query, options, without in [
    ("duckdb.csv", f"(SELECT {columns} FROM t)", "HEADER", nested),
    ("duckdb.tsv", f"(SELECT {columns} FROM t)", "HEADER, DELIMITER '\t'", nested),
    ("duckdb.jsonl", "t", "FORMAT json", []),
    ("duckdb.json", "t", "FORMAT json, ARRAY true", []),
    *[
        (f"duckdb-{version}-{codec}.parquet", "t", f"FORMAT parquet, PARQUET_VERSION {version}, CODEC {codec}", [])
        for version in ["V1", "V2"]
        for codec in ["snappy", "zstd", "gzip", "brotli", "lz4", "lz4_raw", "uncompressed"]
    ],
]:
    connection.execute(f"COPY {query} TO '{out / name}' ({options})")
    wrote(name, without)

# Hugging Face datasets; a fingerprint that is given need not be made of what is in the table.
def dataset(without=()):
    return datasets.Dataset(table.drop_columns(list(without)), fingerprint="t")


dataset(nested).to_csv(out / "datasets.csv")
wrote("datasets.csv", nested)
dataset(unlike_json).to_json(out / "datasets.json", double_precision=15)
wrote("datasets.json", unlike_json)
dataset().to_parquet(out / "datasets.parquet")
wrote("datasets.parquet")

(out / "files.json").write_text(json.dumps(stated))
