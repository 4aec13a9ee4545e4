import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Root } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { ToastProvider } from '#web/ui/toast.tsx';

let shown: { root: Root; place: HTMLElement } | undefined;

/** Renders a component as the site does: within a router, and with notices. */
export function mount(component: ReactNode): void {
  unmount();
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  shown = { root, place };
  const routes = [{ id: 'root', path: '*', element: <ToastProvider>{component}</ToastProvider> }];
  root.render(<RouterProvider router={createMemoryRouter(routes)} />);
}

export function unmount(): void {
  shown?.root.unmount();
  shown?.place.remove();
  shown = undefined;
}
