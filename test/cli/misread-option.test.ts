import { describe, expect, it } from 'vitest';
import { scriptedService } from '../commands/support/scripted-service.js';
import { httpAnswer } from '../support/hostile-peer.js';
import { runCli } from '../support/run-cli.js';

// Node.js gives U+FFFD for the bytes of an argument that are not UTF-8.
describe('an option with U+FFFD', () => {
  it.each([
    ['--name', 'teams create --name caf\uFFFD'],
    ['--host', 'connections update conn_a --host caf\uFFFD'],
    ['--data', 'request POST /teams -d {"name":"caf\uFFFD"}'],
    ['--data', 'sign POST /teams -d {"name":"caf\uFFFD"}'],
    ['--field', 'api-keys create --field name=caf\uFFFD'],
  ])('is refused before anything is sent: %s', async (option, line) => {
    const { env, peer } = await scriptedService({});
    const ended = await runCli(line.split(' '), { env });
    expect(ended).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`${option}: the value contains U+FFFD, so it was probably not UTF-8`),
    });
    expect(peer.connections).toBe(0);
  });
});

it('U+FFFD in a name that is looked up, a query or a body from stdin is allowed', async () => {
  const name = 'caf\uFFFD';
  const { env, posted } = await scriptedService({
    'GET /teams': () => httpAnswer(200, [{ id: 'team_a', name }]),
    'POST /teams': () => httpAnswer(201, { id: 'team_b', name }),
  });
  const query = `[?name=='${name}'].id`;
  expect((await runCli(['teams', 'list', '--query', query, '-o', 'json'], { env })).stdout).toContain(
    'team_a',
  );
  const body = JSON.stringify({ name });
  expect(await runCli(['request', 'POST', '/teams', '-d', '-'], { env, stdin: body })).toMatchObject({
    code: 0,
  });
  expect(posted()).toEqual([{ name }]);
});

it('data from stdin that is read as JSON is refused unless it is UTF-8', async () => {
  const { env, peer } = await scriptedService({});
  const stdin = Buffer.from('{"name":"caf\u00e9"}', 'latin1');
  const ended = await runCli(['api-keys', 'create', '--data', '-'], { env, stdin });
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--data is not UTF-8 text') });
  expect(peer.connections).toBe(0);
});
