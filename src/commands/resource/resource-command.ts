import { argument, group, option, verb } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { type CommandExample, ownCommand } from '../../cli/help-text.js';
import type { Define, LazyCommand } from '../../cli/lazy-command.js';
import type { Creation, CreationOptions } from './create.js';
import type { DeleteGuard } from './delete.js';
import type { ListFilter } from './list.js';
import type { Noun } from './noun.js';

interface NounCommand extends Noun {
  readonly description: string;
  readonly examples: readonly CommandExample[];
  readonly create: LazyCommand;
  readonly update: LazyCommand;
  /** Verbs that only this noun has. */
  readonly further?: readonly LazyCommand[];
  readonly filters?: readonly ListFilter[];
  readonly guard?: DeleteGuard;
}

/** The five verbs of a noun, and its further ones. Each loads its code when it is typed. */
export function resourceCommand(value: NounCommand): Define {
  const { description, examples, create, update, further = [], filters, guard, ...noun } = value;
  const { plural } = noun.resource;
  const verbs: readonly LazyCommand[] = [
    {
      name: 'list',
      summary: `list ${plural}`,
      load: async () => (await import('./list.js')).listVerb(noun, filters),
    },
    {
      name: 'get',
      summary: `show ${plural} by ID or name`,
      load: async () => (await import('./get.js')).getVerb(noun),
    },
    create,
    update,
    ...further,
    {
      name: 'delete',
      summary: `delete ${plural}`,
      load: async () => (await import('./delete.js')).deleteVerb(noun, guard),
    },
  ];
  return group({ description, examples, verbs });
}

export function createNamedVerb(creation: Creation<{ readonly name: string }>): LazyCommand {
  const { kind, singular } = creation.resource;
  return verb('create', {
    summary: `create a ${singular}, or many from a file`,
    description: `Create a ${singular}, or many from a file. All entries of a file are checked before any is sent. ${ownCommand}`,
    options: [
      option('--name <name>', `name of the ${singular}`),
      option('--file <path>', `JSON, YAML or JSONL with one ${singular} or many; - for stdin`, {
        conflicts: ['name'],
      }),
      option('--skip-existing', 'skip entries whose name already exists when the command starts'),
      option('--dry-run', 'print the requests, and create nothing'),
    ],
    examples: [[`orgctl ${kind} create --name ${creation.exampleName}`, `a new ${singular}`]],
    calls: 'service',
    writes: ['service'],
    asks: 'for the name if neither --name nor --file is given',
    exits: ['quota_exceeded', 'partial'],
    run: (context, _words, given) => createNamed(creation, given, context),
  });
}

async function createNamed(
  creation: Creation<{ readonly name: string }>,
  options: CreationOptions & { readonly name?: string | undefined },
  context: Context,
): Promise<void> {
  const { singular } = creation.resource;
  const isAsked = options.name === undefined && options.file === undefined;
  const name = isAsked ? await askName(singular, 'give --name or --file', context) : options.name;
  const { requireName } = await import('./update.js');
  if (name !== undefined) requireName(name);
  const { createResources } = await import('./create.js');
  return createResources(name === undefined ? undefined : { name }, creation, options, context);
}

export async function askName(of: string, hint: string, context: Context): Promise<string> {
  const { askMissing } = await import('../../input/questions.js');
  const { requireName } = await import('./update.js');
  const answers = await askMissing([['--name', `Name of the ${of}`, requireName]], { hint }, context);
  return answers.get('--name') ?? '';
}

export function renameVerb(noun: Noun): LazyCommand {
  const { kind, singular } = noun.resource;
  const rename = `rename ${/^[aeiou]/i.test(singular) ? 'an' : 'a'} ${singular}`;
  return verb('update', {
    summary: rename,
    description: `R${rename.slice(1)}. ${ownCommand}`,
    args: [argument('<id-or-name>', `ID or exact name of the ${singular}`)],
    options: [option('--name <name>', 'new name', { isRequired: true })],
    examples: [[`orgctl ${kind} update ops --name ${noun.exampleName}`, 'a new name']],
    calls: 'service',
    writes: ['service'],
    async run(context, texts, { name }) {
      const { updateResources } = await import('./update.js');
      return updateResources(noun, texts, { name }, context);
    },
  });
}
