import type { DialectInput } from '../../api/dialect/dialect.js';
import type { PresetName } from '../../api/dialect/presets.js';
import type { RateLimit } from '../../storage/rate-windows.js';
import type { WriteCommand } from '../explain/command-writer.js';
import type { Limits } from '../http/limits.js';
import type { Log, LoggedRequests } from '../journal/log.js';
import type { Stub } from '../stubs/stub.js';
import type { FirstOrganizationOptions } from './first-organization.js';
import type { Seed } from './seed.js';

/** Options of a server. All defaults suit a test suite. */
export interface ServerOptions extends FirstOrganizationOptions {
  /** Name or address to listen on; default `127.0.0.1`. */
  readonly host?: string | undefined;
  /** Default 0: a free one. */
  readonly port?: number | undefined;
  /** Directory for database, certificate and keys. Without one, nothing outlives the server. */
  readonly data?: string | undefined;
  /**
   * Connection URI of a PostgreSQL database that any number of servers share, instead of one in the directory; they all
   * need the same master key.
   */
  readonly database?: string | undefined;
  /** Plain HTTP, on loopback hosts only. */
  readonly http?: boolean | undefined;
  /** A certificate of one's own, as PEM text; otherwise a local authority issues one. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Further names and addresses in the certificate that the local authority issues; the control API takes them as `Host`, too. */
  readonly tlsNames?: readonly string[] | undefined;
  /** Names and addresses under which the control API also answers other machines; its token is required all the same. */
  readonly controlHosts?: readonly string[] | undefined;
  /** The management console, on 127.0.0.1 alone; off by default. `true` for a free port, as in place of one that is taken. */
  readonly console?: boolean | { readonly port?: number | undefined } | undefined;
  /** The key that data is encrypted with, 64 hexadecimal characters, instead of a file beside the data. */
  readonly masterKey?: string | undefined;
  /**
   * The server's clock, in milliseconds since the epoch; default: `Date.now`, as it is at each moment, so that a test
   * that fakes it moves client and server together. Pass a clock to avoid that.
   */
  readonly clock?: (() => number) | undefined;
  /** Milliseconds by which the server's clock is ahead of that, or behind when negative. */
  readonly clockOffset?: number | undefined;
  /** Seconds by which a request's timestamp may differ from the clock; default 300. */
  readonly maxSkew?: number | undefined;
  /** What an empty store begins with; one that is not empty is left as it is. */
  readonly seed?: Seed | undefined;
  /** How many requests each API key may make; default: no limit. */
  readonly rateLimit?: RateLimit | undefined;
  /** Rules by which requests go wrong, such as `GET /quotas=503x2`; asked in their order. */
  readonly faults?: readonly string[] | undefined;
  /** The form of answers where the API reference shows nothing: a preset's name, or what a dialect file has. */
  readonly dialect?: PresetName | DialectInput | undefined;
  /** Answers by hand, such as `{ request: 'GET /connections', status: 200, body: [] }` or `GET /connections=200 []`. */
  readonly stubs?: readonly (string | Stub)[] | undefined;
  /** How much of the server one client can take up, if other than the defaults. */
  readonly limits?: Partial<Limits> | undefined;
  /** Saves an issued key as a profile of this machine, when the control API is asked to; without it, it cannot. */
  readonly saveProfile?: SaveProfile | undefined;
  /** The profile by which commands on this machine find the server, where somebody keeps one: its status tells it. */
  readonly profile?: string | undefined;
  /** Writes a command that steers this server from its words, such as `local`, `console`; default `orgctl` before them. */
  readonly writeCommand?: WriteCommand | undefined;
  /** Told of requests and of what goes wrong. */
  readonly onLog?: Log | undefined;
  /** Which requests `onLog` is told of; default all. */
  readonly logged?: LoggedRequests | undefined;
}

/** A key of the server, with everything that a client needs. */
export interface ProfileToSave {
  readonly name: string;
  readonly url: string;
  readonly keyId: string;
  readonly secret: string;
  readonly caFile?: string | undefined;
}

/**
 * Keeps a profile under a name that is free: answers `false`, and changes nothing, where it is not.
 * @throws UsageError for what is no name, ConfigError when it cannot be kept
 */
export type SaveProfile = (profile: ProfileToSave) => Promise<boolean>;
