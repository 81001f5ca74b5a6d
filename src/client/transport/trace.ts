import { describeBytes, redactedHeader, redactedTarget } from '../../redaction/redact.js';
import { redactedJson } from '../../redaction/redact-json.js';
import { printJson } from '../../text/exact-json.js';
import { withoutSent } from '../answers/decode.js';
import { type Answer, readJson, shorten, type WireRequest } from '../exchange/exchange.js';

export type Trace = (line: string) => void;

export function traceRequest(trace: Trace, { method, path, headers, body }: WireRequest, host: string): void {
  trace(`> ${method} ${redactedTarget(path)}`);
  trace(`> host: ${host}`);
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    trace(`> ${name}: ${redactedHeader(name, headers[at + 1] ?? '')}`);
  }
  if (body !== undefined && body.byteLength > 0) trace(`> ${bodyLine(Buffer.from(body))}`);
}

export function traceAnswer(trace: Trace, answer: Answer, milliseconds: number): void {
  const hide = (text: string) => withoutSent(answer, text);
  trace(`< ${answer.status} after ${Math.round(milliseconds)} ms`);
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const one of [value ?? []].flat()) trace(`< ${name}: ${redactedHeader(name, hide(one))}`);
  }
  if (answer.body.length > 0) trace(`< ${bodyLine(answer.body, hide)}`);
}

const longestLine = 2000;

// A body that is not JSON may hold a secret anywhere, so the line has only its size and part of its hash.
function bodyLine(body: Buffer, hide?: (text: string) => string): string {
  const json = readJson(body);
  if ('fault' in json) return `(${json.fault}: ${describeBytes(body)})`;
  const line = redactedJson(printJson(json.value), longestLine + 1, hide);
  return line.length > longestLine ? `${shorten(line, longestLine)} (${body.length} bytes)` : line;
}
