import { describe, expect, it } from 'vitest';
import { LruMap } from '../../src/platform/lru-map.js';

describe('LruMap', () => {
  it('drops what was read or written longest ago', () => {
    const map = new LruMap<string, number>(3).set('a', 1).set('b', 2).set('c', 3);
    map.get('a');
    map.set('b', 4);
    map.set('d', 5);
    expect([...map]).toEqual([
      ['a', 1],
      ['b', 4],
      ['d', 5],
    ]);
    expect(map.get('c')).toBeUndefined();
  });

  it('does not take a question for what it does not have, or whether it has something, for a use', () => {
    const map = new LruMap<string, number>(2).set('a', 1).set('b', 2);
    map.get('c');
    map.has('a');
    expect([...map.set('d', 3).keys()]).toEqual(['b', 'd']);
  });

  it('has no more than its capacity after a flood, and none of it after a deletion', () => {
    const map = new LruMap<number, number>(10);
    for (let key = 0; key < 1000; key += 1) map.set(key, key);
    expect([...map.keys()]).toEqual([990, 991, 992, 993, 994, 995, 996, 997, 998, 999]);
    map.clear();
    expect(map.size).toBe(0);
  });
});
