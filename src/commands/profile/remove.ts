import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { displayKeyId } from '../../profiles/secret.js';
import { withExamples } from '../help-text.js';

/** `orgctl profile remove <name>` */
export function remove(command: Command, context: Context): void {
  withExamples(
    command
      .description('Forget a profile and its secret. The API key itself is not touched.')
      .argument('<name>', 'a stored profile')
      .option('-y, --yes', 'do not ask, although a stored secret goes with it'),
    [['orgctl profile remove staging', 'the key stays valid on the service']],
  ).action((name, { yes }) => removeProfile(name, yes === true, context));
}

async function removeProfile(
  name: string,
  isSure: boolean,
  context: Pick<Context, 'profiles' | 'note' | 'prompt'>,
): Promise<void> {
  const store = context.profiles();
  const { secret, keyId } = await store.get(name);
  if (secret !== undefined && !isSure && !(await confirm(name, keyId, context))) {
    return context.note('nothing was removed');
  }
  const { current } = await store.remove(name);
  await context.note(`profile ${name} is removed`);
  if (current !== undefined) return undefined;
  return context.note('no profile is current now; choose one: orgctl profile use NAME');
}

async function confirm(name: string, keyId: string, { prompt }: Pick<Context, 'prompt'>): Promise<boolean> {
  const question = `Remove profile ${name} and the stored secret of ${displayKeyId(keyId)}?`;
  return (await prompt()).confirm(question, { hint: 'without a terminal to ask on, pass --yes' });
}
