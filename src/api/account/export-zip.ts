import { Zip, ZipDeflate, strToU8 } from 'fflate';
import { LazyRows } from '#domain/kernel/lazy-rows.ts';

/**
 * A ZIP with one JSON file for each part of the data. It is read as fast as the database answers, and what a slow client
 * has not taken waits compressed: a connection of the pool is not held for as long as a download takes.
 * @param onFailure the stream then breaks off
 */
export function zipOf(
  files: Record<string, unknown>,
  onFailure: (error: unknown) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let isWanted = true;
  return new ReadableStream({
    start(controller) {
      const zip = new Zip((error, piece, isLast) => {
        if (!isWanted) return;
        if (error !== null) throw error;
        controller.enqueue(piece as Uint8Array<ArrayBuffer>);
        if (isLast) controller.close();
      });
      // Not awaited: the stream would answer nothing before its start has ended.
      void write(zip).catch((error: unknown) => {
        if (!isWanted) return;
        onFailure(error);
        controller.error(error);
      });
    },
    cancel() {
      isWanted = false;
    },
  });

  async function write(zip: Zip): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      const file = new ZipDeflate(`${name}.json`);
      zip.add(file);
      for await (const text of piecesOf(content)) {
        if (!isWanted) return;
        file.push(strToU8(text));
      }
      file.push(new Uint8Array(), true);
    }
    zip.end();
  }
}

/** As `JSON.stringify(value, null, 2)` writes it. */
async function* piecesOf(value: unknown, indent = ''): AsyncGenerator<string> {
  const inner = `${indent}  `;
  if (value instanceof LazyRows) {
    let isFirst = true;
    for await (const rows of value.pages())
      for (const row of rows) {
        yield `${isFirst ? '[' : ','}\n${inner}`;
        isFirst = false;
        yield* piecesOf(row, inner);
      }
    yield isFirst ? '[]' : `\n${indent}]`;
  } else if (hasRows(value)) {
    let before = '{';
    for (const [name, own] of Object.entries(value)) {
      if (own === undefined) continue;
      yield `${before}\n${inner}${JSON.stringify(name)}: `;
      before = ',';
      yield* piecesOf(own, inner);
    }
    yield `\n${indent}}`;
  } else yield JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`);
}

function hasRows(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).some((own) => own instanceof LazyRows || hasRows(own));
}
