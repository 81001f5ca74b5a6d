/**
 * Text that others wrote, made fit for a terminal (contract, section 1, "Output"): whatever could move the cursor,
 * reorder, hide or fake text is written out as an escape such as `\u{1b}`. Escapes rather than control pictures (␛):
 * pictures exist for C0 alone, and an escape names the very character in plain ASCII.
 */

// Control characters, lone surrogates, line and paragraph separators, and all that Unicode says to show as nothing:
// bidirectional marks, embeddings and isolates, zero-width and filler characters, tags, variation selectors.
const hidden = String.raw`[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{FFF9}-\u{FFFB}]`;

// Scripts whose spelling needs the joiners U+200C and U+200D, as the internationalised domain names allow them.
const joining = String.raw`[\p{scx=Arab}\p{scx=Syrc}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}]`;

const hiddenCharacter = new RegExp(hidden, 'gu');

// The hidden characters that have a place in emoji or in those scripts; only with one of them does context matter.
const contextual = /\u{200C}|\u{200D}|\u{FE0F}|[\u{E0020}-\u{E007F}]/u;

let inContext: RegExp | undefined;

// Built when it is first needed: compiling the set of all emoji takes 40 ms, and few texts have such characters.
function hiddenInContext(): RegExp {
  inContext ??= new RegExp(
    String.raw`(?<kept>\p{RGI_Emoji}|(?<=${joining})[\u{200C}\u{200D}](?=${joining}))|${hidden}`,
    'gv',
  );
  return inContext;
}

// Nearly all text, and told in a third of the time that the search for hidden characters takes.
const plainAscii = /^[\u0020-\u007E]*$/;

function replaceHidden(text: string, replace: (character: string) => string): string {
  if (plainAscii.test(text)) return text;
  if (!contextual.test(text)) return text.replace(hiddenCharacter, replace);
  return text.replace(hiddenInContext(), (found: string, kept: string | undefined) => kept ?? replace(found));
}

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function visible(character: string): string {
  return shortEscapes[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** One line of foreign text: a table cell, a name inside a message. Line feeds and tabs are escaped too. */
export function sanitize(text: string): string {
  return replaceHidden(text, visible);
}

/** Text whose lines and tabs are meant: only what else it hides is escaped. */
export function sanitizeLines(text: string): string {
  return replaceHidden(text, (character) => (/[\n\t]/.test(character) ? character : visible(character)));
}

/** Printed JSON with the characters escaped that `JSON.stringify` leaves raw: the same value, all of it visible. */
export function sanitizeJson(json: string): string {
  return replaceHidden(json, (character) => (character === '\n' ? character : unitEscapes(character)));
}

// JSON escapes UTF-16 code units, so a character beyond U+FFFF takes two.
function unitEscapes(character: string): string {
  return Array.from({ length: character.length }, (_, at) => unitEscape(character.charCodeAt(at))).join('');
}

function unitEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

/**
 * Printed YAML whose strings with {@link hasHidden} characters are double-quoted: those characters become the escapes
 * of YAML 1.2, section 5.7.
 */
export function sanitizeYaml(yaml: string): string {
  return replaceHidden(yaml, (character) => (character === '\n' ? character : yamlEscape(character)));
}

function yamlEscape(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return hex.length > 4 ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}

/** Whether a text has characters, other than line feeds, that a terminal would not show. */
export function hasHidden(text: string): boolean {
  return replaceHidden(text, (character) => (character === '\n' ? character : '')) !== text;
}
