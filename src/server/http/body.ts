import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { checkValue, type z } from '../../api/schema/schema.js';
import { parseJson } from '../../text/exact-json.js';
import { badRequest, closing, HttpError, tooMuchInFlight } from './answer.js';

/** The most bytes of a request's body, and of a connection's settings. */
export const maxBodyBytes = 64 * 1024;

/** The same for the control API, whose stubs and replayed requests contain other bodies. */
export const maxControlBytes = 1024 * 1024;

/** The most bytes of a too large body that are read and dropped before it is refused. */
const droppedBytes = 8 * 1024 * 1024;

export type ReceivedBody = Buffer | 'too large';

/** Reserves memory until the request is answered; `false` if too little is left. */
export type Hold = (bytes: number) => boolean;

export const noBytes = Buffer.alloc(0);

/**
 * Reads a body; returns no promise if there is none. Reads and drops too large ones, because many clients read the
 * response only after writing the body.
 * @throws HttpError 400 if the connection breaks, 503 if there is no room for the body
 */
export function readBody(
  response: ServerResponse,
  maxBytes: number,
  holding: (response: ServerResponse) => Hold,
): ReceivedBody | Promise<ReceivedBody> {
  const { req: request } = response;
  if (!announcesBody(request)) return noBytes;
  const hold = holding(response);
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let length = 0;
    const lose = () => reject(badRequest('The connection was lost before the body was complete'));
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) chunks = [];
      else if (hold(chunk.length)) chunks.push(chunk);
      else {
        request.removeAllListeners('data');
        reject(tooMuchInFlight(closing));
      }
      if (length <= droppedBytes) return;
      request.removeAllListeners('data');
      response.shouldKeepAlive = false;
      resolve('too large');
    });
    request.once('end', () => {
      request.off('close', lose);
      resolve(length > maxBytes ? 'too large' : Buffer.concat(chunks, length));
    });
    request.once('error', lose);
    request.once('close', lose);
  });
}

export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

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
  const isJson = jsonType.test(type);
  if (!isJson || coding.toLowerCase() !== 'identity') {
    const what = isJson
      ? 'the body must not have a Content-Encoding'
      : 'Content-Type must be application/json';
    throw new HttpError(415, `Unsupported Media Type: ${what}`, { check: 'body' });
  }
  const sent = decodeJson(body);
  const complaint = complaintAbout(sent);
  if (complaint !== undefined) throw badRequest(`The body ${complaint}`);
  const value = translate(sent);
  return conforming(schemaOf(value), value);
}

/** The parameters of a target's query; repeated ones are lists. */
export function readQuery(target: string): Readonly<Record<string, unknown>> {
  return parse(/^[^?#]*\?([^#]*)/.exec(target)?.[1] ?? '');
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
    // The parser's message quotes the text, which may hold a password. RangeError: the text is nested too deeply.
    if (error instanceof SyntaxError || error instanceof RangeError) throw badRequest('Malformed JSON');
    throw error;
  }
}

/** Finds nesting that is too deep, `__proto__`, and text that not every database can store. */
export function complaintAbout(value: unknown, levels = maxDepth): string | undefined {
  if (typeof value === 'string' && /\0|\p{Surrogate}/u.test(value))
    return 'has text with a NUL or half a surrogate pair';
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return `is nested deeper than ${maxDepth} levels`;
  if (Object.hasOwn(value, '__proto__')) return 'has a field named __proto__';
  for (const text of Object.entries(value).flat()) {
    const complaint = complaintAbout(text, levels - 1);
    if (complaint !== undefined) return complaint;
  }
  return undefined;
}
