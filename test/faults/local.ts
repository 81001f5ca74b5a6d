import type { Fault } from './fault.js';

export const localFaults: readonly Fault[] = [
  {
    name: 'local keys issue: --organization is ignored',
    find: 'control.keys.issue({ name, organization })',
    replace: 'control.keys.issue({ name })',
    tests: ['test/commands/targets'],
  },
  {
    name: 'local keys issue: --name is ignored',
    find: 'control.keys.issue({ name, organization })',
    replace: 'control.keys.issue({ organization })',
    tests: ['test/commands/targets'],
  },
  {
    name: 'local keys list: --organization is ignored',
    find: 'control.keys.list(organization)',
    replace: 'control.keys.list(undefined)',
    tests: ['test/commands/targets'],
  },
  {
    name: 'local quotas set: --organization is ignored',
    find: 'withControl(flags, context, (control) => control.quotas.set(limits, organization)',
    replace: 'withControl(flags, context, (control) => control.quotas.set(limits)',
    tests: ['test/commands/targets'],
  },
  {
    name: 'local logs: --key is ignored',
    find: '    key,\n    method,\n    path,\n    status,\n    since,\n    ...(refused',
    replace: '    method,\n    path,\n    status,\n    since,\n    ...(refused',
    tests: ['test/commands/targets'],
  },
  {
    name: 'local logs: --refused is ignored',
    find: "    ...(refused && { refused: 'true' }),\n",
    replace: '',
    tests: ['test/commands/local.test'],
  },
  {
    name: 'local logs: --limit is ignored',
    find: '    limit: limit ?? (follow ? shownBeforeFollowing : undefined),',
    replace: '    limit: follow ? shownBeforeFollowing : undefined,',
    tests: ['test/commands/targets'],
  },
  {
    name: 'local logs --follow: it starts without a tail of 10',
    find: '    limit: limit ?? (follow ? shownBeforeFollowing : undefined),',
    replace: '    limit,',
    tests: ['test/commands/local.test'],
  },
  {
    name: 'local: ORGCTL_CONTROL_URL wins over --data',
    find: '  if (data === undefined && token !== undefined) return',
    replace: '  if (token !== undefined) return',
    tests: ['test/commands/targets'],
  },
  {
    name: 'local: the token goes to another machine',
    find: '!isLoopback(url.hostname)) {\n    throw new ConfigError(\n      `${source}',
    replace: "url.hostname === '') {\n    throw new ConfigError(\n      `${source}",
    tests: ['test/commands/local.test', 'test/verbs'],
  },
  {
    name: 'local: a name that two keys have means the first',
    find: '  if (first !== undefined && others.length === 0) return first.id;',
    replace: '  if (first !== undefined && others.length >= 0) return first.id;',
    tests: ['test/commands/local.test'],
  },
  {
    name: 'local: three letters of an ID mean a key',
    find: 'const fewest = 6;',
    replace: 'const fewest = 0;',
    tests: ['test/commands/local.test'],
  },
  {
    name: 'local keys revoke: it does not ask',
    find: '      await requireConfirmation(`Permanently revoke ${id}',
    replace: "      if (id === '') await requireConfirmation(`Permanently revoke ${id}",
    tests: ['test/commands/local.test'],
  },
];
