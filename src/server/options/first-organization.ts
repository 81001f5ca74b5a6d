import type { QuotaKind } from '../../api/resources/index.js';

/** The choices for the first organization, which every store has. */
export interface FirstOrganizationOptions {
  /** The first API key, instead of a generated one. */
  readonly bootstrap?: BootstrapKey | undefined;
  /** Limits of the first organization's quotas, if other than those stored or the defaults. */
  readonly quotas?: Partial<Record<QuotaKind, number>> | undefined;
}

/** The ID (`key_…`) and secret (64 characters) of a key; what is left out is generated. */
export interface BootstrapKey {
  readonly keyId?: string | undefined;
  readonly secret?: string | undefined;
}

/** Name of the organization that a server makes by itself. */
export const organizationName = 'default';

/** Name of the key that a server makes by itself. */
export const firstKeyName = 'bootstrap';
