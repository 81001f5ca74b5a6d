import type { DeclaredResource } from '../../api/resources/index.js';
import type { UsageError } from '../../errors/errors.js';
import type { OrganizationEntry } from '../declaration/organization-file.js';

/** A problem of a file, or of what it asks for. */
export interface FileProblem {
  /** The path of the field, or where it should be. */
  readonly path: readonly PropertyKey[];
  /** Never repeats a value: it may be a password. */
  readonly what: string;
}

/** One entry of a file. */
export interface FileEntry {
  readonly resource: DeclaredResource;
  readonly entry: OrganizationEntry;
  /** Where it stands, from the top of the file. */
  readonly path: readonly PropertyKey[];
}

/** An organization as a file, read and checked. */
export interface OrganizationFile {
  /** The entries of each kind that the file names, in their order. */
  readonly kinds: ReadonlyMap<DeclaredResource, readonly FileEntry[]>;
  /** What paths in the file start from. */
  readonly directory: string;
  /** Of the bytes, in hexadecimal. */
  readonly sha256: string;
  /** The error that lists problems with file, line and column. */
  refusal(problems: readonly FileProblem[]): UsageError;
}
