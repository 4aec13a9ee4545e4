import type { Page } from 'playwright-core';

/**
 * Counts component functions that ran, like React's profiler: React reports each commit to a developer-tools hook that
 * exists before it loads, also in the built site. Call it before the page is opened.
 */
export async function countRenders(page: Page): Promise<void> {
  await page.addInitScript(() => {
    type Fiber = {
      tag: number;
      flags: number;
      child: Fiber | null;
      sibling: Fiber | null;
      alternate: Fiber | null;
      stateNode: unknown;
      type: unknown;
    };
    const performedWork = 1;
    const functionTags = new Set([0, 11, 15]);
    const hostTag = 5;
    const rows = new Map<string, number>();

    /** Visits only rendered fibers: skipped ones are the same object in both trees. */
    function visit(now: Fiber, before: Fiber | null, row: string | undefined): void {
      let within = row;
      if (now.tag === hostTag && now.stateNode instanceof HTMLLIElement && now.stateNode.classList.contains('row'))
        within = now.stateNode.querySelector('.row__title')?.textContent ?? '';
      const ran = functionTags.has(now.tag) && (now.flags & performedWork) !== 0;
      if (ran && before !== null && within !== undefined) rows.set(within, (rows.get(within) ?? 0) + 1);
      if (before !== null && now.child === before.child) return;
      for (let child = now.child; child !== null; child = child.sibling) visit(child, child.alternate, within);
    }

    Object.assign(window, {
      rowRenders: () => Object.fromEntries(rows),
      purgeRenders: () => rows.clear(),
      __REACT_DEVTOOLS_GLOBAL_HOOK__: {
        supportsFiber: true,
        renderers: new Map(),
        inject: () => 1,
        onCommitFiberRoot: (_: number, root: { current: Fiber }) =>
          visit(root.current, root.current.alternate, undefined),
        onCommitFiberUnmount() {},
        onPostCommitFiberRoot() {},
      },
    });
  });
}

/** Components that ran within a list row since the last reset, by the row's title. */
export function rowRenders(page: Page): Promise<Record<string, number>> {
  return page.evaluate(() => (window as never as { rowRenders(): Record<string, number> }).rowRenders());
}

export function purgeRenders(page: Page): Promise<void> {
  return page.evaluate(() => (window as never as { purgeRenders(): void }).purgeRenders());
}
