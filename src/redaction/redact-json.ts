import { isUtf8 } from 'node:buffer';
import {
  hasHarmlessForm,
  holdsSettings,
  isContainer,
  isDeclaredHarmless,
  isHarmlessField,
} from './harmless.js';
import { describeBytes, mask, redactedText } from './redact.js';

/** In bytes; larger bodies are shown only as their size and part of their hash. */
const longestBody = 16_384;

/** In levels; deeper objects and lists are masked. */
const deepestRedacted = 16;

const quotedMask = JSON.stringify(mask);

const maskedLike: Readonly<Record<string, string>> = {
  '{': `{${quotedMask}:${quotedMask}}`,
  '[': `[${quotedMask}]`,
};

interface Level {
  readonly isObject: boolean;
  name: string | undefined;
  readonly listOf?: string | undefined;
  readonly inSettings: boolean;
}

/** More parts of another service's JSON to show, because they reveal its form. */
export interface ShownForms {
  /** Fields whose objects and lists may be shown. */
  readonly containers: ReadonlySet<string>;
  /** A plain value, as JSON, in the form to show; `undefined` to mask it. */
  show(name: string, json: string): string | undefined;
}

/**
 * Masks the values in JSON text, except plain values of harmless fields.
 * @param longest how many characters the caller needs; the result may be longer or incomplete
 * @param hide masks parts of a text, such as an echoed password
 * @param forms parts to show as well; if given, also shows `null`, and whether a masked value is an object or a list
 */
export function redactedJson(
  json: string,
  longest = Number.POSITIVE_INFINITY,
  hide = (text: string): string => text,
  forms?: ShownForms,
): string {
  const redaction = new JsonRedaction(hide, forms);
  for (let at = 0; at < json.length && redaction.text.length < longest; ) {
    const end = tokenEnd(json, at);
    redaction.take(json.slice(at, end));
    at = end;
  }
  return redaction.text;
}

/** Masked JSON; for a long body, or one that is not JSON, its size and part of its hash. */
export function redactedBody(body: Uint8Array): { readonly json: string } | { readonly measures: string } {
  const text = body.byteLength <= longestBody && isUtf8(body) ? Buffer.from(body).toString('utf8') : '';
  return isJsonBody(text) ? { json: redactedJson(text) } : { measures: `(${describeBytes(body)})` };
}

function isJsonBody(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

const jsonPunctuation: ReadonlySet<string> = new Set('{}[]:, \t\r\n');

function tokenEnd(json: string, start: number): number {
  let at = start + 1;
  if (json[start] === '"') {
    while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
    return at + 1;
  }
  if (jsonPunctuation.has(json[start] ?? '')) return at;
  while (at < json.length && !jsonPunctuation.has(json[at] ?? '')) at += 1;
  return at;
}

/** Iterative, because the sender decides how deep a body is. */
class JsonRedaction {
  readonly #levels: Level[] = [];
  readonly #hide: (text: string) => string;
  readonly #forms: ShownForms | undefined;
  #masked = 0;
  text = '';

  constructor(hide: (text: string) => string, forms: ShownForms | undefined) {
    this.#hide = hide;
    this.#forms = forms;
  }

  take(token: string): void {
    const [first = ''] = token;
    const opens = first === '{' || first === '[';
    const closes = first === '}' || first === ']';
    if (this.#masked > 0) this.#masked += opens ? 1 : closes ? -1 : 0;
    else if (opens) this.#open(token);
    else this.text += jsonPunctuation.has(first) ? this.#punctuation(token, closes) : this.#plain(token);
  }

  #open(token: string): void {
    const { name, inSettings = false } = this.#levels.at(-1) ?? {};
    const isList = token === '[' && name !== undefined && !inSettings && isDeclaredHarmless(name);
    const isOfForm = name !== undefined && !inSettings && this.#forms?.containers.has(name) === true;
    const isSeen = name === undefined || isContainer(name) || isList || isOfForm;
    if (isSeen && this.#levels.length < deepestRedacted) {
      this.#levels.push({
        isObject: token === '{',
        name: undefined,
        listOf: isList ? name : undefined,
        inSettings: inSettings || (name !== undefined && holdsSettings(name)),
      });
      this.text += token;
    } else {
      this.#masked = 1;
      this.text += this.#forms === undefined ? quotedMask : maskedLike[token];
    }
  }

  #punctuation(token: string, closes: boolean): string {
    if (closes) this.#levels.pop();
    const level = this.#levels.at(-1);
    if (token === ',' && level !== undefined) level.name = undefined;
    return token;
  }

  #plain(token: string): string {
    const level = this.#levels.at(-1);
    if (level?.isObject && level.name === undefined) {
      level.name = String(JSON.parse(token));
      return showToken(token);
    }
    const name = level?.isObject ? level.name : level?.listOf;
    if (name === undefined) return quotedMask;
    const shown = level?.inSettings ? undefined : this.#showForm(name, token);
    if (shown !== undefined) return shown;
    if (!isHarmlessField(name) && (level?.inSettings || !isDeclaredHarmless(name))) return quotedMask;
    const hasForm = token[0] !== '"' || hasHarmlessForm(name, String(JSON.parse(token)));
    return hasForm ? showToken(token, this.#hide) : quotedMask;
  }

  #showForm(name: string, token: string): string | undefined {
    if (this.#forms === undefined) return undefined;
    const shown = token === 'null' ? token : this.#forms.show(name, token);
    return shown === undefined || this.#hide(shown) === shown ? shown : undefined;
  }
}

function showToken(token: string, hide = (text: string): string => text): string {
  if (token[0] !== '"') return hide(token) === token ? token : quotedMask;
  const text = String(JSON.parse(token));
  const redacted = redactedText(hide(text));
  return redacted === text ? token : JSON.stringify(redacted);
}
