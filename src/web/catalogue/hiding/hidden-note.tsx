import { t } from '@lingui/core/macro';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { useLocation } from 'react-router';
import type { HiddenSubject } from '#domain/library/hidden.ts';
import type { MenuRest } from '#web/ui/layers/menu-parts.ts';
import { HiddenText } from './hidden-text.tsx';
import { saveHidden } from './save-hidden.ts';
import './hidden-note.css';

/** Lists show what was hidden until their page is left, so that nothing moves under the finger. */
export const hiddenPlaces = '.row, .card, .feature';

type HiddenNoteProps = {
  subject: HiddenSubject;
  place: HTMLElement;
  rest: MenuRest;
  /** The call that hides it, which Undo waits for. */
  saving: Promise<unknown>;
};

/** Takes the place of a row or card, or follows the acts of a page, until the page is left. */
export function HiddenNote({ subject, place, rest, saving }: HiddenNoteProps) {
  const { key } = useLocation();
  const [page] = useState(key);
  const [problem, setProblem] = useState<string>();
  const isBusy = useRef(false);
  const undo = useRef<HTMLButtonElement>(null);
  const id = useId();
  const isLeft = page !== key;

  useLayoutEffect(() => {
    const isCovered = place.matches(hiddenPlaces);
    if (isLeft) return undefined;
    rest.focusNext(undo.current);
    // Without a menu that gives it the focus when it closes, as after a log-in.
    if (rest.anchor?.getAttribute('aria-expanded') !== 'true') undo.current?.focus();
    place.toggleAttribute('data-unwanted', isCovered);
    return () => {
      rest.focusNext(null);
      place.removeAttribute('data-unwanted');
    };
  }, [place, rest, isLeft]);

  async function show(): Promise<void> {
    if (isBusy.current) return;
    isBusy.current = true;
    await saving;
    const failed = await saveHidden(subject, false);
    isBusy.current = false;
    if (failed !== undefined) return setProblem(failed);
    const hadFocus = document.activeElement === undo.current;
    // The button gets the focus only once it is visible.
    flushSync(() => rest.show(undefined));
    if (hadFocus) rest.anchor?.focus();
  }

  if (isLeft) return null;
  return createPortal(
    <output className="unwanted" data-below={subject.kind === 'audio' ? t`Not for you` : undefined}>
      <span id={id} className="contents">
        <HiddenText subject={subject} />
        {problem !== undefined && <span className="text-danger">{problem}</span>}
      </span>
      <button ref={undo} type="button" className="link" aria-describedby={id} onClick={() => void show()}>
        {t`Undo`}
      </button>
    </output>,
    place,
  );
}
