import { expect, it } from 'vitest';
import { readDeletionMark } from '../../../src/client/reading/deletion-mark.js';

it.each([
  ...[{ deleted: true }, { deleted: 1 }, { is_deleted: true }, { isDeleted: 1 }, { removed: true }],
  ...[{ status: 'deleted' }, { status: 'DELETED' }, { state: 'deleted' }, { lifecycle_state: 'Removed' }],
  ...[{ deleted_at: '2026-01-01T00:00:00Z' }, { deletedAt: '2026-01-01T00:00:00Z' }],
  ...[{ revoked: true }, { status: 'revoked' }, { revoked_at: '2026-01-01T00:00:00Z' }],
  ...[{ removed_at: 1767225600 }, { deletedOn: '2026-01-01' }, { deleted: false, status: 'deleted' }],
])('a record with %j is deleted', (mark) => {
  expect(readDeletionMark({ id: 'team_1', name: 'a', ...mark })).toBe(true);
});

it.each([
  ...[{ status: 'deleting' }, { status: 'archived' }, { archived_at: '2026-01-01T00:00:00Z' }],
  ...[{ active: false }, { trashed: true }, { is_deleted: 'false' }, { deleted_by: 'x' }, { state: true }],
  ...[{ removed_at: null }, { removed_at: '' }, { deletedAt: '2999-01-01T00:00:00Z' }, { deleted: 'x' }],
  { deleted_at: '0001-01-01T00:00:00Z' },
])('a record with %j says nothing of that', (mark) => {
  expect(readDeletionMark({ id: 'team_1', name: 'a', ...mark })).toBe(undefined);
});

it.each([{ deleted: false }, { is_deleted: 0 }, { isDeleted: false, deleted_at: null }])(
  'a record with %j is not deleted',
  (mark) => {
    expect(readDeletionMark({ id: 'team_1', ...mark })).toBe(false);
  },
);
