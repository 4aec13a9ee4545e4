import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { mkdtemp, rm } from 'node:fs/promises';
import { type LookupFunction, isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Agent, request } from 'undici';
import { type Web, type WebLimits, WebRefusal } from '#domain/gateways.ts';
import { refuseInTransaction } from '#domain/kernel/open-transaction.ts';
import { callLimits } from '../call-limits.ts';
import { inTime } from '../in-time.ts';
import { writeHashed } from '../local-files.ts';
import { isPublicAddress } from './public-address.ts';

const maxRedirects = 5;
const maxAddressLength = 2000;
const redirects = [301, 302, 303, 307, 308];
const decoders: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

export type Resolve = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

type Options = {
  /** Default: that of the system. */
  resolve?: Resolve;
  isPublic?: (address: string) => boolean;
  /** As addresses write them: the usual one of a protocol is empty. */
  ports?: readonly string[];
  /** Folder for files on their way; default: that of the system. */
  folder?: string;
};

/**
 * Asks machines that somebody else names: only public addresses, which are checked as each connection looks its host up,
 * so that a second answer of a resolver cannot differ. Redirects are followed one by one by the same rules.
 */
export function openWeb({
  resolve = lookup,
  isPublic = isPublicAddress,
  ports = ['', '80', '443'],
  folder = tmpdir(),
}: Options = {}): Web & { close(): Promise<void> } {
  const publicOnly: LookupFunction = (host, options, done) =>
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, '');
      const allowed = found.filter(({ address }) => isPublic(address));
      const [first] = allowed;
      if (first === undefined) return done(new WebRefusal('private', `${host} is not a public address`), '');
      return options.all ? done(null, allowed) : done(null, first.address, first.family);
    });
  const agent = new Agent({
    connect: { lookup: publicOnly, timeout: callLimits.foreign.connectMs },
    maxHeaderSize: 16_384,
    keepAliveTimeout: 1000,
    connections: 2,
  });

  /** undici looks no literals up, so they are checked here. */
  function check(address: string): URL {
    const url = address.length > maxAddressLength ? null : URL.parse(address);
    if (url === null || !['http:', 'https:'].includes(url.protocol))
      throw new WebRefusal('address', `${address.slice(0, 200)} is not an address of the web`);
    if (url.username !== '' || url.password !== '') throw new WebRefusal('address', 'It holds a password');
    if (!ports.includes(url.port)) throw new WebRefusal('address', `${url.host} has another port than 80 and 443`);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !isPublic(host)) throw new WebRefusal('private', `${host} is not a public address`);
    return url;
  }

  async function follow(address: string, { accept, signal }: { accept: string; signal: AbortSignal }) {
    let url = check(address);
    const { answerMs, silenceMs } = callLimits.foreign;
    for (let step = 0; step <= maxRedirects; step += 1) {
      const answer = await request(url, {
        dispatcher: agent,
        signal,
        headersTimeout: answerMs,
        bodyTimeout: silenceMs,
        headers: { accept, 'accept-encoding': 'gzip, br', 'user-agent': 'Sotto (feed import)' },
      });
      const { location } = answer.headers;
      if (!redirects.includes(answer.statusCode) || typeof location !== 'string') return { url, answer };
      await answer.body.dump({ limit: 16_384 });
      const next = URL.parse(location, url);
      if (next === null) throw new WebRefusal('address', 'It leads to no address');
      url = check(next.href);
    }
    throw new WebRefusal('redirects', `It leads further more than ${maxRedirects} times`);
  }

  /** Hands the decoded body over, and ends what stays behind. */
  async function open<Result>(
    address: string,
    { bytes: maxBytes, accept = '*/*', signal }: WebLimits,
    wholeMs: number,
    take: (body: AsyncIterable<Buffer>, head: { url: string; type: string | undefined }) => Promise<Result>,
  ): Promise<Result> {
    refuseInTransaction('Another machine');
    try {
      return await inTime(wholeMs, async (late) => {
        const stop = signal === undefined ? late : AbortSignal.any([late, signal]);
        const { url, answer } = await follow(address, { accept, signal: stop });
        const { statusCode, headers, body } = answer;
        const [type] = String(headers['content-type'] ?? '').split(';');
        try {
          if (statusCode !== 200) throw new WebRefusal('status', `${url.host} answered ${statusCode}`, statusCode);
          const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
          const decoder = decoders[encoding];
          if (decoder === undefined && encoding !== 'identity')
            throw new WebRefusal('unreadable', `${url.host} answered in the encoding ${encoding.slice(0, 40)}`);
          const stated = Number(headers['content-length']);
          if (decoder === undefined && stated > maxBytes) throw tooLarge(maxBytes);
          const parts = decoder === undefined ? [limitTo(maxBytes)] : [decoder(), limitTo(maxBytes)];
          const whole = Readable.from(decoded(body, parts, stop), { objectMode: false });
          return await take(whole, { url: url.href, type: type?.trim().toLowerCase() || undefined });
        } finally {
          // undici reports the abort to nobody else.
          body.on('error', () => undefined).destroy();
        }
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw refusalOf(error);
    }
  }

  return {
    read: (address, limits) =>
      open(address, limits, callLimits.foreign.wholeMs, async (body, head) => {
        const parts: Buffer[] = [];
        for await (const part of body) parts.push(part);
        return { ...head, content: Buffer.concat(parts) };
      }),
    download: (address, limits, keep) =>
      open(address, limits, callLimits.foreignFile.wholeMs, async (body, head) => {
        const own = await mkdtemp(join(folder, 'sotto-download-'));
        try {
          const path = join(own, 'file');
          return await keep({ ...head, path, ...(await writeHashed(path, body)) });
        } finally {
          await rm(own, { recursive: true, force: true });
        }
      }),
    close: () => agent.destroy(),
  };
}

/** One pipeline, so that the failure of any part ends all of them. */
async function* decoded(body: Readable, parts: Transform[], signal: AbortSignal): AsyncIterable<Buffer> {
  const last = parts.at(-1) as Transform;
  const done = pipeline([body, ...parts], { signal });
  done.catch(() => undefined);
  for await (const part of last) yield part as Buffer;
  await done;
}

const tooLarge = (maxBytes: number) =>
  new WebRefusal('too-large', `It is larger than ${Math.floor(maxBytes / 1024)} KiB`);

/** Counts what was decoded: a small answer may unfold to any size. */
function limitTo(maxBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      bytes += part.byteLength;
      if (bytes > maxBytes) done(tooLarge(maxBytes));
      else done(null, part);
    },
  });
}

/** The refusal inside an error of undici, or one for a machine that did not answer well. */
function refusalOf(error: unknown): unknown {
  if (error instanceof WebRefusal) return error;
  if (!(error instanceof Error)) return error;
  if (error.cause instanceof WebRefusal) return error.cause;
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined && error.name === 'Error') return error;
  return new WebRefusal('unreachable', `${error.message} (${code ?? error.name})`);
}
