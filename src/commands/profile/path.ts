import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import { ConfigError } from '../../errors/errors.js';
import { showPath, whyNoHome } from '../../platform/home-directory.js';

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
  const path = context.profiles().path();
  if (showPath(path) !== path) {
    throw new ConfigError(`the profile file has no path: ${whyNoHome(path)}`, {
      hint: 'set HOME or ORGCTL_CONFIG_DIR to a directory of your own',
    });
  }
  await (await context.textPrinter()).line(path);
}
