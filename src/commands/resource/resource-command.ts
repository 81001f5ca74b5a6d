import type { PlainResource } from '../../api/resources/index.js';
import type { Resource } from '../../api/resources/resource.js';
import { checkValue } from '../../api/schema/schema.js';
import { argument, group, option, verb } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { type CommandExample, ownCommand } from '../../cli/help-text.js';
import type { Define, LazyCommand } from '../../cli/lazy-command.js';
import { UsageError } from '../../errors/errors.js';
import type { View } from '../../terminal/output/printer.js';
import { withArticle } from '../../text/count-noun.js';
import { showAge } from '../../text/duration.js';
import type { CreationOptions } from './create.js';
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

/** Fields besides the name, an option and a column each, with what help says of them. */
type PlainFields = Readonly<Record<string, string>>;

interface PlainCommand extends Pick<NounCommand, 'exampleName' | 'description' | 'examples'> {
  readonly resource: PlainResource;
  readonly fields?: PlainFields;
}

/** The command of a resource without code of its own. */
export function plainCommand(value: PlainCommand): Define {
  const { fields = {}, ...plain } = value;
  const view: View<Resource> = {
    columns: [
      { header: 'ID', value: 'id' },
      { header: 'NAME', value: 'name', rank: 1 },
      ...Object.keys(fields).map((field) => ({ header: field.toUpperCase(), value: field, rank: 2 })),
      { header: 'CREATED', value: 'created_at', drawn: showAge, rank: 3 },
      { header: 'UPDATED', value: 'updated_at', drawn: showAge, rank: 4 },
    ],
    empty: `no ${plain.resource.plural}`,
  };
  const noun = { ...plain, view };
  return resourceCommand({ ...noun, create: createVerb(noun, fields), update: updateVerb(noun, fields) });
}

function fieldOptions(fields: PlainFields) {
  return Object.entries(fields).map(([field, meaning]) => option(`--${field} <${field}>`, meaning));
}

function createVerb(noun: PlainCommand & Noun, fields: PlainFields): LazyCommand {
  const { singular } = noun.resource;
  return verb('create', {
    summary: `create a ${singular}, or many from a file`,
    description: `Create a ${singular}, or many from a file. All entries of a file are checked before any is sent. ${ownCommand}`,
    options: [
      option('--name <name>', `name of the ${singular}`),
      ...fieldOptions(fields),
      option('--file <path>', `JSON, YAML or JSONL with one ${singular} or many; - for stdin`, {
        conflicts: ['name', ...Object.keys(fields)],
      }),
      option('--skip-existing', 'skip entries whose name already exists when the command starts'),
      option('--dry-run', 'print the requests, and create nothing'),
    ],
    examples: noun.examples,
    calls: 'service',
    writes: ['service'],
    asks: 'for the name if neither --name nor --file is given',
    exits: ['quota_exceeded', 'partial'],
    run: (context, _words, given) => createPlain(noun, given, context),
  });
}

async function createPlain(
  noun: PlainCommand & Noun,
  options: CreationOptions & { readonly name?: string | undefined },
  context: Context,
): Promise<void> {
  const { singular, input } = noun.resource;
  const { createResources } = await import('./create.js');
  const creation = { ...noun, entry: { fields: Object.keys(input.shape), schemaFor: () => input } };
  if (options.file !== undefined) return createResources(undefined, creation, options, context);
  const { name = await askName(singular, 'give --name or --file', context) } = options;
  const { requireName } = await import('./update.js');
  requireName(name);
  const checked = checkValue(input, { ...options, name });
  if ('misfit' in checked) throw new UsageError(checked.misfit);
  return createResources(checked.data, creation, options, context);
}

export async function askName(of: string, hint: string, context: Context): Promise<string> {
  const { askMissing } = await import('../../input/questions.js');
  const { requireName } = await import('./update.js');
  const answers = await askMissing([['--name', `Name of the ${of}`, requireName]], { hint }, context);
  return answers.get('--name') ?? '';
}

/** Renames, and changes the other fields if there are any. */
export function updateVerb(noun: Noun, fields: PlainFields = {}): LazyCommand {
  const { kind, singular } = noun.resource;
  const isRenaming = Object.keys(fields).length === 0;
  const change = `${isRenaming ? 'rename' : 'change'} ${withArticle(singular)}`;
  return verb('update', {
    summary: change,
    description: `${change.charAt(0).toUpperCase()}${change.slice(1)}. ${ownCommand}`,
    args: [argument('<id-or-name>', `ID or exact name of the ${singular}`)],
    options: [option('--name <name>', 'new name', { isRequired: isRenaming }), ...fieldOptions(fields)],
    examples: [[`orgctl ${kind} update ops --name ${noun.exampleName}`, `rename ops to ${noun.exampleName}`]],
    calls: 'service',
    writes: ['service'],
    async run(context, texts, given) {
      const { updateResources } = await import('./update.js');
      const names = ['name', ...Object.keys(fields)];
      const patch = Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
      return updateResources(noun, texts, patch, context);
    },
  });
}
