import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';

export function rename(command: Command, context: Context): void {
  withExamples(
    command
      .description('Rename a profile. The current profile stays current.')
      .argument('<name>', 'a stored profile')
      .argument('<new-name>', 'letters, digits, "_" and "-"'),
    [
      ['orgctl profile rename prod production', 'prod becomes production'],
      ['orgctl profile rename staging staging-old', 'to make room for a new one'],
    ],
    { writes: ['profiles'] },
  ).action((name, to) => renameProfile(name, to, context));
}

async function renameProfile(
  name: string,
  to: string,
  context: Pick<Context, 'profiles' | 'note'>,
): Promise<void> {
  await context.profiles().rename(name, to);
  await context.note(`profile ${JSON.stringify(name)} is now ${JSON.stringify(to)}`);
}
