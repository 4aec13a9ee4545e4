/** Pushes of news: shows them, and opens the linked page. Plain functions, which the worker calls. */

export type ShownNews = { title: string; body: string; path: string; tag: string };

const fallback: ShownNews = {
  title: 'Something new is waiting',
  body: '',
  path: '/account/notifications',
  tag: 'news',
};

/** Parses a push. Browsers require a visible notification for each push, so an unreadable one gets a general text. */
export function readPush(text: string | undefined): ShownNews {
  try {
    const { title, body, path, tag } = JSON.parse(text ?? '') as Partial<Record<keyof ShownNews, unknown>>;
    return {
      title: typeof title === 'string' && title !== '' ? title : fallback.title,
      body: typeof body === 'string' ? body : '',
      path: isOwnPath(path) ? path : fallback.path,
      tag: typeof tag === 'string' ? tag : fallback.tag,
    };
  } catch {
    return fallback;
  }
}

function isOwnPath(path: unknown): path is string {
  return typeof path === 'string' && /^\/(?![/\\])/.test(path);
}

type Windows = {
  matchAll(query: {
    type: 'window';
    includeUncontrolled: boolean;
  }): Promise<{ url: string; focus(): Promise<unknown>; navigate?(url: string): Promise<unknown> }[]>;
  openWindow(url: string): Promise<unknown>;
};

/** In a tab that shows that page, else in a new one: a playing tab must not navigate. */
export async function openNews(clients: Windows, path: string, origin: string): Promise<void> {
  const url = new URL(path, origin).href;
  const tabs = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = tabs.find((tab) => tab.url === url);
  await (shown === undefined ? clients.openWindow(url) : shown.focus());
}
