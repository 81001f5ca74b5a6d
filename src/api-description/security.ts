import { basicAuthorization } from '../signing/basic/basic.js';
import { signatureHeader } from '../signing/hmac/signature.js';
import { canonicalPartsInWords, headersInWords, signingExamples } from '../signing/mistakes/in-words.js';

const schemeNames = {
  [signatureHeader.key]: 'hmacKey',
  [signatureHeader.timestamp]: 'hmacTimestamp',
  [signatureHeader.signature]: 'hmacSignature',
};

export const security = [
  Object.fromEntries(Object.values(schemeNames).map((name) => [name, []])),
  { basic: [] },
] as const;

/** OpenAPI has no scheme for signatures, so each header of HMAC mode is a scheme of its own. */
export function securitySchemes() {
  const { withBody, withoutBody } = signingExamples();
  const ofHeaders = headersInWords.flatMap(([header, what]) =>
    header === 'Content-Type' ? [] : [[schemeNames[header], makeScheme(header, what)] as const],
  );
  return {
    ...Object.fromEntries(ofHeaders),
    [schemeNames[signatureHeader.signature]]: {
      ...makeScheme(signatureHeader.signature, signatureInWords()),
      'x-test-vectors': [withoutBody, withBody],
    },
    basic: {
      type: 'http',
      scheme: 'basic',
      description:
        'Base64 of key ID, colon and secret. The secret travels with every request, so use this mode only over HTTPS.',
      'x-source': 'ref',
      'x-test-vectors': [
        {
          keyId: 'key_example',
          secret: withBody.secret,
          headers: { Authorization: basicAuthorization({ keyId: 'key_example', secret: withBody.secret }) },
        },
      ],
    },
  };
}

function makeScheme(header: string, description: string) {
  return { type: 'apiKey', in: 'header', name: header, description, 'x-source': 'ref' };
}

function signatureInWords(): string {
  const [, what] = headersInWords.find(([header]) => header === signatureHeader.signature) ?? [];
  const parts = canonicalPartsInWords.map(([part, meaning], at) => `${at + 1}. ${part}: ${meaning}`);
  return [
    `${what}. The canonical string is five values joined with single line feeds, with none after the last:`,
    '',
    ...parts,
    '',
    'Changing any of these values makes the signature invalid. The secret is never sent.',
  ].join('\n');
}
