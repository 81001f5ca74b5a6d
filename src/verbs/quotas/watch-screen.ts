import { openScreen, type Screen } from '../../terminal/interaction/screen.js';
import { Canvas } from '../../terminal/output/canvas.js';
import { holdThroughStops } from '../../terminal/process/job-control.js';
import { sanitize } from '../../terminal/text/sanitize.js';
import { formatDuration } from '../../text/duration.js';
import { type Moment, moments, type Watch, type WatchContext } from './moments.js';
import { assertBelow } from './reading.js';
import { quotaView, type ShownRow } from './view.js';

/** Draws each reading over the previous one, and again when the terminal is resized. */
export async function watchOnScreen(watch: Watch, context: WatchContext): Promise<void> {
  const { stdout } = context.system;
  const drawing = new Drawing(await openScreen(context.streams.stdout), watch, context);
  const redraw = () => drawing.redraw();
  stdout.on('resize', redraw);
  const letGo = holdThroughStops(context.system, {
    release: () => drawing.leave(),
    retake: () => drawing.resume(),
  });
  try {
    for await (const moment of moments(watch, context)) {
      await drawing.show(moment);
      if (moment.reading !== undefined) assertBelow(watch.threshold, moment.reading);
    }
  } finally {
    stdout.off('resize', redraw);
    letGo();
    await drawing.close();
  }
}

class Drawing {
  readonly #screen: Screen;
  readonly #watch: Watch;
  readonly #context: WatchContext;
  #moment: Moment = {};
  #drawn: Promise<void> = Promise.resolve();

  constructor(screen: Screen, watch: Watch, context: WatchContext) {
    this.#screen = screen;
    this.#watch = watch;
    this.#context = context;
  }

  async show(moment: Moment): Promise<void> {
    this.#moment = moment;
    this.redraw();
    await this.#drawn;
  }

  /** Queues a drawing; if it fails, the next `show` throws. */
  redraw(): void {
    this.#drawn = this.#drawn.then(() => this.#draw());
    void Promise.allSettled([this.#drawn]);
  }

  async leave(): Promise<void> {
    await Promise.allSettled([this.#drawn]);
    await this.#screen.close();
  }

  async resume(): Promise<void> {
    await this.#screen.reopen();
    this.redraw();
  }

  /** Restores the terminal, and prints the last reading there. */
  async close(): Promise<void> {
    await this.leave();
    const { reading } = this.#moment;
    if (reading === undefined) return;
    const printer = await this.#context.printer();
    await printer.value(reading.value, reading.rows, quotaView<ShownRow>(reading.columns));
  }

  async #draw(): Promise<void> {
    await this.#screen.draw(await this.#body(), ['', ...footer(this.#moment, this.#watch.interval)]);
  }

  async #body(): Promise<string[]> {
    const { reading } = this.#moment;
    if (reading === undefined) return [];
    const { streams } = this.#context;
    const canvas = new Canvas(streams.stdout);
    const printer = await this.#context.printer(canvas.asBoth(streams));
    await printer.value(reading.value, reading.rows, quotaView<ShownRow>(reading.columns));
    return canvas.text.trimEnd().split('\n');
  }
}

function footer({ readAt, failure }: Moment, interval: number): string[] {
  const every = `every ${formatDuration(interval)}; Ctrl-C stops`;
  const read = readAt === undefined ? every : `read at ${timeOfDay(readAt)}, ${every}`;
  return failure === undefined ? [read] : [sanitize(`error: ${failure.message}`), read];
}

function timeOfDay(milliseconds: number): string {
  return new Date(milliseconds).toLocaleTimeString(undefined, { hourCycle: 'h23' });
}
