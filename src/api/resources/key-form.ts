/** The form of key IDs and secrets in the API reference. */
export const keyIdPrefix = 'key_';

export const secretLength = 64;
