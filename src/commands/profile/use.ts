import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';

export function use(command: Command, context: Context): void {
  withExamples(
    command.description('Make a profile the current one.').argument('<name>', 'a stored profile'),
    [
      ['orgctl profile use prod', 'later commands need no --profile prod'],
      ['orgctl profile use local', 'back to the server on this machine'],
    ],
    { writes: ['profiles'] },
  ).action((name) => useProfile(name, context));
}

async function useProfile(name: string, context: Pick<Context, 'profiles' | 'note'>): Promise<void> {
  await context.profiles().use(name);
  await context.note(`the current profile is ${JSON.stringify(name)}`);
}
