import { closeNameFinder } from '../../api/resources/folded-name.js';
import type { DeclaredResource } from '../../api/resources/index.js';
import { type Resource, readId } from '../../api/resources/resource.js';
import { UsageError } from '../../errors/errors.js';

/**
 * Refuses to create what may exist under the service's form of its name, such as `my-team` for `My Team`.
 * @param others the existing resources with other names than any wanted one
 * @throws UsageError naming each
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
      hint: `give the ${close.length === 1 ? `${singular} its name` : `${plural} their names`} as the service has ${close.length === 1 ? 'it' : 'them'}; or leave out --skip-existing, to create others`,
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
