import { useSyncExternalStore } from 'react';
import { browserStore } from '#web/browser-store.ts';

const KEY = 'sotto_keys';

const listeners = new Set<() => void>();
let isOn: boolean | undefined;

/** Whether single-key shortcuts are on (product, “Playing”); on by default, and remembered. */
export function useKeysSwitch(): [isOn: boolean, setOn: (on: boolean) => void] {
  return [useSyncExternalStore(subscribe, areKeysOn, () => true), setKeysOn];
}

/** Read at each key press. */
export function areKeysOn(): boolean {
  return (isOn ??= browserStore.get(KEY) !== 'off');
}

function setKeysOn(on: boolean): void {
  isOn = on;
  browserStore.set(KEY, on ? 'on' : 'off');
  for (const changed of listeners) changed();
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => void listeners.delete(changed);
}
