/** The form of key IDs and secrets, by the API reference. */
export const keyIdPrefix = 'key_';

export const secretLength = 64;
