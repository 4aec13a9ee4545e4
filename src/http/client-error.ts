import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorCode, englishErrors } from '#domain/kernel/errors.ts';
import type { ErrorBody } from './errors.ts';

/**
 * Handler for `clientError` of Node's server: invalid HTTP and oversized headers never reach the app, but still get the
 * API's error format instead of Node's bare status line.
 * @param headers headers of every answer
 */
export function answerClientError(headers: Record<string, string>) {
  return (error: NodeJS.ErrnoException, socket: Duplex & { _httpMessage?: ServerResponse | null }): void => {
    // If part of an answer is already sent, clients would read a second head as content.
    if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent === true) {
      socket.destroy();
      return;
    }
    const [status, code] = outcomes[error.code ?? ''] ?? [400, 'request/invalid'];
    const body = JSON.stringify({ error: { code, message: englishErrors[code] } } satisfies ErrorBody);
    const head = Object.entries({
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`);
  };
}

const outcomes: Record<string, [status: number, code: ErrorCode]> = {
  HPE_HEADER_OVERFLOW: [431, 'request/too-large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'request/too-large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request/timeout'],
};
