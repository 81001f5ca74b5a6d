import fastify from 'fastify';
import { expect, it } from 'vitest';
import { answerTogether } from '../../src/server/http/answer-together.js';

it('has all requests of a turn handled before the first of them is answered', async () => {
  const events: string[] = [];
  const app = fastify();
  app.addHook('onSend', answerTogether);
  app.addHook('onSend', (_request, _reply, payload, done) => {
    events.push(`answered ${String(payload)}`);
    done();
  });
  app.get('/:number', ({ url }, reply) => {
    events.push(`handled ${url}`);
    reply.send(url);
  });
  await app.ready();
  const answers = await Promise.all(['/1', '/2', '/3'].map((url) => app.inject(url)));
  expect(answers.map(({ body }) => body)).toEqual(['/1', '/2', '/3']);
  expect(events).toEqual([
    ...['handled /1', 'handled /2', 'handled /3'],
    ...['answered /1', 'answered /2', 'answered /3'],
  ]);
});
