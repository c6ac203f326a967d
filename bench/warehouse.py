"""Sums of 1, 10 and 100 million scores by DuckDB or Spark, and what is concluded from them: processor time and memory.

    touchstone query --print contrastive [--dialect spark] > sums.sql
    python bench/warehouse.py duckdb|spark sums.sql FOLDER [1000000 10000000 100000000]

Needs duckdb, and pyspark for Spark (pip). FOLDER takes some 40 bytes a row, and what the engine puts aside: Spark some 400.
Sums of the other engine in FOLDER are compared with these: figures and intervals are to be the same bytes.
"""

import json
import os
import subprocess
import sys

import duckdb

name, query, folder, *sizes = sys.argv[1:]
touchstone = [os.path.join(os.path.dirname(__file__), "..", "bin", "touchstone")]

# Two metrics' scores of pairs, 100 pairs a prompt, three domains; some tie, some are missing.
rows = """
SELECT 'pair ' || (i // 2) AS id, 'metric-' || (i % 2) AS metric, 'domain-' || ((i // 200) % 3) AS domain,
  'prompt ' || (i // 200) AS prompt,
  CASE WHEN i % 41 = 0 THEN NULL ELSE (hash(i) % 1000003) / 1000003.0::DOUBLE END AS correct,
  CASE WHEN i % 50 = 3 THEN (hash(i) % 1000003) ELSE (hash(i + 7) % 900001) END / 1000003.0::DOUBLE AS adversarial
FROM range({n}) t(i)"""

engines = {
    "duckdb": """
import duckdb, sys
table, out, sql, folder = sys.argv[1:]
db = duckdb.connect(config={"threads": 1, "memory_limit": "4GB", "temp_directory": folder + "/spilled"})
db.sql("SET preserve_insertion_order = false")
db.sql(f"CREATE VIEW scores AS FROM '{table}'")
db.sql(f"COPY ({open(sql).read()}) TO '{out}' (FORMAT parquet)")
""",
    "spark": """
import glob, os, sys
from pyspark.sql import SparkSession
table, out, sql, folder = sys.argv[1:]
spark = (SparkSession.builder.master("local[2]").config("spark.driver.memory", "5g")
  .config("spark.local.dir", folder + "/spilled").config("spark.ui.enabled", "false").getOrCreate())
spark.read.parquet(table).createOrReplaceTempView("scores")
spark.sql(open(sql).read()).coalesce(1).write.mode("overwrite").parquet(out + ".parts")
os.replace(glob.glob(out + ".parts/*.parquet")[0], out)
java = spark.sparkContext._gateway.proc
spark.stop()
java.stdin.close()
java.wait()
""",
}


def spent(command):
    """Processor seconds, peak memory in MB, and what a command printed."""
    with open(os.path.join(folder, "printed"), "w+") as out:
        child = subprocess.Popen(command, stdout=out)
        _, status, use = os.wait4(child.pid, 0)
        out.seek(0)
        assert status == 0, command
        return round(use.ru_utime + use.ru_stime, 1), round(use.ru_maxrss / 1024), out.read()


for size in map(int, sizes or ["1000000", "10000000", "100000000"]):
    table = os.path.join(folder, f"rows-{size}.parquet")
    sums = {each: os.path.join(folder, f"{each}-{size}.parquet") for each in engines}
    if not os.path.exists(table):
        db = duckdb.connect(config={"threads": 1})
        db.sql("SET preserve_insertion_order = false")
        db.sql(f"COPY ({rows.format(n=size)}) TO '{table}' (FORMAT parquet)")
        db.close()
    by_engine = spent([sys.executable, "-c", engines[name], table, sums[name], query, folder])
    analyze = [*touchstone, "analyze", "contrastive"]
    concluded = spent([*analyze, sums[name], "--json"])
    line = {
        "rows": size,
        "megabytes": [round(os.path.getsize(each) / 1e6) for each in (table, sums[name])],
        "sums": duckdb.sql(f"SELECT count(*) FROM '{sums[name]}'").fetchall()[0][0],
        "engine": {"seconds": by_engine[0], "megabytes": by_engine[1]},
        "analyze": {"seconds": concluded[0], "megabytes": concluded[1]},
    }
    if size <= 1_000_000:
        whole = spent([*analyze, table, "--json"])
        line["whole"] = {"seconds": whole[0], "megabytes": whole[1], "equal": whole[2] == concluded[2]}
    for other in (sums[each] for each in engines if each != name):
        if os.path.exists(other):
            line["equal"] = spent([*analyze, other, "--json"])[2] == concluded[2]
    print(json.dumps(line), flush=True)
