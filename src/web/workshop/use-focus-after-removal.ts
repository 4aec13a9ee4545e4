import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { isRendered } from '../ui/is-rendered.ts';

const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex="0"]';

/** The focused element, and its position among the children of each ancestor, innermost first. */
type Place = { element: HTMLElement; path: { parent: Element; index: number }[] };

/**
 * When an action removes or disables the focused element, the focus moves to what is now in its place. Otherwise the
 * browser resets it to the document, and keyboard and screen-reader users start at the top again.
 * @param page another page has other positions
 */
export function useFocusAfterRemoval(area: RefObject<HTMLElement | null>, page: string): void {
  const place = useRef<Place>(undefined);
  useLayoutEffect(() => {
    place.current = undefined;
  }, [page]);
  useEffect(() => {
    const root = area.current;
    if (root === null) return undefined;
    const isLost = () =>
      place.current !== undefined && document.activeElement === document.body && isGone(place.current.element);
    const note = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement) place.current = placeOf(target, root);
    };
    let frame = 0;
    const observer = new MutationObserver(() => {
      if (place.current === undefined || !isGone(place.current.element)) return;
      cancelAnimationFrame(frame);
      // A disabled element loses the focus at the next rendering, and a closing dialog may still return it.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => {
          if (isLost() && document.querySelector('[data-modal]') === null) restore(root, place.current);
        });
      });
    });
    root.addEventListener('focusin', note);
    observer.observe(root, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      root.removeEventListener('focusin', note);
    };
  }, [area]);
}

function isGone(element: HTMLElement): boolean {
  return !element.isConnected || element.matches(':disabled');
}

function placeOf(element: HTMLElement, root: HTMLElement): Place {
  const path: Place['path'] = [];
  let inner: Element = element;
  while (inner !== root && inner.parentElement !== null) {
    path.push({ parent: inner.parentElement, index: [...inner.parentElement.children].indexOf(inner) });
    inner = inner.parentElement;
  }
  return { element, path };
}

function restore(root: HTMLElement, place: Place | undefined): void {
  if (place === undefined) return;
  const target = place.element.isConnected ? heirOf(place.element, root) : neighborOf(root, place);
  if (!target.matches(focusable)) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/**
 * A button that is disabled after its action leaves the focus to its form; in a row, for example the first one, to the
 * control before it, because the next one may remove the row.
 */
function heirOf(element: HTMLElement, root: HTMLElement): HTMLElement {
  const row = element.closest<HTMLElement>('li, tr');
  const others = row === null || !root.contains(row) ? [] : [...row.querySelectorAll(focusable)].filter(takesFocus);
  const before = others.findLast((one) => element.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING);
  if (before !== undefined) return before;
  const form = element.closest<HTMLElement>('form, section');
  return form !== null && root.contains(form) ? form : root;
}

/**
 * The first focusable element in what took its place, or before that. Stays within the form or section, because
 * neighbouring ones may unpublish or delete.
 */
function neighborOf(root: HTMLElement, { path }: Place): HTMLElement {
  for (const { parent, index } of path) {
    if (!root.contains(parent)) continue;
    for (let at = index; at >= 0; at -= 1) {
      const child = parent.children[at];
      const found = child && [child, ...child.querySelectorAll(focusable)].find(takesFocus);
      if (found !== undefined) return found;
    }
    if (parent instanceof HTMLElement && parent.matches('form, section')) return parent;
  }
  return root;
}

function takesFocus(element: Element): element is HTMLElement {
  return element instanceof HTMLElement && element.matches(focusable) && isRendered(element);
}
