import { useSyncExternalStore } from 'react';
import { browserStore } from './browser-store.ts';

const KEY = 'sotto_keys';

const listeners = new Set<() => void>();
let isOn: boolean | undefined;

/** Whether single keys command the player (product, "Playing"); on until it is switched off, and remembered. */
export function useKeysSwitch(): [isOn: boolean, setOn: (on: boolean) => void] {
  return [useSyncExternalStore(subscribe, areKeysOn, () => true), setKeysOn];
}

/** Asked at each press. */
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
