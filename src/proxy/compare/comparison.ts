import { dialectSchema } from '../../api/dialect/dialect.js';
import { presets } from '../../api/dialect/presets.js';
import { checkValue } from '../../api/schema/schema.js';
import { isPreset, pinForms } from '../../client/reading/pinned-forms.js';
import { ConfigError } from '../../errors/errors.js';
import { redactedTarget } from '../../redaction/redact.js';
import { readPath } from '../../text/base-url.js';
import { decodeBody } from '../decode-body.js';
import type { ExchangeResponse, ProxiedExchange } from '../exchange.js';
import { toNamed } from '../service/headers.js';
import { compareAnswer, type Expected, type ReadAnswer } from './compare-answer.js';
import { findCall } from './known-calls.js';

/** Maximum differences reported: a service or client could cause any number. */
const maxReported = 500;

export interface ComparisonCount {
  readonly compared: number;
  readonly alike: number;
  readonly differences: number;
}

/** Compares responses with the API's description and reports each difference once. */
export class Comparison {
  readonly #expected: Expected;
  readonly #prefix: string;
  readonly #tell: (difference: string) => void;
  readonly #told = new Set<string>();
  #compared = 0;
  #alike = 0;

  /** @param prefix the path of the base URL @throws ConfigError for an invalid dialect */
  constructor(dialect: unknown, prefix: string, tell: (difference: string) => void) {
    this.#expected = readExpected(dialect);
    this.#prefix = prefix;
    this.#tell = tell;
  }

  get count(): ComparisonCount {
    return { compared: this.#compared, alike: this.#alike, differences: this.#told.size };
  }

  observe({ method, target, response, outcome }: ProxiedExchange): void {
    if (outcome !== 'passed' || response === undefined || method === 'HEAD') return;
    const path = this.#toLocal(readPath(target.toString('latin1')));
    const call = path === undefined ? undefined : findCall(method, path);
    if (call === undefined) {
      if (response.status < 400)
        this.#count([
          `${method} ${redactedTarget(path ?? target.toString('latin1'))}: not in the API reference`,
        ]);
      return;
    }
    const answer = readAnswer(response);
    // The body was not copied, or cannot be decoded.
    if (answer === undefined) return;
    const place = `${method} ${call.operation.path} ${response.status}`;
    this.#count(compareAnswer(call, answer, this.#expected).map((each) => `${place}: ${each}`));
  }

  #count(found: readonly string[]): void {
    this.#compared += 1;
    if (found.length === 0) this.#alike += 1;
    for (const difference of found) {
      if (this.#told.has(difference) || this.#told.size >= maxReported) continue;
      this.#told.add(difference);
      this.#tell(difference);
    }
  }

  #toLocal(path: string): string | undefined {
    return path.startsWith(`${this.#prefix}/`) ? path.slice(this.#prefix.length) : undefined;
  }
}

function readExpected(dialect: unknown): Expected {
  const wanted = dialect ?? presets.reference;
  const pinned = pinForms(wanted);
  if ('misfit' in pinned) throw new ConfigError(`the dialect is invalid: ${pinned.misfit}`);
  if (dialect === undefined || dialect === 'reference') return { dialect: undefined, forms: pinned.forms };
  const value = typeof wanted === 'string' && isPreset(wanted) ? presets[wanted] : wanted;
  const checked = checkValue(dialectSchema, value);
  return { dialect: 'data' in checked ? checked.data : undefined, forms: pinned.forms };
}

function readAnswer({ status, headers, body }: ExchangeResponse): ReadAnswer | undefined {
  if (!body.isWhole) return undefined;
  const bytes = decodeBody(body.bytes, headers);
  return bytes && { status, headers: toNamed(headers), body: readJson(bytes) };
}

function readJson(bytes: Buffer): ReadAnswer['body'] {
  if (bytes.length === 0) return undefined;
  try {
    return { json: JSON.parse(bytes.toString('utf8')) };
  } catch (error) {
    if (error instanceof SyntaxError) return 'no JSON';
    throw error;
  }
}
