/** The ways in which programs write one JSON value; a body signed in one and sent in another does not verify. */
export interface JsonSpellings {
  readonly compact: readonly string[];
  /** With spaces, or with lines and indents. */
  readonly pretty: readonly string[];
}

/** Larger bodies are not written anew: it would hold up a server for longer than the answer is worth. */
const maxBytes = 65_536;

/**
 * Other spellings of a JSON body, those of JavaScript's `JSON.stringify` and Python's `json.dumps`; `undefined` when
 * the body is not JSON, or over 64 KiB.
 */
export function jsonSpellings(body: Uint8Array): JsonSpellings | undefined {
  if (body.byteLength > maxBytes) return undefined;
  const original = Buffer.from(body).toString('utf8');
  const value = parseJson(original);
  if (value === undefined) return undefined;
  const compact = JSON.stringify(value);
  const pretty = [2, 4, '\t'].map((indent) => JSON.stringify(value, null, indent));
  return { compact: others([compact], original), pretty: others([spaced(value), ...pretty], original) };
}

function others(spellings: readonly string[], original: string): string[] {
  const all = new Set([...spellings, ...spellings.map(escapeNonAscii)]);
  all.delete(original);
  return [...all];
}

/** `{"a": [1, 2]}`: no string in JSON holds a raw line feed, so each one is an indent. */
function spaced(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/,\n */g, ', ').replace(/\n */g, '');
}

function escapeNonAscii(json: string): string {
  return json.replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** What the text stands for, `undefined` when it is not JSON: a body of another kind has no other spellings. */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // Nesting that can be read can be too deep to be written.
    JSON.stringify(value);
    return value;
  } catch {
    return undefined;
  }
}
