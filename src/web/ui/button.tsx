import { mergeProps } from '@base-ui/react/merge-props';
import { useRender } from '@base-ui/react/use-render';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';

type ButtonProps = useRender.ComponentProps<'button'> & {
  variant?: 'primary' | 'secondary' | 'outline' | 'ghost';
  size?: 'sm' | 'md' | 'lg';
  width?: 'own' | 'full';
  /** What it says while it works; presses do nothing meanwhile. */
  busy?: string | undefined;
};

const variants = { primary: 'btn--p', secondary: 'btn--s', outline: 'btn--o', ghost: 'btn--g' };
const sizes = { sm: 'btn--sm', md: '', lg: 'btn--lg' };

/** `render={<Link to=… />}` makes it a link with the same looks. */
export function Button({
  variant = 'secondary',
  size = 'md',
  width = 'own',
  busy,
  render,
  children,
  ...props
}: ButtonProps) {
  const working = busy !== undefined;
  return useRender({
    render,
    defaultTagName: 'button',
    props: mergeProps<'button'>(
      {
        ...(render === undefined && { type: 'button' }),
        className: classNames('btn', variants[variant], sizes[size], width === 'full' && 'btn--w'),
        children: working ? (
          <>
            <Icon of={LoaderCircle} size={18} />
            {busy}
          </>
        ) : (
          children
        ),
      },
      props,
      working ? { 'aria-busy': true, 'aria-disabled': true, onClick: stop } : {},
    ),
  });
}

function stop(event: { preventDefault: () => void; preventBaseUIHandler: () => void }): void {
  event.preventDefault();
  event.preventBaseUIHandler();
}
