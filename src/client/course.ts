import { isResource, readId } from '../api/resources/resource.js';
import { assertCallFailed, ServiceError } from '../errors/errors.js';
import { countNoun } from '../text/count-noun.js';
import { printJson } from '../text/exact-json.js';
import type { NextPage, Page, PageRequest } from './reading/page.js';

interface Told {
  readonly what: string;
  /** The requested page size. */
  readonly asked: number | undefined;
  /** The `used` of the kind's quota. */
  readonly counted: number | undefined;
}

interface Step<Item> {
  /** The page's items without repeated ones. */
  readonly fresh: readonly Item[];
  readonly request?: Pick<PageRequest, 'page' | 'next'> | undefined;
}

/** Usual page sizes: a first page of this length may be full, with more to come. */
const usualSizes: ReadonlySet<number> = new Set([10, 20, 25, 50, 100]);
const maxPages = 1000;
const maxEmptyPages = 100;

/**
 * Chooses the next page of a list: the one that the service names, otherwise the next number, while there may be more
 * items. Drops repeated items. `incompleteness` says why the list may be incomplete.
 */
export class Course<Item> {
  readonly #told: Told;
  readonly #seen = new Set<string>();
  #items = 0;
  #pages = 0;
  #emptyPages = 0;
  #last: Page<Item> | undefined;
  /** The service's number of the first page; unknown until a response, or requesting page 1, shows it. */
  #base: number | undefined;
  /** The requested page, by its number or by its link or cursor. */
  #number: number | undefined;
  #way: NextPage | undefined;
  #isNamed = false;
  /** Whether the requested page was not announced by the service. */
  #isGuess = false;
  #isPastEnd = false;
  /** Why the list is incomplete, whatever its total. */
  #fault: string | undefined;

  constructor(told: Told) {
    this.#told = told;
  }

  take(page: Page<Item>): Step<Item> {
    const { fresh, repeated } = this.#sort(page.data);
    if (this.#number === 1 && this.#base === undefined) {
      // If page 1 repeats items of the first page, numbers begin at 1.
      this.#base = repeated === undefined ? 0 : 1;
      if (this.#base === 1) return { fresh: [], request: this.#numbered(page) };
    }
    if (this.#pages > 0 && page.data.length > 0 && fresh.length === 0) {
      // A guess: after several pages, the list has ended; after one, `page` may be ignored. Otherwise a fault.
      if (this.#isGuess) this.#isPastEnd = this.#pages > 1;
      else this.#fault ??= `page ${this.#pages + 1} repeats an earlier page`;
      return { fresh };
    }
    if (repeated !== undefined) this.#fault ??= `${repeated} appears twice`;
    this.#add(page, fresh);
    const request = this.#following(page);
    if (request === undefined || (this.#pages < maxPages && this.#emptyPages < maxEmptyPages))
      return { fresh, request };
    this.#fault ??= `${this.#pages} pages with ${this.#items} items were read, and there are still more`;
    return { fresh };
  }

  /** A refused page, if numbered, may end the list, or leave it incomplete. @throws `error` otherwise */
  refuse(error: unknown): undefined {
    const isRefusal = error instanceof ServiceError && ['rejected', 'not_found'].includes(error.code);
    // All items of `total` came; this page was requested in case `total` counts only one page.
    if (this.#isGuess && this.#last?.total === this.#items) return assertCallFailed(error);
    if (this.#way !== undefined || !isRefusal) throw error;
    // If the pages are known to be numbered, 404 for a guess means the end of the list.
    const isNumbered = this.#pages > 1 || this.#base !== undefined;
    this.#isPastEnd = this.#isGuess && error.code === 'not_found' && isNumbered;
    if (this.#isPastEnd) return undefined;
    const total = this.#credible(this.#last?.total ?? this.#told.counted);
    const of = total === undefined ? '' : ` of ${total}`;
    if (total !== this.#items)
      this.#fault ??= `showing ${this.#items}${of}; the service refuses further pages`;
    return undefined;
  }

  /** `undefined` if the list is complete. */
  incompleteness(): ServiceError | undefined {
    const doubt = this.#last && this.#doubt(this.#last);
    if (doubt === undefined) return undefined;
    return new ServiceError('server', `the list of ${this.#told.what} may be incomplete: ${doubt}`, {
      retryable: false,
      hint: 'read single pages, or resources by their IDs; an item missing here may still exist',
    });
  }

  #sort(data: readonly Item[]) {
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

  #add(page: Page<Item>, fresh: readonly Item[]): void {
    if (this.#pages === 0) this.#base = page.onward?.firstPage ?? page.page;
    const { total: before = 0 } = this.#last ?? {};
    // A deletion moves later items to pages already read.
    if (page.total !== undefined && page.total < before) {
      this.#fault ??= `it shrank from ${before} to ${page.total} items while it was read, so some may have been skipped`;
    }
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
    const total = this.#credible(page.total ?? this.#told.counted);
    const { next } = onward;
    this.#way = next;
    this.#isGuess = false;
    if (onward.refused !== undefined) return undefined;
    this.#isNamed ||= next !== undefined;
    if (next !== undefined) return { next };
    if (data.length === 0) return undefined;
    if (pages === undefined ? hasNext : this.#pages < pages) return this.#numbered(page);
    if (pages !== undefined || onward.ends || this.#isNamed) return undefined;
    // If a full first page equals the total, the total may count only that page.
    const isPage = this.#pages === 1 && !onward.isQuota && this.#isFull(page);
    this.#isGuess = total === undefined || this.#items < total || isPage;
    return this.#isGuess ? this.#numbered(page) : undefined;
  }

  #numbered({ onward = {} }: Page<Item>): Step<Item>['request'] {
    if (onward.isUnnumbered) return undefined;
    this.#number = this.#base === undefined ? 1 : this.#base + this.#pages;
    const { pageParameter: parameter = 'page' } = onward;
    return parameter === 'page'
      ? { page: this.#number }
      : { next: { parameter, value: String(this.#number) } };
  }

  #isFull({ data: { length }, limit }: Page<Item>): boolean {
    return usualSizes.has(length) || length === limit || length >= (this.#told.asked ?? Infinity);
  }

  /** Drops a total below the number of items that arrived: it counts something else. */
  #credible(total: number | undefined): number | undefined {
    return total !== undefined && total >= this.#items ? total : undefined;
  }

  #doubt(last: Page<Item>): string | undefined {
    const { pages, hasNext, onward = {} } = last;
    const came = this.#items;
    const isEnded =
      onward.ends || (this.#isNamed && !hasNext) || (pages !== undefined && this.#pages >= pages);
    // If the service says that the list ends, the quota does not count.
    const counted = isEnded ? undefined : this.#told.counted;
    const total = this.#credible(onward.isQuota && isEnded ? undefined : (last.total ?? counted));
    const named = `the service names another page after ${countNoun(came, 'item')}`;
    if (onward.refused !== undefined) return `${named}, ${onward.refused}`;
    if (this.#fault !== undefined) return hasNext ? `${named}, but ${this.#fault}` : this.#fault;
    if (total !== undefined && total > came) {
      return `the service reports ${countNoun(total, 'item')}, but ${came} arrived`;
    }
    if (hasNext) return named;
    if (total === came || isEnded || this.#isPastEnd || came === 0) return undefined;
    if (onward.isBare && this.#pages === 1 && !this.#isFull(last)) return undefined;
    return `${countNoun(came, 'item')} arrived, and nothing says that the list ends there`;
  }
}

/** Identifies an item by its ID, because other fields may change meanwhile; without an ID, by its content. */
function keyOf(item: unknown): string {
  return (isResource(item) ? readId(item) : undefined) ?? printJson(item ?? null);
}
