import { expect, it } from 'vitest';
import { explainNoProxy } from '../../../src/client/network/proxy.js';

const whyNone = (noProxy: string, origin: string) =>
  explainNoProxy(new URL(origin), { HTTPS_PROXY: 'http://127.0.0.1:1', NO_PROXY: noProxy });

it.each([
  ['*', 'https://a.invalid'],
  ['A.INVALID', 'https://a.invalid:8443'],
  ['.invalid', 'https://a.invalid'],
  ['*.invalid', 'https://a.invalid'],
  ['b.invalid,,a.invalid', 'https://a.invalid'],
  ['a.invalid:8443', 'https://a.invalid:8443'],
  ['10.1.2.3', 'https://10.1.2.3'],
  ['100::1', 'https://[100::1]'],
  ['[100::1]:443', 'https://[100::1]'],
  ['', 'http://127.0.0.1:8080'],
])('NO_PROXY: %j covers %s', (noProxy, origin) => expect(whyNone(noProxy, origin)).toBeDefined());

it.each([
  ['', 'https://a.invalid'],
  ['valid', 'https://a.invalid'],
  ['a.invalid:8443', 'https://a.invalid'],
  ['10.0.0.0/8', 'https://10.1.2.3'],
  ['2.3', 'https://10.1.2.3'],
])('NO_PROXY: %j does not cover %s', (noProxy, origin) => expect(whyNone(noProxy, origin)).toBeUndefined());
