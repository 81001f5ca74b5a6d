import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { parse } from 'node:querystring';
import { checkValue, type z } from '../../api/schema/schema.js';
import { isDeeperThan, parseJson, printJson } from '../../text/exact-json.js';
import { badRequest, HttpError } from './http-error.js';
import { maxBodyBytes } from './read-body.js';

const maxDepth = 64;

// No whitespace can match in two places, so that matching a long header stays fast.
const jsonType = /^application\/json\s*(?:;\s*(?:charset="?(?:utf-8|us-ascii)"?\s*(?:;\s*)?)?)?$/i;

/** @param translate from the client's field names @throws HttpError 415 for another content type, 400 for an invalid body */
export function parseJsonBody<Schema extends z.core.$ZodType>(
  headers: IncomingHttpHeaders,
  body: Buffer,
  schemaOf: (value: unknown) => Schema,
  translate: (value: unknown) => unknown = (value) => value,
): z.output<Schema> {
  if (body.length === 0) throw badRequest('A JSON body is required');
  const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = headers;
  if (!jsonType.test(type)) throw unsupported('Content-Type must be application/json');
  if (coding.toLowerCase() !== 'identity') {
    throw unsupported(`Content-Encoding ${JSON.stringify(coding.slice(0, 40))}; send the body uncompressed`);
  }
  const sent = decodeJson(body);
  const complaint = complaintAbout(sent);
  if (complaint !== undefined) throw badRequest(`The body ${complaint}`);
  const value = translate(sent);
  return conforming(schemaOf(value), value);
}

function unsupported(why: string): HttpError {
  return new HttpError(415, `Unsupported Media Type: ${why}`, { check: 'body' });
}

/** The parameters of a target's query; repeated ones are lists. */
export function readQuery(target: string): Readonly<Record<string, unknown>> {
  const [, query = ''] = /^[^?#]*\?([^#]*)/.exec(target) ?? [];
  return parse(query);
}

/** @throws HttpError 400 naming each wrong field, but no values */
export function conforming<Schema extends z.core.$ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const checked = checkValue(schema, value);
  if ('misfit' in checked) throw badRequest(checked.misfit);
  return checked.data;
}

function decodeJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw badRequest('The body is not valid UTF-8');
  try {
    // RFC 8259, section 8.1 permits ignoring a byte order mark.
    return parseJson(body.toString('utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    // The parser's message quotes the text, which may hold a password.
    if (error instanceof SyntaxError) throw badRequest('Malformed JSON');
    throw error;
  }
}

/** Finds nesting that is too deep, `__proto__`, and text that not every database can store. */
export function complaintAbout(value: unknown): string | undefined {
  return isDeeperThan(maxDepth, value) ? `is nested deeper than ${maxDepth} levels` : complaintWithin(value);
}

function complaintWithin(value: unknown): string | undefined {
  if (typeof value === 'string') {
    const isStorable = !value.includes('\0') && !/\p{Surrogate}/u.test(value);
    return isStorable ? undefined : 'has text with a NUL or half a surrogate pair';
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, field] of Object.entries(value)) {
    const own = key === '__proto__' ? 'has a field named __proto__' : complaintWithin(key);
    const complaint = own ?? complaintWithin(field);
    if (complaint !== undefined) return complaint;
  }
  return undefined;
}

/** The limit that checked settings of a connection exceed, worded as the end of a sentence. */
export function findExceededLimit(value: unknown): string | undefined {
  const isLarge = Buffer.byteLength(printJson(value)) > maxBodyBytes;
  return isLarge ? `has more than ${maxBodyBytes} bytes of JSON` : undefined;
}
