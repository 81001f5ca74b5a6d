import type { Fault } from './fault.js';

export const pageFaults: readonly Fault[] = [
  {
    name: 'page: an edit goes to the first organization',
    find: 'await calls.update(item.id, body, owner)',
    replace: 'await calls.update(item.id, body, undefined)',
    tests: ['test/console/targets'],
  },
  {
    name: 'page: something new goes to the first organization',
    find: 'await calls.create(body, owner)',
    replace: 'await calls.create(body, undefined)',
    tests: ['test/console/targets'],
  },
  {
    name: 'page: a deletion goes to the first organization',
    find: 'await calls.delete(item.id, owner);',
    replace: 'await calls.delete(item.id, undefined);',
    tests: ['test/console/targets'],
  },
  {
    name: 'page: the keys are those of all organizations',
    find: 'useLoaded(() => api.keys.list(owner), [owner], keysInterval)',
    replace: 'useLoaded(() => api.keys.list(), [owner], keysInterval)',
    tests: ['test/console/targets'],
  },
  {
    name: 'page: the newest snapshot is restored',
    find: 'const { snapshot } = restored.peek() ??',
    replace: 'const { snapshot } = snapshots.value.peek()?.at(-1) ??',
    tests: ['test/console/targets'],
  },
  {
    name: 'page: a late answer is shown over a newer one',
    find: 'const isLast = () => asked === last.current;',
    replace: 'const isLast = () => asked <= last.current;',
    tests: ['test/console/targets'],
  },
  {
    name: 'page: rows stay as they were after an action',
    find: 'await Promise.all([list.reload(), loadOrganizations()]);',
    replace: 'await loadOrganizations();',
    tests: ['test/console/targets'],
  },
  {
    name: 'page: a key is revoked by the first letters of its name',
    find: 'isReady={typed.value === name}',
    replace: "isReady={typed.value !== '' && name.startsWith(typed.value)}",
    tests: ['test/console/actions'],
  },
  {
    name: 'page: there is a next page after the last',
    find: 'disabled={page >= pages}',
    replace: 'disabled={page > pages}',
    tests: ['test/console/actions'],
  },
  {
    name: 'page: a page beyond the end stays empty',
    find: 'if (page > 1 && page > pages)',
    replace: 'if (page > 1 && page > pages + 1000)',
    tests: ['test/console/actions'],
  },
];
