import { readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuiltMail } from './mail-outbox.ts';

type FormerMail = { mail: BuiltMail; reason: string | undefined; keptAt: Date };

const fileName = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-[0-9a-f]{8}\.eml(\.sending)?$/;
/** After this time the process that was taking a file over was probably killed. */
const claimedForMs = 10 * 60 * 1000;

/**
 * Hands over the mails that version 0.1.0 kept as files, which it may go on writing while this one starts, and deletes
 * them. Each goes to one process. The next release can do without.
 */
export async function takeOverFormerMails(dir: string, keep: (mail: FormerMail) => Promise<void>): Promise<void> {
  for (const name of (await readdir(dir).catch(none)) ?? []) {
    const [, year, month, day, hour, minute, second, millisecond, isClaimed] = fileName.exec(name) ?? [];
    if (year === undefined) continue;
    const path = join(dir, name);
    const claimed = isClaimed === undefined ? `${path}.sending` : path;
    const touchedAt = isClaimed === undefined ? 0 : ((await stat(path).catch(none))?.mtimeMs ?? Date.now());
    if (Date.now() - touchedAt < claimedForMs) continue;
    const now = new Date();
    const isTaken = await utimes(path, now, now)
      .then(() => rename(path, claimed))
      .then(() => true, none);
    if (isTaken === undefined) continue;
    const { notes, raw } = split(await readFile(claimed));
    await keep({
      mail: { from: notes['From'] ?? '', to: notes['To'] ?? '', raw },
      reason: notes['Reason'],
      keptAt: new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`),
    });
    await rm(claimed, { force: true });
  }
}

/** The first lines of a file name sender, recipient and reason; the message follows. */
function split(file: Buffer): { notes: Record<string, string>; raw: Buffer } {
  const notes: Record<string, string> = {};
  for (let at = 0; ;) {
    const end = file.indexOf('\r\n', at);
    const [, name, value = ''] =
      /^X-Sotto-(From|To|Reason): (.*)$/.exec(file.toString('utf8', at, Math.max(at, end))) ?? [];
    if (name === undefined) return { notes, raw: file.subarray(at) };
    notes[name] = value;
    at = end + 2;
  }
}

function none(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
