import type { Faults } from '../api/faults/faults.js';
import type { Store } from '../storage/store.js';
import type { RateLimiter } from './admission/rate-limiter.js';
import type { UsageRecorder } from './admission/usage-recorder.js';
import type { ManagementConsole } from './console/open-console.js';
import type { ServerClock } from './control/clock.js';
import type { Translation } from './dialect/translation.js';
import type { Listener, TlsIdentity } from './http/listener.js';
import type { Targets } from './http/url-space.js';
import type { Journal } from './journal/journal.js';
import type { Notify } from './journal/log.js';
import type { Recorder } from './journal/recorder.js';
import type { ServerOptions } from './options.js';
import type { Stubs } from './stubs.js';

export interface ServiceParts {
  readonly options: ServerOptions;
  readonly store: Store;
  readonly serverClock: ServerClock;
  readonly notify: Notify;
  readonly dialect: Translation | undefined;
  readonly tls: TlsIdentity | undefined;
  /** The first organization. */
  readonly organization: string;
}

/** A running service: everything that answers its requests. */
export interface Service extends ServiceParts {
  /** The scheme of this server's URLs. */
  readonly protocol: 'http' | 'https';
  /** Milliseconds since the epoch, by the server's clock. */
  readonly clock: () => number;
  /** In seconds. */
  readonly maxSkew: number;
  readonly faults: Faults;
  readonly stubs: Stubs;
  readonly rateLimiter: RateLimiter;
  readonly usage: UsageRecorder;
  readonly journal: Journal;
  readonly recorder: Recorder;
  readonly targets: Targets;
  /** Logs an error that nobody expects. */
  readonly report: (error: unknown) => void;
  readonly listener: Listener;
  /** Once it is open. */
  console: ManagementConsole | undefined;
}
