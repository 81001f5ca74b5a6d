import { beforeEach, onTestFinished } from 'vitest';
import { type ServerOptions, startServer } from '../../../src/server/index.js';
import type { Env } from '../../support/organization.js';
import { emptyEnvironment } from '../../support/run-cli.js';
import { type Service, serviceEnvironment, useService } from '../../support/service.js';
import { type Passage, relayTo } from './relay.js';

const own = { APP_DB_PASSWORD: 'hunter2', PATH: '/usr/bin:/bin' };

/** A service for one test file, empty before each test, and an environment with the secrets and programs of its files. */
export function useOrganizationService(): { readonly service: Service; environment(more?: Env): Env } {
  const service = useService({ quotas: { connections: 400, teams: 400 } });
  beforeEach(() => service.server.control.reset());
  return { service, environment: (more = {}) => service.environment({ ...own, ...more }) };
}

/** A reference that the file marks as one. */
export const marked = (reference: Record<string, string>) => ({ $secret: reference });

/** A connection of a type whose settings nobody declared. */
export const other = (config: Record<string, unknown>, name = 'other') => ({ name, type: 'mysql', config });

/** A service for one test, and an environment whose requests pass a relay. */
export async function relayedService(passage: Passage, options: ServerOptions = {}): Promise<{ env: Env }> {
  const http = await startServer({ http: true, ...options });
  onTestFinished(() => http.close());
  const relay = await relayTo(http, passage);
  const direct = { ...emptyEnvironment(), ...serviceEnvironment(http), ...own };
  return { env: { ...direct, ORGCTL_BASE_URL: relay.origin } };
}
