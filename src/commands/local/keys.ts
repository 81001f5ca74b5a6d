import type { ControlledKey } from '../../api/control/control-answers.js';
import type { Resource } from '../../api/resources/resource.js';
import { argument, option, subgroup } from '../../cli/command.js';
import type { ControlClient } from '../../client/control-client.js';
import { ServiceError, UsageError } from '../../errors/errors.js';
import type { View } from '../../terminal/output/printer.js';
import { apiKeyView, createdApiKeyView, saveSecretNote } from '../api-keys/view.js';
import { printAnswer } from '../resource/print.js';
import { serverVerb, showList, showOne } from './server-verb.js';

const keyView: View<ControlledKey & Resource> = {
  columns: [...apiKeyView.columns, { header: 'ORGANIZATION', value: 'organization', id: true, rank: 5 }],
  empty: 'no API keys',
};

const keyArgument = argument('<id-or-name>', 'ID of an API key, or its name');

const list = serverVerb('list', {
  summary: 'list the API keys of every organization, oldest first',
  options: [option('--organization <id>', 'only keys of this organization')],
  examples: [["orgctl local keys list --query '[?!enabled].name' -r", 'which are disabled?']],
  reads: true,
  shows: showList(keyView),
  run: async ({ control }, _args, { organization }) =>
    (await control.call('keys.list', { organization })).keys,
});

const issue = serverVerb('issue', {
  summary: 'issue an API key, which counts toward the quota; its secret is shown once',
  options: [
    option('--name <name>', 'name of the key; default "control"'),
    option('--organization <id>', 'organization of the key; default the first one'),
  ],
  examples: [['orgctl local keys issue --name ci', 'prints ID and secret']],
  async run({ control, context }, _args, { name, organization }) {
    (await context.printer()).check(createdApiKeyView);
    const issued = await control.call('keys.issue', { name, organization });
    if (await printAnswer(issued, createdApiKeyView, context)) await context.note(saveSecretNote);
  },
});

function switchVerb(name: 'enable' | 'disable', summary: string, example: string) {
  return serverVerb(name, {
    summary,
    args: [keyArgument],
    examples: [[`orgctl local keys ${name} ci`, example]],
    shows: showOne(keyView),
    run: async ({ control }, [text]) => control.call(`keys.${name}`, { id: await findKeyId(text, control) }),
  });
}

const revoke = serverVerb('revoke', {
  summary: 'permanently delete an API key',
  args: [keyArgument],
  examples: [['orgctl local keys revoke ci --yes', 'in a script; prompts without --yes']],
  asks: true,
  async run({ control, context, name, confirm }, [text]) {
    const id = await findKeyId(text, control);
    await confirm(`Permanently revoke ${id} on ${name}?`);
    await control.call('keys.revoke', { id });
    await context.note(`${id} revoked`);
  },
});

export const keys = subgroup('keys', {
  summary: 'issue, list, enable, disable and revoke API keys',
  examples: [['orgctl local keys issue --name ci', 'the secret is shown once']],
  verbs: [
    list,
    issue,
    switchVerb('enable', 'enable a disabled API key again', 'the server accepts its requests again'),
    switchVerb('disable', 'disable an API key until you enable it again', 'how does a client handle it?'),
    revoke,
  ],
});

/** Finds a key by ID or exact name. @throws UsageError naming the IDs if several match; ServiceError `not_found` */
async function findKeyId(text: string, control: ControlClient): Promise<string> {
  const { keys } = await control.call('keys.list');
  const fitting = keys.filter(({ id, name }) => name === text || id === text).map(({ id }) => id);
  const [id, ...others] = fitting.includes(text) ? [text] : fitting;
  const hint = { hint: 'list API keys', next: ['orgctl', 'local', 'keys', 'list'] };
  const shown = JSON.stringify(text);
  if (id === undefined) throw new ServiceError('not_found', `API key ${shown} not found`, hint);
  if (others.length === 0) return id;
  throw new UsageError(`several API keys are named ${shown}: ${fitting.join(', ')}; give the ID`, hint);
}
