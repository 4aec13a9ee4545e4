import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from './disk-blobs.ts';

/** A message ready for SMTP; the outbox stores the same bytes that are sent. */
export type BuiltMail = { from: string; to: string; raw: Buffer };

export type KeptMail = {
  /** File name; sorts by time. */
  name: string;
  keptAt: Date;
  to: string;
  /** Why it was not sent; absent when there was no mail server. */
  reason: string | undefined;
};

export type Outbox = {
  /** @param at its age counts from then @returns the name of its file */
  keep(mail: BuiltMail, reason: string | undefined, at?: Date): Promise<string>;
  /** Oldest first. */
  list(): Promise<KeptMail[]>;
  /** The mail to take over; undefined when it is gone or another process takes it. */
  claim(name: string): Promise<BuiltMail | undefined>;
  /** After `claim`: it was taken over. */
  drop(name: string): Promise<void>;
  /** Deletes all mails to an address, ignoring case. */
  purge(to: string): Promise<void>;
  purgeOld(): Promise<void>;
};

const forgottenAfterMs = 30 * 24 * 60 * 60 * 1000;
/** After this time a claim expires: its process was probably killed. */
const claimedForMs = 10 * 60 * 1000;
const claimed = '.sending';
const namePattern = /^\d{8}T\d{9}Z-[0-9a-f]{8}\.eml$/;

/**
 * One file per mail, in a folder that only the site's user can read. The first lines name sender, recipient and reason;
 * the message follows, so that any mail program opens the file.
 */
export async function openOutbox(dir: string): Promise<Outbox> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await chmod(dir, 0o700);
  const pathOf = (name: string) => join(dir, name);

  async function write(name: string, { from, to, raw }: BuiltMail, reason: string | undefined): Promise<void> {
    const notes = { 'X-Sotto-From': from, 'X-Sotto-To': to, ...(reason && { 'X-Sotto-Reason': reason }) };
    const head = Object.entries(notes).map(([header, value]) => `${header}: ${oneLine(value)}\r\n`);
    await replaceFile(pathOf(name), dir, (temporary) =>
      writeFile(temporary, Buffer.concat([Buffer.from(head.join('')), raw]), { flag: 'wx', mode: 0o600 }),
    );
  }

  async function reclaim(): Promise<void> {
    for (const name of await readdir(dir)) {
      const at = name.endsWith(claimed) ? await stat(pathOf(name)).catch(gone) : undefined;
      if (at !== undefined && Date.now() - at.mtimeMs > claimedForMs)
        await rename(pathOf(name), pathOf(name.slice(0, -claimed.length))).catch(gone);
    }
  }

  return {
    async keep(mail, reason, at = new Date()) {
      const name = `${at.toISOString().replaceAll(/[-:.]/g, '')}-${randomBytes(4).toString('hex')}.eml`;
      await write(name, mail, reason);
      return name;
    },

    async list() {
      await reclaim();
      const names = (await readdir(dir)).filter((name) => namePattern.test(name)).toSorted();
      const kept: KeptMail[] = [];
      for (const name of names) {
        const head = await readStart(pathOf(name)).catch(gone);
        if (head === undefined) continue;
        const { notes } = split(head);
        kept.push({ name, keptAt: timeOf(name), to: notes['X-Sotto-To'] ?? '', reason: notes['X-Sotto-Reason'] });
      }
      return kept;
    },

    async claim(name) {
      if (!namePattern.test(name)) return undefined;
      const now = new Date();
      // Touched before the rename; otherwise another process may consider it abandoned.
      const touched = await utimes(pathOf(name), now, now).then(() => true, gone);
      const taken = touched && (await rename(pathOf(name), pathOf(name + claimed)).then(() => true, gone));
      if (taken === undefined) return undefined;
      const { notes, raw } = split(await readFile(pathOf(name + claimed)));
      return { from: notes['X-Sotto-From'] ?? '', to: notes['X-Sotto-To'] ?? '', raw };
    },

    drop: (name) => rm(pathOf(name + claimed), { force: true }),

    async purge(to) {
      const whose = oneLine(to).toLowerCase();
      const isMail = (name: string) => namePattern.test(name) || namePattern.test(name.slice(0, -claimed.length));
      for (const name of (await readdir(dir)).filter(isMail)) {
        const head = await readStart(pathOf(name)).catch(gone);
        if (head !== undefined && split(head).notes['X-Sotto-To']?.toLowerCase() === whose)
          await rm(pathOf(name), { force: true });
      }
    },

    async purgeOld() {
      for (const name of await readdir(dir)) {
        const at = namePattern.test(name) ? timeOf(name).getTime() : (await stat(pathOf(name)).catch(gone))?.mtimeMs;
        if (at !== undefined && Date.now() - at > forgottenAfterMs) await rm(pathOf(name), { force: true });
      }
    },
  };
}

/** `20251121T122430123Z-…` */
function timeOf(name: string): Date {
  const [, date, hours, minutes, seconds, milliseconds] = /^(\d{8})T(\d\d)(\d\d)(\d\d)(\d{3})/.exec(name) ?? [];
  const day = date?.replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3');
  return new Date(`${day}T${hours}:${minutes}:${seconds}.${milliseconds}Z`);
}

function split(file: Buffer): { notes: Record<string, string>; raw: Buffer } {
  const notes: Record<string, string> = {};
  let at = 0;
  for (;;) {
    const end = file.indexOf('\r\n', at);
    const line = /^(X-Sotto-(?:From|To|Reason)): (.*)$/.exec(end === -1 ? '' : file.toString('utf8', at, end));
    if (line === null) return { notes, raw: file.subarray(at) };
    const [, header = '', value = ''] = line;
    notes[header] = value;
    at = end + 2;
  }
}

/** Reads the first lines, which contain the notes. */
async function readStart(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const start = Buffer.alloc(4096);
    const { bytesRead } = await file.read(start, 0, start.length, 0);
    return start.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 500);
}

function gone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
