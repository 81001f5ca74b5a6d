import { apiKeys, readSigningId } from '../../api/resources/api-key.js';
import type { Context } from '../../cli/context.js';
import { DeclinedError, UsageError } from '../../errors/errors.js';
import { isKeyId } from '../../redaction/harmless.js';
import { isSameOrigin } from '../../text/base-url.js';
import { confirmOnTerminal, requireChangeable } from '../resource/confirm.js';
import { printAnswer } from '../resource/print.js';
import { findTargets, notFound, onTarget, type Target } from '../resource/target.js';
import { apiKeyView } from './view.js';

interface OwnKeyOptions {
  readonly yes?: boolean | undefined;
  readonly evenMine?: boolean | undefined;
}

export async function disableKey(text: string, options: OwnKeyOptions, context: Context): Promise<void> {
  await requireChangeable(apiKeyView, context);
  const [target = { id: text, typed: text }] = await findTargets(apiKeys, [text], context);
  if (target.isAbsent) throw notFound(apiKeys, target);
  const asked = await confirmOwnKey('disable', [target], options, context);
  if (!options.yes && !asked) {
    const outcome = 'The API cannot re-enable it.';
    await confirmOnTerminal(`Disable API key ${text}`, outcome, 'nothing was disabled', context);
  }
  const calls = (await context.api()).apiKeys;
  const change = (id: string) => calls.update(id, { enabled: false }, { evenMine: true });
  const disabled = await onTarget(apiKeys, target, change);
  await printAnswer(disabled, apiKeyView, context);
}

/** If a target is the key in use, asks for its ID: users would lock themselves out. @returns whether it asked */
export async function confirmOwnKey(
  change: 'delete' | 'disable',
  targets: readonly Target[],
  { yes, evenMine }: OwnKeyOptions,
  context: Context,
): Promise<boolean> {
  const { credential, baseUrl } = await context.settings().service();
  const { keyId } = credential;
  const ids = targets.map(({ id, found }) => (found && readSigningId(found)) ?? id);
  // Without a profile in use, the profile file is not read.
  if ((await context.settings().profile()) !== undefined) {
    const names = await findProfilesOf(baseUrl.origin, ids, context);
    if (names.length > 0) await context.note(`profiles that will stop working: ${names.join(', ')}`);
  }
  // Some services do not show which of their keys signs.
  const unclear = targets.find(({ found }, at) => found !== undefined && !isKeyId(ids[at] ?? ''));
  const isMine = ids.includes(keyId);
  if (!isMine && (unclear === undefined || !isKeyId(keyId))) return false;
  const danger = isMine
    ? `${keyId} is the key you are using: if you ${change} it, you lock yourself out`
    : `${unclear?.id} may be ${keyId}, the key you are using: the service does not show which key it is`;
  const next = ['orgctl', 'api-keys', 'rotate'];
  if (yes && !evenMine) throw new UsageError(danger, { hint: 'pass --yes --even-mine, or replace it', next });
  await (await context.printer()).warn(danger);
  if (yes) return false;
  const prompt = await context.prompt();
  const typed = await prompt.line(`Type its ID to ${change} it:`, {
    hint: `${danger}; pass --yes --even-mine`,
  });
  const wanted = isMine ? keyId : unclear?.id;
  if (typed.trim() === wanted) return true;
  throw new DeclinedError(`nothing was ${change}d: that is not ${wanted}`);
}

/** Names of the stored profiles that have one of these keys of a service. */
export async function findProfilesOf(
  baseUrl: string,
  keyIds: readonly string[],
  { profiles }: Context,
): Promise<readonly string[]> {
  return Object.entries((await profiles().read()).profiles)
    .filter(([, profile]) => keyIds.includes(profile.keyId) && isSameOrigin(profile.baseUrl, baseUrl))
    .map(([name]) => name);
}
