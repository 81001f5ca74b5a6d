import type { ControlledKey } from '../../api/control/control-answers.js';
import { apiKeys } from '../../api/resources/api-key.js';
import { advise, ServiceError, UsageError } from '../../errors/errors.js';

/**
 * Resolves an ID, a name or the beginning of an ID.
 * @param mustBeWhole whether to refuse the beginning of an ID: it may be the whole ID of a revoked key
 * @throws UsageError naming the IDs if several keys match; ServiceError `not_found`
 */
export async function resolveKey(
  text: string,
  keys: { list(organization: undefined): Promise<readonly ControlledKey[]> },
  mustBeWhole = false,
): Promise<string> {
  const all = await keys.list(undefined);
  if (all.some(({ id }) => id === text)) return text;
  const named = all.filter(({ name }) => name === text);
  const found =
    named.length > 0 ? named : all.filter(({ id }) => !mustBeWhole && isCutId(text) && id.startsWith(text));
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0) return first.id;
  const list = ['orgctl', 'local', 'keys', 'list'];
  if (first === undefined) {
    throw new ServiceError(
      'not_found',
      `API key ${JSON.stringify(text)} not found`,
      advise(list, (command) => `list API keys: ${command}`),
    );
  }
  throw new UsageError(
    `${found.length} API keys match ${JSON.stringify(text)}: ${found.map(({ id }) => id).join(', ')}; nothing was done`,
    advise(list, (command) => `give the ID; to compare them: ${command}`),
  );
}

/** Minimum number of characters after `key_` in the beginning of an ID. */
const fewest = 6;

function isCutId(text: string): boolean {
  const prefix = `${apiKeys.idPrefix}_`;
  return text.startsWith(prefix) && text.length >= prefix.length + fewest;
}
