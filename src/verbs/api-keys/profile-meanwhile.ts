import type { Context } from '../../cli/context.js';
import {
  type Advice,
  advise,
  adviseText,
  ConfigError,
  readMessage,
  type Say,
  toOperands,
} from '../../errors/errors.js';
import {
  emptyProfileFile,
  findProfile,
  type PendingCreation,
  type Profile,
} from '../../profiles/file/profile-file.js';
import { adviseFinding, mayExistHint } from './interrupted-creation.js';

/** The profile as the rotation last read or wrote it. */
export interface RotationBegun {
  readonly name: string;
  readonly profile: Profile;
  readonly pendingId: string | undefined;
}

type ReadContext = Pick<Context, 'profiles'>;

/** @throws ConfigError if the profile's address, key, secret or pending key has changed */
export function requireUnchanged(begun: RotationBegun, current: Profile | undefined): Profile {
  if (current !== undefined && isSame(begun, current)) return current;
  throw new ConfigError(`another process has changed profile ${JSON.stringify(begun.name)}`);
}

/** Whether the next run can continue from the profile's records. False if the profiles cannot be read. */
export async function isUnchanged(begun: RotationBegun, context: ReadContext): Promise<boolean> {
  return isSame(begun, await readAgain(begun, context));
}

function isSame({ profile, pendingId }: RotationBegun, current: Profile | undefined): boolean {
  const { baseUrl, keyId, secret } = profile;
  const isSameKey = current?.baseUrl === baseUrl && current.keyId === keyId && current.secret === secret;
  return isSameKey && current.pending?.keyId === pendingId;
}

async function readAgain({ name }: RotationBegun, { profiles }: ReadContext): Promise<Profile | undefined> {
  const file = await profiles()
    .read()
    .catch(() => emptyProfileFile);
  return findProfile(file, name);
}

/** For a new key that no profile has. Advises a rerun only if it would delete the key. */
export async function notInUse(
  error: unknown,
  id: string,
  begun: RotationBegun,
  context: ReadContext,
): Promise<ConfigError> {
  const message = `${readMessage(error)}; the new key ${id} was created and is enabled, but not in use`;
  const advice = adviseDeleting(id, begun, await readAgain(begun, context));
  return new ConfigError(message, { ...advice, cause: error });
}

function adviseDeleting(id: string, begun: RotationBegun, current: Profile | undefined): Advice {
  const remove = ['orgctl', 'api-keys', 'delete', ...toOperands(id)];
  if (isSame(begun, current)) {
    const again = `or fix the cause and run the same command: it deletes ${id} and creates another`;
    return advise(remove, (command) => `delete it: ${command}; ${again}`);
  }
  // Stored after all: only the directory could not be synced.
  if (current?.pending?.keyId === id) return { hint: 'run the same command again to continue with it' };
  const { baseUrl } = begun.profile;
  if (current?.baseUrl === baseUrl) return advise(remove, (command) => `delete it: ${command}`);
  const say: Say = (format) =>
    `delete it with a profile for ${baseUrl}: ${format(['orgctl', 'api-keys', 'delete', '-p', 'NAME', ...toOperands(id)])}`;
  return adviseText(say);
}

/** For a key that may exist. The next run looks for it only if the profile still has the key that sealed the record. */
export async function adviseLost(
  creation: PendingCreation,
  begun: RotationBegun,
  context: ReadContext,
): Promise<string | Advice> {
  return (await isUnchanged(begun, context)) ? mayExistHint(creation) : adviseFinding(creation);
}
