import type { Dialect } from '../../api/dialect/dialect.js';
import { readQuotas } from '../../api/operations.js';
import { resources } from '../../api/resources/index.js';
import { decodeJson, formError } from '../../client/answers/decode.js';
import { type ObservedService, toDialect } from '../../client/probing/to-dialect.js';
import type { NetworkError } from '../../errors/errors.js';
import { probeKind, type Wholeness } from './probe-kind.js';
import type { Questioner, Reply } from './probed-calls.js';

/** A trial that got no response. */
export interface LostTrial {
  readonly target: string;
  readonly error: NetworkError;
}

export interface ProbedService {
  readonly lost: readonly LostTrial[];
  readonly observed: ObservedService;
  readonly wholeness: ReadonlyMap<string, Wholeness>;
}

/** Finds a service's forms by GETs. @throws as `Questioner.ask`, and if quotas are forbidden or nothing is readable */
export async function probeService(
  questioner: Questioner,
  expected: Dialect | undefined,
  onKind: () => void,
): Promise<ProbedService> {
  const { origin, prefix } = questioner.transport;
  const quotas = await questioner.ask(readQuotas.path);
  if (quotas.refusal?.code === 'forbidden') throw quotas.refusal;
  onKind();
  const wholeness = new Map<string, Wholeness>();
  for (const resource of resources) {
    wholeness.set(resource.kind, await probeKind(resource, questioner, expected));
    onKind();
  }
  const observe = () => toDialect(questioner.calls, { origin, basePath: prefix }, expected);
  const read = observe().kinds.find(({ state }) => state === 'read');
  const lost: LostTrial[] = [];
  for (const target of read === undefined ? [] : trialsOf(read)) {
    const error = await questioner.try(target);
    if (error !== undefined) lost.push({ target, error });
  }
  const observed = observe();
  if (read === undefined && observed.forms.quotas === undefined) throw await explainNothing(quotas);
  return { observed, wholeness, lost };
}

/** Requests whose refusals show the form of errors. */
function trialsOf({ kind, list: { parameters } }: ObservedService['kinds'][number]): readonly string[] {
  return [`/${kind}/orgctl-probe-no-such-id`, `/${kind}?${parameters?.limit ?? 'limit'}=x`];
}

async function explainNothing({ answer, refusal }: Reply): Promise<unknown> {
  if (refusal !== undefined || answer === undefined) return refusal;
  return formError(answer, decodeJson(answer), 'quotas and lists of resources', false);
}
