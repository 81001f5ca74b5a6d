import {
  Agent,
  type AgentOptions,
  type ClientRequestArgs,
  type IncomingMessage,
  request as openRequest,
} from 'node:http';
import type { Duplex } from 'node:stream';
import type { ConnectionOptions } from 'node:tls';
import type { Arriving, Sender, WireRequest } from '../exchange/exchange.js';
import { type Connector, type ConnectorOptions, openConnector } from './connector.js';

/** Maximum bytes of a response's headers. */
export const maxHeaderSize = 64 * 1024;

/** Milliseconds to keep an idle connection: fewer than most services do, so that few requests hit a closing one. */
const idle = 4000;

/** Sends with Node's HTTP client, over connections of its own. @throws ConfigError as `openConnector` does */
export function openSender(options: ConnectorOptions): Sender {
  const connector = openConnector(options);
  const agent = new ConnectingAgent(connector);
  const { host } = new URL(options.origin);
  return {
    open: (request, signal, onSent) =>
      new Promise((resolve, reject) => {
        const outgoing = openRequest({
          agent,
          method: request.method,
          path: request.path,
          headers: frame(request, host),
          setHost: false,
          maxHeaderSize,
          insecureHTTPParser: false,
          signal,
        });
        // By default, Node drops headers beyond a limit without an error.
        outgoing.maxHeadersCount = 0;
        outgoing.on('error', (error) => {
          // Node's parser adds the bytes that it could not parse, which may hold a secret.
          Reflect.deleteProperty(error, 'rawPacket');
          reject(error);
        });
        outgoing.once('socket', onSent);
        outgoing.once('response', (incoming) => resolve(readHead(incoming)));
        outgoing.end(request.body);
      }),
    async close() {
      connector.close();
      agent.destroy();
    },
  };
}

/** The connector sets the server name; without one here, Node would derive it from its default host, which is slow. */
const nameless: ConnectionOptions = { servername: '' };

/** Keeps connections alive that a connector opened. */
export class ConnectingAgent extends Agent {
  readonly #connector: Connector;
  readonly #longest: number | undefined;

  /** @param longest milliseconds to connect, if a request has no signal of its own; default: without limit */
  constructor(connector: Connector, options: AgentOptions = {}, longest?: number) {
    super({ ...nameless, keepAlive: true, timeout: idle, ...options });
    this.#connector = connector;
    this.#longest = longest;
  }

  override createConnection(
    { signal = this.#untilLongest() }: ClientRequestArgs,
    callback: (error: Error | null, stream: Duplex) => void = () => undefined,
  ): undefined {
    this.#connector.connect(signal).then(
      (socket) => callback(null, socket),
      // Node's type requires a stream even with an error, but Node ignores it.
      (error: unknown) => Reflect.apply(callback, undefined, [error]),
    );
  }

  #untilLongest(): AbortSignal {
    return this.#longest === undefined ? new AbortController().signal : AbortSignal.timeout(this.#longest);
  }
}

/** Headers that only the client sets: other values would change where a request ends. */
export const framing: ReadonlySet<string> = new Set([
  ...['connection', 'content-length', 'expect', 'host', 'keep-alive', 'te', 'trailer', 'transfer-encoding'],
  'upgrade',
]);

/** Methods whose requests state the length of their body even if it is empty. */
const withBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Adds `Host` and framing. @throws TypeError for a header that the client sets itself */
function frame({ method, headers, body }: WireRequest, host: string): string[] {
  const own = headers.find((name, at) => at % 2 === 0 && framing.has(name.toLowerCase()));
  if (own !== undefined) throw new TypeError(`the HTTP client sets the header ${own} itself`);
  const length = body?.byteLength ?? 0;
  const hasLength = length > 0 || withBody.has(method);
  const framed = ['Host', host, 'Connection', 'keep-alive', ...headers];
  return hasLength ? [...framed, 'Content-Length', String(length)] : framed;
}

function readHead(incoming: IncomingMessage): Arriving {
  const { statusCode: status = 0, headersDistinct } = incoming;
  const headers = Object.entries(headersDistinct).map(([name, values = []]) => [
    name,
    values.length === 1 ? values[0] : values,
  ]);
  return { status, headers: Object.fromEntries(headers), body: incoming };
}
