import { href, redirect } from 'react-router';
import { deskTabs } from '#web/admin/desk/desk-tabs.ts';

/** The desk opens at its first tab. */
export function loader() {
  throw redirect(deskTabs()[0]?.to ?? href('/admin'));
}
