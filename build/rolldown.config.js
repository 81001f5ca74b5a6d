import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';
import { createRollupLicensePlugin } from 'rollup-license-plugin';
import { consoleFiles } from './console-files.js';
import { apiDocument, madeDocuments, madeKinds, withDescriptions } from './described.js';
import { notice } from './notice.js';
import { sbom } from './sbom.js';

const product = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const shared = {
  external: ['libsql', '@napi-rs/keyring'],
  platform: 'node',
  tsconfig: 'tsconfig.json',
  resolve: {
    alias: {
      undici$: inBuild('undici.js'),
      '@fastify/ajv-compiler$': inBuild('left-out.js'),
      '@fastify/fast-json-stringify-compiler$': inBuild('left-out.js'),
      '@fastify/proxy-addr$': inBuild('left-out.js'),
      'light-my-request$': inBuild('left-out.js'),
      'node:http2$': inBuild('left-out.js'),
      pino$: inBuild('left-out.js'),
    },
  },
  transform: {
    target: 'node20.19',
    define: { ORGCTL_VERSION: JSON.stringify(product.version), ORGCTL_COMMIT: JSON.stringify(commit()) },
  },
};

const output = {
  // Keeps names, so that a stack trace in a bug report is readable; removes whitespace and dead code.
  minify: { compress: true, mangle: false, codegen: true },
  keepNames: true,
  comments: false,
  sourcemap: false,
};

const commonJs = {
  ...output,
  dir: 'dist/cli',
  format: 'cjs',
  entryFileNames: '[name].cjs',
  // Turns `import()` into `require`, which does not load Node's loader of ES modules.
  dynamicImportInCjs: false,
};

/** Modules that are left out or replaced only for certain packages that import them. */
const leftOut = [
  leaveOut('semver', /[\\/](conf|fastify)[\\/]/),
  leaveOut('ajv/dist/2020.js', /[\\/]conf[\\/]/),
  leaveOut('ajv-formats', /[\\/]conf[\\/]/),
  leaveOut('./client-h2.js', /[\\/]undici[\\/]/),
  leaveOut('../web/fetch/body.js', /[\\/]undici[\\/]/),
  replace('node:assert', /[\\/]undici[\\/]/, 'assert.cjs'),
];

/** A prefix of at least two characters is compared by `indexOf`; a compiled function for each would slow the start. */
const uncompiledPrefixes = changed(/[\\/]find-my-way[\\/]lib[\\/]node\.js$/, (code) =>
  code.replace('const LONG_PREFIX_MIN_LENGTH = 16', 'const LONG_PREFIX_MIN_LENGTH = 2'),
);

/** Replaces globals through which bundled packages would share state with the program that imports the libraries. */
const withoutGlobals = [
  // zod keeps its configuration and registry there, so a program that also uses zod would share them.
  shadowed('globalThis', '{}', /[\\/]zod[\\/]v4[\\/]core[\\/](core|registries)\.js$/),
];

/** Reading and compiling each file slows the start, so modules that are always loaded together are one file. */
const loadedTogether = [
  { name: 'start', tags: ['$initial'] },
  // Without the control API and dialects, which few commands use.
  { name: 'api', test: /[\\/]src[\\/](api|errors|text|redaction)[\\/](?!control|dialect|postgres-url)/ },
  // Not part of `client`, because the server also needs it. Omits code that explains mistakes.
  { name: 'signing', test: /[\\/]src[\\/]signing[\\/](basic[\\/]basic|hmac[\\/](signature|timestamp))\.ts$/ },
  // Listed before `client`, which would otherwise include it, because the server prints to a terminal, too.
  { name: 'printer', test: /[\\/]src[\\/]terminal[\\/]output[\\/]printer\.ts$/ },
  { name: 'client', test: /[\\/]src[\\/](client[\\/]index|cli[\\/]connect)\.ts$/ },
];

/**
 * Bundles everything except native code, so that a start reads few files, and an installed tool does not depend on
 * other packages' next releases. The libraries are ES modules, not minified, because Node prints the line of an
 * uncaught error. The command line is CommonJS, because it loads faster, and src/cli/start can cache its compiled code.
 * rolldown.types.config.js adds the libraries' types afterward.
 */
export default defineConfig([
  {
    ...shared,
    input: {
      signing: 'src/signing/index.ts',
      client: 'src/client/index.ts',
      server: 'src/server/index.ts',
    },
    output: {
      ...output,
      minify: false,
      dir: 'dist',
      cleanDir: true,
      format: 'esm',
      chunkFileNames: 'chunks/[name]-[hash].js',
    },
    plugins: [licences(['libsql']), ...leftOut, ...withoutGlobals, withDescriptions()],
  },
  {
    ...shared,
    // libsql is external, too, but loaded by our libsql.cjs.
    external: ['@napi-rs/keyring'],
    input: { 'command-line': 'src/command-line.ts' },
    output: { ...commonJs, chunkFileNames: '[name]-[hash].cjs', codeSplitting: { groups: loadedTogether } },
    plugins: [
      licences(shared.external),
      inAscii(),
      uncompiledPrefixes,
      ...leftOut,
      replace('node:http', /[\\/]undici[\\/]/, 'undici-http.cjs'),
      replace('string-width', /[\\/]cli-table3[\\/]/, 'narrow-width.cjs'),
      ...madeDocuments(),
      leaveOut('node:child_process', /[\\/]commander[\\/]/),
      replace('libsql', /[\\/]src[\\/]storage[\\/]/, 'libsql.cjs'),
    ],
  },
  { ...shared, input: { main: 'src/built.ts' }, output: commonJs },
  { ...shared, input: { build: 'src/cli/start/build.ts' }, output: commonJs },
  {
    // The management console, for browsers; minified completely.
    input: { console: 'src/console/main.tsx' },
    platform: 'browser',
    tsconfig: 'src/console/tsconfig.json',
    transform: { target: 'es2022' },
    output: {
      dir: 'dist/console',
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
      // One file for modules that several views share, so that the first paint takes few requests.
      codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] },
      minify: true,
      comments: false,
      sourcemap: false,
    },
    plugins: [madeKinds(), licences(), consoleFiles(apiDocument)],
  },
]);

/** Writes license texts and an SBOM beside a bundle. @param beside packages that it loads, but does not contain */
function licences(beside = []) {
  return createRollupLicensePlugin({
    outputFilename: false,
    additionalFiles: {
      'THIRD-PARTY-NOTICES.txt': notices,
      'sbom.cdx.json': (packages) => sbom(product, packages, beside),
    },
  });
}

/**
 * Escapes non-ASCII characters. A single one makes V8 store the whole file with two bytes per character, and read it
 * more slowly. Comments are gone by now, and string, template and regular expression literals all allow escapes.
 */
function inAscii() {
  return {
    name: 'in-ascii',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk') file.code = file.code.replace(/[^\p{ASCII}]/gu, escaped);
      }
    },
  };
}

function escaped(character) {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** The current commit; empty without a repository. */
function commit() {
  try {
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], options).trim();
  } catch {
    return '';
  }
}

/** Leaves a module out for packages that load it at every start, but use it only for features that we do not. */
function leaveOut(id, importers) {
  return replace(id, importers, 'left-out.js');
}

/** Replaces a module with a file in `build/`, for the importers that match. */
function replace(id, importers, file) {
  return {
    name: 'replace',
    resolveId: (source, importer) =>
      source === id && importers.test(importer ?? '') ? inBuild(file) : undefined,
  };
}

/** Shadows a global in the given modules. The build fails if none of them uses it. */
function shadowed(name, value, modules) {
  const isUsed = new RegExp(`\\b${name}\\.`);
  return changed(modules, (code) => (isUsed.test(code) ? `const ${name} = ${value};\n${code}` : code));
}

/** Changes the code of a package's modules. The build fails if that changes none of them. */
function changed(modules, change) {
  let found = 0;
  return {
    name: 'changed',
    transform(code, id) {
      const made = modules.test(id) ? change(code) : code;
      if (made === code) return undefined;
      found += 1;
      return { code: made, map: null };
    },
    buildEnd(error) {
      if (error === undefined && found === 0) throw new Error(`${change} changes no module of ${modules}`);
    },
  };
}

function inBuild(name) {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** The license texts, which must be distributed with the bundled packages. */
function notices(packages) {
  const sorted = packages.toSorted((left, right) => left.name.localeCompare(right.name, 'en'));
  return `orgctl contains these packages:\n\n${sorted.map(notice).join('\n')}`;
}
