import { createHash } from 'node:crypto';
import { resources } from '../../api/resources/index.js';
import { spellNames } from '../../client/reading/fields.js';
import { knownForms, listPageParameters } from '../../client/reading/forms.js';
import { mask, redactedHeader, redactedTarget } from '../../redaction/redact.js';
import type { ShownForms } from '../../redaction/redact-json.js';

const { list, item, quotas } = knownForms;

const spellAll = (names: readonly (string | null)[], isSingle: boolean): string[] =>
  resources.flatMap((resource) =>
    spellNames(
      names.filter((name) => name !== null),
      resource,
      isSingle,
    ),
  );

const kinds = new Set(spellAll(['{kind}'], false));

const containers = new Set([
  ...spellAll(list.items, false),
  ...spellAll(item.in, true),
  ...list.metas,
  ...spellAll(quotas.in, false),
  ...['error', 'errors'],
]);

const figures = new Set([
  ...[...list.total, ...list.pages, ...list.limit, ...list.hasMore],
  ...list.page.keys(),
]);

const onward = new Set([...list.next.keys(), ...list.cursor.keys()]);

const ids = new Set(spellAll(item.ids, true));

const kindNames = new Set(quotas.kinds);

const places = listPageParameters(list);

const parameters = new Set(['limit', 'pageSize', 'page_size', 'per_page', 'perPage', ...places]);

/** How many characters of an error's text are searched for limits. */
const longestError = 2000;

/** Fields with error texts. Records show `message`; of the others, they show only small numbers, which may be limits. */
const errorTexts = new Set(knownForms.errors.flatMap((path) => path.slice(-1)));

const idPattern = new RegExp(`^(?:${resources.map(({ idPrefix }) => idPrefix).join('|')})_[\\w-]{1,63}$`);

/**
 * Placeholders for the cursors of a recording, which may contain anything. The same cursor has the same placeholder in
 * responses and later requests, so that the pages can be replayed.
 */
export class MaskedCursors {
  readonly #placeholders = new Map<string, string>();

  placeholder(cursor: string): string {
    const key = createHash('sha256').update(cursor).digest('base64');
    const known = this.#placeholders.get(key);
    if (known !== undefined) return known;
    const added = `cursor-${this.#placeholders.size + 1}`;
    this.#placeholders.set(key, added);
    return added;
  }
}

/** Known forms of lists, pages, quotas and errors. Records show them, so that the service's dialect can be identified. */
export function recordForms(cursors: MaskedCursors): ShownForms {
  return { containers, show: (name, json) => showField(name, json, cursors) };
}

function showField(name: string, json: string, cursors: MaskedCursors): string | undefined {
  const value: unknown = JSON.parse(json);
  if (figures.has(name) && isFigure(value)) return json;
  if (ids.has(name) && (typeof value === 'number' || isPlace(value))) return json;
  if (kindNames.has(name) && typeof value === 'string' && kinds.has(value)) return json;
  if (errorTexts.has(name) && name !== 'message' && typeof value === 'string')
    return JSON.stringify(redactErrorText(value));
  return onward.has(name) ? showOnward(value, json, cursors) : undefined;
}

/** An error's text, masked except for small numbers. */
export function redactErrorText(text: string): string {
  return [mask, ...(text.slice(0, longestError).match(/(?<![\w.-])\d{1,4}(?![\w-])/g) ?? [])].join(' ');
}

function showOnward(value: unknown, json: string, cursors: MaskedCursors): string {
  const text = typeof value === 'number' ? json : value;
  if (typeof text !== 'string' || text === '' || isPlace(text)) return json;
  const isAddress = /^(?:https?:\/\/|[/?])/i.test(text);
  return JSON.stringify(isAddress ? redactFormTarget(text, cursors) : cursors.placeholder(text));
}

/** Larger than any count of pages or rows; card numbers and most telephone numbers are larger still. */
const largestFigure = 999_999_999;

function isFigure(value: unknown): boolean {
  if (typeof value === 'string') return /^\d{1,9}$/.test(value);
  return typeof value === 'boolean' || (typeof value === 'number' && value <= largestFigure);
}

/** Whether a cursor is just a number or an ID; other cursors may contain anything. */
function isPlace(value: unknown): boolean {
  return typeof value === 'string' && (/^\d{1,15}$/.test(value) || idPattern.test(value));
}

/** Masks a target or URL, except for its paging parameters; cursors become placeholders. */
export function redactFormTarget(target: string, cursors: MaskedCursors): string {
  return replaceParameters(target, redactedTarget, (part) => redactParameter(part, cursors));
}

function redactParameter(part: string, cursors: MaskedCursors): string {
  const [name = '', ...value] = part.split('=');
  const cursor = new URLSearchParams(part).get(name);
  return value.length > 0 && places.has(name) && cursor
    ? `${name}=${cursors.placeholder(cursor)}`
    : redactedTarget(`?${part}`).slice(1);
}

/** A target without the paging parameters that records show; what remains may be secret. */
export function dropShownParameters(target: string): string {
  const dropped = replaceParameters(
    target,
    (path) => path,
    (part) => part,
    '',
  );
  return dropped.replaceAll(/(?<=[?&])&+/g, '');
}

function replaceParameters(
  target: string,
  toPath: (path: string) => string,
  toPart: (part: string) => string,
  shown?: string,
): string {
  const at = target.indexOf('?');
  if (at === -1) return toPath(target);
  const query = target.slice(at + 1).replace(/[^&#]+/g, (part) => {
    const [name = '', ...value] = part.split('=');
    return parameters.has(name) && isPlace(value.join('=')) ? (shown ?? part) : toPart(part);
  });
  return `${toPath(target.slice(0, at))}?${query}`;
}

export function redactFormHeader(name: string, value: string, cursors: MaskedCursors): string {
  const lower = name.toLowerCase();
  if (list.totalHeaders.includes(lower) && /^\d{1,15}$/.test(value)) return value;
  return lower === 'link' ? redactLinks(value, cursors) : redactedHeader(name, value);
}

/** Keeps `rel` of each link and masks the address as `redactFormTarget` does; drops everything else. */
function redactLinks(value: string, cursors: MaskedCursors): string {
  const links = [...value.matchAll(/<([^<>]{0,2048})>\s*;\s*rel="?([a-z]{1,16})"?/gi)];
  if (links.length === 0) return mask;
  return links
    .map(([, address = '', rel]) => `<${redactFormTarget(address, cursors)}>; rel="${rel}"`)
    .join(', ');
}
