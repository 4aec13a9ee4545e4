import { useSyncExternalStore } from 'react';
import { createListeners } from '#player/listeners.ts';
import { browserStore } from '#web/browser-store.ts';

const KEY = 'sotto_keys';

const changes = createListeners();
let isOn: boolean | undefined;

/** Whether single-key shortcuts are on (product, “Playing”); on by default, and remembered. */
export function useKeysSwitch(): [isOn: boolean, setOn: (on: boolean) => void] {
  return [useSyncExternalStore(changes.subscribe, areKeysOn, () => true), setKeysOn];
}

/** Read at each key press. */
export function areKeysOn(): boolean {
  return (isOn ??= browserStore.get(KEY) !== 'off');
}

function setKeysOn(on: boolean): void {
  isOn = on;
  browserStore.set(KEY, on ? 'on' : 'off');
  changes.emit();
}
