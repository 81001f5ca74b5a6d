import { type Api, createApi } from '../client/api.js';
import { openDispatcher } from '../client/network/dispatcher.js';
import type { ClockSkew } from '../client/transport/exchanger.js';
import { createTransport } from '../client/transport/transport.js';
import type { ResolvedSettings } from '../profiles/resolve.js';
import type { Flags } from '../profiles/settings/settings.js';
import type { Streams } from '../terminal/output/streams.js';
import type { System } from '../terminal/process/system.js';
import { traceLine } from '../terminal/text/message-line.js';

interface ApiContext {
  readonly system: System;
  readonly streams: Streams;
  readonly signal: AbortSignal;
  clock(): number;
  flags(): Flags;
  note(text: string): Promise<void>;
}

export interface ApiOptions {
  /** The address may be mistyped, so failures that only another address would fix are not retried. */
  readonly isTrial?: boolean;
}

/** Each service has its own connections; all share what is known of clocks. */
export function apiOpener(
  context: ApiContext,
): (settings: ResolvedSettings, options?: ApiOptions) => Promise<Api> {
  const skews = new Map<string, ClockSkew>();
  return async (settings, { isTrial: failsFast = false } = {}) => {
    const { baseUrl, caFile, ...service } = await settings.service();
    const { origin, prefix } = baseUrl;
    const skew = skews.get(origin) ?? { milliseconds: 0 };
    skews.set(origin, skew);
    const { env } = context.system;
    const dispatcher = openDispatcher({ origin, caFile, connectTimeout: service.timeout, env });
    return createApi(
      createTransport({ ...service, ...sharedOptions(context), failsFast, dispatcher, origin, prefix, skew }),
    );
  };
}

function sharedOptions({ clock, signal, note, flags, streams }: ApiContext) {
  const trace = (line: string) => void streams.stderr.write(traceLine(line));
  return {
    clock,
    signal,
    note,
    trace: flags().verbose ? trace : undefined,
  };
}
