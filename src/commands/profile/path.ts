import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';

export function path(command: Command, context: Context): void {
  withExamples(
    command.description('Print the path of the profile file, which need not exist yet.'),
    [
      ['ls -l "$(orgctl profile path)"', 'the file with its mode, 0600'],
      ['ORGCTL_CONFIG_DIR=./team orgctl profile path', 'with the profiles in another directory'],
    ],
    {},
  ).action(() => printPath(context));
}

async function printPath(context: Pick<Context, 'profiles' | 'textPrinter'>): Promise<void> {
  await (await context.textPrinter()).line(context.profiles().path());
}
