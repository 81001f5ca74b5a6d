export interface NoticedPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly licenseText?: string | null;
  /** URL at which it is published. */
  readonly source?: string;
}

export function notice(of: NoticedPackage): string;
