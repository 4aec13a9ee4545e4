import { Readable } from 'node:stream';

/** A file of CSV, streamed because it may be long. Spreadsheets read it as UTF-8 only with a byte order mark. */
export function csvResponse(name: string, lines: AsyncIterable<string> | Iterable<string>): Response {
  async function* marked() {
    yield '\uFEFF';
    yield* lines;
  }
  const body = Readable.toWeb(Readable.from(marked(), { objectMode: false })) as ReadableStream;
  return new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.csv"`,
      'cache-control': 'private, no-store',
    },
  });
}
