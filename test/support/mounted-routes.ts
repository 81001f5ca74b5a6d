import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { controlPath } from '../../src/api/control/calls.js';
import { type ServerOptions, startServer } from '../../src/server/index.js';

/** A route, with its path as declarations write it, such as `/teams/{id}`. */
export interface MountedRoute {
  readonly method: string;
  readonly path: string;
}

/** The routes of each listener of a real server: the service's first, then the console's. */
export async function readMountedRoutes(options: ServerOptions = {}): Promise<MountedRoute[][]> {
  const listeners: MountedRoute[][] = [];
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    const routes: MountedRoute[] = [];
    listeners.push(routes);
    fastify.addHook('onRoute', ({ method, url }) => {
      const path = url.replaceAll(/:(\w+)/g, '{$1}');
      for (const one of [method].flat()) routes.push({ method: one, path });
    });
  };
  subscribe('fastify.initialization', listen);
  const server = await startServer({ http: true, ...options });
  // The control API and the console are built at their first request.
  await (await fetch(`${server.url}${controlPath}`)).arrayBuffer();
  const [service = [], control = []] = listeners.splice(0);
  listeners.push([...service, ...control]);
  const { console: page } = await server.control.status();
  if (page !== undefined) await (await fetch(page)).arrayBuffer();
  unsubscribe('fastify.initialization', listen);
  await server.close();
  return listeners;
}
