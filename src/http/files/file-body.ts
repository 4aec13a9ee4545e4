import { ServerResponse } from 'node:http';

/** Large enough for 0.6 of nginx's throughput; also the maximum memory per stalled client. */
const bufferBytes = 256 * 1024;
const maxSpareBuffers = 32;
const spareBuffers: ArrayBuffer[] = [];

/**
 * Streams a response body with reused buffers, since allocation took half of the CPU time (`npm run bench`). Only write
 * callbacks of Node's response tell when a buffer is free, so the first read writes all content itself. Non-HTTP/1
 * responses (`c.env.outgoing`) and middleware that reads before the headers are sent get the plain stream.
 */
export function fileBody(content: ReadableStream<Uint8Array>, outgoing: unknown): ReadableStream<Uint8Array> {
  if (!(outgoing instanceof ServerResponse)) return content;
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let byteReader: ReadableStreamBYOBReader | undefined;

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!reader && outgoing.headersSent && outgoing.socket) {
          byteReader = content.getReader({ mode: 'byob' });
          await writeAll(byteReader, outgoing);
          controller.close();
          return;
        }
        reader ??= content.getReader();
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel(reason) {
        await (byteReader ?? reader ?? content).cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Resolves when everything is written, or when the client disconnects. Rejects when the content cannot be read. */
async function writeAll(content: ReadableStreamBYOBReader, outgoing: ServerResponse): Promise<void> {
  let buffer = spareBuffers.pop() ?? new ArrayBuffer(bufferBytes);
  for (;;) {
    const { done, value } = await content.read(new Uint8Array(buffer, 0, bufferBytes));
    if (done) {
      if (value && spareBuffers.length < maxSpareBuffers) spareBuffers.push(value.buffer);
      return;
    }
    // Discard a buffer whose write failed: the operating system may still use it.
    if (!(await written(outgoing, value))) return await content.cancel();
    buffer = value.buffer;
  }
}

function written(outgoing: ServerResponse, bytes: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => outgoing.write(bytes, (error) => resolve(!error)));
}
