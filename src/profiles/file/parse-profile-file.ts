import { checkValue, z } from '../../api/schema/schema.js';
import { ConfigError } from '../../errors/errors.js';
import { deepestJson, isDeeperThan } from '../../text/exact-json.js';

/** A command that prints a secret: one line for the shell, or a list of words. */
const secretCommandSchema = z.union([
  z.string().check(z.minLength(1)),
  z.array(z.string()).check(z.minLength(1)),
]);
export type SecretCommand = z.infer<typeof secretCommandSchema>;

/** A key that `api-keys rotate` has created and not yet verified. */
const pendingKeySchema = z.looseObject({
  keyId: z.string(),
  secret: z.string(),
  createdAt: z.string(),
  /** By the replaced key; absent up to 0.1.0. Anything else is no seal, and breaks only this. */
  seal: z.optional(z.unknown()),
});
export type PendingKey = z.infer<typeof pendingKeySchema>;

/**
 * One stored profile. Settings are stored as typed and parsed like the flag, so a bad one breaks only itself. Fields of
 * newer versions pass through.
 */
const profileSchema = z.looseObject({
  baseUrl: z.string(),
  keyId: z.string(),
  secret: z.optional(z.string()),
  secretCommand: z.optional(secretCommandSchema),
  keyring: z.optional(z.boolean()),
  auth: z.optional(z.string()),
  /** Absolute: a profile is used from any directory. */
  caFile: z.optional(z.string()),
  readOnly: z.optional(z.boolean()),
  /** The forms of the service's answers: the name of a preset, or a dialect as a file has it. */
  dialect: z.optional(z.unknown()),
  output: z.optional(z.string()),
  timeout: z.optional(z.string()),
  deadline: z.optional(z.string()),
  retries: z.optional(z.union([z.string(), z.number()])),
  /** Set on profiles that `serve` maintains. */
  managedBy: z.optional(z.string()),
  pending: z.optional(pendingKeySchema),
  /** ID of the replaced key that is not deleted yet. */
  retiring: z.optional(z.string()),
  /** By the key that replaced it; absent up to 0.1.0. */
  retiringSeal: z.optional(z.unknown()),
});
export type Profile = z.infer<typeof profileSchema>;

/**
 * A key about to be created, recorded before the request: the next run can find out whether a key was made whose secret
 * nobody has.
 */
export const pendingCreationSchema = z.looseObject({
  id: z.string(),
  /** The key's name; absent if the body has none. */
  name: z.optional(z.string()),
  /** The longest span of the attempt, by the service's clock. */
  since: z.string(),
  until: z.optional(z.string()),
  /** The name was generated, so no other key can have it. */
  ownName: z.optional(z.boolean()),
  /** Digests of the IDs of all earlier keys; absent if they are not listed, or too many. */
  before: z.optional(z.array(z.string())),
  /** The recording process and its start; a record in its own file has them beside this. */
  pid: z.optional(z.number()),
  started: z.optional(z.string()),
});
export type PendingCreation = z.infer<typeof pendingCreationSchema>;

const profilesVersion = 1;

const profileFileSchema = z.looseObject({
  version: z.literal(profilesVersion),
  current: z.optional(z.string()),
  profiles: z.record(z.string(), profileSchema),
  /** By the name of the key's profile, which need not exist yet. */
  creating: z.optional(z.record(z.string(), pendingCreationSchema)),
});
/** The file's content. A name may be a property of `Object.prototype`: look profiles up with `profileNamed`. */
export type ProfileFile = z.infer<typeof profileFileSchema>;

/** @throws ConfigError naming the file and the field, never quoting the content, which holds secrets */
export function parseProfileFile(bytes: Uint8Array, path: string): ProfileFile {
  const content = parseContent(bytes, path);
  const version = z.looseObject({ version: z.number() }).safeParse(content).data?.version ?? profilesVersion;
  if (version > profilesVersion) {
    throw new ConfigError(`${path} was written by a newer orgctl (file version ${version})`, {
      hint: 'update orgctl, or set ORGCTL_CONFIG_DIR to another directory; the file was left as it is',
    });
  }
  const checked = checkValue(profileFileSchema, content);
  if ('data' in checked) return checked.data;
  throw new ConfigError(`${path} is not a profile file: ${checked.misfit}`, {
    hint: adviseMending(path),
  });
}

function parseContent(bytes: Uint8Array, path: string): unknown {
  const refusal = (what: string) =>
    new ConfigError(`${path} cannot be parsed: ${what}`, { hint: adviseMending(path) });
  let content: unknown;
  try {
    content = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw refusal('it is not JSON');
  }
  // Unknown fields are written back by a printer that recurses.
  if (isDeeperThan(deepestJson, content)) throw refusal(`it is nested deeper than ${deepestJson} levels`);
  return content;
}

function adviseMending(path: string): string {
  return `correct ${path} or move it away; it was left as it is`;
}
