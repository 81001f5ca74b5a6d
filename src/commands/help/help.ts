import type { Command, CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { UsageError } from '../../errors.js';
import { withExamples } from '../help-text.js';
import { topics } from './topics.js';

/** `orgctl help [topic or command…]` */
export function help(command: Command, context: Context): void {
  const names = topics.map(({ name, summary }) => `  ${name.padEnd(12)} ${summary}`).join('\n');
  withExamples(
    command
      .description('Show a topic, or the help of a command.')
      .argument('[words...]', 'a topic, or a command and its subcommand')
      .addHelpText('after', `\nTopics:\n${names}`),
    [
      ['orgctl help exit-codes', 'what a script can decide by'],
      ['orgctl help connections create', 'the same as orgctl connections create --help'],
    ],
  ).action((words) => showHelp(words, command.parent, context));
}

async function showHelp(
  words: readonly string[],
  root: CommandUnknownOpts | null,
  context: Pick<Context, 'printer' | 'streams'>,
): Promise<void> {
  const [word, ...more] = words;
  const topic = more.length === 0 ? topics.find(({ name }) => name === word) : undefined;
  if (topic !== undefined) return (await context.printer()).list(await topic.rows(), topic.view);
  if (word !== undefined && !root?.commands.some((command) => command.name() === word)) {
    throw new UsageError(`there is no command or topic ${JSON.stringify(word)}`, {
      hint: `topics: ${topics.map(({ name }) => name).join(', ')}; commands: orgctl --help`,
    });
  }
  await root?.parseAsync([...words, '--help'], { from: 'user' });
}
