import { type ReactElement, type ReactNode, useState } from 'react';
import { usePopup } from './use-popup.tsx';

type PopoverProps<Content> = {
  /** A button; it gets the ARIA attributes and opens the popover. */
  trigger: ReactElement;
  label: string;
  /** The popover closes when this changes, such as on navigation. */
  closeKey?: string;
  side?: 'top' | 'bottom';
  /** Loads the content’s code together with the popup’s. Must be a stable function. */
  load: () => Promise<Content>;
  children: (content: Content) => ReactNode;
};

const loadPopup = () => import('./popover-popup.tsx');

/** For controls; commands belong in a `Menu`. Closes on outside press, Escape and a new `closeKey`. */
export function Popover<Content>({ trigger, label, closeKey, side = 'bottom', load, children }: PopoverProps<Content>) {
  const [loadAll] = useState(() => async () => {
    const [{ PopoverPopup }, content] = await Promise.all([loadPopup(), load()]);
    return { PopoverPopup, content };
  });
  const { button, popup, loaded } = usePopup(trigger, { kind: 'dialog', closeKey, load: loadAll });
  return (
    <>
      {button}
      {loaded && (
        <loaded.PopoverPopup popup={popup} label={label} side={side}>
          {children(loaded.content)}
        </loaded.PopoverPopup>
      )}
    </>
  );
}
