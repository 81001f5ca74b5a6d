import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { writeCommand } from '../../src/console/requests/orgctl-command.js';

it('a request as a command is data for the shell, whatever the request says', async () => {
  const target = '/teams?name=$(exit)`exit`\'"\\&;#';
  const body = "$(exit)\nEND\n`exit`'";
  const entry = {
    id: 1,
    time: '',
    method: 'POST',
    status: 401,
    milliseconds: 1,
    bodyBytes: 1,
    keyId: 'key_$(exit)',
  };
  const server = { url: 'http://127.0.0.1:1/api', caFile: undefined, keyId: 'key_a', profile: 'local' };
  const command = writeCommand({ ...entry, target: `/api${target}`, body }, server)?.command;
  const script = `orgctl() { printf '%s\\0' "$@"; cat; }\n${command}`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script]);
  const words = ['request', 'POST', target, '--base-url', server.url, '--key-id', entry.keyId, '--data', '-'];
  expect(stdout.split('\0')).toEqual([...words, `${body}\n`]);
});
