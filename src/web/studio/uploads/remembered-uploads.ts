import { openDeviceRecord } from '../device-record.ts';

/** The site keeps an incomplete file as long. */
const maxAgeMs = 7 * 24 * 60 * 60 * 1000;

type Remembered = Record<string, { id: string; at: number }>;

/** Under the prefix of keys that a log-out removes. */
const record = openDeviceRecord<Remembered>('sotto_uploads');

/** The same file of this device, judged by metadata: hashing 2 GB would take too long. */
export function fingerprintOf(file: File, voiceId: string, replaces: string | undefined): string {
  return [voiceId, replaces ?? '', file.name, file.size, file.lastModified].join(' ');
}

/** @returns the id of the upload of this file */
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
  return Object.fromEntries(Object.entries(all).filter(([, { at }]) => Date.now() - at < maxAgeMs));
}

let changing = Promise.resolve();

/** Changes run one after the other, because each reads what the previous one wrote. */
function change(make: (all: Remembered) => Remembered): void {
  changing = changing
    .then(async () => {
      const all = make(await read());
      await record.keep(Object.keys(all).length === 0 ? undefined : all);
    })
    .catch(() => undefined);
}
