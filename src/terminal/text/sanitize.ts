/** Escapes characters that could move the cursor, reorder, hide or fake text. */

// Controls, lone surrogates, separators, noncharacters, and invisible ones, such as bidirectional marks and fillers.
const hidden = String.raw`[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\u{FFF9}-\u{FFFB}]`;

// Scripts whose spelling needs the joiners U+200C and U+200D, as in internationalized domain names.
const joining = String.raw`[\p{scx=Arab}\p{scx=Syrc}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}]`;

const hiddenCharacter = new RegExp(hidden, 'gu');

// Hidden characters that emoji or those scripts use; context matters only for these.
const contextual = /\u{200C}|\u{200D}|\u{FE0F}|[\u{E0020}-\u{E007F}]/u;

let inContext: RegExp | undefined;

// Built on first use: compiling the set of all emoji takes 40 ms, and few texts need it.
function hiddenInContext(): RegExp {
  inContext ??= new RegExp(
    String.raw`(?<kept>\p{RGI_Emoji}|(?<=${joining})[\u{200C}\u{200D}](?=${joining}))|${hidden}`,
    'gv',
  );
  return inContext;
}

// Matches nearly all text, and is faster than the search for hidden characters.
const plainAscii = /^[\u0020-\u007E]*$/;

function replaceHidden(text: string, replace: (character: string) => string): string {
  if (plainAscii.test(text)) return text;
  if (!contextual.test(text)) return text.replace(hiddenCharacter, replace);
  return text.replace(hiddenInContext(), (found: string, kept: string | undefined) => kept ?? replace(found));
}

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeCharacter(character: string): string {
  return shortEscapes[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** Makes untrusted text, such as a table cell, safe to print on one line; also escapes line feeds and tabs. */
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
  return replaceHidden(json, (character) => (character === '\n' ? character : unitEscapes(character)));
}

function unitEscapes(character: string): string {
  return Array.from({ length: character.length }, (_, at) => unitEscape(character.charCodeAt(at))).join('');
}

function unitEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

/** Escapes hidden characters. Strings with {@link hasHidden} characters must be double-quoted (YAML 1.2, 5.7). */
export function sanitizeYaml(yaml: string): string {
  return replaceHidden(yaml, (character) => (character === '\n' ? character : yamlEscape(character)));
}

function yamlEscape(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return hex.length > 4 ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}

/** Whether `sanitize` would escape a character of the text, other than a line feed. */
export function hasHidden(text: string): boolean {
  return replaceHidden(text, (character) => (character === '\n' ? character : '')) !== text;
}
