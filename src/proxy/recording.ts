import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import type { RecordedExchange } from '../api/control/recorded-exchange.js';
import { describeFileError, readSystemCode, UsageError } from '../errors/errors.js';
import { creating } from '../platform/regular-file.js';
import { redactedHeader, redactedTarget, withoutSecrets } from '../redaction/redact.js';
import { redactedJson } from '../redaction/redact-json.js';
import { sentSecrets } from '../redaction/sent-secrets.js';
import { tryParseJson } from '../text/exact-json.js';
import type { BodyCopy, ProxiedExchange } from './exchange.js';
import { type RawHeaders, toPairs, via } from './headers.js';

const maxRecorded = 64 * 1024 * 1024;

/**
 * Writes exchanges to a new, private file, one per line.
 * @param warn called once, with the reason, if the recording ends early
 * @throws UsageError if the file exists or cannot be created
 */
export function openRecording(path: string, service: string, warn: (message: string) => void) {
  const file = createFile(path);
  /** Bytes of the complete lines so far. */
  let length = 0;
  let isOpen = true;
  /** Also removes the file if it is empty: the next recording would refuse an existing file. */
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    // Cuts off a partly written line.
    ftruncateSync(file, length);
    closeSync(file);
    if (length === 0) rmSync(path, { force: true });
  };
  const end = (reason: string) => {
    close();
    warn(`recording stopped: ${reason}; ${path} has what came before`);
  };
  const observe = (exchange: ProxiedExchange) => {
    const record = isOpen ? toRecord(exchange, service) : undefined;
    if (record === undefined) return;
    const line = Buffer.from(`${JSON.stringify(record)}\n`);
    if (length + line.length > maxRecorded) return end(`it would exceed ${maxRecorded / 1024 / 1024} MiB`);
    try {
      for (let at = 0; at < line.length; ) at += writeSync(file, line, at);
      length += line.length;
    } catch (error) {
      end(describeFileError(error));
    }
  };
  return { observe, close };
}

function createFile(path: string): number {
  try {
    return openSync(path, creating, 0o600);
  } catch (cause) {
    const reason = readSystemCode(cause) === 'EEXIST' ? 'it already exists' : describeFileError(cause);
    const hint = 'choose a file that does not exist yet: nothing is overwritten';
    throw new UsageError(`cannot record to ${path}: ${reason}`, { hint, cause });
  }
}

/** Masks every value that is not known to be harmless; `undefined` unless the client got the whole response. */
function toRecord(exchange: ProxiedExchange, service: string): RecordedExchange | undefined {
  const { method, response, requestHeaders, requestBody, startedAt, milliseconds, outcome } = exchange;
  if (response === undefined || outcome !== 'passed') return undefined;
  const target = exchange.target.toString('latin1');
  const body = requestBody.decode(requestHeaders);
  const headers = Object.fromEntries(toPairs(requestHeaders));
  const secrets = sentSecrets({ target, headers, ...(body && { body }) });
  return {
    recorded: 1,
    service,
    time: new Date(startedAt).toISOString(),
    method,
    target: redactedTarget(target),
    requestHeaders: redactedPairs(requestHeaders),
    requestBody: recordBody(requestBody, requestHeaders, secrets),
    status: response.status,
    headers: redactedPairs(response.headers.slice(0, -via.length)),
    body: recordBody(response.body, response.headers, secrets),
    milliseconds: Math.round(milliseconds * 10) / 10,
  };
}

function redactedPairs(headers: RawHeaders): [string, string][] {
  return toPairs(headers).map(([name, value]) => [name, redactedHeader(name, value)]);
}

function recordBody(
  body: BodyCopy,
  headers: RawHeaders,
  secrets: readonly string[],
): RecordedExchange['body'] {
  if (body.length === 0) return null;
  const text = body.decode(headers)?.toString('utf8') ?? '';
  if (tryParseJson(text) === undefined) return { bytes: body.length, omitted: 'too large, or not JSON' };
  return { text: redactedJson(text, Number.POSITIVE_INFINITY, (part) => withoutSecrets(part, secrets)) };
}
