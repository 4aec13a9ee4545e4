import { type ReactNode, Fragment } from 'react';
import { Rail } from './cards/rail.tsx';
import { Section } from './cards/section.tsx';

type RailSectionProps<Item> = {
  title: string;
  more: { label: string; to: string };
  items: Item[];
  width?: '5' | '6';
  children: (item: Item) => ReactNode;
};

/** A rail of cards below the first view; renders nothing without items. */
export function RailSection<Item extends { id: string }>({
  title,
  more,
  items,
  width,
  children,
}: RailSectionProps<Item>) {
  if (items.length === 0) return null;
  return (
    <Section title={title} more={more} place="below">
      <Rail width={width}>
        {items.map((item) => (
          <Fragment key={item.id}>{children(item)}</Fragment>
        ))}
      </Rail>
    </Section>
  );
}
