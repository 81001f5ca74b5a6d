import { resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { UsageError } from '../../errors.js';
import { withExamples } from '../help-text.js';
import { dataDirectory } from './data-directory.js';
import { sharedDatabase } from './database.js';

interface RotateFlags {
  readonly data?: string | undefined;
  readonly database?: string | undefined;
}

/** `orgctl serve rotate-master-key` */
export function rotateMasterKey(command: Command, context: Context, run = rotate): void {
  withExamples(
    command
      .description(
        'Encrypt the stored secrets and connection settings with another master key: that of ORGCTL_SERVE_NEW_MASTER_KEY, or a generated one where the key is in a file. All or nothing: when it was interrupted, run it again, or start the server. Stop the servers first; ones that run on answer 503 until they are started with the new key.',
      )
      .option('--data <dir>', "where master.key lives; default the platform's data directory")
      .option(
        '--database <url>',
        'the shared database, if that is where the data is, without password; or ORGCTL_SERVE_DATABASE',
      ),
    [
      ['orgctl serve rotate-master-key', 'the data and the key of a server on this machine'],
      [
        'orgctl serve rotate-master-key --database postgres://orgctl@db/orgctl',
        'from ORGCTL_SERVE_MASTER_KEY to ORGCTL_SERVE_NEW_MASTER_KEY',
      ],
    ],
  ).action((flags) => {
    requireNothingBefore(command);
    return run(flags, context);
  });
}

export async function rotate(
  flags: RotateFlags,
  context: Pick<Context, 'system' | 'home' | 'printer' | 'note'>,
): Promise<void> {
  const { env, platform } = context.system;
  const place = { env, platform, homedir: context.home };
  const { changeMasterKey } = await import('../../server/rotate-master-key.js');
  const { apiKeys, connections, keyFile } = await changeMasterKey({
    data: flags.data === undefined ? dataDirectory(place) : resolve(context.system.cwd(), flags.data),
    database: sharedDatabase(flags, [], context.system),
    masterKey: env['ORGCTL_SERVE_MASTER_KEY'] || undefined,
    newMasterKey: env['ORGCTL_SERVE_NEW_MASTER_KEY'] || undefined,
  });
  const done =
    apiKeys + connections === 0
      ? 'everything is encrypted with the new master key'
      : `${apiKeys} API keys and ${connections} connections are encrypted with the new master key`;
  const next =
    keyFile === undefined ? 'set ORGCTL_SERVE_MASTER_KEY to it' : `it is in ${keyFile}; back it up`;
  await context.note(`${done}; ${next}`);
}

/** Options of `serve` before the name would be taken for those of a server, and change nothing here. */
function requireNothingBefore({ parent }: Command): void {
  const before = Object.keys(parent?.opts() ?? {}).filter(
    (name) => parent?.getOptionValueSource(name) === 'cli',
  );
  if (before.length === 0) return;
  throw new UsageError('options of rotate-master-key stand after its name', {
    hint: 'for example orgctl serve rotate-master-key --data DIR',
  });
}
