import { InputError } from "../core/errors.js";
import { modelName } from "../core/models.js";
import {
  type ContractName,
  type Contracts,
  contractNames,
  contractWords,
  keeps,
} from "../models/contracts.js";
import { quoted } from "../tables/format.js";

/** Every contract of a union at once. */
type All<Name extends ContractName> = (
  Name extends ContractName
    ? (model: Contracts[Name]) => void
    : never
) extends (model: infer Model) => void
  ? Model
  : never;

/**
 * Whether a model can carry a metric: told now, not in the middle of a run.
 *
 * @param hint what to do where it can't
 * @throws InputError naming what the metric needs and what the model can do.
 */
export function checkModel<Name extends ContractName>(
  model: unknown,
  {
    metric,
    needs,
    hint,
  }: { readonly metric: string; readonly needs: readonly Name[]; readonly hint?: string },
): asserts model is All<Name> {
  const isModel = typeof model === "object" && model !== null && "identity" in model;
  const can = isModel ? contractNames.filter((contract) => keeps(model, contract)) : [];
  if (needs.every((contract) => can.includes(contract))) return;
  const { identity } = (isModel ? model : {}) as Partial<Contracts["ImageEmbedder"]>;
  const received =
    identity === undefined
      ? quoted(model)
      : `${modelName(identity)}, which ${words(can) || "does nothing of this"}`;
  throw new InputError(
    `Expected a model that ${words(needs)} for the metric ${metric} but received ${received}`,
    hint === undefined ? {} : { hint },
  );
}

const words = (contracts: readonly ContractName[]) =>
  contracts.map((contract) => contractWords[contract]).join(" and ");
