import type { DialectInput } from '../../api/dialect/dialect-input.js';
import type { PresetName } from '../../api/dialect/presets.js';
import type { FaultRuleText } from '../../api/faults/fault-rule.js';
import type { RateLimit } from '../../storage/rate-windows.js';
import type { Control } from '../control/control.js';
import type { Limits } from '../http/limits.js';
import type { Log, LoggedRequests } from '../journal/log.js';
import type { Stub } from '../stubs.js';
import type { FirstOrganizationOptions } from './first-organization.js';
import type { Seed, SeededKey } from './seed.js';

/** Writes a shell command, ready to paste, from the words after the program's name. */
export type WriteCommand = (words: readonly string[]) => string;

/** Options of a server. The defaults suit a test suite. */
export interface ServerOptions extends FirstOrganizationOptions {
  /** Name or address to listen on; default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /** Default: 0, a free port. */
  readonly port?: number | undefined;
  /** Directory for database, certificate and keys. If this and `database` are absent, no data outlives the server. */
  readonly data?: string | undefined;
  /** URI of a PostgreSQL database to use instead of the directory's. Servers that share it need the same master key. */
  readonly database?: string | undefined;
  /** Plain HTTP, on loopback hosts only; default: false. */
  readonly http?: boolean | undefined;
  /** Your own certificate (PEM text); default: one from a local authority. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** More names and addresses for the local certificate; the control API accepts them as `Host`, too. Default: none. */
  readonly tlsNames?: readonly string[] | undefined;
  /** Hosts under which other machines reach the control API; its token is still required. Default: none. */
  readonly controlHosts?: readonly string[] | undefined;
  /** Origins, such as `http://localhost:5173`, whose pages may send requests to the service (CORS). Default: none. */
  readonly cors?: readonly string[] | undefined;
  /** The management console on 127.0.0.1; default: off. Picks a free port for `true`, or if `port` is taken. */
  readonly console?: boolean | { readonly port?: number | undefined } | undefined;
  /** The key that encrypts the data: 64 hexadecimal characters. Default: `master.key` in the data directory. */
  readonly masterKey?: string | undefined;
  /** Returns milliseconds since the epoch; default: `Date.now`, looked up at each use, so that tests can fake it. */
  readonly clock?: (() => number) | undefined;
  /** Milliseconds ahead of `clock`; negative if behind. Default: 0. */
  readonly clockOffset?: number | undefined;
  /** Seconds by which a timestamp may differ from the clock; default: 300. */
  readonly maxSkew?: number | undefined;
  /** Fills an empty store. A store that has data gets the seed only at a reset. */
  readonly seed?: Seed | undefined;
  /** Requests that each API key may make; default: no limit. */
  readonly rateLimit?: RateLimit | undefined;
  /** Fault rules such as `GET /quotas=503x2`, tried in order: delays add up, until another effect applies. Default: none. */
  readonly faults?: readonly FaultRuleText[] | undefined;
  /** The API's form: a preset's name, or the contents of a dialect file; default: as in the API reference. */
  readonly dialect?: PresetName | DialectInput | undefined;
  /** Canned responses: `{ request: 'GET /connections', status: 200, body: [] }` or text, `GET /connections=200 []`. */
  readonly stubs?: readonly (string | Stub)[] | undefined;
  /** Limits that differ from the defaults, which suit a laptop. */
  readonly limits?: Partial<Limits> | undefined;
  /** Lets the control API save a key as a profile on this machine. */
  readonly saveProfile?: SaveProfile | undefined;
  /** Called at the end of a reset or restore, to replace a profile's key that is now missing; default: nothing. */
  readonly renewProfile?: RenewProfile | undefined;
  /** Called when the control API is asked to stop the server; default: the control API refuses. */
  readonly requestStop?: (() => void) | undefined;
  /** The profile for this server on this machine, reported by `status`. */
  readonly profile?: string | undefined;
  /** Turns words such as `local`, `console` into a command that controls this server; default: prepends `orgctl`. */
  readonly writeCommand?: WriteCommand | undefined;
  /** Receives requests, warnings and errors; default: no log. */
  readonly onLog?: Log | undefined;
  /** Which requests `onLog` receives; default: all. */
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

/** Saves a profile; `false` if the name is taken. @throws UsageError for an invalid name, ConfigError if unwritable */
export type SaveProfile = (profile: ProfileToSave) => Promise<boolean>;

/** The keys that a profile of the server can have. */
export interface ProfileKeys {
  /** The key with this ID, in any organization. */
  find(keyId: string): Promise<ProfileKey | undefined>;
  /** The first key; issues another if it is deleted or disabled. @throws ServiceError `quota_exceeded` */
  first(): Promise<ProfileKey>;
}

/** A key of this server and its secret. */
export interface ProfileKey extends Pick<ProfileToSave, 'keyId' | 'secret'> {
  readonly enabled: boolean;
}

/** Replaces the key of a profile for the server at `url`, if a reset or restore removed it. */
export type RenewProfile = (url: string, keys: ProfileKeys) => Promise<void>;

/** A running server. */
export interface RunningServer {
  /** Without a trailing slash. */
  readonly url: string;
  /** PEM file of the issuing authority; absent with plain HTTP or a custom certificate. */
  readonly caFile?: string;
  /** The first API key's ID. */
  readonly keyId: string;
  readonly secret: string;
  readonly organization: string;
  readonly data?: string;
  /** The shared database, without user and password. */
  readonly database?: string;
  /** Keys for a profile of this server. */
  readonly profileKeys: ProfileKeys;
  /** The seed's keys that exist, with their secrets; absent without a seed. */
  readonly seededKeys?: readonly SeededKey[];
  /** The bearer token of the control API under `/_control`. */
  readonly controlToken: string;
  /** A link to the console for one browser, if there is a console; `control.consoleLink` creates more. */
  readonly console?: string;
  /** Controls the server while it runs; the journal is readable even after `close`. */
  readonly control: Control;
  /** Gives requests in progress up to 5 seconds to finish, then releases everything. */
  close(): Promise<void>;
  /** `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
