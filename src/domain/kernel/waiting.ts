import { AsyncLocalStorage } from 'node:async_hooks';

/** A slot among a limited number of workers; a waiting worker can lend it to others. */
export type Place = { leave(): void; enter(): Promise<void> };

const held = new AsyncLocalStorage<Place>();

export function withPlace<Result>(place: Place, work: () => Promise<Result>): Promise<Result> {
  return held.run(place, work);
}

/** Releases the caller's slot while it waits for something idle, such as a lock. */
export async function waitAside<Result>(wait: () => Promise<Result>): Promise<Result> {
  const place = held.getStore();
  if (place === undefined) return wait();
  place.leave();
  try {
    return await wait();
  } finally {
    await place.enter();
  }
}
