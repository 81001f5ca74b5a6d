/** Where a setting came from, in the order of precedence (contract, section 1). */
export interface Source {
  readonly kind: 'flag' | 'env' | 'profile' | 'default';
  /** `--timeout`, `ORGCTL_TIMEOUT`, the profile's name; for a default, what determined it. */
  readonly name: string;
}

/** A setting's value and where it came from. */
export interface Sourced<Value> {
  readonly value: Value;
  readonly source: Source;
}

export const builtIn: Source = { kind: 'default', name: 'default' };

/** The source, as messages and `whoami` name it. */
export function describeSource(source: Source): string {
  return source.kind === 'profile' ? `profile "${source.name}"` : source.name;
}
