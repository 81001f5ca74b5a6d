import { getRawAsset } from 'node:sea';
import { runInThisContext } from 'node:vm';
import { ScriptLoader } from '../src/cli/start/script-loader.js';
import { takeOut } from '../src/cli/start/take-out.js';
import { run } from '../src/main.js';
import { keyringArgument } from '../src/profiles/keyring/keyring-embedded.js';
import { keyringProgram } from '../src/profiles/keyring/keyring-program.js';
import { endProcess, toSystem } from '../src/terminal/process/process-system.js';

// The entry point of the executable, which contains Node.js, the build and its compiled code; the entry point of the
// package is bin/orgctl.js. packaging/standalone makes the executable.

/** Reads a file in the executable; its bytes are not copied. */
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

/** A prepared help page; if it is missing, the command line makes the help. */
function readHelp(name: string): string | undefined {
  try {
    return asset(`help/${name}`).toString();
  } catch {
    return undefined;
  }
}

/** The native part of the keyring package, which the system can load only from a file. */
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
