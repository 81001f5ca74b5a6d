import { Faults } from '../api/faults/faults.js';
import { readMessage } from '../errors/errors.js';
import { defaultMaxSkew } from '../signing/hmac/timestamp.js';
import type { Store } from '../storage/store.js';
import { rateLimiter } from './admission/rate-limiter.js';
import type { ServerClock } from './control/clock.js';
import type { Translation } from './dialect/open-dialect.js';
import { defaultLimits } from './http/connections.js';
import { corsHeaders } from './http/head.js';
import { Listener, type ListenerOptions, type TlsIdentity } from './http/listener.js';
import { isServiceTarget, ownTargets } from './http/url-space.js';
import { Journal } from './journal/journal.js';
import { type Notify, requestRecorder } from './journal/log.js';
import type { ServerOptions } from './options.js';
import { openStubs } from './stubs.js';

interface ServiceParts {
  readonly options: ServerOptions;
  readonly store: Store;
  readonly serverClock: ServerClock;
  readonly notify: Notify;
  readonly dialect: Translation | undefined;
  readonly tls: TlsIdentity | undefined;
  /** The first organization. */
  readonly organization: string;
}

/** Everything that answers requests. */
export type Service = ReturnType<typeof openService>;

export function openService(parts: ServiceParts, handle: ListenerOptions['handle']) {
  const { options, store, notify, dialect, tls, serverClock } = parts;
  const clock = serverClock.now;
  const journal = new Journal(clock);
  const record = requestRecorder(journal, options.onLog, options.logged);
  const listener = new Listener({
    ...{ tls, clock, notify, handle, limits: { ...defaultLimits, ...options.limits } },
    finish(headers, request) {
      if (options.cors !== undefined) headers.push(...corsHeaders(request, options.cors));
      dialect?.spell(headers);
    },
    onBroken: (refusal) => record({ ...unreadable, time: clock(), status: refusal.statusCode }, refusal),
  });
  return {
    ...parts,
    ...{ clock, journal, record, listener },
    /** In seconds. */
    maxSkew: options.maxSkew ?? defaultMaxSkew,
    faults: new Faults(options.faults, isServiceTarget),
    stubs: openStubs(options.stubs),
    rateLimiter: rateLimiter(options.rateLimit, clock, store.rateWindows),
    usage: usageRecorder(store, clock, notify),
    targets: dialect?.targets ?? ownTargets,
  };
}

/** Stands for a request that could not be parsed. */
const unreadable = { method: '-', target: '-', milliseconds: 0, rawHeaders: [] };

/** Milliseconds. */
const usageDelay = 1000;

/** Stores in the background when keys were last used. After a failure, tries again at the next use. */
function usageRecorder({ apiKeys }: Store, clock: () => number, notify: Notify) {
  let timer: NodeJS.Timeout | undefined;
  let written = Promise.resolve();
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const report = (error: unknown) => notify('error', readMessage(error));
    written = written.then(() => apiKeys.writeUses()).catch(report);
    return written;
  };
  return {
    record(keyId: string): void {
      apiKeys.noteUse(keyId, clock());
      timer ??= setTimeout(() => void flush(), usageDelay).unref();
    },
    flush,
  };
}
