import { randomBytes, randomUUID } from 'node:crypto';
import type { Config } from '#config';
import type { BlobInfo, Blobs } from '#domain/gateways.ts';
import { StorageError } from '#gateways/s3-failure.ts';
import { callLimits } from '#gateways/call-limits.ts';
import { timedFetch } from '#gateways/timed-fetch.ts';
import { openRemoteBlobs } from '#start/open-blobs.ts';
import type { Report } from './report.ts';

type StorageConfig = NonNullable<Config['storage']>;

/**
 * Whether the site can store files in its object storage, and listeners can load them.
 * @returns whether it can be read
 */
export async function checkStorage(storage: StorageConfig, report: Report): Promise<boolean> {
  const blobs = await openRemoteBlobs(storage);
  const key = `doctor/${randomUUID()}`;
  const content = randomBytes(64);
  try {
    // Listing reports a missing bucket; a request for one file would not.
    for await (const _file of blobs.list('doctor/')) break;
    await blobs.write(key, content);
    try {
      await checkAddress(blobs, { key, content }, report);
    } finally {
      await blobs.remove(key);
    }
    report('ok', 'Storage', `the bucket ${storage.bucket} can be read and written`);
    checkTime(blobs, report);
    return true;
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    report('FAIL', 'Storage', error.explanation);
    return false;
  }
}

/**
 * Storage refuses signatures more than 15 minutes off. The site corrects its clock by the answers; other programs do
 * not.
 */
function checkTime({ remote }: Blobs, report: Report): void {
  const seconds = Math.round(Math.abs(remote?.clockAhead() ?? 0) / 1000);
  if (seconds > 60)
    report('FAIL', 'Storage', `its clock is ${seconds} s apart from this machine's; let both keep time (NTP)`);
}

/** One listing instead of a call per file. */
export async function withListedSizes(blobs: Blobs): Promise<Blobs> {
  const listed = new Map<string, BlobInfo>();
  for await (const file of blobs.list('')) listed.set(file.key, file);
  return { ...blobs, stat: async (key) => listed.get(key) };
}

/** Whether a signed address serves the file, as a listener's browser requests it. */
async function checkAddress(
  { remote }: Blobs,
  file: { key: string; content: Uint8Array },
  report: Report,
): Promise<void> {
  const links = remote?.links;
  if (links === undefined) return;
  const problem = await fetchSigned(await links.sign(file.key, { method: 'GET', mime: 'audio/mpeg' }), file.content);
  if (problem !== undefined)
    report(
      'FAIL',
      'Storage',
      `listeners are sent to ${links.origin}, and ${problem}; it must pass path, query and Host on as they are (S3_PUBLIC_URL), or set MEDIA_REDIRECT=false`,
    );
}

async function fetchSigned(url: string, content: Uint8Array): Promise<string | undefined> {
  try {
    const response = await timedFetch(url, { limitMs: callLimits.doctor.answerMs, redirect: 'error' });
    const got = Buffer.from(await response.arrayBuffer());
    if (response.status !== 200) return `a signed address there answers ${response.status}`;
    return got.equals(content) ? undefined : 'a signed address there gives another file';
  } catch (error) {
    const { cause = error } = error as { cause?: unknown };
    const { code, name } = cause as NodeJS.ErrnoException;
    return `it cannot be reached from here (${code ?? name})`;
  }
}
