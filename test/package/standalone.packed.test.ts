import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orgctl } from '../support/built-tool.js';
import { runBuiltTool, runProcess } from '../support/run-built-tool.js';
import { emptyEnvironment, temporaryDirectory } from '../support/run-cli.js';

// What only the executable has to show; the tests of the built tool run on it, too.

describe('the executable', () => {
  it('serves and keeps data with a home that nothing can be written to', async () => {
    const data = temporaryDirectory();
    const env = { ...emptyEnvironment(), HOME: '/dev/null' };
    const serve = ['serve', '-q', '--no-profile', '--data', data, '--', 'true'];
    expect(await runBuiltTool(serve, { env })).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await runBuiltTool(['serve', 'check', '--data', data], { env })).toMatchObject({ code: 0 });
  });

  it('shows its own management console, whatever lies in the directory that it is started in', async () => {
    const cwd = temporaryDirectory();
    mkdirSync(join(cwd, 'console'));
    writeFileSync(join(cwd, 'console', 'index.html'), 'not ours');
    const page = `fetch(process.env.ADDRESS).then(async (answer) => console.log(answer.status, await answer.text()))`;
    const script = `ADDRESS="$("$0" local status -o json -r --query console)" exec node -e '${page}'`;
    const serve = ['serve', '-q', '--console-port', '0', '--', 'sh', '-c', script, ...orgctl];
    const { stdout } = await runProcess('sh', ['-c', 'cd "$0" && exec "$@"', cwd, ...orgctl, ...serve], {
      env: emptyEnvironment(),
    });
    expect(stdout).toMatch(/^200 <!doctype html>/i);
    expect(stdout).not.toContain('not ours');
  });
});
