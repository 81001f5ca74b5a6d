import { isResource } from '../../api/resources/resource.js';
import { type CheckedValue, checkValue, z } from '../../api/schema/schema.js';
import { MalformedText, parseInputJson } from '../../input/json-text.js';
import { printJson } from '../../text/exact-json.js';

/** Steps are compared as a whole, but only these fields are read. */
const stepSchema = z.looseObject({
  kind: z.string(),
  action: z.string(),
  name: z.string(),
  id: z.optional(z.string()),
});
export type KeptStep = z.infer<typeof stepSchema>;

export const planVersion = 1;

export const planSchema = z.strictObject({
  plan: z.literal(planVersion),
  base_url: z.string(),
  /** IDs of API keys identify the organization, which the API does not name. */
  api_keys: z.array(z.string()),
  file_sha256: z.string(),
  prune: z.union([z.boolean(), z.string()]),
  set_secrets: z.boolean(),
  changes: z.array(stepSchema),
});

type CheckedPlan =
  | CheckedValue<z.infer<typeof planSchema>>
  | { readonly misfit: string; readonly isOtherVersion: true };

/** @param path for messages */
export function checkPlan(text: string, path: string): CheckedPlan {
  try {
    const value = parseInputJson(text);
    if (!isResource(value) || !('plan' in value)) return { misfit: 'orgctl diff --out did not write it' };
    const version = value['plan'];
    if (version !== planVersion)
      return { misfit: `plan version ${printJson(version)}, not ${planVersion}`, isOtherVersion: true };
    return checkValue(planSchema, value);
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    return { misfit: `${path}:${error.line}:${error.column}: ${error.message}` };
  }
}
