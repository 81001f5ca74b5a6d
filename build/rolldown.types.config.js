import { defineConfig } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

/**
 * Bundles the declarations from tsc into one file for each library. They import no package's types, so that users need
 * only those of Node.js. Each library has its own bundle, because a common one would put shared types into another file.
 */
export default defineConfig(
  ['signing', 'client', 'server'].map((library) => ({
    input: { [library]: `dist/.types/${library}/index.d.ts` },
    external: /^[^./]/,
    plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false }), withNodeTypes()],
    output: { dir: 'dist', format: 'esm' },
  })),
);

/** TypeScript 6 and later include only types that are referenced; the bundler of declarations drops references. */
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
