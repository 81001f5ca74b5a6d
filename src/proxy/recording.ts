import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import type { RecordedExchange } from '../api/control/recorded-exchange.js';
import { describeFileError, readSystemCode, UsageError } from '../errors/errors.js';
import { creating } from '../platform/own-file.js';
import { redactedHeader, redactedTarget, withoutSecrets } from '../redaction/redact.js';
import { redactedJson } from '../redaction/redact-json.js';
import { sentSecrets } from '../redaction/sent-secrets.js';
import { tryParseJson } from '../text/exact-json.js';
import { decodeBody, type KeptBody } from './body.js';
import type { ProxiedExchange } from './exchange.js';
import { type RawHeaders, toPairs, via } from './headers.js';

/** Maximum bytes of a recording. */
const maxRecorded = 64 * 1024 * 1024;

/** Maximum bytes of a recorded body, after decoding. */
const longestText = 256 * 1024;

/** Writes exchanges to a new, private file: one per line, up to `maxRecorded` bytes. */
export class Recording {
  readonly #path: string;
  readonly #service: string;
  readonly #file: number;
  readonly #warn: (message: string) => void;
  /** Bytes of the complete lines so far. */
  #length = 0;
  #isOpen = true;

  /**
   * @param service the service's base URL
   * @param warn called once, with the reason, if the recording ends early
   * @throws UsageError if the file exists or cannot be created
   */
  constructor(path: string, service: string, warn: (message: string) => void) {
    this.#path = path;
    this.#service = service;
    this.#file = createFile(path);
    this.#warn = warn;
  }

  observe(exchange: ProxiedExchange): void {
    if (!this.#isOpen) return;
    const record = toRecord(exchange, this.#service);
    if (record === undefined) return;
    const line = Buffer.from(`${JSON.stringify(record)}\n`);
    if (this.#length + line.length <= maxRecorded) this.#write(line);
    else this.#end(`it would exceed ${maxRecorded / 1024 / 1024} MiB`);
  }

  #write(line: Buffer): void {
    try {
      for (let at = 0; at < line.length; ) at += writeSync(this.#file, line, at);
      this.#length += line.length;
    } catch (error) {
      this.#end(describeFileError(error));
    }
  }

  /** Also removes the file if it is empty: the next recording would refuse an existing file. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    // Without a partly written line.
    ftruncateSync(this.#file, this.#length);
    closeSync(this.#file);
    if (this.#length === 0) rmSync(this.#path, { force: true });
  }

  #end(reason: string): void {
    this.close();
    this.#warn(`recording stopped: ${reason}; ${this.#path} has what came before`);
  }
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

/**
 * The record of an exchange, with every value masked that is not known to be harmless; `undefined` unless the client
 * got the whole response.
 * @param service the service's base URL
 */
export function toRecord(exchange: ProxiedExchange, service: string): RecordedExchange | undefined {
  const { method, response, requestHeaders, requestBody, startedAt, milliseconds, outcome } = exchange;
  if (response === undefined || outcome !== 'passed') return undefined;
  const target = exchange.target.toString('latin1');
  const body = readWhole(requestBody, requestHeaders);
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

function readWhole({ bytes, isWhole }: KeptBody, headers: RawHeaders): Buffer | undefined {
  const decoded = isWhole ? decodeBody(bytes, headers) : undefined;
  return decoded !== undefined && decoded.length <= longestText ? decoded : undefined;
}

function recordBody(
  kept: KeptBody,
  headers: RawHeaders,
  secrets: readonly string[],
): RecordedExchange['body'] {
  if (kept.length === 0) return null;
  const text = readWhole(kept, headers)?.toString('utf8') ?? '';
  if (tryParseJson(text) === undefined) return { bytes: kept.length, omitted: 'too large, or not JSON' };
  return { text: redactedJson(text, Number.POSITIVE_INFINITY, (part) => withoutSecrets(part, secrets)) };
}
