import type { Api } from '../client/api.js';
import type { Transport } from '../client/transport/transport.js';
import type { AddOptions } from '../errors/advice.js';
import type { ProfileStore } from '../profiles/file/store.js';
import type { ResolvedSettings, ServiceSettings } from '../profiles/resolve.js';
import type { Flags } from '../profiles/settings/settings.js';
import type { Progress, ProgressTask } from '../terminal/interaction/progress.js';
import type { Prompt } from '../terminal/interaction/prompt.js';
import type { Printer } from '../terminal/output/printer.js';
import type { Streams } from '../terminal/output/streams.js';
import type { System } from '../terminal/process/system.js';

/** The parts of the program that commands use. Nothing is opened until it is asked for. */
export interface Context {
  readonly system: System;
  readonly streams: Streams;
  readonly home: string;
  /** Aborted by signals (with an InterruptedError), and when stdout's reader closes. */
  readonly signal: AbortSignal;
  flags(): Flags;
  clock(): number;
  settings(): ResolvedSettings;
  profiles(): ProfileStore;
  transport(): Promise<Transport>;
  /** A command that needs only one request uses `transport`, which loads faster. */
  api(): Promise<Api>;
  apiFor(service: ServiceSettings): Promise<Api>;
  printer(streams?: Streams): Promise<Printer>;
  /** For text for a shell or a file: only options choose its format. */
  textPrinter(): Promise<Printer>;
  prompt(): Promise<Prompt>;
  /** All of standard input. @throws UsageError for a terminal (the hint names `flag`), or over `maxBytes` */
  stdin(flag: string, maxBytes?: number): Promise<Buffer>;
  /** Prints a line to stderr unless `--quiet` is given. @param next a command to append */
  note(text: string, next?: readonly string[]): Promise<void>;
  /** A function that adds this command line's target to commands in hints. */
  optionAdder(): Promise<AddOptions>;
  progress(task: ProgressTask): Promise<Progress>;
  /** Sets the exit code of a run that throws no error; default: 0. */
  exitWith(code: number): void;
}
