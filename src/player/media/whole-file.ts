import { browserLimits, inTime, timedHead } from '../browser-limits.ts';

type WholeFileParts = {
  file: () => string | null;
  /** Changes the URL that the next reload sets. */
  setUrl: (file: string) => void;
  reload: () => void;
  failed: () => void;
};

/**
 * Loads a whole file where a proxy strips byte ranges (some filters and virus scanners), because the browser can then
 * seek only within its buffer. From the site: a page cannot read from the storage that it would be redirected to.
 */
export function createWholeFile({ file, setUrl, reload, failed }: WholeFileParts) {
  let loading: AbortController | undefined;
  let address: string | undefined;

  async function load(): Promise<void> {
    const src = file();
    // Already the whole file.
    if (src === null || src.startsWith('blob:') || loading) return;
    const own = new AbortController();
    loading = own;
    try {
      const parts = await read(`${src}?whole`, own.signal);
      if (own.signal.aborted) return;
      release();
      address = URL.createObjectURL(parts);
      loading = undefined;
      setUrl(address);
      reload();
    } catch {
      if (own.signal.aborted) return;
      loading = undefined;
      failed();
    }
  }

  function release() {
    if (address !== undefined) URL.revokeObjectURL(address);
    address = undefined;
  }

  return {
    load: () => void load(),
    /** The failure is over, or another file is loaded. */
    stop() {
      loading?.abort();
      loading = undefined;
      if (file() !== address) release();
    },
  };
}

async function read(address: string, signal: AbortSignal): Promise<Blob> {
  const answer = await timedHead(address, { credentials: 'same-origin', cache: 'no-store', signal });
  if (!answer.ok || answer.body === null) throw new Error(`The file was answered with ${answer.status}`);
  const reader = (answer.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  const next = () => inTime(reader.read(), browserLimits.silence);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  try {
    for (let piece = await next(); !piece.done; piece = await next()) pieces.push(piece.value);
  } catch (error) {
    void reader.cancel(error).catch(() => undefined);
    throw error;
  }
  return new Blob(pieces, { type: answer.headers.get('content-type') ?? '' });
}
