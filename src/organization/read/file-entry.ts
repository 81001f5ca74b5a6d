import type { DeclaredResource } from '../../api/resources/index.js';
import type { Advice } from '../../errors/advice.js';
import type { UsageError } from '../../errors/errors.js';
import type { OrganizationEntry } from '../declaration/organization-file.js';

export interface FileProblem {
  /** The path of the field, or where it should be. */
  readonly path: readonly PropertyKey[];
  /** Never contains a setting's value, which may be a password. */
  readonly what: string;
  /** The path of another field that contradicts this one. */
  readonly against?: readonly PropertyKey[] | undefined;
}

export interface FileEntry {
  readonly resource: DeclaredResource;
  readonly entry: OrganizationEntry;
  readonly path: readonly PropertyKey[];
}

/** An entry's place in its file, such as `teams[0]`. */
export function nameEntry([kind, index]: readonly PropertyKey[]): string {
  return `${String(kind)}[${String(index)}]`;
}

export interface OrganizationFile {
  readonly kinds: ReadonlyMap<DeclaredResource, readonly FileEntry[]>;
  /** Base of relative paths in the file. */
  readonly directory: string;
  /** SHA-256 of the file's bytes, in hexadecimal. */
  readonly sha256: string;
  refusal(problems: readonly FileProblem[], advice?: Advice): UsageError;
}
