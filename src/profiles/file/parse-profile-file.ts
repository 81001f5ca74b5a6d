import { checkValue, z } from '../../api/schema/schema.js';
import { ConfigError } from '../../errors/errors.js';

const notEmpty = z.minLength(1);
const secretCommandSchema = z.union([z.string().check(notEmpty), z.array(z.string()).check(notEmpty)]);
export type SecretCommand = z.infer<typeof secretCommandSchema>;

const pendingKeySchema = z.looseObject({
  keyId: z.string(),
  secret: z.string(),
  createdAt: z.string(),
  /** Of the service that issued the key. */
  baseUrl: z.optional(z.string()),
});
export type PendingKey = z.infer<typeof pendingKeySchema>;

/** Settings are parsed when used, so an invalid one does not affect others. Keeps unknown fields. */
const profileSchema = z.looseObject({
  baseUrl: z.string(),
  keyId: z.string(),
  secret: z.optional(z.string()),
  secretCommand: z.optional(secretCommandSchema),
  keyring: z.optional(z.boolean()),
  auth: z.optional(z.string()),
  /** `system`, or an absolute path. */
  caFile: z.optional(z.string()),
  readOnly: z.optional(z.boolean()),
  dialect: z.optional(z.unknown()),
  output: z.optional(z.string()),
  timeout: z.optional(z.string()),
  deadline: z.optional(z.string()),
  retries: z.optional(z.union([z.string(), z.number()])),
  /** Set on profiles that `serve` maintains. */
  managedBy: z.optional(z.string()),
  data: z.optional(z.string()),
  pending: z.optional(pendingKeySchema),
  /** ID of a replaced key that is not deleted yet. */
  retiring: z.optional(z.string()),
});
export type Profile = z.infer<typeof profileSchema>;

const profileFileSchema = z.looseObject({
  version: z.literal(1),
  current: z.optional(z.string()),
  profiles: z.record(z.string(), profileSchema),
});
/** A name may be a property of `Object.prototype`: look profiles up with `findProfile`. */
export type ProfileFile = z.infer<typeof profileFileSchema>;

/** @throws ConfigError whose message omits the content, which has secrets */
export function parseProfileFile(bytes: Uint8Array, path: string): ProfileFile {
  const content = readJson(bytes);
  const checked = checkValue(profileFileSchema, content);
  if ('data' in checked) return checked.data;
  const why = content === undefined ? 'it is not JSON' : checked.misfit;
  throw new ConfigError(`${path} is not a profile file: ${why}`, {
    hint: `correct ${path} or move it away; it was not changed`,
  });
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
