import { isResource, readId } from '../api/resources/resource.js';
import { ServiceError } from '../errors/errors.js';
import { countNoun } from '../text/count-noun.js';
import { printJson } from '../text/exact-json.js';
import type { PageRequest } from './page-request.js';
import { isPerhapsFull, type NextPage, type Page } from './reading/page.js';

interface Step<Item> {
  /** The items that no earlier page has. */
  readonly fresh: readonly Item[];
  readonly request?: Pick<PageRequest, 'page' | 'next'> | undefined;
}

const maxPages = 1000;
const maxEmptyPages = 100;

/**
 * The way through the pages of a list: where the service points or, if it points nowhere, page by page until one brings
 * nothing new. Each item is taken once. In the end, tells whether anything proves that the list is whole.
 */
export class Course<Item> {
  readonly #what: string;
  readonly #asked: number | undefined;
  readonly #seen = new Set<string>();
  #items = 0;
  #pages = 0;
  #emptyPages = 0;
  #last: Page<Item> | undefined;
  /** The number of the first page; unknown until a response or page 1 shows it. */
  #base: number | undefined;
  /** The link or cursor that leads to the requested page. */
  #way: NextPage | undefined;
  #isNamed = false;
  #isTrial = false;
  /** Whether the requested page was not announced by the service. */
  #isGuess = false;
  #isPastEnd = false;
  #usesNumbers = false;
  #fault: string | undefined;
  #isRefused = false;
  #repeated: string | undefined;
  #shrunk: string | undefined;
  /** The number of the requested page, if it was requested by its number. */
  #number: number | undefined;
  #misnumbered: string | undefined;
  /** Number of items by the quota in use. */
  #counted: number | undefined;

  constructor(what: string, asked: number | undefined) {
    this.#what = what;
    this.#asked = asked;
  }

  /** Expects as many items as the quota in use counts, unless more arrive. */
  expect(counted: number | undefined): void {
    this.#counted = counted;
  }

  take(page: Page<Item>): Step<Item> {
    const { fresh, repeated } = this.#sort(page.data);
    if (this.#isTrial) {
      this.#isTrial = false;
      // If page 1 shows items of the first page, numbers begin at 1.
      this.#base = repeated === undefined ? 0 : 1;
      if (this.#base === 1) return { fresh: [], request: this.#numbered(page) };
    }
    if (this.#pages > 0 && page.data.length > 0 && fresh.length === 0) return this.#takeRepeated(page);
    this.#repeated ??= repeated;
    this.#add(page, fresh);
    const request = this.#following(page);
    if (request === undefined || (this.#pages < maxPages && this.#emptyPages < maxEmptyPages))
      return { fresh, request };
    this.#fault = `${this.#pages} pages with ${this.#items} items were read, and there are still more`;
    return { fresh };
  }

  /** Ends the list if the service refuses a page by its number. @throws `error` otherwise */
  refuse(error: unknown): undefined {
    const isRefusal = error instanceof ServiceError && ['rejected', 'not_found'].includes(error.code);
    if (this.#way !== undefined || !isRefusal) throw error;
    // If the pages are known to be numbered, 404 means the end of the list.
    const isNumbered = this.#pages > 1 || this.#base !== undefined;
    this.#isPastEnd = this.#isGuess && error.code === 'not_found' && isNumbered;
    this.#isRefused = !this.#isPastEnd;
    return undefined;
  }

  /** The error for a possibly incomplete list; otherwise `undefined`. */
  incompleteness(): ServiceError | undefined {
    const doubt = this.#doubt();
    if (doubt === undefined) return undefined;
    const isMoved = this.#shrunk !== undefined || this.#repeated !== undefined;
    return new ServiceError('server', `the list of ${this.#what} may be incomplete: ${doubt}`, {
      retryable: false,
      hint: isMoved
        ? 'the list may have changed while it was read: read it again'
        : 'read single pages, or resources by their IDs; an item missing here may still exist',
    });
  }

  #sort(data: readonly Item[]): { readonly fresh: readonly Item[]; readonly repeated: string | undefined } {
    const ids = new Set<string>();
    let repeated: string | undefined;
    const fresh = data.filter((item) => {
      const id = isResource(item) ? readId(item) : undefined;
      const isOld = this.#seen.has(keyOf(item)) || (id !== undefined && ids.has(id));
      if (id !== undefined) ids.add(id);
      if (isOld) repeated ??= id === undefined ? 'an item' : `the ID ${id}`;
      return !isOld;
    });
    return { fresh, repeated };
  }

  /** A page that brings nothing new ends a guess; that it came by another way is a fault. */
  #takeRepeated(page: Page<Item>): Step<Item> {
    if (this.#isGuess) {
      this.#isPastEnd = this.#pages > 1;
      return { fresh: [] };
    }
    const isLastId = this.#last?.onward?.isLastId && this.#way !== undefined;
    if (isLastId && this.#pages === 1 && !page.onward?.isUnnumbered) {
      this.#usesNumbers = true;
      this.#way = undefined;
      this.#isNamed = false;
      return { fresh: [], request: this.#numbered(page) };
    }
    this.#fault = `page ${this.#pages + 1} repeats an earlier page`;
    return { fresh: [] };
  }

  #add(page: Page<Item>, fresh: readonly Item[]): void {
    if (this.#pages === 0) this.#base = page.onward?.isCountedFrom1 ? 1 : page.page;
    const { total: before = 0 } = this.#last ?? {};
    // A deletion moves later items to pages already read, but not past a cursor.
    if (page.total !== undefined && page.total < before && isByPosition(this.#way)) {
      this.#shrunk ??= `it shrank from ${before} to ${page.total} items while it was read, so some may have been skipped`;
    }
    if (
      this.#number !== undefined &&
      page.page !== undefined &&
      page.page !== this.#number &&
      fresh.length > 0
    )
      this.#misnumbered ??= `page ${this.#number} was requested, but the service sent page ${page.page}`;
    this.#number = undefined;
    for (const item of fresh) this.#seen.add(keyOf(item));
    this.#isPastEnd ||= this.#isGuess && fresh.length === 0;
    this.#pages += 1;
    this.#items += fresh.length;
    this.#emptyPages = fresh.length === 0 ? this.#emptyPages + 1 : 0;
    this.#last = page;
  }

  #following(page: Page<Item>): Step<Item>['request'] {
    const { data, pages, hasNext, onward = {} } = page;
    const total = this.#credible(page.total ?? this.#counted);
    const next = onward.isLastId && this.#usesNumbers ? undefined : onward.next;
    if (next !== undefined && printJson(next) === printJson(this.#way ?? null)) {
      this.#fault = `page ${this.#pages} names itself as the next page`;
      return undefined;
    }
    this.#way = next;
    this.#isGuess = false;
    if (next !== undefined) {
      this.#isNamed = true;
      return { next };
    }
    if (onward.refused !== undefined || data.length === 0) return undefined;
    if (pages === undefined ? hasNext : this.#pages < pages) return this.#numbered(page);
    if (pages !== undefined || onward.ends || this.#isNamed) return undefined;
    this.#isGuess = total === undefined || this.#items < total;
    return this.#isGuess ? this.#numbered(page) : undefined;
  }

  #numbered({ onward = {} }: Page<Item>): Step<Item>['request'] {
    if (onward.isUnnumbered) return undefined;
    this.#isTrial = this.#base === undefined;
    const number = this.#base === undefined ? 1 : this.#base + this.#pages;
    this.#number = number;
    const { pageParameter: parameter } = onward;
    return parameter === undefined ? { page: number } : { next: { parameter, value: String(number) } };
  }

  /** A total below what arrived counts something else. */
  #credible(total: number | undefined): number | undefined {
    return total !== undefined && total >= this.#items ? total : undefined;
  }

  /** Why the list may not be whole. The last page's figures go first, because they are the newest. */
  #doubt(): string | undefined {
    if (this.#last === undefined) return undefined;
    const { pages, hasNext, onward = {} } = this.#last;
    const came = this.#items;
    const isEnded =
      onward.ends || (this.#isNamed && !hasNext) || (pages !== undefined && this.#pages >= pages);
    // The service's own word goes before the quota.
    const counted = isEnded ? undefined : this.#counted;
    const total = this.#credible(onward.isQuota && isEnded ? undefined : (this.#last.total ?? counted));
    const named = `the service names another page after ${countNoun(came, 'item')}`;
    if (onward.refused !== undefined) return `${named}, ${onward.refused}`;
    if (this.#repeated !== undefined) return `${this.#repeated} appears twice`;
    if (this.#isRefused && total !== came) {
      const of = total === undefined ? '' : ` of ${total}`;
      return `showing ${came}${of}; the service refuses further pages`;
    }
    if (this.#misnumbered !== undefined && total !== came) return this.#misnumbered;
    if (this.#fault !== undefined) return hasNext ? `${named}, but ${this.#fault}` : this.#fault;
    if (total !== undefined && total > came) {
      return `the service reports ${countNoun(total, 'item')}, but ${came} arrived`;
    }
    if (this.#shrunk !== undefined) return this.#shrunk;
    if (hasNext) return named;
    if (total === came || isEnded || this.#isPastEnd || came === 0) return undefined;
    const isFull = isPerhapsFull(this.#last, this.#asked);
    if (onward.isBare && this.#pages === 1 && !isFull) return undefined;
    return `${countNoun(came, 'item')} arrived${isFull ? ', which fills the page' : ''}, and nothing says that the list ends there`;
  }
}

/** Identifies an item by its ID, because other fields may change meanwhile; without an ID, by its content. */
function keyOf(item: unknown): string {
  return (isResource(item) ? readId(item) : undefined) ?? printJson(item ?? null);
}

/** Whether a page begins at a position, which deletions shift, rather than at an item. */
function isByPosition(way: NextPage | undefined): boolean {
  if (way === undefined) return true;
  return 'parameter' in way
    ? /^\d+$/.test(way.value)
    : /[?&](?:page|offset|skip|start)\w*=\d+(?:&|$)/i.test(way.target);
}
