import LoaderCircle from 'lucide-react/icons/loader-circle';
import { classNames } from './class-names.ts';
import { Icon } from './images/icon.tsx';
import { type RenderedProps, rendered } from './rendered.ts';

type ButtonProps = RenderedProps & {
  variant?: 'primary' | 'secondary' | 'outline' | 'ghost';
  size?: 'sm' | 'md' | 'lg';
  width?: 'own' | 'full';
  /** Label while busy; presses are ignored meanwhile. */
  busy?: string | undefined;
};

const variants = { primary: 'btn--primary', secondary: 'btn--secondary', outline: 'btn--outline', ghost: 'btn--ghost' };
const sizes = { sm: 'btn--small', md: '', lg: 'btn--large' };

/** `render={<Link to=… />}` renders a link with the same look. */
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
  return rendered(
    render,
    {
      className: classNames('btn', variants[variant], sizes[size], width === 'full' && 'btn--wide'),
      children: working ? (
        <>
          <Icon of={LoaderCircle} size={18} />
          {busy}
        </>
      ) : (
        children
      ),
    },
    working ? { ...props, 'aria-busy': true, 'aria-disabled': true, onClick: stop } : props,
  );
}

function stop(event: { preventDefault: () => void }): void {
  event.preventDefault();
}
