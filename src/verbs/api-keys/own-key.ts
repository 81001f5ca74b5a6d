import { readSigningId } from '../../api/resources/api-key.js';
import type { Context } from '../../cli/context.js';
import { DeclinedError, UsageError } from '../../errors/errors.js';
import { findStored } from '../../profiles/settings/stored-profile.js';
import { isKeyId } from '../../redaction/harmless.js';
import type { NamedResource } from '../resource/named.js';
import { noteProfilesOf } from './profiles-of-keys.js';

export const evenMineOption = ['--even-mine', 'with --yes: allow this for the key you are using'] as const;

export interface OwnKeyOptions {
  readonly yes?: boolean | undefined;
  readonly evenMine?: boolean | undefined;
}

const adviseRotation = {
  hint: 'pass --yes --even-mine, or replace it',
  next: ['orgctl', 'api-keys', 'rotate'],
};

const adviseAnother = {
  hint: 'pass --yes --even-mine, or create another key, and use that one',
  next: ['orgctl', 'api-keys', 'create', '--name', 'NAME'],
};

/**
 * Asks for the ID before deleting or disabling the key in use, because that locks its user out; `--yes` is not enough.
 * Notes stored profiles that have the key.
 * @returns whether it asked
 * @throws DeclinedError if another text is typed; UsageError without a terminal, or for `--yes` without `--even-mine`
 */
export async function confirmOwnKey(
  change: 'delete' | 'disable',
  targets: readonly NamedResource[],
  { yes, evenMine }: OwnKeyOptions,
  context: Pick<Context, 'settings' | 'profiles' | 'prompt' | 'printer' | 'note'>,
): Promise<boolean> {
  const { credential } = await context.settings().service();
  const { keyId } = credential;
  const ids = targets.map(({ id, found }) => (found && readSigningId(found)) ?? id);
  await noteProfilesOf(ids, context);
  const unclear = targets.find(({ found }, at) => found !== undefined && !isKeyId(ids[at] ?? ''));
  if (!ids.includes(keyId) && (unclear === undefined || !isKeyId(keyId))) return false;
  const danger = ids.includes(keyId)
    ? `${keyId} is the key you are using: if you ${change} it, you lock yourself out`
    : `${unclear?.id} may be ${keyId}, the key you are using: the service does not show which key it is`;
  if (yes && !evenMine) {
    const canRotate = (await findStored(context.settings())) !== undefined;
    throw new UsageError(danger, canRotate ? adviseRotation : adviseAnother);
  }
  await (await context.printer()).warn(danger);
  if (evenMine) return false;
  const prompt = await context.prompt();
  const typed = await prompt.line(`Type its ID to ${change} it:`, {
    hint: `${danger}; pass --yes --even-mine`,
  });
  const wanted = ids.includes(keyId) ? keyId : unclear?.id;
  if (typed.trim() === wanted) return true;
  throw new DeclinedError(`nothing was ${change}d: that is not ${wanted}`);
}
