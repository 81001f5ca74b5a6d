import type { Handlers } from '../../api/control/call-types.js';
import type { FaultState } from '../../api/faults/faults.js';
import type { ManagementConsole } from '../console/open-console.js';
import { type ControlDoor, callRoutes, controlHandler } from '../control/control-handler.js';
import { explainDetail } from '../control/explained.js';
import { journalStream } from '../control/journal-stream.js';
import { HttpError } from '../http/http-error.js';
import type { Handle } from '../http/listener.js';
import type { Journal } from '../journal/journal.js';

export interface WatchedProxy {
  readonly url: string;
  /** The base URL of the service behind the proxy. */
  readonly upstream: string;
  /** The ID of the profile's key; empty if there is none. */
  readonly keyId: string;
  readonly pid: number;
  readonly startedAt: string;
  readonly faults: () => readonly FaultState[];
}

export interface WatchControlOptions {
  readonly proxy: WatchedProxy;
  readonly journal: Journal;
  readonly management: () => Pick<ManagementConsole, 'url' | 'link'>;
}

/** The control API of a proxy. Refuses most calls, because a proxy does not control the service. */
export function watchControl(options: WatchControlOptions, door: ControlDoor): Handle {
  const { proxy, journal } = options;
  const refusal = () =>
    new HttpError(501, `this is a proxy in front of ${proxy.upstream}: it only shows requests`);
  const refuse = () => {
    throw refusal();
  };
  const handlers = { ...refuseControls(refuse), ...readingHandlers(options) };
  return controlHandler([...callRoutes(handlers), journalStream(journal, door)], door, refusal);
}

function readingHandlers({ proxy, journal, management }: WatchControlOptions) {
  const clock = () => ({ time: new Date().toISOString(), offset: 0 });
  return {
    'status.get': () => ({
      url: proxy.url,
      upstream: proxy.upstream,
      pid: proxy.pid,
      startedAt: proxy.startedAt,
      organization: '',
      keyId: proxy.keyId,
      console: management().url,
      clock: clock(),
      faults: proxy.faults(),
      stubs: [],
      rateLimit: null,
      savesProfiles: false,
      requests: journal.counts,
    }),
    'console.link': () => ({ console: management().link() }),
    'clock.get': clock,
    'faults.get': () => ({ faults: proxy.faults() }),
    'journal.list': ({ count = false, ...wanted }) =>
      count ? { count: journal.count(wanted) } : { entries: journal.entries(wanted) },
    async 'journal.get'(id) {
      const kept = journal.find(/^\d{1,15}$/.test(id) ? Number(id) : 0);
      if (kept === undefined) throw new HttpError(404, 'request not found in the journal');
      return explainDetail(kept, { url: proxy.url });
    },
  } satisfies Partial<Handlers>;
}

type Refused = Omit<Handlers, keyof ReturnType<typeof readingHandlers>>;

/** Lists the unsupported calls, so that the compiler finds a forgotten one. */
function refuseControls(refuse: () => never): Refused {
  return {
    'data.reset': refuse,
    'data.snapshot': refuse,
    'data.snapshots': refuse,
    'data.restore': refuse,
    'data.copy': refuse,
    'clock.set': refuse,
    'clock.advance': refuse,
    'faults.set': refuse,
    'faults.clear': refuse,
    'stubs.get': refuse,
    'stubs.set': refuse,
    'stubs.clear': refuse,
    'rateLimit.get': refuse,
    'rateLimit.set': refuse,
    'rateLimit.clear': refuse,
    'organizations.list': refuse,
    'quotas.get': refuse,
    'quotas.set': refuse,
    'requests.send': refuse,
    'keys.first': refuse,
    'keys.list': refuse,
    'keys.issue': refuse,
    'keys.disable': refuse,
    'keys.enable': refuse,
    'keys.rename': refuse,
    'keys.revoke': refuse,
    'profiles.save': refuse,
    'server.stop': refuse,
    'journal.clear': refuse,
    'signatures.check': refuse,
  };
}
