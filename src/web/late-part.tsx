import type { ComponentType, ReactNode } from 'react';
import { memo, Suspense, use, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { browserClock } from '#player/clock.ts';
import { createLate } from '#player/late.ts';
import { browserNetwork } from '#player/network.ts';
import { afterFirstPress } from './ui/first-press.ts';
import { reportFields } from './ui/report-fields.ts';

/** Distance from the window at which the code of a part below it loads. */
const margin = '600px 0px';

const subscribe = () => () => {};

/**
 * A part of a page whose code is not part of the first load: the server’s HTML is shown, and the code loads when the
 * part comes near the window, or after the first press. A navigation waits for the code, so that the page appears
 * complete.
 * @param load rejects when offline; it is then retried
 */
export function latePart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const code = createLate({ load, clock: browserClock, network: browserNetwork });
  const { promise, resolve } = Promise.withResolvers<ComponentType<Props>>();
  let isWanted = false;

  function want(): void {
    if (isWanted) return;
    isWanted = true;
    code.use((Part) => {
      resolve(Part);
      // React marks promises this way; `use` then returns the value synchronously.
      Object.assign(promise, { status: 'fulfilled', value: Part });
    });
  }

  function Content({ props, onAlive }: { props: Props; onAlive: () => void }): ReactNode {
    // Must always run: after a suspended render, React uses this call to recognize that the hooks below belong to a
    // first render.
    const Part = use(promise);
    useEffect(onAlive, [onAlive]);
    return <Part {...props} />;
  }

  function LatePart(props: Props) {
    const place = useRef<HTMLDivElement>(null);
    // Stays true after hydration: rendering the part again would discard the server’s HTML.
    const [origin] = useState(() => ({ isServer: false }));
    const [early] = useState(() => ({
      isOver: false,
      pressed: undefined as HTMLElement | undefined,
      end() {
        early.isOver = true;
        if (origin.isServer && place.current) reportFields(place.current);
        // After React has rendered what was typed.
        setTimeout(() => {
          if (early.pressed?.isConnected) early.pressed.click();
          early.pressed = undefined;
        });
      },
    }));
    const mayWait = useSyncExternalStore(
      subscribe,
      () => origin.isServer,
      () => (origin.isServer = true),
    );
    const [firstProps] = useState(props);
    // The server’s HTML cannot show newer data.
    if (!mayWait || typeof document === 'undefined' || props !== firstProps) want();
    useEffect(() => {
      const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && want(), { rootMargin: margin });
      if (place.current) observer.observe(place.current);
      const stopWaiting = afterFirstPress(want);
      return () => {
        observer.disconnect();
        stopWaiting();
      };
    }, []);
    useEffect(() => {
      // React swallows clicks on HTML that is not hydrated yet, so the last one is repeated afterwards.
      const onClick = (event: MouseEvent) => {
        const control = event.target instanceof Element && event.target.closest<HTMLElement>('a, button');
        if (early.isOver || !control || !place.current?.contains(control)) return;
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        early.pressed = control;
        want();
      };
      window.addEventListener('click', onClick, { capture: true });
      return () => window.removeEventListener('click', onClick, { capture: true });
    }, [early]);
    const content = <Content props={props} onAlive={early.end} />;
    return <div ref={place}>{mayWait ? <Suspense fallback={null}>{content}</Suspense> : content}</div>;
  }

  // A part with unchanged data does not render again, and so keeps the server’s HTML.
  return memo(LatePart) as unknown as ComponentType<Props>;
}
