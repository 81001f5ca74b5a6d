const canonicalEscapes = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\\', '\\\\'],
]);

/** Writes text on one line, with escapes for unprintable characters. */
export function escapeCharacters(text: string): string {
  return text.replace(/[\\\p{C}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return canonicalEscapes.get(character) ?? (code < 0x80 ? byteEscape(code) : `\\u{${code.toString(16)}}`);
  });
}

/** Like `escapeCharacters`, for bytes given as Latin-1. */
export function escapeBytes(text: string): string {
  return text.replace(
    /[^\x20-\x5b\x5d-\x7e]/g,
    (byte) => canonicalEscapes.get(byte) ?? byteEscape(byte.charCodeAt(0)),
  );
}

function byteEscape(code: number): string {
  return `\\x${code.toString(16).padStart(2, '0')}`;
}

const namedEscapes = new Map([...canonicalEscapes].map(([character, name]) => [name, character]));

function readEscapes(line: string): string {
  return line.replace(
    /\\(?:[nrt\\]|x([0-9a-f]{2})|u\{([0-9a-f]{1,6})\})/g,
    (name, byte?: string, code?: string) => {
      const number = Number.parseInt(byte ?? code ?? '', 16);
      return namedEscapes.get(name) ?? (number <= 0x10ffff ? String.fromCodePoint(number) : name);
    },
  );
}

/** Unescapes a refusal's canonical strings for JSON, which has escapes of its own. */
export function unescapeRefusal<Entry extends { readonly canonical?: string; readonly signed?: string }>(
  entry: Entry,
): Entry {
  const { canonical, signed } = entry;
  return {
    ...entry,
    ...(canonical !== undefined && { canonical: readEscapes(canonical) }),
    ...(signed !== undefined && { signed: readEscapes(signed) }),
  };
}
