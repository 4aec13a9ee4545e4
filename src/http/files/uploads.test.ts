import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { operator } from '#domain/kernel/actor.ts';
import { auditEntries } from '#domain/kernel/audit.ts';
import { newId } from '#domain/kernel/ids.ts';
import { openPrivacy } from '#domain/privacy/open-privacy.ts';
import { maxUploadBytes } from '#domain/studio/rules.ts';
import { uploads } from '#domain/studio/tables.ts';
import { finishUpload } from '#domain/studio/uploads/finish-uploads.ts';
import { listUploads } from '#domain/studio/uploads/uploads.ts';
import { takeUploadLock } from '#domain/studio/uploads/upload-locks.ts';
import { addJobsOrWarn } from '../../jobs/open-jobs.ts';
import { createAudio, createCategory, createSession, createUser } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';
import { type Uploader, newUploader, sendHalf, sendTus, tusMetadata } from '#test/support/tus.ts';
import { slow } from '#test/support/tags.ts';
import { removeAfterTwoDays } from '#test/support/unused-files.ts';

const { url, db, site, blobs, jobs, incoming, errors, dataDir } = await startTestSite({
  UPLOADS_PER_DAY: '60',
  UPLOAD_GB_PER_DAY: '5',
});

const newCreator = () => newUploader(db);
type Creator = Uploader;

const send = (
  by: Pick<Creator, 'token'> | undefined,
  method: string,
  path: string,
  headers?: Record<string, string>,
  body?: Uint8Array,
) => sendTus(url + path, by, method, headers, body);

function create(by: Creator, bytes: number, values: Record<string, string> = {}) {
  const named = { voiceId: by.voice.id, fileName: 'sonnet-43_retake.wav', ...values };
  return send(by, 'POST', '/uploads', { 'upload-length': String(bytes), 'upload-metadata': tusMetadata(named) });
}

async function created(by: Creator, bytes: number, values?: Record<string, string>): Promise<string> {
  const answer = await create(by, bytes, values);
  expect(answer.status).toBe(201);
  return answer.headers.get('location') ?? '';
}

const idOf = (path: string) => path.replace('/uploads/', '');
const patch = (by: Creator, path: string, offset: number, body: Uint8Array) =>
  send(by, 'PATCH', path, { 'upload-offset': String(offset) }, body);
const offsetOf = async (by: Creator, path: string) =>
  Number((await send(by, 'HEAD', path)).headers.get('upload-offset'));

async function rowOf(path: string) {
  const [row] = await db
    .select()
    .from(uploads)
    .where(eq(uploads.id, idOf(path)));
  return row;
}

const codeOf = async (answer: Response) =>
  `${answer.status} ${((await answer.json()) as { error: { code: string } }).error.code}`;

const ada = await newCreator();
const bob = await newCreator();

test('a file that comes in parts becomes a blob, named by its content, and waits to be processed', async () => {
  const category = await createCategory(db);
  const file = randomBytes(300_000);
  const path = await created(ada, file.length, { categoryId: category.id, isFree: 'true', commenters: 'subscribers' });
  expect(await rowOf(path)).toMatchObject({
    title: 'Sonnet 43 retake',
    state: 'uploading',
    userId: ada.id,
    choices: { categoryId: category.id, isFree: true, commenters: 'subscribers' },
  });
  const first = await patch(ada, path, 0, file.subarray(0, 100_000));
  expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '100000']);
  expect((await rowOf(path))?.progress).toBe(33);
  expect(await offsetOf(ada, path)).toBe(100_000);
  expect((await patch(ada, path, 100_000, file.subarray(100_000))).status).toBe(204);

  const key = `originals/${createHash('sha256').update(file).digest('hex').slice(0, 20)}.wav`;
  expect(await rowOf(path)).toMatchObject({ state: 'waiting', originalKey: key, progress: 0 });
  expect(Buffer.from(await new Response(blobs.read(key)).arrayBuffer()).equals(file)).toBe(true);
  expect(jobs).toContain(`process-upload ${idOf(path)}`);
  // The answer to an earlier part was late; progress is that of the processing now.
  await site.studio.noteReceived(idOf(path), 100_000);
  expect((await rowOf(path))?.progress).toBe(0);
  // The incoming file is gone, but its client still learns that the upload is complete.
  expect((await readdir(join(dataDir, 'uploads'))).filter((name) => name.startsWith(idOf(path)))).toEqual([]);
  expect(await offsetOf(ada, path)).toBe(file.length);
  expect(await codeOf(await patch(ada, path, file.length, Buffer.alloc(1)))).toBe('409 upload/wrong-offset');
  const entries = await db
    .select({ action: auditEntries.action, by: auditEntries.actorId })
    .from(auditEntries)
    .where(eq(auditEntries.subjectId, idOf(path)));
  expect(entries).toEqual([{ action: 'upload.start', by: ada.id }]);
});

test('answers carry nothing that lets other sites in, and a file is never delivered', async () => {
  const path = await created(ada, 10);
  expect(await codeOf(await send(ada, 'GET', path))).toBe('405 request/method-not-allowed');
  expect(await codeOf(await send(ada, 'GET', '/uploads'))).toBe('405 request/method-not-allowed');
  expect(await codeOf(await send(ada, 'PUT', path, {}, Buffer.alloc(1)))).toBe('405 request/method-not-allowed');
  for (const method of ['HEAD', 'OPTIONS', 'DELETE']) {
    const { headers, status } = await send(ada, method, path, { origin: 'https://evil.example' });
    expect(status).toBeLessThan(300);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});

test('uploads of others look like unknown ones, also to an admin and after a creator lost the voice', async () => {
  const path = await created(ada, 10);
  const { id } = await createUser(db, { isAdmin: true });
  const admin = { ...bob, token: (await createSession(db, id)).token };
  const unknown = `/uploads/${newId()}`;
  for (const by of [bob, admin])
    for (const target of [path, unknown]) {
      expect(await codeOf(await patch(by, target, 0, Buffer.alloc(10)))).toBe('404 request/not-found');
      expect(await codeOf(await send(by, 'DELETE', target))).toBe('404 request/not-found');
      const head = await send(by, 'HEAD', target);
      expect([head.status, head.headers.get('tus-resumable')]).toEqual([404, '1.0.0']);
    }
  expect(await codeOf(await send(undefined, 'DELETE', path))).toBe('401 auth/login-required');
  expect(await codeOf(await send(undefined, 'POST', '/uploads'))).toBe('401 auth/login-required');
  expect(await codeOf(await send(ada, 'DELETE', '/uploads/..%2F..%2Fsite.json'))).toBe('404 request/not-found');

  const carl = await newCreator();
  const lost = await created(carl, 10);
  await setVoiceOwner(db, carl.voice.id, carl.id, false);
  expect(await codeOf(await patch(carl, lost, 0, Buffer.alloc(10)))).toBe('404 request/not-found');
  expect(await codeOf(await create(carl, 10))).toBe('403 studio/no-creator');
});

test('unusable files are refused before the first byte, with a reason', async () => {
  const foreign = await createAudio(db);
  const own = await createAudio(db, { voiceId: ada.voice.id });
  const gone = await createAudio(db, { voiceId: ada.voice.id, deletedAt: new Date(), publishedAt: null });
  const tries: [string, Promise<Response>][] = [
    ['404 request/not-found', create(ada, 10, { voiceId: bob.voice.id })],
    ['404 request/not-found', create(ada, 10, { voiceId: newId() })],
    ['404 request/not-found', create(ada, 10, { replaces: foreign.id })],
    ['404 request/not-found', create(ada, 10, { replaces: gone.id })],
    ['400 upload/unknown-category', create(ada, 10, { categoryId: newId() })],
    ['415 upload/wrong-type', create(ada, 10, { fileName: 'sonnet.wma' })],
    ['415 upload/wrong-type', create(ada, 10, { fileName: 'wav' })],
    ['400 upload/empty', create(ada, 0)],
    ['413 upload/too-large', create(ada, maxUploadBytes + 1)],
    ['400 request/invalid', create(ada, 10, { fileName: '' })],
    ['400 request/invalid', create(ada, 10, { title: 'x'.repeat(300) })],
    ['400 request/invalid', create(ada, 10, { isFree: 'maybe' })],
    ['400 request/invalid', create(ada, -1)],
    ['400 request/invalid', create(ada, 1e30)],
    ['400 request/invalid', send(ada, 'POST', '/uploads', { 'upload-length': '10' })],
    ['400 request/invalid', send(ada, 'POST', '/uploads', { 'upload-length': '10', 'upload-metadata': 'a b c,,' })],
    [
      '400 request/invalid',
      send(ada, 'POST', '/uploads', {
        'upload-defer-length': '1',
        'upload-metadata': tusMetadata({ fileName: 'a.wav' }),
      }),
    ],
  ];
  for (const [expected, answer] of tries) expect(await codeOf(await answer)).toBe(expected);
  expect(await created(ada, 10, { replaces: own.id })).toMatch(/^\/uploads\/[0-9a-f-]{36}$/);
});

test('an upload is created without bytes and without extensions of the protocol', async () => {
  const before = await readdir(join(dataDir, 'uploads'));
  const rows = await db.$count(uploads);
  const start = {
    'tus-resumable': '1.0.0',
    authorization: `Bearer ${ada.token}`,
    'upload-length': '10',
    'upload-metadata': tusMetadata({ voiceId: ada.voice.id, fileName: 'one.wav' }),
  };
  // A stream is sent in chunks, without its length.
  const body = new Blob([Buffer.alloc(11)]).stream();
  const headers = { ...start, 'content-type': 'application/offset+octet-stream' };
  const withBytes = { method: 'POST', headers, body, duplex: 'half' };
  expect(await codeOf(await fetch(`${url}/uploads`, withBytes))).toBe('400 request/invalid');
  const partial = { ...start, 'upload-concat': 'partial' };
  expect(await codeOf(await send(ada, 'POST', '/uploads', partial))).toBe('400 request/invalid');
  expect(await readdir(join(dataDir, 'uploads'))).toEqual(before);
  // Nor do they count as uploads that have begun.
  expect(await db.$count(uploads)).toBe(rows);
  const options = await send(ada, 'OPTIONS', '/uploads');
  expect(options.headers.get('tus-extension')).toBe('creation,termination');
});

test('file names of any kind become titles, and paths in them are dropped', async () => {
  const titles = {
    'C:\\fakepath\\la-belle-dame.flac': 'La belle dame',
    '../../etc/passwd.mp3': 'Passwd',
    '.wav': 'Untitled',
    '<script>alert(1)</script>.ogg': 'Script>',
    'שיר השירים.m4a': 'שיר השירים',
    '\u202Eevil.wav': 'Evil',
  };
  for (const [fileName, title] of Object.entries(titles))
    expect((await rowOf(await created(ada, 10, { fileName })))?.title).toBe(title);
  const named = await rowOf(await created(ada, 10, { title: '  A  title\u0000 ' }));
  expect(named?.title).toBe('A title');
  expect((await rowOf(await created(ada, 10, { fileName: `${'n'.repeat(240)}.wav` })))?.title).toHaveLength(200);
  await db.execute(sql`delete from uploads where user_id = ${ada.id} and state = 'uploading'`);
});

test('wrong offsets, more bytes than announced and wrong headers change nothing', async () => {
  const path = await created(ada, 100);
  expect((await patch(ada, path, 0, Buffer.alloc(40, 1))).status).toBe(204);
  expect(await codeOf(await patch(ada, path, 0, Buffer.alloc(40)))).toBe('409 upload/wrong-offset');
  expect(await codeOf(await patch(ada, path, 50, Buffer.alloc(40)))).toBe('409 upload/wrong-offset');
  expect(await codeOf(await patch(ada, path, 40, Buffer.alloc(61)))).toBe('413 request/too-large');
  const without = { 'upload-offset': '40', 'tus-resumable': '' };
  expect(await codeOf(await send(ada, 'PATCH', path, without, Buffer.alloc(1)))).toMatch(/^4\d\d request/);
  const wrongType = { 'upload-offset': '40', 'content-type': 'text/plain' };
  expect(await codeOf(await send(ada, 'PATCH', path, wrongType, Buffer.alloc(1)))).toBe('415 request/unsupported-type');
  expect(await offsetOf(ada, path)).toBe(40);
});

test(
  'limits hold for each creator: 20 unfinished at once, and a number and size per day, also of removed ones',
  slow,
  async () => {
    const eve = await newCreator();
    const paths = [];
    for (let count = 0; count < 20; count += 1) paths.push(await created(eve, 10));
    expect(await codeOf(await create(eve, 10))).toBe('409 upload/too-many');
    expect((await create(bob, 10)).status).toBe(201);
    expect((await send(eve, 'DELETE', paths[0] ?? '')).status).toBe(204);
    expect((await create(eve, 10)).status).toBe(201);

    const big = await newCreator();
    const half = await created(big, 2 * 1024 ** 3);
    await created(big, 2 * 1024 ** 3);
    await send(big, 'DELETE', half);
    expect(await codeOf(await create(big, 2 * 1024 ** 3))).toBe('429 upload/daily-limit');
    await db.execute(sql`update uploads set created_at = now() - interval '25 hours' where user_id = ${big.id}`);
    expect((await create(big, 2 * 1024 ** 3)).status).toBe(201);
  },
);

test('a creator uploads no more files within 24 hours than the site allows', async () => {
  const eve = await newCreator();
  const first = await created(eve, 10);
  const copies = (number: number) =>
    db.execute(sql`
      insert into uploads (id, voice_id, user_id, file_name, title, choices, bytes, state, failure)
      select gen_random_uuid(), voice_id, user_id, file_name, title, choices, bytes, 'failed', 'failed'
      from uploads, generate_series(1, ${number}::int) where id = ${idOf(first)}`);
  await copies(58);
  // The last of 60.
  expect((await create(eve, 10)).status).toBe(201);
  expect(await codeOf(await create(eve, 10))).toBe('429 upload/daily-limit');
  const age = (hours: string) =>
    db.execute(sql`update uploads set created_at = now() - ${hours}::interval where id = ${idOf(first)}`);
  await age('23 hours 59 minutes');
  expect(await codeOf(await create(eve, 10))).toBe('429 upload/daily-limit');
  await age('24 hours 1 minute');
  expect((await create(eve, 10)).status).toBe(201);
});

test('many that begin at once do not slip through the limit', async () => {
  const eve = await newCreator();
  const statuses = await Promise.all(Array.from({ length: 30 }, async () => (await create(eve, 10)).status));
  expect(statuses.filter((status) => status === 201)).toHaveLength(20);
});

test('when the disk is nearly full, uploads are refused with a reason, and what has arrived stays', async () => {
  const path = await created(ada, 100);
  await patch(ada, path, 0, Buffer.alloc(40));
  const room = vi.spyOn(incoming, 'room').mockResolvedValue(30);
  expect(await codeOf(await create(ada, 100))).toBe('503 upload/no-space');
  expect(await codeOf(await patch(ada, path, 40, Buffer.alloc(60)))).toBe('503 upload/no-space');
  room.mockRestore();
  expect(await offsetOf(ada, path)).toBe(40);
  expect((await patch(ada, path, 40, Buffer.alloc(60))).status).toBe(204);
});

test('a broken connection keeps the received bytes, and the client continues from there', async () => {
  const file = randomBytes(200_000);
  const path = await created(ada, file.length);
  const broken = sendHalf(url + path, ada, file.length, file.subarray(0, 120_000));
  await vi.waitFor(async () => expect(await incoming.received(idOf(path))).toBe(120_000));
  broken.destroy();
  // HEAD waits for the broken request's lock.
  const offset = await offsetOf(ada, path);
  expect(offset).toBe(120_000);
  expect((await patch(ada, path, offset, file.subarray(offset))).status).toBe(204);
  const row = await rowOf(path);
  expect(Buffer.from(await new Response(blobs.read(row?.originalKey ?? '')).arrayBuffer()).equals(file)).toBe(true);
});

test('a request with a silent client stops for the client’s next one', slow, async () => {
  const file = randomBytes(100_000);
  const path = await created(ada, file.length);
  const silent = sendHalf(url + path, ada, file.length, file.subarray(0, 60_000));
  await vi.waitFor(async () => expect(await incoming.received(idOf(path))).toBe(60_000));
  expect(await offsetOf(ada, path)).toBe(60_000);
  expect((await patch(ada, path, 60_000, file.subarray(60_000))).status).toBe(204);
  expect(await rowOf(path)).toMatchObject({ state: 'waiting' });
  silent.destroy();
});

test('a file that was complete when its process died is stored by the next request for it, or by the job', async () => {
  const [file, other] = [randomBytes(1000), randomBytes(2000)];
  const [path, second] = [await created(ada, file.length), await created(ada, other.length)];
  // Simulates the end of the process after the last byte: storing the file fails.
  const hash = vi.spyOn(incoming, 'hash').mockRejectedValue(new Error('the process ends'));
  await patch(ada, path, 0, file);
  await patch(ada, second, 0, other);
  hash.mockRestore();
  expect(errors.splice(0)).toMatchObject([
    { msg: 'An upload could not be kept' },
    { msg: 'An upload could not be kept' },
  ]);
  expect(await rowOf(path)).toMatchObject({ state: 'uploading' });
  expect(await offsetOf(ada, path)).toBe(file.length);
  expect(await rowOf(path)).toMatchObject({ state: 'waiting' });

  const tools = { blobs, incoming };
  expect(await site.studio.finishIdleUploads(tools)).toBe(0);
  await db.execute(sql`update uploads set updated_at = now() - interval '2 minutes' where id = ${idOf(second)}`);
  expect(await site.studio.finishIdleUploads(tools)).toBe(1);
  expect(await rowOf(second)).toMatchObject({ state: 'waiting' });
  // Without a job queue, the upload is stored all the same.
  const third = await created(ada, 10);
  const warned: unknown[] = [];
  await incoming.datastore.write((await import('node:stream')).Readable.from([Buffer.alloc(10, 3)]), idOf(third), 0);
  const addJobs = addJobsOrWarn(() => Promise.reject(new Error('no such queue')), {
    warn: (...line: unknown[]) => void warned.push(line[1]),
  });
  await finishUpload({ db, addJobs }, idOf(third), tools);
  expect([(await rowOf(third))?.state, warned]).toEqual(['waiting', ['A job is late']]);
});

test('a file that is cancelled while it is stored leaves nothing behind', async () => {
  const file = randomBytes(1000);
  const path = await created(ada, file.length);
  const key = `originals/${createHash('sha256').update(file).digest('hex').slice(0, 20)}.wav`;
  const keepAs = vi.spyOn(incoming, 'keepAs').mockImplementation(async (id) => {
    await blobs.write(key, file);
    await db.update(uploads).set({ removedAt: new Date() }).where(eq(uploads.id, id));
  });
  await patch(ada, path, 0, file);
  expect(keepAs).toHaveBeenCalled();
  keepAs.mockRestore();
  expect(await rowOf(path)).toMatchObject({ originalKey: null });
  expect(await removeAfterTwoDays({ db, blobs })).toBeGreaterThan(0);
  expect(await blobs.stat(key)).toBeUndefined();
});

test('a finished upload stays in the list for three days', async () => {
  const eve = await newCreator();
  const audio = await createAudio(db, { voiceId: eve.voice.id });
  const path = await created(eve, 10);
  const listed = async (age: string) => {
    await db.execute(sql`
      update uploads set state = 'ready', audio_id = ${audio.id}, updated_at = now() - ${age}::interval
      where id = ${idOf(path)}`);
    return (await listUploads(db, operator, eve.voice.id, { limit: 9 }))?.items.map(({ id }) => id);
  };
  expect(await listed('2 days 23 hours')).toEqual([idOf(path)]);
  expect(await listed('3 days 1 minute')).toEqual([]);
});

test('with their account, unfinished uploads and their files go at once, and finished ones lose the name', async () => {
  const gone = await newCreator();
  const paths = [await created(gone, 100), await created(gone, 100), await created(gone, 100)];
  const [half = '', waiting = '', ready = ''] = paths;
  await patch(gone, half, 0, Buffer.alloc(40));
  await patch(gone, waiting, 0, randomBytes(100));
  await patch(gone, ready, 0, randomBytes(100));
  await db
    .update(uploads)
    .set({ state: 'ready' })
    .where(eq(uploads.id, idOf(ready)));
  expect((await rowOf(waiting))?.state).toBe('waiting');
  const others = await created(ada, 100);
  await patch(ada, others, 0, Buffer.alloc(40));
  await openPrivacy({ db, incoming, secret: 'secret' }).erase(gone.id);
  expect(await Promise.all(paths.map(async (path) => (await rowOf(path))?.userId))).toEqual([
    undefined,
    undefined,
    null,
  ]);
  expect(await Promise.all([half, others].map((path) => incoming.received(idOf(path))))).toEqual([undefined, 40]);
});

test('only unneeded files are removed', async () => {
  const eve = await newCreator();
  const make = async (set: string) => {
    const path = await created(eve, 100);
    await patch(eve, path, 0, Buffer.alloc(40));
    await db.execute(sql`update uploads set ${sql.raw(set)} where id = ${idOf(path)}`);
    return path;
  };
  await blobs.write('originals/1.wav', Buffer.alloc(3));
  await blobs.write('originals/2.wav', Buffer.alloc(3));
  const failed = "state = 'failed', failure = 'damaged', created_at = now() - interval '40 days'";
  const going = await make('progress = 40');
  const abandoned = await make("updated_at = now() - interval '8 days', created_at = now() - interval '9 days'");
  const removed = await make('removed_at = now()');
  const old = await make(`${failed}, original_key = 'originals/1.wav', updated_at = now() - interval '31 days'`);
  const recent = await make(`${failed}, original_key = 'originals/2.wav', updated_at = now() - interval '3 days'`);
  const resumed = await make("updated_at = now() - interval '8 days'");
  const stray = async (hours: number) => {
    const path = await make('progress = 40');
    await db.execute(sql`delete from uploads where id = ${idOf(path)}`);
    const file = join(dataDir, path);
    const at = new Date(Date.now() - hours * 3_600_000);
    await utimes(file, at, at);
    return file;
  };
  const strays = [await stray(23), await stray(25)];
  const tools = { blobs, incoming };
  const lock = await takeUploadLock(db, idOf(resumed));
  const purging = site.studio.purgeUploads(tools);
  await vi.waitFor(async () =>
    expect(await db.execute(sql`select from upload_locks where wanted`)).toMatchObject({ rowCount: 1 }),
  );
  await db.execute(sql`update uploads set updated_at = now() where id = ${idOf(resumed)}`);
  await lock?.release();
  expect(await purging).toBe(2);
  const rows = await Promise.all(
    [going, abandoned, removed, old, recent].map(async (path) => (await rowOf(path)) !== undefined),
  );
  expect(rows).toEqual([true, false, true, false, true]);
  const files = await Promise.all([going, resumed, abandoned, removed].map((path) => incoming.received(idOf(path))));
  expect(files).toEqual([40, 40, undefined, undefined]);
  expect(strays.map((path) => existsSync(path))).toEqual([true, false]);
  await removeAfterTwoDays({ db, blobs });
  expect([await blobs.stat('originals/1.wav'), (await blobs.stat('originals/2.wav'))?.bytes]).toEqual([undefined, 3]);
});

test(
  'the lock of an upload is taken by one at a time, told to who holds it, and free when its process died',
  slow,
  async () => {
    const id = newId();
    const notified: string[] = [];
    const first = await takeUploadLock(db, id, { onWanted: () => void notified.push('first') });
    expect(await takeUploadLock(db, id, { patience: 300 })).toBeUndefined();
    await vi.waitFor(() => expect(notified).toEqual(['first']), { timeout: 3000 });
    const waiting = takeUploadLock(db, id, { patience: 5000 });
    await first?.release();
    const second = await waiting;
    expect(second).toBeDefined();
    // Its process is dead: the lease expires.
    await db.execute(
      sql`update upload_locks set until = now() - interval '1 second', token = gen_random_uuid(), wanted = true`,
    );
    const third = await takeUploadLock(db, id, { patience: 300 });
    expect(third).toBeDefined();
    // It was wanted from the dead one.
    expect((await db.execute(sql`select wanted from upload_locks`)).rows).toEqual([{ wanted: false }]);
    await second?.release();
    expect(await takeUploadLock(db, id, { patience: 200 })).toBeUndefined();
    await third?.release();
  },
);

test('none of this was an error of the site', () => {
  expect(errors).toEqual([]);
});
