/** @module-tag slow */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { setAdmin } from '#domain/identity/operators.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createSession, createUser } from '#test/support/factories.ts';
import { testSecret } from '#test/support/identity.ts';
import { startSite } from '../../bench/site-process.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

/** Work that took the site down: pictures of 100 megapixels and texts that take minutes, in the process that serves. */

const { db, url: databaseUrl } = await createTestDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'sotto-large-work-'));
let site: Awaited<ReturnType<typeof startSite>>;
beforeAll(async () => {
  site = await startSite({
    DEMO: 'false',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    SECRET: testSecret,
    ADMIN_SECOND_FACTOR: 'optional',
  });
});
afterAll(async () => {
  await site.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const { id } = await createUser(db);
await setAdmin(db, id, true);
const { token } = await createSession(db, id);

async function call(method: string, path: string, body: unknown) {
  const answer = await fetch(`${site.url}/v1/api${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  return `${answer.status} ${text === '' ? '' : ((JSON.parse(text) as { error?: { code: string } }).error?.code ?? '')}`;
}

/** Megabytes of resident memory, and the most so far. */
function memoryOf(pid: number) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  return { now: read('VmRSS'), max: read('VmHWM') };
}

test.runIf(process.platform === 'linux')(
  'sixteen covers of 100 megapixels and 200 KB of _a__b at once: others wait for nothing, and memory stays low',
  async () => {
    const plain = () => sharp({ create: { width: 10_000, height: 9990, channels: 3, background: '#335577' } });
    const progressive = (await plain().jpeg({ progressive: true }).toBuffer()).toString('base64');
    const baseline = (await plain().jpeg().toBuffer()).toString('base64');
    const audios = await Promise.all(Array.from({ length: 16 }, () => createAudio(db, { publishedAt: null })));
    for (const { voiceId } of audios) await setVoiceOwner(db, voiceId, id, true);
    const attack = Promise.all([
      ...audios.map((audio, index) =>
        call('PUT', `/studio/audios/${audio.id}/cover`, {
          version: 0,
          choice: { picture: index < 14 ? progressive : baseline },
        }),
      ),
      call('POST', '/admin/markdown-preview', { text: '_a__b'.repeat(39_000) }),
    ]);
    let isOver = false;
    const over = () => (isOver = true);
    attack.then(over, over);
    const waits: number[] = [];
    while (!isOver) {
      const start = performance.now();
      const answer = await fetch(`${site.url}/v1/api/audios?page=${waits.length}`);
      expect([answer.status, answer.ok ? '' : await answer.text()]).toEqual([200, '']);
      waits.push(performance.now() - start);
    }
    expect(await attack).toEqual([
      ...Array<string>(14).fill('400 picture/too-costly'),
      ...Array<string>(2).fill('200 '),
      '400 text/too-complex',
    ]);
    const p99 = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? 0;
    const { now, max } = memoryOf(site.pid);
    process.stdout.write(
      `Others' ${waits.length} requests: p99 ${Math.round(p99)} ms; memory ${Math.round(now)} MB, at most ${Math.round(max)} MB\n`,
    );
    expect(max).toBeLessThan(700);
    expect(p99).toBeLessThan(100);
  },
);
