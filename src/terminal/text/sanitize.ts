// Characters that could move the cursor, reorder, hide or fake text: controls, lone surrogates, separators,
// noncharacters, and invisible ones, such as bidirectional marks and fillers.
const hidden = String.raw`[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\u{FFF9}-\u{FFFB}]`;

const hiddenCharacter = new RegExp(hidden, 'gu');

// Hidden characters are kept where emoji use them. Compiling the set of all emoji takes 40 ms, and few texts need it.
const contextual = /\u{200D}|\u{FE0F}|[\u{E0020}-\u{E007F}]/u;
let inContext: RegExp | undefined;

// Nearly all text is plain ASCII, which this accepts fast.
const plainAscii = /^[\u0020-\u007E]*$/;

function replaceHidden(text: string, replace: (character: string) => string): string {
  if (plainAscii.test(text)) return text;
  if (!contextual.test(text)) return text.replace(hiddenCharacter, replace);
  inContext ??= new RegExp(String.raw`(?<kept>\p{RGI_Emoji})|${hidden}`, 'gv');
  return text.replace(inContext, (found: string, kept: string | undefined) => kept ?? replace(found));
}

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeCharacter(character: string): string {
  return shortEscapes[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** Makes untrusted text safe to print on one line. */
export function sanitize(text: string): string {
  return replaceHidden(text, escapeCharacter);
}

/** Like `sanitize`, but keeps line feeds and tabs. */
export function sanitizeLines(text: string): string {
  return replaceHidden(text, (character) =>
    /[\n\t]/.test(character) ? character : escapeCharacter(character),
  );
}

/** Escapes hidden characters that `JSON.stringify` leaves raw; the value stays the same. */
export function sanitizeJson(json: string): string {
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return replaceHidden(json, (character) =>
    character === '\n' ? character : character.split('').map(escapeUnit).join(''),
  );
}

/** Escapes hidden characters; strings with them must be double-quoted (YAML 1.2, 5.7). */
export function sanitizeYaml(yaml: string): string {
  return replaceHidden(yaml, (character) => (character === '\n' ? character : yamlEscape(character)));
}

function yamlEscape(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return hex.length > 4 ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}

/** Line feeds do not count as hidden. */
export function hasHidden(text: string): boolean {
  return replaceHidden(text, (character) => (character === '\n' ? character : '')) !== text;
}

export function speaksJson(format: string | undefined): boolean {
  return format === 'json' || format === 'jsonl';
}

/** A note or warning: one safe line of text, or JSON such as `{"note":…}`. */
export function messageLine(kind: 'note' | 'warning', text: string, asJson: boolean): string {
  if (asJson) return `${sanitizeJson(JSON.stringify({ [kind]: text }))}\n`;
  return traceLine(kind === 'note' ? text : `warning: ${text}`);
}

export function traceLine(text: string): string {
  return `${sanitize(text)}\n`;
}
