import type { Fault } from './fault.js';

export const maintenanceFaults: readonly Fault[] = [
  {
    name: 'restore: the old log stays beside the restored data',
    find: '      await rename(log, `${kept}${ending}`);\n      found = true;',
    replace: '      found = true;',
    tests: ['test/server/backup.test', 'test/commands/serve-backup'],
  },
  {
    name: 'restore: the old journal stays beside the restored data',
    find: "const logSuffixes = ['-wal', '-journal', '-shm'] as const;",
    replace: "const logSuffixes = ['-wal', '-shm'] as const;",
    tests: ['test/server/backup.test', 'test/commands/serve-backup'],
  },
  {
    name: 'restore: the replaced data is not kept',
    find: '    if (size !== undefined) await link(database, kept).catch(() => copyFile(database, kept));\n',
    replace: '',
    tests: ['test/server/backup.test', 'test/commands/serve-backup'],
  },
  {
    name: 'restore: a directory with the files of another counts as empty',
    find: '  if (found.length === 0) return;\n  throw new ConfigError(`the data directory',
    replace: '  if (found.length < 2) return;\n  throw new ConfigError(`the data directory',
    tests: ['test/server/backup.test', 'test/commands/serve-backup'],
  },
  {
    name: 'backup: a damaged one is kept',
    find: '    const written = await inspectCopy(copy, { name: `the backup',
    replace: '    const written = await inspectCopy(database, { name: `the backup',
    tests: ['test/server/backup.test', 'test/commands/serve-backup'],
  },
  {
    name: 'backup: it is not synced',
    find: '    await syncFile(file);\n  } finally {\n    await file.close();\n  }\n}\n\n/** A link fails',
    replace: '  } finally {\n    await file.close();\n  }\n}\n\n/** A link fails',
    tests: ['test/platform/durable-file'],
  },
  {
    name: 'backup: it replaces a file',
    find: "      if (readSystemCode(error) === 'EEXIST') throw refuseExisting(target);\n      await requireFree(target);\n",
    replace: '',
    tests: ['test/server/backup.test', 'test/commands/serve-backup'],
  },
  {
    name: 'backup: others can read it',
    find: '    await file.chmod(0o600);\n    const problem',
    replace: '    await file.chmod(0o644);\n    const problem',
    tests: ['test/server/backup.test', 'test/commands/serve-backup'],
  },
  {
    name: 'maintenance: one master key of several is tried',
    find: '  const fitting = keys.find(({ key }) => opens(key));',
    replace: '  const fitting = keys.slice(0, 1).find(({ key }) => opens(key));',
    tests: [
      'test/server/backup.test',
      'test/commands/serve-backup',
      'test/server/rotate',
      'test/commands/serve-rotate',
      'test/commands/serve-forget',
    ],
  },
  {
    name: 'check: only the first rows are opened',
    find: "const after = (id: string) => query.where('id', '>', id).execute();\n  for (let rows = await after(''); rows.length > 0; rows = await after(rows.at(-1)?.id ?? '')) yield* rows;",
    replace: 'yield* await query.execute();',
    tests: ['test/server/backup.test', 'test/commands/serve-backup', 'test/storage'],
  },
  {
    name: 'check: the file is not read in full',
    find: 'openSqlite(path, { full: true })',
    replace: 'openSqlite(path, {})',
    tests: ['test/server/backup.test', 'test/commands/serve-backup', 'test/storage'],
  },
  {
    name: 'check: quota counts are not compared',
    find: '    ...(await miscounts(database)),\n',
    replace: '',
    tests: ['test/server/backup.test', 'test/commands/serve-backup', 'test/storage'],
  },
  {
    name: 'check: connections are not opened',
    find: '    ...(await findUnopened(database, connections, (sealed, data) =>\n      requireObject(cipher.open(sealed, data)),\n    )),\n',
    replace: '',
    tests: ['test/server/backup.test', 'test/commands/serve-backup', 'test/storage'],
  },
  {
    name: 'copy: the log is not copied',
    find: '  for (const ending of sidecars) await copyIfThere(`${source}${ending}`, `${target}${ending}`);\n',
    replace: '',
    tests: ['test/server/backup.test', 'test/commands/serve-backup', 'test/storage'],
  },
  {
    name: 'copy: a copy of two moments is taken',
    find: '  return (await readGeneration(source)) === before;',
    replace: "  return before !== '';",
    tests: ['test/server/backup.test', 'test/commands/serve-backup', 'test/storage'],
  },
  {
    name: 'contents: resources are restored in another order',
    find: "selectFrom(table).selectAll().orderBy('sequence');",
    replace: "selectFrom(table).selectAll().orderBy('id');",
    tests: ['test/server/control', 'test/storage', 'test/server/organizations'],
  },
];
