import { pageSize } from '../api/schema/envelope.js';
import { ServiceError } from '../errors/errors.js';
import { countNoun } from '../text/count-noun.js';
import type { PageRequest } from './page-request.js';
import {
  describeSign,
  isByPosition,
  isPerhapsFull,
  isSamePage,
  isSameWay,
  mayCountPage,
  pageKey,
  readPages,
  speaksOfPages,
  toRepeatKey,
  totalsCountPages,
  withoutTotal,
} from './reading/compare-pages.js';
import type { NextPage, Page } from './reading/page.js';

export interface Step {
  readonly isNew: boolean;
  readonly request?: Pick<PageRequest, 'page' | 'next'> | undefined;
}

// A list may grow while it is read: to its reported size times `growth`, plus this many pages or items.
const growth = 2;
const morePages = 100;
const moreItems = morePages * pageSize.max;
/** Maximum pages to read if the service reports no number of pages. */
const maxUncountedPages = 100_000;
const maxEmptyPages = 100;

/** Finds the next page, and checks pages against reported figures. */
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
  #base: number | undefined;
  #number: number | undefined;
  #isTrial = false;
  /** Whether the requested page was not announced by the service. */
  #isGuess = false;
  #way: NextPage | undefined;
  #isNamed = false;
  #dropped: string | undefined;
  #fault: string | undefined;
  #contradiction: string | undefined;
  /** Totals before and after a deletion, which moves other items to pages already read. */
  #shrunk: readonly [before: number, after: number] | undefined;
  #isPastEnd = false;
  /** Number of items according to the quota in use, if the first page reports no number. */
  #counted: number | undefined;
  /** Whether each of the service's totals counts only the items of one page. */
  #isPageCount = false;

  constructor(what: string, asked: number | undefined) {
    this.#what = what;
    this.#asked = asked;
  }

  /** Expects as many items as the quota in use counts, unless more arrive. */
  expect(counted: number): void {
    this.#counted = counted;
  }

  take(page: Page<unknown>): Step {
    this.#isPageCount ||= this.#pages === 1 && this.#last !== undefined && totalsCountPages(this.#last, page);
    const answer = this.#isPageCount ? withoutTotal(page) : page;
    if (this.#isTrial) {
      this.#isTrial = false;
      if (answer.data.length === 0) {
        this.#compareTotal(answer);
        this.#isPastEnd = true;
        return { isNew: false };
      }
      // If page 1 repeats the first page, numbers begin at 1.
      this.#base = this.#overlapsFirst(answer) ? 1 : 0;
      this.#firstIds = undefined;
      if (this.#base === 1) return { isNew: false, request: this.#numbered(answer) };
    }
    if (this.#repeatsLast(answer)) {
      this.#isPastEnd = true;
      return { isNew: false };
    }
    const fault = this.#faultOf(answer);
    if (fault !== undefined) {
      if (this.#dropWay()) return { isNew: false, request: this.#numbered(answer) };
      this.#fault = fault;
      return { isNew: false };
    }
    this.#add(answer);
    return { isNew: true, request: this.#following(answer) };
  }

  /** Ends the list if the service refused a page that was only a guess. @throws `error` otherwise */
  refuse(error: unknown): undefined {
    const isRefused = error instanceof ServiceError && ['rejected', 'not_found'].includes(error.code);
    if (!this.#isGuess || !isRefused) throw error;
    // If the pages are known to be numbered, 404 means the end of the list.
    const isNumbered = this.#pages > 1 || this.#base !== undefined;
    this.#isPastEnd = (error.code === 'not_found' && isNumbered) || this.#mayCountPage();
    if (!this.#isPastEnd) this.#fault = `the service refused the page after the first ${this.#items} items`;
    return undefined;
  }

  /** The error for a possibly incomplete list; otherwise `undefined`. */
  incompleteness(): ServiceError | undefined {
    const doubt = this.#doubt();
    if (doubt === undefined) return undefined;
    return new ServiceError('server', `the list of ${this.#what} may be incomplete: ${doubt}`, {
      retryable: false,
      hint:
        doubt === this.#describeShrunk()
          ? 'read the list again'
          : 'read single pages, or resources by their IDs; an item missing here may still exist',
    });
  }

  /** Whether the total may count only the items of the first page; the second page will show this. */
  #mayCountPage(): boolean {
    return this.#pages === 1 && this.#last !== undefined && mayCountPage(this.#last, this.#asked);
  }

  #add(answer: Page<unknown>): void {
    if (this.#isPageCount && this.#last !== undefined) this.#last = withoutTotal(this.#last);
    if (this.#isPageCount && this.#first !== undefined) this.#first = withoutTotal(this.#first);
    this.#first ??= answer;
    if (this.#pages === 0) this.#base = answer.onward?.isCountedFrom1 ? 1 : answer.page;
    const { data, total } = answer;
    this.#compareTotal(answer);
    const { total: before = 0 } = this.#last ?? {};
    if (total !== undefined && total < before && isByPosition(this.#way)) this.#shrunk ??= [before, total];
    this.#seen.add(pageKey(data));
    this.#pages += 1;
    this.#items += data.length;
    this.#empty = data.length === 0 ? this.#empty + 1 : 0;
    this.#last = answer;
    if (this.#counted !== undefined && this.#items > this.#counted) this.#counted = undefined;
  }

  #compareTotal(answer: Page<unknown>): void {
    const { total } = answer;
    const least = this.#leastTotal(answer);
    if (total === undefined || total >= least) return;
    this.#contradiction ??= `the service reports ${countNoun(total, 'item')}, but ${least} arrived by page ${this.#pages + 1}`;
  }

  /** The least total that fits the items so far. Deletions explain one that is below an earlier total, except 0. */
  #leastTotal({ data, total, onward }: Page<unknown>): number {
    const isExplained = total !== 0 && [this.#first, this.#last].some((page) => page?.total !== undefined);
    if (!isExplained && !onward?.isQuota) return this.#items + data.length;
    const earlier = this.#isNamed ? 0 : this.#pages * (this.#first?.data.length ?? 0);
    return data.length === 0 ? 0 : earlier + data.length;
  }

  #faultOf({ data, page }: Page<unknown>): string | undefined {
    const nth = this.#pages + 1;
    const isFirst = this.#first === undefined;
    const wanted = isFirst && page !== 0 ? 1 : this.#number;
    if (page !== undefined && wanted !== undefined && page !== wanted) {
      return `page ${wanted} was requested, but the service sent page ${page}`;
    }
    const { total = Number.POSITIVE_INFINITY } = this.#first ?? {};
    const pages = this.#first && readPages(this.#first);
    const maxPages = pages === undefined ? maxUncountedPages : pages * growth + morePages;
    if (nth > maxPages || this.#items > total * growth + moreItems || this.#empty > maxEmptyPages) {
      return `${this.#pages} pages with ${this.#items} items were read, and there are still more`;
    }
    if (data.length > 0 && this.#seen.has(pageKey(data))) return `page ${nth} repeats an earlier page`;
    if (!this.#isNamed && page === undefined && this.#overlapsLast(data)) {
      return `page ${nth} begins with an item of the previous page`;
    }
    return undefined;
  }

  #following(answer: Page<unknown>): Step['request'] {
    const { data, total = this.#counted, hasNext, onward = {} } = answer;
    const pages = readPages(answer);
    const { next } = onward;
    if (next !== undefined && this.#way !== undefined && isSameWay(next, this.#way)) {
      this.#fault = `page ${this.#pages} names itself as the next page`;
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
    if (pages !== undefined) return this.#pages < pages ? this.#numbered(answer) : undefined;
    if (hasNext) return this.#numbered(answer);
    if (onward.ends || this.#isNamed) return undefined;
    // Without a total, any page may be a full one: only the service knows its page size.
    const goesOn = total === undefined || this.#items < total || this.#mayCountPage();
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

  /** Drops a failed parameter for the next page, if page numbers can replace it. @returns whether it was dropped */
  #dropWay(): boolean {
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
    return data.some((one) => this.#firstIds?.has(toRepeatKey(one)));
  }

  /** Whether a page begins within the previous page, as when a service takes page numbers for offsets. */
  #overlapsLast(data: readonly unknown[]): boolean {
    const first = pageKey(data);
    return data.length > 0 && (this.#last?.data.some((one) => toRepeatKey(one) === first) ?? false);
  }

  /** Whether a guessed page equals the previous page: the service ignores page numbers, or repeats its last page. */
  #repeatsLast({ data }: Page<unknown>): boolean {
    const last = this.#last;
    if (!this.#isGuess || last === undefined || !isSamePage(data, last.data)) return false;
    return (
      this.#pages > 1 || this.#mayCountPage() || !(speaksOfPages(last) || isPerhapsFull(last, this.#asked))
    );
  }

  // Uses the total of the last page, because it is the newest.
  #doubt(): string | undefined {
    const { total: counted, hasNext, onward = {} } = this.#last ?? {};
    const pages = this.#last && readPages(this.#last);
    const came = this.#items;
    const isEnded = onward.ends === true || (this.#isNamed && !hasNext);
    const quota = isEnded ? undefined : this.#counted;
    const total = (onward.isQuota && isEnded ? undefined : counted) ?? quota;
    const named = `the service names another page after ${countNoun(came, 'item')}`;
    if (onward.refused !== undefined) return `${named}, ${onward.refused}`;
    if (this.#fault !== undefined && !this.#isGuess)
      return hasNext ? `${named}, but ${this.#fault}` : this.#fault;
    if (this.#contradiction !== undefined) return this.#contradiction;
    if (total !== undefined && !(came >= total && total >= 0))
      return `the service reports ${countNoun(total, 'item')}, but ${came} arrived`;
    if (this.#fault !== undefined) return this.#describeUnproved();
    if (this.#shrunk !== undefined) return this.#describeShrunk();
    if (hasNext) return named;
    if (onward.partial !== undefined) return `the service marks its last page with "${onward.partial}": true`;
    const hasAll = pages !== undefined && !(onward.isUnnumbered && this.#pages < pages);
    if (total !== undefined || hasAll || isEnded || this.#isPastEnd) return undefined;
    if (this.#last === undefined || this.#last.data.length === 0) return undefined;
    return this.#describeUnproved();
  }

  #describeShrunk(): string | undefined {
    if (this.#shrunk === undefined) return undefined;
    return `it shrank from ${this.#shrunk.join(' to ')} items while it was read, so some may have been skipped`;
  }

  #describeUnproved(): string {
    const { sign } = this.#last?.onward ?? {};
    if (sign !== undefined) return `${this.#items} items arrived, but ${describeSign(sign)}`;
    const fills =
      this.#last !== undefined && isPerhapsFull(this.#last, this.#asked) ? ', which fills the page' : '';
    return `${this.#items} items arrived${fills}, and nothing says that the list ends there`;
  }
}
