import type { Resource } from '../../contract/resource.js';
import type { View } from '../../terminal/printer.js';

export const apiKeyView: View<Resource> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'NAME', value: 'name' },
    { header: 'ENABLED', value: 'enabled' },
    { header: 'LAST USED', value: 'last_used_at' },
    { header: 'CREATED', value: 'created_at' },
  ],
  empty: 'no API keys',
  example: { id: 'key_0', name: 'example' },
};

/** For the answer to a creation: the only one that has the secret. */
export const createdApiKeyView: View<Resource> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'NAME', value: 'name' },
    { header: 'SECRET', value: 'secret' },
  ],
  block: true,
  fields: ['enabled', 'last_used_at', 'created_at'],
  example: { id: 'key_0', name: 'example', secret: 'example' },
};

/** What a rotation did; the secret is in the profile alone. */
export interface RotatedKey {
  readonly profile: string;
  readonly keyId: string;
  readonly replaced: string;
  /** Whether the old key is deleted; otherwise it is still valid. */
  readonly oldKeyDeleted: boolean;
}

export const rotatedKeyView: View<RotatedKey> = {
  columns: [
    { header: 'PROFILE', value: 'profile' },
    { header: 'KEY ID', value: 'keyId' },
    { header: 'REPLACED', value: 'replaced', id: true },
    { header: 'OLD KEY', value: ({ oldKeyDeleted }) => (oldKeyDeleted ? 'deleted' : 'still valid') },
  ],
  fields: ['oldKeyDeleted'],
  example: { profile: 'example', keyId: 'key_0', replaced: 'key_1', oldKeyDeleted: true },
};
