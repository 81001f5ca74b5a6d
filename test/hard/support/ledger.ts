import { expect } from 'vitest';
import { type Answer, at, type Caller } from '../../support/caller.js';

const kinds = ['teams', 'connections'] as const;
type Kind = (typeof kinds)[number];

/** What there is: the name of each resource by its target, and what the quotas count. */
interface Found {
  readonly names: ReadonlyMap<string, string>;
  readonly used: Readonly<Record<Kind, unknown>>;
}

/**
 * What clients were told of their resources. A request without an answer, or with one that says that the outcome is
 * unknown, may have had its effect or not; every other answer is held to what it says.
 */
export class Ledger {
  /** The names that a resource may have by now; `undefined` stands for being gone. */
  readonly #possible = new Map<string, ReadonlySet<string | undefined>>();
  #unansweredPosts = 0;
  #answers = 0;
  #names = 0;

  /** How many requests were answered with success. */
  get answers(): number {
    return this.#answers;
  }

  /** The target of what was made; `undefined` when it was not. */
  async create(caller: Caller, kind: Kind): Promise<string | undefined> {
    const name = this.#newName();
    const body = kind === 'teams' ? { name } : { name, type: 'x', config: { name } };
    this.#unansweredPosts += 1;
    const answer = await caller.send('POST', `/${kind}`, { body });
    if (!isTold(answer)) return undefined;
    this.#unansweredPosts -= 1;
    if (answer.status !== 201) return undefined;
    const target = `/${kind}/${at(answer.json, 'id')}`;
    this.#note(target, new Set([name]));
    return target;
  }

  async rename(caller: Caller, target: string): Promise<void> {
    const name = this.#newName();
    await this.#change(target, name, 200, () => caller.send('PATCH', target, { body: { name } }));
  }

  async delete(caller: Caller, target: string): Promise<void> {
    await this.#change(target, undefined, 204, () => caller.send('DELETE', target));
  }

  /** Compares with what there is, which is what is known from then on. */
  check({ names, used }: Found): void {
    const wrong = [...this.#possible].filter(([target, possible]) => !possible.has(names.get(target)));
    expect(wrong).toEqual([]);
    const unknown = [...names.keys()].filter((target) => !this.#possible.has(target));
    expect(unknown.length).toBeLessThanOrEqual(this.#unansweredPosts);
    for (const kind of kinds) {
      expect(used[kind]).toBe([...names.keys()].filter((target) => target.startsWith(`/${kind}/`)).length);
    }
    this.#unansweredPosts = 0;
    this.#possible.clear();
    for (const [target, name] of names) this.#possible.set(target, new Set([name]));
  }

  async #change(
    target: string,
    name: string | undefined,
    success: number,
    send: () => Promise<Answer>,
  ): Promise<void> {
    const before = this.#possible.get(target) ?? new Set();
    this.#possible.set(target, new Set([...before, name]));
    const answer = await send();
    if (!isTold(answer)) return;
    if (answer.status === success) this.#note(target, new Set([name]));
    else this.#possible.set(target, before);
  }

  #note(target: string, possible: ReadonlySet<string | undefined>): void {
    this.#possible.set(target, possible);
    this.#answers += 1;
  }

  #newName(): string {
    this.#names += 1;
    return `name ${this.#names}`;
  }
}

/** Whether an answer says what became of the request: done, or not done and to be sent again. */
function isTold({ status, headers, text }: Answer): boolean {
  if (status < 300) return true;
  expect([status, text]).toEqual([503, expect.stringContaining('Service Unavailable')]);
  return headers['retry-after'] !== undefined;
}

/** Everything that a server has, page by page. */
export async function found(caller: Caller): Promise<Found> {
  const names = new Map<string, string>();
  for (const kind of kinds) {
    for (let page = 1; ; page += 1) {
      const data = at((await caller.send('GET', `/${kind}?limit=100&page=${page}`)).json, 'data');
      if (!Array.isArray(data) || data.length === 0) break;
      for (const item of data) names.set(`/${kind}/${at(item, 'id')}`, String(at(item, 'name')));
    }
  }
  const record = at((await caller.send('GET', '/quotas')).json, 'data.0');
  return { names, used: { teams: at(record, 'teams.used'), connections: at(record, 'connections.used') } };
}

/**
 * Creates, renames and deletes without end, in several clients at once, until `isOver` or the server is gone; a client
 * touches what it has made alone.
 */
export async function writeUntil(
  isOver: () => boolean,
  callers: readonly Caller[],
  ledger: Ledger,
): Promise<void> {
  const write = async (caller: Caller, kind: Kind) => {
    for (let turn = 0; !isOver(); turn += 1) {
      const target = await ledger.create(caller, kind);
      if (target !== undefined && turn % 3 !== 0) await ledger.rename(caller, target);
      if (target !== undefined && turn % 2 === 0) await ledger.delete(caller, target);
    }
  };
  const clients = callers.flatMap((caller) =>
    [1, 2, 3, 4].flatMap(() => kinds.map((kind) => write(caller, kind))),
  );
  for (const outcome of await Promise.allSettled(clients)) {
    if (outcome.status === 'rejected' && !isGone(outcome.reason)) throw outcome.reason;
  }
}

function isGone(error: unknown): boolean {
  return typeof at(error, 'syscall') === 'string' || at(error, 'code') === 'ECONNRESET';
}
