/**
 * The parts of undici in the bundle. Omits fetch, WebSocket, caches and mocks, which the bundler cannot remove from a
 * CommonJS package by itself, so that commands load less code. The build fails if the sources import a name that is
 * missing here.
 */
import api from 'undici/lib/api/index.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';

export { default as Agent } from 'undici/lib/dispatcher/agent.js';
export { default as Client } from 'undici/lib/dispatcher/client.js';
export { default as Pool } from 'undici/lib/dispatcher/pool.js';
export { Dispatcher };

// undici's index does the same. Tunnels through proxies use `connect`.
Object.assign(Dispatcher.prototype, api);
