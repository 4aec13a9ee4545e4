import { expect, test } from 'vitest';
import { csvResponse } from './csv-response.ts';

test('a file of CSV begins with a byte order mark, and is downloaded under its name', async () => {
  const response = csvResponse('log', ['Name\r\n', 'Noël\r\n']);
  expect(Buffer.from(await response.arrayBuffer()).toString()).toBe('\uFEFFName\r\nNoël\r\n');
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="log.csv"');
});
