import type { Dialect } from '../../api/dialect/dialect.js';
import { type Resource, readId } from '../../api/resources/resource.js';
import { PageCheck } from '../../client/page-check.js';
import { findSizeParameter, manyRows, readNamedLimit } from '../../client/probing/find-limits.js';
import {
  callsOfList,
  readSeenPage,
  type SeenPage,
  type ServicePlace,
} from '../../client/probing/seen-page.js';
import { type SoughtForms, seekForms } from '../../client/probing/sought-forms.js';
import type { ResourceNames } from '../../client/reading/fields.js';
import { knownForms } from '../../client/reading/forms.js';
import type { NextPage } from '../../client/reading/page.js';
import { pageTarget } from '../../client/reading/page-target.js';
import { withId } from '../../client/reading/read-single.js';
import type { Questioner, Reply } from './probed-calls.js';

/** Maximum number of pages to read after the first, to prove a list complete. */
const maxPages = 4;
const maxWays = 3;

/** Whether a list is proved complete; `undefined` if it was not read to its end. */
export type Wholeness = boolean | undefined;

/** Requests a kind's list in different ways, to see as many forms as possible; at most 13 calls. */
export async function probeKind(
  resource: ResourceNames,
  questioner: Questioner,
  expected: Dialect | undefined,
): Promise<Wholeness> {
  const asker = new KindAsker(resource, questioner, expected);
  const first = await asker.list({});
  if (first === undefined) return undefined;
  const size = await asker.findSize();
  await asker.goOn(size);
  const largest = size === null ? first : ((await asker.readLargest(size ?? asker.sizes[0])) ?? first);
  const wholeness = await asker.readToEnd(largest, size ?? undefined);
  await asker.readSingle(first);
  return wholeness;
}

class KindAsker {
  readonly #resource: ResourceNames;
  readonly #questioner: Questioner;
  readonly #sought: SoughtForms;
  readonly #place: ServicePlace;

  constructor(resource: ResourceNames, questioner: Questioner, expected: Dialect | undefined) {
    const { origin, prefix } = questioner.transport;
    this.#resource = resource;
    this.#questioner = questioner;
    this.#sought = seekForms(expected?.kinds[resource.kind]?.list ?? expected?.list);
    this.#place = { origin, basePath: prefix };
  }

  get sizes(): readonly string[] {
    return this.#sought.sizes;
  }

  async list(query: Readonly<Record<string, number>>): Promise<SeenPage | undefined> {
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    return this.#read(await this.#askFor(search.size === 0 ? '' : `?${search}`));
  }

  /** Requests one row with the usual parameter; if that has no effect, tries all other names in one request. */
  async findSize(): Promise<string | null | undefined> {
    const [first = 'limit', ...others] = this.sizes;
    const page = await this.list({ [first]: 1 });
    const found = findSizeParameter(this.#pages(), [first]);
    if (typeof found === 'string' || (page !== undefined && page.ids.length < 2)) return found ?? undefined;
    await this.list(Object.fromEntries(others.map((name, at) => [name, at + 2])));
    return findSizeParameter(this.#pages(), this.sizes);
  }

  /** Requests the page after a short one, by link, cursor or number. */
  async goOn(size: string | null | undefined): Promise<void> {
    const pages = this.#pages();
    const from = pages.findLast(({ query }) => typeof size === 'string' && query.has(size)) ?? pages[0];
    if (from === undefined || from.ids.length === 0) return;
    const { next } = from.page.onward ?? {};
    if (next !== undefined && 'target' in next) {
      await this.#askTarget(next.target);
      return;
    }
    const isMore = next !== undefined || pages.some(({ ids }) => ids.length > from.ids.length);
    for (const way of this.#waysFrom(from, next).slice(0, isMore ? maxWays : 1)) {
      const page = await this.#follow(from, way);
      if (page !== undefined && page.ids[0] !== from.ids[0]) return;
    }
  }

  #waysFrom({ page: { onward } }: SeenPage, next: NextPage | undefined): NextPage[] {
    const [first = 'page'] = this.#sought.ways;
    const numbered = [onward?.pageParameter ?? 'page', first, 'page'].map((parameter) => ({
      parameter,
      value: '2',
    }));
    const named = next !== undefined && 'parameter' in next ? [next] : [];
    const cursors = named.flatMap(({ value }) => [
      ...named,
      ...[first, 'after', 'page'].map((parameter) => ({ parameter, value })),
    ]);
    const ways = named.some(({ parameter }) => parameter === knownForms.list.after)
      ? [...named, ...numbered]
      : [...cursors, ...numbered];
    return ways.filter(
      (way, at) => ways.findIndex((one) => one.parameter === way.parameter && one.value === way.value) === at,
    );
  }

  #follow({ query }: SeenPage, next: NextPage): Promise<SeenPage | undefined> {
    const search = query.size === 0 ? '' : `?${query}`;
    return this.#askTarget(pageTarget(`/${this.#resource.kind}${search}`, { next }, this.#sought.list));
  }

  async readLargest(size = 'limit'): Promise<SeenPage | undefined> {
    const reply = await this.#askFor(`?${size}=${manyRows}`);
    const { refusal, call } = reply;
    if (refusal === undefined) return this.#read(reply);
    const max = call && readNamedLimit(call);
    return max === undefined ? undefined : this.list({ [size]: max });
  }

  async readToEnd(first: SeenPage, size: string | undefined): Promise<Wholeness> {
    const limit = Number(first.query.get(size ?? '') ?? Number.NaN);
    const check = new PageCheck(this.#resource.kind, Number.isNaN(limit) ? undefined : limit);
    const forms = { ...this.#sought.list, limitParameter: size };
    let page = first;
    for (let read = 0; read <= maxPages; read += 1) {
      const { request } = check.take(page.page);
      if (request === undefined) return check.incompleteness() === undefined;
      if (read === maxPages) return undefined;
      const asked = { ...request, ...(!Number.isNaN(limit) && { limit }) };
      const reply = await this.#ask(pageTarget(`/${this.#resource.kind}`, asked, forms));
      const next = this.#read(reply);
      if (next === undefined) return isEnd(check, reply);
      page = next;
    }
    return undefined;
  }

  async readSingle({ rows: [row] }: SeenPage): Promise<void> {
    const id = row && readId(withId(row, this.#resource, knownForms.item) satisfies Resource);
    if (id !== undefined) await this.#ask(`/${this.#resource.kind}/${encodeURIComponent(id)}`);
  }

  #pages(): SeenPage[] {
    const calls = callsOfList(this.#questioner.calls, this.#resource.kind, this.#place);
    return calls.flatMap((call) => readSeenPage(call, this.#resource, this.#sought, this.#place) ?? []);
  }

  #askFor(search: string): Promise<Reply> {
    return this.#ask(`/${this.#resource.kind}${search}`);
  }

  async #askTarget(target: string): Promise<SeenPage | undefined> {
    return this.#read(await this.#ask(target));
  }

  #ask(target: string): Promise<Reply> {
    return this.#questioner.ask(target);
  }

  #read({ call, refusal }: Reply): SeenPage | undefined {
    if (call === undefined || refusal !== undefined) return undefined;
    return readSeenPage(call, this.#resource, this.#sought, this.#place);
  }
}

function isEnd(check: PageCheck, { refusal }: Reply): boolean {
  try {
    check.refuse(refusal);
    return check.incompleteness() === undefined;
  } catch {
    return false;
  }
}
