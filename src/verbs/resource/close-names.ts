import { closeNameFinder } from '../../api/resources/folded-name.js';
import type { DeclaredResource } from '../../api/resources/index.js';
import { type Resource, readId } from '../../api/resources/resource.js';
import { UsageError } from '../../errors/errors.js';

/**
 * Refuses names that may exist in a form that the service derives, such as `my-team` from `My Team`.
 * @param others the existing resources without a wanted name
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
    `${close.slice(0, maxShown).join('; ')}${close.length > maxShown ? '; …' : ''}: nothing was created`,
    {
      hint: `give the ${close.length === 1 ? `${singular} its name` : `${plural} their names`} as the service shows ${close.length === 1 ? 'it' : 'them'}; or omit --skip-existing to create new ones`,
    },
  );
}

const maxShown = 10;

/** Such as `"my-team" (team_1)`. */
export function describeNames(found: readonly Resource[]): string {
  return found
    .slice(0, maxShown)
    .map((one) => `${JSON.stringify(one['name'])} (${readId(one)})`)
    .join(', ');
}
