import type { BlobReference } from '#db/blob-columns.ts';
import { storageIdKey } from '#db/fingerprints.ts';
import { type Blobs, minFeedCover } from '#domain/gateways.ts';
import { formatBytes } from '#formats/bytes.ts';
import { countOf } from '#formats/numbers.ts';
import type { StoredSite } from './database.ts';
import type { Report } from './report.ts';

export type StoredFiles = { references: BlobReference[]; blobs: Blobs };

const maxListed = 5;

/** Whether every file that the database names is stored completely. */
export async function checkFiles({ references, blobs }: StoredFiles, report: Report): Promise<void> {
  const problems: string[] = [];
  let bytes = 0;
  for (const reference of references) {
    const file = await blobs.stat(reference.key);
    bytes += file?.bytes ?? 0;
    const problem = findProblem(reference, file);
    if (problem !== undefined) problems.push(problem);
  }
  for (const problem of problems.slice(0, maxListed)) report('FAIL', 'Files', `${problem}; restore it from a backup`);
  if (problems.length > maxListed)
    report('FAIL', 'Files', `and ${problems.length - maxListed} more are missing or of the wrong size`);
  if (problems.length === 0)
    report('ok', 'Files', `${countOf(references.length, 'file')} of the database, none missing, ${formatBytes(bytes)}`);
}

function findProblem(reference: BlobReference, file: { bytes: number } | undefined): string | undefined {
  const { key, table, bytes: expected } = reference;
  if (file === undefined) return `${key} (of ${table}) is missing`;
  const isComplete = expected === undefined ? file.bytes > 0 : file.bytes === expected && file.bytes > 0;
  if (isComplete) return undefined;
  return `${key} (of ${table}) has ${countOf(file.bytes, 'byte')} instead of ${expected ?? 'some'}`;
}

/** Files that the database does not name. */
export async function checkOrphans({ references, blobs }: StoredFiles, report: Report): Promise<void> {
  const named = new Set(references.map(({ key }) => key));
  let count = 0;
  let bytes = 0;
  for await (const file of blobs.list('')) {
    if (named.has(file.key) || file.key === storageIdKey) continue;
    count += 1;
    bytes += file.bytes;
  }
  if (count > 0)
    report(
      'ok',
      'Files',
      `${countOf(count, 'file')} that nothing names (${formatBytes(bytes)}), which go after 48 hours`,
    );
}

/** Whether `stored_files` has what the other tables name, without which a file would be removed and brought back late. */
export async function checkFileRows(
  { opened, references }: Pick<StoredSite, 'opened'> & Pick<StoredFiles, 'references'>,
  report: Report,
): Promise<void> {
  const { rows } = await opened.database.pool.query<{ key: string }>(
    `select key from unnest($1::text[]) key where not exists (
       select from stored_files s where s.key = key.key and s.state in ('kept', 'unused')) limit 1`,
    [references.map(({ key }) => key)],
  );
  for (const { key } of rows)
    report('warn', 'Files', `${key} is named and not entered as kept; the nightly job enters it if it is stored`);
}

/** Whether the job that removes files comes through. */
export async function checkLateFiles({ opened }: Pick<StoredSite, 'opened'>, report: Report): Promise<void> {
  const { rows } = await opened.database.pool.query<{ count: number }>(
    `select count(*)::int as count from stored_files where state <> 'kept' and since < now() - interval '4 days'`,
  );
  const count = rows[0]?.count ?? 0;
  if (count > 0)
    report(
      'warn',
      'Files',
      /*i18n*/ {
        id: 'doctor.files.late',
        message:
          '{files, plural, one {# file should have been removed from the storage by now} other {# files should have been removed from the storage by now}}; see the job remove-unused-files in Admin’s System',
        values: { files: count },
      },
    );
}

const maxDecoded = 24;

/** Decodes a sample, because decoding all takes too long on a large site. */
export async function checkImages(files: StoredFiles, report: Report): Promise<void> {
  const { blobs } = files;
  const images = await findStoredImages(files);
  const step = Math.max(1, Math.ceil(images.length / maxDecoded));
  const sample = images.filter((_key, index) => index % step === 0);
  const { openCovers } = await import('#gateways/covers.ts');
  const covers = openCovers();
  let unreadable = 0;
  for (const key of sample) {
    if (await covers.isDecodable(await readBytes(blobs, key))) continue;
    unreadable += 1;
    report('FAIL', 'Images', `${key} cannot be decoded; restore it from a backup`);
  }
  if (unreadable === 0 && sample.length > 0)
    report('ok', 'Images', `${sample.length} of ${images.length} tried, all can be decoded`);
}

/** Without missing and incomplete ones, which `checkFiles` reports. */
async function findStoredImages({ references, blobs }: StoredFiles): Promise<string[]> {
  const keys: string[] = [];
  for (const reference of references) {
    if (!reference.key.startsWith('images/')) continue;
    if (findProblem(reference, await blobs.stat(reference.key)) === undefined) keys.push(reference.key);
  }
  return keys;
}

/** Covers that the feeds leave out because they are too small; feeds list only free audios. */
export async function checkFeedCovers(
  { opened, blobs }: Pick<StoredSite, 'opened'> & Pick<StoredFiles, 'blobs'>,
  report: Report,
): Promise<void> {
  const { rows } = await opened.database.pool.query<{ name: string; key: string }>(
    `select 'audio ' || slug as name, image_key as key from audios where is_free and published_at <= now() and image_key is not null
     union all select 'voice ' || slug, image_key from voices where image_key is not null
     union all select 'series ' || slug, image_key from series where image_key is not null order by 1`,
  );
  const { smallerSideOf } = await import('#gateways/covers.ts');
  const small: string[] = [];
  for (const { name, key } of rows) {
    if ((await blobs.stat(key)) === undefined) continue;
    const side = await smallerSideOf(await readBytes(blobs, key));
    if (side !== undefined && side < minFeedCover) small.push(`${name} (${side} px)`);
  }
  if (small.length === 0) return;
  const examples = `${small.slice(0, 3).join(', ')}${small.length > 3 ? ' …' : ''}`;
  report(
    'warn',
    'Feeds',
    `${countOf(small.length, 'picture')} below ${minFeedCover} px, which podcast directories refuse and feeds leave out: ${examples}`,
  );
}

async function readBytes(blobs: Blobs, key: string): Promise<Uint8Array> {
  return new Uint8Array(await new Response(blobs.read(key)).arrayBuffer());
}
