import type { Command } from '@commander-js/extra-typings';
import type { ControlledKey } from '../../api/control/control-answers.js';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import { type LazyCommand, mount } from '../../cli/lazy-command.js';
import type { View } from '../../terminal/output/printer.js';
import {
  nameOf,
  requireConfirmation,
  withControl,
  withData,
  yesOption,
} from '../../verbs/local/with-control.js';
import { printAnswer } from '../../verbs/print-answer.js';
import { createdApiKeyView } from '../api-keys/create.js';

const verbs: readonly LazyCommand[] = [
  { name: 'list', summary: 'list the keys of every organization', load: async () => list },
  { name: 'issue', summary: 'issue a key; its secret is shown once', load: async () => issue },
  { name: 'enable', summary: 'enable a disabled key again', load: async () => enable },
  { name: 'disable', summary: 'disable a key', load: async () => disable },
  { name: 'revoke', summary: 'delete a key', load: async () => revoke },
];

/** `orgctl local keys`: what the management console does, by the reference (sections 2 and 3). */
export function keys(command: Command, context: Context): void {
  withExamples(
    command.description(
      'Issue, list, enable, disable and revoke the API keys of the server on this machine, also when none of them works.',
    ),
    [['orgctl local keys list', 'which are disabled?']],
  );
  mount(command, verbs, context);
}

const keyView: View<ControlledKey> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'NAME', value: 'name' },
    { header: 'ENABLED', value: 'enabled' },
    { header: 'LAST USED', value: 'last_used_at' },
    { header: 'CREATED', value: 'created_at' },
    { header: 'ORGANIZATION', value: 'organization', id: true },
  ],
  empty: 'no API keys',
};

function list(command: Command, context: Context): void {
  withExamples(
    withData(command.description('List the API keys of every organization, oldest first.')).option(
      '--organization <id>',
      'only keys of this organization',
    ),
    [['orgctl local keys list', 'every key, with its organization']],
    { calls: 'control' },
  ).action(async ({ organization, ...flags }) => {
    const found = await withControl(flags, context, (control) => control.keys.list(organization));
    await (await context.printer()).list(found, keyView);
  });
}

function issue(command: Command, context: Context): void {
  withExamples(
    withData(
      command.description(
        'Issue an API key. Its secret is shown only once; the key counts towards the quota.',
      ),
    )
      .option('--name <name>', 'what it is for')
      .option('--organization <id>', 'its organization; default the first one'),
    [['orgctl local keys issue --name ci', 'the secret is shown once']],
    { calls: 'control', writes: ['server'] },
  ).action(async ({ name, organization, ...flags }) => {
    (await context.printer()).check(createdApiKeyView, 'value');
    const issued = await withControl(flags, context, (control) => control.keys.issue({ name, organization }));
    await printAnswer(issued, createdApiKeyView, context);
  });
}

function enable(command: Command, context: Context): void {
  withExamples(
    withData(
      command.description('Enable a disabled API key again: its requests are accepted from then on.'),
    ).argument('<id>', 'ID of an API key'),
    [['orgctl local keys enable key_21f3b017', 'it works again']],
    { calls: 'control', writes: ['server'] },
  ).action(async (id, flags) => {
    const enabled = await withControl(flags, context, ({ keys }) => keys.enable(id));
    await (await context.printer()).one(enabled, keyView);
  });
}

function disable(command: Command, context: Context): void {
  withExamples(
    withData(
      command.description(
        'Disable an API key: its requests are refused from then on, until it is enabled again.',
      ),
    ).argument('<id>', 'ID of an API key'),
    [['orgctl local keys disable key_21f3b017', 'how does a client handle that?']],
    { calls: 'control', writes: ['server'] },
  ).action(async (id, flags) => {
    const disabled = await withControl(flags, context, ({ keys }) => keys.disable(id));
    await (await context.printer()).one(disabled, keyView);
  });
}

function revoke(command: Command, context: Context): void {
  withExamples(
    withData(command.description('Delete an API key. Nothing brings it back.'))
      .argument('<id>', 'ID of an API key')
      .option(...yesOption),
    [['orgctl local keys revoke key_21f3b017 --yes', 'without being asked']],
    { calls: 'control', writes: ['server'], asks: 'before, unless --yes' },
  ).action(async (id, { yes, ...flags }) => {
    await withControl(flags, context, async ({ keys }, server) => {
      await requireConfirmation(`Revoke ${id} for good, on ${nameOf(server)}?`, yes, context);
      await keys.revoke(id);
      await context.note(`${id} is revoked`);
    });
  });
}
