import { limitsSchema } from '../../api/control/chosen-values.js';
import type { Filling } from '../../storage/contents.js';
import type { Store } from '../../storage/store.js';
import { durationExamples, parseDuration } from '../../text/duration.js';
import type { RequestLimiter } from '../admission/rate-limiter.js';
import type { UsageRecorder } from '../admission/usage-recorder.js';
import { listProfileKeys } from '../data/profile-keys.js';
import { chooseWriter } from '../explain/command-writer.js';
import { badRequest, HttpError } from '../http/http-error.js';
import { conforming } from '../http/json-body.js';
import { defaultLimits } from '../http/limits.js';
import { ownTargets, type Targets } from '../http/url-space.js';
import { loadPart } from '../late/load-part.js';
import type { TlsIdentity } from '../listening/http-server.js';
import type { ServerOptions } from '../options/server-options.js';
import { controlClock } from './clock.js';
import type {
  ConsoleInvitation,
  Control,
  ControlledFaults,
  ControlledRateLimit,
  ControlledStatus,
  ControlledStubs,
} from './control.js';
import { explainDetail } from './explained.js';
import { controlKeys, requireOrganization } from './keys.js';
import { requireOpen } from './require-open.js';
import { controlSignatures } from './signatures.js';
import { Snapshots } from './snapshots.js';
import type { TestControls } from './test-controls.js';

interface ConsoleDoor {
  link(): string;
  invite(): ConsoleInvitation;
}

export interface Controlled {
  readonly store: Store;
  readonly usage: UsageRecorder;
  readonly testControls: TestControls;
  readonly maxSkew: number;
  readonly options: Pick<ServerOptions, 'limits' | 'writeCommand' | 'renewProfile'>;
  readonly content: () => Filling;
  readonly organization: string;
  readonly dialect?: { readonly targets: Targets } | undefined;
  readonly facts: () => ServerFacts;
  readonly tls?: TlsIdentity | undefined;
  readonly console: () => ConsoleDoor | undefined;
  readonly releases: readonly unknown[];
}

export type ServerFacts = Omit<ControlledStatus, 'clock' | 'faults' | 'stubs' | 'rateLimit' | 'requests'>;

function toDestination({ url, ...facts }: ServerFacts): ServerFacts {
  return { ...facts, url: new URL(url).origin };
}

function requireDoor(controlled: Controlled): ConsoleDoor {
  const door = controlled.console();
  if (door === undefined) throw new HttpError(404, 'this server has no management console');
  return door;
}

export function makeControl(controlled: Controlled): Control {
  const { store, testControls, organization, releases } = controlled;
  const isClosed = () => releases.length === 0;
  const { quotas } = store;
  const clock = controlClock(testControls.clock);
  const control: Control = {
    ...dataControl(controlled),
    status: async () => ({
      ...controlled.facts(),
      clock: await clock.get(),
      faults: testControls.faults.get(),
      stubs: testControls.stubs.get().map(({ request, status, hits }) => ({ request, status, hits })),
      rateLimit: testControls.rateLimiter.limit ?? null,
      requests: testControls.journal.counts,
    }),
    consoleLink: async () => requireDoor(controlled).link(),
    consoleInvitation: async () => requireDoor(controlled).invite(),
    organizations: () => store.organizations.list(),
    clock,
    faults: controlFaults(testControls),
    stubs: controlStubs(testControls),
    rateLimit: controlRateLimit(testControls.rateLimiter),
    quotas: requireOpen(
      {
        async get(of = organization) {
          await requireOrganization(store, of);
          return quotas.of(of);
        },
        async set(limits, of = organization) {
          const checked = conforming(limitsSchema, limits);
          await requireOrganization(store, of);
          return quotas.setLimits(of, checked);
        },
      },
      isClosed,
    ),
    keys: requireOpen(controlKeys(store, organization), isClosed),
    journal: {
      get: async (query) => testControls.journal.entries(query),
      count: async (filter) => testControls.journal.count(filter),
      follow: (options) => testControls.journal.follow(options),
      async find(id) {
        const kept = testControls.journal.find(id);
        if (kept === undefined) throw new HttpError(404, 'request not found in the journal');
        return explainDetail(kept, toDestination(controlled.facts()));
      },
      clear: async () => testControls.journal.clear(),
    },
    requests: requireOpen(
      {
        // Loads the code on demand: most servers never send a request.
        send: async (request) => {
          const { sendRequest } = await loadPart(() => import('./send-request.js'));
          return sendRequest(request, controlled);
        },
      },
      isClosed,
    ),
    signatures: requireOpen(
      controlSignatures({
        store,
        clock: testControls.clock.now,
        writeCommand: chooseWriter(controlled.options),
        maxSkew: controlled.maxSkew,
        destination: () => toDestination(controlled.facts()),
        targets: controlled.dialect?.targets ?? ownTargets,
      }),
      isClosed,
    ),
  };
  return requireOpen(control, isClosed, ['organizations', 'reset', 'restore', 'snapshot']);
}

function dataControl({
  store,
  usage,
  testControls,
  content,
  options,
  facts,
  organization,
}: Controlled): Pick<Control, 'reset' | 'snapshot' | 'restore' | 'snapshots'> {
  const snapshots = new Snapshots(store.contents, { ...defaultLimits, ...options.limits });
  const profileKeys = listProfileKeys(store, organization);
  return {
    async reset() {
      // Uses of old keys must not be recorded in the new data.
      await usage.flush();
      testControls.clock.reset();
      // Before the data is replaced, because a failure claims that nothing was changed.
      await testControls.rateLimiter.reset();
      await store.contents.replace(content());
      testControls.faults.reset();
      testControls.stubs.reset();
      testControls.journal.clear();
      await options.renewProfile?.(facts().url, profileKeys);
    },
    async snapshot() {
      await usage.flush();
      return snapshots.take(testControls.clock.now);
    },
    async restore(name) {
      const taken = snapshots.contentOf(name);
      await usage.flush();
      await store.contents.replace(taken);
      await options.renewProfile?.(facts().url, profileKeys);
    },
    snapshots: async () => snapshots.list(),
  };
}

function controlFaults({ faults }: TestControls): ControlledFaults {
  return {
    get: async () => faults.get(),
    async set(rules) {
      faults.set(rules);
      return faults.get();
    },
    clear: async () => faults.clear(),
  };
}

function controlStubs({ stubs }: TestControls): ControlledStubs {
  return {
    get: async () => stubs.get(),
    async set(wanted) {
      stubs.set(wanted);
      return stubs.get();
    },
    clear: async () => stubs.clear(),
  };
}

function controlRateLimit(limiter: RequestLimiter): ControlledRateLimit {
  return {
    get: async () => limiter.limit,
    async set({ requests, window }) {
      if (!Number.isInteger(requests) || requests < 1)
        throw badRequest('requests must be an integer of 1 or more');
      limiter.limit = { requests, window: parseWindow(window) };
      return limiter.limit;
    },
    async clear() {
      limiter.limit = undefined;
    },
  };
}

export function parseWindow(window: number | string): number {
  const milliseconds = typeof window === 'number' ? window : parseDuration(window);
  if (milliseconds !== undefined && milliseconds > 0 && Number.isFinite(milliseconds)) return milliseconds;
  throw badRequest(`window must be a duration such as ${durationExamples}, or milliseconds`);
}
