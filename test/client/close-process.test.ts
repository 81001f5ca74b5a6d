import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const script = fileURLToPath(new URL('support/end-quietly.ts', import.meta.url));

it('lets the process end once it is closed, whatever the peer does', { timeout: 20_000 }, async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  const said: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk));
  const [code] = await once(child, 'close');
  expect([code, Buffer.concat(said).toString()]).toEqual([
    0,
    '200\nError: interrupted\nError: interrupted\n',
  ]);
});
