import { execFileSync } from 'node:child_process';
import { getPriority } from 'node:os';
import { expect, test } from 'vitest';

const module = JSON.stringify(new URL('./lower-priority.ts', import.meta.url).href);

/** In a process of its own: this one could not raise its priority again. */
function lowered(steps: string): number {
  const program = `import { lowerPriority } from ${module};
    import { getPriority, setPriority } from 'node:os';
    ${steps}
    console.log(getPriority());`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }));
}

test('the priority is lowered, and never raised, which only root may do', () => {
  const own = getPriority();
  expect(lowered('lowerPriority(17)')).toBe(Math.max(own, 17));
  expect(lowered('setPriority(19); lowerPriority(17)')).toBe(19);
});
