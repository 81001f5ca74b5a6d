/**
 * What the bundle takes of undici: the connections, without fetch, WebSocket, caches and mocks, which CommonJS does not
 * let the bundler leave out. It halves what every request has to load. A class that the sources come to import and that
 * is missing here fails the build.
 */
import api from 'undici/lib/api/index.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';

export { default as Agent } from 'undici/lib/dispatcher/agent.js';
export { default as EnvHttpProxyAgent } from 'undici/lib/dispatcher/env-http-proxy-agent.js';
export { default as Pool } from 'undici/lib/dispatcher/pool.js';

// As undici's own index does; proxies are reached by `connect`.
Object.assign(Dispatcher.prototype, api);
