import { resolve } from 'node:path';
import { isResource, type Resource } from '../api/resources/resource.js';
import type { Context } from '../cli/context.js';
import type { Method } from '../client/exchange/request.js';
import { describeFileError, UsageError } from '../errors/errors.js';
import { printJson } from '../text/exact-json.js';
import { decodeText } from '../text/utf8.js';
import { readInputFile } from './input-file.js';
import { MalformedText, parseInputJson } from './json-text.js';

export async function readData(spec: string, context: Context): Promise<Buffer> {
  // Both mean stdin; for a file named `-`, give @./-.
  if (spec === '-' || spec === '@-') return context.stdin(`--data ${spec}`);
  if (!spec.startsWith('@')) return Buffer.from(spec);
  if (spec === '@')
    throw new UsageError('--data @: the file name is missing', { hint: 'for example --data @body.json' });
  try {
    return await readInputFile(resolve(context.system.cwd(), spec.slice(1)));
  } catch (error) {
    throw new UsageError(`--data ${spec}: ${describeFileError(error)}`, { cause: error });
  }
}

export interface BodyOptions {
  readonly data?: string | undefined;
  readonly field?: readonly string[] | undefined;
}

export interface TargetAndBody {
  readonly target: string;
  readonly body: Buffer | undefined;
}

/** With GET and HEAD, fields extend the query. @throws UsageError for unusable data or fields */
export async function targetAndBody(
  method: Method,
  target: string,
  { data, field }: BodyOptions,
  context: Context,
): Promise<TargetAndBody> {
  if (data !== undefined && field !== undefined)
    throw new UsageError('--data and --field cannot be combined');
  if (data !== undefined) return { target, body: await readData(data, context) };
  if (field === undefined) return { target, body: undefined };
  if (method !== 'GET' && method !== 'HEAD')
    return { target, body: Buffer.from(printJson(parseFields(field))) };
  const query = field.map(parseField).map((pair) => pair.map(escapeText).join('='));
  return { target: `${target}${target.includes('?') ? '&' : '?'}${query.join('&')}`, body: undefined };
}

/** Writes a space as %20, because `+` means a space only in forms. */
function escapeText(value: unknown): string {
  // Arguments can contain lone surrogates, which UTF-8 cannot encode.
  const text = Buffer.from(typeof value === 'string' ? value : printJson(value)).toString();
  return encodeURIComponent(text);
}

/** Parses `k=v` (text) and `k:=v` (JSON) fields. @throws UsageError, also for a field given twice */
export function parseFields(fields: readonly string[]): Record<string, unknown> {
  return joinFields(fields.map((field) => ['--field', Object.fromEntries([parseField(field)])]));
}

/** Joins the fields that several flags give. @throws UsageError for a field given twice */
export function joinFields(
  parts: readonly (readonly [flag: string, fields: Resource])[],
): Record<string, unknown> {
  const givenBy = new Map<string, string>();
  for (const [flag, fields] of parts) {
    for (const name of Object.keys(fields)) {
      const other = givenBy.get(name);
      if (other === flag) throw new UsageError(`${flag} gives ${JSON.stringify(name)} twice`);
      if (other !== undefined) throw new UsageError(`both ${other} and ${flag} give ${JSON.stringify(name)}`);
      givenBy.set(name, flag);
    }
  }
  return Object.fromEntries(parts.flatMap(([, fields]) => Object.entries(fields)));
}

function parseField(field: string): [string, unknown] {
  const [, name, typed, value] = /^([^=:]+)(:?)=(.*)$/s.exec(field) ?? [];
  if (name === undefined || value === undefined) {
    throw new UsageError(`--field ${field}: not of the form name=value`, {
      hint: "text: --field name=ci; JSON: --field 'port:=5432'",
    });
  }
  if (typed === '') return [name, value];
  const json = readJson(`--field ${name}:=…`, value);
  if (json !== undefined) return [name, json];
  throw new UsageError(`--field ${name}:=…: not JSON`, {
    hint: `for text, leave out the colon: --field ${name}=…`,
  });
}

export function parseDataObject(data: Buffer): Resource {
  const value = readJson('--data', decodeText(data, '--data'));
  if (isResource(value)) return value;
  throw new UsageError(`--data: not ${value === undefined ? 'JSON' : 'a JSON object'}`);
}

function readJson(flag: string, text: string): unknown {
  try {
    return parseInputJson(text);
  } catch (error) {
    throw error instanceof MalformedText ? new UsageError(error.describe(flag), { cause: error }) : error;
  }
}
