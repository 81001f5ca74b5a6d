import type { Content } from '../../storage/contents.js';
import type { Store } from '../../storage/store.js';
import { HttpError } from '../pipeline/http-error.js';
import type { UsageRecorder } from '../pipeline/usage-recorder.js';
import { controlClock } from './clock.js';
import type { Control, ControlledFaults, ControlledStatus } from './control.js';
import { detailOf } from './explained.js';
import { controlKeys, requireOrganization } from './keys.js';
import type { Lab } from './lab.js';
import { controlRateLimit } from './rate-limit.js';
import { controlSignatures } from './signatures.js';

/** What control is exercised over. */
export interface Controlled {
  readonly store: Store;
  readonly usage: UsageRecorder;
  readonly lab: Lab;
  /** Seconds by which a timestamp may differ from the clock. */
  readonly maxSkew: number;
  /** What a reset makes. */
  readonly content: () => Content;
  /** The first organization. */
  readonly organization: string;
  /** What is said of the server that does not change while it runs; asked when it is. */
  readonly facts: () => ServerFacts;
  /** A fresh link to the console; `undefined` where there is none. */
  readonly consoleLink: () => string | undefined;
}

export type ServerFacts = Omit<ControlledStatus, 'clock' | 'faults' | 'rateLimit' | 'requests'>;

/** Everything that can be done to a running server. */
export function openControl(controlled: Controlled): Control {
  const { store, lab, organization } = controlled;
  const { quotas } = store;
  const clock = controlClock(lab.clock);
  return {
    ...dataControl(controlled),
    status: () => ({
      ...controlled.facts(),
      clock: clock.get(),
      faults: lab.faults.get(),
      rateLimit: lab.rateLimiter.limit ?? null,
      requests: lab.journal.counts,
    }),
    consoleLink() {
      const link = controlled.consoleLink();
      if (link === undefined) throw new HttpError(404, 'This server has no management console');
      return link;
    },
    organizations: () => store.organizations.list(),
    clock,
    faults: controlFaults(lab),
    rateLimit: controlRateLimit(lab.rateLimiter),
    quotas: {
      async get(of = organization) {
        await requireOrganization(store, of);
        return quotas.of(of);
      },
      async set(limits, of = organization) {
        await requireOrganization(store, of);
        return quotas.setLimits(of, limits);
      },
    },
    keys: controlKeys(store, organization),
    journal: {
      get: (query) => lab.journal.entries(query),
      count: (filter) => lab.journal.count(filter),
      follow: (options) => lab.journal.follow(options),
      async find(id) {
        const kept = lab.journal.find(id);
        if (kept === undefined) throw new HttpError(404, 'There is no such request in the journal');
        return detailOf(kept, controlled.facts());
      },
      clear: () => lab.journal.clear(),
    },
    signatures: controlSignatures({
      store,
      clock: lab.clock.now,
      maxSkew: controlled.maxSkew,
      destination: controlled.facts,
    }),
  };
}

/** Snapshots that are kept; beyond, the oldest gives way. */
const keptSnapshots = 100;

interface Snapshot {
  readonly content: Content;
  readonly time: string;
}

function dataControl({
  store,
  usage,
  lab,
  content,
}: Controlled): Pick<Control, 'reset' | 'snapshot' | 'restore' | 'snapshots'> {
  const snapshots = new Map<string, Snapshot>();
  let taken = 0;
  return {
    async reset() {
      // Uses from before must not be recorded on the data that replaces it.
      await usage.flush();
      lab.clock.reset();
      await store.contents.replace(content());
      lab.faults.reset();
      await lab.rateLimiter.reset();
      lab.journal.clear();
    },
    async snapshot() {
      await usage.flush();
      const content = await store.contents.read();
      taken += 1;
      const name = `snapshot_${taken}`;
      snapshots.set(name, { content, time: new Date(lab.clock.now()).toISOString() });
      if (taken > keptSnapshots) snapshots.delete(`snapshot_${taken - keptSnapshots}`);
      return name;
    },
    async restore(name) {
      const taken = snapshots.get(name);
      if (taken === undefined) throw new HttpError(404, 'There is no such snapshot');
      await usage.flush();
      await store.contents.replace(taken.content);
    },
    snapshots: () => [...snapshots].map(([snapshot, { time }]) => ({ snapshot, time })),
  };
}

function controlFaults({ faults }: Lab): ControlledFaults {
  return {
    get: () => faults.get(),
    set(rules) {
      faults.set(rules);
      return faults.get();
    },
    clear: () => faults.clear(),
  };
}
