import type { FastifyInstance } from 'fastify';
import { issueSchema, newProfileSchema, organizationQuerySchema } from '../../contract/control.js';
import type { z } from '../../contract/schema.js';
import { equalInConstantTime } from '../../signing/index.js';
import type { Store } from '../../storage/store.js';
import { badRequest, HttpError } from '../pipeline/http-error.js';
import { conforming } from '../routes/json-body.js';
import { bodyOf, type OneResource } from '../routes/resource-request.js';
import type { SaveProfile } from '../server-options.js';
import type { Control } from './control.js';
import { noSuchKey } from './keys.js';
import { readable } from './readable.js';

export interface KeyRouteOptions {
  readonly control: Control;
  readonly store: Store;
  readonly saveProfile: SaveProfile | undefined;
}

/** What the reference says the management console does with keys (sections 2 and 3); and keeping one as a profile. */
export function keyRoutes(app: FastifyInstance, options: KeyRouteOptions): void {
  const { keys } = options.control;
  app.get('/keys', async ({ query }) => ({
    keys: await keys.list(conforming(organizationQuerySchema, query).organization),
  }));
  app.post('/keys', async (request, reply) =>
    reply.code(201).send(await keys.issue(bodyOf(request, () => issueSchema))),
  );
  app.post<OneResource>('/keys/:id/disable', async ({ params }) => keys.disable(params.id));
  app.post<OneResource>('/keys/:id/enable', async ({ params }) => keys.enable(params.id));
  app.delete<OneResource>('/keys/:id', async ({ params }, reply) => {
    await keys.revoke(params.id);
    return reply.code(204).send();
  });
  app.post('/profiles', async (request, reply) => {
    const asked = bodyOf(request, () => newProfileSchema);
    await keepProfile(asked, options);
    return reply.code(201).send({ profile: asked.name });
  });
}

/** @throws HttpError 404 without a way to keep it, or such a key; 400 for another secret, or no name; 409 for a name that is taken */
async function keepProfile(
  { name, keyId, secret }: z.output<typeof newProfileSchema>,
  { control, store, saveProfile }: KeyRouteOptions,
): Promise<void> {
  if (saveProfile === undefined) throw new HttpError(404, 'This server keeps no profiles');
  const key = await store.apiKeys.credential(keyId);
  if (key === undefined) throw noSuchKey();
  // A profile that is refused at its first use would only show then that it is worth nothing.
  if (!equalInConstantTime(secret, key.secret)) throw badRequest(`This is not the secret of ${keyId}`);
  const { url, caFile } = control.status();
  const isKept = await readable(() => saveProfile({ name, url, keyId, secret, caFile }));
  if (!isKept) throw new HttpError(409, `There is a profile ${name} already`);
}
