/**
 * Replaces libsql in the command line's bundle, and loads it. To detect the C library, libsql would make Node write a
 * report and would load `child_process`, which slows a server's start. On Linux, this file finds the C library by the
 * loader that Node's executable names. Elsewhere, libsql detects it as usual.
 */
const { closeSync, openSync, readSync } = require('node:fs');
const { Module, createRequire } = require('node:module');

const own = createRequire(__filename);

/** Bytes at the start of an executable, which usually include its loader's name. */
const headLength = 2048;

function findLibc() {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) return undefined;
  const head = Buffer.alloc(headLength);
  let file;
  try {
    file = openSync(process.execPath, 'r');
    readSync(file, head, 0, headLength, 0);
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
  if (head.includes('/ld-musl-')) return 'musl';
  return head.includes('/ld-linux-') ? 'glibc' : undefined;
}

/** Puts a module into the cache, as if it had been loaded. */
function provide(path, exports) {
  own.cache[path] ??= Object.assign(new Module(path), { filename: path, loaded: true, exports });
}

function tellLibc(path, libc) {
  const its = createRequire(path);
  const target = `linux-${process.arch}-${libc === 'musl' ? 'musl' : 'gnu'}`;
  try {
    provide(its.resolve('@neon-rs/load'), { currentTarget: () => target });
    provide(its.resolve('detect-libc'), { familySync: () => libc, GLIBC: 'glibc', MUSL: 'musl' });
  } catch {
    // Another version of libsql may not have these modules. It then detects the C library in its own way.
  }
}

const path = own.resolve('libsql');
const libc = findLibc();
if (libc !== undefined) tellLibc(path, libc);

module.exports = own(path);
