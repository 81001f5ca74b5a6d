export interface SbomPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** URL at which it is published. */
  readonly source?: string;
}

export interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  /** Only for packages that are installed beside the bundle. */
  readonly scope?: 'required' | 'optional';
}

export function sbom(
  product: SbomPackage,
  packages: readonly SbomPackage[],
  beside?: readonly string[],
): string;

export function connect(product: SbomPackage, components: readonly Component[]): object[];
