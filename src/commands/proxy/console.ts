import type { Context } from '../../cli/context.js';
import type { BodyCopy, ProxiedExchange } from '../../proxy/exchange.js';
import type { ExchangeEntry } from '../../proxy/exchange-log.js';
import type { RawHeaders } from '../../proxy/headers.js';
import type { RunningProxy } from '../../proxy/proxy-server.js';
import type { Journal } from '../../server/journal/journal.js';
import type { Notify } from '../../server/journal/log.js';
import { openWatchConsole, type WatchConsole } from '../../server/watched.js';
import type { Refusal } from '../../signing/refusals/refusal.js';
import { ownProcessId } from '../../terminal/process/system.js';
import { chosenDataDirectory } from '../serve/options.js';

/** Opens a console for the exchanges in a proxy's journal. @throws UsageError if it cannot listen */
export async function openProxyConsole(
  port: number,
  { url, faults }: RunningProxy,
  upstream: string,
  { journal, notify }: { readonly journal: Journal | undefined; readonly notify: Notify },
  context: Context,
): Promise<WatchConsole | undefined> {
  if (journal === undefined) return undefined;
  const directory = chosenDataDirectory(undefined, context);
  // An unusable key ID is ignored here: the calls that need it report the error.
  const own = await context
    .settings()
    .keyId()
    .catch(() => undefined);
  const startedAt = new Date().toISOString();
  const facts = { url, upstream, keyId: own?.value ?? '', pid: ownProcessId(), startedAt };
  return openWatchConsole({ port, facts, faults, journal, notify, directory });
}

/** Adds an exchange to a journal, which masks secrets when it is read. */
export function noteExchange(
  journal: Journal,
  { milliseconds, keyId, fault, outcome, problem }: ExchangeEntry,
  { method, target, startedAt, requestHeaders, requestBody, response }: ProxiedExchange,
  refused: Refusal | undefined,
): void {
  const isOfClient = outcome === 'refused' || outcome === 'abandoned';
  const failure = problem && ({ check: isOfClient ? 'request' : 'server', reason: problem } as const);
  const refusal = refused ?? (failure || undefined);
  const exchange = {
    time: startedAt,
    method,
    target: target.toString('latin1'),
    status: response?.status,
    milliseconds,
    keyId,
    fault,
    rawHeaders: requestHeaders,
    ...toBody(requestBody, requestHeaders),
    ...(response && {
      response: { rawHeaders: response.headers, ...toBody(response.body, response.headers) },
    }),
  };
  journal.add(exchange, refusal && (() => refusal));
}

/** Records only the length of a body that is partial or has an unknown content coding. */
function toBody(copy: BodyCopy, headers: RawHeaders) {
  const body = copy.decode(headers);
  return body === undefined ? { body, unreadBytes: copy.length } : { body };
}
