import { randomUUID } from 'node:crypto';
import type { CreatedApiKey } from '../../api/resources/records.js';
import type { Resource } from '../../api/resources/resource.js';
import { Canvas } from '../../terminal/output/canvas.js';
import type { TypedView } from '../../terminal/output/printer.js';
import { toSnakeCase } from '../../text/field-case.js';
import { assertRescuable, discardsOutput } from '../once-shown.js';
import { type AnswerContext, showAnswer } from '../print-answer.js';
import type { CreatedKey } from './secret-sink.js';

/** The API sends a secret only in the response to the creation. */
export const createdApiKeyView: TypedView<Resource, CreatedApiKey> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'NAME', value: 'name' },
    { header: 'SECRET', value: 'secret' },
  ],
  block: true,
  fields: ['enabled', 'last_used_at', 'created_at'],
  example: { id: 'key_0', name: 'example', secret: 'example' },
};

export const saveSecretNote = 'Save this secret now. It will not be shown again.';

/** Checks that the new secret will be shown or can be stored, before the key is created. @throws ConfigError */
export async function assertSecretIsSafe(context: AnswerContext): Promise<void> {
  if (discardsOutput(context) || !(await showsSecret(context))) await assertRescuable(context);
}

/** Whether the chosen output shows the secret of an example. */
async function showsSecret({ printer, streams }: AnswerContext): Promise<boolean> {
  if ((await printer()).coverage() === 'whole') return true;
  const canvas = new Canvas(streams.stdout);
  const key = { ...createdApiKeyView.example, secret: randomUUID() };
  const trial = await printer({ ...canvas.asStdout(streams), stderr: new Canvas(streams.stderr) });
  await trial.one<Resource>(key, createdApiKeyView).catch(() => undefined);
  return canvas.text.includes(key.secret);
}

/**
 * Also prints fields that the view does not list: one of them may contain the secret.
 * @returns whether stdout shows the secret; otherwise it was saved elsewhere
 */
export function printCreated(created: CreatedKey, context: AnswerContext): Promise<boolean> {
  const { columns, fields = [] } = createdApiKeyView;
  const known = new Set<unknown>([...columns.map(({ value }) => value), ...fields]);
  const others = Object.keys(created).filter(
    (name) =>
      !known.has(toSnakeCase(name)) && created[name] !== created.id && created[name] !== created.secret,
  );
  const further = others.map((name) => ({ header: name, value: name }));
  return showAnswer(created, { ...createdApiKeyView, columns: [...columns, ...further] }, context);
}

/** The new key without its secret, whatever the name of that field. */
export function withoutSecret(created: CreatedKey): Resource {
  const fields = Object.entries(Object.getOwnPropertyDescriptors(created));
  const others = fields.filter(([, { value }]) => value !== created.secret);
  return Object.defineProperties<Resource>({}, Object.fromEntries(others));
}
