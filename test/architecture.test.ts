import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { arrows, circles, isOurs, knots, loadedBy, toText } from './support/import-graph.js';
import { readSources, type SourceFile } from './support/source-file.js';

// The floors of the tree, the ground first. A room knows only the rooms of the floors below its own.
const floors = [
  ['errors', 'redaction'],
  ['text'],
  ['platform'],
  ['api'],
  ['signing'],
  ['client', 'storage', 'terminal', 'console', 'api-description'],
  ['profiles', 'proxy', 'server'],
  ['cli'],
  ['input'],
  ['verbs'],
  ['organization'],
  ['commands'],
  ['registry'],
  ['program'],
  ['command-line'],
  ['main'],
  ['built'],
];

// What may be loaded before it is known which command was typed.
const loadedAtEveryStart = new Set(['@commander-js/extra-typings', 'commander']);

// What a browser may load of what is not the page itself; types it may have of all that goes over the wire.
// Of the kinds of resource the bundle has what was made of them when it was built.
const forBrowsers = new Set([
  'api/control/calls.ts',
  'api/control/control-events.ts',
  'api/faults/fault-grammar.ts',
  'api/resources/plain-kinds.ts',
]);

// Where programs that use the library get what their environment says of proxies and certificates, and as whom they run.
const ofTheHost = new Set([
  'client/network/own-environment.ts',
  'platform/effective-user.ts',
]);

const maxLines = 300;
const vagueNames = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'misc', 'shared']);

interface Rule {
  /** Lists what breaks it; nothing listed, nothing broken. */
  readonly breaches: (files: readonly SourceFile[]) => string[];
  /** A house of a few files that breaks it, and what it has to list of them. */
  readonly broken: Record<string, string>;
  readonly listed: readonly string[];
}

const rules: Record<string, Rule> = {
  'every file has its floor': {
    breaches: (files) => pathsOf(files).filter((path) => floorOf(path) === -1),
    broken: { 'attic/box.ts': '', 'stray.ts': '' },
    listed: ['attic/box.ts', 'stray.ts'],
  },

  'arrows point downwards': {
    breaches: (files) =>
      arrows(files)
        .filter(([from, to]) => unitOf(from) !== unitOf(to) && floorOf(to) >= floorOf(from))
        .map(toText),
    broken: {
      'client/a.ts': "import { a } from '../cli/exit.js'; export type { A } from '../server/a.js';",
      'terminal/a.ts': "import type { A } from '../client/b.js';",
      'errors/errors.ts': "const a = () => import('../client/api.js');",
    },
    listed: [
      'client/a.ts -> cli/exit.ts',
      'client/a.ts -> server/a.ts',
      'terminal/a.ts -> client/b.ts',
      'errors/errors.ts -> client/api.ts',
    ],
  },

  'only serve, and what watches a proxy, know server and storage': {
    breaches: (files) =>
      arrows(files)
        .filter(([from, to]) => isService(to) && !isService(from) && !mayKnowService(from))
        .map(toText),
    broken: {
      'commands/serve/index.ts': "import '../../server/index.js';",
      'commands/quotas/quotas.ts': "type A = import('../../server/index.js').A;",
      'context.ts': "export * from './storage/store.js';",
    },
    listed: ['commands/quotas/quotas.ts -> server/index.ts', 'context.ts -> storage/store.ts'],
  },

  'the page of the console is apart, and loads nothing that is not for browsers': {
    breaches: (files) =>
      files.flatMap(({ path, imports }) =>
        imports
          .filter(
            ({ to, typeOnly }) => isOfPage(path) !== isOfPage(to) && isOurs(to) && !isForPage(to, typeOnly),
          )
          .map(({ to }) => toText([path, to])),
      ),
    broken: {
      'console/api.ts': "import type { A } from '../api/a.js'; import { b } from '../api/b.js';",
      'console/stream.tsx': "import { c } from '../api/control/control-events.js'; import './api.js';",
      'client/a.ts': "import type { A } from '../console/api.js';",
    },
    listed: ['console/api.ts -> api/b.ts', 'client/a.ts -> console/api.ts'],
  },

  'no circles': {
    breaches: circles,
    broken: {
      'client/a.ts': "import type { B } from './b.js';",
      'client/b.ts': "const c = () => import('./c.js');",
      'client/c.ts': "export { a } from './a.js';",
      'client/d.ts': "import './a.js';",
      'console/e.tsx': "import './e.js';",
    },
    listed: ['client/a.ts', 'client/b.ts', 'client/c.ts', 'console/e.tsx'],
  },

  'no circles between the rooms of a folder; its loose files are one room': {
    breaches: knots,
    broken: {
      'client/a/one.ts': "import '../b/two.js';",
      'client/a/other.ts': '',
      'client/b/two.ts': '',
      'client/b/three.ts': "import '../a/other.js';",
      'client/c/four.ts': "import '../ground.js';",
      'client/ground.ts': '',
      'client/top.ts': "import './c/four.js';",
      'signing/x.ts': "import './y/z.js';",
      'signing/y/z.ts': '',
    },
    listed: ['client: ., a, b, c'],
  },

  'a folder holds at most 16 loose files': {
    breaches: (files) => {
      const folders = pathsOf(files).map(dirname);
      const counts = [...new Set(folders)].map((folder) => ({
        folder,
        count: folders.filter((other) => other === folder).length,
      }));
      return counts.filter(({ count }) => count > 16).map(({ folder, count }) => `${folder}: ${count}`);
    },
    broken: Object.fromEntries(
      [...Array(33).keys()].map((at) => [`${at < 17 ? 'client' : 'cli'}/${at}.ts`, '']),
    ),
    listed: ['client: 17'],
  },

  'a start loads no command, and no package but the parser': {
    breaches: (files) =>
      loadedBy('command-line.ts', files).filter(
        (path) => /^commands\/.+\//.test(path) || (isPackage(path) && !loadedAtEveryStart.has(path)),
      ),
    broken: {
      'command-line.ts': "import './program.js'; import { Command } from 'commander';",
      'program.ts':
        "import 'undici'; import type { z } from 'zod'; import('yaml'); import './commands/a/b.js';",
    },
    listed: ['undici', 'commands/a/b.ts'],
  },

  'a server loads the driver of the shared database only for one': {
    breaches: (files) => loadedBy('server/index.ts', files).filter((path) => path === 'pg'),
    broken: { 'server/index.ts': "import './engine.js';", 'server/engine.ts': "import { Pool } from 'pg';" },
    listed: ['pg'],
  },

  'process and console are for main and terminal': {
    breaches: (files) =>
      files
        .filter(({ path }) => path !== 'main.ts' && !ofTheHost.has(path) && unitOf(path) !== 'terminal')
        .flatMap(({ path, globals }) => globals.map((name) => `${path}: ${name}`)),
    broken: {
      'main.ts': 'process.argv;',
      'terminal/streams.ts': 'console.log();',
      'exit.ts':
        'process.exitCode = 1; other.process; ({ console: 1 }); interface B { console: NodeJS.Process }',
      'context.ts': "const { env } = process; // console.log(process.argv, 'process')",
      'program.ts': "import { versions, env } from 'node:process';",
    },
    listed: ['exit.ts: process.exitCode', 'context.ts: process', 'program.ts: process.env'],
  },

  'the library names options, not flags or variables of the command line': {
    breaches: (files) =>
      files
        .filter(({ path }) => isService(path))
        .flatMap(({ path, texts }) =>
          texts
            .filter((text) => /(?:^|[\s'"`(])--[a-z]|ORGCTL_/.test(text))
            .map((text) => `${path}: ${text}`),
        ),
    broken: {
      'server/a.ts': "const hint = 'give --port 0'; // as --port does",
      'storage/b.ts': 'const hint = `set ORGCTL_X`;',
      'commands/c.ts': "const hint = 'give --port 0';",
      'server/d.ts': "const sql = 'SELECT 1 -- one';",
    },
    listed: ['server/a.ts: give --port 0', 'storage/b.ts: set ORGCTL_X'],
  },

  'no process.exit': {
    breaches: (files) => pathsOf(files.filter(({ globals }) => globals.includes('process.exit'))),
    broken: { 'main.ts': 'process.exit(1);', 'context.ts': 'process.exitCode = 1;' },
    listed: ['main.ts'],
  },

  'zod is reached through api/schema/schema.ts': {
    breaches: (files) =>
      pathsOf(files.filter(({ imports }) => imports.some(({ to }) => /^zod(?:\/|$)/.test(to)))).filter(
        (path) => path !== 'api/schema/schema.ts',
      ),
    broken: {
      'api/schema/schema.ts': "import * as z from 'zod/mini';",
      'client/a.ts': "import { z } from 'zod';",
      'client/b.ts': "await import('zod/mini');",
    },
    listed: ['client/a.ts', 'client/b.ts'],
  },

  'no file over 300 lines': {
    breaches: (files) => pathsOf(files.filter(({ lines }) => lines > maxLines)),
    broken: { 'main.ts': '\n'.repeat(300), 'program.ts': '\n'.repeat(301) },
    listed: ['program.ts'],
  },

  'no drawers': {
    breaches: (files) =>
      pathsOf(files).filter((path) => path.split(/[/.]/).some((part) => vagueNames.has(part))),
    broken: { 'client/utils.ts': '', 'server/helpers/a.ts': '', 'client/shared-key.ts': '' },
    listed: ['client/utils.ts', 'server/helpers/a.ts'],
  },
};

function pathsOf(files: readonly SourceFile[]): string[] {
  return files.map(({ path }) => path);
}

/** The unit of the house that a file belongs to: the first folder, or the file itself where it is in none. */
function unitOf(path: string): string {
  return /^[^/.]+/.exec(path)?.[0] ?? path;
}

function floorOf(path: string): number {
  return floors.findIndex((units) => units.includes(unitOf(path)));
}

function isService(path: string): boolean {
  return ['server', 'storage'].includes(unitOf(path));
}

/** A proxy has the journal and the console of a server. */
function mayKnowService(path: string): boolean {
  return /^(?:(?:commands|verbs)\/serve|verbs\/proxy)\//.test(path);
}

function isOfPage(path: string): boolean {
  return unitOf(path) === 'console';
}

function isForPage(to: string, typeOnly: boolean): boolean {
  return forBrowsers.has(to) || (typeOnly && unitOf(to) === 'api');
}

function isPackage(to: string): boolean {
  return !isOurs(to) && !to.startsWith('node:');
}

function sources(): SourceFile[] {
  const root = fileURLToPath(new URL('../src', import.meta.url));
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(isOurs);
  return readSources(
    paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(root, path), 'utf8')] as const),
  );
}

describe('the sources', () => {
  const files = sources();

  it.each(Object.entries(rules))('%s, and a breach is seen', (_rule, { breaches, broken, listed }) => {
    expect(breaches(files)).toEqual([]);
    expect(breaches(readSources(Object.entries(broken)))).toEqual(listed);
  });

  it('are all there, and what cannot be read is no pass', () => {
    expect(pathsOf(files)).toEqual(expect.arrayContaining(['main.ts', 'commands/serve/index.ts']));
    const read = (text: string) => () => readSources([['main.ts', text]]);
    expect(read('const = 1;')).toThrow(/main\.ts/);
    expect(read('import(name);')).toThrow(/not a literal/);
  });
});
