import { t } from '@lingui/core/macro';
import { type RefObject, useEffect, useEffectEvent } from 'react';
import { flushSync } from 'react-dom';
import { keyCommand } from '#player/keyboard.ts';
import { SEEK_STEP_SECONDS } from '#player/reports/progress.ts';
import { audioFavorite, useFavoritePress } from '#web/catalogue/favorite-button.tsx';
import { useToast } from '#web/ui/layers/toast.tsx';
import { useSignInPrompt } from '../identity/prompts.tsx';
import { usePlayerCommands, usePlayerState } from '../listening/player-provider.tsx';
import { useQueueView } from '../player/queue-view-state.tsx';
import { sourceOf } from '../listening/track-of.ts';
import { areKeysOn } from '../player/use-keys-switch.ts';
import { isRendered } from '../ui/is-rendered.ts';

export type KeyCommandsProps = {
  /** Keys pressed before this code was loaded. */
  early: RefObject<KeyboardEvent[]>;
};

/** Single-key shortcuts for the player, except in form fields (product, “Playing”). Renders nothing. */
export function KeyCommands({ early }: KeyCommandsProps) {
  const commands = usePlayerCommands();
  const current = usePlayerState((snapshot) => snapshot.current);
  const queue = useQueueView();
  const pressFavorite = useFavoritePress();
  const askToSignIn = useSignInPrompt();
  const showToast = useToast();
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (areKeysOn() && pressInFilters(event)) return event.preventDefault();
    // Inactive behind a dialog; in a menu, letters select items.
    if (event.target instanceof Element && event.target.closest('[data-modal],[data-menu]:not([data-closed])')) return;
    const command = keyCommand(event, areKeysOn());
    if (command === undefined) return;
    event.preventDefault();
    switch (command) {
      case 'toggle':
        return commands.toggle();
      case 'seek-back':
        return commands.seekBy(-SEEK_STEP_SECONDS);
      case 'seek-forward':
        return commands.seekBy(SEEK_STEP_SECONDS);
      case 'next':
        return askToSignIn({ title: t`Sign in to play the next audio`, act: commands.next });
      case 'previous':
        return askToSignIn({ title: t`Sign in to play the previous audio`, act: commands.previous });
      case 'toggle-mute':
        return commands.toggleMute();
      case 'search':
        // The search field is in the header, which the expanded player covers and the queue replaces.
        flushSync(queue.close);
        return focusSearch();
      case 'queue':
        return queue.isOpen && !queue.isExpanded ? queue.close() : queue.open();
      case 'filters':
        return document.querySelector<HTMLElement>('[data-filters-button]')?.click();
      case 'favorite':
        if (current === null) return;
        return pressFavorite(
          audioFavorite(current, sourceOf(current)),
          // The heart button that shows the change may be out of sight.
          (isFavorite) =>
            showToast({ text: isFavorite ? t`Added to your Library` : t`Removed from your Library`, kind: 'favorite' }),
        );
    }
  });
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  useEffect(() => {
    for (const event of early.current.splice(0)) onKeyDown(event);
  }, [early]);
  return null;
}

/** In the filters of a list, whose boxes are fields: `-` leaves an option out, and the filters close as they open. */
function pressInFilters(event: KeyboardEvent): boolean {
  const { target, key, code, shiftKey, ctrlKey, metaKey, altKey, repeat } = event;
  if (!(target instanceof Element) || !target.closest('[data-filters]')) return false;
  const keys = { key, code, shiftKey, ctrlKey, metaKey, altKey, repeat, target: undefined };
  const pressed =
    key === '-'
      ? target.closest('li')?.querySelector<HTMLElement>('[aria-pressed]')
      : keyCommand(keys) === 'filters' && document.querySelector<HTMLElement>('[data-filters-button]');
  if (!pressed) return false;
  pressed.click();
  return true;
}

/** For the `/` key: focuses the search field, or opens the row that contains it. */
function focusSearch(): void {
  const field = [...document.querySelectorAll<HTMLElement>('[data-site-search]')].find((candidate) =>
    isRendered(candidate),
  );
  if (field?.dataset.siteSearch === 'toggle') field.click();
  else field?.focus();
}
