import { afterEach, expect, test, vi } from 'vitest';
import { knowsConnection, waitsForWifi } from './connection.ts';

afterEach(() => vi.unstubAllGlobals());

test.each([
  [{ type: 'wifi' }, false],
  [{ type: 'ethernet' }, false],
  [{ type: 'unknown' }, false],
  [{ type: 'none' }, false],
  [{ type: 'cellular' }, true],
  [{ type: 'wifi', saveData: true }, false],
  [{ type: 'bluetooth', saveData: false }, false],
  [{ type: 'bluetooth', saveData: true }, true],
  [{ saveData: true }, true],
  [{}, false],
])('"Only on Wi-Fi" with the connection %j waits: %s', (connection, isWaiting) => {
  expect(waitsForWifi(true, connection)).toBe(isWaiting);
  expect(waitsForWifi(false, connection)).toBe(false);
});

test('the browser’s own connection type counts, and the choice is offered only when it is known', () => {
  vi.stubGlobal('navigator', { connection: { type: 'cellular' } });
  expect([knowsConnection(), waitsForWifi(true)]).toEqual([true, true]);
  vi.stubGlobal('navigator', { connection: { effectiveType: '4g' } });
  expect([knowsConnection(), waitsForWifi(true)]).toEqual([false, false]);
  vi.stubGlobal('navigator', {});
  expect([knowsConnection(), waitsForWifi(true)]).toEqual([false, false]);
});
