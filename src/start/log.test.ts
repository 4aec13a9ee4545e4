import { DrizzleQueryError } from 'drizzle-orm';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createLog, oncePer } from './log.ts';

function logged(error: unknown): string {
  let line = '';
  createLog('info', { write: (text) => void (line += text) }).error({ err: error }, 'A request failed');
  return line;
}

test('a failed query is logged with its text and its place, and without what a visitor sent', () => {
  const refused = new pg.DatabaseError('invalid input syntax for type uuid: "Ada at night"', 60, 'error');
  Object.assign(refused, { code: '22P02', detail: 'Key (name)=(Ada at night) is not there.' });
  const line = logged(new DrizzleQueryError('select * from audios where title ilike $1', ['%Ada at night%'], refused));
  expect(line).not.toContain('Ada at night');
  expect(JSON.parse(line)).toMatchObject({
    err: {
      message: 'Failed query: select * from audios where title ilike $1',
      stack: expect.stringContaining('log.test.ts'),
      cause: { code: '22P02' },
    },
  });
});

test('an invalid address is logged as invalid, without the address', () => {
  const line = logged(catchError(() => new URL('http://[?search=Ada')));
  expect(JSON.parse(line)).toMatchObject({ err: { type: 'TypeError', code: 'ERR_INVALID_URL' } });
  expect(line).not.toContain('Ada');
});

function catchError(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

test('of thousands of equal lines only the first of each period is written', () => {
  let now = 0;
  const written: string[] = [];
  const write = oncePer(
    1000,
    (line: string) => written.push(line),
    () => now,
  );
  write('first');
  write('second');
  now = 1000;
  write('third');
  write('fourth');
  expect(written).toEqual(['first', 'third']);
});
