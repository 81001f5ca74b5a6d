import { createHmac } from 'node:crypto';
import { Agent, type Dispatcher } from 'undici';
import { onTestFinished } from 'vitest';
import type { SignOptions } from '../../../src/client/signing/authenticate.js';
import { signInterceptor } from '../../../src/client/signing/sign-interceptor.js';

import type { Peer, RecordedRequest } from '../../support/hostile-peer.js';
import { credential } from './credential.js';
import { noon } from './open-client.js';

function openAgent(): Agent {
  const agent = new Agent();
  onTestFinished(() => agent.destroy());
  return agent;
}

function signingAgent({ origin }: Peer, options: Partial<SignOptions> = {}): Dispatcher {
  return openAgent().compose(signInterceptor({ ...credential, origin, clock: () => noon, ...options }));
}

type RequestOptions = Omit<Dispatcher.RequestOptions, 'origin' | 'path' | 'method'> & {
  readonly path?: string;
  readonly method?: 'GET' | 'POST';
};

export async function send(
  peer: Peer,
  options: RequestOptions,
  dispatcher = signingAgent(peer),
): Promise<RecordedRequest> {
  const { body } = await dispatcher.request({
    origin: peer.origin,
    path: '/quotas',
    method: 'GET',
    ...options,
  });
  await body.dump();
  const request = peer.requests.at(-1);
  if (request === undefined) throw new Error('nothing was received');
  return request;
}

export function signatureOf(
  method: string,
  target: string,
  contentType: string,
  body: string | Buffer,
): string {
  const head = `${method}\n${target}\n${noon / 1000}\n${contentType}\n`;
  return createHmac('sha256', credential.secret).update(head).update(body).digest('hex');
}
