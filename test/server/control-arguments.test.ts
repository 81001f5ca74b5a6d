import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/errors/errors.js';
import type { RunningServer } from '../../src/server/index.js';
import { useServer } from './support/start.js';

const context = useServer();

/** A method of `control` without its types, as plain JavaScript has it. */
function findCall({ control }: RunningServer, path: string): (...given: unknown[]) => Promise<unknown> {
  const [group = '', name] = path.split('.');
  const holder: unknown = name === undefined ? control : Reflect.get(control, group);
  const call: unknown = Reflect.get(Object(holder), name ?? group);
  if (typeof call !== 'function') throw new Error(`no call: ${path}`);
  return async (...given) => call(...given);
}

const ofLimit = '0 to 9999';

describe('a call of control with wrong arguments', () => {
  it.each<[path: string, given: unknown[], named: string]>([
    ['faults.set', ['GET /x=503'], 'rules: Invalid input: expected array, received string'],
    ['faults.set', [[1]], 'rules[0]: Invalid input: expected string, received number'],
    ['faults.set', [], 'rules: Invalid input: expected array, received undefined'],
    ['stubs.set', ['GET /x=200'], 'stubs: Invalid input: expected array, received string'],
    ['stubs.set', [[{}]], 'stubs[0]: '],
    ['rateLimit.set', [], 'requests: Invalid input'],
    ['rateLimit.set', [{ requests: '5', window: '1m' }], 'requests: Invalid input'],
    ['clock.advance', [{ minutes: 1 }], 'by: '],
    ['clock.set', [], 'time: Invalid input'],
    ['keys.disable', [undefined], 'id: Invalid input: expected string, received undefined'],
    ['keys.enable', [7], 'id: Invalid input: expected string, received number'],
    ['keys.revoke', [null], 'id: Invalid input: expected string, received null'],
    ['keys.list', [{}], 'organization: Invalid input: expected string, received object'],
    ['quotas.get', [7], 'organization: Invalid input: expected string, received number'],
    ['restore', [], 'snapshot: Invalid input: expected string, received undefined'],
    ['journal.get', [{ foo: 1 }], 'Unrecognized key: "foo"'],
    ['journal.get', [{ limit: 'x' }], ofLimit],
    ['journal.get', [{ limit: -1 }], ofLimit],
    ['journal.get', [{ status: 'abc' }], 'status: must be like 404 or 4xx'],
    ['journal.get', [{ since: 'bad' }], 'since: must be'],
    ['journal.get', [{ refused: 'maybe' }], 'refused: Invalid option'],
  ])('is refused: %s %j', async (path, given, named) => {
    const refused = findCall(context.server, path)(...given);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(/^control\.[\w.]+: /);
    await expect(refused).rejects.toThrow(named);
  });

  it('is carried out with right ones', async () => {
    const { clock, journal, stubs } = context.server.control;
    expect(await clock.set(new Date())).toHaveProperty('offset');
    expect(await stubs.set([{ request: 'GET /teams', status: 200, body: [1] }])).toHaveLength(1);
    await stubs.clear();
    expect(await journal.get({ refused: true, status: 401, limit: 3, method: 'get' })).toEqual([]);
    expect(await journal.count()).toBe(0);
  });
});
