import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readSigningId } from '../../api/resources/api-key.js';
import type { IdentifiedResource } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import { type Advice, toOperands } from '../../errors/advice.js';
import { findProfile, type PendingCreation, type ProfileFile } from '../../profiles/file/profile-file.js';
import { type RecordMaker, type RecordSigner, recordSigner } from '../../profiles/record-seal.js';
import {
  type CreationRecord,
  noteDoubtful,
  noteIgnored,
  unknownOrphan,
} from '../../verbs/api-keys/interrupted-creation.js';
import { severalOrphans } from '../../verbs/api-keys/orphan-rules.js';
import { type Suspects, suspectsAmong } from '../../verbs/api-keys/orphans.js';
import { keysInUse, profileOfMaker, recordedCreation } from '../../verbs/api-keys/profile-record.js';
import { recordBeside } from '../../verbs/api-keys/secret-file.js';
import { isOfLiveRun, peekAtRecord } from '../../verbs/api-keys/secret-record.js';
import type { FileEntry, FileProblem } from '../read/file-entry.js';

export interface InterruptedKey {
  /** Keys whose secrets were not stored. */
  readonly orphans: readonly IdentifiedResource[];
  /** Other keys whose secrets may never have been stored. */
  readonly doubtful?: readonly IdentifiedResource[];
  readonly made?: IdentifiedResource | undefined;
  readonly problem?: string;
}

interface Left extends Pick<CreationRecord, 'left' | 'ignored' | 'ignoredKey' | 'kept'> {
  readonly madeId?: string | undefined;
  /** No profile has the key that began, such as after its rotation: no run can continue. */
  readonly isStranded?: boolean;
}

type LookContext = Pick<Context, 'system' | 'profiles' | 'settings' | 'note' | 'progress'>;

/** Finds, by entry path, keys that interrupted runs created. Notes ignored records. @param keys existing keys */
export async function interruptedKeys(
  entries: readonly FileEntry[],
  keys: readonly IdentifiedResource[],
  { directory }: { readonly directory: string },
  context: LookContext,
): Promise<ReadonlyMap<FileEntry['path'], InterruptedKey>> {
  const signer = await recordSigner(context.settings());
  const found = new Map<FileEntry['path'], InterruptedKey>();
  const pinned = new Set(entries.map(({ entry }) => entry.id));
  const free = keys.filter(({ id }) => !pinned.has(id));
  for (const one of entries) {
    const record = await findLeft(one, directory, signer, context);
    await noteIgnored(record, context);
    if (record.madeId !== undefined) {
      const made = keys.find((key) => readSigningId(key) === record.madeId);
      if (made !== undefined) found.set(one.path, { orphans: [], made });
    } else if (record.left !== undefined) {
      const suspects = suspectsAmong(free, record.left, record.kept);
      if (suspects === undefined)
        await context.note(unknownOrphan(record.left), ['orgctl', 'api-keys', 'list', '--all']);
      else await noteDoubtful(suspects, context);
      found.set(one.path, tellOrphans(suspects ?? { orphans: [], doubtful: [] }, record.left));
    } else if (record.isStranded) {
      found.set(one.path, { orphans: [], doubtful: free.filter(({ name }) => name === one.entry.name) });
    }
  }
  return found;
}

function tellOrphans(
  { orphans, doubtful }: Suspects<IdentifiedResource>,
  { name, ownName }: PendingCreation,
): InterruptedKey {
  if (orphans.length <= 1 || ownName) return { orphans, doubtful };
  return { orphans: [], problem: severalOrphans(orphans, name) };
}

async function findLeft(
  { entry: { secret_to: target } }: FileEntry,
  directory: string,
  signer: RecordSigner,
  { system, profiles }: LookContext,
): Promise<Left> {
  if (target === undefined || 'command' in target) return { left: undefined };
  if ('profile' in target) {
    const file = await profiles().read();
    // If the profile exists, its record belongs to a rotation, not to a creation.
    if (findProfile(file, target.profile) !== undefined) return { left: undefined };
    const found = recordedCreation(file, target.profile, { store: profiles(), signer, pid: system.pid });
    return { ...found, isStranded: isStranded(found.maker, file, signer) };
  }
  const path = resolve(directory, target.file);
  const record = recordBeside(path, signer);
  const found = await peekAtRecord(record);
  const { creation, created, pid, ignored } = found;
  if (isOfLiveRun(found, system.pid)) {
    const what = `${record.path} belongs to process ${pid}, which seems to be running`;
    return {
      left: undefined,
      ignored: `${what} (let it finish; if that process is not orgctl, remove the file)`,
    };
  }
  const file = await profiles().read();
  if (ignored !== undefined) {
    return {
      left: undefined,
      ignored,
      isStranded: !existsSync(path) && isStranded(found.maker, file, signer),
    };
  }
  // A creation records its key before it writes the secret file, so this file is not from the recorded creation.
  if (creation !== undefined && created === undefined && existsSync(path)) {
    return {
      left: undefined,
      ignored: `${record.path} is out of date: ${path} exists`,
    };
  }
  return { left: creation, madeId: created?.id, kept: keysInUse(file, signer) };
}

function isStranded(maker: RecordMaker | undefined, file: ProfileFile, { baseUrl }: RecordMaker): boolean {
  return maker?.baseUrl === baseUrl && profileOfMaker(file, maker) === undefined;
}

/** Without this problem, the plan would have nothing to change, and the secret would never be stored. */
export function unstoredSecret({ path }: Pick<FileEntry, 'path'>, { id }: IdentifiedResource): FileProblem {
  const what = `an interrupted run may have created ${id} without storing its secret; if it is stored elsewhere, pin the key: id: ${id}`;
  return { path: [...path, 'secret_to'], what, unstoredKey: id };
}

/** Gives no command as the next one: whether a key is in use is not known. */
export function adviseUnstored(problems: readonly FileProblem[]): Advice | undefined {
  const ids = problems.flatMap(({ unstoredKey = [] }) => unstoredKey);
  if (ids.length === 0) return undefined;
  const remove = ['orgctl', 'api-keys', 'delete', ...toOperands(...ids)];
  return { hint: 'delete a key only if nothing uses it, then run the same command again', next: remove };
}
