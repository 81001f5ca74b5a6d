import type { QuotaKind } from '../../api/resources/index.js';
import type { TeamInput } from '../../api/resources/records.js';

/** Initial data of a store (docs/guides/local-service.md). Missing IDs and secrets are generated; unknown fields are refused. */
export interface Seed {
  /** At least one; the first is the server's own. */
  readonly organizations: readonly SeedOrganization[];
}

/** An organization of a seed. An ID is the kind's prefix, here `org_`, followed by letters, digits, `-` or `_`. */
export interface SeedOrganization {
  readonly id?: string | undefined;
  readonly name: string;
  /** Quota limits that differ from the defaults. */
  readonly quotas?: Partial<Record<QuotaKind, number>> | undefined;
  readonly keys?: readonly SeedKey[] | undefined;
  readonly connections?: readonly SeedConnection[] | undefined;
  readonly teams?: readonly SeedTeam[] | undefined;
}

/** An API key of a seed. */
export interface SeedKey {
  readonly id: string;
  readonly secret?: string | undefined;
  readonly name?: string | undefined;
  /** Default: true. */
  readonly enabled?: boolean | undefined;
}

/** A connection of a seed: the body of POST, with an optional ID. */
export interface SeedConnection {
  readonly id?: string | undefined;
  readonly name: string;
  readonly type: string;
  readonly config: { readonly [setting: string]: unknown };
}

/** A team of a seed: the body of POST, with an optional ID. */
export interface SeedTeam extends TeamInput {
  readonly id?: string | undefined;
}

/** A stored key of the seed. */
export interface SeededKey {
  readonly organization: string;
  readonly keyId: string;
  readonly secret: string;
}
