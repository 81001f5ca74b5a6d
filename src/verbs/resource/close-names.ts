import { closeNameFinder } from '../../api/resources/folded-name.js';
import type { DeclaredResource } from '../../api/resources/index.js';
import { type Resource, readId } from '../../api/resources/resource.js';
import { UsageError } from '../../errors/errors.js';

/**
 * Refuses names that may exist in a form that the service derives, such as `my-team` from `My Team`.
 * @param others existing resources that have none of the wanted names
 * @throws UsageError naming up to 10 of them
 */
export function refuseCloseNames(
  { singular, plural }: DeclaredResource,
  wanted: readonly string[],
  others: readonly Resource[],
): void {
  const findClose = closeNameFinder(others);
  const close = wanted.flatMap((name) => {
    const found = findClose(name);
    return found.length === 0 ? [] : [`${JSON.stringify(name)} may be ${describeNames(found)}`];
  });
  if (close.length === 0) return;
  throw new UsageError(
    `${close.slice(0, maxShown).join('; ')}${close.length > maxShown ? '; …' : ''}; nothing was created`,
    {
      hint: `use the ${close.length === 1 ? 'name' : 'names'} that the service shows; or omit --skip-existing to create ${close.length === 1 ? `a new ${singular}` : `new ${plural}`}`,
    },
  );
}

const maxShown = 10;

/** Such as `"my-team" (team_1)`. */
function describeNames(found: readonly Resource[]): string {
  return found
    .slice(0, maxShown)
    .map((one) => `${JSON.stringify(one['name'])} (${readId(one)})`)
    .join(', ');
}
