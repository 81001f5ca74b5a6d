import { expect, it } from 'vitest';
import { readEnabled } from '../../../src/client/reading/record/enabled-mark.js';

const past = '2026-01-01T00:00:00Z';

it.each([
  ...[{ disabled: true }, { is_disabled: 1 }, { isDisabled: true }, { active: false }, { is_active: 0 }],
  ...[{ isActive: false }, { isEnabled: false }, { status: 'disabled' }, { state: 'Inactive' }],
  ...[{ disabled_at: past }, { disabledAt: 1_767_225_600 }, { deactivated_on: past }],
  ...[
    { disabled: true, disabled_at: null },
    { disabled: true, status: 'inactive' },
  ],
])('a key with %j is disabled', (mark) => {
  expect(readEnabled({ id: 'key_1', name: 'a', ...mark })).toBe(false);
});

it.each([
  ...[{ disabled: false }, { active: true }, { is_active: 1 }, { status: 'ACTIVE' }, { state: 'enabled' }],
  ...[{ disabled_at: null }, { disabled_at: '0001-01-01T00:00:00Z' }, { disabledAt: '2999-01-01T00:00:00Z' }],
])('a key with %j is enabled', (mark) => {
  expect(readEnabled({ id: 'key_1', name: 'a', ...mark })).toBe(true);
});

it.each([
  ...[{}, { status: 'suspended' }, { status: 1 }, { disabled: 'true' }, { disabled: null }, { active: 2 }],
  ...[{ disabled_at: '' }, { disabled_at: 'x' }, { disabled_by: 'x' }, { disabled: true, status: 'active' }],
  { status: 'active', disabled_at: past },
])('a key with %j does not say', (mark) => {
  expect(readEnabled({ id: 'key_1', name: 'a', ...mark })).toBe(undefined);
});
