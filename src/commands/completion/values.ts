import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { collectionPaths } from '../../api/operations.js';
import { quotaKinds } from '../../api/resources/index.js';
import type { Context } from '../../cli/context.js';
import { listChoices } from '../../cli/global-options.js';
import { subcommand, toCommandLine } from '../../cli/lazy-command.js';
import { ConfigError } from '../../errors/errors.js';
import { methods } from '../../input/request-line.js';
import { isProfileName } from '../../profiles/file/profile-file.js';
import type { Flags } from '../../profiles/settings/settings.js';
import type { TypedLine } from './line.js';
import type { Candidate } from './resource-names.js';

export function listSubcommands(command: CommandUnknownOpts): Candidate[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((child) => ({ value: child.name(), description: child.summary() }));
}

export type Values = readonly Candidate[] | 'files';

type ValueSource = (context: Context) => Promise<Values>;

const valuesOfOption: Readonly<Record<string, ValueSource>> = {
  '--profile': profileNames,
  '--kind': offerChoices(quotaKinds),
};

/** Values of an option: its choices, those of `valuesOfOption`, or files if the placeholder is a file or directory. */
export async function optionValues(option: Option, context: Context): Promise<Values> {
  const choices = listChoices(option);
  if (choices !== undefined) return choices.map((value) => ({ value }));
  const source = valuesOfOption[option.long ?? ''];
  if (source !== undefined) return source(context);
  return /<(file|path|dir)\b/.test(option.flags) ? 'files' : [];
}

const targets = offerChoices(collectionPaths());

const valuesOfArgument: Readonly<Record<string, ValueSource>> = {
  'orgctl request method': offerChoices(methods),
  'orgctl request target': targets,
  'orgctl sign method': offerChoices(methods),
  'orgctl sign target': targets,
  'orgctl profile set name': profileNames,
  'orgctl profile show name': profileNames,
  'orgctl profile use name': profileNames,
  'orgctl profile rename name': profileNames,
  'orgctl profile remove name': profileNames,
  'orgctl profile env name': profileNames,
  'orgctl serve command': async () => 'files',
  'orgctl diff file': async () => 'files',
  'orgctl apply file': async () => 'files',
};

/** Values of a command's next argument, or of its last one if that is repeatable. */
export async function argumentValues(
  { command, operands, values }: TypedLine,
  context: Context,
): Promise<Values> {
  const line = toCommandLine(command);
  if (line === 'orgctl help' && command.parent !== null) return helpWords(operands, command.parent);
  const last = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[operands.length] ?? (last?.variadic ? last : undefined);
  if (argument?.argChoices !== undefined) return argument.argChoices.map((value) => ({ value }));
  if (argument?.name() === 'id-or-name') {
    const { resourceNames } = await import('./resource-names.js');
    return resourceNames(command.parent?.name() ?? '', settingsIn(values), context);
  }
  return (await valuesOfArgument[`${line} ${argument?.name()}`]?.(context)) ?? [];
}

function settingsIn({ profile, baseUrl, keyId, auth, caFile }: TypedLine['values']): Flags {
  return { profile, baseUrl, keyId, auth, caFile };
}

async function helpWords(words: readonly string[], from: CommandUnknownOpts): Promise<Values> {
  const [word, ...more] = words;
  if (word !== undefined) {
    const child = await subcommand(from, word);
    return child === undefined ? [] : helpWords(more, child);
  }
  const listed = listSubcommands(from);
  if (from.parent !== null) return listed;
  const { topics } = await import('../help/topics.js');
  return [...listed, ...topics.map(({ name, summary }) => ({ value: name, description: summary }))];
}

function offerChoices(values: readonly string[]): ValueSource {
  return async () => values.map((value) => ({ value }));
}

/** Valid names only, because candidates reach a command line unquoted. */
async function profileNames({ profiles }: Context): Promise<Values> {
  try {
    return Object.entries((await profiles().read()).profiles)
      .filter(([name]) => isProfileName(name))
      .map(([value, { baseUrl: description }]) => ({ value, description }));
  } catch (error) {
    // Completion shows no errors; commands that use the file report them.
    if (error instanceof ConfigError) return [];
    throw error;
  }
}
