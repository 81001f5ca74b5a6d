import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';
import { createRollupLicensePlugin } from 'rollup-license-plugin';
import { tsImport } from 'tsx/esm/api';

const product = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const { plainKinds } = await tsImport('../src/api/resources/plain-kinds.ts', import.meta.url);
const { apiDocument } = await tsImport('../src/api/openapi.ts', import.meta.url);

const shared = {
  external: ['libsql', '@napi-rs/keyring'],
  platform: 'node',
  tsconfig: 'tsconfig.json',
  resolve: {
    alias: {
      'node:http2$': inBuild('left-out.js'),
    },
  },
  transform: {
    target: 'node20.19',
    define: {
      ORGCTL_VERSION: JSON.stringify(product.version),
      ORGCTL_COMMIT: JSON.stringify(commit()),
      ORGCTL_OPENAPI: JSON.stringify(JSON.stringify(apiDocument())),
    },
  },
};

const output = {
  // Keeps names, so that a stack trace in a bug report is readable; removes whitespace and dead code.
  minify: { compress: true, mangle: { toplevel: false, keepNames: true }, codegen: true },
  keepNames: true,
  comments: false,
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
  replace('semver', /[\\/]conf[\\/]/),
  replace('ajv/dist/2020.js', /[\\/]conf[\\/]/),
  replace('ajv-formats', /[\\/]conf[\\/]/),
  replace('./client-h2.js', /[\\/]undici[\\/]/),
  replace('node:assert', /[\\/]undici[\\/]/, 'assert.cjs'),
  replace('./schema/schema.js', /[\\/]kysely[\\/]/),
];

/** Puts modules, by their paths below any folder, into one file of the build. */
const oneFile = (name, paths, options) => ({
  name,
  test: new RegExp(`[\\\\/](?:${paths.replaceAll('/', '[\\\\/]')})`),
  ...options,
});

/** What most commands need only after a failure, for a change or with `--query`: see `onDemand`. */
const alone = { includeDependenciesRecursively: false };
const loadedWhenUsed = [
  oneFile(
    'schemas',
    'zod/(?!.*json-schema)|api/(schema/|quota.ts|error-message|resources/connection-sch)',
    alone,
  ),
  oneFile('query', 'terminal/query/', alone),
  oneFile(
    'failures',
    'client/(transport/failure|answers/answer-)|redaction/(redact-json|sent-secrets)',
    alone,
  ),
];

/** Reading each file takes time, so modules that are always loaded together are one file, with what they import. */
const loadedTogether = [
  { name: 'start', tags: ['$initial'] },
  ...loadedWhenUsed,
  // Without the control API and dialects, which few commands use.
  oneFile('api', 'src/(api|text|redaction)/(?!control|dialect|faults|openapi|postgres-url)'),
  // Signing and printing, which the server needs, too; without the explanations of mistakes.
  oneFile(
    'common',
    'src/(signing/(basic/basic|hmac/(signature|timestamp))|cli/(command|open-p)|terminal/formats/format)',
  ),
  oneFile('client', 'src/(client/(index|quota-record)|cli/connect)\\.ts'),
  oneFile('quotas', 'commands/quotas/(index|reading|rows)\\.ts'),
];

/** The command line. It is CommonJS, because that loads faster. */
export const commandLine = {
  ...shared,
  input: { 'command-line': 'src/command-line.ts' },
  preserveEntrySignatures: 'allow-extension',
  output: { ...commonJs, chunkFileNames: '[name]-[hash].cjs', codeSplitting: { groups: loadedTogether } },
  plugins: [
    licences(),
    onDemand(),
    ...leftOut,
    replace('string-width', /[\\/]cli-table3[\\/]/, 'narrow-width.cjs'),
    replace('node:child_process', /[\\/]commander[\\/]/),
  ],
};

/**
 * Bundles everything except native code, so that a start reads few files, and an installed tool does not depend on
 * other packages' next releases. The libraries are ES modules, not minified, because Node prints the line of an
 * uncaught error. rolldown.types.config.js adds their types afterward.
 */
export default defineConfig([
  {
    ...shared,
    input: { signing: 'src/signing/index.ts', client: 'src/client/index.ts', server: 'src/server/index.ts' },
    output: {
      ...output,
      minify: false,
      dir: 'dist',
      cleanDir: true,
      format: 'esm',
      chunkFileNames: 'chunks/[name]-[hash].js',
    },
    plugins: [licences(), ...leftOut, withoutZodGlobals()],
  },
  commandLine,
  { ...shared, input: { main: 'src/main.ts' }, output: commonJs },
  {
    // The management console, for browsers; minified completely.
    input: { console: 'src/console/app.tsx' },
    platform: 'browser',
    tsconfig: 'src/console/tsconfig.json',
    transform: { target: 'es2022' },
    output: {
      dir: 'dist/console',
      format: 'esm',
      entryFileNames: '[name].js',
      minify: true,
      comments: false,
    },
    plugins: [madeKinds(), licences(), consolePage()],
  },
]);

/** Writes the license texts, which must be distributed with the bundled packages. */
function licences() {
  const notice = ({ name, version, license, licenseText, source }) => {
    const text = licenseText ?? `The package contains no license text; it is published under ${license}.\n`;
    return `${'-'.repeat(80)}\n${name} ${version} (${license})\n${source}\n\n${text.trimEnd()}\n`;
  };
  const notices = (packages) => {
    const sorted = packages.toSorted((left, right) => left.name.localeCompare(right.name, 'en'));
    return `orgctl contains these packages:\n\n${sorted.map(notice).join('\n')}`;
  };
  const additionalFiles = { 'THIRD-PARTY-NOTICES.txt': notices };
  return createRollupLicensePlugin({ outputFilename: false, additionalFiles });
}

/**
 * Makes a bundle load Node's modules, and the files `loadedWhenUsed`, at their first use. In the source, which is ES
 * modules, only asynchronous code could import them late.
 */
function onDemand() {
  const files = loadedWhenUsed.map(({ name }) => name).join('|');
  const loading = new RegExp(
    `^(?:const|let) ((?:require_(?:${files})|node_\\w+)) = (require\\(["'][^)]+\\));$`,
    'gm',
  );
  return {
    name: 'on-demand',
    renderChunk(code) {
      const isLate = (name) => !code.includes(`\n${name} = `);
      const names = Array.from(code.matchAll(loading), ([, name]) => name).filter(isLate);
      const late = code.replace(loading, (line, name, load) =>
        names.includes(name)
          ? `let loaded_${name};\nconst ${name} = () => (loaded_${name} ??= ${load});`
          : line,
      );
      return names.reduce(
        (text, name) => text.replaceAll(new RegExp(`\\b${name}\\.`, 'g'), `(${name}()).`),
        late,
      );
    },
  };
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

/** Replaces a module, for the importers that match, with a file in `build/`. */
function replace(id, importers, file = 'left-out.js') {
  return {
    name: 'replace',
    resolveId: (source, importer) =>
      source === id && importers.test(importer ?? '') ? inBuild(file) : undefined,
  };
}

/** Makes zod keep configuration and registry out of globals, which a program with its own zod would share with us. */
function withoutZodGlobals() {
  return {
    name: 'without-zod-globals',
    transform: (code, id) =>
      /[\\/]zod[\\/]v4[\\/]core[\\/](core|registries)\.js$/.test(id)
        ? { code: `const globalThis = {};\n${code}`, map: null }
        : undefined,
  };
}

/** Replaces the code that derives the console's plain kinds with its result, because that code needs all schemas. */
function madeKinds() {
  const text = JSON.stringify(JSON.stringify(plainKinds()));
  return {
    name: 'made-kinds',
    load: (id) =>
      /[\\/]src[\\/]api[\\/]resources[\\/]plain-kinds\.ts$/.test(id)
        ? `export const plainKinds = () => JSON.parse(${text});`
        : undefined,
  };
}

/** Adds the console's page, with its icon in it, and the style sheet. */
function consolePage() {
  const read = (path) => readFileSync(new URL(`../src/console/${path}`, import.meta.url), 'utf8');
  return {
    name: 'console-page',
    generateBundle() {
      const icon = `data:image/svg+xml,${encodeURIComponent(read('favicon.svg').trim())}`;
      const put = (fileName, source) => this.emitFile({ type: 'asset', fileName, source });
      put('index.html', read('index.html').replace('/favicon.svg', icon));
      put('console.css', read('console.css').replace(/\n\s*/g, '\n'));
    },
  };
}

function inBuild(name) {
  return fileURLToPath(new URL(name, import.meta.url));
}
