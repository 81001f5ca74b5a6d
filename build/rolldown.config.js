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
  // Names stay, so that a stack trace in a bug report can be read; whitespace and dead code go.
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
  // What is left of `import()` becomes `require`, and does not load Node's loader of ES modules.
  dynamicImportInCjs: false,
};

/** Parts that one library alone takes in, and whose name says less than who asks for it. */
const leftOut = [
  leaveOut('semver', /[\\/](conf|fastify)[\\/]/),
  leaveOut('ajv/dist/2020.js', /[\\/]conf[\\/]/),
  leaveOut('ajv-formats', /[\\/]conf[\\/]/),
  leaveOut('./client-h2.js', /[\\/]undici[\\/]/),
  leaveOut('../web/fetch/body.js', /[\\/]undici[\\/]/),
  replace('node:assert', /[\\/]undici[\\/]/, 'assert.cjs'),
];

/** What packages would change or read of the program that imports the libraries, each with something of its own instead. */
const withoutGlobals = [
  // zod's configuration and registry, which are the program's, too, where it has zod.
  shadowed('globalThis', '{}', /[\\/]zod[\\/]v4[\\/]core[\\/](core|registries)\.js$/),
];

/** Each file costs a start its reading and its compilation, so what is always loaded together is one file. */
const loadedTogether = [
  { name: 'start', tags: ['$initial'] },
  // But for the control API, which `serve` and `local` alone speak, and dialects, which `serve` does.
  { name: 'api', test: /[\\/]src[\\/](api|errors|text|redaction)[\\/](?!control|dialect|postgres-url)/ },
  // Apart from the client, which the server has no use for; and without what explains a mistake, which no request needs.
  { name: 'signing', test: /[\\/]src[\\/]signing[\\/](basic[\\/]basic|hmac[\\/](signature|timestamp))\.ts$/ },
  // Before the client, which takes in what it needs and no group before it has: texts for a terminal are the server's too.
  { name: 'printer', test: /[\\/]src[\\/]terminal[\\/]output[\\/]printer\.ts$/ },
  { name: 'client', test: /[\\/]src[\\/](client[\\/]index|cli[\\/]connect)\.ts$/ },
];

/**
 * Bundles of everything but native code: a start reads few files, and an installed tool depends on no other package's
 * next release. The libraries are ES modules, and keep their lines: where an error of theirs is not caught, Node prints the
 * line that threw it. The command line is CommonJS, which Node loads in less time, and whose compiled code can be kept on every
 * Node (src/cli/start). The libraries' types are added afterwards (rolldown.types.config.js).
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
    // libsql is, too, but by a file of ours.
    external: ['@napi-rs/keyring'],
    input: { 'command-line': 'src/command-line.ts' },
    output: { ...commonJs, chunkFileNames: '[name]-[hash].cjs', codeSplitting: { groups: loadedTogether } },
    plugins: [
      licences(shared.external),
      inAscii(),
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
    // The management console: for browsers, which have it as small as it gets.
    input: { console: 'src/console/main.tsx' },
    platform: 'browser',
    tsconfig: 'src/console/tsconfig.json',
    transform: { target: 'es2022' },
    output: {
      dir: 'dist/console',
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
      // One file for all that several views share: the first paint is four requests.
      codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] },
      minify: true,
      comments: false,
      sourcemap: false,
    },
    plugins: [madeKinds(), licences(), consoleFiles(apiDocument)],
  },
]);

/** What a bundle contains, with the licences, beside it. @param beside packages that it loads, and does not contain */
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
 * Writes other characters as escapes. One of them in a file has V8 keep all of it in two bytes a character, and read it
 * more slowly. Comments are gone by now, and strings, templates and expressions all know these escapes.
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

/** The commit that is built; empty where there is no repository. */
function commit() {
  try {
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], options).trim();
  } catch {
    return '';
  }
}

/** Leaves a module out for the one package that loads it at every start, to use it where we never go. */
function leaveOut(id, importers) {
  return replace(id, importers, 'left-out.js');
}

/** Puts a file of `build/` in the place of a module, for the one package that imports it. */
function replace(id, importers, file) {
  return {
    name: 'replace',
    resolveId: (source, importer) =>
      source === id && importers.test(importer ?? '') ? inBuild(file) : undefined,
  };
}

/** Gives a global another meaning in the modules that use it. The build fails where none does any more. */
function shadowed(name, value, modules) {
  let found = 0;
  return {
    name: `shadowed-${name}`,
    transform(code, id) {
      if (!modules.test(id) || !new RegExp(`\\b${name}\\.`).test(code)) return undefined;
      found += 1;
      return { code: `const ${name} = ${value};\n${code}`, map: null };
    },
    buildEnd(error) {
      if (error === undefined && found === 0) throw new Error(`no module matches ${modules} and has ${name}`);
    },
  };
}

function inBuild(name) {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** The licence texts that the bundled packages ask to be distributed with them. */
function notices(packages) {
  const sorted = packages.toSorted((left, right) => left.name.localeCompare(right.name, 'en'));
  return `orgctl contains these packages:\n\n${sorted.map(notice).join('\n')}`;
}
