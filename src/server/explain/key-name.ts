import { isKeyId } from '../../redaction/harmless.js';

/** The key ID that a request claims, if it is one: what is no key ID may be a secret in the wrong place. */
export function claimedKeyId(text: string | undefined): string | undefined {
  return text !== undefined && isKeyId(text) ? text : undefined;
}

/** Why a key ID was not found. */
export function explainUnknownKey(text: string): string {
  if (text === '') return 'the key ID is empty';
  const claimed = claimedKeyId(text);
  if (claimed !== undefined) return `there is no key ${claimed}: it never existed, was deleted or revoked`;
  return 'the key ID is not of the form key_…: are key ID and secret swapped?';
}
