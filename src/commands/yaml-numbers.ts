import { type Document, visit } from 'yaml';
import { numberOf } from '../contract/exact-number.js';

/**
 * Puts back into a parsed document the numbers that YAML's parser has changed by making doubles of them: as exact numbers,
 * and as text where they are keys. Hexadecimal and octal ones become decimal, as JSON knows them alone.
 *
 * @returns where numbers stand that JSON cannot say, `.inf` and `.nan`: offsets into the text
 */
export function keepNumbers(document: Document.Parsed): number[] {
  const unsayable: number[] = [];
  visit(document, {
    Scalar: (position, node) => {
      if (typeof node.value !== 'number' || node.source === undefined) return;
      const json = jsonNumber(node.source);
      if (json === undefined) unsayable.push(node.range?.[0] ?? 0);
      const number = json === undefined ? undefined : numberOf(json);
      if (typeof number === 'object') node.value = position === 'key' ? String(number) : number;
    },
  });
  return unsayable;
}

/** A number of YAML 1.2 (section 10.3.2) in the form of JSON; undefined for `.inf` and `.nan`, which JSON has not. */
function jsonNumber(source: string): string | undefined {
  if (/^0(x[\da-f]+|o[0-7]+)$/i.test(source)) return BigInt(source).toString();
  const [, sign = '', whole, fraction, exponent = ''] =
    /^([+-]?)(\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/.exec(source) ?? [];
  if (whole === undefined) return undefined;
  const digits = whole.replace(/^0+(?=\d)/, '') || '0';
  return `${sign === '-' ? '-' : ''}${digits}${fraction ? `.${fraction}` : ''}${exponent}`;
}
