import { join } from 'node:path';
import { build } from 'rolldown';
import packageBuild from '../../build/rolldown.config.js';
import { standaloneParts } from './parts.js';

/**
 * Builds the code of the executable: in `build/`, the command line, which differs from the npm package's in a few modules
 * (parts.ts); beside it, `main.cjs`, which runs first, and `compile.cjs`, which makes the compiled code.
 */
export async function bundle(directory: string): Promise<void> {
  const commandLine = packageBuild.find(({ input }) => typeof input === 'object' && 'command-line' in input);
  if (commandLine === undefined) throw new Error('build/rolldown.config.js builds no command line');
  const { output, ...shared } = commandLine;
  const define = { ...shared.transform?.define, ORGCTL_STANDALONE: 'true' };
  const input = { ...shared, transform: { ...shared.transform, define } };
  const plugins = [standaloneParts(), input.plugins];
  await build({ ...input, plugins, output: { ...output, dir: join(directory, 'build'), cleanDir: true } });
  for (const [name, path] of Object.entries({
    main: 'bin/standalone.mts',
    compile: 'packaging/standalone/compile.ts',
  })) {
    const { codeSplitting: _, ...whole } = output;
    await build({
      ...input,
      input: { [name]: path },
      plugins,
      output: { ...whole, dir: directory, codeSplitting: false },
    });
  }
}
