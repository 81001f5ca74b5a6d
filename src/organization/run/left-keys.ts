import { type AddOptions, formatCommand } from '../../errors/advice.js';
import type { FileEntry } from '../read/file-entry.js';
import { keepsRecord, LeftKeyError } from './create-resource.js';

interface KeyToDelete {
  readonly name: string;
  /** Absent if it is not certain which key is new, or whether one is. */
  readonly id: string | undefined;
}

/** New keys that may exist without their secrets after a run. */
export class LeftKeys {
  /** The next run plans to delete such a key. */
  mayBeFound = false;
  /** To delete by hand: the next run would take them for complete. */
  readonly toDelete: KeyToDelete[] = [];
  /** IDs of keys that may have existed before. Their rescued secrets are to be stored by hand. */
  readonly toStore: string[] = [];

  /** Records the key of a failed creation. @returns the error to report */
  note({ name, secret_to }: FileEntry['entry'], error: unknown): unknown {
    if (error instanceof LeftKeyError) {
      if (error.isNew) this.toDelete.push({ name, id: error.id });
      else this.toStore.push(error.id);
      return error.cause;
    }
    if (keepsRecord(error)) {
      // A command has no record, by which the next run would find the key.
      if ('command' in Object(secret_to)) this.toDelete.push({ name, id: undefined });
      else this.mayBeFound = true;
    }
    return error;
  }
}

/** Steps to do by hand before the next run, ending with "; then ". */
export function adviseKeys(
  { toDelete, toStore }: Pick<LeftKeys, 'toDelete' | 'toStore'>,
  addOptions: AddOptions,
): string {
  return [
    ...toDelete.map((key) => adviseDeletion(key, addOptions)),
    ...toStore.map((id) => `store the secret of ${id}, reported above, where secret_to says; then `),
  ].join('');
}

function adviseDeletion({ name, id }: KeyToDelete, addOptions: AddOptions): string {
  if (id !== undefined) {
    const remove = formatCommand(addOptions(['orgctl', 'api-keys', 'delete', id]));
    return `key "${name}" exists without its secret, so delete it: ${remove}; then `;
  }
  const find = formatCommand(addOptions(['orgctl', 'api-keys', 'list', '--all', '--name', name]));
  return `a new key may exist without its secret, so find and delete it: ${find}; then `;
}
