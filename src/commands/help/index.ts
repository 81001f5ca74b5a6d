import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { argument, command, option } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { definitionList } from '../../cli/help-format.js';
import { helpWidth, widestHelp } from '../../cli/help-text.js';
import { subcommand, toCommandLine } from '../../cli/lazy-command.js';
import { UsageError } from '../../errors/errors.js';
import { topics } from './topics.js';

const topicList = definitionList(
  topics.map(({ name, summary }) => [name, summary]),
  widestHelp,
);

export const help = command({
  description: 'Show a topic, or the help of a command.',
  args: [argument('[words...]', 'a topic, or a command and its subcommand')],
  options: [option('--map', 'all commands with options, exit codes and effects; -o json for all details')],
  examples: [
    ['orgctl help exit-codes', 'exit codes and their meaning'],
    ['orgctl help --map connections -o json', 'some commands as data'],
  ],
  parser: (parser) => void parser.addHelpText('after', `\nTopics:\n${topicList.trimEnd()}`),
  async run(context, [words], { map }, parser) {
    const root = parser.parent ?? parser;
    if (map) return showMap(await commandAt(words, root), context);
    const topic = topics.find(({ name }) => name === words.join('-'));
    if (topic === undefined) return (await commandAt(words, root)).outputHelp();
    const text = topic.text(helpWidth(context.streams.stdout.columns));
    await (await context.printer()).prose(topic.value(), text);
  },
});

async function showMap(from: CommandUnknownOpts, { printer, streams }: Context): Promise<void> {
  const { commandMap, describeAll, mapText } = await import('./describe.js');
  const map = commandMap(await describeAll(from));
  await (await printer()).prose(map, mapText(map, helpWidth(streams.stdout.columns)));
}

async function commandAt(words: readonly string[], from: CommandUnknownOpts): Promise<CommandUnknownOpts> {
  const [word, ...more] = words;
  if (word === undefined) return from;
  const child = await subcommand(from, word);
  if (child === undefined) throw unknownWord(word, from);
  return commandAt(more, child);
}

function unknownWord(word: string, parent: CommandUnknownOpts): UsageError {
  const commands = parent.createHelp().visibleCommands(parent);
  const isRoot = parent.parent === null;
  const known = [...commands.map((child) => child.name()), ...(isRoot ? topics.map(({ name }) => name) : [])];
  const what = isRoot ? 'command or topic' : `subcommand of ${toCommandLine(parent)}`;
  return new UsageError(`unknown ${what}: ${JSON.stringify(word)}`, {
    hint: known.length === 0 ? 'it has no subcommands' : `one of ${known.join(', ')}`,
  });
}
