import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';
import { createRollupLicensePlugin } from 'rollup-license-plugin';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/**
 * One bundle of everything but native code: a start reads few files, and an installed tool depends on no other
 * package's next release. `dist/types` is added by tsc afterwards.
 */
export default defineConfig({
  input: {
    main: 'src/main.ts',
    signing: 'src/signing/index.ts',
    client: 'src/client/index.ts',
    server: 'src/server/index.ts',
  },
  external: ['libsql'],
  platform: 'node',
  tsconfig: 'tsconfig.json',
  resolve: {
    alias: {
      undici$: inBuild('undici.js'),
      '@fastify/ajv-compiler$': inBuild('left-out.js'),
      '@fastify/fast-json-stringify-compiler$': inBuild('left-out.js'),
      'light-my-request$': inBuild('left-out.js'),
      'node:http2$': inBuild('left-out.js'),
      pino$: inBuild('left-out.js'),
    },
  },
  transform: { target: 'node20.19', define: { ORGCTL_VERSION: JSON.stringify(version) } },
  output: {
    dir: 'dist',
    cleanDir: true,
    format: 'esm',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Names stay, so that a stack trace in a bug report can be read; whitespace and dead code go.
    minify: { compress: true, mangle: false, codegen: true },
    keepNames: true,
    comments: false,
    sourcemap: false,
  },
  plugins: [
    createRollupLicensePlugin({
      outputFilename: false,
      additionalFiles: { 'THIRD-PARTY-NOTICES.txt': notices },
    }),
  ],
});

function inBuild(name) {
  return fileURLToPath(new URL(`build/${name}`, import.meta.url));
}

/** The licence texts that the bundled packages ask to be distributed with them. */
function notices(packages) {
  const sorted = packages.toSorted((left, right) => left.name.localeCompare(right.name, 'en'));
  return `orgctl contains these packages:\n\n${sorted.map(notice).join('\n')}`;
}

function notice({ name, version, license, licenseText, source }) {
  const text = licenseText ?? `The package holds no licence text; it is published under ${license}.\n`;
  return `${'-'.repeat(80)}\n${name} ${version} (${license})\n${source}\n\n${text.trimEnd()}\n`;
}
