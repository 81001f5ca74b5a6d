import { expect, it } from 'vitest';
import { readLinkCommand } from '../../src/console/session/link-command.js';

it.each([
  'orgctl local console',
  'orgctl local console --proxy 8445',
  'orgctl local console --data /srv/orgctl-data',
  "orgctl local console --data '/srv/$(x) it'\\''s'",
])('%s is offered for a new link', (said) => {
  expect(readLinkCommand(said)).toBe(said);
});

it.each([
  'rm -rf ~',
  'orgctl local reset --yes',
  'orgctl local console; rm -rf ~',
  'orgctl local console --data $(rm -rf ~)',
  "orgctl local console --data 'a'; rm -rf ~; 'b'",
  "orgctl local console --data 'a\nrm -rf ~'",
  'orgctl local console\nrm -rf ~',
  'orgctl local console --data a --yes',
  undefined,
  {},
])('%j is not', (said) => {
  expect(readLinkCommand(said)).toBeUndefined();
});
