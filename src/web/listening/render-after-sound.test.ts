import { expect, test } from 'vitest';
import { createFakeClock } from '#test/support/player/fake-clock.ts';
import { createListeners } from '#player/listeners.ts';
import { idlePlayerSnapshot } from '#player/player-snapshot.ts';
import { renderAfterSound } from './render-after-sound.ts';

function setUp() {
  const clock = createFakeClock();
  const [changes, engineChanges, positions] = Array.from({ length: 3 }, () => createListeners());
  const player = {
    getSnapshot: () => snapshot,
    subscribe: changes!.subscribe,
    subscribeEngine: engineChanges!.subscribe,
    subscribePosition: positions!.subscribe,
  };
  let snapshot = idlePlayerSnapshot;
  const rendered: string[] = [];
  const later = renderAfterSound(player, clock);
  later.subscribe(() => rendered.push('state'));
  later.subscribePosition(() => rendered.push('position'));
  return {
    clock,
    rendered,
    move: positions!.emit,
    become(status: typeof snapshot.status) {
      snapshot = { ...snapshot, status };
      changes!.emit();
    },
  };
}

test('components hear of a new file two frames after its sound begins', () => {
  const { clock, rendered, become, move } = setUp();
  become('loading');
  clock.advance(40);
  move();
  become('playing');
  clock.advance(39);
  move();
  expect(rendered).toEqual([]);
  clock.advance(1);
  expect(rendered).toEqual(['state', 'position']);
  move();
  expect(rendered).toEqual(['state', 'position', 'position']);
  clock.advance(1000);
  expect(rendered).toHaveLength(3);
});

test('a press shows within 100 ms; from then on every change is shown at once', () => {
  const { clock, rendered, become, move } = setUp();
  become('loading');
  clock.advance(99);
  expect(rendered).toEqual([]);
  clock.advance(1);
  expect(rendered).toEqual(['state']);
  move();
  expect(rendered).toEqual(['state', 'position']);
  become('playing');
  expect(rendered).toEqual(['state', 'position', 'state']);
  become('loading');
  clock.advance(90);
  become('playing');
  clock.advance(9);
  expect(rendered).toHaveLength(3);
  clock.advance(1);
  expect(rendered).toHaveLength(4);
});

test('a pause or a failure is published at once, with waiting changes', () => {
  const { clock, rendered, become } = setUp();
  become('paused');
  expect(rendered).toEqual(['state']);
  become('loading');
  become('failed');
  expect(rendered).toEqual(['state', 'state']);
  become('loading');
  become('playing');
  become('paused');
  expect(rendered).toEqual(['state', 'state', 'state']);
  clock.advance(1000);
  expect(rendered).toHaveLength(3);
});
