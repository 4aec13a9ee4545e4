/** The device's own database, shared by all tabs and the service worker. Its names reveal nothing about its content. */
const name = 'kept';
export type Store = 'state' | 'items';

let opening: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      for (const store of ['state', 'items'] satisfies Store[]) request.result.createObjectStore(store);
    };
    request.onsuccess = () => {
      // Closed by the browser, for example when site data is deleted.
      request.result.onclose = () => (opening = undefined);
      request.result.onversionchange = () => {
        request.result.close();
        opening = undefined;
      };
      resolve(request.result);
    };
    request.onerror = () => reject(request.error ?? new Error('IndexedDB did not open'));
  });
  opening.catch(() => (opening = undefined));
  return opening;
}

/**
 * WebKit keeps the open transactions of a page in its back/forward cache, and the next page waits for them forever. So
 * complete transactions are committed at once, and the others are aborted with the page.
 */
const unfinished = new Set<IDBTransaction>();
/** Set while the page is hidden; resolves when it is shown again. */
let pageLeft: Promise<void> | undefined;
let resolvePageLeft: (() => void) | undefined;

globalThis.addEventListener?.('pagehide', () => {
  pageLeft ??= new Promise((resolve) => {
    resolvePageLeft = resolve;
  });
  for (const transaction of unfinished) transaction.abort();
});
globalThis.addEventListener?.('pageshow', () => {
  resolvePageLeft?.();
  pageLeft = undefined;
});

async function run<Result>(
  stores: Store[],
  mode: IDBTransactionMode,
  act: (store: (name: Store) => IDBObjectStore, commit: () => void) => IDBRequest<Result> | void,
): Promise<Result | undefined> {
  const database = await open();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(stores, mode);
    let isCommitted = false;
    const end = () => unfinished.delete(transaction);
    const commit = () => {
      isCommitted = true;
      end();
      transaction.commit();
    };
    const request = act((one) => transaction.objectStore(one), commit);
    if (!isCommitted) unfinished.add(transaction);
    transaction.oncomplete = () => {
      end();
      resolve(request?.result);
    };
    transaction.onabort = () => {
      end();
      reject(transaction.error ?? new Error('The change was not stored'));
    };
  });
}

/** For a single request, which can be committed at once. */
function runAtOnce<Result>(
  store: Store,
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result | undefined> {
  return run([store], mode, (objectStore, commit) => {
    const request = act(objectStore(store));
    commit();
    return request;
  });
}

export async function read<Value>(store: Store, key: string): Promise<Value | undefined> {
  return (await runAtOnce(store, 'readonly', (one) => one.get(key))) as Value | undefined;
}

export async function readKeys(store: Store): Promise<string[]> {
  return ((await runAtOnce(store, 'readonly', (one) => one.getAllKeys())) ?? []) as string[];
}

export async function write(store: Store, key: string, value: unknown): Promise<void> {
  await runAtOnce(store, 'readwrite', (one) => one.put(value, key));
}

/** Writes unless there is a value. @returns the stored value */
export async function writeFirst<Value>(store: Store, key: string, value: Value): Promise<Value> {
  await pageLeft;
  await run([store], 'readwrite', (objectStore, commit) => {
    const request = objectStore(store).getKey(key);
    request.onsuccess = () => {
      if (request.result === undefined) objectStore(store).put(value, key);
      commit();
    };
  });
  return (await read<Value>(store, key)) ?? value;
}

/** Changes an existing value in one transaction. @param update returns undefined to leave it unchanged */
export async function change<Value>(
  store: Store,
  key: string,
  update: (value: Value) => Value | undefined,
): Promise<void> {
  await pageLeft;
  await run([store], 'readwrite', (objectStore, commit) => {
    const request = objectStore(store).get(key);
    request.onsuccess = () => {
      const changed = request.result === undefined ? undefined : update(request.result as Value);
      if (changed !== undefined) objectStore(store).put(changed, key);
      commit();
    };
  });
}

export async function remove(store: Store, key: string): Promise<void> {
  await runAtOnce(store, 'readwrite', (one) => one.delete(key));
}

/** @param exceptKey key of the one value in `state` that stays */
export async function clearAll(exceptKey: string): Promise<void> {
  await pageLeft;
  await run(['state', 'items'], 'readwrite', (objectStore, commit) => {
    objectStore('items').clear();
    const request = objectStore('state').getAllKeys();
    request.onsuccess = () => {
      for (const key of request.result) if (key !== exceptKey) objectStore('state').delete(key);
      commit();
    };
  });
}
