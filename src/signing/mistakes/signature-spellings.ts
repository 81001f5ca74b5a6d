import type { NamedMistake } from './mistake.js';

/** A way to write an HMAC other than as 64 lower-case hexadecimal digits. */
export interface SignatureSpelling extends NamedMistake {
  readonly ofForm: true;
  readonly read: (signature: string) => Buffer | undefined;
}

const inHex = 'write the HMAC in lower-case hexadecimal';

export const wrongSpellings: readonly SignatureSpelling[] = [
  {
    id: 'upper-case-hex',
    description: 'in upper-case hexadecimal',
    ofForm: true,
    advice: inHex,
    read: (signature) => readHex(/[A-F]/.test(signature) ? signature.toLowerCase() : ''),
  },
  {
    id: 'text-around',
    description: 'preceded or followed by other text, such as what openssl prints',
    ofForm: true,
    advice: 'send only the 64 digits, without prefix, quotes or spaces: openssl dgst -r prints them first',
    read: (signature) => {
      const [, digits = ''] = /(?:^|[^0-9a-f])([0-9a-f]{64})(?:[^0-9a-f]|$)/i.exec(signature) ?? [];
      return digits.length < signature.length ? readHex(digits.toLowerCase()) : undefined;
    },
  },
  {
    id: 'base64',
    description: 'in base64 instead of hexadecimal',
    ofForm: true,
    advice: inHex,
    read: readBase64,
  },
];

const digestBytes = 32;

/** Recognizes mistakes in the form of a signature, whatever was signed. */
export function nameSpelling(signature: string): SignatureSpelling | undefined {
  return wrongSpellings.find(({ read }) => read(signature)?.byteLength === digestBytes);
}

export function readHex(signature: string): Buffer | undefined {
  return signature.length % 2 === 0 && /^[0-9a-f]+$/.test(signature)
    ? Buffer.from(signature, 'hex')
    : undefined;
}

/** Reads standard and URL-safe base64, padded or not; also base64 of hexadecimal digits. */
function readBase64(signature: string): Buffer | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(signature)) return undefined;
  const bytes = Buffer.from(signature, 'base64');
  return readHex(bytes.toString('latin1')) ?? bytes;
}
