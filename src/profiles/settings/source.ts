/** Where a setting came from, in order of precedence. */
export interface Source {
  readonly kind: 'flag' | 'env' | 'profile' | 'default';
  /** `--timeout`, `ORGCTL_TIMEOUT`, the profile's name; for a default, what determined it. */
  readonly name: string;
}

export interface Sourced<Value> {
  readonly value: Value;
  readonly source: Source;
}

export const builtIn: Source = { kind: 'default', name: 'default' };

export function describeSource(source: Source): string {
  return source.kind === 'profile' ? `profile "${source.name}"` : source.name;
}
