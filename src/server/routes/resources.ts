import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type CallName, listCalls, type Operation } from '../../api/operations.js';
import { type DeclaredResource, hasQuota, type ResourceKind } from '../../api/resources/index.js';
import { envelope } from '../../api/schema/envelope.js';
import type { QuotaReader } from '../../storage/reading/quotas.js';
import type { Repository, StoredResource } from '../../storage/resources.js';
import { explainUnknownId } from '../explain/explain-not-found.js';
import { refuseNotFound } from '../http/http-error.js';
import type { Turns } from '../http/turns.js';
import { connectionHandling } from './connections.js';
import type { Asked, Asker, ResourceHandler, ResourceRouteOptions } from './resource-handler.js';
import { type OneResource, readIdentifier, requireFound } from './resource-request.js';

export function resourceRoutes(app: FastifyInstance, options: ResourceRouteOptions, asked: Asked): void {
  const { store } = options;
  const handlings: Partial<Record<ResourceKind, ResourceHandler>> = {
    connections: connectionHandling(store.resources.connections),
  };
  for (const resource of asked.resources) {
    const repository = store.resources[resource.kind];
    const handling = handlings[resource.kind] ?? handlePlainly(repository);
    mountResource(app, resource, { repository, handling, quotas: store.quotas, turns: options.turns, asked });
  }
}

function handlePlainly(repository: Repository): ResourceHandler {
  return {
    list: async ({ organizationId, page, frame }) => frame(await repository.list(organizationId, page)),
    find: ({ organizationId }, id) => repository.find(organizationId, id),
    shown: (resource) => resource,
    patched: (current, patch) => ({ ...current, ...patch }),
  };
}

interface Mounted {
  readonly repository: Repository;
  readonly handling: ResourceHandler;
  readonly quotas: QuotaReader;
  readonly turns: Turns;
  readonly asked: Asked;
}

/** Bytes; requests with larger bodies wait for their turn. */
const largeBody = 16 * 1024;

/** HEAD responds like GET, without the body. */
const withHead = { exposeHeadRoute: true };

function mountResource(app: FastifyInstance, resource: DeclaredResource, mounted: Mounted): void {
  const { repository, handling } = mounted;
  const { organizationOf, bodyOf } = mounted.asked;
  const called = (name: CallName) => ({ config: { call: { kind: resource.kind, name } } });
  const askerOf = (request: FastifyRequest) => asker(request, mounted);
  const calls = listCalls(resource);
  app.get(calls.list.path, { ...withHead, ...called('list') }, (request, reply) =>
    answerList(request, reply, resource, mounted),
  );
  app.post(calls.create.path, called('create'), async (request, reply) => {
    if (hasLargeBody(request)) await askerOf(request).turn();
    const input = bodyOf(request, 'inputFor' in resource ? resource.inputFor : () => resource.input);
    return reply.code(201).send(handling.shown(await repository.create(organizationOf(request), input)));
  });
  app.get<OneResource>(findRoute(calls.get), { ...withHead, ...called('get') }, async (request) =>
    requireFound(await handling.find(askerOf(request), readIdentifier(request))),
  );
  if ('patch' in resource) {
    app.patch<OneResource>(findRoute(calls.update), called('update'), async (request) => {
      if (hasLargeBody(request)) await askerOf(request).turn();
      const patch = bodyOf(request, () => resource.patch);
      const change = (current: StoredResource) => handling.patched(current, patch);
      await handling.beforeChange?.(askerOf(request), readIdentifier(request));
      const changed = await repository.update(organizationOf(request), readIdentifier(request), change);
      return handling.shown(requireFound(changed));
    });
  }
  app.delete<OneResource>(findRoute(calls.delete), called('delete'), async (request, reply) => {
    if (!(await repository.delete(organizationOf(request), readIdentifier(request))))
      throw refuseNotFound(explainUnknownId);
    return reply.code(204).send();
  });
}

function answerList(
  request: FastifyRequest,
  reply: FastifyReply,
  resource: DeclaredResource,
  mounted: Mounted,
): Promise<unknown> {
  const { repository, handling, quotas } = mounted;
  const { pageOf, pageText } = mounted.asked;
  const page = pageOf(request);
  const who = asker(request, mounted);
  const { organizationId } = who;
  return handling.list({
    ...who,
    page,
    reply,
    pageText: pageText && ((listed) => pageText(request, reply, listed)),
    async frame(items) {
      const { search, ...at } = page;
      const total =
        hasQuota(resource) && search === undefined
          ? ((await quotas.of(organizationId))[resource.kind]?.used ?? 0)
          : await repository.count(organizationId, { search });
      return envelope(items, { total, ...at });
    },
  });
}

/** Turns are per key; in the control API, per organization. */
function asker(request: FastifyRequest, { asked, turns }: Mounted): Asker {
  const organizationId = asked.organizationOf(request);
  return { organizationId, turn: () => turns.take(request.key?.keyId ?? organizationId) };
}

function hasLargeBody({ bytes }: FastifyRequest): boolean {
  return bytes !== null && bytes.byteLength > largeBody;
}

export function findRoute({ path }: Pick<Operation, 'path'>): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}
