import type { DeclaredResource } from '../../api/resources/index.js';
import type { Context } from '../../cli/context.js';
import type { Api } from '../../client/api.js';
import { findTargets, type Target } from '../../commands/resource/target.js';
import { UsageError } from '../../errors/errors.js';

export { parseIdentifiers } from '../../commands/resource/target.js';

export type NamedResource = Target & { readonly isCut?: true };

export async function namedResource(
  resource: DeclaredResource,
  text: string,
  api: Api,
  context: Pick<Context, 'progress'>,
): Promise<Target> {
  const [one] = await findTargets(resource, [text], api, context);
  return one ?? { id: text, typed: text };
}

/** @throws UsageError for the beginning of an ID, which only keys of a server on this machine can be given by */
export function requireWholeIds(
  { singular }: DeclaredResource,
  targets: readonly NamedResource[],
  done: string,
): void {
  const cut = targets.find(({ isCut }) => isCut);
  if (cut === undefined) return;
  throw new UsageError(
    `no ${singular} has the ID ${cut.typed}; it is the beginning of ${cut.id}; nothing was ${done}`,
    { hint: 'without a prompt, give the whole ID' },
  );
}
