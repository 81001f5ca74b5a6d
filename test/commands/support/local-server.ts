import { beforeEach } from 'vitest';
import { runCli, temporaryDirectory } from '../../support/run-cli.js';
import { type Service, useService } from '../../support/service.js';

export interface LocalServer extends Service {
  readonly data: string;
  /** Runs `orgctl local` with these words, on that data. */
  local(line: string, options?: Parameters<typeof runCli>[1]): ReturnType<typeof runCli>;
}

/** A server for all tests of the calling file, with a data directory, and empty again before each test. */
export function useLocalServer(): LocalServer {
  const data = temporaryDirectory();
  const service = useService({ data });
  beforeEach(() => service.server.control.reset());
  return {
    data,
    environment: (changes) => service.environment(changes),
    get server() {
      return service.server;
    },
    local: (line, options = {}) => runCli(['local', ...line.split(' '), '--data', data], options),
  };
}
