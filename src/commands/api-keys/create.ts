import type { Command } from '@commander-js/extra-typings';
import { collect } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import { doubtedCreation } from '../../client/answers/doubted-creation.js';
import type { Api } from '../../client/api.js';
import { toOperands } from '../../errors/advice.js';
import { ConfigError, UsageError, withHint } from '../../errors/errors.js';
import { joinFields, parseDataObject, parseFields, readData } from '../../input/body.js';
import { apiKeyView } from '../../verbs/api-keys/api-key.js';
import { createFor, createToShow } from '../../verbs/api-keys/create-to-store.js';
import { noteIgnored } from '../../verbs/api-keys/interrupted-creation.js';
import {
  assertSecretIsSafe,
  createdApiKeyView,
  printCreated,
  saveSecretNote,
  withoutSecret,
} from '../../verbs/api-keys/print-created.js';
import { type CreatedKey, openSink, type SecretSink } from '../../verbs/api-keys/secret-sink.js';
import { adviseIfUnwritten, adviseUsingOrDeleting } from '../../verbs/done-unwritten.js';
import { showUnread } from '../../verbs/once-shown.js';
import { type AnswerContext, apiForChange, printAnswer } from '../../verbs/print-answer.js';
import { askName, requireName } from '../../verbs/resource/required-name.js';
import { noteStoredNames } from '../../verbs/resource/stored-name.js';

interface CreateKeyOptions {
  readonly name?: string | undefined;
  readonly field?: readonly string[] | undefined;
  readonly data?: string | undefined;
  readonly saveProfile?: string | undefined;
  readonly secretFile?: string | undefined;
}

export function create(command: Command, context: Context): void {
  withExamples(
    command
      .description(
        'Create an API key. Its secret is shown only once. The API reference does not describe the body, so your service may expect other fields.',
      )
      .option('--name <name>', 'name of the key')
      .option('--field <k=v>', 'another field of the body; k:=v for JSON; repeatable', collect)
      .option('-d, --data <json>', 'fields of the body as a JSON object: text, @file, or - for stdin')
      .option('--save-profile <name>', 'save ID and secret as a new profile instead of printing the secret')
      .option('--secret-file <path>', 'write the secret to a new file (0600) instead of printing it'),
    [
      ['orgctl api-keys create --name ci', 'prints ID and secret'],
      ['orgctl api-keys create --name ci --save-profile ci', 'straight into a profile'],
    ],
    {
      calls: 'service',
      writes: ['service', 'profiles', 'files'],
      asks: 'for a name if no other field is given; with --save-profile or --secret-file, also before it deletes the key of an interrupted run (without a terminal, it only names that key)',
      exits: ['quota_exceeded'],
    },
  ).action((options) => createApiKey(options, context));
}

async function createApiKey(
  options: CreateKeyOptions,
  context: AnswerContext &
    Pick<Context, 'api' | 'stdin' | 'streams' | 'settings' | 'prompt' | 'note' | 'progress'>,
): Promise<void> {
  const body = await readKeyBody(await withName(options, context), context);
  const sink = openSink(options, context);
  const view = sink === undefined ? createdApiKeyView : apiKeyView;
  const api = await apiForChange(view, 'value', context);
  if (sink !== undefined) return createInto(sink, body, api, context);
  await assertSecretIsSafe(context);
  const created = await createToShow(body, api).catch(async (error: unknown) => {
    throw await showUnread(error, context);
  });
  const advice = adviseUsingOrDeleting(created.id, ['orgctl', 'api-keys', 'delete']);
  const isShown = await adviseIfUnwritten(printCreated(created, context), advice);
  await noteEnabled(body, created, context);
  await noteStoredNames([created], body['name'], context);
  if (isShown) await context.note(saveSecretNote);
  throwDoubt(created);
}

/** @throws OutcomeUnknownError if the service has only accepted the request (202) */
function throwDoubt(created: CreatedKey): void {
  const doubt = doubtedCreation(created);
  if (doubt !== undefined) throw doubt;
}

async function noteEnabled(
  body: Readonly<Record<string, unknown>>,
  created: CreatedKey,
  context: Pick<Context, 'note'>,
): Promise<void> {
  if (body['enabled'] !== false || created['enabled'] !== true) return;
  await context.note(`the service created the key enabled, not disabled; disable it`, [
    'orgctl',
    'api-keys',
    'disable',
    ...toOperands(created.id),
  ]);
}

async function createInto(
  sink: SecretSink,
  body: Readonly<Record<string, unknown>>,
  api: Api,
  context: AnswerContext & Pick<Context, 'note' | 'progress'>,
): Promise<void> {
  const left = await sink.open();
  await noteIgnored(sink, context);
  const created = left ?? (await createFor(sink, body, sink.rule, api, context)).key;
  const kept = await sink.keep(created).catch(async (error: unknown) => {
    // Prints the secret rather than losing it: the service does not show it again.
    const isShown = await printCreated(created, context).catch(() => false);
    await sink.abandon().catch(() => undefined);
    const where = isShown ? 'its secret is on stdout' : 'the warning above says where its secret is';
    throw withHint(afterCreation(error), `the key ${created.id} was created; ${where}`);
  });
  const done = `API key ${created.id} was created; ${kept}`;
  const wholeHint = `${done}; the rest of the response is on stdout`;
  const printing = printAnswer(withoutSecret(created), apiKeyView, context, { isNew: true, wholeHint });
  await adviseIfUnwritten(printing, { hint: done });
  await noteEnabled(body, created, context);
  if (left === undefined) await noteStoredNames([created], body['name'], context);
  await context.note(kept);
  throwDoubt(created);
}

/** A usage error would mean that nothing was sent. */
function afterCreation(error: unknown): unknown {
  if (!(error instanceof UsageError)) return error;
  return new ConfigError(error.message, { ...error.details, cause: error });
}

async function withName(
  options: CreateKeyOptions,
  context: Pick<Context, 'system' | 'streams' | 'prompt'>,
): Promise<CreateKeyOptions> {
  const { name, field, data } = options;
  if (name !== undefined || field !== undefined || data !== undefined) return options;
  return { ...options, name: await askName('key', context) };
}

async function readKeyBody(
  options: CreateKeyOptions,
  context: Pick<Context, 'system' | 'stdin'>,
): Promise<Record<string, unknown>> {
  const { name, field, data } = options;
  if (name === undefined && field === undefined && data === undefined) {
    throw new UsageError('nothing to create: give --name, --field or --data', {
      next: ['orgctl', 'api-keys', 'create', '--name', 'NAME'],
    });
  }
  const fields = parseFields(field ?? []);
  const body = joinFields([
    ['--data', data === undefined ? {} : parseDataObject(await readData(data, context))],
    ['--name', name === undefined ? {} : { name }],
    ['--field', fields],
  ]);
  if (typeof body['name'] === 'string') requireName(body['name']);
  return body;
}
