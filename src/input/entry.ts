import { isResource, type Resource } from '../api/resources/resource.js';
import type { z } from '../api/schema/schema.js';
import { toSnakeCase } from '../text/field-case.js';

export interface Problem {
  readonly path: readonly PropertyKey[];
  /** Never repeats a value, which may be a password. */
  readonly what: string;
}

export type CheckedEntry<Input> =
  | { readonly input: Input }
  | { readonly problems: readonly [Problem, ...Problem[]] };

export interface EntryKind<Input> {
  readonly kind: string;
  readonly singular: string;
  readonly fields: readonly string[];
  schemaFor(body: unknown): z.ZodMiniType<Input>;
  /** Resolves references, such as a password in a variable. */
  readonly prepare?: (body: Readonly<Resource>, env: EntryEnvironment) => Prepared;
}

export interface Prepared {
  readonly body: Readonly<Resource>;
  readonly problem?: Problem;
}

type EntryEnvironment = Readonly<Record<string, string | undefined>>;

/** Drops the service's own fields (`id`, `created_at`, `updated_at`), so that a saved list can be created elsewhere. */
export function checkEntry<Input>(
  value: unknown,
  kind: EntryKind<Input>,
  env: EntryEnvironment,
): CheckedEntry<Input> {
  const { singular, fields, prepare = asItIs } = kind;
  if (!isResource(value)) return wrong(`not an object with ${joinNames(fields)}`);
  const unknown = Object.keys(value).filter(
    (name) => !fields.includes(name) && !setByService.has(toSnakeCase(name)),
  );
  const { body, problem } = prepare(
    Object.fromEntries(fields.map((field): [string, unknown] => [field, value[field]])),
    env,
  );
  const parsed = kind.schemaFor(body).safeParse(body);
  const [first, ...more] = [
    ...unknown.map((name) => ({ path: [name], what: `unknown field of a ${singular}` })),
    ...(problem === undefined ? [] : [problem]),
    ...(parsed.error?.issues ?? []).map((issue) => findProblem(issue, body)),
  ];
  if (first !== undefined) return { problems: [first, ...more] };
  return parsed.success ? { input: parsed.data } : wrong(`not a ${singular}`);
}

function asItIs(body: Readonly<Resource>): Prepared {
  return { body };
}

const setByService: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at']);

function joinNames(fields: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(fields);
}

function wrong(what: string): { readonly problems: readonly [Problem] } {
  return { problems: [{ path: [], what }] };
}

function findProblem({ path, message }: z.core.$ZodIssue, body: Readonly<Resource>): Problem {
  const missing = findValueAt(body, path) === undefined;
  return { path, what: missing ? 'missing' : message };
}

function findValueAt(value: unknown, [step, ...rest]: readonly PropertyKey[]): unknown {
  if (step === undefined) return value;
  return isResource(value) && Object.hasOwn(value, step)
    ? findValueAt(Reflect.get(value, step), rest)
    : undefined;
}
