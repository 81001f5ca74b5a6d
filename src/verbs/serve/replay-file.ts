import type { StubInput } from '../../api/control/control.js';
import type { RecordedExchange } from '../../api/control/recorded-exchange.js';
import type { DialectInput } from '../../api/dialect/dialect-input.js';
import { presets } from '../../api/dialect/presets.js';
import type { Context } from '../../cli/context.js';
import { UsageError } from '../../errors/errors.js';
import { readRecordedFile } from '../../input/recorded-file.js';
import { mask } from '../../redaction/redact.js';
import type { ServerOptions } from '../../server/index.js';

/** Limit on recorded responses; each becomes a stub. */
const maxReplayed = 100;

/** Headers that the server sets itself, or that belong to the recorded connection. */
const ownHeaders =
  /^(?:connection|content-(?:length|encoding)|date|keep-alive|server|te|trailer|transfer-encoding|upgrade|via|x-quota-(?:limit|used|remaining))$/i;

/**
 * The last complete response to each recorded GET, as stubs. Stubs name paths without the dialect's base path.
 * @throws UsageError for an unusable file
 */
export async function readReplayFile(
  path: string,
  dialect: ServerOptions['dialect'],
  { system, printer }: Pick<Context, 'system' | 'printer'>,
): Promise<StubInput[]> {
  const warn = async (message: string) => (await printer()).warn(message);
  const forms: DialectInput | undefined = typeof dialect === 'string' ? presets[dialect] : dialect;
  const basePath = forms?.basePath ?? '';
  const answers = new Map<string, StubInput>();
  for await (const { exchange } of readRecordedFile('--replay', path, system.cwd(), warn)) {
    const stub = toStub(exchange, basePath);
    if (stub !== undefined) answers.set(stub.request, stub);
  }
  if (answers.size <= maxReplayed) return [...answers.values()];
  throw new UsageError(
    `--replay ${path}: it has responses to ${answers.size} GETs, more than the limit of ${maxReplayed}`,
    {
      hint: 'keep only the lines that you need',
    },
  );
}

function toStub(
  { method, target, status, headers, body }: RecordedExchange,
  basePath: string,
): StubInput | undefined {
  if (method !== 'GET' || status < 200 || status > 599 || target.includes(mask)) return undefined;
  if (body !== null && !('text' in body)) return undefined;
  const kept = headers.filter(([name, value]) => !ownHeaders.test(name) && !value.includes(mask));
  const local = target.startsWith(`${basePath}/`) ? target.slice(basePath.length) : target;
  const [path = '', query = ''] = local.split(/\?(.*)/s, 2);
  return {
    // A target that ends in `?` matches only requests without a query.
    request: `GET ${path.replaceAll('*', '%2A')}?${query}`,
    status,
    headers: Object.fromEntries(kept),
    ...(body !== null && { body: body.text }),
  };
}
