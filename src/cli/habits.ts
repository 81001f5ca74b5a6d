import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { outputChoices } from '../api/option-values.js';
import { resources } from '../api/resources/index.js';
import { type Advice, advise, adviseText, toOperands } from '../errors/advice.js';
import { quoteForShell } from '../text/shell-quote.js';
import { isGlobal } from './global-options.js';
import { namesHelp, toCommandLine } from './lazy-command.js';

/** Advice for users who type commands and options of other tools. Suggests no command that deletes resources. */
export function adviseHabit(message: string, command: CommandUnknownOpts): Advice | undefined {
  const [, kind, word = ''] = /^unknown (command|option) '(.*)'$/s.exec(message) ?? [];
  if (kind === 'option') return adviseOption(word.replace(/=.*/s, ''), command);
  if (kind === 'command') return adviseCommand(word, command);
  return message.startsWith('too many arguments') ? adviseArgument(command) : undefined;
}

function adviseCommand(word: string, command: CommandUnknownOpts): Advice | undefined {
  if (word === 'help') return advise(namesHelp(command));
  const [, ...rest] = command.args;
  if (command.parent === null) return (rootHabits.get(word) ?? adviseKind)(rest, word);
  if (command.name() === 'local' && /^(start|run|up|serve)$/.test(word)) return advise(['orgctl', 'serve']);
  return adviseVerb(word, rest, command);
}

/** Verbs of which each group of commands has one at most. */
const sameVerbs: readonly (readonly string[])[] = [
  ['list', 'all'],
  ['get', 'show', 'describe', 'view', 'read', 'inspect', 'current'],
  ['create', 'add', 'new', 'issue'],
  ['update', 'set', 'edit', 'modify', 'change', 'patch'],
  ['rename', 'mv', 'move'],
  ['use', 'switch', 'select', 'activate'],
  ['delete', 'remove', 'revoke', 'destroy', 'del'],
  ['rotate', 'regenerate', 'renew'],
];

/** Suggests a verb that shows something; of others, the help. */
function adviseVerb(
  word: string,
  [name, to]: readonly string[],
  command: CommandUnknownOpts,
): Advice | undefined {
  const line = toCommandLine(command).split(' ');
  const same = sameVerbs.find((verbs) => verbs.includes(word)) ?? [];
  const has = (verb: string) => command.commands.some((each) => each.name() === verb);
  const verb = same.find(has);
  if (verb === 'get') return advise([...line, verb, ...toOperands(name ?? 'ID')]);
  if (verb === 'show') return advise([...line, verb, ...(name === undefined ? [] : toOperands(name))]);
  if (verb === 'list') return advise([...line, verb]);
  if (verb !== undefined) return advise([...line, verb, '--help']);
  if (!same.includes('rename') || !has('update')) return undefined;
  return name === undefined || to === undefined
    ? advise([...line, 'update', '--help'])
    : advise([...line, 'update', name, '--name', to]);
}

type Habit = (rest: readonly string[], word: string) => Advice | undefined;

const becomes =
  (...words: readonly string[]): Habit =>
  () =>
    advise(['orgctl', ...words]);

/** For `get teams` or `describe team ops`. */
const showKind: Habit = ([kind = '', name]) => {
  const noun = findKind(kind) ?? 'connections';
  return advise(['orgctl', noun, ...(name === undefined ? ['list'] : ['get', name])]);
};

/** For `rm team ops`: suggests the verb's help, which changes nothing. */
const helpOnVerb =
  (verb: string): Habit =>
  ([kind = '']) =>
    advise(['orgctl', findKind(kind) ?? 'connections', verb, '--help']);

/** For `api /quotas`, as other tools send a request. */
const sendRequest: Habit = ([target = '']) =>
  advise(['orgctl', 'request', ...(target.startsWith('/') ? ['GET', target] : ['--help'])]);

const useProfile: Habit = ([name = 'NAME']) => advise(['orgctl', 'profile', 'use', name]);

const rootHabits: ReadonlyMap<string, Habit> = new Map([
  ['version', becomes('--version')],
  ...['login', 'configure', 'auth', 'init'].map((word) => [word, becomes('profile', 'add')] as const),
  ['config', becomes('whoami')],
  ['conf', becomes('whoami')],
  ...['profiles', 'contexts'].map((word) => [word, becomes('profile', 'list')] as const),
  ['logs', becomes('local', 'logs')],
  ['status', becomes('local', 'status')],
  ['stop', becomes('local', 'stop')],
  ['ping', becomes('doctor')],
  ['start', becomes('serve')],
  ['logout', becomes('profile', 'remove', '--help')],
  ['env', becomes('profile', 'env', '--help')],
  ['shell', becomes('exec', '--help')],
  ['rotate', becomes('api-keys', 'rotate', '--help')],
  ['console', becomes('local', 'console')],
  ...['use', 'switch', 'context'].map((word) => [word, useProfile] as const),
  ...['api', 'curl', 'http', 'call'].map((word) => [word, sendRequest] as const),
  [
    'secret',
    () =>
      advise(
        ['orgctl', 'local', 'key'],
        (key) =>
          `${key} prints the first key of the local server with its secret; other secrets are shown only once, at creation`,
      ),
  ],
  ['get', (rest, word) => (rest[0]?.startsWith('/') ? sendRequest : showKind)(rest, word)],
  ...['describe', 'show', 'list', 'ls'].map((word) => [word, showKind] as const),
  ...['rm', 'delete', 'remove'].map((word) => [word, helpOnVerb('delete')] as const),
  ...['create', 'add', 'new'].map((word) => [word, helpOnVerb('create')] as const),
  ...['update', 'edit', 'set'].map((word) => [word, helpOnVerb('update')] as const),
]);

/** For `conn`, `team` or `keys`. */
const adviseKind: Habit = (_rest, word) => {
  const kind = word.length < 3 ? undefined : findKind(word);
  return kind === undefined ? undefined : advise(['orgctl', kind, 'list']);
};

function findKind(text: string): string | undefined {
  const word = text.toLowerCase();
  if (word === '') return undefined;
  return resources.find(({ kind }) => {
    const forms = [kind, kind.replace('-', ''), kind.split('-').at(-1) ?? kind];
    return forms.some((form) => form.startsWith(word));
  })?.kind;
}

/** Verbs of `orgctl local` that users try with `serve`. */
export const ofRunningServer: readonly string[] = [
  'status',
  'logs',
  'console',
  'wait',
  'stop',
  'key',
  'keys',
];

function adviseOption(option: string, command: CommandUnknownOpts): Advice | undefined {
  const verb = option.replace(/^--/, '');
  if (command.name() === 'serve' && ofRunningServer.includes(verb)) return becomes('local', verb)([], verb);
  const has = (long: string) => command.options.some((each) => each.long === long);
  if (/^(-k|--insecure|--skip-verify|--no-check-certificate)$/.test(option))
    return { hint: 'orgctl always verifies certificates; to trust another authority: --ca-file FILE' };
  if (option === '--json') return { hint: 'for JSON: -o json' };
  if (/^--(format|out|yaml|csv|table)$/.test(option))
    return { hint: `choose the format with -o: ${outputChoices.join(', ')}` };
  if (option === '--dry-run')
    return advise(
      ['orgctl', 'diff', '--help'],
      (help) => `create has --dry-run, and diff shows what apply would change: ${help}`,
    );
  if (option !== '-f' && option !== '--force') return undefined;
  if (option === '-f' && has('--file')) return { hint: 'to read a file: --file FILE' };
  if (command.registeredArguments.some((argument) => argument.name() === 'file'))
    return adviseText(
      (format) =>
        `pass the file without ${option}: ${format([...toCommandLine(command).split(' '), 'FILE'])}`,
    );
  return has('--yes')
    ? advise(namesHelp(command), (help) => `the command asks first; for scripts: ${help}`)
    : undefined;
}

/** For `teams create ops`, `teams update a b --name c` or `teams list ops`. */
function adviseArgument(command: CommandUnknownOpts): Advice | undefined {
  const [name, ...others] = command.args;
  const verb = command.name();
  if (name === undefined || !command.options.some(({ long }) => long === '--name')) return undefined;
  const given: unknown = command.getOptionValue('name');
  const isNamed = typeof given === 'string';
  // The parser does not say which words stood after --name.
  if (isNamed && command.registeredArguments.length > 0)
    return { hint: 'one at a time; quote a name that has spaces' };
  if (isNamed)
    return {
      hint: `quote a name that has spaces: --name ${quoteForShell([given, ...command.args].join(' '))}`,
    };
  if (others.length > 0) return undefined;
  const line = toCommandLine(command).split(' ');
  if (verb === 'list') return advise([...line.slice(0, -1), 'get', ...toOperands(name)]);
  if (verb !== 'create') return undefined;
  const hasOptions = command.options.some(
    (option) => !isGlobal(option) && command.getOptionValueSource(option.attributeName()) === 'cli',
  );
  return hasOptions
    ? { hint: `to name it: --name ${quoteForShell(name)}` }
    : advise([...line, '--name', name]);
}

/** Whether a command may do harm, so that it must not be suggested for a mistyped word. */
export function isDestructive(suggestion: string): boolean {
  return /\b(delete|remove|rm|revoke|reset|restore|disable|stop|prune|force)\b/.test(suggestion);
}
