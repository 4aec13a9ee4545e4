import { AsyncLocalStorage } from 'node:async_hooks';

/** A slot among a limited number of workers; a waiting worker can lend it to others. */
export type WorkerSlot = { leave(): void; enter(): Promise<void> };

const held = new AsyncLocalStorage<WorkerSlot>();

export function withSlot<Result>(slot: WorkerSlot, work: () => Promise<Result>): Promise<Result> {
  return held.run(slot, work);
}

/** Releases the caller's slot while it waits for something idle, such as a lock. */
export async function waitOutsideSlot<Result>(wait: () => Promise<Result>): Promise<Result> {
  const slot = held.getStore();
  if (slot === undefined) return wait();
  slot.leave();
  try {
    return await wait();
  } finally {
    await slot.enter();
  }
}
