import { ConfigError } from '../../errors/errors.js';

// Guards instead of a schema: nearly every command reads a profile, and loading zod would take a tenth of the time.
const isText = (value: unknown) => typeof value === 'string';
const isSwitch = (value: unknown) => typeof value === 'boolean';
const isCommand = (value: unknown): value is string | string[] =>
  Array.isArray(value) ? value.length > 0 && value.every(isText) : isText(value) && value !== '';
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Guards = Readonly<Record<string, (value: unknown) => boolean>>;
type Guarded<Guard> = Guard extends (value: unknown) => value is infer Value ? Value : never;
/** Unknown fields are kept. */
type Fields<Required, Optional> = Readonly<Record<string, unknown>> & {
  readonly [Name in keyof Required]: Guarded<Required[Name]>;
} & { readonly [Name in keyof Optional]?: Guarded<Optional[Name]> | undefined };

const pendingKey = {
  required: { keyId: isText, secret: isText, createdAt: isText },
  optional: { baseUrl: isText }, // of the service that issued the key
};
export type PendingKey = Fields<typeof pendingKey.required, typeof pendingKey.optional>;
const isPendingKey = (value: unknown): value is PendingKey => findWrong(pendingKey, value) === undefined;

/** The global options that a profile stores. Parsed when used, so an invalid one does not affect others. */
export const storedKeys = ['baseUrl', 'keyId', 'auth', 'caFile', 'timeout', 'deadline', 'retries'] as const;
const isSetting = (value: unknown) => isText(value) || typeof value === 'number';
const settings = Object.fromEntries(storedKeys.map((key) => [key, isSetting]));

const profile = {
  required: { baseUrl: isText, keyId: isText },
  optional: {
    secret: isText,
    secretCommand: isCommand,
    keyring: isSwitch,
    readOnly: isSwitch,
    output: isText,
    /** Set on profiles that `serve` maintains. */
    managedBy: isText,
    data: isText,
    pending: isPendingKey,
    /** ID of a replaced key that is not deleted yet. */
    retiring: isText,
  },
};
/** `dialect` is checked when it is used. */
export type Profile = Fields<typeof profile.required, typeof profile.optional> & {
  readonly dialect?: unknown;
} & { readonly [Key in (typeof storedKeys)[number]]?: string | number | undefined };
export type SecretCommand = NonNullable<Profile['secretCommand']>;

/** A name may be a property of `Object.prototype`: look profiles up with `findProfile`. */
export type ProfileFile = Readonly<Record<string, unknown>> & {
  readonly version: 1;
  readonly current?: string | undefined;
  readonly profiles: Readonly<Record<string, Profile>>;
};

/** @throws ConfigError whose message omits the content, which has secrets */
export function parseProfileFile(bytes: Uint8Array, path: string): ProfileFile {
  const content = readJson(bytes);
  if (isProfileFile(content)) return content;
  throw new ConfigError(`${path} is not a profile file: ${findMisfit(content)}`, {
    hint: `correct ${path} or move it away; it was not changed`,
  });
}

const isProfileFile = (content: unknown): content is ProfileFile => findMisfit(content) === undefined;

function findMisfit(content: unknown): string | undefined {
  if (content === undefined) return 'it is not JSON';
  const { version, current = '', profiles } = isObject(content) ? content : {};
  if (version !== 1) return 'version: must be 1';
  if (!isText(current) || !isObject(profiles)) return 'profiles must be an object, and current a name';
  for (const [name, value] of Object.entries(profiles)) {
    const wrong = findWrong({ ...profile, optional: { ...settings, ...profile.optional } }, value);
    if (wrong !== undefined) return `profiles.${name}${wrong}: missing or malformed`;
  }
  return undefined;
}

/** The first field of a wrong kind, such as `.keyId`. */
function findWrong(form: { required: Guards; optional: Guards }, value: unknown): string | undefined {
  if (!isObject(value)) return '';
  const guards: Guards = { ...form.optional, ...form.required };
  const isGiven = (name: string) => name in form.required || value[name] !== undefined;
  const wrong = Object.keys(guards).find((name) => isGiven(name) && !guards[name]?.(value[name]));
  return wrong && `.${wrong}`;
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
