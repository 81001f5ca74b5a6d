import { isPostgres, postgresTypes } from '../../api/resources/connection.js';
import type { Context } from '../../cli/context.js';

/** Notes types that resemble PostgreSQL's, such as `postgre`: services accept any type, so they are not refused. */
export async function noteNearTypes(
  types: readonly unknown[],
  { note }: Pick<Context, 'note'>,
): Promise<void> {
  const others = [...new Set(types)].filter((type) => typeof type === 'string' && !isPostgres(type));
  if (others.length === 0) return;
  const { closestMatch } = await import('leven');
  for (const type of others.map(String)) {
    const near = closestMatch(type.toLowerCase(), [...postgresTypes], {
      maxDistance: Math.floor(type.length / 2),
    });
    if (near !== undefined)
      await note(`orgctl does not know the type ${JSON.stringify(type)}; did you mean ${near}?`);
  }
}
