import { describe, expect, it } from 'vitest';
import { type ForeignAnswer, foreignService, type PageAsked } from '../support/foreign-service.js';
import { runCli } from '../support/run-cli.js';
import { organization } from './support/organization.js';

type List = (asked: PageAsked) => ForeignAnswer;

describe('a list in no known form', () => {
  it.each([
    [
      'another name',
      '{"stuff":[{"id":1}],"more":"secret-value"}',
      '{ stuff: list of 1 { id: number }, more: text }',
    ],
    ['two lists', '{"data":[],"items":[{"id":"a"}]}', '{ data: empty list, items: list of 1 { id: text } }'],
    ['rows that are none', '[1, 2]', 'list of 2 number'],
    ['an inherited name', '{"__proto__":[{"id":"a"}]}', '{ __proto__: list of 1 { id: text } }'],
    ['the name of a member', '{"constructor":[{"id":"a"}]}', '{ constructor: list of 1 { id: text } }'],
    ['null', 'null', 'null'],
  ])('is refused with its outline: %s', async (_name, text, outline) => {
    const { env } = await foreignService({ list: () => ({ body: JSON.parse(text) }) });
    const ended = await runCli(['connections', 'list', '--all'], { env });
    expect(ended).toMatchObject({ code: 10, stdout: '' });
    expect(ended.stderr).toContain(`not of the expected form: ${outline}; looked for a list of objects: `);
    expect(ended.stderr).toContain('orgctl request GET /connections');
    expect(ended.stderr).toContain('orgctl probe');
    expect(ended.stderr).not.toMatch(/check that --base-url|secret-value/);
  });

  it('speaks of the address where a page of the web came', async () => {
    const { env } = await foreignService({ list: () => ({ body: '<!DOCTYPE html><p>Hello' }) });
    const ended = await runCli(['connections', 'list'], { env });
    expect(ended).toMatchObject({ code: 10, stderr: expect.stringContaining('--base-url') });
  });
});

describe('a kind that the service does not have', () => {
  const kinds = ['connections', 'teams'];
  const list: List = () => ({ body: [] });

  it('is left out of export and diff with a note, and is not said to be empty', async () => {
    const { env } = await foreignService({ list, kinds, quotas: { body: { data: [{}] } } });
    const ended = await runCli(['export', '-o', 'json'], { env });
    expect(JSON.parse(ended.stdout)).toMatchObject({ connections: [], teams: [] });
    expect(JSON.parse(ended.stdout)).not.toHaveProperty('api-keys');
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('the service has no API keys') });
    const stdin = organization({ teams: [{ name: 'a' }], 'api-keys': [{ name: 'b' }] });
    const shown = await runCli(['diff', '-', '-o', 'json'], { env, stdin });
    expect(shown).toMatchObject({ code: 0, stderr: expect.stringContaining('the service has no API keys') });
    expect(shown.stdout).not.toContain('"b"');
  });

  it('has apply refuse, and nothing is sent', async () => {
    const { env, calls } = await foreignService({ list, kinds });
    const keys = [{ name: 'b', secret_to: { profile: 'b' } }];
    const stdin = organization({ teams: [{ name: 'a' }], 'api-keys': keys });
    const ended = await runCli(['apply', '-', '--yes'], { env, stdin });
    const stderr = expect.stringContaining('remove "api-keys" from the file');
    expect(ended).toMatchObject({ code: 6, stderr });
    expect(calls.filter((call) => !call.startsWith('GET '))).toEqual([]);
  });

  it('is not what a wrong address looks like: none of the kinds is there', async () => {
    const { env } = await foreignService({ kinds: [] });
    expect(await runCli(['export'], { env })).toMatchObject({ code: 6, stdout: '' });
  });

  it('is not asked for where export has other kinds', async () => {
    const { env, calls } = await foreignService({ list });
    const ended = await runCli(['export', '--kind', 'teams', '-o', 'json'], { env });
    expect(Object.keys(JSON.parse(ended.stdout))).toEqual(['$schema', 'version', 'teams']);
    expect(calls).toEqual(['GET /teams?limit=100']);
    const unknown = await runCli(['export', '--kind', 'team'], { env });
    expect(unknown).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('connections, teams, api-keys'),
    });
  });
});
