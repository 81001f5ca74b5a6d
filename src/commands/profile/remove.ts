import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { withExamples } from '../help-text.js';

/** `orgctl profile remove <name>` */
export function remove(command: Command, context: Context): void {
  withExamples(
    command
      .description('Forget a profile and its secret. The API key itself is not touched.')
      .argument('<name>', 'a stored profile'),
    [['orgctl profile remove staging', 'the key stays valid on the service']],
  ).action((name) => removeProfile(name, context));
}

async function removeProfile(name: string, context: Pick<Context, 'profiles' | 'note'>): Promise<void> {
  const { current } = await context.profiles().remove(name);
  await context.note(`profile ${name} is removed`);
  if (current === undefined)
    await context.note('no profile is current now; choose one: orgctl profile use NAME');
}
