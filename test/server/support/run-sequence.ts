import { expect } from 'vitest';
import { quotaKinds } from '../../../src/api/resources/index.js';
import { z } from '../../../src/api/schema/schema.js';
import { type Answer, at, type Caller, quotaHeadersOf } from './caller.js';
import type { Step } from './described-requests.js';

/** What there must be by all that was answered: of each kind the IDs, those that a run has not made included. */
interface Model {
  readonly limits: Readonly<Record<string, number>>;
  readonly ids: Readonly<Record<string, Set<string>>>;
  /** Those that were there before, which a run leaves alone: the key that signs is one of them. */
  readonly before: ReadonlySet<string>;
}

const quotas = z.record(z.string(), z.object({ limit: z.int(), used: z.int(), remaining: z.int() }));

/**
 * Sends requests one after the other, and expects of each the answer that follows from those before it and from the API's
 * description; at the end the quotas must be what there is. Deletes what it created.
 */
export async function runSequence(steps: readonly Step[], caller: Caller): Promise<void> {
  const model = await modelOf(caller);
  try {
    for (const step of steps) await take(step, model, caller);
    await expectQuotas(model, caller);
  } finally {
    await clear(model, caller);
  }
}

async function modelOf(caller: Caller): Promise<Model> {
  const record = quotas.parse(at((await caller.send('GET', '/quotas')).json, 'data.0'));
  const listed = await Promise.all(quotaKinds.map((kind) => idsOf(kind, caller)));
  const ids = Object.fromEntries(quotaKinds.map((kind, index) => [kind, new Set(listed[index])]));
  return {
    limits: Object.fromEntries(Object.entries(record).map(([kind, { limit }]) => [kind, limit])),
    ids,
    before: new Set(listed.flat()),
  };
}

async function idsOf(kind: string, caller: Caller): Promise<string[]> {
  const { json } = await caller.send('GET', `/${kind}?limit=100`);
  return z
    .array(z.object({ id: z.string() }))
    .parse(at(json, 'data'))
    .map(({ id }) => id);
}

async function take(step: Step, model: Model, caller: Caller): Promise<void> {
  const { call, kind, auth, body, query } = step;
  const ids = model.ids[kind] ?? new Set();
  const made = [...ids].filter((id) => !model.before.has(id));
  const id = made[step.which] ?? 'none_1';
  const path = call.path.replace('{id}', id);
  const search = new URLSearchParams(query).toString();
  const answer = await caller.send(call.method, search === '' ? path : `${path}?${search}`, {
    auth,
    ...(body !== undefined && { body: body.text, contentType: body.contentType }),
  });
  expect(expected(step, ids.has(id), ids.size < (model.limits[kind] ?? 0))).toContain(answer.status);
  remember(answer, call.method, id, ids);
  const limit = model.limits[kind] ?? 0;
  expect(quotaHeadersOf(answer)).toEqual([limit, ids.size, limit - ids.size].map(String));
}

/** The statuses that a step may be answered with. */
function expected({ call, kind, body, queryFits }: Step, exists: boolean, hasRoom: boolean): number[] {
  const isOne = call.path.endsWith('{id}');
  if (body !== undefined && !body.isJson) return [415];
  if (body !== undefined && !body.fits) return [400];
  if (!queryFits) return [400];
  if (isOne && !exists) return [404];
  if (call.method === 'POST') return [hasRoom ? 201 : 403];
  if (call.method === 'DELETE') return [204];
  // What a change makes of a connection has to fit its type.
  return call.method === 'PATCH' && kind === 'connections' ? [200, 400] : [200];
}

function remember({ status, json }: Answer, method: string, id: string, ids: Set<string>): void {
  if (status === 201) ids.add(String(at(json, 'id')));
  if (status === 204 && method === 'DELETE') ids.delete(id);
}

async function expectQuotas({ limits, ids }: Model, caller: Caller): Promise<void> {
  const record = quotas.parse(at((await caller.send('GET', '/quotas')).json, 'data.0'));
  for (const kind of quotaKinds) {
    const there = await idsOf(kind, caller);
    expect(new Set(there)).toEqual(ids[kind]);
    const limit = limits[kind] ?? 0;
    expect(record[kind]).toEqual({ limit, used: there.length, remaining: limit - there.length });
  }
}

async function clear({ before }: Model, caller: Caller): Promise<void> {
  for (const kind of quotaKinds) {
    const made = (await idsOf(kind, caller)).filter((id) => !before.has(id));
    for (const id of made) await caller.send('DELETE', `/${kind}/${id}`);
  }
}
