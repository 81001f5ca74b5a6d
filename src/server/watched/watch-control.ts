import type { FaultState } from '../../api/faults/faults.js';
import { readingCalls } from '../control/calls.js';
import { type ControlDoor, callRoutes, controlHandler } from '../control/control-handler.js';
import type { Watched } from '../control/controlled.js';
import { journalRoute } from '../control/journal-stream.js';
import { HttpError } from '../http/http-error.js';
import type { Handle } from '../http/listener.js';

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

/** The control API of a proxy. Refuses most calls, because a proxy does not control the service. */
export function watchControl(
  proxy: WatchedProxy,
  {
    journal,
    consoleUrl,
    consoleLink,
  }: Pick<Watched, 'journal' | 'consoleLink'> & { readonly consoleUrl: () => string },
  door: ControlDoor,
): Handle {
  const { url, upstream, keyId, pid, startedAt, faults } = proxy;
  const watched: Watched = {
    journal,
    consoleLink,
    facts: () => ({
      ...{ url, upstream, pid, startedAt, organization: '', keyId, console: consoleUrl() },
      ...{ stubs: [], rateLimit: null, savesProfiles: false },
    }),
    clockState: () => ({ time: new Date().toISOString(), offset: 0 }),
    faultStates: faults,
  };
  const refuse = () => new HttpError(501, `this is a proxy in front of ${upstream}: it only shows requests`);
  return controlHandler([...callRoutes(readingCalls, watched), journalRoute(journal, door)], door, refuse);
}
