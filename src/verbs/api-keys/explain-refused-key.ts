import { errorMessage } from '../../api/refusal-message.js';
import type { Context } from '../../cli/context.js';
import { adviseText, ServiceError } from '../../errors/errors.js';
import { emptyProfileFile, findProfile, type Profile } from '../../profiles/file/profile-file.js';

/** Explains the 401 after another process has rotated the key that signs. */
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
        ...{ ...error.details, see: undefined, next: undefined },
        hint: 'nothing was rotated by this command; run it again only to replace the new key, too',
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

/** Explains the 401 after a rotation on another machine, which alone has the new key. */
export function explainInvalidKey(name: string, { keyId }: Profile): (error: unknown) => never {
  return (error) => {
    const isRefused = error instanceof ServiceError && error.code === 'unauthenticated';
    if (!isRefused || otherRefusals.includes(error.message)) throw error;
    const show = ['orgctl', 'profile', 'env', name];
    const set = ['orgctl', 'profile', 'set', name, '--key-id', 'KEY_ID'];
    throw new ServiceError(
      error.code,
      `${error.message}: ${keyId} of profile ${JSON.stringify(name)} is no longer valid; was it rotated elsewhere?`,
      {
        ...error.details,
        ...adviseText(
          (format) =>
            `nothing was rotated; if another machine rotated the key, show the new one there: ${format(show)}; then store it here: ${format(set)}`,
        ),
        cause: error,
      },
    );
  };
}
