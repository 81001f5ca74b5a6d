import type { QuotaKind } from '../contract/resources/index.js';

/** A resource was to be created beyond its organization's quota (reference, section 8); nothing was. */
export class QuotaExceeded extends Error {
  readonly kind: QuotaKind;
  readonly limit: number;
  readonly used: number;

  constructor(kind: QuotaKind, limit: number, used: number) {
    super(`no room for another of ${kind}: ${used} of ${limit} used`);
    this.name = 'QuotaExceeded';
    this.kind = kind;
    this.limit = limit;
    this.used = used;
  }
}
