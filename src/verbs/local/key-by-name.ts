import type { ControlledKey } from '../../api/control/control-answers.js';
import { apiKeys } from '../../api/resources/api-key.js';
import type { Context } from '../../cli/context.js';
import { ServiceError, UsageError } from '../../errors/errors.js';
import { canAsk } from '../../terminal/interaction/can-ask.js';
import { type NamedResource, requireWholeIds } from '../resource/named.js';
import type { FoundServer } from './find-server.js';
import { nameServer, requireConfirmation } from './with-control.js';

interface KeyList {
  list(organization: undefined): Promise<readonly ControlledKey[]>;
}

/**
 * Resolves the key that a command is to change; the beginning of an ID only with a question on a terminal.
 * @returns the ID @throws as `resolveKey`; UsageError for the beginning of an ID without a terminal; DeclinedError
 */
export async function resolveKeyToChange(
  text: string,
  { keys, server }: { readonly keys: KeyList; readonly server: FoundServer },
  { change, changed }: { readonly change: string; readonly changed: string },
  context: Pick<Context, 'prompt' | 'system' | 'streams'>,
): Promise<string> {
  const key = await resolveKey(text, keys);
  if (!canAsk(context)) requireWholeIds(apiKeys, [key], changed);
  const question = `${change} ${key.id} on ${nameServer(server)}?`;
  if (key.isCut) await requireConfirmation(question, undefined, context);
  return key.id;
}

/**
 * Resolves an ID, a name or the beginning of an ID.
 * @throws UsageError naming the IDs if several keys match; ServiceError `not_found`
 */
export async function resolveKey(text: string, keys: KeyList): Promise<NamedResource> {
  const all = await keys.list(undefined);
  if (all.some(({ id }) => id === text)) return { id: text, typed: text };
  const named = all.filter(({ name }) => name === text);
  const found = named.length > 0 ? named : all.filter(({ id }) => isCutId(text) && id.startsWith(text));
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0) {
    return { id: first.id, typed: text, ...(first !== named[0] && { isCut: true }) };
  }
  const list = ['orgctl', 'local', 'keys', 'list'];
  if (first === undefined) {
    throw new ServiceError('not_found', `API key ${JSON.stringify(text)} not found`, {
      hint: 'list API keys',
      next: list,
    });
  }
  throw new UsageError(
    `${found.length} API keys match ${JSON.stringify(text)}: ${found.map(({ id }) => id).join(', ')}; nothing was done`,
    { hint: 'give the ID; to compare them', next: list },
  );
}

/** Minimum number of characters after `key_` in the beginning of an ID. */
const fewest = 6;

function isCutId(text: string): boolean {
  const prefix = `${apiKeys.idPrefix}_`;
  return text.startsWith(prefix) && text.length >= prefix.length + fewest;
}
