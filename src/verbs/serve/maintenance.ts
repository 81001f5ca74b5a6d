import type { Command } from '@commander-js/extra-typings';
import { resources } from '../../api/resources/index.js';
import type { Context } from '../../cli/context.js';
import { UsageError } from '../../errors/errors.js';
import { chosenDataDirectory } from '../../input/data-flag.js';
import type { View } from '../../terminal/output/printer.js';
import { sharedDatabase } from './database.js';

export interface MaintenanceFlags {
  readonly data?: string | undefined;
  readonly database?: string | undefined;
}

/** The data directory and master key, as the server would find them. */
export function dataSource({ data }: MaintenanceFlags, context: Pick<Context, 'system' | 'home'>) {
  return {
    data: chosenDataDirectory(data, context),
    masterKey: context.system.env['ORGCTL_SERVE_MASTER_KEY'] || undefined,
  };
}

/** @throws UsageError for a shared database, which has its own tools */
export function requireEmbedded(
  flags: MaintenanceFlags,
  verb: string,
  context: Pick<Context, 'system'>,
): void {
  if (flags.data !== undefined || sharedDatabase({}, [], context.system) === undefined) return;
  throw new UsageError(`${verb} is for the embedded database, but ORGCTL_SERVE_DATABASE names a shared one`, {
    hint: 'use pg_dump and pg_restore for the shared one, and keep its master key; or give a data directory with --data',
  });
}

/** Refuses options before the subcommand: they would count as options of `serve`, and have no effect. */
export function requireNothingBefore(command: Command): void {
  const { parent } = command;
  const before = Object.keys(parent?.opts() ?? {}).filter(
    (name) => parent?.getOptionValueSource(name) === 'cli',
  );
  if (before.length === 0) return;
  const name = command.name();
  throw new UsageError(
    `options of serve do not apply to ${name}; put the options of ${name} after its name`,
    {
      hint: `usage: ${command.createHelp().commandUsage(command)}`,
    },
  );
}

export const dataView: View<Readonly<Record<string, unknown>>> = {
  columns: [
    { header: 'ORGANIZATIONS', value: 'organizations' },
    ...resources.map(({ plural, property }) => ({ header: plural.toUpperCase(), value: property })),
    { header: 'MASTER KEY', value: 'fingerprint' },
  ],
  fields: ['data', 'file', 'replaced', 'backupFingerprint', 'oldFingerprints'],
};
