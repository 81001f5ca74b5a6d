import type { RequestListener } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { errorAnswer } from '../http/answer-error.js';
import { loadPart } from './load-part.js';

/** An app that is loaded and built by its first request, or earlier by `prepare`. */
export class LateApp {
  readonly #load: () => Promise<FastifyInstance>;
  readonly #report: (error: unknown) => void;
  #loading: Promise<FastifyInstance> | undefined;
  #ready: FastifyInstance | undefined;

  constructor(load: () => Promise<FastifyInstance>, report: (error: unknown) => void) {
    this.#load = load;
    this.#report = report;
  }

  readonly answer: RequestListener = (request, response) => {
    if (this.#ready !== undefined) return this.#ready.routing(request, response);
    this.#open().then(
      (app) => app.routing(request, response),
      (error: unknown) => {
        this.#report(error);
        const { status, headers, body } = errorAnswer(error);
        response.writeHead(status, { ...headers, connection: 'close' }).end(body);
      },
    );
  };

  /** Ignores a failure: the first request tries again and reports it. */
  prepare(): void {
    this.#open().catch(() => undefined);
  }

  async close(): Promise<void> {
    await (await this.#loading?.catch(() => undefined))?.close();
  }

  #open(): Promise<FastifyInstance> {
    this.#loading ??= loadPart(this.#load).then(
      (app) => {
        this.#ready = app;
        return app;
      },
      (error: unknown) => {
        this.#loading = undefined;
        throw error;
      },
    );
    return this.#loading;
  }
}
