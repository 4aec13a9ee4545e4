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
 * WebKit keeps the transactions of a page that was left, and the next page waits for them for ever. A transaction with
 * all its requests is committed, so that it needs this page no more; the others end with the page.
 */
const unfinished = new Set<IDBTransaction>();
/** Resolves when the page that was left is back. */
let left: Promise<void> | undefined;
let comeBack: (() => void) | undefined;

globalThis.addEventListener?.('pagehide', () => {
  left ??= new Promise((resolve) => {
    comeBack = resolve;
  });
  for (const transaction of unfinished) transaction.abort();
});
globalThis.addEventListener?.('pageshow', () => {
  comeBack?.();
  left = undefined;
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

/** Requests that are all known at once. */
function runAtOnce<Result>(
  store: Store,
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result | undefined> {
  return run([store], mode, (of, commit) => {
    const request = act(of(store));
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
  await left;
  await run([store], 'readwrite', (of, commit) => {
    const request = of(store).getKey(key);
    request.onsuccess = () => {
      if (request.result === undefined) of(store).put(value, key);
      commit();
    };
  });
  return (await read<Value>(store, key)) ?? value;
}

/** Changes an existing value, in one step. @param make returns undefined to leave it */
export async function change<Value>(
  store: Store,
  key: string,
  make: (value: Value) => Value | undefined,
): Promise<void> {
  await left;
  await run([store], 'readwrite', (of, commit) => {
    const request = of(store).get(key);
    request.onsuccess = () => {
      const changed = request.result === undefined ? undefined : make(request.result as Value);
      if (changed !== undefined) of(store).put(changed, key);
      commit();
    };
  });
}

export async function remove(store: Store, key: string): Promise<void> {
  await runAtOnce(store, 'readwrite', (one) => one.delete(key));
}

/** @param kept key of the one value in `state` that stays */
export async function removeEverything(kept: string): Promise<void> {
  await left;
  await run(['state', 'items'], 'readwrite', (of, commit) => {
    of('items').clear();
    const request = of('state').getAllKeys();
    request.onsuccess = () => {
      for (const key of request.result) if (key !== kept) of('state').delete(key);
      commit();
    };
  });
}
