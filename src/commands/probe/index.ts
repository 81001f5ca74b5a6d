import { type Dialect, dialectSchema } from '../../api/dialect/dialect.js';
import { isPreset, presets } from '../../api/dialect/presets.js';
import { readQuotas } from '../../api/operations.js';
import { resources } from '../../api/resources/index.js';
import { z } from '../../api/schema/schema.js';
import { command, option } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { decodeJson, formError } from '../../client/answers/decode.js';
import { type Forms, knownForms } from '../../client/reading/forms.js';
import { toForms } from '../../client/reading/pinned-forms.js';
import { ResultError, ServiceError } from '../../errors/errors.js';
import { loadDialect } from '../../input/dialect-file.js';
import type { View } from '../../terminal/output/printer.js';
import { countNoun } from '../../text/count-noun.js';
import { askKind, describeService, formsWith, type Reply } from './ask.js';
import {
  compareWith,
  type Difference,
  type Probed,
  type ProbedKind,
  referenceDialect,
  toDialectFile,
} from './dialect.js';

export const probe = command({
  description:
    "Show what the service chose where the API reference is silent: the forms of its lists, paging, resources and quotas. It sends only GET requests, and marks what serve does differently. With -o yaml it writes a dialect file, without any of the organization's data, for serve --dialect and profile set --dialect.",
  options: [
    option('--against <file>', 'compare with a dialect file or preset; exit 15 when the service differs'),
  ],
  examples: [
    ['orgctl probe -o yaml > dialect.yaml', 'a file for orgctl serve --dialect'],
    ['orgctl probe --against dialect.yaml', 'in CI: exit 15 when the service has changed'],
  ],
  calls: 'service',
  exits: ['changes'],
  async run(context, _args, { against }) {
    const printer = await context.printer();
    const expected = against === undefined ? undefined : await readExpected(against, context);
    const probed = await askService(context, expected ? formsWith(toForms(expected)) : knownForms);
    const compared = compareWith(expected ?? referenceDialect, probed);
    const differences = compared.filter((one) => !isSame(one));
    if (against === undefined) {
      const { value: format } = await context.settings().output();
      const dialect = toDialectFile(probed);
      const kinds = Object.fromEntries(
        probed.kinds.map(({ kind, state, missing = null }) => [kind, { state, missing }]),
      );
      const value = { dialect, kinds, differences, calls: probed.calls };
      await printer.value(
        format === 'yaml' ? dialect : value,
        toRows(compared, probed.kinds),
        viewOf('SERVE'),
      );
    } else await printer.list(differences, viewOf('EXPECTED'));
    for (const note of describeOmitted(probed)) await context.note(note);
    if (against === undefined) return;
    if (differences.length === 0) return context.note(`no difference from ${against}`);
    const count = countNoun(differences.length, 'difference');
    throw new ResultError('changes', `${count} from ${against}`, {
      hint: 'see all settings',
      next: ['orgctl', 'probe'],
    });
  },
});

async function readExpected(given: string, context: Context): Promise<Dialect> {
  const loaded = await loadDialect('--against', given, context);
  return z.parse(dialectSchema, typeof loaded === 'string' && isPreset(loaded) ? presets[loaded] : loaded);
}

/** Asks for the quotas and each kind. @throws as `assertTelling`; 403 for quotas; if nothing can be read */
async function askService(context: Context, forms: Forms) {
  const { transport } = await context.api();
  const { origin, prefix, deadline } = transport;
  const end = performance.now() + deadline;
  const replies: Reply[] = [];
  const ask = async (target: string): Promise<Reply> => {
    const left = Math.max(1, end - performance.now());
    const reply = await transport.send({ method: 'GET', target }, left).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ refusal: assertTelling(error) }),
    );
    replies.push(reply);
    return reply;
  };
  const progress = await context.progress({ label: 'probing', total: resources.length });
  try {
    const quotas = await ask(readQuotas.path);
    if (quotas.refusal?.code === 'forbidden') throw quotas.refusal;
    const kinds: ProbedKind[] = [];
    for (const resource of resources) {
      kinds.push(await askKind(resource, { origin, prefix, forms, ask }));
      progress.tick();
    }
    const read = kinds.find(({ state }) => state === 'read');
    // Shows how the service itself reports errors: a gateway may report missing kinds.
    if (read !== undefined) await ask(`/${read.kind}/no-such-id`);
    const common = describeService(prefix, quotas, replies);
    const { answer, refusal } = quotas;
    if (read === undefined && common['quotas.form'] === undefined)
      throw refusal ?? (answer && formError(answer, decodeJson(answer), 'quotas and lists of resources'));
    return { common, kinds, calls: replies.length };
  } finally {
    progress.done();
  }
}

/** Returns a refusal that shows how the service reports errors. @throws others, such as 401, 429, redirects and most 5xx */
function assertTelling(error: unknown): ServiceError {
  const status = error instanceof ServiceError ? (error.details.status ?? 0) : 0;
  const isTelling = status === 501 || (status >= 400 && status < 500 && status !== 401 && status !== 429);
  if (error instanceof ServiceError && isTelling) return error;
  throw error;
}

const show = (value: Difference['found']) => (value === null || value === '' ? 'none' : String(value));
const isSame = ({ expected, found }: Difference) => expected === found;

/** `kind` is `all` for every kind, and empty for the service itself. The last column is empty without a difference. */
function viewOf(header: 'SERVE' | 'EXPECTED'): View<Difference> {
  return {
    columns: [
      { header: 'KIND', value: ({ kind = '' }) => kind },
      { header: 'FIELD', value: 'field', id: true },
      { header: 'FOUND', value: ({ found }) => show(found) },
      {
        header,
        value: (row) => (isSame(row) ? '' : show(row.expected)),
        style: (text, _, chalk) => chalk.yellow(text),
      },
    ],
  };
}

/** A row for each setting (a single one if all readable kinds agree), and one for the state of each kind. */
function toRows(compared: readonly Difference[], kinds: readonly ProbedKind[]): readonly Difference[] {
  const read = kinds.filter(({ state }) => state === 'read').length;
  const settings = compared.flatMap((row, at) => {
    const isLike = (one: Difference) =>
      one.kind !== undefined && one.field === row.field && one.found === row.found;
    if (row.kind === undefined || read < 2 || compared.filter(isLike).length < read) return [row];
    return compared.findIndex(isLike) === at ? [{ ...row, kind: 'all' }] : [];
  });
  const states = kinds.map(({ kind, state }) => ({ kind, field: 'list', expected: state, found: state }));
  return [...settings, ...states];
}

function describeOmitted({ kinds }: Probed): readonly string[] {
  const always =
    "omitted, because probe only reads: item.created, item.deleted, headers.case and the name of the field with a new key's secret";
  const unknown = kinds
    .filter(({ state, leaves }) => state !== 'missing' && leaves['list.paging'] === undefined)
    .map(({ kind, state }) => `${state === 'read' ? 'the paging' : 'the list'} of ${kind}`);
  if (unknown.length === 0) return [always];
  return [always, `omitted, because rows are missing or the response is unclear: ${unknown.join(', ')}`];
}
