import { Outlet, useOutletContext } from 'react-router';
import { StaleNotice } from './stale-notice.tsx';

/** A page of Studio or Admin. Loaded data stays when newer data fails, below a notice of its age. */
export function WorkshopPages() {
  return (
    <>
      <StaleNotice />
      <Outlet context={useOutletContext()} />
    </>
  );
}
