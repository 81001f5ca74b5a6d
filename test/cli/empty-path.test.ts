import { expect, it } from 'vitest';
import { scriptedService } from '../commands/support/scripted-service.js';
import { runCli } from '../support/run-cli.js';

it.each([
  ['export EMPTY', '<file>'],
  ['diff EMPTY', '<file>'],
  ['diff org.yaml --out EMPTY', '--out'],
  ['api-keys create --name a --secret-file=', '--secret-file'],
  ['probe --from EMPTY', '--from'],
  ['serve --ready-file EMPTY', '--ready-file'],
  ['serve --dialect EMPTY', '--dialect'],
  ['serve backup EMPTY', '<file>'],
  ['local status --data EMPTY', '--data'],
])('an empty path is refused before anything is done: %s', async (line, name) => {
  const { env, peer } = await scriptedService({});
  const words = line.split(' ').map((word) => (word === 'EMPTY' ? '' : word));
  expect(await runCli(words, { env })).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: ${name} must not be empty\nhint: is a variable in your script empty?\n`,
  });
  expect(peer.connections).toBe(0);
});
