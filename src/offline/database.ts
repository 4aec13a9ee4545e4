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

async function run<Result>(
  stores: Store[],
  mode: IDBTransactionMode,
  act: (store: (name: Store) => IDBObjectStore) => IDBRequest<Result> | void,
): Promise<Result | undefined> {
  const database = await open();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(stores, mode);
    const request = act((one) => transaction.objectStore(one));
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onabort = () => reject(transaction.error ?? new Error('The change was not stored'));
  });
}

export async function read<Value>(store: Store, key: string): Promise<Value | undefined> {
  return (await run(store === 'state' ? ['state'] : ['items'], 'readonly', (of) => of(store).get(key))) as
    | Value
    | undefined;
}

export async function readKeys(store: Store): Promise<string[]> {
  return ((await run([store], 'readonly', (of) => of(store).getAllKeys())) ?? []) as string[];
}

export async function write(store: Store, key: string, value: unknown): Promise<void> {
  await run([store], 'readwrite', (of) => of(store).put(value, key));
}

/** Writes unless there is a value. @returns the stored value */
export async function writeFirst<Value>(store: Store, key: string, value: Value): Promise<Value> {
  await run([store], 'readwrite', (of) => {
    const request = of(store).getKey(key);
    request.onsuccess = () => {
      if (request.result === undefined) of(store).put(value, key);
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
  await run([store], 'readwrite', (of) => {
    const request = of(store).get(key);
    request.onsuccess = () => {
      const changed = request.result === undefined ? undefined : make(request.result as Value);
      if (changed !== undefined) of(store).put(changed, key);
    };
  });
}

export async function remove(store: Store, key: string): Promise<void> {
  await run([store], 'readwrite', (of) => of(store).delete(key));
}

/** @param kept key of the one value in `state` that stays */
export async function removeEverything(kept: string): Promise<void> {
  await run(['state', 'items'], 'readwrite', (of) => {
    of('items').clear();
    const request = of('state').getAllKeys();
    request.onsuccess = () => {
      for (const key of request.result) if (key !== kept) of('state').delete(key);
    };
  });
}
