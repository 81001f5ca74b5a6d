import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { collectionPaths } from '../../api/operations.js';
import { quotaKinds } from '../../api/resources/index.js';
import type { Context } from '../../cli/context.js';
import { listChoices } from '../../cli/global-options.js';
import { ConfigError } from '../../errors/errors.js';
import { methods } from '../../input/request-line.js';
import { isProfileName } from '../../profiles/file/store.js';
import type { TypedLine } from './line.js';
import type { Candidate } from './resource-names.js';

/** Candidates, or that the shell completes file names. */
export type Values = readonly Candidate[] | 'files';

export function listSubcommands(command: CommandUnknownOpts): Candidate[] {
  const children = command.createHelp().visibleCommands(command);
  return children.map((child) => ({ value: child.name(), description: child.summary() }));
}

/** Values of an option: its choices, or files if the placeholder is a file or directory. */
export async function optionValues(option: Option, context: Context): Promise<Values> {
  const choices = listChoices(option);
  if (choices !== undefined) return toCandidates(choices);
  if (option.long === '--profile') return profileNames(context);
  if (option.long === '--kind') return toCandidates(quotaKinds);
  return /<(file|path|dir)\b/.test(option.flags) ? 'files' : [];
}

/** Values of a command's next argument, or of its last one if that is repeatable. */
export async function argumentValues(
  { command, operands, values }: TypedLine,
  context: Context,
): Promise<Values> {
  const last = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[operands.length] ?? (last?.variadic ? last : undefined);
  if (argument?.argChoices !== undefined) return toCandidates(argument.argChoices);
  const { parent } = command;
  switch (argument?.name()) {
    case 'id-or-name': {
      const { resourceNames } = await import('./resource-names.js');
      const { profile, baseUrl, keyId, auth, caFile } = values;
      return resourceNames(parent?.name() ?? '', { profile, baseUrl, keyId, auth, caFile }, context);
    }
    case 'method':
      return toCandidates(methods);
    case 'target':
      return toCandidates(collectionPaths());
    case 'name':
      return parent?.name() === 'profile' && command.name() !== 'add' ? profileNames(context) : [];
    case 'file':
    case 'command':
      return 'files';
    default:
      return [];
  }
}

function toCandidates(values: readonly string[]): Candidate[] {
  return values.map((value) => ({ value }));
}

/** Valid names only, because candidates reach a command line unquoted. */
async function profileNames({ profiles }: Context): Promise<Values> {
  try {
    const names = Object.entries((await profiles().read()).profiles).filter(([name]) => isProfileName(name));
    return names.map(([value, { baseUrl: description }]) => ({ value, description }));
  } catch (error) {
    // Completion shows no errors; commands that use the file report them.
    if (error instanceof ConfigError) return [];
    throw error;
  }
}
