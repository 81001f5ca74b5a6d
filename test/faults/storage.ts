import type { Fault } from './fault.js';

export const storageFaults: readonly Fault[] = [
  {
    name: 'PostgreSQL: a deadlock is an error of ours',
    find: '|40|42P05|',
    replace: '|42P05|',
    tests: ['test/postgres/failure'],
  },
  {
    name: 'PostgreSQL: a connection of a server that became read-only goes back',
    find: 'const endings = /^(08|25006|57|58|XX)/;',
    replace: 'const endings = /^(08|57|58|XX)/;',
    tests: ['test/postgres/failure'],
  },
  {
    name: 'PostgreSQL: nothing is rolled back after a failed creation',
    find: "      await connection.executeScript('rollback').catch(() => undefined);\n",
    replace: '',
    tests: ['test/postgres/shared-commits'],
  },
  {
    name: 'PostgreSQL: nothing is rolled back after a failure',
    find: "    await connection.executeScript('rollback');\n",
    replace: '    await Promise.resolve(connection);\n',
    tests: ['test/postgres/transaction-limits'],
  },
  {
    name: 'PostgreSQL: creations lose their order',
    find: '      order by place\n      returning',
    replace: '      order by 1 desc\n      returning',
    tests: ['test/postgres/shared-commits'],
  },
  {
    name: 'PostgreSQL: one more than the quota is created',
    find: '      where nth <= quota_limit - used and',
    replace: '      where nth <= quota_limit - used + 1 and',
    tests: ['test/postgres/shared-commits'],
  },
  {
    name: 'PostgreSQL: a commit without an answer is an error',
    find: "    if (status === 'committed') return new CommitUnconfirmed",
    replace: '    if (status === undefined) return new CommitUnconfirmed',
    tests: ['test/postgres/shared-commits'],
  },
  {
    name: 'PostgreSQL: the key of other data seals',
    find: 'and ($3::text is null or $3 = key.value)',
    replace: 'and ($3::text is null or true)',
    tests: ['test/postgres/processes'],
  },
];
