import { useEffect, useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { drag, drop } from '#test/support/components/drag.ts';
import { mount } from '#test/support/components/mount.tsx';
import { Slider } from './slider.tsx';

const events = vi.fn<(name: string, value?: number) => void>();
let changeSubject: (subject: string) => void;
beforeEach(() => {
  events.mockReset();
});

function Seek({ disabled = false }: { disabled?: boolean }) {
  const [value, setValue] = useState(20);
  const [subject, setSubject] = useState('first');
  useEffect(() => {
    changeSubject = setSubject;
  }, []);
  return (
    <div style={{ margin: 40, width: 400 }}>
      <Slider
        label="Position"
        value={value}
        max={100}
        step={1}
        largeStep={15}
        valueText={(at) => `${at.toFixed(0)} of 100`}
        onScrubStart={() => events('start')}
        onScrub={(at) => events('scrub', Math.round(at))}
        onScrubEnd={(at) => {
          events('end', Math.round(at));
          setValue(at);
        }}
        onScrubCancel={() => events('cancel')}
        subject={subject}
        disabled={disabled}
      />
    </div>
  );
}

const slider = () => page.getByRole('slider', { name: 'Position' });
const track = () => document.querySelector('.slider') ?? expect.fail();
const shown = () => slider().element().getAttribute('aria-valuetext');
const ends = () => events.mock.calls.filter(([name]) => name === 'end').map(([, value]) => value);

test('a press sets the value, and a drag previews it until it is released', async () => {
  mount(<Seek />);
  await slider().findElement();
  await drag(track(), { at: [0.75, 0.5] });
  await expect.poll(shown).toBe('75 of 100');
  expect(ends()).toEqual([75]);
  await drag(track(), { at: [0.5, 0.5], right: -100, release: false });
  await expect.poll(shown).toBe('25 of 100');
  expect(ends()).toEqual([75]);
  await drop();
  await expect.poll(ends).toEqual([75, 25]);
});

test('the value stays within its borders, wherever the pointer goes', async () => {
  mount(<Seek />);
  await slider().findElement();
  await drag(track(), { at: [0.9, 0.5], right: 300 });
  await expect.poll(ends).toEqual([100]);
  await drag(track(), { at: [0.1, 0.5], right: -60 });
  await expect.poll(ends).toEqual([100, 0]);
});

test('each key moves by its step, and not beyond the ends', async () => {
  mount(<Seek />);
  (await slider().findElement()).focus();
  await userEvent.keyboard('{ArrowRight}{ArrowUp}{ArrowLeft}{ArrowDown}{ArrowDown}');
  await expect.poll(ends).toEqual([21, 22, 21, 20, 19]);
  events.mockReset();
  await userEvent.keyboard('{PageUp}{PageDown}{Shift>}{ArrowRight}{ArrowLeft}{/Shift}');
  await expect.poll(ends).toEqual([34, 19, 34, 19]);
  events.mockReset();
  await userEvent.keyboard('{End}{ArrowRight}{Home}{ArrowLeft}');
  await expect.poll(ends).toEqual([100, 100, 0, 0]);
});

test('another subject ends a drag without setting the value', async () => {
  mount(<Seek />);
  await slider().findElement();
  await drag(track(), { at: [0.5, 0.5], right: 40, release: false });
  await expect.poll(shown).toBe('60 of 100');
  changeSubject('second');
  await expect.poll(shown).toBe('20 of 100');
  await drop();
  expect(events.mock.calls.at(-1)).toEqual(['cancel']);
  expect(ends()).toEqual([]);
});

test('a disabled slider takes no press', async () => {
  mount(<Seek disabled />);
  await slider().findElement();
  await drag(track(), { at: [0.5, 0.5], right: 40 });
  await expect.element(slider()).toBeDisabled();
  expect(events).not.toHaveBeenCalled();
});
