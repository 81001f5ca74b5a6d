import { resolve } from 'node:path';
import { resources } from '../../api/resources/index.js';
import { argument, option, verb } from '../../cli/command.js';
import { refuseOptionsBefore } from '../../cli/command-words.js';
import type { Context } from '../../cli/context.js';
import { UsageError } from '../../errors/errors.js';
import type { View } from '../../terminal/output/printer.js';
import { countNoun } from '../../text/count-noun.js';
import { chosenDataDirectory, databaseOption, dataOption, sharedDatabase } from './options.js';

const dataView: View<Readonly<Record<string, unknown>>> = {
  columns: [
    { header: 'ORGANIZATIONS', value: 'organizations' },
    ...resources.map(({ plural, property }) => ({ header: plural.toUpperCase(), value: property })),
    { header: 'MASTER KEY', value: 'fingerprint' },
  ],
  fields: ['data', 'file', 'replaced', 'oldFingerprints'],
};

const check = verb('check', {
  summary: 'check all stored data',
  description:
    'Check the database, the quota counts, and that the master keys decrypt every secret. A server may be running. Exit 3 if anything is wrong.',
  options: [dataOption, databaseOption],
  examples: [['orgctl serve check', 'is all data complete and readable?']],
  parser: refuseOptionsBefore,
  async run(context, _args, { data, database }) {
    const { checkData } = await import('../../server/maintenance/check-data.js');
    const source = { ...dataSource(data, context), database: sharedDatabase({ database }, context) };
    const { oldFingerprints: old } = await printData(() => checkData(source), context);
    await context.note('no problems found');
    if (old.length > 0) await context.note(`old master keys, which only backups need: ${old.join(', ')}`);
  },
});

const backup = verb('backup', {
  summary: 'copy the data to a file, even while the server runs',
  description:
    'Copy the embedded database to a new, checked file (0600), even while its server runs. Back up the master key separately.',
  args: [argument('<file>', 'the backup to write')],
  options: [dataOption],
  examples: [['orgctl serve backup "orgctl-$(date +%F).db"', "today's backup"]],
  writes: ['files'],
  parser: refuseOptionsBefore,
  async run(context, [path], { data }) {
    requireEmbedded(data, 'backup', context);
    const { backUpData } = await import('../../server/maintenance/backup-data.js');
    const source = { ...dataSource(data, context), file: resolve(context.system.cwd(), path) };
    const { file, fingerprint } = await printData(() => backUpData(source), context);
    await context.note(
      `wrote ${file}. It does not contain the master key ${fingerprint}: back that up separately`,
    );
  },
});

const restore = verb('restore', {
  summary: 'replace the data with a backup',
  description:
    'Replace the embedded database with a backup, whose master key must be in master.key of the data directory or in ORGCTL_SERVE_MASTER_KEY. Stop the server first.',
  args: [argument('<file>', 'a backup, as serve backup writes it')],
  options: [dataOption, option('--force', 'replace existing data, which is moved to orgctl.db.before-…')],
  examples: [
    ['orgctl serve restore orgctl.db --data /var/lib/orgctl', 'into a directory that has only master.key'],
  ],
  writes: ['data'],
  parser: refuseOptionsBefore,
  async run(context, [path], { data, force }) {
    requireEmbedded(data, 'restore', context);
    const { restoreData } = await import('../../server/maintenance/backup-data.js');
    const source = { ...dataSource(data, context), file: resolve(context.system.cwd(), path), force };
    const restored = await printData(() => restoreData(source), context);
    const { replaced } = restored;
    const kept = replaced === undefined ? '' : `; the previous data is in ${replaced}`;
    await context.note(`restored to ${restored.data}${kept}`);
  },
});

const rotateMasterKey = verb('rotate-master-key', {
  summary: 'encrypt the stored data with another master key',
  description:
    'Encrypt stored secrets and connection settings with a new master key: ORGCTL_SERVE_NEW_MASTER_KEY, or a generated one if the current key is in a file. Stop the server first. After an interruption, all data stays readable: run the command again.',
  options: [dataOption, databaseOption],
  examples: [['orgctl serve rotate-master-key', 'a new key for the data of the server on this machine']],
  writes: ['data'],
  parser: refuseOptionsBefore,
  async run(context, _args, { data, database }) {
    const { changeMasterKey } = await import('../../server/data/rotate-master-key.js');
    const { apiKeys, connections, keyFile, oldFingerprints } = await changeMasterKey({
      ...dataSource(data, context),
      database: sharedDatabase({ database }, context),
      newMasterKey: context.system.env['ORGCTL_SERVE_NEW_MASTER_KEY'] || undefined,
    });
    const next =
      keyFile === undefined
        ? 'put it in front of the others in ORGCTL_SERVE_MASTER_KEY, with a comma'
        : `it is in ${keyFile}; back it up`;
    await context.note(
      `${countNoun(apiKeys + connections, 'secret')} encrypted with the new master key; ${next}`,
    );
    await context.note(`older backups need the old master keys (${oldFingerprints.join(', ')}): keep them`);
  },
});

export const maintenance = [rotateMasterKey, check, backup, restore];

function dataSource(data: string | undefined, context: Context) {
  const masterKey = context.system.env['ORGCTL_SERVE_MASTER_KEY'] || undefined;
  return { data: chosenDataDirectory(data, context), masterKey };
}

async function printData<Data extends Readonly<Record<string, unknown>>>(
  work: () => Promise<Data>,
  context: Context,
): Promise<Data> {
  const printer = await context.printer();
  printer.check(dataView);
  const data = await work();
  await printer.one(data, dataView);
  return data;
}

function requireEmbedded(data: string | undefined, name: string, context: Context): void {
  if (data !== undefined || sharedDatabase({}, context) === undefined) return;
  throw new UsageError(`${name} is for the embedded database, but ORGCTL_SERVE_DATABASE names a shared one`, {
    hint: 'use pg_dump and pg_restore, or choose a data directory with --data',
  });
}
