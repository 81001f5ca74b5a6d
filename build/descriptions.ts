import { readdirSync, readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { dialectJsonSchema } from '../src/api/dialect/json-schema.js';
import { apiDocument } from '../src/api-description/document.js';
import { openContext } from '../src/cli/context.js';
import { helpFileName } from '../src/cli/help-page.js';
import { run } from '../src/main.js';
import { organizationJsonSchema } from '../src/organization/declaration/json-schema.js';
import { createProgram } from '../src/program.js';
import { toSystem } from '../src/terminal/process/process-system.js';
import { describeAll } from '../src/verbs/help/command-description.js';
import { type CommandMap, commandMap, mapText } from '../src/verbs/help/command-map.js';
import { manPage, pageName } from './man-page.js';
import { referencePages } from './reference-pages.js';

export { plainKinds } from '../src/api/resources/plain-kinds.js';

/** Pages of docs/reference that have generated parts: texts by file name. */
export async function describedPages(): Promise<Readonly<Record<string, string>>> {
  return referencePages(await describedCommands());
}

/** Generated descriptions, such as help and manual pages: texts by file name below `dist`. */
export async function descriptions(): Promise<Readonly<Record<string, string>>> {
  const map = await describedCommands();
  const pages = map.commands.map((command) => [`man/${pageName(command)}.1`, manPage(command, map)]);
  const help: [fileName: string, text: string][] = [];
  for (const { command } of map.commands) {
    const [, ...words] = command.split(' ');
    help.push([`help/${helpFileName(words.join(' '))}`, await outputOf([...words, '--help'])]);
  }
  return {
    'openapi.json': `${JSON.stringify(apiDocument(), null, 2)}\n`,
    'dialect.schema.json': `${JSON.stringify(dialectJsonSchema(), null, 2)}\n`,
    'organization.schema.json': `${JSON.stringify(organizationJsonSchema(), null, 2)}\n`,
    'llms.txt': llmsText(map),
    ...Object.fromEntries([...pages, ...help]),
  };
}

async function describedCommands(): Promise<CommandMap> {
  const context = openContext(toSystem(process), () => ({}));
  try {
    return commandMap(await describeAll(createProgram(context, () => undefined)));
  } finally {
    await context.close();
  }
}

/** The text that a command line prints to a pipe. */
async function outputOf(words: readonly string[]): Promise<string> {
  const stdout = new PassThrough();
  const nothing = () => undefined;
  const system = {
    ...{ argv: ['node', 'orgctl', ...words], env: {}, platform: process.platform, pid: process.pid },
    ...{ stdin: new PassThrough(), stdout, stderr: new PassThrough() },
    ...{ cwd: () => process.cwd(), on: nothing, off: nothing, stop: nothing, stopJob: nothing },
  };
  await run(system, () => import('../src/command-line.js'));
  return text(stdout.end());
}

/** A description for language models, in the format of llmstxt.org. */
function llmsText(map: CommandMap): string {
  const [root] = map.commands;
  const pages = readdirSync(new URL('../docs', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .sort();
  return [
    '# orgctl',
    '',
    `> ${root?.description ?? ''} orgctl serve runs the whole service on this machine.`,
    '',
    '## Commands',
    '',
    '```text',
    mapText(map, 110).trimEnd(),
    '```',
    '',
    '## More',
    '',
    '- [README](../README.md): what it is, and how to start',
    "- [openapi.json](openapi.json): the API's OpenAPI 3.1 document",
    '- [dialect.schema.json](dialect.schema.json): the schema of dialect files, for serve --dialect',
    '- [organization.schema.json](organization.schema.json): the schema of organization files, for export, diff and apply',
    ...pages.map((path) => `- [${titleOf(path)}](../${path})`),
    '',
  ].join('\n');
}

function titleOf(path: string): string {
  const page = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
  return /^# (.+)$/m.exec(page)?.[1] ?? path;
}
