import type { CallName } from '../../api/control/calls.js';
import { readInput } from '../../api/schema/schema.js';
import { UsageError } from '../../errors/errors.js';
import { calls } from './calls.js';
import type { Control } from './control.js';
import type { Run } from './control-handler.js';
import type { Controlled } from './controlled.js';

type Answered<Name extends CallName> = Awaited<ReturnType<(typeof calls)[Name]>>;

const runs: { readonly [Name in CallName]: Run<Controlled, Answered<Name>> } = calls;

export function openControl(place: Controlled): Control {
  const run = async <Name extends CallName>(name: Name, input: object = {}): Promise<Answered<Name>> => {
    if (place.isClosed() && !name.startsWith('journal.'))
      throw new UsageError('this server is closed', { hint: 'start another with startServer()' });
    return runs[name](place, (schema) => readInput(`control.${name}`, schema, input));
  };
  return {
    reset: async () => void (await run('data.reset')),
    snapshot: async () => (await run('data.snapshot')).snapshot,
    restore: async (snapshot) => void (await run('data.restore', { snapshot })),
    consoleLink: async () => (await run('console.link')).console,
    organizations: {
      list: async () => (await run('organizations.list')).organizations,
      create: (wanted) => run('organizations.create', wanted),
    },
    clock: {
      get: () => run('clock.get'),
      set: (time) => run('clock.set', { time: time instanceof Date ? time.getTime() : time }),
      advance: (by) => run('clock.advance', { by }),
    },
    faults: {
      get: async () => (await run('faults.get')).faults,
      set: async (rules) => (await run('faults.set', { rules })).faults,
    },
    stubs: {
      get: async () => (await run('stubs.get')).stubs,
      set: async (stubs) => (await run('stubs.set', { stubs })).stubs,
    },
    quotas: {
      get: (organization) => run('quotas.get', { organization }),
      set: (limits, organization) => run('quotas.set', { limits, organization }),
    },
    keys: {
      list: async (organization) => (await run('keys.list', { organization })).keys,
      issue: (key) => run('keys.issue', key),
      disable: (id) => run('keys.disable', { id }),
      enable: (id) => run('keys.enable', { id }),
      revoke: (id) => run('keys.revoke', { id }),
    },
    journal: {
      get: async (query) => (await run('journal.list', query)).entries ?? [],
      count: async (filter) => (await run('journal.list', { ...filter, count: true })).count ?? 0,
      clear: () => run('journal.clear'),
    },
  };
}
