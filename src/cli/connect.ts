import { type Api, createApi } from '../client/api.js';
import { openSender } from '../client/network/direct-sender.js';
import type { Forms } from '../client/reading/forms.js';
import type { ClockSkew } from '../client/transport/attempt.js';
import { createTransport } from '../client/transport/transport.js';
import { ConfigError } from '../errors/errors.js';
import type { ResolvedSettings } from '../profiles/resolve.js';
import { describeSource, type Flags, type Sourced } from '../profiles/settings/settings.js';
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
  /** Does not retry errors such as an unknown host, because the address may be mistyped. */
  readonly isTrial?: boolean;
}

/** APIs of the same origin share the measured clock skew, but not connections. */
export function apiOpener(
  context: ApiContext,
): (settings: Pick<ResolvedSettings, 'service'>, options?: ApiOptions) => Promise<Api> {
  const skews = new Map<string, ClockSkew>();
  return async (settings, { isTrial: failsFast = false } = {}) => {
    const { baseUrl, caFile, dialect, ...service } = await settings.service();
    const forms = await readForms(dialect);
    const { origin, prefix } = baseUrl;
    const skew = skews.get(origin) ?? { milliseconds: 0 };
    skews.set(origin, skew);
    const { env } = context.system;
    const sender = openSender({ origin, caFile, env });
    return createApi(
      createTransport({
        ...service,
        ...sharedOptions(context),
        failsFast,
        sender,
        origin,
        prefix,
        skew,
        forms,
      }),
    );
  };
}

/** @throws ConfigError for an invalid dialect */
export async function readForms(dialect: Sourced<unknown> | undefined): Promise<Forms | undefined> {
  if (dialect === undefined) return undefined;
  const { pinForms } = await import('../client/reading/pinned-forms.js');
  const pinned = pinForms(dialect.value);
  if ('forms' in pinned) return pinned.forms;
  const { source } = dialect;
  throw new ConfigError(`the dialect of ${describeSource(source)} is invalid: ${pinned.misfit}`, {
    hint: `remove it: orgctl profile set ${source.name} --dialect none`,
  });
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
