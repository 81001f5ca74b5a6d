import type { Insertable } from 'kysely';
import type { ConnectionInput } from '../contract/connection.js';
import type { QuotaLimits } from './organizations.js';
import type { Tables } from './tables.js';

export type ContentTable = 'organizations' | 'quotas' | 'api_keys' | 'connections' | 'teams';

/** A row without its place in the order of creation: the order of the rows is that. */
export type Row<Table extends ContentTable> = Omit<Insertable<Tables[Table]>, 'sequence'>;

/** Everything that a store holds, at one moment; what is sealed stays sealed. */
export interface Content {
  readonly rows: { readonly [Table in ContentTable]: readonly Row<Table>[] };
  readonly firstOrganization: string | undefined;
  readonly firstKey: string | undefined;
}

/** An organization with all that belongs to it, as it is to be. */
export interface PlannedOrganization {
  readonly id: string;
  readonly name: string;
  readonly limits: QuotaLimits;
  readonly keys: readonly PlannedKey[];
  readonly connections: readonly (ConnectionInput & { readonly id: string })[];
  readonly teams: readonly { readonly id: string; readonly name: string }[];
}

export interface PlannedKey {
  readonly id: string;
  readonly name: string;
  readonly secret: string;
  readonly enabled: boolean;
}
