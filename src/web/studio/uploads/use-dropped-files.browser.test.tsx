import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { mount } from '#test/support/components/mount.tsx';
import { FileButton } from '../../workshop/forms/file-button.tsx';
import { useDroppedFiles } from './use-dropped-files.ts';

const onFiles = vi.fn<(names: string[]) => void>();
beforeEach(() => {
  onFiles.mockReset();
});

function Uploads() {
  const take = (files: File[]) => onFiles(files.map(({ name }) => name));
  const isOver = useDroppedFiles(take);
  return (
    <>
      <p>{isOver ? 'Drop them' : 'Nothing held'}</p>
      <FileButton isMultiple accept="audio/*" onFiles={take}>
        Choose files
      </FileButton>
    </>
  );
}

/** As browsers dispatch it for files from another program, which no driver can drag. */
function dragged(type: string, target: Element, { names = ['rain.wav'], text = false } = {}): DragEvent {
  const dataTransfer = new DataTransfer();
  if (text) dataTransfer.setData('text/plain', 'A word');
  else for (const name of names) dataTransfer.items.add(new File(['sound'], name, { type: 'audio/wav' }));
  const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer });
  target.dispatchEvent(event);
  return event;
}

/** Listens only after its effects. */
async function open(): Promise<Element> {
  mount(<Uploads />);
  const text = await page.getByText('Nothing held').findElement();
  await expect.poll(() => dragged('dragover', text).defaultPrevented).toBe(true);
  return text;
}

test('files over the page are noticed until they leave it, whichever elements they pass', async () => {
  const inner = await open();
  dragged('dragenter', document.body);
  await expect.element(page.getByText('Drop them')).toBeVisible();
  dragged('dragenter', inner);
  dragged('dragleave', document.body);
  await expect.element(page.getByText('Drop them')).toBeVisible();
  dragged('dragleave', inner);
  await expect.element(page.getByText('Nothing held')).toBeVisible();
});

test('a drop takes all files once, and the browser opens none of them', async () => {
  const target = await open();
  dragged('dragenter', target);
  expect(dragged('dragover', target).defaultPrevented).toBe(true);
  expect(dragged('drop', target, { names: ['rain.wav', 'sea.flac'] }).defaultPrevented).toBe(true);
  expect(onFiles.mock.calls).toEqual([[['rain.wav', 'sea.flac']]]);
  await expect.element(page.getByText('Nothing held')).toBeVisible();
  // The next drag counts from zero.
  dragged('dragenter', target);
  await expect.element(page.getByText('Drop them')).toBeVisible();
  dragged('dragleave', target);
  await expect.element(page.getByText('Nothing held')).toBeVisible();
});

test('a dragged text stays the browser’s', async () => {
  const target = await open();
  expect(dragged('dragover', target, { text: true }).defaultPrevented).toBe(false);
  expect(dragged('drop', target, { text: true }).defaultPrevented).toBe(false);
  expect(onFiles).not.toHaveBeenCalled();
});

test('the same file can be chosen again', async () => {
  mount(<Uploads />);
  await page.getByRole('button', { name: 'Choose files' }).findElement();
  const field = document.querySelector<HTMLInputElement>('input[type=file]') ?? expect.fail();
  const choose = () => page.elementLocator(field).upload(new File(['sound'], 'rain.wav'));
  await choose();
  await expect.poll(() => onFiles.mock.calls).toEqual([[['rain.wav']]]);
  expect(field.value).toBe('');
  await choose();
  await expect.poll(() => onFiles.mock.calls).toHaveLength(2);
});
