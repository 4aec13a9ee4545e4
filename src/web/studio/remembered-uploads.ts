import { openDeviceRecord } from './device-record.ts';

/** The site keeps half a file as long. */
const mostAge = 7 * 24 * 60 * 60 * 1000;

type Remembered = Record<string, { id: string; at: number }>;

/** Under the prefix of what a log-out removes. */
const record = openDeviceRecord<Remembered>('sotto_uploads');

/** The same file of the same device, as far as a browser can tell: nobody reads 2 GB to find out. */
export function fingerprintOf(file: File, voiceId: string, replaces: string | undefined): string {
  return [voiceId, replaces ?? '', file.name, file.size, file.lastModified].join(' ');
}

/** @returns the id of the upload that this file belongs to */
export async function recallUpload(fingerprint: string): Promise<string | undefined> {
  await changing;
  return (await read())[fingerprint]?.id;
}

export function rememberUpload(fingerprint: string, id: string): void {
  change((all) => ({ ...all, [fingerprint]: { id, at: Date.now() } }));
}

export function forgetUpload(fingerprint: string): void {
  change(({ [fingerprint]: _gone, ...rest }) => rest);
}

async function read(): Promise<Remembered> {
  const all = (await record.read()) ?? {};
  return Object.fromEntries(Object.entries(all).filter(([, { at }]) => Date.now() - at < mostAge));
}

let changing = Promise.resolve();

/** One change after the other, since each reads what the former wrote. */
function change(make: (all: Remembered) => Remembered): void {
  changing = changing
    .then(async () => {
      const all = make(await read());
      await record.keep(Object.keys(all).length === 0 ? undefined : all);
    })
    .catch(() => undefined);
}
