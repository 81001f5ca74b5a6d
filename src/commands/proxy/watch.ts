import { resolve } from 'node:path';
import type { Context } from '../../cli/context.js';
import { readMessage } from '../../errors/errors.js';
import { type ResolvedSettings, settingsOfProfile } from '../../profiles/resolve.js';
import type { Observer } from '../../proxy/exchange.js';
import { logExchanges } from '../../proxy/exchange-log.js';
import type { KnownKey } from '../../proxy/explain-exchange.js';
import type { Notify } from '../../server/journal/log.js';
import { ExplainingBudget } from '../../signing/refusals/refusal.js';
import type { BaseUrl } from '../../text/base-url.js';
import { openLog } from '../serve/log.js';

interface WatchOptions {
  readonly baseUrl: BaseUrl;
  readonly isJson: boolean;
  readonly record: string | undefined;
  readonly hasJournal: boolean;
}

/** Bytes of a response to keep: enough for the error in it. A recording keeps more. */
const keptToExplain = 16_384;

/** Opens a proxy's log on stderr, its journal and its recording. @throws UsageError for a bad recording */
export async function openWatch(
  { baseUrl: { origin, prefix }, isJson, record, hasJournal }: WatchOptions,
  context: Context,
) {
  const lines = await openLog(isJson, context);
  const notify: Notify = (event, message) =>
    lines.log({ event, time: new Date(context.clock()).toISOString(), message });
  const kept = hasJournal ? await import('./console.js') : undefined;
  const journal = hasJournal ? new (await import('../../server/journal/journal.js')).Journal() : undefined;
  const explaining = { origin, budget: new ExplainingBudget(), findKey: openKnownKeys(context) };
  const log = logExchanges(explaining, (entry, exchange, refusal) => {
    lines.log(entry);
    if (journal !== undefined) kept?.noteExchange(journal, entry, exchange, refusal);
  });
  const recorder = record === undefined ? undefined : await import('../../proxy/recording.js');
  const path = resolve(context.system.cwd(), record ?? '');
  const complain = (message: string) => notify('error', message);
  const recording = recorder?.openRecording(path, `${origin}${prefix}`, complain);
  const observers: Observer[] = [];
  if (hasJournal || !context.flags().quiet) observers.push((exchange) => log.observe(exchange));
  if (recording) observers.push((exchange) => recording.observe(exchange));
  return {
    observers,
    keptResponse: recording ? undefined : keptToExplain,
    journal,
    notify,
    async close() {
      await log.settle();
      recording?.close();
      lines.close();
    },
  };
}

/** Looks for a key ID in the effective settings, then in all profiles. Reads each secret on first use. */
function openKnownKeys(context: Context): (keyId: string) => Promise<KnownKey | undefined> {
  const found = new Map<string, KnownKey>();
  const findKey = async (keyId: string): Promise<KnownKey | undefined> => {
    const settings = context.settings();
    const own = await settings.keyId();
    if (own?.value === keyId) {
      const { kind, name } = own.source;
      return readSecret(kind === 'profile' ? `profile "${name}"` : name, settings);
    }
    const { profiles } = await context.profiles().read();
    const [name, profile] = Object.entries(profiles).find(([, stored]) => stored.keyId === keyId) ?? [];
    if (name === undefined || profile === undefined) return undefined;
    return readSecret(`profile "${name}"`, settingsOfProfile(name, profile, context));
  };
  return async (keyId) => {
    try {
      const key = found.get(keyId) ?? (await findKey(keyId));
      // Caches only keys that it finds: clients can send any number of other IDs.
      if (key !== undefined) found.set(keyId, key);
      return key;
    } catch (error) {
      return { owner: 'the settings', problem: readMessage(error) };
    }
  };
}

async function readSecret(owner: string, settings: ResolvedSettings): Promise<KnownKey> {
  try {
    return { owner, secret: (await settings.credential()).secret };
  } catch (error) {
    return { owner, problem: readMessage(error) };
  }
}
