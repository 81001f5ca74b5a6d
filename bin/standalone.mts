import { getRawAsset } from 'node:sea';
import { runInThisContext } from 'node:vm';
import { ScriptLoader } from '../src/cli/start/script-loader.js';
import { takeOut } from '../src/cli/start/take-out.js';
import { run } from '../src/main.js';
import { keyringArgument } from '../src/profiles/keyring/keyring-embedded.js';
import { keyringProgram } from '../src/profiles/keyring/keyring-program.js';
import { endProcess, toSystem } from '../src/terminal/process/process-system.js';

// The first file of the executable that has Node.js, the build and its compiled code in it; what bin/orgctl.js is of
// the package. packaging/standalone makes it.

/** Of the executable itself, which is not copied. */
function asset(name: string): Buffer {
  const bytes = getRawAsset(name);
  return typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes);
}

function builtin(id: string): unknown {
  const found = process.getBuiltinModule(id);
  if (found === undefined) throw new Error(`Cannot find module '${id}'`);
  return found;
}

function load() {
  const codeOf = (name: string) => asset(`${name}.code`);
  return new ScriptLoader('orgctl', builtin, codeOf, asset).load(
    'command-line.cjs',
  ) as typeof import('../src/command-line.js');
}

/** What was not made is made by the command line. */
function readHelp(name: string): string | undefined {
  try {
    return asset(`help/${name}`).toString();
  } catch {
    return undefined;
  }
}

/** The package's native part, which the system loads from a file alone. */
function keyring(): unknown {
  const name = asset('keyring').toString();
  const module = { exports: {} };
  process.dlopen(module, takeOut(name, asset(name), process));
  return module.exports;
}

if (process.argv[2] === keyringArgument) {
  runInThisContext(keyringProgram)(process, keyring);
} else {
  run(toSystem(process), load, readHelp).then((exitCode) => endProcess(process, exitCode));
}
