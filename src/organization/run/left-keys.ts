import type { FileEntry } from '../read/file-entry.js';
import { keepsRecord, LeftKeyError } from './create-resource.js';

export interface KeyToDelete {
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

  /** Records the key of a failed creation. @returns the error to report */
  note({ name, secret_to }: FileEntry['entry'], error: unknown): unknown {
    const isLeft = error instanceof LeftKeyError;
    const id = isLeft ? error.id : undefined;
    if (isLeft || keepsRecord(error)) {
      // A command has no record, by which the next run would find the key.
      if (id !== undefined || 'command' in Object(secret_to)) this.toDelete.push({ name, id });
      else this.mayBeFound = true;
    }
    return isLeft ? error.cause : error;
  }
}
