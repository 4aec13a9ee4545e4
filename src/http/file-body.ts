import { ServerResponse } from 'node:http';

/** Large enough for 0.6 of nginx's throughput; what a stalled listener costs at most. */
const bufferBytes = 256 * 1024;
const maxSpareBuffers = 32;
const spareBuffers: ArrayBuffer[] = [];

/**
 * A response body of a byte stream, sent without new memory for each piece (`npm run bench`: half of the CPU time went
 * into fresh buffers). Only the write callback of Node's response tells that a buffer may be used again, and web streams
 * do not carry it; so once the headers are out, the first read writes the whole content itself and then ends the body.
 *
 * `outgoing` is `c.env.outgoing` of @hono/node-server; anything but an HTTP/1 response gets the stream as it is, and so
 * does whoever reads the body before the headers are sent (a middleware that transforms it).
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

/** Resolves when everything is written, or as soon as the client has gone. Rejects when the content cannot be read. */
async function writeAll(content: ReadableStreamBYOBReader, outgoing: ServerResponse): Promise<void> {
  let buffer = spareBuffers.pop() ?? new ArrayBuffer(bufferBytes);
  for (;;) {
    const { done, value } = await content.read(new Uint8Array(buffer, 0, bufferBytes));
    if (done) {
      if (value && spareBuffers.length < maxSpareBuffers) spareBuffers.push(value.buffer);
      return;
    }
    // A buffer whose write failed is given up: the operating system may still be looking at it.
    if (!(await written(outgoing, value))) return await content.cancel();
    buffer = value.buffer;
  }
}

function written(outgoing: ServerResponse, bytes: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => outgoing.write(bytes, (error) => resolve(!error)));
}
