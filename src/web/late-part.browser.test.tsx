import { type ComponentType, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { hydrateInSite, mountInSite } from '#test/support/components/mount.tsx';
import { latePart } from './late-part.tsx';

function Counter({ label }: { label: string }) {
  const [count, setCount] = useState(0);
  const [plus, setPlus] = useState(0);
  const [note, setNote] = useState('');
  return (
    <section>
      <button type="button" onClick={() => setCount(count + 1)}>
        {label}
      </button>
      <button type="button" onClick={() => setPlus(plus + 1)}>
        Other
      </button>
      <input aria-label="Note" value={note} onChange={({ target }) => setNote(target.value)} />
      <p data-testid="state">{`${count} ${plus} ${note}`}</p>
    </section>
  );
}

/** Its effect runs after those of the part beside it. */
function Ready() {
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (text.current) text.current.textContent = 'Hydrated';
  }, []);
  return <p ref={text}>Not yet</p>;
}

let loads = 0;

/** The page as the site sends it, hydrated, while the part's code is still on its way. */
async function open(above = 0) {
  loads = 0;
  const code = Promise.withResolvers<ComponentType<{ label: string }>>();
  const Part = latePart<{ label: string }>(() => {
    loads += 1;
    return code.promise;
  });
  const around = (part: ReactNode) => (
    <>
      <div style={{ height: above }}>
        <p>Above</p>
      </div>
      {part}
      <Ready />
    </>
  );
  const atSite = (
    <div>
      <Suspense fallback={null}>
        <Counter label="Press" />
      </Suspense>
    </div>
  );
  hydrateInSite(around(atSite), around(<Part label="Press" />));
  await expect.poll(() => document.body.textContent).toContain('Hydrated');
  return { arrive: () => code.resolve(Counter) };
}

const state = () => document.querySelector('[data-testid=state]')?.textContent;
const button = () => page.getByRole('button', { name: 'Press' });

test('a press before the code is there counts once it is, and only once', async () => {
  const { arrive } = await open();
  await button().click();
  expect(state()).toBe('0 0 ');
  arrive();
  await expect.poll(state).toBe('1 0 ');
  await button().click();
  await expect.poll(state).toBe('2 0 ');
});

test('the last of several presses counts', async () => {
  const { arrive } = await open();
  await button().click();
  await page.getByRole('button', { name: 'Other' }).click();
  arrive();
  await expect.poll(state).toBe('0 1 ');
});

test('a press with a modifier belongs to the browser, and is not repeated', async () => {
  const { arrive } = await open();
  const control = await button().findElement();
  for (const modifier of ['ctrlKey', 'metaKey', 'shiftKey']) {
    const press = new MouseEvent('click', { bubbles: true, cancelable: true, [modifier]: true });
    control.dispatchEvent(press);
    expect(press.defaultPrevented, modifier).toBe(false);
  }
  arrive();
  await page.getByLabelText('Note').fill('x');
  await expect.poll(state).toBe('0 0 x');
});

test('what was typed before the code was there counts', async () => {
  const { arrive } = await open();
  const note = (await page.getByLabelText('Note').findElement()) as HTMLInputElement;
  await page.getByLabelText('Note').fill('rain');
  expect(state()).toBe('0 0 ');
  arrive();
  await expect.poll(state).toBe('0 0 rain');
  // The site's own element, so that the focus and the caret stay.
  expect(note.isConnected).toBe(true);
});

test('the code of a part far below loads when the part comes near', async () => {
  const { arrive } = await open(3000);
  expect(loads).toBe(0);
  (await page.getByText('Hydrated').findElement()).scrollIntoView();
  await expect.poll(() => loads).toBe(1);
  arrive();
  await button().click();
  await expect.poll(state).toBe('1 0 ');
});

test('the first press anywhere loads the code of a part far below', async () => {
  await open(3000);
  expect(loads).toBe(0);
  await page.getByText('Above').click();
  await expect.poll(() => loads).toBe(1);
});

test('a part that the site has not rendered loads at once, and waits for its code', async () => {
  const code = Promise.withResolvers<ComponentType<{ label: string }>>();
  const Part = latePart<{ label: string }>(() => code.promise);
  mountInSite(
    <Suspense fallback="Waiting">
      <Part label="Press" />
    </Suspense>,
  );
  await expect.element(page.getByText('Waiting')).toBeVisible();
  code.resolve(Counter);
  await button().click();
  await expect.poll(state).toBe('1 0 ');
});
