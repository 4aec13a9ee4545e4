import '#web/app.css';
import '#web/workshop.css';
import { afterEach, beforeEach } from 'vitest';
import { answerCalls, stopAnswering } from './calls.ts';
import { unmount } from './mount.tsx';

beforeEach(() => {
  // Keys go to the frame that has the focus.
  window.focus();
  answerCalls({});
});

afterEach(() => {
  unmount();
  stopAnswering();
  window.scrollTo({ top: 0, behavior: 'instant' });
  localStorage.clear();
  sessionStorage.clear();
});
