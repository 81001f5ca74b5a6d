/**
 * Stands in the command line's bundle for libsql, and loads it. To find out which C library there is, libsql has Node write
 * a report and loads what starts processes, a twelfth of a server's start; the loader that this program names tells it too.
 * Elsewhere, and if it does not, libsql finds out by itself.
 */
const { closeSync, openSync, readSync } = require('node:fs');
const { Module, createRequire } = require('node:module');

const own = createRequire(__filename);

/** Where Linux notes the program that loads this one. */
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

/** As if the module had been loaded. */
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
    // Another version of libsql may not have these, and finds out in its own way.
  }
}

const path = own.resolve('libsql');
const libc = findLibc();
if (libc !== undefined) tellLibc(path, libc);

module.exports = own(path);
