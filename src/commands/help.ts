import type { Command, CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Context } from '../cli/context.js';
import { asksForData } from '../cli/global-options.js';
import { definitionList } from '../cli/help-format.js';
import { helpWidth } from '../cli/help-page.js';
import { withExamples } from '../cli/help-text.js';
import { subcommand, toCommandLine } from '../cli/lazy-command.js';
import { UsageError } from '../errors/errors.js';
import { topics } from '../verbs/help/topics.js';

export function help(command: Command, context: Context): void {
  const list = definitionList(
    topics.map(({ name, summary }) => [name, summary]),
    helpWidth(context.streams.stdout.columns),
  );
  withExamples(
    command
      .description('Show a topic, or the help of a command.')
      .argument('[words...]', 'a topic, or a command and its subcommand')
      .option('--map', 'all commands with options, exit codes and effects; -o json for all details')
      .addHelpText('after', `\nTopics:\n${list.trimEnd()}`),
    [
      ['orgctl help exit-codes', 'exit codes and their meaning'],
      ['orgctl help connections create', 'the same as orgctl connections create --help'],
      ['orgctl help signing', 'how a request is signed, and what goes wrong'],
      ['orgctl help --map', 'all commands on one page'],
      ['orgctl help connections create -o json', 'one command as data'],
    ],
    {},
  ).action((words, { map }) =>
    map ? showMap(words, findRoot(command), context) : showHelp(words, findRoot(command), context),
  );
}

async function showHelp(
  words: readonly string[],
  root: CommandUnknownOpts,
  context: Pick<Context, 'printer' | 'streams' | 'flags'>,
): Promise<void> {
  const topic = topics.find(({ name }) => name === words.join('-'));
  if (topic === undefined) return showCommand(await commandAt(words, root), context);
  const text = topic.text(helpWidth(context.streams.stdout.columns));
  return (await context.printer()).prose(topic.value(), text);
}

async function showCommand(
  command: CommandUnknownOpts,
  { printer, flags }: Pick<Context, 'printer' | 'flags'>,
): Promise<void> {
  if (!asksForData(flags())) return command.outputHelp();
  const { describeCommand } = await import('../verbs/help/command-description.js');
  await (await printer()).document(describeCommand(command));
}

async function showMap(
  words: readonly string[],
  root: CommandUnknownOpts,
  { printer, streams }: Pick<Context, 'printer' | 'streams'>,
): Promise<void> {
  const { describeAll } = await import('../verbs/help/command-description.js');
  const { commandMap, mapText } = await import('../verbs/help/command-map.js');
  const map = commandMap(await describeAll(await commandAt(words, root)));
  await (await printer()).prose(map, mapText(map, helpWidth(streams.stdout.columns)));
}

function findRoot(command: CommandUnknownOpts): CommandUnknownOpts {
  return command.parent === null ? command : findRoot(command.parent);
}

async function commandAt(words: readonly string[], from: CommandUnknownOpts): Promise<CommandUnknownOpts> {
  const [word, ...more] = words;
  if (word === undefined) return from;
  const child = await subcommand(from, word);
  if (child === undefined) throw await unknownWord(word, from);
  return commandAt(more, child);
}

async function unknownWord(word: string, parent: CommandUnknownOpts): Promise<UsageError> {
  const { closestMatch } = await import('leven');
  const { isNear } = await import('../text/near-word.js');
  const isRoot = parent.parent === null;
  const commands = parent
    .createHelp()
    .visibleCommands(parent)
    .map((child) => child.name());
  const known = isRoot ? [...commands, ...topics.map(({ name }) => name)] : commands;
  const near = closestMatch(
    word,
    known.filter((name) => isNear(word, name)),
  );
  const nearest = near ?? known.find((name) => word.length > 2 && name.startsWith(word));
  const quoted = JSON.stringify(word);
  const what = isRoot
    ? `unknown command or topic ${quoted}`
    : `unknown subcommand ${quoted} of ${toCommandLine(parent)}`;
  const all =
    known.length === 0 ? `${toCommandLine(parent)} has no subcommands` : `one of ${known.join(', ')}`;
  return new UsageError(what, {
    ...(isRoot && word === 'topics' ? { next: ['orgctl', 'help'] } : { hint: all }),
    ...(nearest === undefined ? {} : { hint: `did you mean ${nearest}?` }),
  });
}
