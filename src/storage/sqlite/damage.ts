import { isUtf8 } from 'node:buffer';
import { z } from '../../api/schema/schema.js';
import { countNoun } from '../../text/count-noun.js';
import type { SqliteConnection } from './connection.js';
import { digestName, digestSchema, schemaText } from './schema-digest.js';

const maxDamages = 10;

const batchRows = 1000;

/** Bytes of the largest database that is checked thoroughly without `full`. */
const thoroughUpTo = 16 * 1024 * 1024;

const numberSchema = z.object({ value: z.number() });
const bytes = z.nullable(z.instanceof(Uint8Array));
const bytesSchema = z.object({ bytes });
const batchSchema = z.object({ bytes, last: z.nullable(z.number()) });

/** `name` and `type` are plain words, because both are inserted into queries. */
interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
}

/**
 * Lists up to 10 problems of a database. `full` compares rows with indexes even in a large database. Reads stored text
 * as bytes, because libsql aborts the process on invalid UTF-8.
 * @throws SQLite's error for an unreadable database
 */
export function findDamage(database: SqliteConnection, full: boolean): string[] {
  const schema = readValue(database, schemaText);
  if (schema.length === 0) return [];
  if (!isUtf8(schema)) return ['its schema has invalid UTF-8'];
  const stored = storedDigest(database);
  if (stored !== undefined && stored !== digestSchema(schema)) return ['its schema was altered'];
  const check = full || databaseBytes(database) <= thoroughUpTo ? 'integrity_check' : 'quick_check';
  const pages = pageDamage(database, check);
  // Reading rows from broken pages may never end.
  if (pages.length > 0) return pages;
  return [
    ...danglingRows(database),
    ...listTables(database).flatMap((table) => valueDamage(database, table)),
  ].slice(0, maxDamages);
}

function storedDigest(database: SqliteConnection): string | undefined {
  const { value } = readNumber(
    database,
    "select count(*) as value from sqlite_schema where type = 'table' and name = 'settings'",
  );
  if (value === 0) return undefined;
  const kept = readValue(
    database,
    `select cast(value as blob) as bytes from settings where name = '${digestName}'`,
  );
  return kept.length === 0 ? undefined : kept.toString('latin1');
}

function pageDamage(database: SqliteConnection, check: 'integrity_check' | 'quick_check'): string[] {
  const text = readValue(
    database,
    `select cast(group_concat(${check}, char(10)) as blob) as bytes
      from (select ${check} from pragma_${check} limit ${maxDamages})`,
  ).toString();
  return text === 'ok' ? [] : text.split('\n').filter((line) => line !== '' && !line.startsWith('***'));
}

function danglingRows(database: SqliteConnection): string[] {
  const { value } = readNumber(database, 'select count(*) as value from pragma_foreign_key_check');
  return value === 0 ? [] : [`${countNoun(value, 'row')} whose organization is missing`];
}

function listTables(database: SqliteConnection): string[] {
  return splitBytes(
    readValue(
      database,
      `select cast(group_concat(name, char(10)) as blob) as bytes from sqlite_schema
        where type = 'table' and name not like 'sqlite\\_%' escape '\\'`,
    ),
  );
}

function listColumns(database: SqliteConnection, table: string): TableColumn[] {
  const described = readValue(
    database,
    `select cast(group_concat(name || ' ' || lower(type) || ' ' || ("notnull" or pk), char(10)) as blob) as bytes
      from pragma_table_info('${table}')`,
  );
  return described
    .toString()
    .split('\n')
    .map((line) => line.split(' '))
    .map(([name = '', type = '', required]) => ({ name, type, required: required === '1' }))
    .filter(({ name, type }) => isWord(name) && isWord(type));
}

function valueDamage(database: SqliteConnection, table: string): string[] {
  const columns = listColumns(database, table);
  const strange = columns.map(({ name, type, required }) => {
    const types = [type, ...(required ? [] : ['null'])].map((one) => `'${one}'`).join(', ');
    return `typeof(${name}) not in (${types})`;
  });
  const { value } = readNumber(
    database,
    `select count(*) as value from ${table} where ${strange.join(' or ') || '0'}`,
  );
  const found =
    value === 0
      ? []
      : [`${table}: ${countNoun(value, 'row')} with a value whose type differs from the column's`];
  const texts = columns.filter(({ type }) => type === 'text').map(({ name }) => name);
  return areTextsWhole(database, table, texts) ? found : [...found, `${table}: invalid UTF-8`];
}

function areTextsWhole(database: SqliteConnection, table: string, texts: readonly string[]): boolean {
  // Without the line feed, two halves of a character in adjacent columns would look like one valid character.
  const joined = texts.map((name) => `ifnull(${name}, '')`).join(' || char(10) || ');
  if (joined === '') return true;
  const batch = database.prepare(
    `select max(at) as last, cast(group_concat(texts, char(10)) as blob) as bytes
      from (select rowid as at, ${joined} as texts from ${table} where rowid > ? order by rowid limit ${batchRows})`,
  );
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const { last, bytes } = batchSchema.parse(batch.get(after));
    if (last === null) return true;
    if (last <= after) return false;
    if (bytes !== null && !isUtf8(Buffer.from(bytes))) return false;
    after = last;
  }
}

function databaseBytes(database: SqliteConnection): number {
  return readNumber(
    database,
    'select page_count * page_size as value from pragma_page_count, pragma_page_size',
  ).value;
}

function readNumber(database: SqliteConnection, query: string): { value: number } {
  return numberSchema.parse(database.prepare(query).get());
}

function readValue(database: SqliteConnection, query: string): Buffer {
  const row = database.prepare(query).get();
  const { bytes } = row === undefined ? { bytes: null } : bytesSchema.parse(row);
  return bytes === null ? Buffer.alloc(0) : Buffer.from(bytes);
}

function splitBytes(bytes: Buffer): string[] {
  return bytes.toString().split('\n').filter(isWord);
}

function isWord(text: string): boolean {
  return /^[a-z_]+$/.test(text);
}
