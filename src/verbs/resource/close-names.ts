import { type Resource, readId } from '../../api/resources/resource.js';

const maxShown = 10;

/** Such as `"my-team" (team_1)`. */
export function describeNames(found: readonly Resource[]): string {
  return found
    .slice(0, maxShown)
    .map((one) => `${JSON.stringify(one['name'])} (${readId(one)})`)
    .join(', ');
}
