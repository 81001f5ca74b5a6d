import { canonicalString } from '../../signing/canonical-string.js';
import { knownMistakes } from '../../signing/explain-mismatch.js';
import { signatureHeader, signedHeaders } from '../../signing/signature.js';
import { definitionList, indented, paragraph } from '../help-format.js';
import type { Topic } from './topic.js';

const headers = [
  [signatureHeader.key, 'the API key ID'],
  [signatureHeader.timestamp, "Unix time in seconds, at most about 5 minutes off the service's clock"],
  [
    signatureHeader.signature,
    'HMAC-SHA256 of the canonical string, keyed with the secret as it is (UTF-8), in lower-case hexadecimal',
  ],
  ['Content-Type', 'where there is a body'],
] as const;

const canonicalParts = [
  ['METHOD', 'in upper case'],
  ['PATH?QUERY', "as on the request line, the base URL's path included; not the full URL"],
  ['TIMESTAMP', `the value of ${signatureHeader.timestamp}`],
  ['CONTENT-TYPE', 'the exact value of the header; empty without a body, even if the header is there'],
  ['BODY', 'the bytes exactly as sent; empty without a body'],
] as const;

const exampleCredential = { keyId: 'key_example', secret: '0123456789abcdef'.repeat(4) };
const exampleRequest = {
  method: 'POST',
  target: '/connections',
  timestamp: '1700000000',
  contentType: 'application/json',
  body: Buffer.from('{"name":"app"}'),
};

/** The scheme of the reference, section 5, mode B, in short. */
export const signingTopic: Topic = {
  name: 'signing',
  summary: 'the signature: canonical string, example, known mistakes',
  value: () => ({
    headers: headers.map(([name, value]) => ({ name, value })),
    canonicalString: canonicalParts.map(([part, value]) => ({ part, value })),
    example: example(),
    mistakes: knownMistakes,
  }),
  text: (width) => sections(width).join('\n'),
};

function example() {
  return {
    secret: exampleCredential.secret,
    canonicalString: canonicalString(exampleRequest).toString('utf8'),
    headers: {
      ...signedHeaders(exampleCredential, exampleRequest),
      'Content-Type': exampleRequest.contentType,
    },
  };
}

function sections(width: number): string[] {
  const { secret, canonicalString: canonical, headers: exampleHeaders } = example();
  const headerLines = Object.entries(exampleHeaders).map(([name, value]) => `${name}: ${value}\n`);
  return [
    paragraph(
      'With --auth hmac, the default, these headers authenticate a request; the secret is never sent:',
      width,
    ),
    definitionList(headers, width),
    paragraph('The canonical string is five values joined by single line feeds, none after the last:', width),
    definitionList(canonicalParts, width),
    `Example, with the secret ${secret}:\n`,
    indented(`${canonical.replaceAll('\n', '⏎\n')}\n`, 2),
    indented(headerLines.join(''), 2),
    paragraph(
      'orgctl sign METHOD TARGET shows all of this for a request of your own. If the service answers "Invalid API signature", orgctl sign --check SIGNATURE METHOD TARGET --timestamp SECONDS names the mistake. A signature is often made:',
      width,
    ),
    definitionList(
      knownMistakes.map(({ id, description, advice }) => [id, `${description}: ${advice}`]),
      width,
    ),
  ];
}
