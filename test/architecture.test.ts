import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Import, readSources, type SourceFile } from './support/source-file.js';

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
  'profiles/secret-command/end-process-tree.ts',
]);

const maxLines = 300;
const maxLooseFiles = 16;
const vagueNames = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'misc', 'shared']);

// Each rule lists what breaks it; nothing listed, nothing broken.
const rules: Record<string, (files: readonly SourceFile[]) => string[]> = {
  'every file has its floor': (files) => pathsOf(files).filter((path) => floorOf(path) === -1),

  'arrows point downwards': (files) =>
    arrows(files)
      .filter(([from, to]) => unitOf(from) !== unitOf(to) && floorOf(to) >= floorOf(from))
      .map(toText),

  'only serve, and what watches a proxy, know server and storage': (files) =>
    arrows(files)
      .filter(([from, to]) => isService(to) && !isService(from) && !mayKnowService(from))
      .map(toText),

  'the page of the console is apart, and loads nothing that is not for browsers': (files) =>
    files.flatMap(({ path, imports }) =>
      imports
        .filter(
          ({ to, typeOnly }) => isOfPage(path) !== isOfPage(to) && isOurs(to) && !isForPage(to, typeOnly),
        )
        .map(({ to }) => toText([path, to])),
    ),

  'no circles': circles,

  'no circles between the rooms of a folder; its loose files are one room': knots,

  'a folder holds at most 16 loose files': (files) =>
    [...countBy(pathsOf(files).map(dirname))]
      .filter(([, count]) => count > maxLooseFiles)
      .map(([folder, count]) => `${folder}: ${count}`),

  'a start loads no command, and no package but the parser': (files) =>
    loadedBy('command-line.ts', files).filter(
      (path) => /^commands\/.+\//.test(path) || (isPackage(path) && !loadedAtEveryStart.has(path)),
    ),

  'a server loads the driver of the shared database only for one': (files) =>
    loadedBy('server/index.ts', files).filter((path) => path === 'pg'),

  'process and console are for main and terminal': (files) =>
    files
      .filter(({ path }) => path !== 'main.ts' && !ofTheHost.has(path) && unitOf(path) !== 'terminal')
      .flatMap(({ path, globals }) => globals.map((name) => `${path}: ${name}`)),

  'the library names options, not flags or variables of the command line': (files) =>
    files
      .filter(({ path }) => isService(path))
      .flatMap(({ path, texts }) =>
        texts.filter((text) => /(?:^|[\s'"`(])--[a-z]|ORGCTL_/.test(text)).map((text) => `${path}: ${text}`),
      ),

  'no process.exit': (files) => pathsOf(files.filter(({ globals }) => globals.includes('process.exit'))),

  'zod is reached through api/schema/schema.ts': (files) =>
    pathsOf(files.filter(({ imports }) => imports.some(({ to }) => /^zod(?:\/|$)/.test(to)))).filter(
      (path) => path !== 'api/schema/schema.ts',
    ),

  'no file over 300 lines': (files) => pathsOf(files.filter(({ lines }) => lines > maxLines)),

  'no drawers': (files) =>
    pathsOf(files).filter((path) => path.split(/[/.]/).some((part) => vagueNames.has(part))),
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

function isOurs(to: string): boolean {
  return /\.tsx?$/.test(to);
}

function isPackage(to: string): boolean {
  return !isOurs(to) && !to.startsWith('node:');
}

type Arrow = readonly [from: string, to: string];

function arrows(files: readonly SourceFile[]): Arrow[] {
  return files.flatMap(({ path, imports }) =>
    imports.filter(({ to }) => isOurs(to)).map(({ to }): Arrow => [path, to]),
  );
}

function toText([from, to]: Arrow): string {
  return `${from} -> ${to}`;
}

/** Files that can be reached from themselves, types and `import()` included. */
function circles(files: readonly SourceFile[]): string[] {
  const next = new Map(files.map(({ path, imports }) => [path, imports.map(({ to }) => to)]));
  return pathsOf(files).filter((path) => reached(next.get(path) ?? [], next).has(path));
}

/** Rooms of a folder that reach themselves: `folder: room, room`. The loose files of a folder are one room, `.`. */
function knots(files: readonly SourceFile[]): string[] {
  const folders = new Set(pathsOf(files).flatMap(foldersAbove));
  return [...folders].flatMap((folder) => {
    const next = new Map<string, string[]>();
    for (const [from, to] of arrows(files)) {
      const [room, other] = [roomIn(folder, from), roomIn(folder, to)];
      if (room === undefined || other === undefined || room === other) continue;
      next.set(room, [...(next.get(room) ?? []), other]);
    }
    const knotted = [...next.keys()].filter((room) => reached(next.get(room) ?? [], next).has(room));
    return knotted.length === 0 ? [] : [`${folder}: ${knotted.sort().join(', ')}`];
  });
}

/** The folders that a file is in, from `.` for the root down to its own. */
function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? ['.'] : [...foldersAbove(folder), folder];
}

/** The room of a folder that a file is in; `undefined` when the file is elsewhere. */
function roomIn(folder: string, path: string): string | undefined {
  const within = folder === '.' ? path : path.slice(folder.length + 1);
  if (folder !== '.' && !path.startsWith(`${folder}/`)) return undefined;
  return within.includes('/') ? within.slice(0, within.indexOf('/')) : '.';
}

function countBy(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** What is loaded along with a file: files of ours and packages. */
function loadedBy(start: string, files: readonly SourceFile[]): string[] {
  const loads = ({ typeOnly, lazy }: Import) => !typeOnly && !lazy;
  const next = new Map(files.map(({ path, imports }) => [path, imports.filter(loads).map(({ to }) => to)]));
  return [...reached([start], next)];
}

function reached(start: readonly string[], next: ReadonlyMap<string, readonly string[]>): Set<string> {
  const seen = new Set(start);
  for (const path of seen) for (const to of next.get(path) ?? []) seen.add(to);
  return seen;
}

/** A house of a few files, each with its text. */
function house(texts: Record<string, string>): SourceFile[] {
  return readSources(Object.entries(texts));
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

  it.each(Object.entries(rules))('%s', (_rule, broken) => {
    expect(broken(files)).toEqual([]);
  });

  it('are all there', () => {
    expect(pathsOf(files)).toEqual(expect.arrayContaining(['main.ts', 'commands/serve/index.ts']));
  });
});

describe('each rule sees when it is broken', () => {
  const samples: readonly [rule: string, texts: Record<string, string>, broken: string[]][] = [
    ['every file has its floor', { 'attic/box.ts': '', 'stray.ts': '' }, ['attic/box.ts', 'stray.ts']],
    [
      'arrows point downwards',
      {
        'client/a.ts': "import { a } from '../cli/exit.js'; export type { A } from '../server/a.js';",
        'terminal/a.ts': "import type { A } from '../client/b.js';",
        'errors/errors.ts': "const a = () => import('../client/api.js');",
        'signing/a.ts': "import '../client/b.js';",
      },
      [
        'client/a.ts -> cli/exit.ts',
        'client/a.ts -> server/a.ts',
        'terminal/a.ts -> client/b.ts',
        'errors/errors.ts -> client/api.ts',
        'signing/a.ts -> client/b.ts',
      ],
    ],
    [
      'only serve, and what watches a proxy, know server and storage',
      {
        'commands/serve/index.ts': "import '../../server/index.js';",
        'commands/quotas/quotas.ts': "type A = import('../../server/index.js').A;",
        'context.ts': "export * from './storage/store.js';",
      },
      ['commands/quotas/quotas.ts -> server/index.ts', 'context.ts -> storage/store.ts'],
    ],
    [
      'the page of the console is apart, and loads nothing that is not for browsers',
      {
        'console/api.ts': "import type { A } from '../api/a.js'; import { b } from '../api/b.js';",
        'console/stream.tsx': "import { c } from '../api/control/control-events.js'; import './api.js';",
        'client/a.ts': "import type { A } from '../console/api.js';",
      },
      ['console/api.ts -> api/b.ts', 'client/a.ts -> console/api.ts'],
    ],
    [
      'no circles',
      {
        'client/a.ts': "import type { B } from './b.js';",
        'client/b.ts': "const c = () => import('./c.js');",
        'client/c.ts': "export { a } from './a.js';",
        'client/d.ts': "import './a.js';",
        'console/e.tsx': "import './f.js';",
        'console/f.ts': "import './e.js';",
      },
      ['client/a.ts', 'client/b.ts', 'client/c.ts', 'console/e.tsx', 'console/f.ts'],
    ],
    [
      'no circles between the rooms of a folder; its loose files are one room',
      {
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
      ['client: ., a, b, c'],
    ],
    [
      'a folder holds at most 16 loose files',
      Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`client/file-${index}.ts`, ''])),
      ['client: 17'],
    ],
    [
      'a start loads no command, and no package but the parser',
      {
        'command-line.ts': "import './program.js'; import { Command } from 'commander';",
        'program.ts':
          "import 'undici'; import type { z } from 'zod'; import('yaml'); import './commands/a/b.js';",
      },
      ['undici', 'commands/a/b.ts'],
    ],
    [
      'a server loads the driver of the shared database only for one',
      {
        'server/index.ts': "import '../storage/postgres/engine.js';",
        'storage/postgres/engine.ts': "import { Pool } from 'pg';",
      },
      ['pg'],
    ],
    [
      'process and console are for main and terminal',
      {
        'main.ts': 'process.argv;',
        'terminal/streams.ts': 'console.log();',
        'exit.ts':
          'process.exitCode = 1; other.process; ({ console: 1 }); type A = NodeJS.Process; interface B { console: A }',
        'context.ts': "const { env } = process; // console.log(process.argv, 'process')",
        'program.ts': "import { versions, env } from 'node:process';",
      },
      ['exit.ts: process.exitCode', 'context.ts: process', 'program.ts: process.env'],
    ],
    [
      'the library names options, not flags or variables of the command line',
      {
        'server/a.ts': "const hint = 'give --port 0'; // as --port does",
        'storage/b.ts': 'const hint = `set ORGCTL_X`;',
        'commands/c.ts': "const hint = 'give --port 0';",
        'server/d.ts': "const sql = 'SELECT 1 -- one';",
      },
      ['server/a.ts: give --port 0', 'storage/b.ts: set ORGCTL_X'],
    ],
    [
      'no process.exit',
      { 'main.ts': 'process.exit(1);', 'context.ts': 'process.exitCode = 1;' },
      ['main.ts'],
    ],
    [
      'zod is reached through api/schema/schema.ts',
      {
        'api/schema/schema.ts': "import * as z from 'zod/mini';",
        'api/team.ts': "import { z } from './schema/schema.js';",
        'client/a.ts': "import { z } from 'zod';",
        'client/b.ts': "await import('zod/mini');",
      },
      ['client/a.ts', 'client/b.ts'],
    ],
    [
      'no file over 300 lines',
      { 'main.ts': '\n'.repeat(300), 'program.ts': '\n'.repeat(301) },
      ['program.ts'],
    ],
    [
      'no drawers',
      { 'client/utils.ts': '', 'server/helpers/a.ts': '', 'client/shared-key.ts': '' },
      ['client/utils.ts', 'server/helpers/a.ts'],
    ],
  ];

  it.each(samples)('%s', (rule, texts, broken) => {
    expect(rules[rule]?.(house(texts))).toEqual(broken);
  });

  it('and every rule has its sample', () => {
    expect(new Set(samples.map(([rule]) => rule))).toEqual(new Set(Object.keys(rules)));
  });

  it('and what cannot be read is no pass', () => {
    expect(() => house({ 'main.ts': 'const = 1;' })).toThrow(/main\.ts/);
    expect(() => house({ 'main.ts': 'import(name);' })).toThrow(/no literal/);
  });
});
