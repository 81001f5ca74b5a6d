import { describeIssues, z } from '../contract/schema.js';
import { ConfigError } from '../errors.js';

/** A command whose output is a secret: one line for the shell's grammar, or its words. */
const secretCommandSchema = z.union([
  z.string().check(z.minLength(1)),
  z.array(z.string()).check(z.minLength(1)),
]);
export type SecretCommand = z.infer<typeof secretCommandSchema>;

/** A key that `api-keys rotate` has created and not yet proved. */
const pendingKeySchema = z.looseObject({ keyId: z.string(), secret: z.string(), createdAt: z.string() });
export type PendingKey = z.infer<typeof pendingKeySchema>;

/**
 * One stored profile. Settings are kept as they would be typed (`timeout: "30s"`) and read by the parser that also
 * serves the flag; so a bad one spoils the setting and not the file. What a newer version adds passes through.
 */
const profileSchema = z.looseObject({
  baseUrl: z.string(),
  keyId: z.string(),
  secret: z.optional(z.string()),
  secretCommand: z.optional(secretCommandSchema),
  /** The secret is in the operating system's keyring. */
  keyring: z.optional(z.boolean()),
  auth: z.optional(z.string()),
  /** Absolute: a profile is used from any directory. */
  caFile: z.optional(z.string()),
  readOnly: z.optional(z.boolean()),
  output: z.optional(z.string()),
  timeout: z.optional(z.string()),
  deadline: z.optional(z.string()),
  retries: z.optional(z.union([z.string(), z.number()])),
  /** `serve` keeps this profile up to date; one without the mark was made by hand. */
  managedBy: z.optional(z.string()),
  pending: z.optional(pendingKeySchema),
  /** ID of the key that a rotation has replaced and not yet deleted. */
  retiring: z.optional(z.string()),
});
export type Profile = z.infer<typeof profileSchema>;

/**
 * A key that is about to be created for a profile, written down before it is asked for: what an interrupted run leaves,
 * so that the next one finds out whether a key was made whose secret nobody has.
 */
export const pendingCreationSchema = z.looseObject({
  /** Tells this run from others. */
  id: z.string(),
  /** The name that the key gets; absent where the body has none. */
  name: z.optional(z.string()),
  since: z.string(),
  /** Whether no other key can have the name: it was made up for this creation. */
  ownName: z.optional(z.boolean()),
  /** The keys that had this name before; absent where the service does not list keys. */
  known: z.optional(z.array(z.string())),
});
export type PendingCreation = z.infer<typeof pendingCreationSchema>;

const fileVersion = 1;

const profileFileSchema = z.looseObject({
  version: z.literal(fileVersion),
  current: z.optional(z.string()),
  profiles: z.record(z.string(), profileSchema),
  /** By the name of the profile that the key is for, which need not exist yet. */
  creating: z.optional(z.record(z.string(), pendingCreationSchema)),
});
/** The file's content. Names may be those of `Object.prototype`: look them up with `profileNamed`. */
export type ProfileFile = z.infer<typeof profileFileSchema>;

/**
 * Reads the file's bytes.
 *
 * @throws ConfigError naming the file and, where its shape is wrong, the field; never a part of the content, which
 * holds secrets (the message of JSON.parse does, so it is not passed on)
 */
export function parseProfileFile(bytes: Uint8Array, path: string): ProfileFile {
  const content = contentOf(bytes, path);
  const version = z.looseObject({ version: z.number() }).safeParse(content).data?.version ?? fileVersion;
  if (version > fileVersion) {
    throw new ConfigError(`${path} was written by a newer orgctl (file version ${version})`, {
      hint: 'update orgctl, or set ORGCTL_CONFIG_DIR to another directory; the file was left as it is',
    });
  }
  const result = profileFileSchema.safeParse(content);
  if (result.success) return result.data;
  throw new ConfigError(`${path} is not a profile file: ${describeIssues(result.error)}`, {
    hint: mendingHint(path),
  });
}

function contentOf(bytes: Uint8Array, path: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ConfigError(`${path} cannot be parsed: it is not JSON`, { hint: mendingHint(path) });
  }
}

function mendingHint(path: string): string {
  return `correct ${path} or move it away; it was left as it is`;
}
