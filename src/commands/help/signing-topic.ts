import { knownMistakes } from '../../signing/explain-mismatch.js';
import { canonicalPartsInWords, headersInWords, signingExamples } from '../../signing/in-words.js';
import { definitionList, indented, paragraph } from '../help-format.js';
import type { Topic } from './topic.js';

/** The scheme of the reference, section 5, mode B, in short. */
export const signingTopic: Topic = {
  name: 'signing',
  summary: 'the signature: canonical string, example, known mistakes',
  value: () => ({
    headers: headersInWords.map(([name, value]) => ({ name, value })),
    canonicalString: canonicalPartsInWords.map(([part, value]) => ({ part, value })),
    example: example(),
    mistakes: knownMistakes,
  }),
  text: (width) => sections(width).join('\n'),
};

function example() {
  const { secret, canonicalString, headers } = signingExamples().withBody;
  return { secret, canonicalString, headers };
}

function sections(width: number): string[] {
  const { secret, canonicalString: canonical, headers: exampleHeaders } = example();
  const headerLines = Object.entries(exampleHeaders).map(([name, value]) => `${name}: ${value}\n`);
  return [
    paragraph(
      'With --auth hmac, the default, these headers authenticate a request; the secret is never sent:',
      width,
    ),
    definitionList(headersInWords, width),
    paragraph('The canonical string is five values joined by single line feeds, none after the last:', width),
    definitionList(canonicalPartsInWords, width),
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
