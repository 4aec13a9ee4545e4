import { expect, test } from 'vitest';
import { createFakeClock } from '#player/fake-clock.ts';
import { createListeners } from '#player/listeners.ts';
import { idlePlayerSnapshot } from '#player/player-snapshot.ts';
import { renderAfterRequest } from './render-after-request.ts';

function setUp() {
  const clock = createFakeClock();
  const [changes, engineChanges, positions, requests] = Array.from({ length: 4 }, () => createListeners());
  const player = {
    getSnapshot: () => snapshot,
    subscribe: changes!.subscribe,
    subscribeEngine: engineChanges!.subscribe,
    subscribePosition: positions!.subscribe,
  };
  let snapshot = idlePlayerSnapshot;
  const rendered: string[] = [];
  const later = renderAfterRequest(player, requests!.subscribe, clock);
  later.subscribe(() => rendered.push('state'));
  later.subscribePosition(() => rendered.push('position'));
  return {
    clock,
    rendered,
    request: requests!.emit,
    move: positions!.emit,
    become(status: typeof snapshot.status) {
      snapshot = { ...snapshot, status };
      changes!.emit();
    },
  };
}

test('components hear of a new file once the element has asked for it', () => {
  const { rendered, become, move, request } = setUp();
  become('loading');
  move();
  expect(rendered).toEqual([]);
  request();
  expect(rendered).toEqual(['state', 'position']);
  request();
  expect(rendered).toHaveLength(2);
});

test('they hear of it soon, also when the element asks for nothing', () => {
  const { clock, rendered, become } = setUp();
  become('loading');
  clock.advance(50);
  expect(rendered).toEqual(['state']);
});

test('any other change is told at once, with what waited', () => {
  const { clock, rendered, become } = setUp();
  become('paused');
  expect(rendered).toEqual(['state']);
  become('loading');
  become('playing');
  expect(rendered).toEqual(['state', 'state']);
  clock.advance(1000);
  expect(rendered).toHaveLength(2);
});
