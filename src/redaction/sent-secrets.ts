import { isContainer, isHarmlessField, kindOfHeader } from './harmless.js';
import { isHarmless } from './redact.js';

interface SentRequest {
  readonly target: string;
  readonly body?: Uint8Array | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** In characters; shorter values occur in any text. */
const shortest = 4;

/** Values of a request that its response may echo, and that are not known to be harmless. */
export function sentSecrets({ target, body, headers = {} }: SentRequest): readonly string[] {
  const query = target.split('?').slice(1).join('?');
  const values = [
    ...bodyValues(body === undefined ? '' : Buffer.from(body).toString('utf8')),
    ...parameterValues(query),
    ...Object.entries(headers)
      .filter(([name]) => kindOfHeader(name.toLowerCase()) === undefined)
      .flatMap(([, value]) => [value, ...value.split(/[\s;,]+/)]),
  ];
  return [...new Set(values.map((value) => value.trim()))].filter((value) => value.length >= shortest);
}

function bodyValues(text: string): readonly string[] {
  if (text === '') return [];
  try {
    return jsonValues(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return [text, ...(text.includes('=') ? parameterValues(text) : [])];
  }
}

function parameterValues(text: string): readonly string[] {
  return [...new URLSearchParams(text)].filter(([name]) => !isHarmlessField(name)).map(([, value]) => value);
}

/** The plain values that `redactedJson` masks. Iterative, because the sender decides how deep a body is. */
function jsonValues(json: unknown): readonly string[] {
  const found: string[] = [];
  const places: [value: unknown, name?: string, isMasked?: boolean][] = [[json]];
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const [value, name, isMasked = false] = place;
    if (typeof value === 'object' && value !== null) {
      const isHidden = isMasked || (name !== undefined && !isContainer(name));
      const isList = Array.isArray(value);
      for (const [key, inner] of Object.entries(value)) places.push([inner, isList ? name : key, isHidden]);
    } else if (isMasked || name === undefined || !isHarmless(name, value)) {
      if (typeof value === 'string' || typeof value === 'number') found.push(String(value));
    }
  }
  return found;
}

/** Forms in which a text may quote a value: raw, or as in JSON, a URL, a form or an HTML page. */
export function quotedForms(value: string): readonly string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const url = encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\ufffd'));
  const form = new URLSearchParams({ '': value }).toString().slice(1);
  const forms = [
    ...[value, json, json.replaceAll('/', '\\/'), inAscii(json)],
    ...[url, form].flatMap((text) => [text, text.replace(/%../g, (code) => code.toLowerCase())]),
    ...['&#39;', '&#x27;', '&apos;'].map((quote) => inPage(value, quote)),
  ];
  return [...new Set(forms)];
}

function inAscii(json: string): string {
  return json.replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function inPage(value: string, quote: string): string {
  const escaped = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.replaceAll('"', '&quot;').replaceAll("'", quote);
}
