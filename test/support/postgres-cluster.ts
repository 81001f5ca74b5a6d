import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { isProgram } from './programs.js';

const password = 'a throw-away';

/** Directory of PostgreSQL's programs: Debian's newest, or one in PATH. */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const directories = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return directories.find((directory) =>
    ['initdb', 'pg_ctl', 'postgres'].every((name) => isProgram(join(directory, name))),
  );
}

/** PostgreSQL refuses to run as root, so use another user. */
function asSomebody(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  try {
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: 'pipe' }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return { uid: 65_534, gid: 65_534 };
  }
}

/** A private PostgreSQL on a free port of 127.0.0.1; `stop` deletes its directory. */
export class PostgresCluster {
  readonly #programs: string;
  readonly #user = asSomebody();
  readonly directory: string;
  readonly port: number;

  private constructor(programs: string, directory: string, port: number) {
    this.#programs = programs;
    this.directory = directory;
    this.port = port;
  }

  static async start(programs: string, settings: readonly string[] = []): Promise<PostgresCluster> {
    const directory = await mkdtemp(join(tmpdir(), 'orgctl-postgres-'));
    const cluster = new PostgresCluster(programs, directory, await freePort());
    try {
      await cluster.#initialize(settings);
      await cluster.resume();
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  get data(): string {
    return join(this.directory, 'data');
  }

  /** With the superuser's password. */
  url(database = 'postgres', query = ''): string {
    return `postgres://orgctl:${encodeURIComponent(password)}@127.0.0.1:${this.port}/${database}${query}`;
  }

  async resume(): Promise<void> {
    const log = join(this.directory, 'log');
    // Logs to a file, because the server would inherit a pipe and never close it.
    await this.#run('pg_ctl', ['start', '-w', '-D', this.data, '-l', log]).catch(async (error: unknown) => {
      throw new Error(await readFile(log, 'utf8'), { cause: error });
    });
  }

  /** `immediate` simulates a power failure. */
  async halt(mode: 'fast' | 'immediate' = 'immediate'): Promise<void> {
    await this.#run('pg_ctl', ['stop', '-w', '-D', this.data, '-m', mode]);
  }

  async stop(): Promise<void> {
    await this.halt().catch(() => undefined);
    await rm(this.directory, { recursive: true, force: true });
  }

  async #initialize(settings: readonly string[]): Promise<void> {
    const { uid, gid } = this.#user;
    if (uid !== undefined && gid !== undefined) chownSync(this.directory, uid, gid);
    chmodSync(this.directory, 0o700);
    const passwordFile = join(this.directory, 'password');
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    if (uid !== undefined && gid !== undefined) chownSync(passwordFile, uid, gid);
    await promisify(execFile)(
      join(this.#programs, 'initdb'),
      [
        ...['-D', this.data, '-U', 'orgctl', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`],
        ...['-E', 'UTF8', '--locale=C', '--no-sync'],
      ],
      { ...this.#user, cwd: this.directory },
    );
    const own = ['listen_addresses=127.0.0.1', `port=${this.port}`, 'unix_socket_directories=', 'fsync=off'];
    const lines = [...own, ...settings].map((setting) => setting.replace(/=(.*)/, " = '$1'"));
    writeFileSync(join(this.data, 'postgresql.conf'), `${lines.join('\n')}\n`, { flag: 'a' });
  }

  async #run(program: string, args: readonly string[]): Promise<void> {
    const child = spawn(join(this.#programs, program), args, {
      ...this.#user,
      cwd: this.directory,
      stdio: 'ignore',
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`${program} ${args[0]} exited with ${code}`);
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new TypeError('the probe has no port');
  return address.port;
}
