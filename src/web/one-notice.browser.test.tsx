import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerCalls, refusal } from '#test/support/components/calls.ts';
import { listener, mountInSite } from '#test/support/components/mount.tsx';
import { answerOf, api } from './api.ts';
import { useToast } from './ui/layers/toast.tsx';

let acts = 0;

/** An act of two calls, each of which shows its refusal. */
function Acts() {
  const showToast = useToast();
  async function act() {
    const calls = ['rain', 'sea'].map((id) => answerOf(api.comments[':id'].$delete({ param: { id } })));
    for (const answer of await Promise.all(calls)) showToast({ text: answer.ok ? 'Saved' : answer.message });
    acts += 1;
  }
  return (
    <button type="button" onClick={() => void act()}>
      Show both
    </button>
  );
}

/** @returns the texts that the live region announces from now on, each time */
async function announced(): Promise<string[]> {
  const texts: string[] = [];
  await expect.element(page.getByRole('button', { name: 'Show both' })).toBeVisible();
  const region = document.querySelector('output.sr-only') ?? expect.fail('the page has no live region');
  new MutationObserver(() => texts.push(region.textContent ?? '')).observe(region, { childList: true, subtree: true });
  return texts;
}

async function press(times: number): Promise<void> {
  acts = 0;
  for (let done = 1; done <= times; done += 1) {
    await page.getByRole('button', { name: 'Show both' }).click();
    await expect.poll(() => acts).toBe(done);
  }
}

const shown = () => [...document.querySelectorAll('[data-toast]')].map(({ textContent }) => textContent);
const answerBoth = (answer: () => Response) =>
  answerCalls({
    'DELETE /v1/api/comments/rain': answer,
    'DELETE /v1/api/comments/sea': answer,
  });

test('two calls of one press that are refused alike are one notice; the next press shows it again', async () => {
  answerBoth(() => refusal(503, 'server/busy', 'The site is busy.'));
  mountInSite(<Acts />, { user: listener });
  const texts = await announced();
  await press(1);
  await expect.poll(shown).toEqual(['The site is busy.']);
  expect(texts).toEqual(['The site is busy.']);
  await press(1);
  await expect.poll(() => texts).toEqual(['The site is busy.', 'The site is busy.']);
  expect(shown()).toEqual(['The site is busy.']);
});

test('an act after the end of the session shows that, and nothing of its own', async () => {
  answerBoth(() => refusal(401, 'auth/login-required', 'Please log in to continue.'));
  mountInSite(<Acts />, { user: listener });
  const texts = await announced();
  await press(1);
  await expect.poll(shown).toEqual(['You are logged out. Log in to continue.']);
  expect(texts).toEqual(['You are logged out. Log in to continue.']);
});
