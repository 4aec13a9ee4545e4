import '#web/app.css';
import '#web/workshop.css';
import { afterEach, beforeEach, expect } from 'vitest';
import { configureApi } from '#web/api.ts';
import { logOutEvent } from '#web/logged-out.ts';
import { answerCalls, stopAnswering } from './calls.ts';
import { unmount } from './mount.tsx';

// Without a graphics card, a blurred backdrop takes seconds for each dialog.
const unblurred = new CSSStyleSheet();
unblurred.replaceSync('* { backdrop-filter: none !important; }');
document.adoptedStyleSheets.push(unblurred);

beforeEach(() => {
  // Keys go to the frame that has the focus; without it, no field reports that it was left.
  window.focus();
  expect(document.hasFocus()).toBe(true);
  answerCalls({});
});

afterEach(() => {
  unmount();
  // All files share the page: the session of the last one would hold back the calls of the next.
  configureApi({
    getToken: () => undefined,
    untilToken: () => undefined,
    onSessionEnded: () => {},
    transportKey: null,
  });
  stopAnswering();
  // Unsaved text that a test left would be asked about in the next one; it goes with a log-out that is confirmed.
  const { confirm } = window;
  window.confirm = () => true;
  window.dispatchEvent(new Event(logOutEvent, { cancelable: true }));
  window.confirm = confirm;
  // One that a test left is back, and the device's database waits for it no more.
  window.dispatchEvent(new Event('pageshow'));
  window.scrollTo({ top: 0, behavior: 'instant' });
  localStorage.clear();
  sessionStorage.clear();
});
