"""Recomputes every figure of `touchstone evidence --from DIR --json` from the published files, by other code.

    touchstone evidence --from DIR --json > figures.json
    python bench/evidence_peer.py DIR figures.json

pandas reads the files, SciPy gives the coefficients, statsmodels the clustered errors, krippendorff alpha and
scikit-learn the Brier score. DIR holds what `touchstone evidence fetch --to DIR` wrote (OWNER/NAME/PATH).
Prints the largest difference of each figure over all sets, and every one above 1e-6.
"""

import itertools
import json
import math
import re
import sys
from pathlib import Path

import krippendorff
import numpy as np
import pandas as pd
import statsmodels.api as sm
from scipy import stats
from sklearn.metrics import brier_score_loss

root, given = Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text())["sets"]


def read(path):
    path = root / path
    return json.loads(path.read_text()) if path.suffix == ".json" else pd.read_csv(
        path, sep="\t" if path.suffix == ".tsv" else ",", dtype=str, keep_default_na=False)


def number(found):
    try:
        value = float(str(found).strip())
    except ValueError:
        return math.nan
    return value if math.isfinite(value) else math.nan


def frame(rows):
    """Rows (item, prompt, generator, {rater: answer}, {metric: score})."""
    return {"items": rows, "pairs": False}


def tifa():
    named = {"clipscore_vitb32": "CLIPScore", "meteor": "METEOR of a caption", "bleu": "BLEU of a caption",
             "rouge": "ROUGE of a caption", "spice": "SPICE of a caption", "tifa_vilt": "TIFA (ViLT)",
             "tifa_git-large": "TIFA (GIT)", "tifa_ofa-large": "TIFA (OFA)",
             "tifa_blip2-flant5xl": "TIFA (BLIP-2)", "tifa_mplug-large": "TIFA (mPLUG)"}
    table = read("Yushi-Hu/tifa/human_annotations/human_annotations_with_scores.json")
    return frame([(row["text_id"], dict(enumerate(row["human_scores"])), {named[k]: row[k] for k in named})
                  for row in table.values()])


def dsg():
    base = "j-min/DSG/"
    likert = read(base + "dsg/data/tifa160-likert-anns.csv")
    people = {key: dict(zip(rows.worker_id, rows.answer.map(number)))
              for key, rows in likert.groupby(["item_id", "t2i_model"])}
    scores = {key: {} for key in people}
    for model, name in [("mplug", "mPLUG"), ("pali17b", "PaLI"), ("instructblip", "InstructBLIP")]:
        for kind, title in [("dsg", "DSG"), ("vq2a", "VQ2A")]:
            answers = read(f"{base}vqa_answers_release/{model}_{kind}.csv")
            for key, rows in answers.groupby(["item_id", "t2i_model"]):
                if key not in scores:
                    continue
                values = rows.answer.str.strip().map({"yes": 1.0, "no": 0.0})
                if kind == "dsg":
                    refused = set(rows.question_id[values == 0])
                    blocked = rows.dependency_id.map(lambda ids: any(i.strip() in refused for i in ids.split(",")))
                    values = values.mask(blocked & values.notna(), 0.0)
                scores[key][f"{title} ({name})"] = values.mean()
    return frame([(key[0], people[key], scores[key]) for key in people])


def levels(table, allowed=None):
    return frame([(prompt, {rater: number(value) if allowed is None or value in allowed else math.nan
                            for rater, value in enumerate(values)}, {})
                  for prompt, row in table.items() for values in row["models"].values()])


def geneval():
    rows = []
    for model in ["clip", "if-xl", "sdv2"]:
        # Four cells hold a carriage return, which is no end of a row.
        path = root / f"djghosh13/geneval/annotations/annotations_{model}.csv"
        table = pd.read_csv(path, dtype=str, keep_default_na=False, lineterminator="\n")
        for _, group in table.groupby("Input.index"):
            rows.append((group["Input.prompt_id"].iloc[0],
                         dict(enumerate(group["Answer.task-quality"].map(number))), {}))
    return frame(rows)


def t2v(kind):
    base = "linzhiqiu/t2v_metrics/datasets/"
    people, table = read(f"{base}t2vscore_{kind}_score.json"), read(base + "t2vscore_results.csv")
    named = {"CLIP Score": "CLIPScore", "X-CLIP Score": "X-CLIPScore", "BLIP-BLEU": "BLIP-BLEU",
             "T2VScore-A (GPT-4V)": "T2VScore-A (GPT-4V)"}
    scores = {(row.video_id, row.model_name): {named[k]: number(table.at[at, k]) for k in named}
              for at, row in table.iterrows()}
    return frame([(prompt, {0: answer[0]}, scores.get((prompt, model), {}))
                  for prompt, row in people.items() for model, answer in row["models"].items()])


def ts2():
    base = "michaelsaxon/T2IScoreScore/"
    models = {"blip1": "BLIP", "fuyu": "Fuyu", "instruct_blip": "InstructBLIP", "llava": "LLaVA 1.5",
              "llava-alt": "LLaVA 1.5 (other prompt)", "mplug": "mPLUG"}
    scores = {}

    def take(path, name, column="image_id"):
        table = read(base + path)
        for key, score in zip(table[column], table.score):
            scores.setdefault(tuple(re.findall(r"\d+", key)[:2]), {})[name] = number(score)

    for kind in ["DSG", "TIFA"]:
        for model, title in models.items():
            take(f"output/scores_per_image/{kind}/{model}_{kind.lower()}_score.csv", f"{kind} ({title})")
        take(f"output/gpt4v_{kind.lower()}_score.csv", f"{kind} (GPT-4V)")
    for metric, title in [("clipscore", "CLIPScore"), ("blipscore", "BLIPScore"), ("alignscore", "ALIGNScore")]:
        take(f"output/scores_per_image/{metric}_score.csv", title)
    take("output/VIEScore.csv", "VIEScore (backbone not stated)", "fname")
    rows = []
    for _, row in read(base + "data/metadata.csv").iterrows():
        mine = scores[tuple(re.findall(r"\d+", row.file_name.split("/")[-1])[:2])]
        vie = mine["VIEScore (backbone not stated)"]
        rows.append((row.id, {0: -number(re.match(r"\d+", row["rank"]).group())},
                     {**mine, "VIEScore (backbone not stated)": math.nan if vie < 0 else vie}))
    return frame(rows)


def imagenhub(task, human, at, judges, automatic):
    base = "TIGER-AI-Lab/VIEScore/paper_implementation/"
    folder = f"{base}_human_annotations/ImagenHub_human_eval_results/ImagenHub_{task}/{human}"
    raters = [read(f"{folder}_rater{rater}.tsv") for rater in (1, 2, 3)]
    names = {"gpt4o": "GPT-4o", "gpt4v": "GPT-4V", "gemini": "Gemini 1.0 Pro", "llava": "LLaVA 1.5",
             "qwenvl": "Qwen-VL", "cogvlm": "CogVLM", "blip2": "BLIP-2", "instructblip": "InstructBLIP",
             "openflamingo": "OpenFlamingo", "fuyu": "Fuyu"}
    rows = []
    for path in sorted((root / f"{base}_answers/results_gpt4o_0shot/ImagenHub_{task}").iterdir()):
        model = path.name
        scores = {}
        for judge in [j for j in names if f"VIEScore ({names[j]})" in judges]:
            file = f"{base}_answers/results_{judge}_0shot/ImagenHub_{task}/{model}/{['SC', 'PQ'][at]}.json"
            answers = read(file) if (root / file).exists() else {}
            for item, answer in answers.items():
                found = np.atleast_1d(np.array([number(v) for v in np.atleast_1d(answer["score"])]))
                stands_in = str(answer.get("reasoning")).startswith("guess_if_cannot_parse")
                if not stands_in and len(found):
                    scores.setdefault(item, {})[f"VIEScore ({names[judge]})"] = found.min()
        if automatic:
            for item, answer in read(f"{base}_answers/results_autometrics/ImagenHub_{task}/{model}.json").items():
                for key, name, sign in automatic:
                    scores.setdefault(item, {})[name] = sign * answer[key]
        for place, item in enumerate(raters[0].uid):
            people = {}
            for rater, table in enumerate(raters):
                cell = table.loc[table.uid == item, model]
                try:
                    people[rater] = number(json.loads(cell.iloc[0])[at])
                except (IndexError, json.JSONDecodeError):
                    people[rater] = math.nan
            rows.append((item, people, scores.get(item, {})))
    return frame(rows)


def first_number(found):
    """The number that a reply begins with; what follows it is its reason."""
    begins = re.match(r"\s*\[?(\d+(?:\.\d+)?)", str(found)) if isinstance(found, str) else None
    return float(begins[1]) if begins else number(found)


def pickapic():
    base, label = "MJ-Bench/MJ-Bench/reward_models/result/validation_", {"0": 1, "1": -1, "tie": 0}
    files = {"PickScore": "pickscore_eval_0.00", "HPS v2.1": "HPSv2score_eval_0.00",
             "ImageReward": "ImageReward_eval_0.00", "CLIPScore": "clipscore_eval_v2_0.00",
             "BLIPScore": "blipscore_eval_0.00", "GPT-4V (rating)": "gpt4score_eval"}
    rows = {}
    for name, file in files.items():
        kind = "prob" if name == "PickScore" else "score"
        for row in read(f"{base}{file}.json"):
            item = rows.setdefault(row["id"], [row["caption"], {0: label[row["label"]]}, {}, {}])
            item[2][name] = first_number(row[f"{kind}_0"]) - first_number(row[f"{kind}_1"])
            if name == "PickScore":
                item[3][name] = row["prob_0"]
    return {"items": [tuple(row) for row in rows.values()], "pairs": True}


def artifacts():
    named = {"ImageReward": "ImageReward", "aesthetics": "LAION aesthetics", "blipscore": "BLIPScore",
             "clipscore_v2": "CLIPScore", "hps_v2.1": "HPS v2.1", "pickscore_v1": "PickScore"}
    rows = {}
    for metric, name in named.items():
        for kind in ["blur", "human", "mpii", "object_indoor"]:
            for row in read(f"MJ-Bench/MJ-Bench/personal/result/{metric}/{kind}0.0.json"):
                item = rows.setdefault((kind, row["id"]), ((kind, row["id"]), {0: 1}, {}))
                item[2][name] = row["score_0"] - row["score_1"]
    return {"items": list(rows.values()), "pairs": True}


def tiger(task, judges):
    base = root / f"TIGER-AI-Lab/GenAI-Bench/results/{task}"
    votes = {"[[A>B]]": 1, "[[A>>B]]": 1, "[[B>A]]": -1, "[[B>>A]]": -1, "[[A=B=Good]]": 0, "[[A=B=Bad]]": 0,
             "[[A=B]]": 0}
    rows = {}
    for path in sorted(base.iterdir()):
        file = path / "pairwise.json"
        if path.name == "random" or not file.exists():
            continue
        for row in json.loads(file.read_text()):
            prompt = tuple(row.get(k) for k in ["prompt", "source_prompt", "target_prompt", "instruct_prompt"])
            answer = {"leftvote": 1, "rightvote": -1}.get(row["human_vote"], 0)
            item = rows.setdefault(row["idx"], (prompt, {0: answer}, {}))
            item[2][path.name] = votes.get(str(row["model_vote"]).strip(), math.nan)
    return {"items": list(rows.values()), "pairs": True, "folders": True}


def mmrb2(kind):
    rows = read(f"facebookresearch/MMRB2/benchmark/{kind}_response_only.json")["pairs"]
    return {"items": [((row["prompt_source"], (row.get("prompt_metadata") or {}).get("id", row["id"])),
                       {at: value - 3.5 for at, value in enumerate(row["human_annotations"])}, {})
                      for row in rows], "pairs": True}


def credit(answer, people):
    if math.isnan(answer) or math.isnan(people) or people == 0:
        return math.nan
    return 0.5 if answer == 0 else float((answer > 0) == (people > 0))


def difference(one, other):
    apart = one - other
    return 0.0 if abs(apart) < 1e-9 else apart


def comparisons(table):
    """(prompt, index, index or None) of every pair of one prompt."""
    if table["pairs"]:
        return [(row[0], at, None) for at, row in enumerate(table["items"])]
    prompts = {}
    for at, row in enumerate(table["items"]):
        prompts.setdefault(row[0], []).append(at)
    return [(prompt, *pair) for prompt, places in prompts.items() for pair in itertools.combinations(places, 2)]


def clustered(values, prompts):
    """Mean, and its error clustered by prompt."""
    values, codes = np.array(values), pd.factorize(pd.Series(prompts).astype(str))[0]
    if len(values) == 0:
        return math.nan, math.nan
    if len(set(codes)) < 2:
        return values.mean(), math.nan
    fit = sm.OLS(values, np.ones(len(values))).fit(cov_type="cluster", cov_kwds={"groups": codes})
    return fit.params[0], fit.bse[0]


def figures(table):
    items = [row for row in table["items"] if any(not math.isnan(v) for v in row[1].values())]
    table = {**table, "items": items}
    pairs = comparisons(table)
    raters = sorted({rater for row in items for rater in row[1]}, key=str)
    mean = [np.nanmean([v for v in row[1].values()]) for row in items]

    def apart(values):
        return [difference(values[one], 0.0 if other is None else values[other]) for _, one, other in pairs]

    people = apart(mean)
    most = max(len(row[1]) for row in items)
    own = {}
    for row in items:
        own.setdefault(row[0], list(dict.fromkeys(r for other in items if other[0] == row[0] for r in other[1])))
    slots = [[row[1].get(rater, math.nan) for rater in own[row[0]]] for row in items]
    width = max(map(len, slots))
    slots = np.array([row + [math.nan] * (width - len(row)) for row in slots])
    signs = np.sign([apart(list(slots[:, rater])) for rater in range(width)])
    majority = np.where((~np.isnan(signs)).sum(axis=0) > 1, np.sign(np.nansum(signs, axis=0)), math.nan)
    names = sorted({name for row in items for name in row[2]})
    found = {}
    for name in names:
        scores = [row[2].get(name, math.nan) for row in items]
        right = [credit(a, p) for a, p in zip(apart(scores), people)]
        kept = [(value, pair[0]) for value, pair in zip(right, pairs) if not math.isnan(value)]
        value, error = clustered([v for v, _ in kept], [p for _, p in kept])
        by_most = [v for v in map(credit, apart(scores), majority) if not math.isnan(v)]
        mine = {"accuracyWithin": value, "accuracyMajority": np.mean(by_most) if by_most else math.nan,
                "error": error, "n": sum(not math.isnan(s) for s in scores)}
        both = [(s, m) for s, m in zip(scores, mean) if not math.isnan(s)]
        if not table["pairs"] and len(both) > 2 and len({s for s, _ in both}) > 1:
            x, y = np.array(both).T
            mine["kendallTauB"], mine["spearman"] = stats.kendalltau(x, y)[0], stats.spearmanr(x, y)[0]
            mine["pearson"] = stats.pearsonr(x, y)[0]
            dx, dy = np.sign(x[:, None] - x), y[:, None] - y
            dy = np.where(np.abs(dy) < 1e-9, 0, np.sign(dy))
            asked = dy != 0
            mine["accuracyPooled"] = ((dx == dy)[asked].sum() + 0.5 * (dx == 0)[asked].sum()) / asked.sum()
        found[name] = mine
    whole = {"n": len(items), "metrics": found}
    if most > 1:
        whole["alpha"] = krippendorff.alpha(slots.T, level_of_measurement="ordinal")
        right = []
        for rater in range(width):
            others = [np.nanmean(rest) if not np.isnan(rest).all() else math.nan
                      for rest in np.delete(slots, rater, axis=1)]
            for a, p, pair in zip(apart(list(slots[:, rater])), apart(others), pairs):
                if not math.isnan(credit(a, p)):
                    right.append((credit(a, p), pair[0]))
        whole["ceiling"] = clustered([v for v, _ in right], [p for _, p in right])[0]
    claimed = [(row[3], mean[at]) for at, row in enumerate(items) if len(row) > 3 and mean[at] != 0]
    if claimed:
        name = next(iter(claimed[0][0]))
        p, y = np.array([(c[name], float(m > 0)) for c, m in claimed]).T
        sure, right = np.maximum(p, 1 - p), ((p >= 0.5) == (y == 1)).astype(float)
        bins = np.ceil(sure * 10).astype(int)
        ece = sum(abs(right[bins == b].mean() - sure[bins == b].mean()) * (bins == b).mean() for b in set(bins))
        found[name] |= {"brier": brier_score_loss(y, p), "ece": ece}
    return whole


tasks = {"t2i": ("Text-Guided_IG", "Text-To-Image", [("CLIP_Score", "CLIPScore", 1)]),
         "control": ("Control-Guided_IG", "Control-Guided_IG", [("LPIPS", "LPIPS to the source", -1)]),
         "subject": ("Subject-Driven_IG", "Subject-Driven_IG", "subject"),
         "multi-subject": ("Multi-Concept_IC", "Multi-Subject_IG", "subject"),
         "text-edits": ("Text-Guided_IE", "Text-Guided_IE", [("LPIPS", "LPIPS to the source", -1)]),
         "mask-edits": ("Mask-Guided_IE", "Mask-Guided_IE", [("LPIPS", "LPIPS to the source", -1)]),
         "subject-edits": ("Subject-Driven_IE", "Subject-Driven_IE", "subject")}
subject = [("CLIP_I", "CLIP-I to the subject", 1), ("DINO", "DINO to the subject", 1)]


def source(name):
    if name.startswith("imagenhub-"):
        task, human, automatic = tasks[name.removeprefix("imagenhub-").removesuffix("-quality")]
        at = int(name.endswith("-quality"))
        automatic = [] if at else subject if automatic == "subject" else automatic
        return imagenhub(task, human, at, given[name]["metrics"], automatic)
    if name.startswith("tiger-"):
        folder = {"generation": "image_generation", "editing": "image_edition", "video": "video_generation"}
        return tiger(folder[name.removeprefix("tiger-")], given[name]["judges"])
    if name.startswith("t2vscore-"):
        return t2v(name.removeprefix("t2vscore-"))
    if name.startswith("mmrb2-"):
        return mmrb2({"generation": "t2i", "editing": "edit"}[name.removeprefix("mmrb2-")])
    return {"tifa160": tifa, "dsg-tifa160": dsg, "ts2": ts2, "geneval-people": geneval,
            "mjbench-pickapic500": pickapic, "mjbench-artifacts": artifacts,
            "genai-bench-527": lambda: levels(read("linzhiqiu/t2v_metrics/genai_image.json"), {1, 2, 3, 4, 5}),
            "t23d": lambda: levels(read("linzhiqiu/t2v_metrics/datasets/stanfordt23d.json"))}[name]()


largest, compared = {}, 0


def compare(what, where, ours, theirs):
    global compared
    if ours is None or (isinstance(ours, float) and math.isnan(ours)):
        ours = math.nan
    if math.isnan(theirs) and math.isnan(ours):
        return
    apart = abs(ours - theirs)
    compared += 1
    if not apart <= largest.get(what, (0, ""))[0]:
        largest[what] = (apart, where)
    if not apart <= 1e-6:
        print(f"{where} {what}: {ours} here {theirs}")


# What judges are called here, by their folder, in the order of folders.
folders = {"BLIP-2": "blip2", "CogVLM": "cogvlm", "Gemini 1.5 Pro": "gemini-1.5-pro", "GPT-4o": "gpt4o",
           "Idefics1": "idefics1", "Idefics2": "idefics2", "InstructBLIP": "instructblip", "Kosmos-2": "kosmos2",
           "LLaVA": "llava", "LLaVA-NeXT": "llavanext", "Mantis-8B": "mantis-8b-idefics2",
           "Mantis-8B (8k)": "mantis-8b-idefics2_8192", "MiniCPM-V 2.5": "minicpm-V-2.5",
           "Otter (image)": "otterimage", "Otter (video)": "ottervideo", "Qwen-VL": "qwenVL",
           "Video-LLaVA": "videollava"}
for name, ours in given.items():
    theirs = figures(source(name))
    compare("n", name, ours["n"], theirs["n"])
    for figure in ["alpha", "ceiling"]:
        if figure in theirs:
            compare(figure, name, ours["people"][figure]["value"], theirs[figure])
    for metric, its in {**ours["metrics"], **ours["judges"]}.items():
        other = theirs["metrics"].get(metric) or theirs["metrics"].get(
            folders.get(metric.removesuffix(" (pairwise)"), "")) or {"n": 0}
        at = f"{name}, {metric}"
        # Of a judge n counts replies that can't be read, too.
        compare("n", at, its["n"] - its.get("unparsed", 0), other["n"])
        if its["n"] == 0:
            continue
        compare("accuracyWithin", at, its["accuracyWithin"]["value"], other["accuracyWithin"])
        compare("accuracyMajority", at, its["accuracyMajority"], other["accuracyMajority"])
        compare("error", at, its["accuracyWithin"]["error"], other["error"] if other["error"] > 1e-12 else math.nan)
        for figure in ["accuracyPooled", "kendallTauB", "spearman", "pearson"]:
            if figure in other:
                compare(figure, at, its[figure]["value"], other[figure])
        for figure in ["brier", "ece"]:
            if figure in other:
                compare(figure, at, its["calibration"][figure], other[figure])
for what, (apart, where) in sorted(largest.items()):
    print(f"{what}: at most {apart:.1e} ({where})")
print(f"{compared} figures of {len(given)} sets compared")
