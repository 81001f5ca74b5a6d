import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { root } from './built-tool.js';

const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .map((path) => join('test', path))
  .filter((path) => path.endsWith('.test.ts') && !/^test\/(hard|postgres)\//.test(path));

/** Whether a test imports the file itself. */
function imports(test: string, file: string): boolean {
  const text = readFileSync(join(root, test), 'utf8');
  const specifiers = [...text.matchAll(/'(\.[^']+)\.js'/g)].map(([, specifier = '']) => specifier);
  return specifiers.some((specifier) => `${join(dirname(test), specifier)}.ts` === file);
}

/** Whether a test is named like a file or its folder: `verbs/quotas/view.ts` has `verbs/quotas-watch.test.ts`. */
function isNamedLike(test: string, file: string): boolean {
  const folder = dirname(relative('src', file));
  const [unit = ''] = folder.split('/');
  const isNear = test.startsWith(`test/${unit}/`);
  const names = [basename(file, '.ts'), ...folder.split('/').slice(1)];
  return isNear && names.some((name) => basename(test).startsWith(name));
}

// Tests of help and completion cover every command.
const ofEveryCommand = ['help-golden', 'help', 'completion'].map((name) => `test/commands/${name}.test.ts`);

/** A command's tests have its last word in their names: `whole-lists.test.ts` tests `teams list`. */
function isOfCommand(test: string, file: string): boolean {
  if (!file.startsWith('src/commands/') || !test.startsWith('test/commands/')) return false;
  const [verb, words] = [basename(file, '.ts'), basename(test, '.test.ts').split('-')];
  return ofEveryCommand.includes(test) || words.includes(verb) || words.includes(`${verb}s`);
}

/** The tests closest to a file; both are paths from the root. */
export function findRelatedTests(file: string): string[] {
  if (file.startsWith('test/')) return tests.filter((test) => test === file || imports(test, file));
  const close = tests.filter(
    (test) => imports(test, file) || isNamedLike(test, file) || isOfCommand(test, file),
  );
  const [unit = ''] = relative('src', file).split('/');
  return close.length > 0 ? close : tests.filter((test) => test.startsWith(`test/${unit}/`));
}
