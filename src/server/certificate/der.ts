/** DER encoding (ITU-T X.690), as far as certificates need it. */

export const derTags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Context-specific tags: constructed around other values, or primitive. */
export const contextTag = {
  around: (number: number) => 0xa0 | number,
  primitive: (number: number) => 0x80 | number,
} as const;

export function encodeDer(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), encodeLength(content.length), content]);
}

export function derSequence(...items: readonly Uint8Array[]): Buffer {
  return encodeDer(derTags.sequence, ...items);
}

/** Encodes a non-negative number. @param bytes big-endian, as few as possible, the first bit clear */
export function derInteger(...bytes: readonly number[]): Buffer {
  return encodeDer(derTags.integer, Uint8Array.from(bytes));
}

export function derObjectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number);
  return encodeDer(derTags.objectId, Uint8Array.from([40 * first + second, ...others].flatMap(toBase128)));
}

/** @param unused number of unused bits at the end of the last byte */
export function derBitString(content: Uint8Array, unused = 0): Buffer {
  return encodeDer(derTags.bitString, Uint8Array.of(unused), content);
}

/** RFC 5280, section 4.1.2.5: the form depends on the year. */
export function derTime(date: Date): Buffer {
  const digits = `${date.toISOString().replace(/\.\d+|[-:T]/g, '')}`;
  const year = date.getUTCFullYear();
  return year >= 1950 && year < 2050
    ? encodeDer(derTags.utcTime, Buffer.from(digits.slice(2)))
    : encodeDer(derTags.generalizedTime, Buffer.from(digits));
}

function encodeLength(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  const significant = bytes.subarray(bytes.findIndex((byte) => byte !== 0));
  return Buffer.concat([Buffer.from([0x80 | significant.length]), significant]);
}

/** Base 128: seven bits per byte, with the first bit set in all bytes but the last. */
function toBase128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift(0x80 | (rest & 0x7f));
  return bytes;
}
