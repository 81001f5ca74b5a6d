import type { RecordedExchange } from '../../api/control/recorded-exchange.js';
import type { Dialect } from '../../api/dialect/dialect.js';
import type { Context } from '../../cli/context.js';
import { toDialect } from '../../client/probing/to-dialect.js';
import type { TimedCall } from '../../client/probing/watch-calls.js';
import { UsageError } from '../../errors/errors.js';
import { readRecordedFile } from '../../input/recorded-file.js';
import { parseBaseUrl } from '../../text/base-url.js';
import type { EffectiveProbe } from './effective-service.js';

/** Maximum number of calls: each is compared with all others, and more would hardly show anything new. */
const maxCalls = 1000;

const maxRecordedBytes = 32 * 1024 * 1024;

interface RecordedProbe extends EffectiveProbe {
  readonly passedOver: number;
}

/** Derives a dialect from a recording. @throws UsageError for an unusable recording */
export async function probeRecording(
  path: string,
  expected: Dialect | undefined,
  { system, printer }: Pick<Context, 'system' | 'printer'>,
): Promise<RecordedProbe> {
  const warn = async (message: string) => (await printer()).warn(message);
  const calls = new Map<string, TimedCall>();
  const taken = { hmac: false, basic: false };
  let [service, bytes, passedOver] = ['', 0, 0];
  for await (const { exchange } of readRecordedFile('--from', path, system.cwd(), warn)) {
    ({ service } = exchange);
    noteScheme(exchange, taken);
    const key = `${exchange.method} ${exchange.target} ${exchange.status}`;
    // Keeps the first of several responses: after a change of the data, a later one could contradict other responses.
    if (calls.has(key)) continue;
    const call = toCall(exchange);
    if (calls.size === maxCalls || bytes + call.body.length > maxRecordedBytes) passedOver += 1;
    else {
      bytes += call.body.length;
      calls.set(key, call);
    }
  }
  const { origin, prefix } = readService(service, path);
  const all = [...calls.values()];
  const observed = toDialect(all, { origin, basePath: prefix }, expected);
  const isObserved =
    observed.forms.quotas !== undefined || observed.kinds.some(({ state }) => state === 'read');
  if (!isObserved) {
    throw new UsageError(`--from ${path}: it contains neither lists nor quotas of the service`, {
      hint: 'record a client that reads lists or quotas',
      next: ['orgctl', 'proxy', '--record', 'calls.jsonl', '--', 'COMMAND'],
    });
  }
  const auth = { hmac: taken.hmac || null, basic: taken.basic || null };
  return { probed: { observed, wholeness: new Map(), lost: [] }, calls: all, auth, passedOver };
}

function readService(service: string, path: string) {
  try {
    return parseBaseUrl(service);
  } catch (cause) {
    throw new UsageError(`--from ${path}: ${JSON.stringify(service)} is not the address of a service`, {
      cause,
    });
  }
}

function noteScheme({ requestHeaders, status }: RecordedExchange, taken: { hmac: boolean; basic: boolean }) {
  if (status >= 300) return;
  for (const [name, value] of requestHeaders) {
    if (/^x-api-signature$/i.test(name)) taken.hmac = true;
    if (/^authorization$/i.test(name) && /^basic /i.test(value)) taken.basic = true;
  }
}

function toCall({ method, target, status, headers, body, time, milliseconds }: RecordedExchange): TimedCall {
  const text = body === null ? '' : 'text' in body ? body.text : 'not recorded';
  return {
    request: { method, target },
    status,
    headers,
    body: Buffer.from(text),
    milliseconds,
    arrived: Date.parse(time) + milliseconds,
  };
}
