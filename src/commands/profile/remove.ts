import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import { OrgctlError, withHint } from '../../errors/errors.js';
import { displayKeyId } from '../../profiles/settings/secret.js';
import { rescueSecret } from '../../verbs/print-answer.js';
import { forgetSecret } from '../../verbs/profile/keyring-secret.js';

export function remove(command: Command, context: Context): void {
  withExamples(
    command
      .description('Delete a profile and its stored secret. The API key itself stays valid.')
      .argument('<name>', 'a stored profile')
      .option('-y, --yes', 'do not prompt, even if a stored secret is removed too'),
    [
      ['orgctl profile remove staging', 'the key stays valid on the service'],
      ['orgctl profile remove staging --yes', 'with its stored secret, in a script'],
    ],
    { writes: ['profiles'], asks: 'if a stored secret is removed too, unless --yes' },
  ).action((name, { yes }) => removeProfile(name, yes === true, context));
}

async function removeProfile(
  name: string,
  isSure: boolean,
  context: Pick<Context, 'profiles' | 'note' | 'printer' | 'prompt' | 'system'>,
): Promise<void> {
  const store = context.profiles();
  const profile = await store.get(name);
  const hasSecret = profile.secret !== undefined || profile.keyring;
  if (hasSecret && !isSure) await confirmRemoval(name, profile.keyId, context);
  const { [name]: _removed, ...profiles } = (await store.read()).profiles;
  await forgetSecret(name, profile, profiles, context).catch((error: unknown) => {
    throw error instanceof OrgctlError ? withHint(error, stuckHint(error)) : error;
  });
  const { pending } = profile;
  if (pending?.secret) {
    const { keyId: id, secret } = pending;
    await store.assertWritable();
    await rescueSecret({ id, secret }, 'an unfinished rotation had created a key', context);
  }
  const { current } = await store.remove(name);
  if (profile.retiring !== undefined) {
    await context.note(
      `${displayKeyId(profile.retiring)}, which an unfinished rotation replaced, may still be valid`,
    );
  }
  await context.note(`profile "${name}" removed`);
  if (current !== undefined) return undefined;
  return context.note('no profile is current now; choose one with orgctl profile use NAME');
}

function stuckHint({ details: { hint = '' } }: OrgctlError): string {
  return `${hint}; or leave the secret in the keyring, and remove the profile from the file whose path orgctl profile path prints`;
}

async function confirmRemoval(
  name: string,
  keyId: string,
  { prompt }: Pick<Context, 'prompt'>,
): Promise<void> {
  const question = `Remove profile ${JSON.stringify(name)} and the stored secret of ${displayKeyId(keyId)}?`;
  await (await prompt()).confirm(question, {
    hint: 'pass --yes',
    declined: 'nothing was removed',
  });
}
