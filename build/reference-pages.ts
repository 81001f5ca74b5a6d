import { readFileSync } from 'node:fs';
import { operations } from '../src/api/operations.js';
import { settings } from '../src/profiles/settings/settings.js';
import { knownMistakes } from '../src/signing/index.js';
import type { CommandDescription } from '../src/verbs/help/command-description.js';
import type { CommandMap } from '../src/verbs/help/command-map.js';
import type { OptionDescription } from '../src/verbs/help/option-description.js';
import { environmentVariables } from '../src/verbs/help/topics.js';
import { defaultOutputOption } from '../src/verbs/profile/from-flags.js';

/** Generated parts of pages in docs/reference. In a page, comments `begin NAME` and `end NAME` enclose a part. */
const partsOf: Readonly<Record<string, Readonly<Record<string, (map: CommandMap) => string>>>> = {
  'commands.md': { overview, commands: details },
  'settings.md': { options: globalOptions, variables, profile: profileSettings },
  'exit-codes.md': { codes: exitCodes },
  'not-in-the-api-reference.md': { calls },
  'known-mistakes.md': { mistakes },
};

/** The texts of the pages, with new generated parts, by file name. */
export function referencePages(map: CommandMap): Readonly<Record<string, string>> {
  const filled = Object.entries(partsOf).map(([name, parts]) => {
    const page = readFileSync(new URL(`../docs/reference/${name}`, import.meta.url), 'utf8');
    return [name, Object.entries(parts).reduce((text, [part, make]) => fill(text, part, make(map)), page)];
  });
  return Object.fromEntries(filled);
}

/** @throws Error if the page lacks the part's comments */
function fill(page: string, part: string, content: string): string {
  const enclosing = new RegExp(`(<!-- begin ${part}\\b[^>]*-->\n)[\\s\\S]*?(<!-- end ${part} -->)`);
  if (!enclosing.test(page)) throw new Error(`a page of docs/reference has no part "${part}"`);
  return page.replace(enclosing, (_, begin: string, end: string) => `${begin}\n${content}\n\n${end}`);
}

function overview({ commands }: CommandMap): string {
  return table(
    ['command', 'what it does'],
    commands
      .filter(doesSomething)
      .map(({ command, summary }) => [`[\`${command}\`](#${command.replaceAll(' ', '-')})`, inCell(summary)]),
  );
}

function details({ commands }: CommandMap): string {
  return commands.filter(doesSomething).map(section).join('\n\n');
}

function section({
  command,
  usage,
  description,
  arguments: taken,
  options,
  asks,
  exitCodes: exits,
  examples,
}: CommandDescription): string {
  const facts = [
    ...(asks ? [`It asks ${asks}.`] : []),
    ...(exits === undefined ? [] : [`Exit codes: ${exits.map(({ exit }) => exit).join(', ')}.`]),
  ];
  const items = [
    ...taken.map((argument) => `- \`${argument.name}\`: ${inText(argument.description)}`),
    ...options.map(({ flags, description: meaning }) => `- \`${flags}\`: ${inText(meaning)}`),
  ];
  return [
    `## ${command}`,
    `\`${usage}\``,
    inText(description),
    ...(items.length === 0 ? [] : [items.join('\n')]),
    ...(facts.length === 0 ? [] : [inText(facts.join(' '))]),
    examples.map(({ command: typed, what }) => `- \`${typed}\` (${inText(what)})`).join('\n'),
  ].join('\n\n');
}

function globalOptions({ commands }: CommandMap): string {
  const [root] = commands;
  return table(
    ['option', 'variable', 'meaning'],
    (root?.options ?? []).map(({ flags, env, description }: OptionDescription) => [
      `\`${flags}\``,
      env === undefined ? '' : `\`${env}\``,
      inCell(description),
    ]),
  );
}

function variables(): string {
  return table(
    ['variable', 'meaning'],
    environmentVariables.map(([names, meaning]) => [
      names
        .split(', ')
        .map((name) => `\`${name}\``)
        .join(', '),
      inCell(meaning),
    ]),
  );
}

/** `--output` formats the result of `profile add` and `profile set`, so another option stores it. */
function profileSettings(): string {
  const stored = Object.values(settings).flatMap((setting) => ('profileKey' in setting ? [setting] : []));
  return table(
    ['in a profile', 'option', 'variable'],
    stored.map(({ profileKey, flag, env }) => {
      const option = profileKey === 'output' ? defaultOutputOption[0].split(' ', 1) : flag.option;
      return [profileKey, option, env].map((name) => `\`${name}\``);
    }),
  );
}

function exitCodes({ exitCodes: rows }: CommandMap): string {
  return table(
    ['exit', 'code', 'when'],
    rows.map(({ exit, code, when }) => [String(exit), code === undefined ? '' : `\`${code}\``, inCell(when)]),
  );
}

/** Every call of the API, and whether the API reference describes it. */
function calls(): string {
  const all = operations();
  const collections = [...new Set(all.map(({ path }) => path.replace(/\/\{id\}$/, '')))];
  const source = (method: string, path: string) => {
    const call = all.find((one) => one.method === method && one.path === path);
    return call === undefined ? '' : `[${call.source}]`;
  };
  const rows = collections.map((path) => [
    `\`${path}\``,
    ...[source('GET', path), source('POST', path)],
    ...['GET', 'PATCH', 'DELETE'].map((method) => source(method, `${path}/{id}`)),
  ]);
  return table(['calls of', 'list `GET`', 'create `POST`', '`GET` one', '`PATCH`', '`DELETE`'], rows);
}

function mistakes(): string {
  return table(
    ['mistake', 'the signature was made (or is) …', 'fix'],
    knownMistakes.map(({ id, description, advice }) => [`\`${id}\``, inCell(description), inCell(advice)]),
  );
}

function doesSomething({ exitCodes: exits }: CommandDescription): boolean {
  return exits !== undefined;
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  return [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Escapes text for Markdown, in which `<` would begin a tag and `*` emphasis. */
function inText(text: string): string {
  return text.replaceAll(/[<*\\]/g, '\\$&');
}

function inCell(text: string): string {
  return inText(text).replaceAll('|', '\\|');
}
