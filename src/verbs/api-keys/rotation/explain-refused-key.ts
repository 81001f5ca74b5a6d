import { errorMessage } from '../../../api/refusal-message.js';
import type { Context } from '../../../cli/context.js';
import type { Advice } from '../../../errors/advice.js';
import { ServiceError, withHint } from '../../../errors/errors.js';
import { emptyProfileFile, findProfile, type Profile } from '../../../profiles/file/profile-file.js';

/** Explains a 401 if another process has given the profile another key. */
export function explainRefusedKey(
  { name, profile: { keyId } }: { readonly name: string; readonly profile: Profile },
  { profiles }: Pick<Context, 'profiles'>,
): (error: unknown) => Promise<never> {
  return async (error) => {
    if (!(error instanceof ServiceError) || error.code !== 'unauthenticated') throw error;
    const file = await profiles()
      .read()
      .catch(() => emptyProfileFile);
    const now = findProfile(file, name)?.keyId;
    if (now === undefined || now === keyId) throw error;
    throw new ServiceError(
      error.code,
      `another process has rotated or deleted ${keyId}; profile ${JSON.stringify(name)} now has ${now}`,
      {
        ...{ ...error.details, next: undefined },
        hint: 'this command rotated nothing; run it again only to replace the new key, too',
        cause: error,
      },
    );
  };
}

const otherRefusals: readonly string[] = [
  errorMessage.invalidSecret,
  errorMessage.invalidBasicFormat,
  errorMessage.invalidSignature,
  errorMessage.invalidTimestamp,
];

/** Whether the error may mean that the service does not have the key, for example after `local reset`. */
export function isUnknownKey(error: unknown): error is ServiceError {
  const isRefused = error instanceof ServiceError && error.code === 'unauthenticated';
  return isRefused && !otherRefusals.includes(error.message);
}

/** Explains a 401 that may come from a rotation on another machine, which then has the new key. */
export function explainInvalidKey(name: string, profile: Profile): (error: unknown) => never {
  return (error) => {
    if (!isUnknownKey(error)) throw error;
    throw new ServiceError(
      error.code,
      `${error.message}: ${profile.keyId} of profile ${JSON.stringify(name)} is no longer valid; was it rotated elsewhere?`,
      { ...error.details, ...adviseValidKey(name, profile), cause: error },
    );
  };
}

/** While a new key is pending, `profile set` cannot change the key. */
function adviseValidKey(name: string, { pending }: Profile): Advice {
  const remove = ['orgctl', 'profile', 'remove', name];
  if (pending !== undefined) {
    return {
      hint: `remove the profile, which writes the secret of ${pending.keyId} to a file, and add it with a valid key`,
      next: remove,
    };
  }
  return {
    hint: 'nothing was rotated; if another machine rotated the key, store the new one here',
    next: setKey(name),
  };
}

/** Says how to end a rotation whose new key the service no longer has. */
export function adviseEnding(name: string): Advice {
  return {
    hint: `the service no longer has the key of profile ${JSON.stringify(name)}: give the profile a valid key after this`,
    next: ['orgctl', 'api-keys', 'rotate', '--keep-old'],
  };
}

const restart = ['orgctl', 'api-keys', 'rotate', '--restart'] as const;

/** For a new key that the service refuses, perhaps only at first. */
export function adviseAgain(keyId: string, { keepOld }: { readonly keepOld?: boolean | undefined }): Advice {
  const next = ['orgctl', 'api-keys', 'rotate', ...(keepOld ? ['--keep-old'] : [])];
  const hint = `the service may accept ${keyId} only after a while; if it is still refused then, add --restart; to try again`;
  return { hint, next };
}

/** Handles a refusal to delete the new key of an interrupted run: with `--restart`, a note names the key. */
export function leaveOnRestart(
  name: string,
  { keyId }: Profile,
  options: { readonly restart?: boolean | undefined },
  { note }: Pick<Context, 'note'>,
): (id: string, error: ServiceError) => Promise<void> {
  return async (id, error) => {
    if (error.code === 'unauthenticated') throw error;
    if (options.restart) {
      return note(
        `the service did not delete ${id} (${error.message}), which an interrupted run created; its secret is lost: delete it in the console`,
      );
    }
    throw withHint(error, {
      hint: `profile ${JSON.stringify(name)} still has ${keyId}; ${id}, which an interrupted run created, is still there, and its secret is lost: delete it in the console. To create another`,
      next: restart,
    });
  };
}

function setKey(name: string): readonly string[] {
  return ['orgctl', 'profile', 'set', name, '--key-id', 'KEY_ID'];
}
