import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install } from '../install.js';

// Runs a tool from the package.json in this directory; installs it if necessary: node build/tools/run.js TOOL ARGUMENT…

const packages = { attw: '@arethetypeswrong/cli' };
/** These tools use the compiler's JavaScript API, which TypeScript has only up to version 6. */
const onTypeScript6 = ['openapi-typescript', 'typedoc'];

const [tool = '', ...args] = process.argv.slice(2);
const directory = join(install('build/tools'), packages[tool] ?? tool);
const { bin } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
const hook = fileURLToPath(new URL('typescript-6.mjs', import.meta.url));
const options = onTypeScript6.includes(tool) ? ['--import', hook] : [];
const script = join(directory, typeof bin === 'string' ? bin : bin[tool]);
process.exitCode =
  spawnSync(process.execPath, [...options, script, ...args], { stdio: 'inherit' }).status ?? 1;
