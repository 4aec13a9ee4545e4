import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { keyCommand } from '#player/keyboard.ts';
import { focusSearch } from '#web/shell/search-form.tsx';
import { browserStore } from './browser-store.ts';
import type { TabPlayer } from './tab-player.ts';

const KEY = 'sotto_keys';
const STEP_SECONDS = 15;

const listeners = new Set<() => void>();
let isOn: boolean | undefined;

/** Whether single keys command the player (product, "Playing"); on until it is switched off, and remembered. */
export function useKeysSwitch(): [isOn: boolean, setOn: (on: boolean) => void] {
  return [useSyncExternalStore(subscribe, areKeysOn, () => true), setKeysOn];
}

export function usePlayerKeys(commands: TabPlayer['commands']): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const command = keyCommand(event, areKeysOn());
    if (command === undefined) return;
    event.preventDefault();
    switch (command) {
      case 'toggle':
        return commands.toggle();
      case 'seek-back':
        return commands.seekBy(-STEP_SECONDS);
      case 'seek-forward':
        return commands.seekBy(STEP_SECONDS);
      case 'next':
        return commands.next();
      case 'previous':
        return commands.previous();
      case 'toggle-mute':
        return commands.toggleMute();
      case 'search':
        return focusSearch();
    }
  });
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

function areKeysOn(): boolean {
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
