import { describeIssues, z } from '../contract/schema.js';
import { ConfigError, UsageError } from '../errors.js';

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

const fileVersion = 1;

const profileFileSchema = z.looseObject({
  version: z.literal(fileVersion),
  current: z.optional(z.string()),
  profiles: z.record(z.string(), profileSchema),
});
/** The file's content. Names may be those of `Object.prototype`: look them up with `profileNamed`. */
export type ProfileFile = z.infer<typeof profileFileSchema>;

export const emptyProfileFile: ProfileFile = { version: fileVersion, profiles: {} };

/**
 * Reads the file's bytes.
 *
 * @throws ConfigError naming the file and, where its shape is wrong, the field; never a part of the content, which
 * holds secrets (the message of JSON.parse does, so it is not passed on)
 */
export function parseProfileFile(bytes: Uint8Array, path: string): ProfileFile {
  const content = parseJson(bytes, path);
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

function parseJson(bytes: Uint8Array, path: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ConfigError(`${path} cannot be parsed: it is not JSON`, { hint: mendingHint(path) });
  }
}

function mendingHint(path: string): string {
  return `correct ${path} or move it away; it was left as it is`;
}

/** The profile of that name; `undefined` when there is none. */
export function profileNamed(file: ProfileFile, name: string): Profile | undefined {
  return Object.hasOwn(file.profiles, name) ? file.profiles[name] : undefined;
}

/**
 * Checks a name for a profile that is to be made or chosen (contract, section 1).
 *
 * @throws UsageError saying what a name is made of
 */
export function parseProfileName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name)) return name;
  throw new UsageError(
    `${JSON.stringify(name)} is not a profile name: letters, digits, "_" and "-", at most 64, the first a letter or digit`,
  );
}

/**
 * Checks that a profile can be made under this name.
 *
 * @throws UsageError when it is taken or is no name
 */
export function assertFree(file: ProfileFile, name: string): void {
  parseProfileName(name);
  if (profileNamed(file, name) === undefined) return;
  throw new UsageError(`there is already a profile ${JSON.stringify(name)}`, {
    hint: `take another name, or remove it first: orgctl profile remove ${name}`,
  });
}

/** The error for a name that is not in the file; the hint lists those that are. */
export function unknownProfile(file: ProfileFile, name: string, from?: string): ConfigError {
  const source = from === undefined ? '' : ` (${from})`;
  return new ConfigError(`there is no profile ${JSON.stringify(name)}${source}`, { hint: namesHint(file) });
}

/** Which names can be chosen, or how to make the first. */
export function namesHint(file: ProfileFile): string {
  const names = Object.keys(file.profiles);
  if (names.length === 0) return 'make one: orgctl profile add NAME --base-url https://… --key-id key_…';
  return `choose one with --profile NAME or orgctl profile use NAME: ${names.join(', ')}`;
}
