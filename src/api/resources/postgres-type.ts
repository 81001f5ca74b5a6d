import type { PostgresType } from './records.js';

/** Values of `type` for PostgreSQL. The settings of other types are not checked. */
export const postgresTypes = ['postgresql', 'pg'] as const satisfies readonly PostgresType[];

/** Whether the type is PostgreSQL, whose six config fields are checked. */
export function isPostgres(type: unknown): boolean {
  return postgresTypes.some((known) => known === type);
}
