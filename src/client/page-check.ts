import { isResource, readId } from '../api/resources/resource.js';
import { pageSize } from '../api/schema/envelope.js';
import { ServiceError } from '../errors/errors.js';
import { printJson } from '../text/exact-json.js';
import { usualPageSizes } from './reading/forms.js';
import type { NextPage, Page } from './reading/page.js';
import type { PageRequest } from './resource-calls.js';

/** What is done with a page. */
export interface Step {
  /** Whether its items did not come before. */
  readonly isNew: boolean;
  /** The next page; absent where there is none, or none can be asked for. */
  readonly request?: Pick<PageRequest, 'page' | 'next'> | undefined;
}

// A list may grow while it is read, but hardly to twice its length; beyond that the service is at fault.
const growth = 2;
const morePages = 100;
const moreItems = morePages * pageSize.max;
/** The most pages of a list of which nothing says how many it has. */
const mostUncounted = 100_000;
/** The most pages without an item that are followed one after another. */
const mostEmpty = 100;

/** Finds the way from page to page, and checks what comes against what the answers announce. */
export class PageCheck {
  readonly #what: string;
  readonly #asked: number | undefined;
  readonly #seen = new Set<string>();
  #first: Page<unknown> | undefined;
  #firstIds: ReadonlySet<string> | undefined;
  #last: Page<unknown> | undefined;
  #pages = 0;
  #items = 0;
  #empty = 0;
  /** The number of the first page, as far as it is known. */
  #base: number | undefined;
  /** The number that was asked for. */
  #number: number | undefined;
  #isTrial = false;
  /** Whether the page that was asked for is one that nothing names. */
  #isGuess = false;
  /** The page that an answer named, and whether one did. */
  #way: NextPage | undefined;
  #isNamed = false;
  /** A way that the service does not know. */
  #dropped: string | undefined;
  /** Why no further page is asked for. */
  #fault: string | undefined;
  /** What a page says that cannot be. */
  #contradiction: string | undefined;
  /** A page behind the last one was refused as there is none. */
  #isPastEnd = false;

  /** @param asked the limit that was asked for */
  constructor(what: string, asked: number | undefined) {
    this.#what = what;
    this.#asked = asked;
  }

  /** Takes the page that was asked for last. */
  take(answer: Page<unknown>): Step {
    if (this.#isTrial) {
      this.#isTrial = false;
      // The page with the number 1 came already: numbers begin at it.
      this.#base = this.#overlapsFirst(answer) ? 1 : 0;
      this.#firstIds = undefined;
      if (this.#base === 1) return { isNew: false, request: this.#numbered(answer) };
    }
    const fault = this.#faultOf(answer);
    if (fault !== undefined) {
      if (this.#canDropWay()) return { isNew: false, request: this.#numbered(answer) };
      this.#fault = fault;
      return { isNew: false };
    }
    this.#add(answer);
    return { isNew: true, request: this.#following(answer) };
  }

  /** Ends the course where a page was refused that nothing had named. @throws any other error */
  refuse(error: unknown): undefined {
    const isRefused = error instanceof ServiceError && ['rejected', 'not_found'].includes(error.code);
    if (!this.#isGuess || !isRefused) throw error;
    // Some services answer so behind the last page; without a page that came by its number that says nothing.
    this.#isPastEnd = error.code === 'not_found' && this.#pages > 1;
    if (!this.#isPastEnd) this.#fault = `the page after the ${this.#items} that came was refused`;
    return undefined;
  }

  /** The error for a list that may go on; undefined when its last page proves that it is whole. */
  incompleteness(): ServiceError | undefined {
    const doubt = this.#doubt();
    if (doubt === undefined) return undefined;
    return new ServiceError('server', `the list of ${this.#what} is not proved whole: ${doubt}`, {
      retryable: false,
      hint: 'do not rely on what is missing; single pages, and resources by their IDs, can still be read',
    });
  }

  #add(answer: Page<unknown>): void {
    this.#first ??= answer;
    if (this.#pages === 0) this.#base = answer.onward?.isCountedFrom1 ? 1 : answer.page;
    const { data, total } = answer;
    this.#seen.add(pageKey(data));
    // Rows of this page and of full ones before it: what was deleted since is in neither.
    const before = this.#isNamed ? 0 : this.#pages * this.#first.data.length;
    const least = data.length === 0 ? 0 : before + data.length;
    this.#pages += 1;
    this.#items += data.length;
    this.#empty = data.length === 0 ? this.#empty + 1 : 0;
    this.#last = answer;
    if (total !== undefined && total < least) {
      this.#contradiction ??= `the service counts ${total}, and ${least} came by page ${this.#pages}`;
    }
  }

  #faultOf({ data, page }: Page<unknown>): string | undefined {
    const nth = this.#pages + 1;
    const isFirst = this.#first === undefined;
    const wanted = isFirst && page !== 0 ? 1 : this.#number;
    if (page !== undefined && wanted !== undefined && page !== wanted) {
      return `page ${wanted} was requested, but page ${page} came`;
    }
    const { pages, total = Number.POSITIVE_INFINITY } = this.#first ?? {};
    const mostPages = pages === undefined ? mostUncounted : pages * growth + morePages;
    if (nth > mostPages || this.#items > total * growth + moreItems || this.#empty > mostEmpty) {
      return `${this.#pages} pages with ${this.#items} items were read, and there are still more`;
    }
    if (data.length > 0 && this.#seen.has(pageKey(data))) return `page ${nth} repeats an earlier page`;
    if (!this.#isNamed && page === undefined && this.#overlapsLast(data)) {
      return `page ${nth} begins within the one before`;
    }
    return undefined;
  }

  /** What to ask for after a page. */
  #following(answer: Page<unknown>): Step['request'] {
    const { data, pages, total, hasNext, onward = {} } = answer;
    const { next } = onward;
    if (next !== undefined && this.#way !== undefined && isSameWay(next, this.#way)) {
      this.#fault = `page ${this.#pages} names itself as the next`;
      return undefined;
    }
    this.#way = next !== undefined && this.#keyOf(next) !== this.#dropped ? next : undefined;
    this.#number = undefined;
    this.#isGuess = false;
    if (this.#way !== undefined) {
      this.#isNamed = true;
      return { next: this.#way };
    }
    if (onward.refused !== undefined || data.length === 0) return undefined;
    if (pages !== undefined && !(pages < 1)) return this.#pages < pages ? this.#numbered(answer) : undefined;
    if (hasNext) return this.#numbered(answer);
    if (onward.ends || this.#isNamed || pages !== undefined) return undefined;
    const goesOn = total === undefined ? !this.#isShort(answer) : this.#items < total;
    this.#isGuess = goesOn;
    return goesOn ? this.#numbered(answer) : undefined;
  }

  #numbered({ data, onward = {} }: Page<unknown>): Step['request'] {
    if (onward.isUnnumbered) return undefined;
    if (onward.offset !== undefined) return { next: onward.offset };
    if (this.#base === undefined) {
      this.#isTrial = true;
      this.#firstIds = new Set(data.flatMap((one) => toRepeatKey(one)));
      return this.#toPage(1, onward.pageParameter);
    }
    this.#number = this.#base + this.#pages;
    return this.#toPage(this.#number, onward.pageParameter);
  }

  #toPage(number: number, parameter: string | undefined): Step['request'] {
    return parameter === undefined ? { page: number } : { next: { parameter, value: String(number) } };
  }

  /** Whether the way that was taken first is no way: then pages have numbers. */
  #canDropWay(): boolean {
    const way = this.#way;
    if (this.#pages !== 1 || way === undefined || !('parameter' in way) || this.#dropped !== undefined)
      return false;
    if (!this.#first?.hasNext || this.#first.onward?.isUnnumbered) return false;
    this.#dropped = this.#keyOf(way);
    this.#way = undefined;
    this.#isNamed = false;
    return true;
  }

  #keyOf(way: NextPage): string {
    return 'parameter' in way ? way.parameter : '';
  }

  #overlapsFirst({ data }: Page<unknown>): boolean {
    return data.length === 0 || data.some((one) => this.#firstIds?.has(toRepeatKey(one)));
  }

  /** Where nothing says that pages have numbers, the service may take the number for something else. */
  #overlapsLast(data: readonly unknown[]): boolean {
    const first = pageKey(data);
    return data.length > 0 && (this.#last?.data.some((one) => toRepeatKey(one) === first) ?? false);
  }

  /** Whether a page has fewer items than there was room for. One as long as pages usually are may be cut at that. */
  #isShort({ data, limit }: Page<unknown>): boolean {
    if (limit !== undefined && limit > 0) return data.length < limit;
    if (this.#pages > 1) return data.length < (this.#first?.data.length ?? 0);
    return (this.#asked === undefined || data.length < this.#asked) && !usualPageSizes.has(data.length);
  }

  // The last page's total counts: what was deleted while the list was read is not missing.
  #doubt(): string | undefined {
    const { total: counted, pages, hasNext, onward = {} } = this.#last ?? {};
    const came = this.#items;
    const isEnded = onward.ends === true || (this.#isNamed && !hasNext);
    const total = onward.isQuota && isEnded ? undefined : counted;
    const named = `the service names a page after the ${came} that came`;
    if (onward.refused !== undefined) return `${named}, ${onward.refused}`;
    if (this.#fault !== undefined && !this.#isGuess)
      return hasNext ? `${named}, but ${this.#fault}` : this.#fault;
    if (this.#contradiction !== undefined) return this.#contradiction;
    if (total !== undefined && !(came >= total && total >= 0))
      return `the service counts ${total}, and ${came} came`;
    if (this.#fault !== undefined) return describeUnproved(came);
    if (hasNext) return named;
    if (total !== undefined || pages !== undefined || isEnded || this.#isPastEnd) return undefined;
    if (this.#last === undefined || this.#last.data.length === 0 || this.#isShort(this.#last))
      return undefined;
    return describeUnproved(came);
  }
}

function describeUnproved(came: number): string {
  return `${came} came, as many as a page may have, and nothing says that there are no more`;
}

function isSameWay(one: NextPage | undefined, other: NextPage): boolean {
  if (one === undefined) return false;
  return 'target' in one
    ? 'target' in other && one.target === other.target
    : 'parameter' in other && one.parameter === other.parameter && one.value === other.value;
}

/** Identifies a page by its first item. */
function pageKey([first]: readonly unknown[]): string {
  return toRepeatKey(first);
}

/** Identifies an item by its ID, or by all of it if it has none; other fields may change meanwhile. */
function toRepeatKey(item: unknown): string {
  const id = isResource(item) ? readId(item) : undefined;
  return id ?? printJson(item ?? null);
}
