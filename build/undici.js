/**
 * The parts of undici in the bundle. Omits fetch, WebSocket, caches and mocks, which the bundler cannot remove from a
 * CommonJS package by itself, so that commands load less code. The build fails if the sources import a name that is
 * missing here.
 */
import api from 'undici/lib/api/index.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';

export { default as buildConnector } from 'undici/lib/core/connect.js';
export { default as errors } from 'undici/lib/core/errors.js';
export { default as Agent } from 'undici/lib/dispatcher/agent.js';
export { default as Client } from 'undici/lib/dispatcher/client.js';
export { default as EnvHttpProxyAgent } from 'undici/lib/dispatcher/env-http-proxy-agent.js';
export { default as Pool } from 'undici/lib/dispatcher/pool.js';
export { default as ProxyAgent } from 'undici/lib/dispatcher/proxy-agent.js';
export { default as DecoratorHandler } from 'undici/lib/handler/decorator-handler.js';
export { Dispatcher };

// undici's index does the same. The proxy agents use `connect`.
Object.assign(Dispatcher.prototype, api);
