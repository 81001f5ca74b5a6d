import { defineConfig } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

/**
 * One file of declarations for each library, from those that tsc wrote of every source. They take in no package's types: who
 * compiles against them needs Node's alone. One bundle each, so that none shares a file with another.
 */
export default defineConfig(
  ['signing', 'client', 'server'].map((library) => ({
    input: { [library]: `dist/.types/${library}/index.d.ts` },
    external: /^[^./]/,
    plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false }), withNodeTypes()],
    output: { dir: 'dist', format: 'esm' },
  })),
);

/** TypeScript 6 and later take in no types that are not named. The declarations' own bundler drops such a line. */
function withNodeTypes() {
  return {
    name: 'with-node-types',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk') file.code = `/// <reference types="node" />\n${file.code}`;
      }
    },
  };
}
