import type { PlainTypes, QuotaKind } from '../../api/resources/index.js';
import type { TeamInput } from '../../api/resources/records.js';

/**
 * What a store begins with [ours]; docs/guides/local-service.md describes it. What is left out has its default, and identifiers and secrets
 * are generated. Unknown fields are refused.
 */
export interface Seed {
  /** At least one; the first is the server's own. */
  readonly organizations: readonly SeedOrganization[];
}

/** The lists of plain resources: what POST takes, and an ID. */
type PlainLists = {
  readonly [Types in PlainTypes as Types['kind']]?:
    | readonly (Types['input'] & { readonly id?: string | undefined })[]
    | undefined;
};

/** An organization of a seed, with all that it has. */
export interface SeedOrganization extends PlainLists {
  /** `org_` and letters, digits, `-` or `_`. */
  readonly id?: string | undefined;
  readonly name: string;
  /** Limits of its quotas, where they differ from the defaults. */
  readonly quotas?: Partial<Record<QuotaKind, number>> | undefined;
  readonly keys?: readonly SeedKey[] | undefined;
  readonly connections?: readonly SeedConnection[] | undefined;
}

/** An API key of a seed. */
export interface SeedKey {
  /** `key_` and letters, digits, `-` or `_`. */
  readonly id: string;
  /** 64 visible ASCII characters. */
  readonly secret?: string | undefined;
  readonly name?: string | undefined;
  /** Default: true. */
  readonly enabled?: boolean | undefined;
}

/** A connection of a seed: what POST takes, and an ID. */
export interface SeedConnection {
  /** `conn_` and letters, digits, `-` or `_`. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly type: string;
  readonly config: { readonly [setting: string]: unknown };
}

/** A team of a seed: what POST takes, and an ID. */
export interface SeedTeam extends TeamInput {
  /** `team_` and letters, digits, `-` or `_`. */
  readonly id?: string | undefined;
}
