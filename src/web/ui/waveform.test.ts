import { describe, expect, test } from 'vitest';
import { amplitudesOf } from './waveform.tsx';

describe('amplitudesOf', () => {
  test('matches the amplitudes of the design recipe', () => {
    const recipe = [0.284, 0.319, 0.356, 0.46, 0.348, 0.488, 0.413, 0.472, 0.28, 0.375, 0.254, 0.24];
    expect(amplitudesOf('how-do-i-love-thee', 12).map((amplitude) => Math.round(amplitude * 1000) / 1000)).toEqual(
      recipe,
    );
  });

  test('stays between 0 and 1', () => {
    const amplitudes = amplitudesOf('bright-star', 500);
    expect(Math.min(...amplitudes)).toBeGreaterThanOrEqual(0.05);
    expect(Math.max(...amplitudes)).toBeLessThanOrEqual(1);
  });
});
