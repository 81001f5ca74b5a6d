/** A way of writing an HMAC as text. */
export interface SignatureSpelling {
  readonly id: string;
  /** Completes the sentence "The signature was made …". */
  readonly description: string;
  /** The bytes that a signature in this spelling stands for; `undefined` when it is not in this spelling. */
  readonly read: (signature: string) => Buffer | undefined;
}

/** Spellings other than lower-case hexadecimal, the one of the reference (section 5, mode B). */
export const wrongSpellings: readonly SignatureSpelling[] = [
  {
    id: 'upper-case-hex',
    description: 'in upper-case hexadecimal',
    read: (signature) => (isHex(signature.toLowerCase()) ? Buffer.from(signature, 'hex') : undefined),
  },
  {
    id: 'base64',
    description: 'in base64 instead of hexadecimal',
    read: readBase64,
  },
];

/** The bytes of a signature in lower-case hexadecimal. */
export function readHex(signature: string): Buffer | undefined {
  return isHex(signature) ? Buffer.from(signature, 'hex') : undefined;
}

function isHex(text: string): boolean {
  return text.length % 2 === 0 && /^[0-9a-f]+$/.test(text);
}

/** Either alphabet, with or without padding; also base64 of the hexadecimal digits. */
function readBase64(signature: string): Buffer | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(signature)) return undefined;
  const bytes = Buffer.from(signature, 'base64');
  return readHex(bytes.toString('latin1')) ?? bytes;
}
