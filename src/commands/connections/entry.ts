import { isDeeperThan } from '../../contract/exact-json.js';
import { isResource } from '../../contract/resource.js';
import {
  type ConnectionInput,
  connectionInputSchema,
  isPostgres,
} from '../../contract/resources/connection.js';
import type { z } from '../../contract/schema.js';
import { dropTrailingNewline } from '../../profiles/secret.js';

/** One thing that is wrong with an entry. */
export interface Problem {
  /** The field, or where it should be. */
  readonly path: readonly PropertyKey[];
  /** Never repeats a value: it may be a password. */
  readonly what: string;
}

/** An entry that can be sent, or what is wrong with it. */
export type CheckedEntry =
  | { readonly input: ConnectionInput }
  | { readonly problems: readonly [Problem, ...Problem[]] };

type Environment = Readonly<Record<string, string | undefined>>;
type Fields = Readonly<Record<string, unknown>>;

/**
 * Checks an entry of a file: it is the body of `POST /connections` (reference, section 2). What the service itself
 * sets (`id`, `created_at`, `updated_at`) is left out, so that a list that was saved can be created elsewhere. For
 * PostgreSQL, `config.password_env` names a variable that holds the password, so that the file need not.
 */
export function checkEntry(value: unknown, env: Environment): CheckedEntry {
  if (!isResource(value)) return wrong([], 'not an object with name, type and config');
  if (isDeeperThan(maxDepth, value)) return wrong([], `nested deeper than ${maxDepth} levels`);
  const unknown = Object.keys(value).filter((name) => !own.has(name) && !setByService.has(name));
  const body = { name: value['name'], type: value['type'], config: value['config'] };
  const { config, problem } = withPassword(body, env);
  const parsed = connectionInputSchema(body).safeParse({ ...body, config });
  const [first, ...more] = [
    ...unknown.map((name) => ({ path: [name], what: 'no field of a connection' })),
    ...(problem === undefined ? [] : [problem]),
    ...(parsed.error?.issues ?? []).map((issue) => problemOf(issue, { ...body, config })),
  ];
  if (first !== undefined) return { problems: [first, ...more] };
  return parsed.success ? { input: parsed.data } : wrong([], 'not a connection');
}

const own: ReadonlySet<string> = new Set(['name', 'type', 'config']);
const setByService: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at']);

function wrong(path: Problem['path'], what: string): CheckedEntry {
  return { problems: [{ path, what }] };
}

/** The config with the password that is meant: the one that `password_env` names, without a trailing newline. */
function withPassword(
  { type, config }: Fields,
  env: Environment,
): { readonly config: unknown; readonly problem?: Problem } {
  if (!isPostgres(type) || !isResource(config)) return { config };
  const { password } = config;
  if (!Object.hasOwn(config, 'password_env')) {
    return {
      config: typeof password === 'string' ? { ...config, password: dropTrailingNewline(password) } : config,
    };
  }
  return passwordFromVariable(config, env);
}

function passwordFromVariable(
  { password_env: variable, ...rest }: Fields,
  env: Environment,
): { readonly config: unknown; readonly problem?: Problem } {
  const path = ['config', 'password_env'];
  // The missing password is not reported a second time.
  const failed = (what: string) => ({ config: { password: '', ...rest }, problem: { path, what } });
  if (Object.hasOwn(rest, 'password')) return failed('there is a password already');
  if (typeof variable !== 'string' || variable === '') return failed('not the name of a variable');
  const password = dropTrailingNewline(env[variable] ?? '');
  if (password === '') return failed(`the variable ${variable} is not set`);
  return { config: { ...rest, password } };
}

function problemOf({ path, message }: z.core.$ZodIssue, body: Fields): Problem {
  const missing = valueAt(body, path) === undefined;
  return { path, what: missing ? 'missing' : message.replace(/^Invalid input: /, '') };
}

function valueAt(value: unknown, [step, ...rest]: readonly PropertyKey[]): unknown {
  if (step === undefined) return value;
  return isResource(value) && Object.hasOwn(value, step)
    ? valueAt(Reflect.get(value, step), rest)
    : undefined;
}

/** Levels that a connection may have: far more than one needs, far less than a stack. */
const maxDepth = 32;
