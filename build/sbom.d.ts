interface Package {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Where it is published. */
  readonly source?: string;
}

export function sbom(product: Package, packages: readonly Package[]): string;
