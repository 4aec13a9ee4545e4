/** Stored sound is split into chunks, so that a download can stop anywhere and a seek reads little. */
export const chunkBytes = 1024 * 1024;

export type Slice = { chunk: number; from: number; to: number };

export function chunksOf(size: number): number {
  return Math.ceil(size / chunkBytes);
}

/** Parts of chunks that contain these bytes. @param end inclusive */
export function slicesOf(start: number, end: number): Slice[] {
  const slices: Slice[] = [];
  for (let chunk = Math.floor(start / chunkBytes); chunk * chunkBytes <= end; chunk += 1) {
    const offset = chunk * chunkBytes;
    slices.push({ chunk, from: Math.max(0, start - offset), to: Math.min(chunkBytes, end + 1 - offset) });
  }
  return slices;
}

/**
 * One range of a Range header (RFC 9110 §14.1.2).
 * @returns undefined when the whole file should be sent; `'unsatisfiable'` beyond the end
 */
export function rangeIn(
  header: string | null,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < start) return undefined;
  return start > end ? 'unsatisfiable' : { start, end };
}

/** Splits bytes that arrive in pieces of any size into chunks. `rest` is the last, shorter one. */
export function createChunker() {
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let waiting = 0;

  function take(bytes: number): Uint8Array<ArrayBuffer> {
    const chunk = new Uint8Array(bytes);
    let filled = 0;
    while (filled < bytes) {
      const [piece] = pieces;
      if (piece === undefined) break;
      const part = piece.subarray(0, bytes - filled);
      chunk.set(part, filled);
      filled += part.byteLength;
      if (part.byteLength === piece.byteLength) pieces.shift();
      else pieces[0] = piece.subarray(part.byteLength);
    }
    waiting -= bytes;
    return chunk;
  }

  return {
    *add(piece: Uint8Array<ArrayBuffer>): Generator<Uint8Array<ArrayBuffer>> {
      pieces.push(piece);
      waiting += piece.byteLength;
      while (waiting >= chunkBytes) yield take(chunkBytes);
    },
    rest: (): Uint8Array<ArrayBuffer> => {
      const rest = take(waiting);
      pieces = [];
      return rest;
    },
  };
}
