import { mergeProps } from '@base-ui/react/merge-props';
import { useRender } from '@base-ui/react/use-render';
import { classNames } from './class-names.ts';

type ChipProps = useRender.ComponentProps<'button'> & { size?: 'sm' | 'md' };

/** A choice among several: the chosen one has `aria-current` (a link) or `aria-pressed` (a button). */
export function Chip({ size = 'md', render, ...props }: ChipProps) {
  return useRender({
    render,
    defaultTagName: 'button',
    props: mergeProps<'button'>(
      { ...(render === undefined && { type: 'button' }), className: classNames('chip', size === 'sm' && 'chip--sm') },
      props,
    ),
  });
}
