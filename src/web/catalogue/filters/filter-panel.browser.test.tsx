import { useLocation } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { FilterChoices } from '#domain/catalogue/filters/shapes.ts';
import { type ReceivedCall, answerCalls, refusal } from '#test/support/components/calls.ts';
import { mountInSite } from '#test/support/components/mount.tsx';
import { FilteredList } from './filtered-list.tsx';

const mood = (slug: string, audios: number) => ({ slug, label: slug, audios });
const choices: FilterChoices = {
  total: 7,
  of: 16,
  facets: [
    {
      slug: 'mood',
      label: 'Mood',
      explanation: 'How it feels.',
      chooses: 'many',
      tags: [mood('longing', 5), mood('playful', 0)],
    },
    {
      slug: 'notes',
      label: 'Content notes',
      chooses: 'many',
      tags: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((slug) => mood(slug, 1)),
    },
    { slug: 'kind', label: 'Kind', chooses: 'one', tags: [mood('sonnet', 3)] },
  ],
  lengths: [{ value: 'short', audios: 7 }],
  languages: [{ value: 'en', audios: 7 }],
  voiceTypes: [],
  free: 2,
  wider: [],
};

let calls: ReceivedCall[];
let answer: () => unknown;

function List() {
  const { search } = useLocation();
  return (
    <FilteredList filters={undefined} place="category=sonnets" isEmpty={false}>
      <p data-testid="address">{search}</p>
    </FilteredList>
  );
}

beforeEach(() => {
  answer = () => choices;
  calls = answerCalls({ 'GET /v1/api/audios/filters': () => answer() });
});

const filters = page.getByRole('button', { name: 'Filters', exact: true });
const address = () => page.getByTestId('address').element().textContent;
const box = (name: RegExp) => page.getByRole('checkbox', { name });
const press = async (name: RegExp) => ((await box(name).findElement()) as HTMLInputElement).click();

async function open(width = 1280): Promise<void> {
  await page.viewport(width, 800);
  mountInSite(<List />);
  await filters.click();
  await expect.element(box(/^Longing/)).toBeVisible();
}

test('the panel loads what the list offers; a box is in the address, and “without” takes its place', async () => {
  await open();
  expect(calls.map(({ query }) => query.toString())).toEqual(['category=sonnets']);
  await expect.element(box(/^Playful/)).toBeDisabled();
  await press(/^Longing/);
  await expect.poll(address).toBe('?tag=longing');
  await expect.element(box(/^Longing/)).toBeChecked();
  await page.getByRole('button', { name: 'Without longing' }).click();
  await expect.poll(address).toBe('?not=longing');
  await expect.element(box(/^Longing/)).not.toBeChecked();
  await expect.element(page.getByRole('button', { name: 'Without longing' })).toHaveAttribute('aria-pressed', 'true');
});

test('the first two facets are open, and further options show when asked for', async () => {
  await open();
  const parts = [...document.querySelectorAll('details')].map((one) => [
    one.querySelector('summary')?.textContent,
    one.open,
  ]);
  expect(parts).toEqual([
    ['Mood', true],
    ['Content notes', true],
    ['Kind', false],
    ['Length', false],
    ['Language', false],
    ['More', false],
  ]);
  expect(await box(/^H\d?/).query()).toBeNull();
  await page.getByRole('button', { name: 'Show all 8' }).click();
  await expect.element(box(/^H/)).toBeVisible();
});

test('on a narrow window it is a sheet, which Escape closes', async () => {
  await open(600);
  await expect.element(page.getByRole('dialog', { name: 'Filters' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Show 7 audios' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog', { name: 'Filters' })).not.toBeInTheDocument();
});

test('filters that cannot be loaded say so, and are asked for again', async () => {
  const answers = [refusal(503, 'server/unavailable')];
  answer = () => answers.pop() ?? choices;
  await page.viewport(1280, 800);
  mountInSite(<List />);
  await filters.click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('The filters could not be loaded.');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(box(/^Longing/)).toBeVisible();
});
