import { type Locker, ERRORS } from '@tus/server';
import type { Site } from '#domain/site.ts';

/** Lets one request at a time write to an upload, across all processes. */
export function createUploadLocker(options: {
  takeLock: Site['studio']['takeUploadLock'];
  /** Id of the upload by its name in the store. */
  idOf: (name: string) => string;
}): Locker {
  return {
    newLock(name) {
      let lock: Awaited<ReturnType<typeof options.takeLock>>;
      return {
        async lock(signal, onWanted) {
          lock = await options.takeLock(options.idOf(name), { signal, onWanted: () => void onWanted() });
          if (lock === undefined) throw ERRORS.ERR_LOCK_TIMEOUT;
        },
        async unlock() {
          await lock?.release();
        },
      };
    },
  };
}
