import type { Context } from '../../cli/context.js';
import { ExchangeLog } from '../../proxy/explain/exchange-log.js';
import type { ProxyOptions } from '../../proxy/proxy-server.js';
import { ExplainingBudget } from '../../signing/refusals/explaining-budget.js';
import { openExchangeLines } from './exchange-lines.js';
import { openKnownKeys } from './known-keys.js';

/** Who looks at the exchanges of a proxy. */
export interface Watch extends Required<Pick<ProxyOptions, 'observers' | 'kept'>> {
  /** Waits for what is still to be told. */
  close(): Promise<void>;
}

/** For the signature of a request its whole body is needed, of a refusal the beginning. */
const keptToExplain = { request: 1024 * 1024, response: 4096 };

/** Opens the log of a proxy, with the reasons of refusals. */
export function openWatch(
  origin: string,
  isJson: boolean,
  context: Pick<Context, 'system' | 'settings' | 'profiles' | 'flags'>,
): Watch {
  const lines = openExchangeLines(context, isJson);
  const budget = new ExplainingBudget(() => performance.now());
  const log = new ExchangeLog({ origin, budget, findKey: openKnownKeys(context) }, (entry) =>
    lines.log(entry),
  );
  return {
    observers: [(exchange) => log.observe(exchange)],
    kept: keptToExplain,
    async close() {
      await log.settle();
      lines.close();
    },
  };
}
