import fc, { type StringConstraints } from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };

/** Any code point except surrogates. fast-check's own unit `binary` would first make a table of all, which is slow. */
const codePoint = fc.integer({ min: 0, max: 0x10_ffff - surrogates.count }).map(
  (at) => String.fromCodePoint(at < surrogates.first ? at : at + surrogates.count),
  (text) => {
    const at = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (at === undefined || text !== String.fromCodePoint(at))
      throw new TypeError('not exactly one code point');
    return at < surrogates.first ? at : at - surrogates.count;
  },
);

export function anyText(constraints: Omit<StringConstraints, 'unit'> = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: codePoint });
}
