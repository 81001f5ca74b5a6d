import { describe, expect, it } from 'vitest';
import {
  canonicalString,
  type ExplainableRequest,
  explainMismatch,
  hmacSignature,
  knownMistakes,
} from '../../../src/signing/index.js';
import { describeMistakes } from '../../../src/signing/mistakes/attempt/signing-attempt.js';
import { type ClassicMistake, classicMistakes, keyId, secret } from './classic-mistakes.js';

const timestamp = '1700000000';
const origin = 'https://api.example.com';

function explain({ sent, sign }: ClassicMistake) {
  const request: ExplainableRequest = { ...sent, timestamp, origin, keyId };
  const signature = sign({ secret, keyId, timestamp, origin });
  // As a server explains it: with little time.
  return { request, signature, explained: explainMismatch({ secret, request, signature }, false) };
}

describe('mistakes of people who write their client by hand', () => {
  it.each(classicMistakes)('$title', (made) => {
    const { explained } = explain(made);
    expect(explained.mistake?.id).toBe(made.id);
    const known = knownMistakes.filter(({ id }) => id === made.id);
    if (made.id === undefined) expect(explained.reason).toMatch(/wrong secret, or different data was/);
    else
      expect(explained).toMatchObject({
        reason: describeMistakes(known),
        mistake: { advice: known[0]?.advice },
      });
  });

  it('are named, at least 44 of 48', () => {
    const named = classicMistakes.filter((made) => explain(made).explained.mistake !== undefined);
    expect(classicMistakes).toHaveLength(48);
    expect(named.length).toBeGreaterThanOrEqual(44);
  });

  it('come with what programs need to correct them, without a secret or a valid signature', () => {
    for (const made of classicMistakes.filter(({ id }) => id !== undefined)) {
      const { explained, request } = explain(made);
      expect(explained.corrections, made.title).not.toEqual([]);
      const text = JSON.stringify(explained);
      expect(text).not.toContain(secret);
      expect(text).not.toContain(hmacSignature(secret, canonicalString(request)));
    }
  });

  it('have one text each', () => {
    for (const text of ['id', 'description'] as const) {
      const texts = knownMistakes.map((mistake) => mistake[text]);
      expect(new Set(texts).size).toBe(texts.length);
    }
  });
});
