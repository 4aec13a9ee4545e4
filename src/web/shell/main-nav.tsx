import { t } from '@lingui/core/macro';
import { NavLink } from 'react-router';
import { logEvent } from '../analytics/log-event.ts';
import { navigation } from './navigation.ts';

export function MainNav() {
  return (
    <nav
      className="flex flex-none gap-1 max-lg:hidden max-[74.9375rem]:group-has-[search:focus-within]/header:hidden"
      aria-label={t({ message: 'Main', context: 'navigation' })}
    >
      {navigation.map(({ label, to, event }) => (
        <NavLink
          key={to}
          className="inline-flex min-h-11 items-center rounded-full px-3.5 text-14 font-medium text-soft hover:text-text aria-[current]:font-semibold aria-[current]:text-text"
          to={to}
          onClick={() => logEvent(event)}
        >
          {label()}
        </NavLink>
      ))}
    </nav>
  );
}
