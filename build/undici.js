/**
 * What the bundle takes of undici: its connections, without fetch, WebSocket, caches and mocks, which the bundler cannot
 * leave out of a CommonJS package by itself. It halves what every request has to load. A name that the sources come to
 * import and that is missing here fails the build.
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

// As undici's own index does; proxies are reached by `connect`.
Object.assign(Dispatcher.prototype, api);
