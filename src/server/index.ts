/** `orgctl/server`: the whole service, embedded, for anyone's test suite (contract, section 6). */
export type { Log, LogEntry, NoticeEntry, RequestEntry } from './log.js';
export type { BootstrapKey, RunningServer, ServerOptions } from './server-options.js';
export { startServer } from './start-server.js';
