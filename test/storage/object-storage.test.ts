/** @module-tag slow */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  AbortMultipartUploadCommand,
  CreateBucketCommand,
  ListMultipartUploadsCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { readFiles, readManifest, verifyBackup } from '#db/backup-manifest.ts';
import { createBackup } from '#db/backup.ts';
import type { Blobs } from '#domain/gateways.ts';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { type OpenS3BlobsOptions, openS3Blobs } from '#gateways/s3-blobs.ts';
import { StorageError } from '#gateways/s3-failure.ts';
import { openS3IncomingFiles } from '#gateways/s3-incoming-files.ts';
import { runSotto } from '#test/support/processes/command-line.ts';
import { createAudio } from '#test/support/factories.ts';
import { reportInto } from '#test/support/findings.ts';
import { refusedStart } from '#test/support/processes/start-process.ts';
import { type S3Server, startS3Server } from '#test/support/servers/s3-server.ts';
import { shortenCallLimits } from '#test/support/servers/silent-peer.ts';
import { startTestSite } from '#test/support/site.ts';
import { createUpload, newUploader, sendTus } from '#test/support/tus.ts';
import { type StorageProxy, openStorageProxy } from '#test/support/servers/storage-proxy.ts';
import { isS3ServerInstalled } from '../../scripts/test-servers.mjs';
import { checkStorage } from '#doctor/storage.ts';

/** All tests that need a real S3 server, in one file, so that it is started once. */
describe.skipIf(!isS3ServerInstalled())('object storage', () => {
  const bucket = 'sotto';
  const content = randomBytes(300_000);
  const large = randomBytes(20_000_000);
  let scratch: string;
  let server: S3Server;
  let proxy: StorageProxy;
  let admin: S3Client;
  let blobs: Blobs;
  let failures: string[] = [];

  function options(more: Partial<OpenS3BlobsOptions> = {}): OpenS3BlobsOptions {
    const { accessKeyId, secretAccessKey } = server;
    const key = { accessKeyId, secretAccessKey, region: 'us-east-1' };
    const onFailure = ({ explanation }: StorageError) => void failures.push(explanation);
    const redirect = true;
    return {
      bucket,
      endpoint: proxy.url,
      ...key,
      publicUrl: undefined,
      redirect,
      onFailure,
      ...more,
    };
  }

  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'sotto-storage-'));
    server = await startS3Server();
    proxy = await openStorageProxy(server.endpoint);
    const { endpoint, accessKeyId, secretAccessKey } = server;
    admin = new S3Client({
      endpoint,
      forcePathStyle: true,
      region: 'us-east-1',
      credentials: { accessKeyId, secretAccessKey },
    });
    await admin.send(new CreateBucketCommand({ Bucket: bucket }));
    const restore = shortenCallLimits(6);
    blobs = await openS3Blobs(options());
    restore();
    await blobs.write('audio/one.mp3', content);
  });

  afterEach(async () => {
    vi.useRealTimers();
    await proxy.set('pass');
    failures = [];
  });

  afterAll(async () => {
    await proxy.close();
    await server.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  const bytesOf = async (stream: ReadableStream<Uint8Array>) => Buffer.from(await new Response(stream).arrayBuffer());

  async function keysOf(store: Blobs, prefix = ''): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of store.list(prefix)) keys.push(key);
    return keys;
  }

  const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

  /** A content-hash key, as the site creates them. */
  const named = (folder: string, bytes: Buffer, extension: string) =>
    `${folder}/${sha256Of(bytes).slice(0, 20)}${extension}`;

  describe('blobs', () => {
    test('are read back, whole and in ranges, and know their hash', async () => {
      expect(await blobs.stat('audio/one.mp3')).toEqual({
        key: 'audio/one.mp3',
        bytes: content.length,
        modifiedAt: expect.any(Date) as Date,
        sha256: sha256Of(content),
      });
      expect((await bytesOf(blobs.read('audio/one.mp3'))).equals(content)).toBe(true);
      const part = await bytesOf(blobs.read('audio/one.mp3', { start: 5, end: 200_004 }));
      expect(part.equals(content.subarray(5, 200_005))).toBe(true);
      const reader = blobs.read('audio/one.mp3', { start: 0, end: 9 }).getReader({ mode: 'byob' });
      expect((await reader.read(new Uint8Array(100))).value).toEqual(new Uint8Array(content.subarray(0, 10)));
    });

    test('are listed, replaced and removed; a missing one is none, and no key reaches elsewhere', async () => {
      await blobs.write('b/one', Buffer.from('old'));
      await blobs.write('b/one', new Uint8Array());
      await blobs.write('b/two.png', Buffer.from('x'));
      expect(await keysOf(blobs, 'b/')).toEqual(['b/one', 'b/two.png']);
      expect(await bytesOf(blobs.read('b/one'))).toHaveLength(0);
      for (const key of ['b/one', 'b/two.png', 'b/none', '../x']) await blobs.remove(key);
      expect(await keysOf(blobs, 'b/')).toEqual([]);
      expect(await blobs.stat('b/one')).toBeUndefined();
      expect(await blobs.stat('../x')).toBeUndefined();
      expect(await blobs.remote?.open('b/one', { start: 0, end: 1 })).toBeUndefined();
      await expect(bytesOf(blobs.read('b/one'))).rejects.toThrow('No blob "b/one"');
      await expect(blobs.write('/etc/x', content)).rejects.toThrow('Not a blob key');
      expect(failures).toEqual([]);
    });

    test('are sent in parts, and a stream with another hash leaves nothing behind', async () => {
      await blobs.write('audio/large.mp3', new Blob([large]).stream(), sha256Of(large));
      expect((await bytesOf(blobs.read('audio/large.mp3'))).equals(large)).toBe(true);
      const wrong = sha256Of(content);
      await expect(blobs.write('audio/wrong.mp3', new Blob([large]).stream(), wrong)).rejects.toThrow(
        'not the expected one',
      );
      await expect(blobs.write('audio/wrong.mp3', large, wrong)).rejects.toThrow('not the expected one');
      expect(await blobs.stat('audio/wrong.mp3')).toBeUndefined();
      const { Uploads = [] } = await admin.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
      expect(Uploads).toEqual([]);
    });

    test('are imported from a file, with its hash', async () => {
      const path = join(scratch, 'file');
      writeFileSync(path, content);
      expect(await blobs.importFile('audio/imported.mp3', path)).toMatchObject({ sha256: sha256Of(content) });
    });
  });

  describe('failures', () => {
    const read = () => bytesOf(blobs.read('audio/one.mp3'));
    const openFirst = async (store: Blobs) => store.remote?.open('audio/one.mp3', { start: 0, end: 1 });
    const allUnavailable = async (acts: Promise<unknown>[]) =>
      expect(await Promise.allSettled(acts)).toMatchObject(
        acts.map(() => ({ status: 'rejected', reason: { code: 'server/unavailable' } })),
      );

    test('a passing 503 is tried again', async () => {
      await proxy.set('unavailable', 2);
      expect((await read()).equals(content)).toBe(true);
      expect(failures).toEqual([]);
    });

    test.each([
      ['unavailable', / answers 503/],
      ['hold', / cannot be reached \(ETIMEDOUT\)$/],
      ['refuse', / cannot be reached \(ECONNREFUSED\)$/],
    ] as const)('%s: unavailable within bounds, with the reason for the operator', async (mode, reason) => {
      await proxy.set(mode);
      const began = Date.now();
      await allUnavailable([read(), blobs.stat('audio/one.mp3'), openFirst(blobs)]);
      expect(Date.now() - began).toBeLessThan(6000);
      for (const failure of failures) expect(failure).toMatch(reason);
      expect(failures.join()).not.toContain(server.secretAccessKey);
    });

    test('a connection cut in the middle continues where it stopped', async () => {
      proxy.takeRequests();
      await proxy.set({ cut: 100_000 }, 1);
      expect((await read()).equals(content)).toBe(true);
      expect(proxy.takeRequests()).toEqual([
        'GET /sotto/audio/one.mp3',
        expect.stringMatching(/^GET \/sotto\/audio\/one.mp3 bytes=(?!0-)\d+-$/) as string,
      ]);
    });

    test('a reader who leaves is no failure', async () => {
      for (const reads of [0, 1]) {
        const reader = blobs.read('audio/one.mp3').getReader();
        for (let read = 0; read < reads; read += 1) await reader.read();
        const pending = reader.read();
        await reader.cancel();
        expect((await pending).done).toBe(true);
      }
      // Meanwhile the running calls have ended.
      await read();
      expect(failures).toEqual([]);
    });

    test('one that is cut every time ends the stream', async () => {
      await proxy.set({ cut: 1000 });
      await expect(read()).rejects.toBeInstanceOf(StorageError);
    });

    test.each<[string, () => Partial<OpenS3BlobsOptions>, RegExp]>([
      ['a missing bucket', () => ({ bucket: 'nowhere' }), /^the storage at .* has no bucket nowhere; create it/],
      ['an unknown key', () => ({ accessKeyId: 'OTHER' }), /does not know the access key; correct S3_ACCESS_KEY_ID$/],
      ['a wrong secret', () => ({ secretAccessKey: 'wrong' }), /refuses the secret.*correct S3_SECRET_ACCESS_KEY$/],
    ])('%s is named', async (_name, wrong, reason) => {
      const store = await openS3Blobs(options(wrong()));
      await allUnavailable([keysOf(store), openFirst(store), store.stat('audio/one.mp3'), store.write('x', content)]);
      expect(failures).toHaveLength(4);
      for (const failure of failures) expect(failure).toMatch(reason);
    });

    test('a wrong clock is corrected by the answers of the storage, in signed addresses too', async () => {
      vi.useFakeTimers({ now: Date.now() - 40 * 60_000, toFake: ['Date'] });
      const store = await openS3Blobs(options());
      const refused = await fetch((await signed(store)).url);
      expect(refused.status).toBe(403);
      expect(await store.stat('audio/one.mp3')).toMatchObject({ bytes: content.length });
      const answer = await fetch((await signed(store)).url);
      expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, content.length]);
    });
  });

  async function signed(store = blobs, method: 'GET' | 'HEAD' = 'GET') {
    const { links } = store.remote ?? {};
    if (links === undefined) throw new Error('There are no signed addresses');
    return { origin: links.origin, url: await links.sign('audio/one.mp3', { method, mime: 'audio/mp4' }) };
  }

  describe('a signed address', () => {
    test('gives the file in ranges, with the type that the site says, for GET or HEAD', async () => {
      const { origin, url } = await signed();
      expect([origin, new URL(url).origin]).toEqual([proxy.url, proxy.url]);
      const answer = await fetch(url, { headers: { range: 'bytes=-100' } });
      expect(answer.status).toBe(206);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'audio/mp4',
        'content-range': 'bytes 299900-299999/300000',
        'cache-control': 'private, max-age=900',
      });
      expect(Buffer.from(await answer.arrayBuffer()).equals(content.subarray(-100))).toBe(true);
      const head = await fetch((await signed(blobs, 'HEAD')).url, { method: 'HEAD' });
      expect([head.status, head.headers.get('content-length')]).toEqual([200, '300000']);
    });

    test('is for this file and its time alone', async () => {
      await blobs.write('audio/two.mp3', content);
      const { url } = await signed();
      const changes = [
        url.replace('one.mp3', 'two.mp3'),
        url.replace('X-Amz-Expires=900', 'X-Amz-Expires=9000'),
        url.replace('audio%2Fmp4', 'text%2Fhtml'),
      ];
      for (const changed of changes) {
        expect(changed).not.toBe(url);
        expect((await fetch(changed)).status).toBe(403);
      }
      expect((await fetch(url, { method: 'DELETE' })).status).toBe(403);
      vi.useFakeTimers({ now: Date.now() - 16 * 60_000, toFake: ['Date'] });
      const { url: old } = await signed(await openS3Blobs(options()));
      vi.useRealTimers();
      expect((await fetch(old)).status).toBe(403);
    });

    test('is for the public address, where one is set', async () => {
      const store = await openS3Blobs(options({ endpoint: server.endpoint, publicUrl: proxy.url }));
      proxy.takeRequests();
      const { origin, url } = await signed(store);
      expect([origin, (await fetch(url)).status]).toEqual([proxy.url, 200]);
      expect(proxy.takeRequests()).toEqual(['GET /sotto/audio/one.mp3']);
    });
  });

  function settings(more: Record<string, string> = {}): Record<string, string> {
    const { accessKeyId, secretAccessKey } = server;
    return {
      S3_BUCKET: bucket,
      S3_ENDPOINT: proxy.url,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
      ...more,
    };
  }

  type TestSite = Awaited<ReturnType<typeof startTestSite>>;

  async function publish({ db, blobs: store }: TestSite, key: string, bytes: Buffer, isFree = true): Promise<string> {
    await store.write(key, bytes);
    const { id } = await createAudio(db, { fileKey: key, fileBytes: bytes.length, fileMime: 'audio/mp4', isFree });
    return `/media/audios/${id}`;
  }

  /** Does not follow redirects, and reads the whole response. */
  async function ask({ url }: TestSite, path: string, headers: Record<string, string> = {}, method = 'GET') {
    const answer = await fetch(url + path, { headers, method, redirect: 'manual' });
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: Buffer.from(await answer.arrayBuffer()),
    };
  }

  describe('a site that sends listeners to the storage', () => {
    let site: TestSite;
    let free: string;

    beforeAll(async () => {
      site = await startTestSite(settings());
      free = await publish(site, named('audio', content, '.m4a'), content);
    });

    test('decides who may hear, and then redirects without a call of its own', async () => {
      const locked = await publish(site, 'audio/locked.m4a', content, false);
      proxy.takeRequests();
      expect(await ask(site, locked)).toMatchObject({ status: 401 });
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await ask(site, free, { range: 'bytes=0-' }, method);
        expect([status, headers['cache-control']]).toEqual([302, 'no-store']);
        expect(proxy.takeRequests()).toEqual([]);
        const file = await fetch(headers['location'] ?? '', { method, headers: { range: 'bytes=0-9' } });
        expect([file.status, file.headers.get('content-type')]).toEqual([206, 'audio/mp4']);
        expect(proxy.takeRequests()).toHaveLength(1);
      }
      const { status } = await ask(site, free, { 'if-none-match': `"${sha256Of(content).slice(0, 20)}"` });
      expect(status).toBe(304);
    });

    test('passes on what a page downloads, which may not read another host, and only to those who may hear it', async () => {
      const locked = await publish(site, 'audio/locked.m4a', content, false);
      expect(await ask(site, `${locked}?download`)).toMatchObject({ status: 401 });
      const { status, headers, body } = await ask(site, `${free}?download`, { range: 'bytes=100-' });
      expect([status, headers['etag']]).toEqual([206, `"${sha256Of(content).slice(0, 20)}"`]);
      expect(body.equals(content.subarray(100))).toBe(true);
    });

    test('tells the player itself whether the storage has the file', async () => {
      const probe = { range: 'bytes=0-0' };
      expect(await ask(site, free, probe)).toMatchObject({ status: 206, headers: { 'content-length': '1' } });
      const gone = await publish(site, 'audio/gone.m4a', content);
      await blobs.remove('audio/gone.m4a');
      expect(await ask(site, gone, probe)).toMatchObject({ status: 404 });
      expect(site.errors.splice(0)).toMatchObject([{ msg: 'A sound file is missing' }]);
      await proxy.set('refuse');
      expect(await ask(site, free, probe)).toMatchObject({
        status: 503,
        headers: { 'retry-after': '5', 'cache-control': 'no-store' },
      });
      expect(await ask(site, free)).toMatchObject({ status: 302 });
      expect(site.errors).toEqual([]);
    });

    test('images come from the storage once; cached ones outlast it, and a failure is not cached', async () => {
      const picture = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#456' } })
        .webp()
        .toBuffer();
      const key = named('images', picture, '.webp');
      await blobs.write(key, picture);
      const first = await ask(site, `/${key}?width=128&format=webp`);
      expect(first).toMatchObject({ status: 200, headers: { 'content-type': 'image/webp' } });
      await proxy.set('unavailable');
      expect(await ask(site, `/${key}?width=128&format=webp`)).toEqual({
        ...first,
        headers: expect.anything() as object,
      });
      expect(await ask(site, `/${key}?width=256&format=webp`)).toMatchObject({
        status: 503,
        headers: { 'cache-control': 'no-store', 'retry-after': '5' },
      });
      await proxy.set('pass');
      expect(await ask(site, `/${key}?width=256&format=webp`)).toMatchObject({ status: 200 });
      expect(await ask(site, '/images/none.webp?width=256')).toMatchObject({ status: 404 });
      expect(site.errors).toEqual([]);
    });
  });

  describe('a site that passes the sound on', () => {
    let site: TestSite;
    let free: string;

    beforeAll(async () => {
      site = await startTestSite(settings({ MEDIA_REDIRECT: 'false' }));
      free = await publish(site, named('audio', content, '.m4a'), content);
      proxy.takeRequests();
    });

    test.each([
      ['bytes=0-', 0, 299_999],
      ['bytes=1000-1999', 1000, 1999],
      ['bytes=-100', 299_900, 299_999],
    ])('answers %s with one call to the storage', async (range, start, end) => {
      const { status, headers, body } = await ask(site, free, { range });
      expect([status, headers['content-range']]).toEqual([206, `bytes ${start}-${end}/300000`]);
      expect(body.equals(content.subarray(start, end + 1))).toBe(true);
      expect(proxy.takeRequests()).toEqual([`GET /sotto/${named('audio', content, '.m4a')} bytes=${start}-${end}`]);
    });

    test('answers from the database what needs no bytes', async () => {
      const etag = `"${sha256Of(content).slice(0, 20)}"`;
      expect(await ask(site, free, {}, 'HEAD')).toMatchObject({ status: 200, headers: { 'content-length': '300000' } });
      expect(await ask(site, free, { 'if-none-match': etag })).toMatchObject({ status: 304 });
      expect(await ask(site, free, { range: 'bytes=300000-' })).toMatchObject({ status: 416 });
      expect(proxy.takeRequests()).toEqual([]);
      const current = await ask(site, free, { range: 'bytes=0-9', 'if-range': etag });
      expect([current.status, current.body.length]).toEqual([206, 10]);
      expect(await ask(site, free, { range: 'bytes=0-9', 'if-range': '"other"' })).toMatchObject({ status: 200 });
    });

    test('a row with another size than the storage still gives the whole file', async () => {
      const { id } = await createAudio(site.db, {
        fileKey: named('audio', content, '.m4a'),
        fileBytes: 200_000,
        isFree: true,
      });
      const { headers, body } = await ask(site, `/media/audios/${id}`);
      expect(headers['content-length']).toBe('300000');
      expect(body.equals(content)).toBe(true);
    });

    test('reads only as fast as the listener, and continues after a cut connection', async () => {
      const path = await publish(site, named('audio', large, '.m4a'), large);
      proxy.takeRequests();
      await proxy.set({ cut: 5_000_000 }, 1);
      const slow = await openRequest(site.port, path);
      await once(slow, 'readable');
      await wait(300);
      // Unread data waits in the buffers of three connections.
      expect(slow.readableLength).toBeLessThan(1_000_000);
      const pieces: Buffer[] = [];
      for await (const piece of slow) pieces.push(piece as Buffer);
      expect(Buffer.concat(pieces).equals(large)).toBe(true);
      expect(proxy.takeRequests()).toHaveLength(2);
      // A listener who leaves ends the call.
      const left = await openRequest(site.port, path);
      left.destroy();
      expect(site.errors).toEqual([]);
    });

    test('while the storage is away: 503 with Retry-After, 404 only for what is missing', async () => {
      await proxy.set('unavailable');
      expect(await ask(site, free, { range: 'bytes=0-' })).toMatchObject({
        status: 503,
        headers: { 'retry-after': '5', 'cache-control': 'no-store' },
      });
      await proxy.set('pass');
      const missing = await createAudio(site.db, { fileKey: 'audio/never.m4a', isFree: true });
      expect(await ask(site, `/media/audios/${missing.id}`)).toMatchObject({ status: 404 });
      expect(site.errors.splice(0)).toMatchObject([{ msg: 'A sound file is missing' }]);
    });
  });

  async function openRequest(port: number, path: string, headers: OutgoingHttpHeaders = {}): Promise<IncomingMessage> {
    const sent = request({ host: '127.0.0.1', port, path, headers, agent: false });
    sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return answer;
  }

  async function createBucket(name: string): Promise<Blobs> {
    await admin.send(new CreateBucketCommand({ Bucket: name }));
    return openS3Blobs(options({ bucket: name }));
  }

  test.each([
    ['bucket', { S3_BUCKET: 'another' }, 'has no bucket another; create it, or correct S3_BUCKET'],
    ['key', { S3_ACCESS_KEY_ID: 'another' }, 'does not know the access key; correct S3_ACCESS_KEY_ID'],
    ['secret', { S3_SECRET_ACCESS_KEY: 'another' }, 'refuses the secret of the access key; correct S3_SECRET'],
  ])('a start with a wrong %s is refused in one line, and has written nothing', async (_what, wrong, reason) => {
    const dataDir = join(scratch, 'refused');
    const { endpoint, accessKeyId, secretAccessKey } = server;
    const account = { S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey };
    const outcome = await refusedStart({ DATA_DIR: dataDir, S3_BUCKET: bucket, ...account, ...wrong });
    expect(outcome).toEqual({
      code: 1,
      output: expect.stringMatching(
        new RegExp(`^[^\\n]*Sotto cannot start: the storage at [^\\n]* ${reason}[^\\n]*\\n$`),
      ),
    });
    expect(existsSync(dataDir)).toBe(false);
  });

  describe('storage copy', () => {
    const files = Array.from({ length: 12 }, (_, index) => randomBytes(1000 + index));

    test('copies files, continues after an interruption, compares them by hash, and copies them back', async () => {
      const store = await createBucket('moved');
      const dataDir = join(scratch, 'site');
      const disk = openDiskBlobs({ dir: join(dataDir, 'blobs') });
      for (const file of files) await disk.write(named('audio', file, '.mp3'), file);
      const [one, two] = files.map((file) => named('audio', file, '.mp3'));
      const copy = (from: string, to: string, environment = {}) =>
        runSotto(['storage', 'copy', '--from', from, '--to', to], {
          environment: { DATA_DIR: dataDir, ...settings({ S3_BUCKET: 'moved' }), ...environment },
        });

      await store.write(one ?? '', files[0] ?? content);
      await store.write(two ?? '', Buffer.alloc(files[1]?.length ?? 0));
      await proxy.set('refuse');
      expect(await copy('disk', 's3')).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          /cannot be reached \(ECONNREFUSED\); run it again to continue from here/,
        ) as string,
      });
      await proxy.set('pass');
      expect(await copy('disk', 's3')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('Copied 11 files (11 kB) from disk to s3; 1 were there already.') as string,
      });
      proxy.takeRequests();
      expect((await copy('disk', 's3')).stdout).toContain('Copied 0 files (0 bytes) from disk to s3; 12 were there');
      // Its own list of hashes saves reading from the storage.
      expect(proxy.takeRequests().filter((line) => /^(GET .*audio|PUT)/.test(line))).toEqual([]);

      const back = { DATA_DIR: join(scratch, 'back') };
      expect((await copy('s3', 'disk', back)).stdout).toContain('Copied 12 files');
      for (const file of files)
        expect(readFileSync(join(back.DATA_DIR, 'blobs', named('audio', file, '.mp3'))).equals(file)).toBe(true);
    });

    test('refuses a damaged file, and says what is missing in its settings', async () => {
      await createBucket('damaged');
      const dataDir = join(scratch, 'damaged');
      mkdirSync(join(dataDir, 'blobs', 'audio'), { recursive: true });
      writeFileSync(join(dataDir, 'blobs', named('audio', content, '.mp3')), 'other');
      const environment = { DATA_DIR: dataDir, ...settings({ S3_BUCKET: 'damaged' }) };
      const args = ['storage', 'copy', '--from', 'disk', '--to', 's3'];
      expect(await runSotto(args, { environment })).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('its content does not match its name') as string,
        stdout: expect.stringContaining('1 file could not be copied') as string,
      });
      expect(await runSotto(args, { environment: { DATA_DIR: dataDir } })).toMatchObject({
        code: 1,
        stderr: 'S3 is not set up: set S3_BUCKET and the other S3 settings\n',
      });
      expect(await runSotto([...args.slice(0, 4), '--to', 'disk'], { environment })).toMatchObject({ code: 2 });
    });
  });

  test('a backup reads the storage, the next one only what is new, and a restore writes it', async () => {
    const site = await startTestSite(settings({ S3_BUCKET: 'site', S3_ENDPOINT: server.endpoint }));
    await createBucket('site');
    const key = named('audio', content, '.m4a');
    await publish(site, key, content);
    const folder = join(scratch, 'backup');
    const backUp = () =>
      createBackup({ url: site.database.url, blobs: site.blobs, folder, siteVersion: '1', now: new Date() });
    expect(await backUp()).toMatchObject({ blobs: 1, copiedBlobs: 1, missingBlobs: [] });
    expect(await backUp()).toMatchObject({ blobs: 1, copiedBlobs: 0 });
    const checked = await runSotto(['doctor'], {
      environment: {
        ...settings({ S3_BUCKET: 'site' }),
        DATA_DIR: join(scratch, 'none'),
        DATABASE_URL: site.database.url,
      },
    });
    expect(checked.stdout).toContain('ok    Storage: the bucket site can be read and written');
    expect(checked.stdout).toContain('ok    Files: 1 file of the database, none missing, 300 kB');
    const manifest = await readManifest(folder);
    await verifyBackup(folder, manifest);
    expect(await readFiles(folder, manifest).next()).toMatchObject({
      value: { key, bytes: content.length, sha256: sha256Of(content) },
    });

    await createBucket('restored');
    const dataDir = join(scratch, 'restored');
    const environment = { DATA_DIR: dataDir, ...settings({ S3_BUCKET: 'restored' }) };
    expect(await runSotto(['restore', folder], { environment })).toMatchObject({ code: 0 });
    const restored = await openS3Blobs(options({ bucket: 'restored' }));
    expect(await restored.stat(key)).toMatchObject({ bytes: content.length, sha256: sha256Of(content) });
  });

  describe('doctor', () => {
    async function check(more: Partial<OpenS3BlobsOptions> = {}): Promise<string[]> {
      const { onFailure: _, ...storage } = options(more);
      const found: string[] = [];
      await checkStorage(storage, reportInto(found));
      return found;
    }

    test('says that all is well, and leaves nothing behind', async () => {
      expect(await check()).toEqual(['ok Storage the bucket sotto can be read and written']);
      expect(await keysOf(blobs, 'doctor/')).toEqual([]);
    });

    test('names each trouble with its remedy', async () => {
      expect(await check({ bucket: 'nowhere' })).toEqual([
        expect.stringMatching(
          /^FAIL Storage the storage at .* has no bucket nowhere; create it, or correct S3_BUCKET$/,
        ),
      ]);
      expect(await check({ accessKeyId: 'OTHER' })).toEqual([expect.stringContaining('correct S3_ACCESS_KEY_ID')]);
      expect(await check({ secretAccessKey: 'x' })).toEqual([expect.stringContaining('correct S3_SECRET_ACCESS_KEY')]);
      expect(await check({ publicUrl: 'http://127.0.0.1:9' })).toEqual([
        expect.stringMatching(/^FAIL Storage listeners are sent to http:\/\/127.0.0.1:9, and it cannot be reached/),
        'ok Storage the bucket sotto can be read and written',
      ]);
      await proxy.set('refuse');
      expect(await check()).toEqual([`FAIL Storage the storage at ${proxy.url} cannot be reached (ECONNREFUSED)`]);
    });

    test('finds a wrong clock, which the site itself copes with', async () => {
      vi.useFakeTimers({ now: Date.now() - 40 * 60_000, toFake: ['Date'] });
      expect(await check()).toEqual([
        'ok Storage the bucket sotto can be read and written',
        expect.stringMatching(/^FAIL Storage its clock is 2[34]\d\d s apart from this machine's; let both keep time/),
      ]);
    });
  });

  describe('uploads of creators', () => {
    test('come in as multipart uploads, go on where they stopped, and become blobs within the bucket', async () => {
      const site = await startTestSite(settings());
      const by = await newUploader(site.db);
      const path = await createUpload(site.url, by, large.length, 'large.flac');
      const part = (from: number, to: number) =>
        sendTus(site.url + path, by, 'PATCH', { 'upload-offset': String(from) }, large.subarray(from, to));
      expect((await part(0, 9_000_000)).headers.get('upload-offset')).toBe('9000000');
      // Parts that are smaller than a multipart upload allows.
      expect((await part(9_000_000, 9_001_000)).headers.get('upload-offset')).toBe('9001000');
      expect((await sendTus(site.url + path, by, 'HEAD')).headers.get('upload-offset')).toBe('9001000');
      proxy.takeRequests();
      expect((await part(9_001_000, large.length)).status).toBe(204);
      const key = named('originals', large, '.flac');
      const copied = await blobs.stat(key);
      expect([copied?.bytes, copied?.sha256]).toEqual([large.length, sha256Of(large)]);
      // Copied within the storage, not through the site.
      expect(proxy.takeRequests()).toContain(`PUT /${bucket}/${key}`);
      expect(await keysOf(blobs, 'uploads/')).toEqual([]);
      expect((await sendTus(site.url + path, by, 'HEAD')).headers.get('upload-offset')).toBe(String(large.length));
      expect(site.jobs).toHaveLength(1);

      const other = await createUpload(site.url, by, large.length, 'other.wav');
      await sendTus(site.url + other, by, 'PATCH', { 'upload-offset': '0' }, large.subarray(0, 6_000_000));
      // Incomplete uploads are not blobs of the site.
      expect((await keysOf(blobs, '')).filter((one) => one.startsWith('uploads/'))).toEqual([]);
      expect(await keysOf(blobs, 'uploads/')).not.toEqual([]);
      expect((await sendTus(site.url + other, by, 'DELETE')).status).toBe(204);
      expect(await keysOf(blobs, 'uploads/')).toEqual([]);
      const { Uploads } = await admin.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
      expect(Uploads ?? []).toEqual([]);
      expect(site.errors).toEqual([]);
    });

    /** An upload of `large` with its first part, and its multipart upload. */
    async function begin(site: TestSite, fileName: string) {
      const by = await newUploader(site.db);
      const path = await createUpload(site.url, by, large.length, fileName);
      const send = (offset: number) =>
        sendTus(
          site.url + path,
          by,
          'PATCH',
          { 'upload-offset': String(offset) },
          large.subarray(offset, offset + part),
        );
      expect((await send(0)).headers.get('upload-offset')).toBe(String(part));
      const { Uploads = [] } = await admin.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
      const multipart = Uploads.find(({ Key }) => Key?.endsWith(path.slice(1)));
      const target = { Bucket: bucket, Key: multipart?.Key, UploadId: multipart?.UploadId };
      const head = () => sendTus(site.url + path, by, 'HEAD');
      return { id: path.replace('/uploads/', ''), target, send, head };
    }
    const part = 8 * 1024 * 1024;

    test('are complete only when the storage has the whole file', async () => {
      const site = await startTestSite(settings());
      const aborted = await begin(site, 'aborted.flac');
      await admin.send(new AbortMultipartUploadCommand(aborted.target));
      expect((await aborted.head()).status).toBe(404);
      expect((await aborted.send(part)).status).toBe(404);

      // The process was killed between the last part and its completion.
      const killed = await begin(site, 'killed.wav');
      for (const [PartNumber, from] of [
        [2, part],
        [3, 2 * part],
      ] as const)
        await admin.send(
          new UploadPartCommand({ ...killed.target, PartNumber, Body: large.subarray(from, from + part) }),
        );
      expect((await killed.head()).headers.get('upload-offset')).toBe(String(large.length));
      expect(site.jobs).toEqual([`process-upload ${killed.id}`]);
      expect(await blobs.stat(named('originals', large, '.wav'))).toMatchObject({ bytes: large.length });
    });

    test('wait for a storage that is away or silent', async () => {
      const site = await startTestSite(settings());
      const { id, send, head } = await begin(site, 'away.wav');
      const restore = shortenCallLimits(100);
      const other = openS3IncomingFiles({ ...options(), blobs });
      restore();
      for (const mode of ['unavailable', 'hold'] as const) {
        await proxy.set(mode);
        await expect(other.received(id)).rejects.toMatchObject({ code: 'server/unavailable' });
      }
      expect(failures).toEqual([expect.stringMatching(/ answers 503/), expect.stringMatching(/ cannot be reached/)]);
      await proxy.set('unavailable');
      const answers = [await head(), await send(part)];
      expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
        [503, '5'],
        [503, '5'],
      ]);
      await proxy.set('pass');
      expect((await send(part)).headers.get('upload-offset')).toBe(String(2 * part));
      expect(site.errors).toEqual([]);
    });
  });
});
