import { sentMethods } from '../api/control/calls.js';
import { isResource, type Resource } from '../api/resources/resource.js';
import type { Context } from '../cli/context.js';
import type { Method } from '../client/exchange/request.js';
import { UsageError } from '../errors/errors.js';
import { isOriginForm } from '../text/base-url.js';
import { printJson } from '../text/exact-json.js';
import { decodeText } from '../text/utf8.js';
import { readInputFile } from './document-file.js';
import { parseInputJson } from './json-text.js';

export function readData(spec: string, context: Context): Promise<Buffer> {
  const option = `--data ${spec}`;
  // Both mean stdin; for a file named `-`, give @./-.
  if (spec === '-' || spec === '@-') return context.stdin(option);
  if (spec.startsWith('@')) return readInputFile(spec.slice(1), option, context.system.cwd());
  return Promise.resolve(Buffer.from(spec));
}

export interface BodyOptions {
  readonly data?: string | undefined;
  readonly field?: readonly string[] | undefined;
}

/** With GET and HEAD, fields extend the query. @throws UsageError for unusable words, data or fields */
export async function readTypedRequest(
  typedMethod: string,
  target: string,
  { data, field }: BodyOptions,
  context: Context,
): Promise<{ readonly method: Method; readonly target: string; readonly body: Buffer | undefined }> {
  const method = parseMethod(typedMethod);
  assertTarget(target);
  if (data !== undefined) return { method, target, body: await readData(data, context) };
  if (field === undefined) return { method, target, body: undefined };
  if (method !== 'GET' && method !== 'HEAD')
    return { method, target, body: Buffer.from(printJson(parseFields(field))) };
  const query = field.map(parseField).map((pair) => pair.map(escapeText).join('='));
  const separator = target.includes('?') ? '&' : '?';
  return { method, target: `${target}${separator}${query.join('&')}`, body: undefined };
}

function parseMethod(text: string): Method {
  const method = sentMethods.find((known) => known === text.toUpperCase());
  if (method !== undefined) return method;
  throw new UsageError(`${JSON.stringify(text)} is not a method`, {
    hint: `one of ${sentMethods.join(', ')}`,
  });
}

/** @throws UsageError for a target that cannot be sent byte for byte */
function assertTarget(target: string): void {
  if (isOriginForm(target)) return;
  throw new UsageError(`${JSON.stringify(target)} is not a path below the base URL`, {
    hint: /^[A-Za-z]:[\\/]/.test(target)
      ? 'Git Bash has put the path of a drive before it; to prevent that: export MSYS_NO_PATHCONV=1'
      : 'start it with one slash, and percent-encode spaces, control and non-ASCII characters: /connections?limit=5',
  });
}

/** Writes a space as %20, because `+` means a space only in HTML forms. */
function escapeText(value: unknown): string {
  // Arguments can contain lone surrogates, which UTF-8 cannot encode.
  const text = Buffer.from(typeof value === 'string' ? value : printJson(value)).toString();
  return encodeURIComponent(text);
}

/** Parses `k=v` (text) and `k:=v` (JSON) fields; of several for one name, the last one counts. @throws UsageError */
export function parseFields(fields: readonly string[]): Resource {
  return Object.fromEntries(fields.map(parseField));
}

function parseField(field: string): [string, unknown] {
  const [, name, typed, value] = /^([^=:]+)(:?)=(.*)$/s.exec(field) ?? [];
  if (name === undefined || value === undefined) {
    throw new UsageError(`--field ${field}: not of the form name=value`, {
      hint: "text: --field name=ci; JSON: --field 'port:=5432'",
    });
  }
  if (typed === '') return [name, value];
  const json = parseInputJson(value, `--field ${name}:=…`);
  if (json !== undefined) return [name, json];
  throw new UsageError(`--field ${name}:=…: not JSON; for text: --field ${name}=…`);
}

export function parseDataObject(data: Buffer): Resource {
  const value = parseInputJson(decodeText(data, '--data'), '--data');
  if (isResource(value)) return value;
  throw new UsageError(`--data: not ${value === undefined ? 'JSON' : 'a JSON object'}`);
}
