import type { Command } from '@commander-js/extra-typings';
import { type TeamInput, teams } from '../../api/resources/team.js';
import type { Context } from '../../cli/context.js';
import { ownCommand, withExamples } from '../../cli/help-text.js';
import { UsageError } from '../../errors/errors.js';
import type { EntryKind } from '../../input/inputs.js';
import type { CreationKind, CreationOptions } from '../../verbs/resource/creation/creation.js';
import { askName, requireName } from '../../verbs/resource/required-name.js';
import { team } from '../../verbs/teams/team.js';

interface CreateTeamOptions extends CreationOptions {
  readonly name?: string | undefined;
  readonly file?: string | undefined;
}

export function create(command: Command, context: Context): void {
  const fileOption = command
    .createOption('--file <path>', 'JSON, YAML or JSONL with one team or many; - for stdin')
    .conflicts('name');
  withExamples(
    command
      .description(
        `Create a team, or many from a file. All entries of a file are checked before any is sent. ${ownCommand}`,
      )
      .option('--name <name>', 'name of the team')
      .addOption(fileOption)
      .option('--skip-existing', 'skip entries whose name already exists when the command starts')
      .option('--up-to-quota', 'create as many entries as the quota allows')
      .option('--dry-run', 'print the requests, check the quota, and create nothing'),
    [
      ['orgctl teams create --name platform', 'a new team'],
      ['orgctl teams create --file teams.yaml --skip-existing', 'many; run it again for the missing ones'],
    ],
    {
      calls: 'service',
      writes: ['service'],
      asks: 'for the name if neither --name nor --file is given',
      exits: ['quota_exceeded', 'partial'],
    },
  ).action((options) => createTeams(options, context));
}

async function createTeams(
  options: CreateTeamOptions,
  context: Context,
): Promise<void> {
  const { file } = options;
  const name = options.name ?? (file === undefined ? await askName(teams.singular, context) : undefined);
  if (name !== undefined) requireName(name);
  const { createAll, createOne } = await import('../../verbs/resource/creation/creation.js');
  if (name !== undefined) return createOne({ name }, teamCreation, options, context);
  if (file === undefined) {
    throw new UsageError('nothing to create: give --name or --file', {
      next: ['orgctl', 'teams', 'create', '--name', 'NAME'],
    });
  }
  const { readInputs } = await import('../../input/inputs.js');
  return createAll(await readInputs(file, teamEntry, context), teamCreation, options, context);
}

const teamCreation: CreationKind<TeamInput> = { ...team, create: (input, api) => api.teams.create(input) };

const teamEntry: EntryKind<TeamInput> = {
  kind: teams.kind,
  singular: teams.singular,
  fields: ['name'],
  schemaFor: () => teams.input,
};
