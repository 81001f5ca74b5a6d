import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import type { TypedView } from '../../terminal/output/printer.js';
import type { RotatedKey } from '../../verbs/api-keys/rotation/retire-key.js';
import {
  type RotateOptions,
  type RotationContext,
  rotateKey,
} from '../../verbs/api-keys/rotation/rotate-key.js';
import { adviseIfUnwritten } from '../../verbs/done-unwritten.js';
import { requireName } from '../../verbs/resource/required-name.js';

const rotatedKeyView: TypedView<RotatedKey> = {
  columns: [
    { header: 'PROFILE', value: 'profile' },
    { header: 'KEY ID', value: 'keyId' },
    { header: 'REPLACED', value: 'replaced', id: true },
    { header: 'OLD KEY', value: ({ oldKeyDeleted }) => (oldKeyDeleted ? 'deleted' : 'still valid') },
  ],
  fields: ['oldKeyDeleted'],
  example: { profile: 'example', keyId: 'key_0', replaced: 'key_1', oldKeyDeleted: true },
};

export function rotate(command: Command, context: Context): void {
  withExamples(
    command
      .description(
        "Replace the active profile's key: create a new one, verify it with a GET, store it in the profile, and delete the old one. If it is interrupted, the profile still works: run the command again.",
      )
      .option(
        '--name <name>',
        'name of the new key, such as the one in an organization file; default: "orgctl PROFILE SUFFIX" with a random suffix',
      )
      .option('--keep-old', 'leave the old key valid')
      .option(
        '--restart',
        'create another key instead of using the unverified one of an interrupted run, and leave that one valid',
      )
      .option('-y, --yes', 'do not prompt'),
    [
      ['orgctl api-keys rotate -p prod', 'a new key for prod'],
      ['orgctl api-keys rotate --keep-old', 'if others still use the old key'],
    ],
    {
      calls: 'service',
      writes: ['service', 'profiles'],
      asks: 'on a terminal, unless --yes',
      exits: ['quota_exceeded'],
    },
  ).action((options) => rotateProfileKey(options, context));
}

async function rotateProfileKey(options: RotateOptions, context: RotationContext): Promise<void> {
  if (options.name !== undefined) requireName(options.name);
  const printer = await context.printer();
  printer.check(rotatedKeyView, 'value');
  const rotated = await rotateKey(options, context);
  const { profile, keyId, replaced, oldKeyDeleted } = rotated;
  const fate = oldKeyDeleted ? 'was deleted' : 'is still valid';
  await adviseIfUnwritten(printer.one(rotated, rotatedKeyView), {
    hint: `profile ${JSON.stringify(profile)} has the new key ${keyId} and its secret; ${replaced} ${fate}`,
  });
}
