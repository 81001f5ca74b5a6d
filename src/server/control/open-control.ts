import { limitsSchema } from '../../api/control/chosen-values.js';
import type { Filling } from '../../storage/contents.js';
import { durationExamples, parseDuration } from '../../text/duration.js';
import type { RateLimiter } from '../admission/rate-limiter.js';
import type { ManagementConsole } from '../console/open-console.js';
import { listProfileKeys } from '../data/profile-keys.js';
import { badRequest, HttpError } from '../http/http-error.js';
import { conforming } from '../http/json-body.js';
import { defaultLimits } from '../http/limits.js';
import type { Service } from '../service.js';
import { controlClock } from './clock.js';
import type {
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

export interface Controlled {
  readonly service: Service;
  readonly content: () => Filling;
  readonly facts: () => ServerFacts;
  readonly releases: readonly unknown[];
}

export type ServerFacts = Omit<ControlledStatus, 'clock' | 'faults' | 'stubs' | 'rateLimit' | 'requests'>;

function toDestination({ url, ...facts }: ServerFacts): ServerFacts {
  return { ...facts, url: new URL(url).origin };
}

function requireConsole({ service }: Controlled): ManagementConsole {
  if (service.console === undefined) throw new HttpError(404, 'this server has no management console');
  return service.console;
}

export function makeControl(controlled: Controlled): Control {
  const { service, releases } = controlled;
  const { store, organization } = service;
  const isClosed = () => releases.length === 0;
  const { quotas } = store;
  const clock = controlClock(service.serverClock);
  const control: Control = {
    ...dataControl(controlled),
    status: async () => ({
      ...controlled.facts(),
      clock: await clock.get(),
      faults: service.faults.get(),
      stubs: service.stubs.get().map(({ request, status, hits }) => ({ request, status, hits })),
      rateLimit: service.rateLimiter.limit ?? null,
      requests: service.journal.counts,
    }),
    consoleLink: async () => requireConsole(controlled).link(),
    organizations: () => store.organizations.list(),
    clock,
    faults: controlFaults(service),
    stubs: controlStubs(service),
    rateLimit: controlRateLimit(service.rateLimiter),
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
      get: async (query) => service.journal.entries(query),
      count: async (filter) => service.journal.count(filter),
      follow: (options) => service.journal.follow(options),
      async find(id) {
        const kept = service.journal.find(id);
        if (kept === undefined) throw new HttpError(404, 'request not found in the journal');
        return explainDetail(kept, toDestination(controlled.facts()));
      },
      clear: async () => service.journal.clear(),
    },
    requests: requireOpen(
      {
        // Loads the code on demand: most servers never send a request.
        send: async (request) => {
          const { sendRequest } = await import('./send-request.js');
          return sendRequest(request, service, controlled.facts);
        },
      },
      isClosed,
    ),
    signatures: requireOpen(
      controlSignatures({
        ...service,
        destination: () => toDestination(controlled.facts()),
      }),
      isClosed,
    ),
  };
  return requireOpen(control, isClosed, ['organizations', 'reset', 'restore', 'snapshot']);
}

function dataControl({
  service,
  content,
  facts,
}: Controlled): Pick<Control, 'reset' | 'snapshot' | 'restore' | 'snapshots'> {
  const { store, usage, options, organization, serverClock } = service;
  const snapshots = new Snapshots(store.contents, { ...defaultLimits, ...options.limits });
  const profileKeys = listProfileKeys(store, organization);
  return {
    async reset() {
      // Uses of old keys must not be recorded in the new data.
      await usage.flush();
      serverClock.reset();
      // Before the data is replaced, because a failure claims that nothing was changed.
      await service.rateLimiter.reset();
      await store.contents.replace(content());
      service.faults.reset();
      service.stubs.reset();
      service.journal.clear();
      await options.renewProfile?.(facts().url, profileKeys);
    },
    async snapshot() {
      await usage.flush();
      return snapshots.take(serverClock.now);
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

function controlFaults({ faults }: Service): ControlledFaults {
  return {
    get: async () => faults.get(),
    async set(rules) {
      faults.set(rules);
      return faults.get();
    },
    clear: async () => faults.clear(),
  };
}

function controlStubs({ stubs }: Service): ControlledStubs {
  return {
    get: async () => stubs.get(),
    async set(wanted) {
      stubs.set(wanted);
      return stubs.get();
    },
    clear: async () => stubs.clear(),
  };
}

function controlRateLimit(limiter: RateLimiter): ControlledRateLimit {
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
