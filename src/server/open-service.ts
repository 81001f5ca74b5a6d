import { Faults } from '../api/faults/faults.js';
import { readMessage, readSystemCode } from '../errors/errors.js';
import { defaultMaxSkew } from '../signing/hmac/timestamp.js';
import { RateLimiter } from './admission/rate-limiter.js';
import { UsageRecorder } from './admission/usage-recorder.js';
import { corsHeaders, handleRequest } from './handle-request.js';
import { defaultLimits } from './http/limits.js';
import { type Handle, Listener } from './http/listener.js';
import { isServiceTarget, ownTargets } from './http/url-space.js';
import { Journal } from './journal/journal.js';
import type { Notify } from './journal/log.js';
import { Recorder } from './journal/recorder.js';
import type { Service, ServiceParts } from './service.js';
import { Stubs } from './stubs.js';

/** @param openControl loads the control API: servers start faster without it */
export function openService(parts: ServiceParts, openControl: () => Promise<Handle>): Service {
  const { options, store, notify, dialect, tls, serverClock } = parts;
  const clock = serverClock.now;
  const report = (error: unknown) => notify('error', readMessage(error));
  const journal = new Journal(clock);
  const recorder = new Recorder(journal, options.onLog, options.logged);
  const listener = new Listener({
    tls,
    limits: { ...defaultLimits, ...options.limits },
    clock,
    report,
    finish(headers, request) {
      if (options.cors !== undefined) headers.push(...corsHeaders(request, options.cors));
      dialect?.spell(headers);
    },
    handle: (request, response) => handleRequest(request, response, service, openControl),
    onBroken: (refusal) =>
      recorder.record({ ...unreadable, time: clock(), status: refusal.statusCode }, refusal),
    onHandshakeFailure: (error) => noteHandshake(error, notify),
  });
  const service: Service = {
    ...parts,
    clock,
    maxSkew: options.maxSkew ?? defaultMaxSkew,
    faults: new Faults(options.faults, isServiceTarget),
    stubs: new Stubs(options.stubs),
    rateLimiter: new RateLimiter(options.rateLimit, clock, store.rateWindows),
    usage: new UsageRecorder(store.apiKeys, clock, report),
    journal,
    recorder,
    targets: dialect?.targets ?? ownTargets,
    report,
    listener,
    protocol: tls ? 'https' : 'http',
    console: undefined,
  };
  return service;
}

/** A request of which nothing is known. */
const unreadable = { method: '-', target: '-', milliseconds: 0, rawHeaders: [] };

const handshakeFailures: Readonly<Record<string, string>> = {
  ERR_SSL_HTTP_REQUEST: 'a client sent plain HTTP to the HTTPS port: its URL must begin with https://',
  ERR_SSL_NO_APPLICATION_PROTOCOL: 'a client accepts only HTTP/2, but the server speaks HTTP/1.1',
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: 'a client does not trust the certificate: give it the CA file',
};

function noteHandshake(error: Error, notify: Notify): void {
  const code = readSystemCode(error) ?? '';
  notify('warning', handshakeFailures[code] ?? `a TLS handshake failed: ${readMessage(error)}`);
}
