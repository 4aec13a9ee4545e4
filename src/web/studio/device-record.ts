import { readSealed, writeSealed } from '#offline/sealed-values.ts';
import { browserStore } from '../browser-store.ts';

/** The Studio's unsaved work on this device, encrypted, so that the browser's files reveal no titles. */
export type DeviceRecord<Value> = {
  read(): Promise<Value | undefined>;
  /** Writes run one after the other; the last one wins. @param value undefined removes the record */
  keep(value: Value | undefined): Promise<void>;
};

/** Records of earlier versions are plain JSON; encrypted ones are Base64. */
const readable = /^sotto_(uploads$|unsaved_audio_)/;
let sealing: Promise<void> | undefined;

export function openDeviceRecord<Value>(name: string): DeviceRecord<Value> {
  let waiting: { value: Value | undefined } | undefined;
  let reading: Promise<Value | undefined> | undefined;
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    // A read that began before the change must still see what an earlier visit left.
    await reading;
    for (let next = waiting; next !== undefined; next = waiting) {
      waiting = undefined;
      await writeSealed(browserStore, name, next.value);
    }
    writing = undefined;
  }

  return {
    read: () => (reading = sealReadableRecords().then(() => readSealed<Value>(browserStore, name))),
    keep(value) {
      // At once, because another page may follow a log-out.
      if (value === undefined) browserStore.set(name, '');
      waiting = { value };
      return (writing ??= write());
    },
  };
}

/** Once per document. */
export function sealReadableRecords(): Promise<void> {
  return (sealing ??= sealAll());
}

async function sealAll(): Promise<void> {
  for (const name of namesOnDevice().filter((key) => readable.test(key))) {
    const text = browserStore.get(name);
    if (!text?.startsWith('{')) continue;
    try {
      await writeSealed(browserStore, name, JSON.parse(text));
    } catch {
      browserStore.set(name, '');
    }
  }
}

function namesOnDevice(): string[] {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}
